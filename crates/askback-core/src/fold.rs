//! Folds texts that look alike into one form (NFKC, case folding, UTS #39 skeleton), so that an asker's text can be
//! compared with a word of ours.

use crate::text::{is_invisible, is_space};
use caseless::Caseless;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;
use unicode_normalization::UnicodeNormalization;

mod skeleton;

use skeleton::skeleton;

/// Characters that are typed for a key or a number before a label: `[esc]`, `(10)`.
const MARKER_LENGTH: usize = 12;
/// Characters whose readings are kept.
const CHARACTERS_KEPT: usize = 4_096;

/// The letters and digits of a text, folded. There are several forms because case and skeleton don't commute: the
/// capital Н looks like H, the small н does not. Two texts look alike if they have a form in common.
pub(crate) fn forms(text: &str) -> Vec<String> {
    let mut forms = if text.is_ascii() { ascii_forms(text) } else { unicode_forms(text) };
    forms.retain(|form| !form.is_empty());
    forms.sort_unstable();
    forms.dedup();
    forms
}

/// The forms of a text, and of what is left of it without a key marker at either end, as in `[r] Reject`.
pub(crate) fn forms_without_markers(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let readings = [text.chars().filter(|c| !is_invisible(*c)).collect(), visible(text)];
    for whole in &readings[usize::from(text.is_ascii())..] {
        for text in [Some(whole.as_str()), without_first_marker(whole)].into_iter().flatten() {
            found.extend(forms(text));
            found.extend(without_last_marker(text).map(forms).unwrap_or_default());
        }
    }
    found
}

/// The texts that stand in brackets, also where the bracket is never closed.
pub(crate) fn bracketed(text: &str) -> Vec<String> {
    let text = visible(text);
    text.split(is_opening).skip(1).map(|rest| rest.split(is_closing).next().unwrap_or_default().to_owned()).collect()
}

/// The whole text, folded, with its punctuation and symbols but without its spaces: what a person sees at a glance.
pub(crate) fn appearance(text: &str) -> String {
    let folded: String = visible(text).chars().default_case_fold().collect();
    skeleton(&folded).map(plain_letter).map(merge).filter(|c| !is_space(*c)).collect()
}

/// The text in its compatibility form, without characters that leave no mark on the screen.
pub(crate) fn visible(text: &str) -> String {
    if text.is_ascii() {
        return text.to_owned();
    }
    text.nfkc().filter(|c| !is_invisible(*c)).map(plain_letter).collect()
}

/// Every reading of one character. A text is folded character by character: what composition or order would change are
/// marks, and those are dropped.
type Readings = [String; 6];

thread_local! {
    /// Folding takes microseconds, and a list of very many options is written in few characters.
    static FOLDED: RefCell<HashMap<char, Rc<Readings>>> = RefCell::new(HashMap::new());
}

fn unicode_forms(text: &str) -> Vec<String> {
    FOLDED.with_borrow_mut(|folded| {
        if folded.len() > CHARACTERS_KEPT {
            folded.clear();
        }
        let characters: Vec<Rc<Readings>> =
            text.chars().map(|c| Rc::clone(folded.entry(c).or_insert_with(|| Rc::new(readings(c))))).collect();
        let is_plain = |readings: &Rc<Readings>| readings.iter().all(|reading| *reading == readings[0]);
        let count = if characters.iter().all(is_plain) { 1 } else { Readings::default().len() };
        (0..count).map(|reading| characters.iter().map(|readings| readings[reading].as_str()).collect()).collect()
    })
}

fn readings(c: char) -> Readings {
    let text = c.encode_utf8(&mut [0; 4]).to_owned();
    let all = visible(&text);
    // Some punctuation looks like a letter ("|") and some letters like punctuation ("ǃ"): both readings count.
    let letters: String = all.chars().filter(|c| c.is_alphanumeric()).collect();
    // The compatibility form of a few letters looks like another letter: ϲ becomes ς, which looks like o.
    let lookalikes = visible(&skeleton(&text).collect::<String>());
    let [all, letters, lookalikes] = [all, letters, lookalikes].map(|text| [case_first(&text), skeleton_first(&text)]);
    let ([a, b], [c, d], [e, f]) = (all, letters, lookalikes);
    [a, b, c, d, e, f]
}

fn case_first(text: &str) -> String {
    let folded: String = text.chars().default_case_fold().collect();
    settle(&folded)
}

fn skeleton_first(text: &str) -> String {
    let skeleton: String = skeleton(text).map(plain_letter).default_case_fold().collect();
    settle(&skeleton)
}

fn settle(folded: &str) -> String {
    // Decomposed, accents are marks of their own, which are not alphanumeric.
    skeleton(folded).map(plain_letter).default_case_fold().filter(|c| c.is_alphanumeric()).map(merge).collect()
}

/// The same for ASCII, where it costs little: a list may have very many options.
fn ascii_forms(text: &str) -> Vec<String> {
    let fold = |bar: &str| {
        text.bytes().fold(String::with_capacity(text.len()), |mut folded, byte| {
            match byte.to_ascii_lowercase() {
                b'0' => folded.push('o'),
                b'1' | b'i' => folded.push('l'),
                b'm' => folded.push_str("rn"),
                b'|' => folded.push_str(bar),
                byte if byte.is_ascii_alphanumeric() => folded.push(char::from(byte)),
                _ => {}
            }
            folded
        })
    };
    if text.contains('|') { vec![fold(""), fold("l")] } else { vec![fold("")] }
}

/// `i` and `l` are one: the capital I is the skeleton of neither, and looks like both.
fn merge(c: char) -> char {
    match c {
        'i' | 'ı' | '1' => 'l',
        '0' => 'o',
        c => c,
    }
}

