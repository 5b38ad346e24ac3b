//! Pages, events and the audit log.

use super::{answer, ask, asked, by, hub};
use crate::hub::Ask;
use crate::query::{AuditQuery, Cursor, Query};
use crate::testing::{answers, id, name, question, request, room};
use askback_core::{Json, Limits, Status};

// L6
#[tokio::test]
async fn the_audit_log_tells_what_when_by_whom_and_where() {
    let hub = hub().await;
    let id = asked(&hub, question("Name?")).await;
    answer(&hub, &id, "x", by("rita")).await.unwrap();
    let mut lines = hub.export(AuditQuery::default());
    let mut exported = Vec::new();
    while let Some(line) = lines.next().await.unwrap() {
        assert!(!line.contains('\n'));
        exported.push(Json::parse(line.as_bytes(), &Limits::STORED).unwrap());
    }
    let field = |line: usize, name: &str| exported[line].get(name).and_then(Json::as_str).map(str::to_owned);
    assert_eq!(exported.len(), 2);
    assert_eq!(field(0, "event").as_deref(), Some("request.created"));
    assert_eq!((field(0, "by").as_deref(), field(0, "surface")), (Some("ada"), None));
    assert_eq!(field(1, "event").as_deref(), Some("request.answered"));
    assert_eq!((field(1, "by").as_deref(), field(1, "surface").as_deref()), (Some("rita"), Some("page")));
    assert_eq!((field(1, "id").as_deref(), field(1, "room").as_deref()), (Some(id.as_str()), Some("shop")));
    assert!(exported[0].get("request").is_some() && exported[1].get("outcome").is_some());
    assert!(field(1, "at").unwrap().starts_with("2027-"), "{:?}", field(1, "at"));
}

// L6
#[tokio::test]
async fn the_audit_log_is_filtered_and_exported_over_many_pages() {
    let hub = hub().await;
    for number in 0..500 {
        let place = if number % 50 == 0 { "garden" } else { "shop" };
        hub.ask(Ask::new(question("?"), name("ada"), room(place))).await.unwrap();
    }
    let mut lines = hub.export(AuditQuery { room: Some(room("garden")), ..AuditQuery::default() });
    let mut count = 0;
    while lines.next().await.unwrap().is_some() {
        count += 1;
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

/// A clock that stands still.
struct Stopped(jiff::Timestamp);

impl crate::Clock for Stopped {
    fn now(&self) -> jiff::Timestamp {
        self.0
    }
}

// L6
#[tokio::test]
async fn the_documented_line_is_a_real_one() {
    let page = include_str!("../../../../../docs/hub.md");
    let documented = page.split("```json\n").nth(1).and_then(|rest| rest.split("\n```").next()).unwrap();
    let clock = std::sync::Arc::new(Stopped("2026-11-16T09:30:00Z".parse().unwrap()));
    let options = crate::HubOptions { clock, ..crate::HubOptions::default() };
    let hub = crate::Hub::in_memory(options).await.unwrap();
    let asked = request(r#"{"type": "confirm", "message": "Deploy?"}"#);
    let ask = Ask::new(asked.clone(), name("release-agent"), room("shop")).with_id(id(1));
    hub.ask(ask).await.unwrap();
    hub.answer(&id(1), answers(&asked, &["yes"]), by("reviewer")).await.unwrap();
    let mut lines = hub.export(AuditQuery { status: Some(Status::Answered), ..AuditQuery::default() });
    assert_eq!(lines.next().await.unwrap().as_deref(), Some(documented));
}
