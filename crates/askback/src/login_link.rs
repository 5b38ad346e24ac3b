//! A link that logs a browser in, for people who look at a terminal.

use qrcode::render::unicode::Dense1x2;
use qrcode::{EcLevel, QrCode};

/// The link as a QR code in half blocks. No part of a screen is ever damaged, so that it carries nothing for repairs and stays as small
/// as it can be.
pub(crate) fn qr_code(url: &str) -> Option<String> {
    let code = QrCode::with_error_correction_level(url, EcLevel::L).ok()?;
    Some(code.render::<Dense1x2>().quiet_zone(true).build())
}

/// What is to be said of a link that a phone can read and not follow.
pub(crate) fn warning(url: &str) -> Option<&'static str> {
    let is_of_this_machine = url.starts_with("http://127.") || url.starts_with("http://localhost");
    is_of_this_machine.then_some("A phone can't reach this machine by this address: docs/security.md says how it can.")
}

#[cfg(test)]
mod tests {
    use super::*;

    // S4
    #[test]
    fn a_link_of_this_machine_is_not_promised_to_phones() {
        assert!(warning("http://127.0.0.1:4770/login#code=1").is_some());
        assert_eq!(warning("https://ask.example.com/login#code=1"), None);
    }

    // S4
    #[test]
    fn a_code_has_rows_of_one_width() {
        let code = qr_code(&format!("http://127.0.0.1:40000/login#code=askback_{}", "x".repeat(43))).unwrap();
        let widths: Vec<usize> = code.lines().map(|row| row.chars().count()).collect();
        assert_eq!((widths.len(), widths[0]), (23, 45));
        assert!(widths.iter().all(|width| *width == widths[0]));
        assert_eq!(qr_code(&"x".repeat(3_000)), None, "no code holds that much");
    }
}
