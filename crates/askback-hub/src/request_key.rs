//! Ids of requests as numbers: sixteen bytes instead of a text, where there are many.

use askback_core::RequestId;
use uuid::Uuid;

pub(crate) fn request_key(id: &RequestId) -> u128 {
    // An id is a UUID, so that this never fails.
    Uuid::parse_str(id.as_str()).map_or(0, |id| id.as_u128())
}

pub(crate) fn request_id(key: u128) -> Option<RequestId> {
    RequestId::parse(&Uuid::from_u128(key).to_string()).ok()
}
