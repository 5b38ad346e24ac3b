//! Whether a tool may be used, as an approval: with everything that it would be used with, shown whole (S5).

use crate::hook::limits::{DIFF_TIME, GIST_LENGTH};
use askback_core::{Json, Limits, Object, Problems, Request, text};
use similar::TextDiff;
use std::path::Path;

/// The tool that ends planning: what is approved is the plan.
pub(super) const PLAN: &str = "ExitPlanMode";

/// The fields that say in short what a tool is used for.
const GISTS: [&str; 4] = ["command", "file_path", "notebook_path", "url"];

/// Lines around a change: an approval shows all of them.
const ALL_LINES: usize = 1 << 30;

/// The approval of one use of a tool.
pub(super) fn request(tool: &str, input: &Json, folder: Option<&str>) -> Result<Request, Problems> {
    let mut shown = Shown::of(input);
    shown.add(tool);
    let mut context = shown.pieces;
    // What has no form of its own, and whatever else there is, as it stands.
    if context.is_empty() || !shown.rest.is_empty() {
        let title = if context.is_empty() { "input" } else { "also" };
        let rest = if shown.is_object { Json::Object(shown.rest) } else { input.clone() };
        context.push(piece("json", title, &rest.to_pretty()));
    }
    context.extend(folder.filter(|folder| !text::is_blank(folder)).map(|folder| piece("code", "folder", folder)));
    let request = Object::new().put("type", "approval").put("message", message(tool, input)).put("context", context);
    Request::from_json(&request.into(), &Limits::DEFAULT)
}

/// What is to be approved in a line, so that one of several can be told apart in a list. All of it is in the context.
fn message(tool: &str, input: &Json) -> String {
    if tool == PLAN {
        return "Claude Code wants to go ahead with its plan".to_owned();
    }
    let gist = GISTS.iter().find_map(|name| input.get(name).and_then(Json::as_str)).unwrap_or_default();
    let first = gist.trim().lines().next().unwrap_or_default();
    let short: String = first.chars().take(GIST_LENGTH).collect();
    let more = if short.len() < gist.trim().len() { " …" } else { "" };
    let colon = if short.is_empty() { "" } else { ": " };
    format!("Claude Code wants to use {tool}{colon}{short}{more}")
}

/// Whether there is anything of a plan to be seen: Claude Code sends along what it has in its file, if it has one.
pub(super) fn has_plan(input: &Json) -> bool {
    input.get("plan").and_then(Json::as_str).is_some_and(|plan| !text::is_blank(plan))
}

/// What changes, with every line around it.
fn difference(path: &str, old: &str, new: &str) -> String {
    let difference = TextDiff::configure().timeout(DIFF_TIME).diff_lines(old, new);
    difference.unified_diff().context_radius(ALL_LINES).header(path, path).to_string()
}

fn piece(form: &str, title: &str, text: &str) -> Object {
    Object::new().put("type", form).put("title", title).put("text", text)
}

/// A tool's input, taken apart: what is shown in a form of its own, and the rest of its fields.
struct Shown {
    pieces: Vec<Object>,
    rest: Vec<(String, Json)>,
    is_object: bool,
}

impl Shown {
    fn of(input: &Json) -> Self {
        match input {
            Json::Object(fields) => Self { pieces: Vec::new(), rest: fields.clone(), is_object: true },
            _ => Self { pieces: Vec::new(), rest: Vec::new(), is_object: false },
        }
    }

    /// Gives what is known of a tool the form that people read best.
    fn add(&mut self, tool: &str) {
        match tool {
            "Bash" => {
                if let Some([command]) = self.take(["command"]) {
                    self.pieces.push(piece("command", "command", &command));
                }
            }
            "Write" => {
                if let Some([path, content]) = self.take(["file_path", "content"]) {
                    let extension =
                        Path::new(&path).extension().map(|extension| extension.to_string_lossy().into_owned());
                    self.pieces.push(piece("code", &path, &content).put_some("language", extension));
                }
            }
            "Edit" => {
                if self.is_change()
                    && let Some([path, old, new]) = self.take(["file_path", "old_string", "new_string"])
                {
                    self.pieces.push(piece("diff", &path, &difference(&path, &old, &new)));
                }
            }
            PLAN => {
                if let Some([plan]) = self.take(["plan"]) {
                    self.pieces.push(piece("markdown", "plan", &plan));
                }
            }
            _ => {}
        }
    }

