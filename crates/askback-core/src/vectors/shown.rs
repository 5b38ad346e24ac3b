//! `vectors/show.json`: hostile text made safe to paint.

use super::cases;
use crate::show::{Layout, Purpose, show};

// S2
#[test]
fn hostile_text_is_shown_as_its_vectors_say() {
    for case in cases("show") {
        let layout = if case["layout"] == "line" { Layout::Line } else { Layout::Block };
        let purpose = if case["purpose"] == "exact" { Purpose::Exact } else { Purpose::Prose };
        assert_eq!(show(case["raw"].as_str().unwrap(), layout, purpose), case["shown"], "{case}");
    }
}
