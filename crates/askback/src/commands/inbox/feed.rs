//! What happens on the hub, as long as there is one: a stream that is lost is opened again where it broke.

use askback_api::{ApiError, EventStream, HubApi, RoomQuery, StreamEvent};
use askback_client::Client;
use std::time::Duration;
use tokio::time::sleep;

/// The pause before a hub that went away is looked for again.
const PAUSE: Duration = Duration::from_millis(500);

pub(super) struct Feed {
    client: Client,
    query: RoomQuery,
    stream: Option<Box<dyn EventStream>>,
    /// The last event that was told: from there it goes on.
    last: Option<u64>,
    /// Why there is no stream just now.
    pub(super) lost: Option<String>,
}

pub(super) enum Fed {
    Event(StreamEvent),
    /// There is a stream again, and nobody knows what happened meanwhile.
    Anew,
    /// There is none; it is being looked for.
    Lost,
}

impl Feed {
    pub(super) async fn open(client: Client, query: RoomQuery) -> Result<Self, ApiError> {
        let stream = Some(client.events(query.clone(), None).await?);
        Ok(Self { client, query, stream, last: None, lost: None })
    }

    /// The next of it. Dropped in the middle, nothing is lost.
    pub(super) async fn next(&mut self) -> Fed {
        let Some(stream) = &mut self.stream else {
            sleep(PAUSE).await;
            return match self.client.events(self.query.clone(), self.last).await {
                Ok(stream) => {
                    (self.stream, self.lost) = (Some(stream), None);
                    Fed::Anew
                }
                Err(error) => {
                    // A hub with another log, or none of these events any more, begins anew.
                    self.last = None;
                    self.lose(&error)
                }
            };
        };
        match stream.next().await {
            Ok(event) => {
                self.last = Some(event.number);
                Fed::Event(event)
            }
            Err(error) => {
                self.stream = None;
                self.lose(&error)
            }
        }
    }

    fn lose(&mut self, error: &ApiError) -> Fed {
        // Why a connection failed is of no use to whoever only waits for it.
        self.lost = Some(match error {
            ApiError::Lost(_) => "the hub can't be reached".to_owned(),
            error => error.to_string(),
        });
        Fed::Lost
    }
}
