//! The values of lib0, which are JSON and a little more: what their first bytes say, and how they are read and skipped.

use super::reading::{Malformed, Reader};
use crate::limits::ROOM_VALUE_DEPTH;
use askback_core::Json;

pub(super) const UNDEFINED: u8 = 127;
pub(super) const NULL: u8 = 126;
pub(super) const INTEGER: u8 = 125;
pub(super) const FLOAT32: u8 = 124;
pub(super) const FLOAT64: u8 = 123;
pub(super) const BIGINT: u8 = 122;
pub(super) const FALSE: u8 = 121;
pub(super) const TRUE: u8 = 120;
pub(super) const TEXT: u8 = 119;
pub(super) const OBJECT: u8 = 118;
pub(super) const ARRAY: u8 = 117;
pub(super) const BYTES: u8 = 116;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Budget {
    values: usize,
    depth: usize,
}

impl Budget {
    /// So many values, itself and all within, on so many levels of lists and objects.
    pub(crate) fn new(values: usize, depth: usize) -> Self {
        Self { values, depth: depth.min(ROOM_VALUE_DEPTH) }
    }
}

fn spend(left: &mut usize) -> Result<(), Unfit> {
    *left = left.checked_sub(1).ok_or(Unfit::OverBudget)?;
    Ok(())
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unfit {
    #[error(transparent)]
    Malformed(#[from] Malformed),
    #[error("JSON has no {0}")]
    NotJson(&'static str),
    #[error("it is too large")]
    OverBudget,
}

impl Reader<'_> {
    /// A value that is JSON. Where JavaScript had `undefined` there is `null`. Fields stand as they came, even repeated.
    pub(crate) fn any(&mut self, budget: &mut Budget) -> Result<Json, Unfit> {
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
            BIGINT => return Err(Unfit::NotJson("bigint")),
            BYTES => return Err(Unfit::NotJson("bytes")),
            _ => return Err(UNKNOWN.into()),
        })
    }

    pub(crate) fn skip_any(&mut self) -> Result<(), Malformed> {
        self.skip_within(ROOM_VALUE_DEPTH)
    }

    fn skip_within(&mut self, depth: usize) -> Result<(), Malformed> {
        let inner = || depth.checked_sub(1).ok_or(Malformed("values are nested too deeply"));
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
            _ => return Err(UNKNOWN),
        }
        Ok(())
    }
}

/// The fewest bytes of a value, and of a field with its name.
pub(super) const VALUE_BYTES: usize = 1;
const FIELD_BYTES: usize = 2;

const UNKNOWN: Malformed = Malformed("a value is of no known kind");

fn finite(number: f64) -> Result<Json, Unfit> {
    if number.is_finite() { Ok(Json::Number(number)) } else { Err(Unfit::NotJson("NaN and no infinity")) }
}

#[cfg(test)]
mod tests {
    use super::{Budget, Malformed, Reader, Unfit};
    use askback_core::Json;

    const ROOMY: usize = 1_000;

    fn any(bytes: &[u8]) -> Result<Json, Unfit> {
        Reader::new(bytes).any(&mut Budget::new(ROOMY, ROOMY))
    }

    #[test]
    fn what_json_has_not_is_refused_and_yet_skipped() {
        let wide = |tag: u8, payload: &[u8]| [&[tag], payload].concat();
        for bytes in [
            wide(super::BIGINT, &[0; 8]),
            wide(super::BYTES, &[2, 1, 2]),
            wide(super::FLOAT64, &f64::NAN.to_be_bytes()),
            wide(super::FLOAT64, &f64::INFINITY.to_be_bytes()),
            wide(super::FLOAT32, &f32::NEG_INFINITY.to_be_bytes()),
        ] {
            assert!(matches!(any(&bytes), Err(Unfit::NotJson(_))), "{bytes:?}");
            let mut reader = Reader::new(&bytes);
            assert_eq!(reader.skip_any(), Ok(()), "{bytes:?}");
            assert!(reader.is_empty(), "{bytes:?}");
        }
        assert_eq!(any(&[super::UNDEFINED]), Ok(Json::Null));
    }

    #[test]
    fn what_is_no_value_is_neither_read_nor_skipped() {
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
            assert!(matches!(any(&bytes), Err(Unfit::Malformed(_))), "{bytes:?}");
            assert!(Reader::new(&bytes).skip_any().is_err(), "{bytes:?}");
        }
    }

    // S3
    #[test]
    fn a_budget_is_of_values_and_of_levels() {
        let list = |items: u8| [&[super::ARRAY, items][..], &vec![super::NULL; items.into()]].concat();
        let read = |bytes: &[u8], values, depth| Reader::new(bytes).any(&mut Budget::new(values, depth));
        assert!(read(&list(9), 10, 1).is_ok());
        assert_eq!(read(&list(10), 10, 1), Err(Unfit::OverBudget));
        assert_eq!(read(&list(0), 10, 0), Err(Unfit::OverBudget));
        let nested = |levels: usize| [[super::ARRAY, 1].repeat(levels), vec![super::NULL]].concat();
        assert!(read(&nested(8), ROOMY, 8).is_ok());
        assert_eq!(read(&nested(9), ROOMY, 8), Err(Unfit::OverBudget));
        let beside = [&[super::ARRAY, 2][..], &nested(7), &nested(7)].concat();
        assert!(read(&beside, ROOMY, 8).is_ok(), "a level that was left can be entered again");
        assert!(read(&nested(32), ROOMY, ROOMY).is_ok());
        assert_eq!(read(&nested(33), ROOMY, ROOMY), Err(Unfit::OverBudget), "whatever the budget says");
        assert_eq!(Reader::new(&nested(32)).skip_any(), Ok(()));
        let too_deep = Err(Malformed("values are nested too deeply"));
        assert_eq!(Reader::new(&nested(33)).skip_any(), too_deep);
    }
}
