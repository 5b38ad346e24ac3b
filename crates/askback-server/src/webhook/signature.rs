//! Signatures of Standard Webhooks, with which a receiver verifies the sender and the content of a webhook.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;
use std::fmt;

/// The secret that the hub shares with a receiver.
#[derive(Clone, PartialEq, Eq)]
pub struct Key(Vec<u8>);

impl Key {
    /// Parses a secret: base64 after `whsec_`, as the convention has it, or any other text verbatim.
    pub fn parse(text: &str) -> Option<Self> {
        let bytes = match text.strip_prefix("whsec_") {
            Some(encoded) => BASE64_STANDARD.decode(encoded).ok()?,
            None => text.as_bytes().to_vec(),
        };
        (!bytes.is_empty()).then_some(Self(bytes))
    }

    /// The value of `webhook-signature`.
    pub(super) fn sign(&self, id: &str, timestamp: i64, body: &[u8]) -> String {
        let mut mac = Hmac::<Sha256>::new_from_slice(&self.0).expect("the key of an HMAC may have any length");
        mac.update(format!("{id}.{timestamp}.").as_bytes());
        mac.update(body);
        format!("v1,{}", BASE64_STANDARD.encode(mac.finalize().into_bytes()))
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Key(…)")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // S3
    #[test]
    fn a_signature_is_the_one_of_the_convention() {
        // The example in the documents and tests of the reference implementations.
        let key = Key::parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw").unwrap();
        let signed = key.sign("msg_p5jXN8AQM9LWM0D4loKWxJek", 1_614_265_330, br#"{"test": 2432232314}"#);
        assert_eq!(signed, "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
        // `printf %s 1.2.x | openssl dgst -sha256 -hmac plain -binary | base64`
        assert_eq!(Key::parse("plain").unwrap().sign("1", 2, b"x"), "v1,QzRH4CXZRS9cQIXnSkjHW6M9PqCyhusLIn+KYFjeVyU=");
    }

    // S3
    #[test]
    fn a_secret_is_something_and_never_shown() {
        for text in ["", "whsec_", "whsec_not base64"] {
            assert_eq!(Key::parse(text), None, "{text}");
        }
        assert_eq!(format!("{:?}", Key::parse("hidden").unwrap()), "Key(…)");
    }
}
