//! What roles look like (Q3): the palette in as many colours as the terminal has, and the alphabet of its locale.

use crate::line::{Role, Style};

/// How many colours the terminal shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colours {
    /// Every colour.
    True,
    /// The 256 of xterm.
    Palette256,
    /// The 16 of old.
    Palette16,
    /// None; bold and dim remain.
    None,
}

/// What the colours are to be seen against.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Background {
    /// Light on dark.
    Dark,
    /// Dark on light.
    Light,
}

/// Which characters the terminal's locale has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Alphabet {
    /// All of them.
    Unicode,
    /// ASCII alone; other letters of somebody's text are shown by number.
    Ascii,
}

type Rgb = (u8, u8, u8);

/// The colours of a role on a dark and on a light background; `None` is the terminal's own. In the order in which roles are
/// declared, which is how [`Sequences`] finds them.
const COLOURS: [(Role, Option<(u32, u32)>); 10] = [
    (Role::Plain, None),
    (Role::Text, Some((0xF1F5F9, 0x0F172A))),
    (Role::Secondary, Some((0x94A3B8, 0x475569))),
    (Role::Muted, Some((0x64748B, 0x64748B))),
    (Role::Primary, Some((0x818CF8, 0x4F46E5))),
    (Role::Chip, Some((0x818CF8, 0x4F46E5))),
    (Role::Success, Some((0x34D399, 0x047857))),
    (Role::Info, Some((0x22D3EE, 0x0E7490))),
    (Role::Error, Some((0xF87171, 0xB91C1C))),
    (Role::Warning, Some((0xFBBF24, 0xB45309))),
];

const CHIP: (u32, u32) = (0x1E293B, 0xE2E8F0);

fn rgb(hex: u32) -> Rgb {
    ((hex >> 16) as u8, (hex >> 8) as u8, hex as u8)
}

/// The sequences of all styles, made once: every row needs some.
#[derive(Debug)]
pub(crate) struct Sequences([[String; 2]; COLOURS.len()]);

impl Sequences {
    pub(crate) fn new(colours: Colours, background: Background) -> Self {
        let of = |style: Style| sequence(style, colours, background);
        Self(COLOURS.map(|(role, _)| [of(role.into()), of(Style::bold(role))]))
    }

    /// The sequence that switches to a style, from the terminal's own look; empty where nothing changes.
    pub(crate) fn of(&self, style: Style) -> &str {
        &self.0[style.role as usize][usize::from(style.is_bold)]
    }
}

fn sequence(style: Style, colours: Colours, background: Background) -> String {
    let mut codes = Vec::new();
    if style.is_bold {
        codes.push("1".to_owned());
    }
    match (colours, style.role) {
        // Without colours, what matters less is dim.
        (Colours::None, Role::Muted) => codes.push("2".to_owned()),
        (Colours::None, _) => {}
        (_, role) => {
            let seen = |(dark, light)| rgb(if background == Background::Dark { dark } else { light });
            codes.extend(COLOURS[role as usize].1.map(|pair| code(seen(pair), colours, TEXT)));
            if role == Role::Chip {
                codes.push(code(seen(CHIP), colours, GROUND));
            }
        }
    }
    if codes.is_empty() { String::new() } else { format!("\x1b[{}m", codes.join(";")) }
}

/// The codes of the first colour of 16, for letters and for what is behind them.
const TEXT: usize = 30;
const GROUND: usize = 40;

fn code((red, green, blue): Rgb, colours: Colours, first: usize) -> String {
    match colours {
        Colours::True => format!("{};2;{red};{green};{blue}", first + 8),
        Colours::Palette256 => format!("{};5;{}", first + 8, 16 + nearest((red, green, blue), &palette_256())),
        Colours::Palette16 | Colours::None => match nearest((red, green, blue), &PALETTE_16.map(rgb)) {
            index @ 0..8 => (first + index).to_string(),
            index => (first + 52 + index).to_string(),
        },
    }
}

/// xterm's first 16, which people may have changed but mostly to something alike.
const PALETTE_16: [u32; 16] = [
    0x000000, 0xCD0000, 0x00CD00, 0xCDCD00, 0x0000EE, 0xCD00CD, 0x00CDCD, 0xE5E5E5, 0x7F7F7F, 0xFF0000, 0x00FF00,
    0xFFFF00, 0x5C5CFF, 0xFF00FF, 0x00FFFF, 0xFFFFFF,
];

/// The 240 that come after them: a cube and a ladder of greys.
fn palette_256() -> Vec<Rgb> {
    const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let cube = (0..216).map(|index| (STEPS[index / 36], STEPS[index / 6 % 6], STEPS[index % 6]));
    let greys = (0..24).map(|index| 8 + 10 * index).map(|grey| (grey, grey, grey));
    cube.chain(greys).collect()
}

