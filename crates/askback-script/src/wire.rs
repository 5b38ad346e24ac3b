//! The messages between a hub and its script workers. A frame is the length of a JSON text in four bytes, and that text.
//!
//! The hub trusts no worker: what it reads is bounded in bytes here, and in numbers by the script that a frame names. Values of
//! scripts cross as JSON texts inside the JSON, so that a deep value is as deep for its reader as it was for its writer.

use crate::console::Level;
use crate::ended::Ended;
use crate::limits::FRAME_BYTES;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::io::{self, Read};
use tokio::io::{AsyncRead, AsyncReadExt};

/// Bytes of a frame's length.
const LENGTH_BYTES: usize = size_of::<u32>();

/// A message to a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum ToWorker {
    Start { script: u64, code: String },
    Answer { script: u64, call: u32, answer: Result<String, String> },
    Stop { script: u64 },
}

/// A message from a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum FromWorker {
    /// The worker can't run scripts, and exits.
    Failed(String),
    Ask {
        script: u64,
        call: u32,
        argument: String,
    },
    Wrote {
        script: u64,
        level: Level,
        text: String,
    },
    Rests {
        script: u64,
        held_bytes: usize,
        dropped_lines: usize,
    },
    /// A thread of the worker is inside a script that was given up: its priority is to be lowered.
    LostThread {
        script: u64,
        thread: u32,
        lost_threads: usize,
    },
    Finished {
        script: u64,
        end: End,
        dropped_lines: usize,
        lost_threads: usize,
    },
}

/// How a script ended inside a worker.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) enum End {
    Returned(Option<String>),
    Threw(String),
    Limit(String),
    Stopped(String),
}

impl From<&Ended> for End {
    fn from(ended: &Ended) -> Self {
        match ended {
            Ended::Returned(value) => Self::Returned(value.as_ref().map(Value::to_string)),
            Ended::Threw(why) => Self::Threw(why.clone()),
            Ended::Limit(why) => Self::Limit(why.clone()),
            Ended::Stopped(why) | Ended::Lost(why) => Self::Stopped(why.clone()),
        }
    }
}

impl TryFrom<End> for Ended {
    type Error = serde_json::Error;

    fn try_from(end: End) -> Result<Self, serde_json::Error> {
        Ok(match end {
            End::Returned(None) => Self::Returned(None),
            End::Returned(Some(text)) => Self::Returned(Some(serde_json::from_str(&text)?)),
            End::Threw(why) => Self::Threw(why),
            End::Limit(why) => Self::Limit(why),
            End::Stopped(why) => Self::Stopped(why),
        })
    }
}

/// A message as a frame.
pub(crate) fn encode(message: &impl Serialize) -> Vec<u8> {
    let mut frame = vec![0; LENGTH_BYTES];
    serde_json::to_writer(&mut frame, message).expect("messages are JSON, and memory takes any number of bytes");
    let length = u32::try_from(frame.len() - LENGTH_BYTES).expect("no message has four gigabytes");
    frame[..LENGTH_BYTES].copy_from_slice(&length.to_le_bytes());
    frame
}

/// Reads a message of a worker, or nothing at the end. Too long a frame is an error before it is read.
pub(crate) async fn read(from: &mut (impl AsyncRead + Unpin)) -> io::Result<Option<FromWorker>> {
    let mut length = [0; LENGTH_BYTES];
    if from.read(&mut length[..1]).await? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut length[1..]).await?;
    let length = u32::from_le_bytes(length) as usize;
    if length > FRAME_BYTES {
        return Err(io::Error::new(io::ErrorKind::InvalidData, format!("a frame has {length} bytes")));
    }
    let mut text = vec![0; length];
    from.read_exact(&mut text).await?;
    decode(&text).map(Some)
}

/// Reads a message of the hub, or nothing at the end.
pub(crate) fn read_blocking(from: &mut impl Read) -> io::Result<Option<ToWorker>> {
    let mut length = [0; LENGTH_BYTES];
    if from.read(&mut length[..1])? == 0 {
        return Ok(None);
    }
    from.read_exact(&mut length[1..])?;
    let mut text = vec![0; u32::from_le_bytes(length) as usize];
    from.read_exact(&mut text)?;
    decode(&text).map(Some)
}

fn decode<M: DeserializeOwned>(text: &[u8]) -> io::Result<M> {
    serde_json::from_slice(text).map_err(|error| io::Error::new(io::ErrorKind::InvalidData, error))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_all(bytes: &[u8]) -> io::Result<Option<FromWorker>> {
        let runtime = tokio::runtime::Builder::new_current_thread().build()?;
        runtime.block_on(read(&mut &*bytes))
    }

    // S3
    #[test]
    fn frame_beyond_the_limit_is_refused_before_it_is_read() {
        let mut frame = u32::try_from(FRAME_BYTES + 1).unwrap().to_le_bytes().to_vec();
        frame.resize(LENGTH_BYTES + FRAME_BYTES + 1, b' ');
        assert_eq!(read_all(&frame).unwrap_err().to_string(), format!("a frame has {} bytes", FRAME_BYTES + 1));
        // The limit is not too low for what a script may ask: every byte of it can be one that is escaped.
        let argument = Value::from("\"".repeat(crate::limits::ARGUMENT_BYTES / 2 - 1)).to_string();
        assert!(argument.len() <= crate::limits::ARGUMENT_BYTES);
        let frame = encode(&FromWorker::Ask { script: u64::MAX, call: u32::MAX, argument: argument.clone() });
        let read = read_all(&frame).unwrap();
        assert!(matches!(read, Some(FromWorker::Ask { argument: read, .. }) if read == argument));
    }

    // S3
    #[test]
    fn frame_that_is_cut_off_or_no_message_is_an_error() {
        let frame = encode(&FromWorker::Failed("no".to_owned()));
        assert!(read_all(&[]).unwrap().is_none());
        for end in 1..frame.len() {
            assert!(read_all(&frame[..end]).is_err(), "{end}");
        }
        for text in ["{}", "[1]", "{\"Ask\":{\"script\":-1,\"call\":0,\"argument\":\"\"}}", "\u{0}"] {
            let mut frame = u32::try_from(text.len()).unwrap().to_le_bytes().to_vec();
            frame.extend(text.bytes());
            assert!(read_all(&frame).is_err(), "{text}");
        }
    }
}
