//! Pages, events and the audit log.

use super::{answer, ask, asked, by, hub};
use crate::hub::Ask;
use crate::limits::FOLLOWED_BYTES;
use crate::query::{AuditQuery, Cursor, Query};
use crate::testing::{name, question, request, room};
use askback_core::{Status, Surface};

// L6
#[tokio::test]
async fn the_audit_log_tells_what_when_by_whom_and_where() {
    let hub = hub().await;
    let id = asked(&hub, question("Name?")).await;
    answer(&hub, &id, "x", by("rita")).await.unwrap();
    let log = hub.audit(AuditQuery::default()).await.unwrap().items;
    let [created, answered] = log.as_slice() else { panic!("{log:?}") };
    assert_eq!((created.name(), created.by(), created.surface()), ("request.created", "ada", None));
    assert_eq!((answered.name(), answered.by()), ("request.answered", "rita"));
    assert_eq!((answered.surface(), &answered.record.id), (Some(Surface::Page), &id));
    assert!(created.record.outcome.is_none() && answered.record.outcome.is_some());
    assert!(answered.at().to_string().starts_with("2027-"), "{}", answered.at());
}

// L6
#[tokio::test]
async fn the_audit_log_is_filtered_and_read_over_many_pages() {
    let hub = hub().await;
    for number in 0..500 {
        let place = if number % 50 == 0 { "garden" } else { "shop" };
        hub.ask(Ask::new(question("?"), name("ada"), room(place))).await.unwrap();
    }
    let garden = AuditQuery { room: Some(room("garden")), limit: 4, ..AuditQuery::default() };
    let mut query = Some(garden.clone());
    let mut count = 0;
    while let Some(asked) = query.take() {
        let page = hub.audit(asked).await.unwrap();
        count += page.items.len();
        query = page.next.map(|next| AuditQuery { after: Some(next), ..garden.clone() });
    }
    assert_eq!(count, 10);
    let page = hub.audit(AuditQuery { limit: 1_000_000, ..AuditQuery::default() }).await.unwrap();
    assert_eq!(page.items.len(), crate::limits::PAGE_ITEMS, "a page has its limit");
}

// L3, L6
#[tokio::test]
async fn events_resume_after_any_number_without_a_gap() {
    let hub = hub().await;
    let mut live = hub.events(0).await.unwrap();
    // More than are kept in memory.
    let total = crate::limits::RECENT_EVENTS as u64 + 500;
    for _ in 0..total {
        asked(&hub, question("?")).await;
    }
    for number in 1..=total {
        assert_eq!(live.next().await.unwrap().number, number);
    }
    for after in [0, 1, 499, 500, 501, total - 1] {
        let mut resumed = hub.events(after).await.unwrap();
        assert_eq!(resumed.next().await.unwrap().number, after + 1);
        assert_eq!(resumed.after(), after + 1);
    }
    let error = hub.events(total + 1).await.unwrap_err().to_string();
    assert_eq!(
        error,
        format!("there is no event {} to go on from, the last one is {total}: begin anew with 0", total + 1)
    );
    let id = asked(&hub, question("One more?")).await;
    assert_eq!(live.next().await.unwrap().record.id, id);
    answer(&hub, &id, "x", by("rita")).await.unwrap();
    assert_eq!(live.next().await.unwrap().name(), "request.answered");
}

// L9, S3
#[tokio::test]
async fn pages_follow_each_other_while_requests_come_and_go() {
    let hub = hub().await;
    let mut ids = Vec::new();
    for _ in 0..25 {
        ids.push(asked(&hub, question("?")).await);
    }
    let query = Query { status: Some(Status::Pending), limit: 10, ..Query::default() };
    let first = hub.list(query.clone()).await.unwrap();
    // Those that come later are not on later pages, and one that ends there is not shown.
    asked(&hub, question("New?")).await;
    answer(&hub, &ids[12], "x", by("rita")).await.unwrap();
    let cursor = Cursor::parse(&first.next.unwrap().to_string()).unwrap();
    let second = hub.list(Query { after: Some(cursor), ..query.clone() }).await.unwrap();
    let third = hub.list(Query { after: second.next, ..query }).await.unwrap();
    let shown: Vec<_> = [first.items, second.items, third.items].concat();
    let expected: Vec<_> = ids.iter().rev().filter(|id| **id != ids[12]).collect();
    assert_eq!(shown.iter().map(|listed| &listed.record.id).collect::<Vec<_>>(), expected);
    assert_eq!(third.next, None);
    assert_eq!(hub.counts().await.unwrap().pending, 25);
}

// S3
#[tokio::test]
async fn a_page_of_large_requests_is_cut_short_and_nothing_is_left_out() {
    let hub = hub().await;
    let text = "x".repeat(900_000);
    let large = format!(r#"{{"type": "text", "message": "?", "context": [{{"type": "code", "text": "{text}"}}]}}"#);
    for _ in 0..12 {
        hub.ask(ask(request(&large))).await.unwrap();
    }
    let mut query = Query { limit: 100, ..Query::default() };
    let (mut pages, mut items) = (0, 0);
    loop {
        let page = hub.list(query.clone()).await.unwrap();
        (pages, items) = (pages + 1, items + page.items.len());
        match page.next {
            Some(next) => query.after = Some(next),
            None => break,
        }
    }
    assert_eq!((pages, items), (3, 12));
}

// L3, S3
#[tokio::test]
async fn follower_holds_no_more_than_one_large_event_and_misses_none() {
    let hub = hub().await;
    let text = "x".repeat(FOLLOWED_BYTES);
    let large = format!(r#"{{"type": "text", "message": "?", "context": [{{"type": "code", "text": "{text}"}}]}}"#);
    let mut events = hub.events(0).await.unwrap();
    for number in 0..6 {
        let request = if number % 2 == 0 { question("Small?") } else { request(&large) };
        hub.ask(ask(request)).await.unwrap();
    }
    for number in 1..=6 {
        let event = events.next().await.unwrap();
        assert_eq!(event.number, number);
        // An event that waits for its client may be large, and so may the next one, but not all of them.
        assert!(!events.has_read_ahead() || event.record.size < FOLLOWED_BYTES, "after {number}");
    }
}
