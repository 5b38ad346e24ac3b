//! The codec of Yjs updates and of the y protocol: bytes in, messages out.
//!
//! Everything that a client sends is untrusted. A reader walks it within its bytes: no length and no count is believed, nesting
//! ends, and nothing is integrated into a document. What a reader keeps has a limit, named in [`limits`]. There is no socket, no
//! clock and no hub here.
//!
//! ```
//! use askback_yjs::message::{self, ProtocolMessage};
//! use askback_yjs::state_vector;
//!
//! // A client says that it knows the first five items of client 7.
//! let bytes = message::step1(&state_vector::write(&[(7, 5)]));
//!
//! let mut known = Vec::new();
//! if let ProtocolMessage::StateVector(vector) = message::read(&bytes)? {
//!     state_vector::read(vector, |client, clock| known.push((client, clock)))?;
//! }
//! assert_eq!(known, [(7, 5)]);
//! # Ok::<(), askback_yjs::DecodeError>(())
//! ```

mod any;
pub mod awareness;
mod byte_reader;
mod byte_writer;
mod error;
mod key_cache;
pub mod limits;
mod map_values;
pub mod message;
mod proposal;
pub mod state_vector;
pub mod update;
#[cfg(test)]
mod wire_tests;

pub use any::{ValueBudget, ValueError};
pub use awareness::AwarenessEntry;
pub use byte_reader::ByteReader;
pub use byte_writer::ByteWriter;
pub use error::DecodeError;
pub use key_cache::KeyCache;
pub use proposal::{Proposal, ProposalError, Proposals};
