//! The source code of a script: how the engine reads it, and where the frames of a stack lie in it.

use crate::console::shortened;
use crate::limits::FRAMES;
use rquickjs::context::EvalOptions;
use rquickjs::{Ctx, Function, Result, Value};

/// The name of our own part of the language in the frames of a stack, which leave it out.
pub(crate) const LANGUAGE_FILE: &str = "language";

/// What a script's code is called in the places of its errors.
const FILE: &str = "script";

/// What makes a function's body of the code. It ends no line, so that lines stay what they are.
const PREFIX: &str = "(                 async()=>{";
const SUFFIX: &str = "\n})";

/// What the code must be a function's body in, too, although nothing of it runs. Code that closes the function has to go on
/// with `,` or `)` after an arrow function, and after a declaration it can't.
const DECLARED_PREFIX: &str = "throw 0;{async function f(){";
const DECLARED_SUFFIX: &str = "\n}}";

/// Columns on the first line are counted from where the code begins.
const _: () = assert!(PREFIX.len() == DECLARED_PREFIX.len());

/// Makes a function of the code, of which nothing can be outside of it.
pub(crate) fn read<'js>(ctx: &Ctx<'js>, code: &str) -> Result<Function<'js>> {
    let options = || {
        let mut options = EvalOptions::default();
        options.strict = false;
        options.filename = Some(FILE.to_owned());
        options
    };
    let declared = format!("{DECLARED_PREFIX}{code}{DECLARED_SUFFIX}");
    if ctx.eval_with_options::<Value<'_>, _>(declared, options()).is_err() {
        let thrown = ctx.catch();
        // Zero is what it throws if there is nothing wrong with it.
        if thrown.as_int() != Some(0) {
            return Err(ctx.throw(thrown));
        }
    }
    ctx.eval_with_options(format!("{PREFIX}{code}{SUFFIX}"), options())
}

/// The first calls of a stack, with places in the code as it was given.
pub(crate) fn frames(stack: &str) -> String {
    let is_ours = |frame: &str| frame.contains(&format!("({LANGUAGE_FILE}:"));
    let frames = stack.lines().map(str::trim).filter(|frame| frame.starts_with("at ") && !is_ours(frame)).take(FRAMES);
    let frames: Vec<String> = frames.map(|frame| format!("    {}", placed(&shortened(frame, 200)))).collect();
    frames.join("\n")
}

/// On the first line there is something before the script's own code.
fn placed(frame: &str) -> String {
    let first_line = format!("{FILE}:1:");
    let Some((before, place)) = frame.split_once(&first_line) else { return frame.to_owned() };
    let digits = place.len() - place.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    match place[..digits].parse::<usize>() {
        Ok(column) => format!("{before}{first_line}{}{}", column.saturating_sub(PREFIX.len()).max(1), &place[digits..]),
        Err(_) => frame.to_owned(),
    }
}
