//! Reads numbers, bytes and texts in the encoding of lib0, on which Yjs is built, from untrusted bytes.
//!
//! Every length and every count is compared with the remaining bytes before it is used, and nothing is copied.

use crate::error::DecodeError;

/// JavaScript's largest safe integer.
pub(crate) const LARGEST: u64 = (1 << 53) - 1;

/// A position in untrusted bytes.
#[derive(Debug, Clone)]
pub struct ByteReader<'a> {
    rest: &'a [u8],
}

impl<'a> ByteReader<'a> {
    /// A reader at the start of these bytes.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// Whether all bytes were read.
    pub fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The number of bytes that were not read.
    pub fn remaining(&self) -> usize {
        self.rest.len()
    }

    /// Fails unless all bytes were read.
    pub fn end(&self) -> Result<(), DecodeError> {
        if self.is_empty() { Ok(()) } else { Err(DecodeError::TrailingBytes) }
    }

    /// Reads one byte.
    pub fn byte(&mut self) -> Result<u8, DecodeError> {
        let (first, rest) = self.rest.split_first().ok_or(DecodeError::UnexpectedEnd)?;
        self.rest = rest;
        Ok(*first)
    }

    /// Reads a whole number: seven bits in each byte, the lowest first.
    pub fn unsigned(&mut self) -> Result<u64, DecodeError> {
        let first = self.byte()?;
        self.following(first, u64::from(first & 0x7f), 7)
    }

    /// Reads a signed whole number as JavaScript has it, minus zero included.
    pub fn integer(&mut self) -> Result<f64, DecodeError> {
        // The first byte has the sign, and so one bit less.
        let first = self.byte()?;
        // Exact: the magnitude is a safe integer.
        let magnitude = self.following(first, u64::from(first & 0x3f), 6)? as f64;
        Ok(if first & 0x40 != 0 { -magnitude } else { magnitude })
    }

    /// Reads the bytes of a number after its first, in the one form that lib0 writes: without zeros at the end.
    fn following(&mut self, first: u8, mut number: u64, mut shift: u32) -> Result<u64, DecodeError> {
        // Eight bytes hold every safe integer.
        const LAST_SHIFT: u32 = 49;
        let mut byte = first;
        while byte & 0x80 != 0 {
            if shift > LAST_SHIFT {
                return Err(DecodeError::NumberTooLarge);
            }
            byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte == 0 {
                return Err(DecodeError::OverlongNumber);
            }
        }
        if number > LARGEST { Err(DecodeError::NumberTooLarge) } else { Ok(number) }
    }

    /// Reads the number of elements that follow, each of which has at least `least_bytes`.
    pub fn count(&mut self, least_bytes: usize) -> Result<u64, DecodeError> {
        let count = self.unsigned()?;
        let most = self.rest.len() / least_bytes;
        if usize::try_from(count).is_ok_and(|count| count <= most) {
            Ok(count)
        } else {
            Err(DecodeError::UnexpectedEnd)
        }
    }

    /// Reads so many bytes.
    pub fn take(&mut self, length: usize) -> Result<&'a [u8], DecodeError> {
        let (taken, rest) = self.rest.split_at_checked(length).ok_or(DecodeError::UnexpectedEnd)?;
        self.rest = rest;
        Ok(taken)
    }

    /// Reads an array of bytes.
    pub fn array<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], DecodeError> {
        let (taken, rest) = self.rest.split_first_chunk().ok_or(DecodeError::UnexpectedEnd)?;
        self.rest = rest;
        Ok(*taken)
    }

    /// Reads bytes with their length before them.
    pub fn bytes(&mut self) -> Result<&'a [u8], DecodeError> {
        let length = self.unsigned()?;
        self.take(usize::try_from(length).map_err(|_| DecodeError::UnexpectedEnd)?)
    }

    /// Reads a text with its length in bytes before it.
    pub fn text(&mut self) -> Result<&'a str, DecodeError> {
        std::str::from_utf8(self.bytes()?).map_err(|_| DecodeError::NotUtf8)
    }
}

#[cfg(test)]
mod tests {
    use super::{ByteReader, DecodeError, LARGEST};

    const TOO_SHORT: DecodeError = DecodeError::UnexpectedEnd;
    const TOO_LARGE: DecodeError = DecodeError::NumberTooLarge;
    const OVERLONG: DecodeError = DecodeError::OverlongNumber;

    #[test]
    fn number_that_is_not_in_its_shortest_form_is_refused() {
        let unsigned = |bytes: &[u8]| ByteReader::new(bytes).unsigned();
        assert_eq!(unsigned(&[0]), Ok(0));
        assert_eq!(unsigned(&[0x7f]), Ok(127));
        assert_eq!(unsigned(&[0x80, 1]), Ok(128));
        assert_eq!(unsigned(&[255, 255, 255, 255, 255, 255, 255, 15]), Ok(LARGEST));
        assert_eq!(unsigned(&[255, 255, 255, 255, 255, 255, 255, 16]), Err(TOO_LARGE));
        assert_eq!(unsigned(&[255, 255, 255, 255, 255, 255, 255, 143, 1]), Err(TOO_LARGE));
        assert_eq!(unsigned(&[0x80, 0]), Err(OVERLONG));
        assert_eq!(unsigned(&[0x81, 0x80, 0]), Err(OVERLONG));
        assert_eq!(unsigned(&[0x80]), Err(TOO_SHORT));
        assert_eq!(unsigned(&[]), Err(TOO_SHORT));
    }

    #[test]
    fn signed_number_has_its_sign_in_the_first_byte() {
        let integer = |bytes: &[u8]| ByteReader::new(bytes).integer();
        let largest = LARGEST as f64;
        assert_eq!(integer(&[0]), Ok(0.0));
        assert_eq!(integer(&[0x3f]), Ok(63.0));
        assert_eq!(integer(&[0x7f]), Ok(-63.0));
        assert_eq!(integer(&[0x80, 1]), Ok(64.0));
        assert_eq!(integer(&[0xc0, 1]), Ok(-64.0));
        assert_eq!(integer(&[0xbf, 255, 255, 255, 255, 255, 255, 31]), Ok(largest));
        assert_eq!(integer(&[0xff, 255, 255, 255, 255, 255, 255, 31]), Ok(-largest));
        assert_eq!(integer(&[0xbf, 255, 255, 255, 255, 255, 255, 32]), Err(TOO_LARGE));
        assert_eq!(integer(&[0x80, 0]), Err(OVERLONG));
        let minus_zero = ByteReader::new(&[0x40]).integer().unwrap();
        assert!(minus_zero == 0.0 && minus_zero.is_sign_negative());
    }

    // S3
    #[test]
    fn length_beyond_the_remaining_bytes_is_refused() {
        assert_eq!(ByteReader::new(&[2, 65, 66, 67]).bytes(), Ok(&[65, 66][..]));
        assert_eq!(ByteReader::new(&[2, 65]).bytes(), Err(TOO_SHORT));
        assert_eq!(ByteReader::new(&[255, 255, 255, 255, 255, 255, 255, 15, 65]).bytes(), Err(TOO_SHORT));
        assert_eq!(ByteReader::new(&[2, 0xc3, 0xa9]).text(), Ok("é"));
        assert_eq!(ByteReader::new(&[1, 0xc3]).text(), Err(DecodeError::NotUtf8));
        assert_eq!(ByteReader::new(&[2, 0, 0, 0, 0]).count(2), Ok(2));
        assert_eq!(ByteReader::new(&[3, 0, 0, 0, 0]).count(2), Err(TOO_SHORT));
    }
}
