//! Values of a script as JSON and back. Reading one may run the script's own code (a getter, `toJSON`, a proxy), which is
//! counted and interrupted like the rest of it.

use rquickjs::{Ctx, Exception, Function, Result, Value};

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
