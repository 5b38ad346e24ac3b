//! What the published schemas of MCP say of a form, to hold ours against.

use crate::dialect::elicitation::Dialog;
use jsonschema::Validator;
use serde_json::{Value, json};

/// The fields that a revision's published schema has for a form, and no others: clients refuse what they don't know.
pub(super) fn published(dialog: Dialog) -> Validator {
    let text = json!({"type": "string"});
    let count = json!({"type": "integer", "minimum": 0});
    let field = |name: Value, own: Value, required: Value| {
        let mut properties = json!({"type": name, "title": text, "description": text});
        properties.as_object_mut().unwrap().extend(own.as_object().unwrap().clone());
        json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
    };
    let default = |value: Value| if dialog == Dialog::Full { value } else { json!(false) };
    let titled = json!({
        "type": "array", "minItems": 1,
        "items": {
            "type": "object", "properties": {"const": text, "title": text}, "required": ["const", "title"],
            "additionalProperties": false,
        },
    });
    let texts = json!({"type": "array", "minItems": 1, "items": text});
    let string = json!({
        "minLength": count, "maxLength": count, "format": {"enum": ["email", "uri", "date", "date-time"]},
        "default": default(text.clone()),
    });
    let number = |name: &str| json!({"minimum": {"type": name}, "maximum": {"type": name}, "default": default(json!({"type": name}))});
    let mut fields = vec![field(json!({"const": "string"}), string, json!(["type"]))];
    if dialog != Dialog::Plain {
        fields.push(field(json!({"const": "number"}), number("number"), json!(["type"])));
        fields.push(field(json!({"const": "integer"}), number("integer"), json!(["type"])));
    }
    if dialog == Dialog::Full {
        let items = json!({"type": "object", "properties": {"anyOf": titled}, "required": ["anyOf"], "additionalProperties": false});
        let list = json!({"minItems": count, "maxItems": count, "items": items, "default": texts});
        fields.push(field(json!({"const": "array"}), list, json!(["type", "items"])));
        let one = json!({"oneOf": titled, "default": text});
        fields.push(field(json!({"const": "string"}), one, json!(["type", "oneOf"])));
    } else {
        let one = json!({"enum": texts, "enumNames": texts});
        fields.push(field(json!({"const": "string"}), one, json!(["type", "enum"])));
    }
    let schema = json!({
        "type": "object", "required": ["type", "properties"], "additionalProperties": false,
        "properties": {
            "type": {"const": "object"},
            "properties": {"type": "object", "minProperties": 1, "additionalProperties": {"anyOf": fields}},
            "required": {"type": "array", "minItems": 1, "items": text},
        },
    });
    let form = json!({
        "type": "object", "required": ["message", "requestedSchema"], "additionalProperties": false,
        "properties": {"message": text, "requestedSchema": schema},
    });
    jsonschema::draft202012::new(&form).unwrap()
}
