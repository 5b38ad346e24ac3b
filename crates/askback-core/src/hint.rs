//! What a mistyped name probably means.

/// Names people and models use for ours. One that stands for several means the first that is known in its place.
const ALIASES: &[(&str, &str)] = &[
    ("question", "message"),
    ("prompt", "message"),
    ("text", "message"),
    ("label", "message"),
    ("kind", "type"),
    ("input_type", "type"),
    ("choices", "options"),
    ("values", "options"),
    ("multiple", "multiSelect"),
    ("multi", "multiSelect"),
    ("allowOther", "other"),
    ("name", "id"),
    ("default", "initial"),
    ("desc", "description"),
    ("content", "text"),
    ("body", "text"),
    ("text", "label"),
    ("name", "label"),
    ("title", "label"),
    ("id", "value"),
    ("select", "choice"),
    ("multiselect", "choice"),
    ("checkbox", "choice"),
    ("radio", "choice"),
    ("boolean", "confirm"),
    ("bool", "confirm"),
    ("yesno", "confirm"),
    ("string", "text"),
    ("input", "text"),
    ("textarea", "multiline"),
    ("integer", "number"),
    ("float", "number"),
    ("combobox", "dropdown"),
    ("stars", "rating"),
];

/// The known name that a mistyped one probably means: the same letters in another case or style, two slips away, one cut
/// short (`min` for `minimum`), or another word for the same.
pub(crate) fn nearest<'k>(name: &str, known: &[&'k str]) -> Option<&'k str> {
    const LONGEST_TYPO: usize = 32;
    const SLIPS: usize = 2;
    const SHORTEST_STEM: usize = 3;
    if name.len() > LONGEST_TYPO {
        return None;
    }
    let typed = plain(name);
    let candidates = || known.iter().copied().filter(|field| !is_opposite(&typed, &plain(field)));
    let slips = |field: &&str| edit_distance(&typed, &plain(field));
    let mistyped = candidates().min_by_key(slips).filter(|field| slips(field) <= SLIPS.min(name.len() / 3));
    let stem = || candidates().find(|field| field.len() >= SHORTEST_STEM && typed.starts_with(&plain(field)));
    let alias = || {
        let meant = ALIASES.iter().filter(|(alias, _)| plain(alias) == typed).map(|(_, meant)| *meant);
        meant.flat_map(|meant| candidates().filter(move |field| *field == meant)).next()
    };
    mistyped.or_else(alias).or_else(stem)
}

/// A name without case and style.
fn plain(name: &str) -> String {
    name.replace(['_', '-'], "").to_ascii_lowercase()
}

/// `minLength` is two slips from `maxLength`, and means the contrary.
fn is_opposite(left: &str, right: &str) -> bool {
    let sides = |text: &str| (text.starts_with("min"), text.starts_with("max"));
    matches!((sides(left), sides(right)), ((true, _), (_, true)) | ((_, true), (true, _)))
}

fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    let mut row: Vec<usize> = (0..=right.len()).collect();
    for (i, a) in left.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, b) in right.iter().enumerate() {
            let substituted = diagonal + usize::from(a != *b);
            diagonal = row[j + 1];
            row[j + 1] = substituted.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[right.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    // F15
    #[test]
    fn a_slip_of_the_pen_gets_a_hint() {
        let known = ["multiSelect", "options", "header", "message", "type", "min", "max", "maxLength"];
        for (typed, meant) in [
            ("multiselect", Some("multiSelect")),
            ("multi_select", Some("multiSelect")),
            ("multiple", Some("multiSelect")),
            ("optoins", Some("options")),
            ("choices", Some("options")),
            ("typ", Some("type")),
            ("kind", Some("type")),
            ("question", Some("message")),
            ("minimum", Some("min")),
            ("minLength", Some("min")),
            ("colour", None),
            ("x", None),
        ] {
            assert_eq!(nearest(typed, &known), meant, "{typed}");
        }
        assert_eq!(nearest("minLength", &["maxLength"]), None, "not the contrary");
    }
}
