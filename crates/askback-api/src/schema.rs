//! The schemas of the wire types. Requests and outcomes are references to the schemas of the core.

use crate::problem::ProblemCode;
use askback_core::limits::{NAME_LENGTH, REASON_LENGTH};
use askback_core::{Limits, Purpose, Role, Rule, Status};
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

/// A reference to a component.
pub fn reference(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// The schemas of all responses, by name.
pub fn responses() -> Map<String, Value> {
    let mut generator = settings(SchemaSettings::draft2020_12().for_serialize()).into_generator();
    let generator = &mut generator;
    let _ = [
        generator.subschema_for::<crate::Changed>(),
        generator.subschema_for::<crate::Dismissed>(),
        generator.subschema_for::<crate::Health>(),
        generator.subschema_for::<crate::IssuedToken>(),
        generator.subschema_for::<crate::Login>(),
        generator.subschema_for::<crate::LoginLink>(),
        generator.subschema_for::<crate::Me>(),
        generator.subschema_for::<crate::Page<crate::AuditEvent>>(),
        generator.subschema_for::<crate::Page<crate::Record>>(),
        generator.subschema_for::<crate::ProblemDetails>(),
        generator.subschema_for::<crate::Script>(),
        generator.subschema_for::<crate::Session>(),
        generator.subschema_for::<crate::TokenList>(),
        generator.subschema_for::<crate::UnattendedList>(),
    ];
    definitions(generator)
}

/// The schemas of the TypeScript client, in one file: the responses, and the verdict on a proposal.
pub fn file() -> Value {
    let mut generator = settings(SchemaSettings::draft2020_12().for_serialize()).into_generator();
    generator.subschema_for::<crate::Verdict>();
    let mut schemas = responses();
    schemas.extend(definitions(&mut generator));
    json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "askback API", "components": {"schemas": schemas}})
}

fn definitions(generator: &mut SchemaGenerator) -> Map<String, Value> {
    let mut definitions = generator.take_definitions(true);
    definitions.values_mut().for_each(tidy);
    definitions
}

/// The schema of a body.
pub fn body<T: JsonSchema>() -> Value {
    let mut generator = settings(SchemaSettings::draft2020_12().for_deserialize()).into_generator();
    let mut schema = T::json_schema(&mut generator).to_value();
    tidy(&mut schema);
    schema
}

fn settings(mut settings: SchemaSettings) -> SchemaSettings {
    settings.meta_schema = None;
    settings.definitions_path = "/components/schemas".into();
    settings
}

/// Removes details of the Rust types: number formats, titles and defaults.
fn tidy(schema: &mut Value) {
    let Ok(schema) = <&mut Schema>::try_from(schema) else { return };
    let mut transform = RecursiveTransform(|schema: &mut Schema| {
        let is_width =
            |format: &Value| format.as_str().is_some_and(|format| format.contains("int") || format == "double");
        if schema.get("format").is_some_and(is_width) {
            schema.remove("format");
        }
        schema.remove("title");
        schema.remove("default");
    });
    transform.transform(schema);
}

pub(crate) fn request(_: &mut SchemaGenerator) -> Schema {
    Schema::try_from(reference("Request")).unwrap_or_default()
}

pub(crate) fn outcome(_: &mut SchemaGenerator) -> Schema {
    Schema::try_from(reference("Outcome")).unwrap_or_default()
}

pub(crate) fn outcome_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [reference("Outcome"), {"type": "null"}]})
}

pub(crate) fn id(_: &mut SchemaGenerator) -> Schema {
    let mut outcome = askback_core::schema::outcome(&Limits::DEFAULT);
    Schema::try_from(outcome["properties"]["id"].take()).unwrap_or_default()
}

/// A name. That it must have a visible character is beyond a schema.
pub(crate) fn name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "minLength": 1, "maxLength": NAME_LENGTH})
}

pub(crate) fn name_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"], "minLength": 1, "maxLength": NAME_LENGTH})
}

/// The name of a room. Names that begin with `@` are reserved.
pub(crate) fn room_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"], "minLength": 1, "maxLength": NAME_LENGTH, "pattern": "^[^@]"})
}

pub(crate) fn reason_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"], "maxLength": REASON_LENGTH})
}

/// A path on the page: printable, beginning with a slash, without double slashes and backslashes.
pub(crate) fn page_path_or_null(_: &mut SchemaGenerator) -> Schema {
    let length = crate::limits::PAGE_PATH_LENGTH;
    json_schema!({"type": ["string", "null"], "minLength": 1, "maxLength": length, "pattern": r"^(/[!-.0-\[\]-~]+)*/?$"})
}

pub(crate) fn text_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"]})
}

/// A text whose further rules are those of the core.
pub(crate) fn text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string"})
}

pub(crate) fn integer(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "integer"})
}

pub(crate) fn status(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": Status::ALL.map(Status::name)})
}

pub(crate) fn role(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": Role::ALL.map(Role::name)})
}

pub(crate) fn purpose(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": Purpose::ALL.map(Purpose::name)})
}

pub(crate) fn problem_types(_: &mut SchemaGenerator) -> Schema {
    let types: Vec<String> = ProblemCode::ALL.iter().map(|code| code.type_uri()).collect();
    json_schema!({"enum": types})
}

pub(crate) fn rules(_: &mut SchemaGenerator) -> Schema {
    let names: Vec<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    json_schema!({"enum": names})
}
