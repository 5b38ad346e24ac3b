//! The terminal as a surface in the race with the hub.

use askback_client::race::{Local, LocalSurface, Prompting, TakenAway};
use askback_core::Request;
use askback_term::{Ended, Prompt, Remote, Settings, TermError};

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

/// What becomes of a prompt, which is withdrawn through its remote end once the question is taken away.
pub(crate) async fn ask_unless_taken(
    remote: Remote,
    taken_away: TakenAway,
    asking: impl Future<Output = Result<Ended, TermError>>,
) -> Local {
    let taken = async {
        remote.withdraw(taken_away.notice().await);
        // The prompt says when it is gone.
        std::future::pending::<()>().await;
    };
    let ended = tokio::select! {
        ended = asking => ended,
        () = taken => return Local::TakenAway,
    };
    match ended {
        Ok(Ended::Resolved(resolution)) => Local::Decided(resolution),
        Ok(Ended::Interrupted) => Local::Interrupted,
        Ok(_) => Local::TakenAway,
        Err(error) if error.means_nobody() => Local::Nobody(error.to_string()),
        Err(error) => Local::Lost(error.to_string()),
    }
}
