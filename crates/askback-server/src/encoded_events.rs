//! A cache of the newest events, encoded for event streams.

use crate::limits::{ENCODED_BYTES, ENCODED_EVENTS};
use crate::service::views::new_record;
use askback_api::{EventName, RequestRef, state_json};
use askback_core::Status;
use askback_hub::Event;
use bytes::Bytes;
use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The newest events, each encoded once: all streams send the same bytes at about the same time.
#[derive(Default)]
pub(crate) struct EncodedEvents(Mutex<Newest>);

#[derive(Default)]
struct Newest {
    /// By their numbers, the newest first.
    events: VecDeque<(u64, Bytes)>,
    bytes: usize,
}

impl EncodedEvents {
    pub(crate) fn of(&self, event: &Event) -> Bytes {
        let mut newest = self.lock();
        if let Some((_, bytes)) = newest.events.iter().find(|(number, _)| *number == event.number) {
            return bytes.clone();
        }
        // With the lock held: a thousand streams that meet a large event at the same time wait for one encoding.
        let bytes = Bytes::from(encode(event));
        // A stream that is behind meets older events, which are not to displace the newest.
        let place = newest.events.iter().position(|(number, _)| *number < event.number).unwrap_or(newest.events.len());
        newest.bytes += bytes.len();
        newest.events.insert(place, (event.number, bytes.clone()));
        while newest.events.len() > ENCODED_EVENTS || (newest.bytes > ENCODED_BYTES && newest.events.len() > 1) {
            newest.bytes -= newest.events.pop_back().map_or(0, |(_, dropped)| dropped.len());
        }
        bytes
    }

    fn lock(&self) -> MutexGuard<'_, Newest> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Encodes an event: the new request, or its outcome.
pub(crate) fn encode(event: &Event) -> String {
    let record = &event.record;
    let body = match event.status {
        Status::Pending => serde_json::to_string(&new_record(record)).unwrap_or_default(),
        Status::Answered | Status::Declined | Status::Cancelled | Status::Expired => {
            state_json(RequestRef { id: &record.id, request: &record.request }, record.outcome.as_deref()).to_string()
        }
    };
    // The serialized JSON contains no line breaks.
    let name = EventName::of(event.status).name();
    format!("id: {}\nevent: {name}\ndata: {body}\n\n", event.number)
}

#[cfg(test)]
mod tests {
    use super::*;
    use askback_core::{Limits, Name, Request, Room};
    use askback_hub::{Ask, Hub, HubOptions};

    async fn asked(count: usize) -> Vec<Event> {
        let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
        let mut events = hub.events(0).await.unwrap();
        let request = Request::parse(br#"{"type": "confirm", "message": "Deploy?"}"#, &Limits::DEFAULT).unwrap();
        let mut all = Vec::new();
        for _ in 0..count {
            let ask = Ask::new(request.clone(), Name::parse("agent").unwrap(), Room::parse("shop").unwrap());
            hub.ask(ask).await.unwrap();
            all.push(events.next().await.unwrap());
        }
        all
    }

    // L3
    #[tokio::test]
    async fn an_event_is_written_once_for_all_who_follow() {
        let (kept, events) = (EncodedEvents::default(), asked(ENCODED_EVENTS + 1).await);
        let first = kept.of(&events[0]);
        assert_eq!(first, encode(&events[0]));
        assert_eq!(kept.of(&events[0]).as_ptr(), first.as_ptr(), "the same bytes, not written again");
        for event in &events {
            assert_eq!(kept.of(event), encode(event), "each has its own");
        }
        assert_eq!(kept.lock().events.len(), ENCODED_EVENTS, "only the newest are kept");
        assert_eq!(kept.of(&events[0]), first, "one that is not kept is written again");
    }
}
