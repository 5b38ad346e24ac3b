//! The values of lib0, a superset of JSON: their tags, and how they are read and skipped.

use crate::byte_reader::ByteReader;
use crate::error::DecodeError;
use crate::limits::VALUE_DEPTH;
use askback_core::Json;

pub(crate) const UNDEFINED: u8 = 127;
pub(crate) const NULL: u8 = 126;
pub(crate) const INTEGER: u8 = 125;
pub(crate) const FLOAT32: u8 = 124;
pub(crate) const FLOAT64: u8 = 123;
pub(crate) const BIGINT: u8 = 122;
pub(crate) const FALSE: u8 = 121;
pub(crate) const TRUE: u8 = 120;
pub(crate) const TEXT: u8 = 119;
pub(crate) const OBJECT: u8 = 118;
pub(crate) const ARRAY: u8 = 117;
pub(crate) const BYTES: u8 = 116;

/// How many values may be read, and on how many levels of lists and objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ValueBudget {
    values: usize,
    depth: usize,
}

impl ValueBudget {
    /// A budget of so many values, nested ones included, and so many levels, of which [`VALUE_DEPTH`] is the most.
    pub fn new(values: usize, depth: usize) -> Self {
        Self { values, depth: depth.min(VALUE_DEPTH) }
    }
}

fn spend(budget: &mut usize) -> Result<(), ValueError> {
    *budget = budget.checked_sub(1).ok_or(ValueError::OverBudget)?;
    Ok(())
}

/// Why a value can't be read as JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum ValueError {
    /// The bytes are not a value.
    #[error(transparent)]
    Malformed(#[from] DecodeError),
    /// The value can't be expressed in JSON.
    #[error("JSON has no {0}")]
    NotJson(&'static str),
    /// The value is larger than its budget.
    #[error("it is too large")]
    OverBudget,
}

impl ByteReader<'_> {
    /// Reads a value as JSON. `undefined` becomes `null`. Fields keep their order, and repeated ones stay.
    pub fn any(&mut self, budget: &mut ValueBudget) -> Result<Json, ValueError> {
        spend(&mut budget.values)?;
        Ok(match self.byte()? {
            UNDEFINED | NULL => Json::Null,
            FALSE => Json::Bool(false),
            TRUE => Json::Bool(true),
            INTEGER => Json::Number(self.integer()?),
            FLOAT32 => finite(f32::from_be_bytes(self.array()?).into())?,
            FLOAT64 => finite(f64::from_be_bytes(self.array()?))?,
            TEXT => Json::String(self.text()?.to_owned()),
            OBJECT => {
                spend(&mut budget.depth)?;
                let mut fields = Vec::new();
                for _ in 0..self.count(FIELD_BYTES)? {
                    let name = self.text()?.to_owned();
                    fields.push((name, self.any(budget)?));
                }
                budget.depth += 1;
                Json::Object(fields)
            }
            ARRAY => {
                spend(&mut budget.depth)?;
                let mut items = Vec::new();
                for _ in 0..self.count(VALUE_BYTES)? {
                    items.push(self.any(budget)?);
                }
                budget.depth += 1;
                Json::Array(items)
            }
            BIGINT => return Err(ValueError::NotJson("bigint")),
            BYTES => return Err(ValueError::NotJson("bytes")),
            _ => return Err(DecodeError::UnknownValue.into()),
        })
    }

    /// Skips a value, after checking all of it.
    pub fn skip_any(&mut self) -> Result<(), DecodeError> {
        self.skip_within(VALUE_DEPTH)
    }

    fn skip_within(&mut self, depth: usize) -> Result<(), DecodeError> {
        let inner = || depth.checked_sub(1).ok_or(DecodeError::NestedTooDeeply);
        match self.byte()? {
            UNDEFINED | NULL | FALSE | TRUE => {}
            INTEGER => _ = self.integer()?,
            FLOAT32 => _ = self.take(4)?,
            FLOAT64 | BIGINT => _ = self.take(8)?,
            TEXT => _ = self.text()?,
            BYTES => _ = self.bytes()?,
            OBJECT => {
                let inner = inner()?;
                for _ in 0..self.count(FIELD_BYTES)? {
                    self.text()?;
                    self.skip_within(inner)?;
                }
            }
            ARRAY => {
                let inner = inner()?;
                for _ in 0..self.count(VALUE_BYTES)? {
                    self.skip_within(inner)?;
                }
            }
            _ => return Err(DecodeError::UnknownValue),
        }
        Ok(())
    }
}

