//! Secrets: made here, shown once, and known afterwards only by their hash.

use crate::error::HubError;
use sha2::{Digest, Sha256};
use std::fmt;

/// What every secret begins with, for people and for programs that look for secrets where none should be.
const PREFIX: &str = "askback_";

/// Random bytes in one: nobody guesses it, so that a fast hash without a salt keeps it.
const BYTES: usize = 32;

/// How long one is as text.
const LENGTH: usize = PREFIX.len() + (BYTES * 8).div_ceil(6);

/// The secret of a token. There is no way to get it again.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// One that nobody has ever had.
    pub(crate) fn new() -> Result<Self, HubError> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes).map_err(|error| HubError::NoRandomness(error.to_string()))?;
        Ok(Self(format!("{PREFIX}{}", base64url(&bytes))))
    }

    /// The text, to be handed over and forgotten.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

/// What is kept of a secret, and what it is found by.
pub(crate) type SecretHash = [u8; 32];

/// The hash of what somebody shows; none if it can't be a secret, however long it is.
pub(crate) fn hash_of(shown: &str) -> Option<SecretHash> {
    (shown.len() == LENGTH).then(|| Sha256::digest(shown).into())
}

/// Bytes in base 64 with the letters that need no escape anywhere, without padding.
fn base64url(bytes: &[u8]) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for chunk in bytes.chunks(3) {
        let bits = chunk.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        // Each byte needs one letter more than there are bytes.
        let letters = (0..=chunk.len()).map(|place| LETTERS[(bits >> (18 - 6 * place) & 63) as usize]);
        text.extend(letters.map(char::from));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{LENGTH, Secret, base64url, hash_of};
    use std::collections::HashSet;

    #[test]
    fn bytes_are_written_as_the_standard_says() {
        for (bytes, text) in [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg")] {
            assert_eq!(base64url(bytes.as_bytes()), text);
        }
        assert_eq!(base64url(&[0xfb, 0xff, 0xfe]), "-__-");
    }

    // S1
    #[test]
    fn no_two_secrets_are_the_same_and_none_is_printed() {
        let secrets: Vec<Secret> = (0..100).map(|_| Secret::new().unwrap()).collect();
        assert_eq!(secrets.iter().map(Secret::as_str).collect::<HashSet<_>>().len(), 100);
        for secret in secrets {
            assert!(secret.as_str().starts_with("askback_") && secret.as_str().len() == LENGTH && LENGTH == 51);
            assert!(!format!("{secret:?}").contains(&secret.as_str()[8..]));
        }
    }

    // S1
    #[test]
    fn what_can_not_be_a_secret_is_not_even_looked_at() {
        for shown in ["", "askback_", &"x".repeat(LENGTH + 1), &"x".repeat(1 << 20)] {
            assert_eq!(hash_of(shown), None);
        }
    }
}
