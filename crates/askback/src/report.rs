//! Problems as a good compiler shows them: what is wrong, where, and what would pass.

use crate::locate::{Places, syntax_error};
use askback_core::show::{Layout, Purpose, quote, show};
use askback_core::{Problem, Problems, Question, Rule, Step};
use askback_term::{Caps, Colours, Manner};
use std::io::{self, IsTerminal, Write};
use std::ops::Range;
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The most columns of a source line that a report shows: with its margin it fits the usual terminal.
const SNIPPET_WIDTH: usize = 74;
/// How many of them stand before the place it is about, if the line is longer.
const SNIPPET_LEAD: usize = 30;

/// The styles of a report, as terminals know them.
const RED: &str = "1;31";
const BLUE: &str = "1;34";
const BOLD: &str = "1";

/// Where a report goes, and whether it may use colours.
pub(crate) struct Report<W> {
    out: W,
    has_colours: bool,
}

impl Report<io::StderrLock<'static>> {
    /// On standard error, in colour if that is a terminal that has some and is not in plain mode.
    pub(crate) fn to_stderr() -> Self {
        Self::for_terminal(Caps::from_environment())
    }

    /// The same for a terminal that is known.
    pub(crate) fn for_terminal(caps: Caps) -> Self {
        let has_colours = io::stderr().is_terminal() && caps.colours != Colours::None && caps.manner == Manner::Painted;
        Self { out: io::stderr().lock(), has_colours }
    }
}

impl<W: Write> Report<W> {
    /// Problems of a text in JSON, each with its line, and the kind of text (`what`) that it is not.
    pub(crate) fn source(&mut self, name: &str, source: &[u8], problems: &Problems, what: &str) -> io::Result<()> {
        let source = std::str::from_utf8(source).ok();
        let places = source.map(|source| Places::find(source, problems.iter().map(|problem| &problem.path)));
        let locate = |problem| Some((source?, place(source?, places.as_ref()?, problem)?));
        let mut located: Vec<_> = problems.iter().map(|problem| (problem, locate(problem))).collect();
        // In the order of the text, as a reader goes through it.
        located.sort_by_key(|(_, place)| place.as_ref().map(|(_, place)| place.start));
        for (problem, place) in located {
            self.headline(problem)?;
            match place {
                Some((source, place)) => self.snippet(name, source, place, problem)?,
                None => writeln!(self.out, "  {} {name}{}", self.styled(BLUE, "-->"), beside(problem))?,
            }
            self.help(problem)?;
        }
        let count = problems.len() + problems.more();
        let problems_text = if count == 1 { "1 problem".to_owned() } else { format!("{count} problems") };
        if problems.more() > 0 {
            writeln!(self.out, "{} more are not shown", problems.more())?;
        }
        writeln!(self.out, "{name} is not {what}: {problems_text}")
    }

    /// Answers that do not pass, each with the question it is to.
    pub(crate) fn answers(&mut self, questions: &[Question], problems: &Problems) -> io::Result<()> {
        for problem in problems {
            self.headline(problem)?;
            let index = problem.path.steps().iter().find_map(|step| match step {
                Step::Index(index) => Some(*index),
                Step::Field(_) => None,
            });
            if let Some((index, question)) = index.and_then(|index| Some((index, questions.get(index)?))) {
                let message = quote(question.message());
                writeln!(self.out, "  {} response {}, to {message}", self.styled(BLUE, "-->"), index + 1)?;
            }
            self.help(problem)?;
        }
        Ok(())
    }

    /// Problems of a request that was made of the command line, each with the argument it is about; `option` names an
    /// option by its position.
    pub(crate) fn usage(&mut self, problems: &Problems, option: impl Fn(usize) -> String) -> io::Result<()> {
        for problem in problems {
            self.headline(problem)?;
            writeln!(self.out, "  {} {}", self.styled(BLUE, "-->"), argument(problem, &option))?;
            self.help(problem)?;
        }
        if problems.more() > 0 {
            writeln!(self.out, "{} more are not shown", problems.more())?;
        }
        Ok(())
    }

