//! What the person must see to decide: shown whole, beside the questions.

use crate::fields::{Fields, Shape};
use crate::json::{Json, Object};
use crate::limits::Limits;
use crate::word::words;
use serde_json::{Value, json};

/// One thing to look at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Context {
    form: Form,
    title: Option<String>,
    language: Option<String>,
    text: String,
}

words! {
    /// What the text is.
    pub enum Form {
        /// Prose with Markdown.
        Markdown = "markdown",
        /// A unified diff.
        Diff = "diff",
        /// Source code.
        Code = "code",
        /// A command line.
        Command = "command",
        /// JSON.
        Json = "json",
    }
}

impl Context {
    /// What the text is.
    pub fn form(&self) -> Form {
        self.form
    }

    /// What it is called.
    pub fn title(&self) -> Option<&str> {
        self.title.as_deref()
    }

    /// The language of code.
    pub fn language(&self) -> Option<&str> {
        self.language.as_deref()
    }

    /// The text, raw: it is the agent's, so [`crate::show`] it.
    pub fn text(&self) -> &str {
        &self.text
    }

    pub(crate) fn read(mut fields: Fields<'_, '_>) -> Option<Self> {
        let longest = fields.limits.context_length;
        let form = fields.word("type", &Form::WORDS);
        let form = fields.need("type", form, "one of markdown, diff, code, command, json");
        let title = fields.line("title");
        let language = fields.line("language");
        let text = fields.text("text", Shape::Block, 1..=longest);
        let text = fields.need("text", text, "the text to show").map(str::to_owned);
        fields.close();
        Some(Self { form: form?, title, language, text: text? })
    }

    pub(crate) fn to_json(&self) -> Json {
        Object::new()
            .put("type", self.form.name())
            .put_some("title", self.title.as_deref())
            .put_some("language", self.language.as_deref())
            .put("text", self.text.as_str())
            .into()
    }

    pub(crate) fn property(limits: &Limits) -> Value {
        let line = json!({"type": "string", "minLength": 1, "maxLength": limits.line_length});
        json!({
            "description": "What the person must see to decide; shown whole.",
            "type": "array", "maxItems": limits.context_items,
            "items": {
                "type": "object", "required": ["type", "text"], "additionalProperties": false,
                "properties": {
                    "type": {"enum": Form::NAMES},
                    "title": line, "language": line,
                    "text": {"type": "string", "minLength": 1, "maxLength": limits.context_length},
                },
            },
        })
    }
}
