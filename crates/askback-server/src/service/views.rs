//! Conversions of the hub's types to those of the API.

use askback_api::{AuditEvent, EventName, Login, Page, Record as ApiRecord, TokenInfo, Unattended as ApiUnattended};
use askback_hub::{Attendance, Cursor, Event, Record, Token, Unattended};

/// A request and its state.
pub(crate) fn record(record: &Record, attendance: Attendance) -> ApiRecord {
    ApiRecord {
        id: record.id.clone(),
        room: record.room.clone(),
        asker: record.asker.clone(),
        created_at: record.created_at,
        expires_at: record.deadline,
        is_waited_for: !attendance.is_absent(),
        last_waited_at: attendance.last_seen(),
        request: record.request.clone(),
        outcome: record.outcome.clone(),
    }
}

/// A new request, whose asker is waiting.
pub(crate) fn new_record(new: &Record) -> ApiRecord {
    record(new, Attendance::Waiting)
}

pub(crate) fn page<T>(items: Vec<T>, next: Option<Cursor>) -> Page<T> {
    Page { items, next: next.map(|next| next.to_string()) }
}

pub(crate) fn unattended(unattended: Unattended) -> ApiUnattended {
    ApiUnattended { id: unattended.id, last_waited_at: unattended.waited_at }
}

pub(crate) fn token(token: &Token) -> TokenInfo {
    TokenInfo {
        number: token.number,
        purpose: token.purpose,
        role: token.role,
        name: token.name.clone(),
        room: token.room.clone(),
        created_at: token.created_at,
        expires_at: token.expires_at,
    }
}

/// The login of a link or a session.
pub(crate) fn login(token: &Token) -> Login {
    Login { name: token.name.clone(), room: token.room.clone(), expires_at: token.expires_at }
}

/// A line of the audit log.
pub(crate) fn audit_event(event: &Event) -> AuditEvent {
    let Record { id, room, asker, request, outcome, .. } = &*event.record;
    AuditEvent {
        number: event.number,
        event: EventName::of(event.status),
        at: event.at(),
        by: event.by().to_owned(),
        surface: event.surface(),
        id: id.clone(),
        room: room.clone(),
        asker: asker.clone(),
        request: outcome.is_none().then(|| request.to_json()),
        outcome: outcome.as_ref().map(|outcome| outcome.to_json(request).into()),
    }
}

#[cfg(test)]
mod tests {
    use super::audit_event;
    use askback_core::{Limits, Name, Request, RequestId, Room, Surface};
    use askback_hub::{Ask, AuditQuery, Clock, Hub, HubOptions, Signature, Timestamp};
    use std::sync::Arc;

    /// A clock that stands still.
    struct Stopped(Timestamp);

    impl Clock for Stopped {
        fn now(&self) -> Timestamp {
            self.0
        }
    }

    // L6
    #[tokio::test]
    async fn documented_line_of_the_audit_log_is_a_real_one() {
        let page = include_str!("../../../../docs/hub.md");
        let documented = page.split("```json\n").nth(1).and_then(|rest| rest.split("\n```").next()).unwrap();
        let clock = Arc::new(Stopped("2026-11-16T09:30:00Z".parse().unwrap()));
        let hub = Hub::in_memory(HubOptions { clock, ..HubOptions::default() }).await.unwrap();
        let request = Request::parse(br#"{"type": "confirm", "message": "Deploy?"}"#, &Limits::DEFAULT).unwrap();
        let (name, id) = (|name| Name::parse(name).unwrap(), "019a8b3c-0000-7000-8000-000000000001");
        let id = RequestId::parse(id).unwrap();
        let ask = Ask::new(request, name("release-agent"), Room::parse("shop").unwrap()).with_id(id.clone());
        hub.ask(ask).await.unwrap();
        hub.answer(&id, &["yes".into()], Signature::new(name("reviewer"), Surface::Page)).await.unwrap();
        let log = hub.audit(AuditQuery::default()).await.unwrap().items;
        assert_eq!(serde_json::to_string(&audit_event(&log[1])).unwrap(), documented);
    }
}