    /// A remark about something that passes.
    pub(crate) fn note(&mut self, text: &str) -> io::Result<()> {
        let label = self.styled(BLUE, "note");
        writeln!(self.out, "{label}: {text}")
    }

    fn headline(&mut self, problem: &Problem) -> io::Result<()> {
        let label = self.styled(RED, &format!("error[{}]", problem.rule));
        writeln!(self.out, "{label}: {}", self.styled(BOLD, &problem.message))
    }

    fn snippet(&mut self, name: &str, source: &str, place: Range<usize>, problem: &Problem) -> io::Result<()> {
        let before = &source[..place.start];
        let number = before.matches('\n').count() + 1;
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = source[line_start..place.start].chars().count() + 1;
        let line = source[line_start..].lines().next().unwrap_or_default();
        let snippet = Snippet::new(line, place.start - line_start..place.end - line_start);
        let margin = number.to_string().len();
        let bar = self.styled(BLUE, "|");
        writeln!(self.out, "{:margin$} {} {name}:{number}:{column}{}", "", self.styled(BLUE, "-->"), beside(problem))?;
        writeln!(self.out, "{:margin$} {bar}", "")?;
        writeln!(self.out, "{} {bar} {}", self.styled(BLUE, &number.to_string()), snippet.text)?;
        let carets = self.styled(RED, &"^".repeat(snippet.width));
        writeln!(self.out, "{:margin$} {bar} {:lead$}{carets}", "", "", lead = snippet.lead)
    }

    fn help(&mut self, problem: &Problem) -> io::Result<()> {
        writeln!(self.out, "  {} expected {}\n", self.styled(BLUE, "="), problem.expected)
    }