/// The fewest bytes of a value.
pub(crate) const VALUE_BYTES: usize = 1;
/// The fewest bytes of a field with its name.
const FIELD_BYTES: usize = 2;

fn finite(number: f64) -> Result<Json, ValueError> {
    if number.is_finite() { Ok(Json::Number(number)) } else { Err(ValueError::NotJson("NaN and no infinity")) }
}

#[cfg(test)]
mod tests {
    use super::{ByteReader, DecodeError, ValueBudget, ValueError};
    use askback_core::Json;

    const ROOMY: usize = 1_000;

    fn any(bytes: &[u8]) -> Result<Json, ValueError> {
        ByteReader::new(bytes).any(&mut ValueBudget::new(ROOMY, ROOMY))
    }

    #[test]
    fn value_that_json_lacks_is_refused_and_can_be_skipped() {
        let wide = |tag: u8, payload: &[u8]| [&[tag], payload].concat();
        for bytes in [
            wide(super::BIGINT, &[0; 8]),
            wide(super::BYTES, &[2, 1, 2]),
            wide(super::FLOAT64, &f64::NAN.to_be_bytes()),
            wide(super::FLOAT64, &f64::INFINITY.to_be_bytes()),
            wide(super::FLOAT32, &f32::NEG_INFINITY.to_be_bytes()),
        ] {
            assert!(matches!(any(&bytes), Err(ValueError::NotJson(_))), "{bytes:?}");
            let mut reader = ByteReader::new(&bytes);
            assert_eq!(reader.skip_any(), Ok(()), "{bytes:?}");
            assert!(reader.is_empty(), "{bytes:?}");
        }
        assert_eq!(any(&[super::UNDEFINED]), Ok(Json::Null));
    }

    #[test]
    fn malformed_value_is_neither_read_nor_skipped() {
        let claims_much = |tag: u8| [&[tag][..], &[255; 7], &[15, 0, 0]].concat();
        for bytes in [
            vec![],
            vec![0],
            vec![115],
            vec![128],
            vec![255],
            vec![super::TEXT, 1],
            vec![super::OBJECT, 1, 0],
            vec![super::ARRAY, 1],
            claims_much(super::TEXT),
            claims_much(super::OBJECT),
            claims_much(super::ARRAY),
        ] {
            assert!(matches!(any(&bytes), Err(ValueError::Malformed(_))), "{bytes:?}");
            assert!(ByteReader::new(&bytes).skip_any().is_err(), "{bytes:?}");
        }
    }

    // S3
    #[test]
    fn value_over_its_budget_of_values_or_levels_is_refused() {
        let list = |items: u8| [&[super::ARRAY, items][..], &vec![super::NULL; items.into()]].concat();
        let read = |bytes: &[u8], values, depth| ByteReader::new(bytes).any(&mut ValueBudget::new(values, depth));
        assert!(read(&list(9), 10, 1).is_ok());
        assert_eq!(read(&list(10), 10, 1), Err(ValueError::OverBudget));
        assert_eq!(read(&list(0), 10, 0), Err(ValueError::OverBudget));
        let nested = |levels: usize| [[super::ARRAY, 1].repeat(levels), vec![super::NULL]].concat();
        assert!(read(&nested(8), ROOMY, 8).is_ok());
        assert_eq!(read(&nested(9), ROOMY, 8), Err(ValueError::OverBudget));
        let beside = [&[super::ARRAY, 2][..], &nested(7), &nested(7)].concat();
        assert!(read(&beside, ROOMY, 8).is_ok(), "the depth of one sibling does not count for the next");
        assert!(read(&nested(32), ROOMY, ROOMY).is_ok());
        assert_eq!(read(&nested(33), ROOMY, ROOMY), Err(ValueError::OverBudget), "whatever the budget says");
        assert_eq!(ByteReader::new(&nested(32)).skip_any(), Ok(()));
        let too_deep = Err(DecodeError::NestedTooDeeply);
        assert_eq!(ByteReader::new(&nested(33)).skip_any(), too_deep);
    }
}
