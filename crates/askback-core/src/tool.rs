//! The AskUserQuestion tool (Q): what the model is told of it, the schema it sees, and what it gets back.

use crate::format;
use crate::json::{Json, Object};
use crate::kind::Answer;
use crate::kind::choice::Selection;
use crate::limits::{Limits, tool as limit};
use crate::outcome::{Outcome, Resolution};
use crate::question::Question;
use crate::request::Request;
use serde_json::{Value, json};
use std::ops::RangeInclusive;

/// The tool's name.
pub const NAME: &str = "AskUserQuestion";

/// What the model is told about the tool (Q9).
pub const DESCRIPTION: &str = "\
Ask the person you work for, and wait for the answer, instead of guessing.

Ask when you want to
- gather preferences or requirements,
- clarify an instruction that can be read in more than one way,
- get a decision on how to implement something,
- offer directions to choose from.

How to ask
- Set multiSelect to true when the options do not exclude each other, otherwise to false.
- Put the option you recommend first and end its label with \"(Recommended)\".
- Keep the header short: it is shown as a chip of at most 12 characters.
- Do not add an \"Other\" option: one is always there, with room for the person's own words.
- While planning, ask to clarify requirements or to choose between approaches before the plan is final; \
do not ask whether the plan is ready or may be carried out.";

/// What the tool gives back: a text for the model, and the same for programs.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolResult {
    /// `AskUserQuestion`
    pub title: &'static str,
    /// `2 question(s)`
    pub subtitle: String,
    /// What the model reads (Q6).
    pub text: String,
    /// `[{question, header, selectedOptions, customInput?}]`: what was answered, or the declared default; else empty.
    pub answers: Json,
}

impl ToolResult {
    /// The result of a call that asked this request.
    pub fn new(request: &Request, outcome: &Outcome) -> Self {
        Self {
            title: NAME,
            subtitle: format!("{} question(s)", request.questions().len()),
            text: format::model_text(request, outcome),
            answers: structured_answers(request, outcome),
        }
    }
}

fn structured_answers(request: &Request, outcome: &Outcome) -> Json {
    let (Resolution::Answered { answers, .. } | Resolution::Expired { default: Some(answers), .. }) =
        outcome.resolution()
    else {
        return Json::Array(Vec::new());
    };
    let pairs = request.questions().iter().zip(answers.iter());
    pairs.map(|(question, answer)| structured_answer(question, answer)).collect::<Vec<_>>().into()
}

/// Options by their labels' values; what the person wrote, as Other or because there are no options, as custom input.
fn structured_answer(question: &Question, answer: &Answer) -> Object {
    let (selected, custom): (Vec<&str>, Option<String>) = match answer {
        Answer::Choice(selections) => {
            let options = selections.iter().filter(|selection| matches!(selection, Selection::Option(_)));
            (options.map(Selection::text).collect(), answer.custom().map(str::to_owned))
        }
        Answer::Dropdown(_) => (answer.selections(), None),
        Answer::Approval(_)
        | Answer::Text(_)
        | Answer::Multiline(_)
        | Answer::Confirm(_)
        | Answer::Number(_)
        | Answer::Email(_)
        | Answer::Date(_)
        | Answer::Rating(_) => (Vec::new(), Some(answer.written())),
    };
    Object::new()
        .put("question", question.message())
        .put_some("header", question.header())
        .put("selectedOptions", selected)
        .put_some("customInput", custom)
}

/// The tool's input as the model sees it: JSON Schema 2020-12, from the same limits the parser uses (Q1).
pub fn schema(limits: &Limits) -> Value {
    let text = |length: RangeInclusive<usize>, description: &str| json!({"type": "string", "minLength": length.start(), "maxLength": length.end(), "description": description});
    let option = json!({
        "type": "object", "required": ["label", "description"], "additionalProperties": false,
        "properties": {
            "label": text(limit::LABEL, "What the person sees, in 1-5 words."),
            "description": text(limit::DESCRIPTION, "What choosing it means, or what follows from it."),
        },
    });
    let question = json!({
        "type": "object", "required": ["question", "header", "options", "multiSelect"], "additionalProperties": false,
        "properties": {
            "question": text(1..=limits.message_length, "The whole question, clear and specific, with a question mark."),
            "header": text(limit::HEADER, "A very short label, such as \"Auth method\" or \"Library\"."),
            "options": {
                "type": "array", "minItems": limit::OPTIONS.start(), "maxItems": limit::OPTIONS.end(), "items": option,
                "description": "The options. \"Other\" is added to them, so do not list it.",
            },
            "multiSelect": {"type": "boolean", "description": "Whether several options may be chosen."},
        },
    });
    json!({
        "type": "object", "required": ["questions"], "additionalProperties": false,
        "properties": {
            "questions": {
                "type": "array", "minItems": limit::QUESTIONS.start(), "maxItems": limit::QUESTIONS.end(), "items": question,
                "description": "The questions, each asked once.",
            },
            "answers": {
                "type": "object", "additionalProperties": {"type": "string"},
                "description": "Answers that the client has collected.",
            },
            "metadata": crate::schema::metadata(limits),
        },
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // Q9
    #[test]
    fn the_description_says_when_and_how_to_ask() {
        for said in [
            "gather preferences",
            "clarify an instruction that can be read in more than one way",
            "get a decision on how to implement",
            "offer directions",
            "multiSelect to true when the options do not exclude each other",
            "Put the option you recommend first and end its label with \"(Recommended)\"",
            "Keep the header short",
            "Do not add an \"Other\" option",
            "While planning, ask to clarify requirements or to choose between approaches before the plan is final",
            "do not ask whether the plan is ready",
        ] {
            assert!(DESCRIPTION.contains(said), "{said}");
        }
    }

    // Q1
    #[test]
    fn the_model_sees_the_limits() {
        let schema = schema(&Limits::DEFAULT);
        let question = &schema["properties"]["questions"]["items"]["properties"];
        let option = &question["options"]["items"]["properties"];
        let bounds = |schema: &Value, low: &str, high: &str| (schema[low].clone(), schema[high].clone());
        assert_eq!(bounds(&schema["properties"]["questions"], "minItems", "maxItems"), (json!(1), json!(4)));
        assert_eq!(bounds(&question["options"], "minItems", "maxItems"), (json!(2), json!(4)));
        assert_eq!(bounds(&question["header"], "minLength", "maxLength"), (json!(1), json!(12)));
        assert_eq!(bounds(&option["label"], "minLength", "maxLength"), (json!(1), json!(50)));
        assert_eq!(bounds(&option["description"], "minLength", "maxLength"), (json!(1), json!(200)));
        assert!(option["label"]["description"].as_str().is_some_and(|text| text.contains("1-5 words")));
    }
}
