//! The terminal as a surface in the race with the hub.

use askback_client::race::{Local, LocalSurface, Prompting, TakenAway};
use askback_core::Request;
use askback_term::{Ended, Prompt, Settings, TermError};

/// A prompt in this terminal.
pub(crate) struct Terminal {
    pub(crate) settings: Settings,
}

impl LocalSurface for Terminal {
    fn prompt<'a>(&'a self, request: &'a Request, taken_away: TakenAway) -> Prompting<'a> {
        Box::pin(async move {
            let prompt = Prompt::new(request, self.settings);
            let remote = prompt.remote();
            let taken = async {
                remote.withdraw(taken_away.notice().await);
                // The prompt says when it is gone.
                std::future::pending::<()>().await;
            };
            tokio::select! {
                ended = prompt.ask() => local(ended),
                () = taken => Local::TakenAway,
            }
        })
    }
}

/// What became of a prompt.
pub(crate) fn local(ended: Result<Ended, TermError>) -> Local {
    match ended {
        Ok(Ended::Resolved(resolution)) => Local::Decided(resolution),
        Ok(Ended::Interrupted) => Local::Interrupted,
        Ok(_) => Local::TakenAway,
        Err(error) if error.means_nobody() => Local::Nobody(error.to_string()),
        Err(error) => Local::Lost(error.to_string()),
    }
}
