//! Ids for new requests.

use askback_core::RequestId;
use uuid::Uuid;

/// An id for a new request, which no other has: known before it is sent, so that sending it twice is asking once.
pub fn new_id() -> RequestId {
    RequestId::parse(&Uuid::now_v7().to_string()).expect("a UUID written by its own crate is an id")
}
