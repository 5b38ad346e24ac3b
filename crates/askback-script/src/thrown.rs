//! Values of a script in words, for people, above all the values that it threw: anything may be thrown, and reading it may
//! throw again.

use crate::console::shortened;
use crate::ended::Ended;
use crate::limits::MESSAGE_BYTES;
use crate::memory::Memory;
use crate::source::frames;
use rquickjs::{Coerced, Ctx, FromJs, Object, Result, Value};

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

/// A value for a person to read: a string as it is, everything else as JSON, or what can be said of it instead.
pub(crate) fn show<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<String> {
    if let Some(text) = value.as_string()
        && let Ok(text) = text.to_string()
    {
        return Ok(text);
    }
    if value.is_undefined() {
        return Ok("undefined".to_owned());
    }
    if let Some(number) = value.as_number().filter(|number| !number.is_finite()) {
        return Ok(number.to_string().replace("inf", "Infinity"));
    }
    if value.is_error() {
        return Ok(Thrown::read(ctx, value)?.text());
    }
    let shown = if value.is_big_int() {
        Ok(None)
    } else {
        ctx.json_stringify(value.clone()).and_then(|text| text.map(|text| text.to_string()).transpose())
    };
    match shown {
        Ok(Some(text)) => Ok(text),
        Ok(None) => named(ctx, value),
        Err(_) => {
            let error = catch(ctx)?;
            let why = error.as_object().and_then(|error| error.get::<_, Option<String>>("message").ok().flatten());
            let why = why.map_or(String::new(), |why| format!(": {why}"));
            Ok(format!("[{} that can't be shown{why}]", value.type_name()))
        }
    }
}

/// What JSON has no form for.
fn named<'js>(ctx: &Ctx<'js>, value: &Value<'js>) -> Result<String> {
    if let Some(symbol) = value.as_symbol() {
        let description = symbol.description()?;
        let description = description.as_string().and_then(|text| text.to_string().ok()).unwrap_or_default();
        return Ok(format!("Symbol({description})"));
    }
    if value.is_big_int() {
        // A number can be nothing but itself: this runs no code of the script.
        return Ok(Coerced::<String>::from_js(ctx, value.clone())?.0);
    }
    Ok(format!("[{}]", value.type_name()))
}
