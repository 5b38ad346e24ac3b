//! Values of a script as JSON and back. Reading one may run the script's own code (a getter, `toJSON`, a proxy), which is
//! counted and interrupted like the rest of it.

use crate::thrown::{Thrown, catch};
use rquickjs::{Coerced, Ctx, Exception, FromJs, Function, Result, Value};

/// A value that left a script.
pub(crate) struct Json {
    pub(crate) value: serde_json::Value,
    /// How long it is as text.
    pub(crate) bytes: usize,
}

/// A value as JSON, or nothing if it is undefined. What JSON would leave out or change without a word is an error.
pub(crate) fn to_json<'js>(
    ctx: &Ctx<'js>,
    value: Value<'js>,
    what: &'static str,
    limit: usize,
) -> Result<Option<Json>> {
    let strict = Function::new(ctx.clone(), move |ctx: Ctx<'js>, key: Value<'js>, value: Value<'js>| {
        let Some(noun) = unwritable(&value) else { return Ok(value) };
        let key = key.as_string().and_then(|key| key.to_string().ok()).unwrap_or_default();
        let place = if key.is_empty() { what.to_owned() } else { format!("`{key}` in {what}") };
        Err(Exception::throw_type(&ctx, &format!("{place} is {noun}, which JSON does not have")))
    })?;
    let Some(text) = ctx.json_stringify_replacer(value, strict)? else { return Ok(None) };
    let text = text.to_string()?;
    if text.len() > limit {
        let message = format!("{what} has {} bytes as JSON, and may have {limit}", text.len());
        return Err(Exception::throw_range(ctx, &message));
    }
    match serde_json::from_str(&text) {
        Ok(value) => Ok(Some(Json { value, bytes: text.len() })),
        Err(error) => Err(Exception::throw_type(ctx, &format!("{what} can't be used as JSON: {error}"))),
    }
}

fn unwritable(value: &Value<'_>) -> Option<&'static str> {
    if value.is_function() {
        Some("a function")
    } else if value.is_symbol() {
        Some("a symbol")
    } else if value.is_big_int() {
        Some("a BigInt")
    } else if value.as_number().is_some_and(|number| !number.is_finite()) {
        Some("not a finite number")
    } else {
        None
    }
}

pub(crate) fn from_json<'js>(ctx: &Ctx<'js>, value: &serde_json::Value) -> Result<Value<'js>> {
    ctx.json_parse(value.to_string())
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
