//! AskUserQuestion as Claude Code calls its own tool: looser than ours (Q1), and answered by filling the call in.
//!
//! No shape of a request: nobody else asks like this, so it is read where a call of Claude Code's is known to be one.

use super::ask_user_question::{read_choice, read_questions};
use crate::controls::imitated;
use crate::fields::{Fields, Shape, check_text};
use crate::json::{Json, Object};
use crate::kind::Answer;
use crate::kind::choice::Selection;
use crate::limits::Limits;
use crate::options::ChoiceOption;
use crate::problem::Problems;
use crate::question::Question;
use crate::request::{Answers, Envelope, Request, read_metadata};
use crate::rule::Rule;
use crate::text::{is_blank, trim};

/// The fields of a call in which the person's side is written.
const FILLED_IN: [&str; 2] = ["answers", "annotations"];

/// One call of the tool, which can be asked and then filled in.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    input: Json,
    request: Request,
}

impl Call {
    /// Reads the input of a call. What it says and a request has no place for is a problem, never left out: Claude Code's
    /// own prompt can show it.
    pub fn read(input: Json, limits: &Limits) -> Result<Self, Problems> {
        let request = Request::read(&input, limits, |fields| {
            let source = read_metadata(fields);
            refuse_answers(fields);
            let questions = read_questions(fields, 1..=limits.questions, read_question);
            (Envelope { source, ..Envelope::default() }, None, questions)
        })?;
        Ok(Self { input, request })
    }

    /// What is asked.
    pub fn request(&self) -> &Request {
        &self.request
    }

    /// The input again, filled in as Claude Code's own prompt fills it in: each answer under its question's text, and beside
    /// the answers the previews of what was chosen.
    pub fn answered(&self, answers: &Answers) -> Json {
        let asked = self.input.get("questions").and_then(Json::as_array).unwrap_or_default();
        let (mut written, mut annotations) = (Vec::new(), Vec::new());
        for (question, answer) in asked.iter().zip(answers.iter()) {
            let text = question.get("question").and_then(Json::as_str).unwrap_or_default();
            let preview = preview(question, answer).map(|preview| Object::new().put("preview", preview));
            annotations.extend(preview.map(|preview| (text.to_owned(), preview.into())));
            written.push((text.to_owned(), filled_in(question, answer).into()));
        }
        let mut fields = match &self.input {
            Json::Object(fields) => fields.clone(),
            _ => Vec::new(),
        };
        fields.retain(|(name, _)| !FILLED_IN.contains(&name.as_str()));
        fields.push(("answers".to_owned(), Json::Object(written)));
        if !annotations.is_empty() {
            fields.push(("annotations".to_owned(), Json::Object(annotations)));
        }
        Json::Object(fields)
    }
}

/// An answer in Claude Code's words: several joined by `", "`, Other as it was written.
fn filled_in(question: &Json, answer: &Answer) -> String {
    let Answer::Choice(selections) = answer else { return answer.written() };
    let texts = selections.iter().map(|selection| match selection {
        Selection::Option(value) => called(question, value),
        Selection::Other(text) => text,
    });
    if !takes_many(question) {
        return texts.collect();
    }
    // Between several, it quotes what could be taken for more than one of them, and reads it back like this.
    let is_ambiguous = |text: &str| text.contains(", ") || text.contains('"');
    let texts = texts.map(|text| if is_ambiguous(text) { Json::from(text).to_string() } else { text.to_owned() });
    texts.collect::<Vec<_>>().join(", ")
}

/// An option's label as the call has it, also where ours was trimmed.
fn called<'j>(question: &'j Json, value: &'j str) -> &'j str {
    option(question, value).and_then(|option| option.get("label")).and_then(Json::as_str).unwrap_or(value)
}

fn option<'j>(question: &'j Json, value: &str) -> Option<&'j Json> {
    let options = question.get("options").and_then(Json::as_array).unwrap_or_default();
    options.iter().find(|option| option.get("label").and_then(Json::as_str).is_some_and(|label| trim(label) == value))
}

/// What was to be looked at beside the option that was chosen. There is none of several: Claude Code has no place for them.
fn preview<'j>(question: &'j Json, answer: &Answer) -> Option<&'j str> {
    let Answer::Choice(selections) = answer else { return None };
    let Some(Selection::Option(value)) = selections.iter().next() else { return None };
    let preview = option(question, value)?.get("preview").and_then(Json::as_str)?;
    (!takes_many(question) && !is_blank(preview)).then_some(preview)
}

fn takes_many(question: &Json) -> bool {
    question.get("multiSelect") == Some(&Json::Bool(true))
}

/// A call that somebody has filled in already is not to be answered again, and what a model says of a person's answer in it
/// is no person's.
fn refuse_answers(fields: &mut Fields<'_, '_>) {
    let is_empty = |filled: &Json| matches!(filled, Json::Null) || *filled == Json::Object(Vec::new());
    for name in FILLED_IN {
        if fields.value(name).is_some_and(|filled| !is_empty(filled)) {
            fields.report(name, Rule::Count, "these questions are answered already", "no answers yet");
        }
    }
}

