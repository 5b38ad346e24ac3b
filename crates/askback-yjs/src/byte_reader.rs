//! Reads numbers, bytes and texts as lib0 writes them, which Yjs is made of, out of bytes that nobody vouches for.
//!
//! No length and no count is believed before it was compared with what is left, and nothing is copied.

/// The largest whole number that JavaScript counts with.
pub(crate) const LARGEST: u64 = (1 << 53) - 1;

/// What keeps bytes from being what they claim to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Malformed(pub(crate) &'static str);

/// Bytes, and how far they were read.
#[derive(Debug, Clone)]
pub(crate) struct Reader<'a> {
    left: &'a [u8],
}

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self { left: bytes }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    pub(crate) fn left(&self) -> usize {
        self.left.len()
    }

    /// Makes sure that nothing follows.
    pub(crate) fn end(&self) -> Result<(), Malformed> {
        if self.is_empty() { Ok(()) } else { Err(Malformed("there are bytes after its end")) }
    }

    pub(crate) fn byte(&mut self) -> Result<u8, Malformed> {
        let (first, rest) = self.left.split_first().ok_or(TOO_SHORT)?;
        self.left = rest;
        Ok(*first)
    }

    /// A whole number: seven bits in each byte, the lowest first.
    pub(crate) fn unsigned(&mut self) -> Result<u64, Malformed> {
        let first = self.byte()?;
        self.following(first, u64::from(first & 0x7f), 7)
    }

    /// A whole number as JavaScript has it, minus zero included.
    pub(crate) fn integer(&mut self) -> Result<f64, Malformed> {
        // The first byte has the sign, and so one bit less.
        let first = self.byte()?;
        // Exact: the magnitude is at most what JavaScript counts with.
        let magnitude = self.following(first, u64::from(first & 0x3f), 6)? as f64;
        Ok(if first & 0x40 != 0 { -magnitude } else { magnitude })
    }

    /// The bytes of a number after its first, in the one way that lib0 writes it: without idle zeros at the end.
    fn following(&mut self, first: u8, mut number: u64, mut shift: u32) -> Result<u64, Malformed> {
        // Eight bytes hold all of JavaScript's whole numbers.
        const LAST_SHIFT: u32 = 49;
        let mut byte = first;
        while byte & 0x80 != 0 {
            if shift > LAST_SHIFT {
                return Err(TOO_LARGE);
            }
            byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            shift += 7;
            if byte == 0 {
                return Err(Malformed("a number has more bytes than it needs"));
            }
        }
        if number > LARGEST { Err(TOO_LARGE) } else { Ok(number) }
    }

    /// How many of something follow, each of which has at least so many bytes.
    pub(crate) fn count(&mut self, least_bytes: usize) -> Result<u64, Malformed> {
        let count = self.unsigned()?;
        let most = self.left.len() / least_bytes;
        if usize::try_from(count).is_ok_and(|count| count <= most) { Ok(count) } else { Err(TOO_SHORT) }
    }

    pub(crate) fn take(&mut self, length: usize) -> Result<&'a [u8], Malformed> {
        let (taken, rest) = self.left.split_at_checked(length).ok_or(TOO_SHORT)?;
        self.left = rest;
        Ok(taken)
    }

    pub(crate) fn array<const LENGTH: usize>(&mut self) -> Result<[u8; LENGTH], Malformed> {
        let (taken, rest) = self.left.split_first_chunk().ok_or(TOO_SHORT)?;
        self.left = rest;
        Ok(*taken)
    }

    /// Bytes with their length before them.
    pub(crate) fn bytes(&mut self) -> Result<&'a [u8], Malformed> {
        let length = self.unsigned()?;
        self.take(usize::try_from(length).map_err(|_| TOO_SHORT)?)
    }

    /// A text with its length in bytes before it.
    pub(crate) fn text(&mut self) -> Result<&'a str, Malformed> {
        std::str::from_utf8(self.bytes()?).map_err(|_| Malformed("a text is not UTF-8"))
    }
}

const TOO_SHORT: Malformed = Malformed("it ends too early");
const TOO_LARGE: Malformed = Malformed("a number is larger than 2^53 - 1");

#[cfg(test)]
mod tests {
    use super::{LARGEST, Malformed, Reader, TOO_LARGE, TOO_SHORT};

    const IDLE: Malformed = Malformed("a number has more bytes than it needs");

    #[test]
    fn a_number_is_read_in_the_one_way_it_is_written() {
        let unsigned = |bytes: &[u8]| Reader::new(bytes).unsigned();
        assert_eq!(unsigned(&[0]), Ok(0));
        assert_eq!(unsigned(&[0x7f]), Ok(127));
        assert_eq!(unsigned(&[0x80, 1]), Ok(128));
        assert_eq!(unsigned(&[255, 255, 255, 255, 255, 255, 255, 15]), Ok(LARGEST));
        assert_eq!(unsigned(&[255, 255, 255, 255, 255, 255, 255, 16]), Err(TOO_LARGE));
        assert_eq!(unsigned(&[255, 255, 255, 255, 255, 255, 255, 143, 1]), Err(TOO_LARGE));
        assert_eq!(unsigned(&[0x80, 0]), Err(IDLE));
        assert_eq!(unsigned(&[0x81, 0x80, 0]), Err(IDLE));
        assert_eq!(unsigned(&[0x80]), Err(TOO_SHORT));
        assert_eq!(unsigned(&[]), Err(TOO_SHORT));
    }

    #[test]
    fn a_number_with_a_sign_has_it_in_the_first_byte() {
        let integer = |bytes: &[u8]| Reader::new(bytes).integer();
        let largest = LARGEST as f64;
        assert_eq!(integer(&[0]), Ok(0.0));
        assert_eq!(integer(&[0x3f]), Ok(63.0));
        assert_eq!(integer(&[0x7f]), Ok(-63.0));
        assert_eq!(integer(&[0x80, 1]), Ok(64.0));
        assert_eq!(integer(&[0xc0, 1]), Ok(-64.0));
        assert_eq!(integer(&[0xbf, 255, 255, 255, 255, 255, 255, 31]), Ok(largest));
        assert_eq!(integer(&[0xff, 255, 255, 255, 255, 255, 255, 31]), Ok(-largest));
        assert_eq!(integer(&[0xbf, 255, 255, 255, 255, 255, 255, 32]), Err(TOO_LARGE));
        assert_eq!(integer(&[0x80, 0]), Err(IDLE));
        let minus_zero = Reader::new(&[0x40]).integer().unwrap();
        assert!(minus_zero == 0.0 && minus_zero.is_sign_negative());
    }

    // S3
    #[test]
    fn no_length_is_believed() {
        assert_eq!(Reader::new(&[2, 65, 66, 67]).bytes(), Ok(&[65, 66][..]));
        assert_eq!(Reader::new(&[2, 65]).bytes(), Err(TOO_SHORT));
        assert_eq!(Reader::new(&[255, 255, 255, 255, 255, 255, 255, 15, 65]).bytes(), Err(TOO_SHORT));
        assert_eq!(Reader::new(&[2, 0xc3, 0xa9]).text(), Ok("é"));
        assert_eq!(Reader::new(&[1, 0xc3]).text(), Err(Malformed("a text is not UTF-8")));
        assert_eq!(Reader::new(&[2, 0, 0, 0, 0]).count(2), Ok(2));
        assert_eq!(Reader::new(&[3, 0, 0, 0, 0]).count(2), Err(TOO_SHORT));
    }
}