fn nearest(colour: Rgb, palette: &[Rgb]) -> usize {
    let distance = |other: &Rgb| {
        let part = |a: u8, b: u8| (i32::from(a) - i32::from(b)).pow(2);
        part(colour.0, other.0) + part(colour.1, other.1) + part(colour.2, other.2)
    };
    palette.iter().enumerate().min_by_key(|(_, other)| distance(other)).map_or(0, |(index, _)| index)
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Signs {
    pub(crate) open: &'static str,
    pub(crate) chosen: &'static str,
    pub(crate) unchecked: &'static str,
    pub(crate) checked: &'static str,
    pub(crate) pointer: &'static str,
    pub(crate) chip: (&'static str, &'static str),
    pub(crate) done: &'static str,
    pub(crate) undone: &'static str,
    pub(crate) dot: &'static str,
    pub(crate) up_down: &'static str,
    pub(crate) left_right: &'static str,
    pub(crate) right: &'static str,
    pub(crate) star: &'static str,
    pub(crate) no_star: &'static str,
    pub(crate) above: &'static str,
    pub(crate) below: &'static str,
    /// Along a question.
    pub(crate) bar: &'static str,
    /// Below it.
    pub(crate) close: &'static str,
    /// Along what an agent wrote, which so can't pass for the question.
    pub(crate) quote: &'static str,
    pub(crate) rule: &'static str,
    pub(crate) more: &'static str,
    pub(crate) to: &'static str,
    /// Before a message to the agent.
    pub(crate) message: &'static str,
    /// One after the other while something is awaited.
    pub(crate) spinner: &'static [&'static str],
}

const UNICODE: Signs = Signs {
    open: "○",
    chosen: "●",
    unchecked: "☐",
    checked: "☑",
    pointer: "▸",
    chip: ("╭─", "─╮"),
    done: "✔",
    undone: "✘",
    dot: "•",
    up_down: "↑↓",
    left_right: "←→",
    right: "→",
    star: "★",
    no_star: "☆",
    above: "↑",
    below: "↓",
    bar: "│",
    close: "╰",
    quote: "┆",
    rule: "─",
    more: "…",
    to: "–",
    message: "›",
    spinner: &["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"],
};

const ASCII: Signs = Signs {
    open: "( )",
    chosen: "(*)",
    unchecked: "[ ]",
    checked: "[x]",
    pointer: ">",
    chip: ("+-", "-+"),
    done: "[ok]",
    undone: "[no]",
    dot: "|",
    up_down: "up/down",
    left_right: "left/right",
    right: "right",
    star: "*",
    no_star: "-",
    above: "^",
    below: "v",
    bar: "|",
    close: "+",
    quote: ":",
    rule: "-",
    more: "...",
    to: "-",
    message: ">",
    spinner: &["|", "/", "-", "\\"],
};

/// Of plain mode: words, for they are read aloud.
pub(crate) static PLAIN: Signs = Signs { done: "ok:", undone: "no:", quote: "|", ..ASCII };

impl Alphabet {
    pub(crate) fn signs(self) -> &'static Signs {
        match self {
            Self::Unicode => &UNICODE,
            Self::Ascii => &ASCII,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dark(role: Role, colours: Colours) -> String {
        sequence(role.into(), colours, Background::Dark)
    }

    // Q3
    #[test]
    fn every_role_finds_its_own_sequence() {
        let sequences = Sequences::new(Colours::True, Background::Light);
        for (role, _) in COLOURS {
            for style in [role.into(), Style::bold(role)] {
                assert_eq!(sequences.of(style), sequence(style, Colours::True, Background::Light), "{style:?}");
            }
        }
    }

    // Q3
    #[test]
    fn the_palette_comes_in_as_many_colours_as_there_are() {
        assert_eq!(dark(Role::Primary, Colours::True), "\x1b[38;2;129;140;248m");
        assert_eq!(dark(Role::Info, Colours::True), "\x1b[38;2;34;211;238m");
        assert_eq!(dark(Role::Error, Colours::True), "\x1b[38;2;248;113;113m");
        assert_eq!(dark(Role::Chip, Colours::True), "\x1b[38;2;129;140;248;48;2;30;41;59m");
        assert_eq!(dark(Role::Primary, Colours::Palette256), "\x1b[38;5;105m");
        assert_eq!(dark(Role::Muted, Colours::Palette256), "\x1b[38;5;66m");
        assert_eq!(dark(Role::Primary, Colours::Palette16), "\x1b[94m");
        assert_eq!(dark(Role::Text, Colours::Palette16), "\x1b[97m");
        assert_eq!(dark(Role::Muted, Colours::Palette16), "\x1b[90m");
        assert_eq!(dark(Role::Chip, Colours::Palette16), "\x1b[94;40m");
    }

    // Q3
    #[test]
    fn without_colours_only_weight_remains() {
        for role in [Role::Primary, Role::Chip, Role::Success, Role::Error, Role::Warning, Role::Plain] {
            assert_eq!(dark(role, Colours::None), "");
        }
        assert_eq!(sequence(Style::bold(Role::Primary), Colours::None, Background::Dark), "\x1b[1m");
    }
}
