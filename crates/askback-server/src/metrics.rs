//! The counters in the text format of Prometheus. Numbers alone: no names of rooms or people.

use crate::app::{HandlerResult, Shared, typed};
use axum::http::StatusCode;
use std::fmt::Write;

pub(crate) async fn metrics(app: Shared) -> HandlerResult {
    let counters = &app.counters;
    let waiting = app.waiting_deliveries.get(app.service.hub.waiting_deliveries()).await?;
    let mut text = String::new();
    let mut put = |name: &str, kind: &str, help: &str, value: u64| {
        let _ = writeln!(text, "# HELP askback_{name} {help}\n# TYPE askback_{name} {kind}\naskback_{name} {value}");
    };
    put("requests_pending", "gauge", "Requests that wait for an answer.", app.service.hub.pending() as u64);
    put("events_total", "counter", "Changes in the log.", app.service.hub.last_event());
    put("waiting_calls", "gauge", "Calls that wait for an outcome.", app.service.waiting.get());
    put("event_streams", "gauge", "Streams of events.", counters.following.get());
    put("room_connections", "gauge", "Connections in rooms.", counters.syncing.get());
    put("webhooks_waiting", "gauge", "Events that wait to be delivered to webhooks.", waiting);
    put("connections", "gauge", "Open connections.", counters.connections.get());
    let _ =
        writeln!(text, "# HELP askback_responses_total Responses by class.\n# TYPE askback_responses_total counter");
    for (class, count) in counters.responses().enumerate().skip(2) {
        let _ = writeln!(text, "askback_responses_total{{class=\"{class}xx\"}} {count}");
    }
    Ok(typed(StatusCode::OK, "text/plain; version=0.0.4; charset=utf-8", text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::App;
    use crate::gate::Gate;
    use crate::limits::METRICS_FOR;
    use crate::service::Service;
    use crate::service::audience::Audience;
    use askback_hub::{Hub, HubOptions};
    use axum::extract::State;
    use std::sync::Arc;
    use tokio::sync::watch;

    // S3
    #[tokio::test(start_paused = true)]
    async fn call_right_after_another_does_not_read_the_store() {
        let hub = Hub::in_memory(HubOptions::default()).await.unwrap();
        let (_stopping, is_stopping) = watch::channel(false);
        let service = Service::new(hub.clone(), "http://127.0.0.1:4770", Vec::new(), Audience::default(), is_stopping);
        let gate = Gate::new("127.0.0.1:4770".parse().unwrap(), None);
        let app = Arc::new(App::new(Arc::new(service), gate, None));
        metrics(State(Arc::clone(&app))).await.unwrap();
        hub.close().await.unwrap();
        metrics(State(Arc::clone(&app))).await.unwrap();
        tokio::time::advance(METRICS_FOR).await;
        metrics(State(app)).await.unwrap_err();
    }
}
