//! Whatever is pressed while whatever changes.

use super::*;
use crate::width::width;
use proptest::prelude::*;

/// Something that happens to a list.
#[derive(Debug, Clone)]
enum Happening {
    Typed(Input),
    Items(Vec<BrowserItem>),
    Painted,
    Appeared,
    Passed(u64),
    Resized(usize, usize),
}

fn happenings() -> impl Strategy<Value = Vec<Happening>> {
    const KEYS: [Key; 20] = [
        Key::Up,
        Key::Down,
        Key::PageUp,
        Key::PageDown,
        Key::Home,
        Key::End,
        Key::Enter,
        Key::Enter,
        Key::Enter,
        Key::Escape,
        Key::Char('/'),
        Key::Char('a'),
        Key::Char('1'),
        Key::Char('j'),
        Key::Char('k'),
        Key::Char('d'),
        Key::Char('x'),
        Key::Char('日'),
        Key::Backspace,
        Key::Left,
    ];
    let key = proptest::sample::select(KEYS.to_vec()).prop_map(|key| Happening::Typed(Input::Key(key)));
    let paste = "[a1日\r\n\x1b]{0,4}".prop_map(|text| Happening::Typed(Input::Paste(text)));
    let line = "[qld/ #]{0,2}[0-9]{0,2}".prop_map(|line| Happening::Typed(Input::Line(line)));
    let texts = ("([a-c1é日👩\u{200d}\u{202e}\x1b\n ]|\\PC){0,24}", "[ab 日\x07]{0,12}", any::<bool>());
    let item = (0usize..12, texts).prop_map(|(id, (title, detail, warns))| BrowserItem {
        id: id.to_string(),
        title,
        details: vec![detail],
        warning: warns.then(|| "nobody is waiting".to_owned()),
        keywords: String::new(),
    });
    let items = proptest::collection::vec(item, 0..14).prop_map(Happening::Items);
    let happening = prop_oneof![
        8 => key,
        1 => paste,
        1 => line,
        3 => items,
        6 => Just(Happening::Painted),
        1 => Just(Happening::Appeared),
        4 => (0u64..600).prop_map(Happening::Passed),
        1 => (3usize..90, 1usize..30).prop_map(|(columns, rows)| Happening::Resized(columns, rows)),
    ];
    proptest::collection::vec(happening, 0..60)
}

/// What has the focus, as the person sees it.
fn focused(browser: &Browser) -> Option<(String, String, Option<String>)> {
    browser.item(browser.focus_row()).map(|item| (item.id.clone(), item.title.clone(), item.warning.clone()))
}

proptest! {
    // Q3, Q4, S2, S5
    #[test]
    fn nothing_is_opened_that_was_not_in_focus_and_in_sight(happenings in happenings(), ascii in any::<bool>()) {
        let alphabet = if ascii { Alphabet::Ascii } else { Alphabet::Unicode };
        let mut page = Page { alphabet, ..PAGE };
        let mut browser = Browser::new(ACTIONS);
        browser.appear();
        let mut now = Duration::from_secs(1);
        // Since when what has come into the focus by itself has been on the screen.
        let mut seen: Option<Duration> = None;
        for happening in happenings {
            match happening {
                Happening::Items(items) => {
                    let before = focused(&browser);
                    browser.set_items(items);
                    if focused(&browser) != before {
                        seen = None;
                    }
                }
                Happening::Painted => {
                    browser.be_seen(now);
                    seen.get_or_insert(now);
                }
                Happening::Appeared => {
                    browser.appear();
                    seen = None;
                }
                Happening::Passed(millis) => now += Duration::from_millis(millis),
                Happening::Resized(columns, rows) => page = Page { columns, rows, ..page },
                Happening::Typed(input) => {
                    let (before, was_typing, told) = (focused(&browser), browser.is_typing, browser.told.clone());
                    let frame = browser.view(&page);
                    let id = match browser.update(&input, now) {
                        Step::Ended(Browsed::Opened(id)) => Some(id),
                        Step::Ended(Browsed::Acted { id, .. }) => id,
                        _ => None,
                    };
                    match (id, input) {
                        (None, _) => {}
                        (Some(id), Input::Line(line)) => {
                            let number: usize = line.trim_start_matches(|c: char| !c.is_ascii_digit()).trim().parse().unwrap_or(0);
                            prop_assert_eq!(told.get(number.wrapping_sub(1)).map(|told| &told.id), Some(&id));
                            prop_assert!(browser.items.iter().any(|item| item.id == id));
                        }
                        (Some(id), _) => {
                            prop_assert!(!was_typing);
                            prop_assert_eq!(before.map(|before| before.0), Some(id));
                            prop_assert!(seen.is_some_and(|seen| now - seen >= CALM), "{seen:?} {now:?}");
                            let pointers = frame.lines.iter().filter(|line| line.text().starts_with('>')).count();
                            prop_assert_eq!(pointers, 1, "{}", text(&frame.lines));
                        }
                    }
                }
            }
            let focus = browser.focus().map(str::to_owned);
            prop_assert_eq!(focus.is_some(), !browser.visible.is_empty());
            prop_assert!(focus.is_none_or(|focus| browser.visible_ids().any(|id| id == focus)));
            let frame = browser.view(&page);
            prop_assert!(!frame.lines.is_empty() && frame.lines.len() <= page.height());
            for line in &frame.lines {
                let text = line.text();
                prop_assert!(width(&text) <= page.columns, "{text:?}");
                prop_assert!(!text.contains(|c: char| c.is_control() || askback_core::text::is_bidi_control(c)), "{text:?}");
                prop_assert!(!ascii || text.is_ascii(), "{text:?}");
            }
            if let Some((row, column)) = frame.cursor {
                prop_assert!(row < frame.lines.len() && column < page.columns.max(2), "{row} {column}");
            }
            let told = text(&browser.tell(&Page::endless(alphabet)));
            prop_assert!(!told.contains(|c: char| c != '\n' && c.is_control()), "{told:?}");
        }
    }
}
