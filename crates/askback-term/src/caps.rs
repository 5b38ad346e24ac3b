//! What a terminal can show, told from the environment alone: it is never asked, because some never answer.

use crate::theme::{Alphabet, Background, Colours};

/// How to paint on a terminal.
///
/// ```
/// use askback_term::{Caps, Colours};
///
/// let caps = Caps::from_variables(|name| match name {
///     "TERM" => Some("xterm-256color".into()),
///     "LANG" => Some("en_GB.UTF-8".into()),
///     _ => None,
/// });
/// assert_eq!(caps.colours, Colours::Palette256);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Caps {
    /// How many colours there are.
    pub colours: Colours,
    /// What they are seen against.
    pub background: Background,
    /// Which characters there are.
    pub alphabet: Alphabet,
    /// Whether prompts are painted, or told line by line.
    pub manner: Manner,
    /// What becomes of a line that no longer fits when the window gets narrower.
    pub resizing: Resizing,
}

/// How to ask.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Manner {
    /// With prompts that are painted and answered by keys.
    Painted,
    /// In lines that follow each other and are answered by lines, without any control sequence: for screen readers
    /// (`ACCESSIBLE=1`), for terminals that can't move their cursor (`TERM=dumb`), and for programs that answer.
    Plain,
}

/// What a terminal does with lines that no longer fit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resizing {
    /// It wraps them, as nearly all do today.
    Reflows,
    /// It cuts them off.
    Cuts,
}

impl Caps {
    /// Of the terminal this program runs in.
    pub fn from_environment() -> Self {
        Self::from_variables(|name| std::env::var_os(name).map(|value| value.to_string_lossy().into_owned()))
    }

    /// The same from any source of environment variables.
    pub fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Self {
        let get = |name: &str| variable(name).filter(|value| !value.is_empty());
        let theme = get("ASKBACK_THEME").unwrap_or_default();
        Self {
            colours: colours(&get, &theme),
            background: background(&get, &theme),
            alphabet: alphabet(&get),
            manner: manner(&get),
            resizing: resizing(&get),
        }
    }
}

/// What the person wants, then what the terminal can do.
fn manner(get: &impl Fn(&str) -> Option<String>) -> Manner {
    let wants = get("ACCESSIBLE").is_some_and(|value| !matches!(value.as_str(), "0" | "false" | "no"));
    let is_dumb = get("TERM").as_deref() == Some("dumb");
    if wants || is_dumb { Manner::Plain } else { Manner::Painted }
}

/// `NO_COLOR` first, as its users expect; then what the terminal says it has.
fn colours(get: &impl Fn(&str) -> Option<String>, theme: &str) -> Colours {
    let term = get("TERM").unwrap_or_default();
    if get("NO_COLOR").is_some() || theme == "mono" || matches!(term.as_str(), "" | "dumb") || term.starts_with("vt") {
        return Colours::None;
    }
    let says = get("COLORTERM").is_some_and(|value| matches!(value.as_str(), "truecolor" | "24bit"));
    if says || term.ends_with("-direct") {
        return Colours::True;
    }
    if term.contains("256color") || matches!(term.as_str(), "alacritty" | "xterm-kitty" | "xterm-ghostty" | "foot") {
        return Colours::Palette256;
    }
    Colours::Palette16
}

/// `ASKBACK_THEME=light` or `dark`, else what some terminals say in `COLORFGBG`, else dark.
fn background(get: &impl Fn(&str) -> Option<String>, theme: &str) -> Background {
    match theme {
        "light" => Background::Light,
        "dark" => Background::Dark,
        _ => match get("COLORFGBG").as_deref().and_then(|value| value.rsplit(';').next()) {
            Some("7" | "15") => Background::Light,
            _ => Background::Dark,
        },
    }
}

/// The locale decides, in the order in which the system itself looks it up.
fn alphabet(get: &impl Fn(&str) -> Option<String>) -> Alphabet {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].iter().find_map(|name| get(name)).unwrap_or_default();
    let locale = locale.to_ascii_lowercase();
    if locale.contains("utf-8") || locale.contains("utf8") { Alphabet::Unicode } else { Alphabet::Ascii }
}

/// xterm itself names its version; screen and the consoles of kernels are told by their kind.
fn resizing(get: &impl Fn(&str) -> Option<String>) -> Resizing {
    let term = get("TERM").unwrap_or_default();
    let old =
        ["rxvt", "linux", "screen", "vt"].iter().any(|kind| term.starts_with(kind)) || get("XTERM_VERSION").is_some();
    if old && get("TMUX").is_none() { Resizing::Cuts } else { Resizing::Reflows }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caps(variables: &[(&str, &str)]) -> Caps {
        Caps::from_variables(|name| {
            variables.iter().find(|(variable, _)| *variable == name).map(|(_, value)| (*value).to_owned())
        })
    }

    // Q3
    #[test]
    fn colours_are_what_the_environment_says() {
        let colours = |variables: &[(&str, &str)]| caps(variables).colours;
        assert_eq!(colours(&[("TERM", "xterm"), ("COLORTERM", "truecolor")]), Colours::True);
        assert_eq!(colours(&[("TERM", "tmux-256color")]), Colours::Palette256);
        assert_eq!(colours(&[("TERM", "xterm")]), Colours::Palette16);
        assert_eq!(colours(&[("TERM", "xterm"), ("COLORTERM", "truecolor"), ("NO_COLOR", "1")]), Colours::None);
        assert_eq!(colours(&[("TERM", "xterm"), ("NO_COLOR", "")]), Colours::Palette16, "an empty one is none");
        assert_eq!(colours(&[]), Colours::None);
    }

    // Q3
    #[test]
    fn the_alphabet_is_the_locales() {
        let alphabet = |variables: &[(&str, &str)]| caps(variables).alphabet;
        assert_eq!(alphabet(&[("LANG", "de_DE.UTF-8")]), Alphabet::Unicode);
        assert_eq!(alphabet(&[("LANG", "de_DE.UTF-8"), ("LC_ALL", "C")]), Alphabet::Ascii);
        assert_eq!(alphabet(&[("LC_CTYPE", "C.utf8")]), Alphabet::Unicode);
        assert_eq!(alphabet(&[]), Alphabet::Ascii);
    }

    // Q10
    #[test]
    fn plain_mode_is_wanted_or_needed() {
        let manner = |variables: &[(&str, &str)]| caps(variables).manner;
        assert_eq!(manner(&[("TERM", "xterm")]), Manner::Painted);
        assert_eq!(manner(&[("TERM", "dumb")]), Manner::Plain);
        assert_eq!(manner(&[("TERM", "xterm"), ("ACCESSIBLE", "1")]), Manner::Plain);
        for off in ["", "0", "false", "no"] {
            assert_eq!(manner(&[("TERM", "xterm"), ("ACCESSIBLE", off)]), Manner::Painted, "{off:?}");
        }
    }

    // Q3
    #[test]
    fn the_background_can_be_told() {
        assert_eq!(caps(&[("COLORFGBG", "0;15")]).background, Background::Light);
        assert_eq!(caps(&[("COLORFGBG", "0;15"), ("ASKBACK_THEME", "dark")]).background, Background::Dark);
        assert_eq!(caps(&[]).background, Background::Dark);
    }
}
