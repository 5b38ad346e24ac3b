//! The terminal as a surface in the race with the hub.

use askback_client::race::{LocalSurface, PromptResult, Prompting, SurfaceError, TakenAway};
use askback_core::{PromptEnd, Request};
use askback_term::{Prompt, Remote, Settings, TermError};

pub(crate) struct Terminal {
    pub(crate) settings: Settings,
}

impl LocalSurface for Terminal {
    fn prompt<'a>(&'a self, request: &'a Request, taken_away: TakenAway) -> Prompting<'a> {
        Box::pin(async move {
            let prompt = Prompt::new(request, self.settings);
            ask_unless_taken(prompt.remote(), taken_away, prompt.ask()).await
        })
    }
}

/// Runs a prompt, and withdraws it through its remote end when the request ends elsewhere.
pub(crate) async fn ask_unless_taken(
    remote: Remote,
    taken_away: TakenAway,
    asking: impl Future<Output = Result<PromptEnd, TermError>>,
) -> PromptResult {
    let taken = async {
        remote.withdraw(taken_away.notice().await);
        // The prompt says when it is gone.
        std::future::pending::<()>().await;
    };
    let ended = tokio::select! {
        ended = asking => ended,
        () = taken => return Ok(PromptEnd::Withdrawn),
    };
    ended.map_err(|error| match error.means_nobody() {
        true => SurfaceError::Missing(error.to_string()),
        false => SurfaceError::Lost(error.to_string()),
    })
}
