//! Writes numbers, bytes, texts and values byte for byte as lib0 does.

use crate::any::{ARRAY, FALSE, FLOAT32, FLOAT64, INTEGER, NULL, OBJECT, TEXT, TRUE};
use askback_core::Json;

/// A growing message.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ByteWriter(Vec<u8>);

impl ByteWriter {
    /// The bytes that were written.
    pub fn into_vec(self) -> Vec<u8> {
        self.0
    }

    /// Writes one byte.
    pub fn byte(&mut self, byte: u8) {
        self.0.push(byte);
    }

    /// Writes a whole number: seven bits in each byte, the lowest first.
    pub fn unsigned(&mut self, mut number: u64) {
        while number > 0x7f {
            self.0.push(low_bits(number, 0x7f) | 0x80);
            number >>= 7;
        }
        self.0.push(low_bits(number, 0x7f));
    }

    /// Writes a whole number with its sign in the first byte.
    fn sign_and_magnitude(&mut self, is_negative: bool, magnitude: u64) {
        let sign = if is_negative { 0x40 } else { 0 };
        let first = sign | low_bits(magnitude, 0x3f);
        if magnitude > 0x3f {
            self.0.push(first | 0x80);
            self.unsigned(magnitude >> 6);
        } else {
            self.0.push(first);
        }
    }

    /// Writes bytes that are encoded already.
    pub fn encoded(&mut self, bytes: &[u8]) {
        self.0.extend_from_slice(bytes);
    }

    /// Writes bytes with their length before them.
    pub fn bytes(&mut self, bytes: &[u8]) {
        self.unsigned(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    /// Writes a text with its length in bytes before it.
    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// Writes a value.
    pub fn any(&mut self, value: &Json) {
        match value {
            Json::Null => self.byte(NULL),
            Json::Bool(false) => self.byte(FALSE),
            Json::Bool(true) => self.byte(TRUE),
            Json::Number(number) => self.number(*number),
            Json::String(text) => {
                self.byte(TEXT);
                self.text(text);
            }
            Json::Array(items) => {
                self.byte(ARRAY);
                self.unsigned(items.len() as u64);
                for item in items {
                    self.any(item);
                }
            }
            Json::Object(fields) => {
                self.byte(OBJECT);
                self.unsigned(fields.len() as u64);
                for (name, value) in fields {
                    self.text(name);
                    self.any(value);
                }
            }
        }
    }

    /// Writes a number in the shortest of three forms that keeps it.
    fn number(&mut self, number: f64) {
        const LARGEST_INTEGER: f64 = 2_147_483_647.0;
        // The nearest number, or an infinity, which then differs.
        let short = number as f32;
        if number.fract() == 0.0 && number.abs() <= LARGEST_INTEGER {
            self.byte(INTEGER);
            // Exact: it is whole and small. Minus zero keeps its sign, as in JavaScript.
            self.sign_and_magnitude(number.is_sign_negative(), number.abs() as u64);
        } else if f64::from(short) == number {
            self.byte(FLOAT32);
            self.0.extend_from_slice(&short.to_be_bytes());
        } else {
            self.byte(FLOAT64);
            self.0.extend_from_slice(&number.to_be_bytes());
        }
    }
}

fn low_bits(number: u64, mask: u8) -> u8 {
    number.to_le_bytes()[0] & mask
}
