//! `askback demo`: an agent that asks, in two minutes, without a key or a network.

use crate::chat::raced::Beside;
use crate::chat::surface::Terminal;
use crate::console::{report, say};
use crate::error::CliError;
use crate::exit::Exit;
use crate::signals::{block_on, unless_signalled};
use crate::style::MannerArgs;
use crate::subcommand::Subcommand;
use askback_agent::{Agent, ConversationTurn, Pace, Script, Scripted, Session, Surface, TurnEnd};
use askback_core::{Json, Limits};
use askback_term::{Caps, Live, Tone};
use clap::Args;
use page::Page;
use tokio::runtime::Builder;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use transcript::Transcript;

mod page;
mod recap;
mod transcript;

const SCRIPT: &str = include_str!("../assets/demo.toml");
const ANSWERS: &str = include_str!("../assets/demo-answers.json");

/// What the person says in the demo.
const MESSAGE: &str = "The product pages are slow. Please make them fast.";

const INTRODUCTION: &str = "An agent is asked for something that can be done in many ways. It could guess; this one asks. It follows a script: \
     there is no model behind it, and it touches nothing on your machine.";

/// Watch an agent ask instead of guess: two minutes, no key, no network
#[derive(Debug, Args)]
#[command(after_help = "For example: askback demo --no-input")]
pub(crate) struct DemoArgs {
    /// Play it with scripted answers, without a terminal
    #[arg(long)]
    no_input: bool,

    #[command(flatten)]
    manner: MannerArgs,
}

impl Subcommand for DemoArgs {
    fn run(&self) -> Result<Exit, CliError> {
        let caps = self.manner.caps();
        if self.no_input {
            return block_on(play(caps))?;
        }
        // The page is served in a thread of its own: a terminal that takes no more text for a while does not hold it up.
        let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build()?;
        let exit = runtime.block_on(show(caps));
        // What the page still does is not worth waiting for.
        runtime.shutdown_background();
        exit
    }
}

/// With the person at the terminal.
async fn show(caps: Caps) -> Result<Exit, CliError> {
    let mut agent = agent(Pace::Human)?;
    let live = match Live::open(caps) {
        Ok(live) => live,
        Err(error) => {
            let exit = report(&CliError::from(error));
            if exit == Exit::Nobody {
                say("`askback demo --no-input` plays the demo without a terminal");
            }
            return Ok(exit);
        }
    };
    let mut terminal = Terminal::new(live, caps, Beside::Nowhere);
    // Paint first.
    terminal.live.print(Tone::Muted, INTRODUCTION);
    terminal.live.print(Tone::Plain, "");
    let opening = tokio::spawn(Page::open());
    let mut page = None;
    let playing = async {
        page = invited(&mut terminal, caps, opening).await;
        terminal.live.print(Tone::Plain, "");
        terminal.message(Tone::Plain, MESSAGE);
        let turn = turn(&mut agent, &mut terminal).await?;
        terminal.live.print(Tone::Plain, &recap::of(&turn));
        Ok(exit(&turn))
    };
    let ended = unless_signalled(playing).await;
    // The terminal is given back first.
    drop(terminal);
    if let Some(page) = page {
        page.close().await;
    }
    ended?
}

/// Waits for the page, which is there at once, and says where it is. Without one there is still the terminal.
async fn invited(terminal: &mut Terminal, caps: Caps, opening: JoinHandle<Result<Page, CliError>>) -> Option<Page> {
    let opened = timeout(page::PATIENCE, opening).await.map_err(|elapsed| CliError::Io(elapsed.into()));
    let opened = opened.and_then(|opened| opened.map_err(CliError::wrong)?);
    match opened {
        Ok(page) => {
            terminal.beside = page.beside();
            page.invite(&mut terminal.live, caps);
            Some(page)
        }
        Err(error) => {
            terminal.live.print(Tone::Muted, &format!("Answer here; there is no page to answer on: {error}"));
            None
        }
    }
}

/// With the answers of a script.
async fn play(caps: Caps) -> Result<Exit, CliError> {
    let answers = Json::parse(ANSWERS.as_bytes(), &Limits::DEFAULT).map_err(CliError::wrong)?;
    let mut transcript = Transcript::new(answers, caps);
    transcript.info(INTRODUCTION);
    transcript.info(&format!("\n{} {MESSAGE}\n", transcript.signs.message));
    let turn = turn(&mut agent(Pace::Instant)?, &mut transcript).await?;
    transcript.info(&recap::of(&turn));
    Ok(transcript.finish(exit(&turn))?)
}

fn agent(pace: Pace) -> Result<Scripted, CliError> {
    Ok(Scripted::new("demo", Script::parse(SCRIPT).map_err(CliError::wrong)?, pace))
}

async fn turn(agent: &mut dyn Agent, surface: &mut dyn Surface) -> Result<std::sync::Arc<ConversationTurn>, CliError> {
    Session::new().take_turn(agent, surface, MESSAGE).await.map_err(CliError::wrong)
}

fn exit(turn: &ConversationTurn) -> Exit {
    match turn.end {
        TurnEnd::Done => Exit::Done,
        TurnEnd::Rejected | TurnEnd::Cancelled => Exit::Cancelled,
        TurnEnd::Failed(_) => Exit::Wrong,
        TurnEnd::Lost(_) => Exit::Nobody,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // T3
    #[test]
    fn the_script_and_its_answers_can_be_read() {
        assert!(Script::parse(SCRIPT).is_ok());
        assert!(Json::parse(ANSWERS.as_bytes(), &Limits::DEFAULT).is_ok());
    }
}
