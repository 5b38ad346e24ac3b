//! What a script threw, in words: anything may be thrown, and reading it may throw again.

use crate::console::shortened;
use crate::ended::Ended;
use crate::globals::LANGUAGE_FILE;
use crate::json::show;
use crate::limits::{FRAMES, MESSAGE_BYTES};
use crate::machine::{FILE, PREFIX};
use crate::memory::Memory;
use rquickjs::{Ctx, Object, Result, Value};

/// An error, read.
pub(crate) struct Thrown {
    message: String,
    stack: String,
}

impl Thrown {
    /// Reads what was thrown. Fails only where the script must not go on.
    pub(crate) fn read<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<Self> {
        let Some(error) = value.as_object().filter(|_| value.is_error()) else {
            return Ok(Self { message: format!("{} was thrown", show(ctx, value)?), stack: String::new() });
        };
        let name = text(ctx, error, "name")?;
        let message = text(ctx, error, "message")?;
        let stack = text(ctx, error, "stack")?.unwrap_or_default();
        let name = name.unwrap_or_else(|| "Error".to_owned());
        let message =
            message.filter(|message| !message.is_empty()).map_or(name.clone(), |message| format!("{name}: {message}"));
        Ok(Self { message, stack: frames(&stack) })
    }

    pub(crate) fn text(&self) -> String {
        let message = shortened(&self.message, MESSAGE_BYTES);
        if self.stack.is_empty() { message } else { format!("{message}\n{}", self.stack) }
    }

    /// How a script ends that did not catch it.
    pub(crate) fn end(&self, memory: &Memory) -> Ended {
        match self.message.as_str() {
            // There may have been no memory for saying so, either.
            message if message.starts_with("InternalError") && memory.has_refused() => memory.explain(),
            "RangeError: Maximum call stack size exceeded" | "InternalError: stack overflow" => {
                Ended::Limit(format!("its calls go too deep\n{}", self.stack))
            }
            _ => Ended::Threw(self.text()),
        }
    }
}

/// Takes what was thrown, unless the script must not go on, and certainly not because one of its values is read.
pub(crate) fn catch<'js>(ctx: &Ctx<'js>) -> Result<Value<'js>> {
    let thrown = ctx.catch();
    if thrown.is_uncatchable_error() { Err(ctx.throw(thrown)) } else { Ok(thrown) }
}

/// A text property, if there is one and it can be read.
fn text<'js>(ctx: &Ctx<'js>, error: &Object<'js>, name: &str) -> Result<Option<String>> {
    match error.get::<_, Value<'js>>(name) {
        Ok(value) => Ok(value.as_string().and_then(|text| text.to_string().ok())),
        Err(_) => catch(ctx).map(|_| None),
    }
}

/// The first calls of a stack, with places in the code as it was given.
fn frames(stack: &str) -> String {
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
