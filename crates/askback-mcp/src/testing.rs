//! A hub for tests that records which deliveries are reported to it.

use crate::asker_source::{AskerSource, FixedAsker};
use askback_api::{
    AnswerBody, ApiError, ApiFuture, AskQuery, Asked, AskerApi, CancelBody, DeclineBody, DeliveryBody, EventStream,
    HubApi, ListQuery, Me, Page, Record, RequestRef, RoomQuery, Script, ScriptBody, ScriptQuery,
};
use askback_core::{Outcome, Request, RequestId, Status};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};

/// The response of the hub to every report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Report {
    /// The report was news.
    News,
    /// The delivery was known before.
    KnownBefore,
}

struct RecordingHub {
    says: Report,
    reports: UnboundedSender<bool>,
}

/// Creates such a hub, and returns its source and the reports that reach it.
pub fn recording_hub(says: Report) -> (Arc<dyn AskerSource>, UnboundedReceiver<bool>) {
    let (reports, reported) = mpsc::unbounded_channel();
    (Arc::new(FixedAsker(Arc::new(RecordingHub { says, reports }))), reported)
}

fn unavailable<'a, T: Send + 'a>() -> ApiFuture<'a, T> {
    Box::pin(std::future::ready(Err(ApiError::Unavailable("this hub takes reports of deliveries alone".to_owned()))))
}

impl HubApi for RecordingHub {
    fn me(&self, _: RoomQuery) -> ApiFuture<'_, Me> {
        unavailable()
    }

    fn show<'a>(&'a self, _: &'a RequestId) -> ApiFuture<'a, Record> {
        unavailable()
    }

    fn list(&self, _: ListQuery) -> ApiFuture<'_, Page<Record>> {
        unavailable()
    }

    fn wait<'a>(&'a self, _: RequestRef<'a>, _: Option<Duration>) -> ApiFuture<'a, Option<Outcome>> {
        unavailable()
    }

    fn cancel<'a>(&'a self, _: RequestRef<'a>, _: CancelBody) -> ApiFuture<'a, Outcome> {
        unavailable()
    }

    fn events(&self, _: RoomQuery, _: Option<u64>) -> ApiFuture<'_, Box<dyn EventStream>> {
        unavailable()
    }
}

impl AskerApi for RecordingHub {
    fn connect(&self) -> ApiFuture<'_, ()> {
        unavailable()
    }

    fn ask(&self, _: Arc<Request>, _: AskQuery) -> ApiFuture<'_, Asked> {
        unavailable()
    }

    fn list_own(&self, _: Option<Status>, _: usize) -> ApiFuture<'_, Page<Record>> {
        unavailable()
    }

    fn deliver<'a>(&'a self, _: &'a RequestId, body: DeliveryBody) -> ApiFuture<'a, bool> {
        Box::pin(async move {
            let _ = self.reports.send(body.delivered);
            // A report takes time, as on any hub.
            tokio::task::yield_now().await;
            Ok(self.says == Report::News)
        })
    }

    fn answer_in_dialog<'a>(&'a self, _: RequestRef<'a>, _: AnswerBody) -> ApiFuture<'a, Outcome> {
        unavailable()
    }

    fn decline_in_dialog<'a>(&'a self, _: RequestRef<'a>, _: DeclineBody) -> ApiFuture<'a, Outcome> {
        unavailable()
    }

    fn start_script(&self, _: ScriptBody, _: ScriptQuery) -> ApiFuture<'_, Script> {
        unavailable()
    }

    fn wait_for_script<'a>(&'a self, _: &'a RequestId, _: Duration) -> ApiFuture<'a, Script> {
        unavailable()
    }

    fn stop_script<'a>(&'a self, _: &'a RequestId) -> ApiFuture<'a, Script> {
        unavailable()
    }

    fn deliver_script<'a>(&'a self, id: &'a RequestId, body: DeliveryBody) -> ApiFuture<'a, bool> {
        self.deliver(id, body)
    }
}
