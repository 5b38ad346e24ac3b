//! `askback demo`: an agent that asks, in two minutes, without a key or a network.

use crate::ask::unasked;
use crate::chat::surface::Terminal;
use crate::cli::{MannerArgs, Runs};
use crate::exit::Exit;
use crate::signals::unless_signalled;
use askback_agent::{Agent, ConversationTurn, Pace, Script, Scripted, Session, Surface, TurnEnd};
use askback_core::{Json, Limits};
use askback_term::{Caps, Live, Tone};
use clap::Args;
use std::io::{self, Write};
use transcript::{Printed, Transcript};

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

impl Runs for DemoArgs {
    const NAME: &'static str = "demo";

    fn run(&self) -> io::Result<Exit> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        let exit = runtime.block_on(if self.no_input {
            Box::pin(play(self.manner.caps())) as Playing
        } else {
            Box::pin(show(self.manner.caps()))
        });
        // A hub that is being started in a thread of its own is not worth waiting for.
        runtime.shutdown_background();
        exit
    }
}

type Playing = std::pin::Pin<Box<dyn Future<Output = io::Result<Exit>>>>;

/// With the person at the terminal.
async fn show(caps: Caps) -> io::Result<Exit> {
    let mut agent = agent(Pace::Human)?;
    let live = match Live::open(caps) {
        Ok(live) => live,
        Err(error) => {
            let exit = unasked(error)?;
            let _ = writeln!(io::stderr(), "askback: `askback demo --no-input` plays the demo without a terminal");
            return Ok(exit);
        }
    };
    let mut terminal = Terminal::new(live, caps);
    terminal.live.print(Tone::Muted, INTRODUCTION);
    terminal.live.print(Tone::Plain, "");
    terminal.message(Tone::Plain, MESSAGE);
    let turn = match unless_signalled(turn(&mut agent, &mut terminal)).await? {
        Ok(turn) => turn?,
        Err(exit) => return Ok(exit),
    };
    terminal.live.print(Tone::Plain, &recap::of(&turn));
    Ok(exit(&turn))
}

/// With the answers of a script.
async fn play(caps: Caps) -> io::Result<Exit> {
    let answers = Json::parse(ANSWERS.as_bytes(), &Limits::DEFAULT).map_err(io::Error::other)?;
    let mut transcript = Transcript::new(answers, caps);
    transcript.info(INTRODUCTION);
    transcript.info(&format!("\n{} {MESSAGE}\n", transcript.signs.message));
    let turn = turn(&mut agent(Pace::Instant)?, &mut transcript).await?;
    transcript.info(&recap::of(&turn));
    Ok(match transcript.finish()? {
        Printed::Everything => exit(&turn),
        Printed::Enough => Exit::Done,
    })
}

fn agent(pace: Pace) -> io::Result<Scripted> {
    Ok(Scripted::new("demo", Script::parse(SCRIPT).map_err(io::Error::other)?, pace))
}

async fn turn(agent: &mut dyn Agent, surface: &mut dyn Surface) -> io::Result<std::sync::Arc<ConversationTurn>> {
    Session::new().take_turn(agent, surface, MESSAGE).await.map_err(io::Error::other)
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