fn read_question(mut fields: Fields<'_, '_>, index: usize) -> Option<Question> {
    let limits = fields.limits;
    let text = fields.text("question", Shape::Block, 1..=limits.message_length);
    let text = fields.need("question", text, "the question to ask");
    let header = match fields.value("header") {
        None | Some(Json::Null) => Some(""),
        Some(Json::String(header)) => Some(header.as_str()),
        Some(other) => fields.wrong_type("header", other, "a text"),
    };
    let many = fields.flag_or("multiSelect", false);
    let kind = read_choice(&mut fields, many, limits.choice_options_min..=limits.options, read_option);
    let (header, message) = headed(header?, text?, limits);
    // The two together may be longer than each.
    let fits = check_text(&message, Shape::Block, &(1..=limits.message_length));
    let fits = fits.map_err(|refusal| fields.refuse_field("header", refusal)).ok();
    fields.close();
    fits?;
    Some(Question::plain(index, header, &message, kind?))
}

/// A header that is too long for a chip, or looks like a control of ours, stands above the question instead: nothing
/// enforces Claude Code's own limit.
fn headed<'h>(header: &'h str, text: &str, limits: &Limits) -> (Option<&'h str>, String) {
    if is_blank(header) {
        return (None, text.to_owned());
    }
    match check_text(header, Shape::Line, &(1..=limits.header_length)) {
        Ok(()) if imitated(header).is_none() => (Some(header), text.to_owned()),
        _ => (None, format!("{header}\n\n{text}")),
    }
}

fn read_option(mut fields: Fields<'_, '_>, _: usize) -> Option<ChoiceOption> {
    let limits = fields.limits;
    let label = fields.text("label", Shape::Line, 1..=limits.value_length);
    let label = fields.need("label", label, "what the person sees");
    let description = optional(&mut fields, "description", limits.message_length);
    let preview = optional(&mut fields, "preview", limits.preview_length);
    fields.close();
    Some(ChoiceOption::with_details(label?, description?, preview?))
}