    /// Whether a difference shows it: not where both are the same, and not where a line ends as no line of a difference does.
    fn is_change(&self) -> bool {
        let text = |name: &str| self.rest.iter().find(|(field, _)| field == name).and_then(|(_, text)| text.as_str());
        let is_plain = |text: &str| !text.replace("\r\n", "\n").contains('\r');
        match (text("old_string"), text("new_string")) {
            (Some(old), Some(new)) => old != new && is_plain(old) && is_plain(new),
            _ => false,
        }
    }

    /// The texts of these fields, if all of them are there; they are then none of the rest any more. A title is one line of an
    /// ordinary length, and an empty text shows nothing: such an input is shown as it stands.
    fn take<const N: usize>(&mut self, names: [&str; N]) -> Option<[String; N]> {
        let find = |name: &str| {
            let mut found = self.rest.iter().filter(|(field, _)| field == name);
            match (found.next(), found.next()) {
                (Some((_, Json::String(text))), None) => Some(text.clone()),
                _ => None,
            }
        };
        let texts = names.map(find);
        let is_title = |text: &str| !text::has_control(text) && text::length(text) <= Limits::DEFAULT.line_length;
        let fits = |(name, text): (&&str, &Option<String>)| match (text, *name) {
            (None, _) => false,
            (Some(text), "file_path") => is_title(text) && !text::is_blank(text),
            (Some(_), "old_string" | "new_string") => true,
            (Some(text), _) => !text::is_blank(text),
        };
        if !names.iter().zip(&texts).all(fits) {
            return None;
        }
        self.rest.retain(|(name, _)| !names.contains(&name.as_str()));
        Some(texts.map(Option::unwrap_or_default))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One side of a difference, read back from its lines.
    fn side(difference: &str, sign: char) -> String {
        let (mut text, mut is_its_own) = (String::new(), false);
        for line in difference.split_inclusive('\n').skip(3) {
            if !line.starts_with('\\') {
                is_its_own = line.starts_with([' ', sign]);
                text.push_str(if is_its_own { &line[1..] } else { "" });
            } else if is_its_own {
                text.pop();
            }
        }
        text
    }

    proptest! {
        // S5
        #[test]
        fn a_difference_shows_all_of_both(
            old in proptest::collection::vec("[ab\\\\+ -]{0,2}(\n|\r\n)?", 0..6),
            new in proptest::collection::vec("[ab\\\\+ -]{0,2}(\n|\r\n)?", 0..6),
        ) {
            let (old, new) = (old.concat(), new.concat());
            prop_assume!(old != new);
            let shown = difference("/a", &old, &new);
            prop_assert_eq!((side(&shown, '-'), side(&shown, '+')), (old, new), "{}", shown);
        }
    }

    // S5
    #[test]
    fn one_of_several_can_be_told_apart() {
        let of = |tool: &str, input: &str| message(tool, &Json::parse(input.as_bytes(), &Limits::DEFAULT).unwrap());
        assert_eq!(of("Bash", r#"{"command":" npm test "}"#), "Claude Code wants to use Bash: npm test");
        assert_eq!(of("Bash", r#"{"command":"cat <<E\nx\nE"}"#), "Claude Code wants to use Bash: cat <<E …");
        let long = format!(r#"{{"file_path":"{}"}}"#, "é".repeat(61));
        assert_eq!(of("Edit", &long), format!("Claude Code wants to use Edit: {} …", "é".repeat(60)));
        assert_eq!(of("Task", r#"{"prompt":"x"}"#), "Claude Code wants to use Task");
        assert_eq!(of("Bash", r#"{"command":7}"#), "Claude Code wants to use Bash");
        assert_eq!(of("ExitPlanMode", "{}"), "Claude Code wants to go ahead with its plan");
    }
}
