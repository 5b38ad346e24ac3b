//! Giving an answer line by line, in plain mode. What a terminal would take for a command is quoted, as people do with Ctrl+V.

use super::expression::{Expression, Pick};
use super::vector::{Vector, words};
use super::{Said, Trouble};
use askback_core::{AnswerInput, Kind, OTHER_PLACEHOLDER, Rule};
use askback_testkit::screen::Screen;

/// Bytes of a line that a terminal takes.
const LONGEST: usize = 4_095;
const LINE_END: &str = "a line has no line end in it";
const FILLED_IN: &str = "an empty line takes what was filled in at first";
const GOES_BACK: &str = "an empty line goes back to the list";

pub(crate) fn give(vector: &Vector, expression: &Expression, screen: &mut Screen) -> Result<Said, Trouble> {
    screen.wait_until("the invitation", |screen| invitations(screen) == 1);
    match expression {
        Expression::Typed(text) => typed(vector, text, screen),
        Expression::Decided(letter) => {
            line(letter, screen);
            Ok(vector.expected().into())
        }
        Expression::Undecided(text) => {
            if text.len() >= LONGEST {
                too_long(text, screen);
                return Ok(not_whole(vector));
            }
            line(text, screen);
            refused("then Enter", screen);
            Ok(vector.expected().into())
        }
        Expression::Named(text) => named(vector, text, screen),
        Expression::Picks(picks) => choose(vector, picks, screen),
    }
}

/// What names nothing is looked for, or refused, but never an answer.
fn named(vector: &Vector, text: &str, screen: &mut Screen) -> Result<Said, Trouble> {
    if text.is_empty() && vector.question().initial().is_some() {
        return Err(Trouble::Inexpressible(FILLED_IN));
    }
    if text.contains('\n') {
        return Err(Trouble::Inexpressible(LINE_END));
    }
    if text.len() >= LONGEST {
        too_long(text, screen);
        return Ok(not_whole(vector));
    }
    line(text, screen);
    screen.wait_until("the next invitation", |screen| invitations(screen) == 2);
    screen.keys("\x03");
    Ok(vector.expected().into())
}

fn typed(vector: &Vector, text: &str, screen: &mut Screen) -> Result<Said, Trouble> {
    let is_many = matches!(vector.question().kind(), Kind::Multiline(_));
    if text.is_empty() && vector.question().initial().is_some() {
        return Err(Trouble::Inexpressible(FILLED_IN));
    }
    if text.contains('\n') && !is_many {
        return Err(Trouble::Inexpressible(LINE_END));
    }
    if text.split('\n').any(|line| line.len() >= LONGEST) {
        too_long(text, screen);
        return Ok(not_whole(vector));
    }
    match is_many {
        true if text.is_empty() => line(".", screen),
        true => {
            // A line of dots is written with one more.
            let is_dots = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte == b'.');
            text.split('\n')
                .for_each(|text| line(&if is_dots(text) { format!(".{text}") } else { text.to_owned() }, screen));
            line(".", screen);
        }
        false => line(text, screen),
    }
    let verdict = vector.expected();
    match &verdict {
        // A line of many is refused by itself, before the others come.
        Err(refusal) if is_many && refusal.rule == Rule::Control => {
            refused("has a control character; the line is left out", screen);
        }
        Err(refusal) => refused(&words(refusal, text), screen),
        Ok(_) => {}
    }
    Ok(verdict.into())
}

/// Types a line. Control characters that a terminal acts on are quoted.
fn line(text: &str, screen: &mut Screen) {
    let quoted: String = text
        .chars()
        .map(|c| if c.is_ascii_control() && c != '\t' { format!("\x16{c}") } else { c.to_string() })
        .collect();
    screen.keys(&format!("{quoted}\r"));
}

fn too_long(text: &str, screen: &mut Screen) {
    line(text.split('\n').next().unwrap_or_default(), screen);
    refused("so the end may be missing", screen);
}

/// The end of a line that long is lost before anyone sees it, so it is no answer, whatever the vector says.
fn not_whole(vector: &Vector) -> Said {
    let refusal = vector.verdict("").err();
    Said { verdict: refusal.map_or_else(|| vector.expected(), Err), instead: Some("a terminal takes no line as long") }
}

fn invitations(screen: &Screen) -> usize {
    screen.text().lines().filter(|line| line.starts_with('>')).count()
}

/// Waits until it is said why, and goes.
fn refused(said: &str, screen: &mut Screen) {
    let squeezed = |text: &str| text.split_whitespace().collect::<String>().to_lowercase();
    let said = squeezed(said);
    screen.wait_until(&said, |screen| squeezed(&screen.text()).contains(&said));
    screen.keys("\x03");
}

fn choose(vector: &Vector, picks: &[Pick], screen: &mut Screen) -> Result<Said, Trouble> {
    let options = match vector.question().kind() {
        Kind::Choice(choice) => choice.options(),
        Kind::Dropdown(dropdown) => dropdown.options(),
        other => return Err(Trouble::Wrong(format!("{} has no options", other.name()))),
    };
    let own = picks.iter().find_map(|pick| if let Pick::Other(text) = pick { Some(text) } else { None });
    if own.is_some_and(|text| text.contains('\n')) {
        return Err(Trouble::Inexpressible(LINE_END));
    }
    if own.is_some_and(|text| text.trim().is_empty()) {
        return Err(Trouble::Inexpressible(GOES_BACK));
    }
    let number = |pick: &Pick| match pick {
        Pick::Option(index) => format!("#{}", index + 1),
        Pick::Other(_) => format!("#{}", options.len() + 1),
    };
    line(&picks.iter().map(number).collect::<Vec<_>>().join(" "), screen);
    let value = |pick: &Pick| match pick {
        Pick::Option(index) => options.iter().as_slice()[*index].value().to_owned(),
        Pick::Other(_) => OTHER_PLACEHOLDER.to_owned(),
    };
    let selections: Vec<String> = picks.iter().map(value).collect();
    let verdict = vector.question().parse_answer(&AnswerInput::Selections { selections, custom: own.cloned() });
    if vector.expected().is_ok() {
        assert_eq!(verdict, vector.expected(), "{vector}");
    }
    if let Some(text) = own {
        screen.wait_for("Please specify");
        if text.len() >= LONGEST {
            too_long(text, screen);
            return Ok(not_whole(vector));
        }
        line(text, screen);
    }
    if let Err(refusal) = &verdict {
        refused(&format!("please give {}", refusal.expected), screen);
    }
    Ok(verdict.into())
}