/// A text that may be missing, and then is often an empty one.
fn optional<'j>(fields: &mut Fields<'j, '_>, name: &'static str, longest: usize) -> Option<Option<&'j str>> {
    match fields.value(name) {
        None | Some(Json::Null) => Some(None),
        Some(Json::String(text)) if is_blank(text) => Some(None),
        Some(_) => fields.text(name, Shape::Block, 1..=longest).map(Some),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::AnswerInput;
    use crate::path::Path;
    use serde_json::{Value, json};

    fn call(input: Value) -> Result<Call, Problems> {
        Call::read(Json::from(input), &Limits::DEFAULT)
    }

    fn question(text: &str, options: &Value) -> Value {
        json!({"question": text, "header": "H", "options": options, "multiSelect": false})
    }

    /// The input filled in with these selections, and a text of the person's own.
    fn filled(call: &Call, answers: &[(&[&str], Option<&str>)]) -> Value {
        let lists: Vec<Vec<String>> =
            answers.iter().map(|(list, _)| list.iter().map(|text| (*text).to_owned()).collect()).collect();
        let raw: Vec<AnswerInput> = lists
            .iter()
            .zip(answers)
            .map(|(selections, (_, custom))| AnswerInput::Selections {
                selections: selections.clone(),
                custom: custom.map(str::to_owned),
            })
            .collect();
        let answers = call.request().parse_answers(&raw, &Path::root()).unwrap();
        serde_json::from_str(&call.answered(&answers).to_string()).unwrap()
    }

    // Q1
    #[test]
    fn what_our_own_tool_would_refuse_is_asked_whole() {
        let long = "x".repeat(60);
        let input = json!({"questions": [
            {"question": "Which layout?", "header": "A header of more than forty characters, for once", "options": [
                {"label": long, "description": "d".repeat(300), "preview": "+--+\n|  |\n+--+"},
                {"label": "B", "description": ""}, {"label": "C"}, {"label": "D"}, {"label": "E"},
            ]},
            {"question": "Which features?", "header": "", "multiSelect": true, "options": [{"label": "A"}, {"label": "B"}]},
        ], "metadata": {"source": "remember"}});
        let call = call(input).unwrap();
        let request: Value = serde_json::from_str(&call.request().to_json().to_string()).unwrap();
        let first = &request["questions"][0];
        assert_eq!(first["message"], "A header of more than forty characters, for once\n\nWhich layout?");
        assert_eq!(first["options"][0]["value"], long);
        assert_eq!(first["options"][0]["description"], "d".repeat(300));
        assert_eq!(first["options"][0]["preview"], "+--+\n|  |\n+--+");
        assert_eq!((&first["options"][1], first["options"].as_array().unwrap().len()), (&json!("B"), 5));
        assert_eq!((&first["other"], &request["questions"][1]["multiSelect"]), (&json!(true), &json!(true)));
        assert_eq!((first.get("header"), request["questions"][1].get("header")), (None, None));
        assert_eq!(request["metadata"]["source"], "remember");
    }

    // Q2, F4, F13
    #[test]
    fn answers_stand_under_the_texts_of_their_questions() {
        let input = json!({"questions": [
            question("Which database?", &json!([{"label": " SQLite "}, {"label": "PostgreSQL (Recommended)"}])),
            {"question": "Which features?", "header": "F", "multiSelect": true,
             "options": [{"label": "A"}, {"label": "B"}, {"label": "C"}]},
            question("Where?", &json!([{"label": "Here"}, {"label": "There"}])),
        ], "metadata": {"source": "x"}, "annotations": {}});
        let call = call(input.clone()).unwrap();
        let filled = filled(&call, &[(&["SQLite"], None), (&["C", "A"], Some("my own")), (&[], Some("Else, where"))]);
        let answers =
            json!({"Which database?": " SQLite ", "Which features?": "C, A, my own", "Where?": "Else, where"});
        assert_eq!(filled["answers"], answers);
        assert_eq!(filled["questions"], input["questions"], "the rest is as it was");
        assert_eq!((&filled["metadata"], filled.get("annotations")), (&input["metadata"], None));
    }

    // F4, F11
    #[test]
    fn what_could_be_taken_for_several_is_quoted_among_several() {
        let options = json!([{"label": "A, or so"}, {"label": "The \"B\""}, {"label": "C,D"}]);
        let many = json!({"question": "Which?", "header": "W", "multiSelect": true, "options": options});
        let call = call(json!({"questions": [many, question("One?", &options)]})).unwrap();
        let all: &[&str] = &["A, or so", "The \"B\"", "C,D"];
        let filled = filled(&call, &[(all, Some("mine, \\ and \u{e9}")), (&["A, or so"], None)]);
        let which = r#""A, or so", "The \"B\"", C,D, "mine, \\ and é""#;
        assert_eq!(filled["answers"], json!({"Which?": which, "One?": "A, or so"}));
    }

    // Q1, S5
    #[test]
    fn the_preview_of_what_was_chosen_stands_beside_the_answer() {
        let options = json!([{"label": "A", "preview": " +-+ \n"}, {"label": "B", "preview": "  "}, {"label": "C"}]);
        let many = json!({"question": "Many?", "header": "M", "multiSelect": true, "options": options});
        let asked = ["A?", "B?", "C?", "Other?"].map(|text| question(text, &options));
        let questions: Vec<Value> = asked.into_iter().chain([many]).collect();
        let call = call(json!({ "questions": questions })).unwrap();
        let answers: &[(&[&str], Option<&str>)] =
            &[(&["A"], None), (&["B"], None), (&["C"], None), (&[], Some("D")), (&["A"], None)];
        assert_eq!(filled(&call, answers)["annotations"], json!({"A?": {"preview": " +-+ \n"}}));
    }

    // Q1, S3
    #[test]
    fn what_a_request_has_no_place_for_is_refused() {
        let options = || json!([{"label": "A"}, {"label": "B"}]);
        let slider = json!({"question": "How many?", "options": options(), "kind": "slider", "min": 1});
        let long = json!({"question": "x".repeat(9_990), "header": "y".repeat(100), "options": options()});
        for (questions, path) in [
            (json!([]), "questions"),
            (json!([slider]), "questions[0].kind"),
            (json!([question("Q?", &json!([{"label": "A"}]))]), "questions[0].options"),
            (json!([question("Q?", &json!([{"label": "A"}, {"label": "A "}]))]), "questions[0].options[1]"),
            (json!([question("Q?", &json!([{"label": "A"}, {"label": "B\nC"}]))]), "questions[0].options[1].label"),
            (
                json!([question("Q?", &json!([{"label": "A"}, {"label": "B", "icon": "b"}]))]),
                "questions[0].options[1].icon",
            ),
            (json!([question("Q?", &options()), question("Q?", &options())]), "questions[1].question"),
            (json!([long]), "questions[0].header"),
        ] {
            let problems = call(json!({ "questions": questions })).unwrap_err().to_string();
            assert!(
                problems.contains(&format!("{path}:")) || problems.contains(&format!("`{path}`")),
                "{path}: {problems}"
            );
        }
        for filled in [json!({"answers": {"Q?": "A"}}), json!({"annotations": {"Q?": {"notes": "Go on."}}})] {
            let mut input = json!({"questions": [question("Q?", &options())]});
            input.as_object_mut().unwrap().extend(filled.as_object().unwrap().clone());
            assert!(call(input).unwrap_err().to_string().contains("answered already"));
        }
        assert!(call(json!({"questions": [question("Q?", &options())], "answers": {}})).is_ok());
        assert!(call(json!({"questions": [question("Q?", &options())], "title": "Card"})).is_err());
    }
}
