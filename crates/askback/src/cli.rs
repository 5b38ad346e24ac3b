//! The command line: its words, its help, its completions.

use crate::ask::question_args::{ApproveArgs, AskArgs, ChoiceArgs, ConfirmArgs, DropdownArgs};
use crate::ask::typed_args::{DateArgs, EmailArgs, MultilineArgs, NumberArgs, RatingArgs, TextArgs};
use crate::console::print;
use crate::exit::Exit;
use crate::subcommand::Subcommand;
use askback_core::show::{Layout, Purpose, show};
use clap::{ArgMatches, Args, Command};
use clap_complete::Shell;
use std::io::{self, Write};

/// A command without its types, for the list of all.
struct Entry {
    name: &'static str,
    misused: Exit,
    arguments: fn(Command) -> Command,
    run: fn(&ArgMatches) -> Result<io::Result<Exit>, clap::Error>,
}

impl Entry {
    const fn of<C: Subcommand>() -> Self {
        let run = |matches: &ArgMatches| C::from_arg_matches(matches).map(|arguments| arguments.run());
        Self { name: C::NAME, misused: C::MISUSED, arguments: C::augment_args, run }
    }
}

/// Every command there is, in the order of the help.
const COMMANDS: &[Entry] = &[
    Entry::of::<ApproveArgs>(),
    Entry::of::<ConfirmArgs>(),
    Entry::of::<ChoiceArgs>(),
    Entry::of::<DropdownArgs>(),
    Entry::of::<TextArgs>(),
    Entry::of::<MultilineArgs>(),
    Entry::of::<NumberArgs>(),
    Entry::of::<EmailArgs>(),
    Entry::of::<DateArgs>(),
    Entry::of::<RatingArgs>(),
    Entry::of::<AskArgs>(),
    Entry::of::<crate::commands::inbox::InboxArgs>(),
    Entry::of::<crate::commands::list::ListArgs>(),
    Entry::of::<crate::commands::show_request::ShowArgs>(),
    Entry::of::<crate::commands::answer::AnswerArgs>(),
    Entry::of::<crate::commands::answer::DeclineArgs>(),
    Entry::of::<crate::commands::answer::CancelArgs>(),
    Entry::of::<crate::commands::wait::WaitArgs>(),
    Entry::of::<crate::commands::log::LogArgs>(),
    Entry::of::<crate::commands::open::OpenArgs>(),
    Entry::of::<crate::commands::token::TokenArgs>(),
    Entry::of::<crate::serve::ServeArgs>(),
    Entry::of::<crate::hub::commands::HubCommandArgs>(),
    Entry::of::<crate::mcp::McpArgs>(),
    Entry::of::<crate::hook::HookArgs>(),
    Entry::of::<crate::setup::SetupArgs>(),
    Entry::of::<crate::chat::ChatArgs>(),
    Entry::of::<crate::demo::DemoArgs>(),
    Entry::of::<crate::check::CheckArgs>(),
    Entry::of::<crate::commands::doctor::DoctorArgs>(),
    Entry::of::<CompletionsArgs>(),
];

/// Runs what the command line says, or says what is wrong with it.
pub(crate) fn run() -> io::Result<Exit> {
    // Only the command that is named is described to the parser: a person is waiting for its prompt.
    let named = std::env::args_os().nth(1);
    let known = COMMANDS.iter().find(|entry| named.as_ref().is_some_and(|named| named == entry.name));
    let commands = known.map_or(COMMANDS, std::slice::from_ref);
    let ran = describe(commands).try_get_matches().and_then(|matches| {
        let entry = |name: &str| commands.iter().find(|entry| entry.name == name);
        match matches.subcommand().and_then(|(name, arguments)| Some((entry(name)?, arguments))) {
            Some((entry, arguments)) => (entry.run)(arguments),
            // The parser knows no others and lets none pass.
            None => Ok(Ok(Exit::Wrong)),
        }
    });
    let misused = known.map_or(Exit::Wrong, |entry| entry.misused);
    ran.unwrap_or_else(|error| Ok(print_usage(&error, misused)))
}

fn describe(commands: &[Entry]) -> Command {
    let commands = commands.iter().map(|entry| (entry.arguments)(Command::new(entry.name)));
    Command::new("askback")
        .version(env!("CARGO_PKG_VERSION"))
        .about("The human side of any agent: structured questions, validated answers")
        .subcommand_required(true)
        .arg_required_else_help(true)
        .subcommands(commands)
}

/// Print a script that completes askback's commands in a shell
#[derive(Debug, Args)]
#[command(after_help = "For example: source <(askback completions bash)")]
pub(crate) struct CompletionsArgs {
    /// The shell
    shell: Shell,
}

impl Subcommand for CompletionsArgs {
    const NAME: &'static str = "completions";

    fn run(&self) -> io::Result<Exit> {
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut describe(COMMANDS), "askback", &mut script);
        print(String::from_utf8_lossy(&script).trim_end())
    }
}

/// Help where it was asked for; otherwise what is wrong with the usage, in which names of files may stand.
fn print_usage(error: &clap::Error, misused: Exit) -> Exit {
    // Whoever does not read it misses nothing; the exit status stands.
    if error.use_stderr() {
        let _ = io::stderr().write_all(show(&error.to_string(), Layout::Block, Purpose::Exact).as_bytes());
        return misused;
    }
    let _ = error.print();
    Exit::Done
}

#[cfg(test)]
mod tests {
    use super::*;

    // F15
    #[test]
    fn every_kind_has_a_command() {
        for kind in askback_core::kind::KINDS {
            let name = if kind.name == "approval" { "approve" } else { kind.name };
            assert!(COMMANDS.iter().any(|entry| entry.name == name), "{name}");
        }
    }

    // F15
    #[test]
    fn every_command_is_well_described() {
        describe(COMMANDS).debug_assert();
    }
}
