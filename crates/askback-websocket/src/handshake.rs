//! The opening handshake.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha1::{Digest, Sha1};

/// The suffix that a server adds to a client's key.
const ACCEPT_SUFFIX: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// Bytes of a client's key.
const KEY_BYTES: usize = 16;

/// The value of `Sec-WebSocket-Accept` for a client's `Sec-WebSocket-Key`; `None` if the key is invalid.
pub fn accept(key: &str) -> Option<String> {
    let is_key = STANDARD.decode(key).is_ok_and(|bytes| bytes.len() == KEY_BYTES);
    is_key.then(|| STANDARD.encode(Sha1::new().chain_update(key).chain_update(ACCEPT_SUFFIX).finalize()))
}

#[cfg(test)]
mod tests {
    use super::accept;

    // W3
    #[test]
    fn key_of_the_standard_gives_its_accept_value_and_invalid_keys_give_none() {
        assert_eq!(accept("dGhlIHNhbXBsZSBub25jZQ==").as_deref(), Some("s3pPLMBiTxaQ9kYGzzhZRbK+xOo="));
        for key in ["", "dGhlIHNhbXBsZSBub25jZQ", "AAAA", "not base64 at all!!!!!!!"] {
            assert_eq!(accept(key), None, "{key}");
        }
    }
}