/// The letter that a decorative form stands for, where neither NFKC nor the skeleton knows it.
fn plain_letter(c: char) -> char {
    const SMALL_CAPITALS: &str = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡxʏᴢ";
    let nth = |offset: u32| char::from_u32(u32::from('a') + offset).unwrap_or(c);
    match u32::from(c) {
        0..=0x7f => c,
        code @ 0x1f150..=0x1f169 => nth(code - 0x1f150),
        code @ 0x1f170..=0x1f189 => nth(code - 0x1f170),
        code @ 0x1f1e6..=0x1f1ff => nth(code - 0x1f1e6),
        _ => (0..).zip(SMALL_CAPITALS.chars()).find(|(_, small)| *small == c).map_or(c, |(offset, _)| nth(offset)),
    }
}

/// `text` without a marker before it: `[r]`, `(esc)`, `r)`, `10.`, or a single ASCII letter or digit.
fn without_first_marker(text: &str) -> Option<&str> {
    let start = text.find(char::is_alphanumeric)?;
    let (before, text) = text.split_at(start);
    if before.contains(is_opening) {
        let end = text.find(is_closing).filter(|end| *end <= MARKER_LENGTH)?;
        return Some(&text[end..]);
    }
    let end = text.find(|c: char| !c.is_alphanumeric())?;
    let (marker, rest) = text.split_at(end);
    let is_marked = rest.starts_with(|c| is_closing(c) || matches!(c, '.' | ':' | '-' | '=' | '|'));
    let is_number = marker.len() <= 2 && marker.bytes().all(|byte| byte.is_ascii_digit());
    let is_marker = marker.len() == 1 || is_marked && (is_number || marker.chars().count() == 1);
    is_marker.then_some(rest)
}

/// `text` without something short in brackets after it.
fn without_last_marker(text: &str) -> Option<&str> {
    let start = text.rfind(is_opening)?;
    let rest = &text[start..];
    let after = rest.split_once(is_closing).map_or("", |(_, after)| after);
    (rest.chars().count() <= MARKER_LENGTH + 2 && !after.contains(char::is_alphanumeric)).then(|| &text[..start])
}

/// Whether a character opens a bracket, in its compatibility form.
pub(crate) fn is_opening(c: char) -> bool {
    "([{<«‹⁅⌈⌊⌜⌞⟅⟦⟨⟪⟬⟮⦃⦅⦇⦉⦋⦍⦏⦑⦓⦕⦗⧘⧚⧼⸂⸄⸉⸌⸜⸠⸢⸤⸦⸨❨❪❬❮❰❲❴〈《「『【〔〖〘〚༺༼᚛﴿".contains(c)
}

/// Whether a character closes a bracket, in its compatibility form.
pub(crate) fn is_closing(c: char) -> bool {
    ")]}>»›⁆⌉⌋⌝⌟⟆⟧⟩⟫⟭⟯⦄⦆⦈⦊⦌⦎⦐⦒⦔⦖⦘⧙⧛⧽⸃⸅⸊⸍⸝⸡⸣⸥⸧⸩❩❫❭❯❱❳❵〉》」』】〕〗〙〛༻༽᚜﴾".contains(c)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn alike(left: &str, right: &str) -> bool {
        let right = forms(right);
        forms(left).iter().any(|form| right.contains(form))
    }

    // F0
    #[test]
    fn texts_that_look_alike_have_a_form_in_common() {
        let rejects = ["REJECT", "Reјect", "Ｒｅｊｅｃｔ", "R E J E C T", "ⓡⓔⓙⓔⓒⓣ", "🅡🅔🅙🅔🅒🅣", "🇷🇪🇯🇪🇨🇹", "ʀᴇᴊᴇᴄᴛ"];
        for text in
            rejects.into_iter().chain(["𝓡𝓮𝓳𝓮𝓬𝓽", "Re\u{200b}ject", "Réjéct", "✗ Reject!", "(R)eject", "re-ject"])
        {
            assert!(alike(text, "reject"), "{text} {:?}", forms(text));
        }
        for (text, word) in [("CanceI", "cancel"), ("Cance|", "cancel"), ("C0nfirrn", "confirm"), ("HET", "НЕТ")] {
            assert!(alike(text, word), "{text} {:?}", forms(text));
        }
        assert!(!alike("Reject it", "reject") && !alike("Eject", "reject"));
    }

    // F0
    #[test]
    fn ascii_folds_as_all_other_text_does() {
        // The skeleton of % has a subscript zero in it, which no word of ours has.
        for text in (1u8..128).map(char::from).filter(|c| *c != '%').map(|c| format!("a{c}b{c}")) {
            let (mut fast, mut slow) = (ascii_forms(&text), unicode_forms(&text));
            for forms in [&mut fast, &mut slow] {
                forms.sort();
                forms.dedup();
            }
            assert_eq!(fast, slow, "{text:?}");
        }
    }

    // F0
    #[test]
    fn markers_are_taken_off() {
        for text in ["[r] Reject", "r) Reject", "1. Reject", "r: Reject", "(esc) Reject", "x Reject", "10) Reject"] {
            assert!(forms_without_markers(text).contains(&"reject".to_owned()), "{text}");
        }
        for text in ["Reject [r]", "[2] Reject (r)", "【r】Reject", "Reject (y/n)"] {
            assert!(forms_without_markers(text).contains(&"reject".to_owned()), "{text}");
        }
        for text in ["No-go", "No. Go", "OK: go", "Нет. Go"] {
            assert!(!forms_without_markers(text).contains(&"go".to_owned()), "{text}");
        }
        assert!(!forms_without_markers("Yes, reject").contains(&"reject".to_owned()));
        assert_eq!(bracketed("Keep（approve）[x"), ["approve", "x"]);
    }
}
