//! An answer to an MCP client on its way: what it delivers is written down before it leaves, and taken back if the client was not there to
//! take it (S5).

use super::carried;
use crate::mcp::border::{Border, Carried};
use crate::mcp::desk::Desk;
use bytes::Bytes;
use futures_util::Stream;
use futures_util::stream::unfold;
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use std::convert::Infallible;
use std::io;
use tokio_util::sync::DropGuard;

/// The body, and what of it has left and may not have arrived.
pub(super) struct Watched {
    body: UnsyncBoxBody<Bytes, Infallible>,
    desk: Desk,
    border: Border,
    on_its_way: Option<(Carried, bool)>,
    /// Ends the waiting for whoever has closed the connection.
    _hung_up: DropGuard,
}

impl Watched {
    pub(super) fn new(body: UnsyncBoxBody<Bytes, Infallible>, desk: Desk, border: Border, hung_up: DropGuard) -> Self {
        Self { body, desk, border, on_its_way: None, _hung_up: hung_up }
    }

    pub(super) fn into_stream(self) -> impl Stream<Item = io::Result<Bytes>> + Send + 'static {
        unfold(self, Self::step)
    }

    async fn step(mut self) -> Option<(io::Result<Bytes>, Self)> {
        // Whoever wants more has taken what came before.
        if let Some((carried, was_news)) = self.on_its_way.take() {
            self.border.arrived(&self.desk, &carried, was_news).await;
        }
        loop {
            let Ok(frame) = self.body.frame().await?;
            let Ok(bytes) = frame.into_data() else { continue };
            if let Some(carried) = carried(&bytes) {
                match self.border.leave(&self.desk, &carried).await {
                    Ok(was_news) => self.on_its_way = Some((carried, was_news)),
                    // What can't be said to be delivered is not handed over: the client asks again and finds it.
                    Err(error) => return Some((Err(io::Error::other(error.to_string())), self)),
                }
            }
            return Some((Ok(bytes), self));
        }
    }
}

impl Drop for Watched {
    fn drop(&mut self) {
        let Some((carried, was_news)) = self.on_its_way.take() else { return };
        let (desk, border) = (self.desk.clone(), self.border.clone());
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { border.came_back(&desk, &carried, was_news).await });
        }
    }
}
