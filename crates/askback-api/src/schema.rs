//! Schemas of what crosses the wire: those of the types here, and beside them those of requests and outcomes, which are the core's.

use crate::problem::{ProblemCode, rule_names};
use askback_core::limits::{NAME_LENGTH, REASON_LENGTH};
use askback_core::{Limits, Purpose, Role, Status};
use schemars::generate::SchemaSettings;
use schemars::transform::{RecursiveTransform, Transform};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde_json::{Map, Value, json};

/// The place of a schema that others refer to.
pub const COMPONENTS: &str = "#/components/schemas/";

/// A reference to a component.
pub fn reference(name: &str) -> Value {
    json!({"$ref": format!("{COMPONENTS}{name}")})
}

/// The schemas of all responses, by their names.
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

/// The schemas of everything that a client in TypeScript reads and writes, in one file: the responses, and the verdict on a proposal.
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

/// Leaves out what says nothing to a reader: the width of an integer in Rust, and empty descriptions.
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

/// A request, by the schema of the core.
pub fn request(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"$ref": format!("{COMPONENTS}Request")})
}

/// An outcome, by the schema of the core.
pub fn outcome(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"$ref": format!("{COMPONENTS}Outcome")})
}

/// An outcome, or null.
pub fn outcome_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"anyOf": [{"$ref": format!("{COMPONENTS}Outcome")}, {"type": "null"}]})
}

/// The id of a request.
pub fn id(_: &mut SchemaGenerator) -> Schema {
    let mut outcome = askback_core::schema::outcome(&Limits::DEFAULT);
    Schema::try_from(outcome["properties"]["id"].take()).unwrap_or_default()
}

/// A name, of which a schema can't say that it must show something.
pub fn name(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string", "minLength": 1, "maxLength": NAME_LENGTH})
}

/// A name, or null.
pub fn name_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"], "minLength": 1, "maxLength": NAME_LENGTH})
}

/// The name of a room: those that begin with `@` are askback's own.
pub fn room_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"], "minLength": 1, "maxLength": NAME_LENGTH, "pattern": "^[^@]"})
}

/// A reason, or null.
pub fn reason_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"], "maxLength": REASON_LENGTH})
}

/// A path on the page: printable, with single slashes, the first letter one of them, and no backslash.
pub fn page_path_or_null(_: &mut SchemaGenerator) -> Schema {
    let length = crate::limits::PAGE_PATH_LENGTH;
    json_schema!({"type": ["string", "null"], "minLength": 1, "maxLength": length, "pattern": r"^(/[!-.0-\[\]-~]+)*/?$"})
}

/// A text, or null.
pub fn text_or_null(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": ["string", "null"]})
}

/// A plain text: what may stand in it is the core's to say.
pub fn text(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "string"})
}

/// A whole number.
pub fn integer(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"type": "integer"})
}

/// How far a request has come.
pub fn status(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": Status::ALL.map(Status::name)})
}

/// A token's role.
pub fn role(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": Role::ALL.map(Role::name)})
}

/// A token's purpose.
pub fn purpose(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": Purpose::ALL.map(Purpose::name)})
}

/// The types of problems.
pub fn problem_types(_: &mut SchemaGenerator) -> Schema {
    let types: Vec<String> = ProblemCode::ALL.iter().map(|code| code.type_uri()).collect();
    json_schema!({"enum": types})
}

/// The rules that a value can break.
pub fn rules(_: &mut SchemaGenerator) -> Schema {
    json_schema!({"enum": rule_names()})
}
