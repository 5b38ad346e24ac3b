//! What a script finds: `requestUserInput`, `console`, and what was taken away.

use crate::console::Level;
use crate::json::{Json, to_json};
use crate::limits::{ARGUMENT_BYTES, ARGUMENTS_OPEN_BYTES, ARRAY_ELEMENTS, CALLS, CALLS_OPEN, LINE_BYTES};
use crate::source::LANGUAGE_FILE;
use crate::thrown::{catch, show};
use rquickjs::context::EvalOptions;
use rquickjs::function::{Opt, Rest};
use rquickjs::{Ctx, Exception, Function, Object, Promise, Result, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};
use std::sync::{Arc, Weak};

/// The functions of a script's run that its code can reach.
pub(crate) trait Outside: Send + Sync + 'static {
    /// Adds a line to the console.
    fn write(&self, level: Level, text: &str);

    /// How many calls are open, and how long everything is that they ask.
    fn open(&self) -> (usize, usize);

    /// Calls the host; its answer wakes the script.
    fn call(self: &Arc<Self>, number: u32, argument: Json);
}

/// The two functions that settle the promise of each open call, by its number: resolve and reject.
pub(crate) type Open<'js> = RefCell<HashMap<u32, Vec<Function<'js>>>>;

/// The language as a script finds it.
const LANGUAGE: &str = include_str!("language.js");

pub(crate) fn install(ctx: &Ctx<'_>, run: &Weak<impl Outside>) -> Result<()> {
    let globals = ctx.globals();
    globals.set("requestUserInput", request_user_input(ctx, run)?)?;
    globals.set("console", console(ctx, run)?)?;
    let no = Function::new(ctx.clone(), |ctx: Ctx<'_>| -> Result<()> {
        Err(Exception::throw_type(&ctx, "code can't be made from text here"))
    })?;
    let is_short = Function::new(ctx.clone(), |value: Value<'_>| -> Result<bool> {
        let Some(array) = value.as_array() else { return Ok(false) };
        // No code of the script's runs here: the length of an array that is no proxy is a number.
        let length = array.as_object().get::<_, Value<'_>>("length")?;
        Ok(length.as_int().is_some_and(|length| usize::try_from(length).is_ok_and(|length| length <= ARRAY_ELEMENTS)))
    })?;
    let mut options = EvalOptions::default();
    options.filename = Some(LANGUAGE_FILE.to_owned());
    ctx.eval_with_options::<Function<'_>, _>(LANGUAGE, options)?.call::<_, ()>((no, is_short, ARRAY_ELEMENTS))
}

fn console<'js>(ctx: &Ctx<'js>, run: &Weak<impl Outside>) -> Result<Object<'js>> {
    let console = Object::new(ctx.clone())?;
    for level in Level::ALL {
        let run = Weak::clone(run);
        let write = move |ctx: Ctx<'js>, values: Rest<Value<'js>>| -> Result<()> {
            let mut text = String::new();
            for (position, value) in values.0.iter().enumerate() {
                if position > 0 {
                    text.push(' ');
                }
                text.push_str(&show(&ctx, value)?);
                if text.len() > LINE_BYTES {
                    break;
                }
            }
            if let Some(run) = run.upgrade() {
                run.write(level, &text);
            }
            Ok(())
        };
        console.set(level.name(), Function::new(ctx.clone(), write)?.with_name(level.name())?)?;
    }
    Ok(console)
}

fn request_user_input<'js>(ctx: &Ctx<'js>, run: &Weak<impl Outside>) -> Result<Function<'js>> {
    let (run, calls) = (Weak::clone(run), AtomicU32::new(0));
    let request = move |ctx: Ctx<'js>, argument: Opt<Value<'js>>| -> Result<Promise<'js>> {
        let (promise, resolve, reject) = ctx.promise()?;
        match prepare(&ctx, &run, argument.0, &calls) {
            Ok((run, number, argument)) => {
                if let Some(open) = ctx.userdata::<Open<'js>>() {
                    open.borrow_mut().insert(number, vec![resolve, reject]);
                }
                run.call(number, argument);
            }
            // What is wrong with a call is told where it is awaited, like everything else that can go wrong with it.
            Err(_) => reject.call::<_, ()>((catch(&ctx)?,))?,
        }
        Ok(promise)
    };
    Function::new(ctx.clone(), request)?.with_name("requestUserInput")
}

/// The run to call, with the number of the call and its argument.
fn prepare<'js, R: Outside>(
    ctx: &Ctx<'js>,
    run: &Weak<R>,
    argument: Option<Value<'js>>,
    calls: &AtomicU32,
) -> Result<(Arc<R>, u32, Json)> {
    const WHAT: &str = "what requestUserInput is called with";
    let argument = argument.filter(|argument| argument.is_object() && !argument.is_array() && !argument.is_function());
    let Some(argument) = argument else {
        return Err(Exception::throw_type(ctx, "requestUserInput takes an object, such as { message: \"…\" }"));
    };
    let argument = to_json(ctx, argument, WHAT, ARGUMENT_BYTES)?;
    // A `toJSON` may have made something else of it.
    let Some(argument) = argument.filter(|argument| argument.value.is_object()) else {
        return Err(Exception::throw_type(ctx, "requestUserInput takes an object, which this is not as JSON"));
    };
    let Some(run) = run.upgrade() else {
        return Err(Exception::throw_internal(ctx, "the script has ended"));
    };
    let (calls_open, bytes_open) = run.open();
    if calls_open >= CALLS_OPEN {
        let message = format!("{CALLS_OPEN} questions are open: await some of them first");
        return Err(Exception::throw_range(ctx, &message));
    }
    if bytes_open + argument.bytes > ARGUMENTS_OPEN_BYTES {
        let message =
            format!("open questions may have {ARGUMENTS_OPEN_BYTES} bytes together: await some of them first");
        return Err(Exception::throw_range(ctx, &message));
    }
    let number = calls.fetch_add(1, Relaxed);
    if number >= CALLS {
        return Err(Exception::throw_range(ctx, &format!("a script may ask {CALLS} questions")));
    }
    Ok((run, number, argument))
}