    fn styled(&self, style: &str, text: &str) -> String {
        if self.has_colours { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
    }
}

/// What on the command line a field of the request was made of.
fn argument(problem: &Problem, option: impl Fn(usize) -> String) -> String {
    match problem.path.steps() {
        [Step::Field(field), Step::Index(index), ..] if field == "options" => option(*index),
        [Step::Field(field), ..] => match field.as_str() {
            "message" => "MESSAGE".to_owned(),
            "options" => "the options".to_owned(),
            "onTimeout" => "--default".to_owned(),
            "maxLength" => "--max-length".to_owned(),
            other => format!("--{other}"),
        },
        _ => "the command line".to_owned(),
    }
}

/// The path, to stand after the place; the whole text needs none.
fn beside(problem: &Problem) -> String {
    match problem.path.steps() {
        [] => String::new(),
        _ => format!(": {}", keep_start(&problem.path.to_string(), SNIPPET_WIDTH)),
    }
}

fn place(source: &str, places: &Places, problem: &Problem) -> Option<Range<usize>> {
    match problem.rule {
        Rule::Json => syntax_error(source),
        Rule::Size => None,
        Rule::UnknownField | Rule::DuplicateField => places.name(&problem.path),
        _ => places.value(&problem.path),
    }
}

/// A stretch of a source line, made safe to show, and where in it to point.
struct Snippet {
    text: String,
    lead: usize,
    width: usize,
}

impl Snippet {
    fn new(line: &str, place: Range<usize>) -> Self {
        // Tabs indent a source; shown as spaces they keep the carets in line.
        let shown = |text: &str| show(&text.replace('\t', "    "), Layout::Line, Purpose::Exact);
        let start = place.start.min(line.len());
        let end = place.end.clamp(start, line.len());
        // A line may have megabytes, of which only what is near the place can be seen.
        let before = shown(last_characters(&line[..start], SNIPPET_WIDTH + 1));
        let inside = shown(first_characters(&line[start..end], SNIPPET_WIDTH + 1));
        let after = shown(first_characters(&line[end..], SNIPPET_WIDTH + 1));
        let fits = before.width() + inside.width() + after.width() <= SNIPPET_WIDTH;
        let lead = keep_end(&before, if fits { SNIPPET_WIDTH } else { SNIPPET_LEAD });
        let inside = keep_start(&inside, SNIPPET_WIDTH - lead.width());
        let rest = SNIPPET_WIDTH - lead.width() - inside.width();
        let text = format!("{lead}{inside}{}", keep_start(&after, rest));
        Self { text, lead: lead.width(), width: inside.width().max(1) }
    }
}

fn first_characters(text: &str, count: usize) -> &str {
    text.char_indices().nth(count).map_or(text, |(end, _)| &text[..end])
}

fn last_characters(text: &str, count: usize) -> &str {
    text.char_indices().nth_back(count.saturating_sub(1)).map_or(text, |(start, _)| &text[start..])
}

/// As much of the start of `text` as fits, with an ellipsis if that is not all. Marks that take no width are
/// characters all the same: of those it takes twice the width at most.
fn keep_start(text: &str, width: usize) -> String {
    let mut kept = String::new();
    let mut used = 0;
    for (count, c) in text.chars().enumerate() {
        used += c.width().unwrap_or(0);
        let is_last = kept.len() + c.len_utf8() == text.len();
        if used > width || count >= 2 * width || (used == width && !is_last) {
            return if width > 0 { format!("{kept}…") } else { kept };
        }
        kept.push(c);
    }
    kept
}

/// The same for the end, which does not begin with a mark that has nothing to stand on.
fn keep_end(text: &str, width: usize) -> String {
    let reversed: String = text.chars().rev().collect();
    let kept: String = keep_start(&reversed, width).chars().rev().collect();
    match kept.strip_prefix('…') {
        Some(rest) => format!("…{}", rest.trim_start_matches(|c: char| c.width() == Some(0))),
        None => kept,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_core::{Limits, Request};

    fn report(source: &str) -> String {
        let problems = Request::parse(source.as_bytes(), &Limits::DEFAULT).unwrap_err();
        let mut report = Report { out: Vec::new(), has_colours: false };
        report.source("request.json", source.as_bytes(), &problems, "a valid request").unwrap();
        String::from_utf8(report.out).unwrap()
    }

    // F15
    #[test]
    fn a_report_points_at_the_place() {
        let source = "{\"questions\": [\n  {\"type\": \"number\", \"message\": \"Port?\", \"step\": 0}\n]}";
        let expected = r#"error[range]: the step is not above 0
  --> request.json:2:50: questions[0].step
  |
2 |   {"type": "number", "message": "Port?", "step": 0}
  |                                                  ^
  = expected a number above 0, such as 0.5

request.json is not a valid request: 1 problem
"#;
        assert_eq!(report(source), expected);
    }

    // S3
    #[test]
    fn what_is_kept_is_bounded_in_width_and_in_characters() {
        assert_eq!((keep_start("abc", 3), keep_start("abcd", 3)), ("abc".to_owned(), "ab…".to_owned()));
        assert_eq!((keep_end("abc", 3), keep_end("abcd", 3)), ("abc".to_owned(), "…cd".to_owned()));
        assert_eq!(keep_start("日本語", 5), "日本…");
        let marks = format!("a{}b", "\u{301}".repeat(1_000_000));
        assert!(keep_start(&marks, 80).chars().count() < 200);
        assert_eq!(keep_end(&marks, 80), "…b");
    }

    // S2, S3
    #[test]
    fn a_hostile_source_is_shown_safely_and_shortly() {
        let name = "\u{1b}[2J\u{202e}".repeat(100);
        let long = format!("{{\"type\": \"text\", \"message\": \"x\", \"{name}\": \"{}\"}}", "日本".repeat(10_000));
        let text = report(&long);
        assert!(!text.contains('\u{1b}') && !text.contains('\u{202e}'));
        let longest = text.lines().filter(|line| line.contains(" | ")).map(UnicodeWidthStr::width).max();
        assert!(longest < Some(160), "{longest:?}\n{text}");
    }
}
