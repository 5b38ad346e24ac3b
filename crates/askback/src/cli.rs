//! The command line: its words, its help, its completions.

use crate::ask::question_args::{
    ApproveArgs, AskArgs, ChoiceArgs, ConfirmArgs, DateArgs, DropdownArgs, EmailArgs, MultilineArgs, NumberArgs,
    RatingArgs, TextArgs,
};
use crate::console::print;
use crate::error::CliError;
use crate::exit::Exit;
use crate::subcommand::Subcommand;
use askback_core::show::{Layout, Purpose, show};
use clap::{ArgMatches, Args, Command};
use clap_complete::Shell;
use std::io::{self, Write};

/// A command without its types, for the list of all.
struct Entry {
    name: &'static str,
    /// The exit status where the arguments make no sense.
    misused: Exit,
    arguments: fn(Command) -> Command,
    run: fn(&ArgMatches) -> Result<Result<Exit, CliError>, clap::Error>,
}

impl Entry {
    const fn of<C: Subcommand>(name: &'static str) -> Self {
        let run = |matches: &ArgMatches| C::from_arg_matches(matches).map(|arguments| arguments.run());
        Self { name, misused: Exit::Wrong, arguments: C::augment_args, run }
    }
}

/// Every command there is, in the order of the help.
const COMMANDS: &[Entry] = &[
    Entry::of::<ApproveArgs>("approve"),
    Entry::of::<ConfirmArgs>("confirm"),
    Entry::of::<ChoiceArgs>("choice"),
    Entry::of::<DropdownArgs>("dropdown"),
    Entry::of::<TextArgs>("text"),
    Entry::of::<MultilineArgs>("multiline"),
    Entry::of::<NumberArgs>("number"),
    Entry::of::<EmailArgs>("email"),
    Entry::of::<DateArgs>("date"),
    Entry::of::<RatingArgs>("rating"),
    Entry::of::<AskArgs>("ask"),
    Entry::of::<crate::commands::inbox::InboxArgs>("inbox"),
    Entry::of::<crate::commands::list::ListArgs>("list"),
    Entry::of::<crate::commands::show_request::ShowArgs>("show"),
    Entry::of::<crate::commands::answer::AnswerArgs>("answer"),
    Entry::of::<crate::commands::answer::DeclineArgs>("decline"),
    Entry::of::<crate::commands::answer::CancelArgs>("cancel"),
    Entry::of::<crate::commands::wait::WaitArgs>("wait"),
    Entry::of::<crate::commands::log::LogArgs>("log"),
    Entry::of::<crate::commands::open::OpenArgs>("open"),
    Entry::of::<crate::commands::token::TokenArgs>("token"),
    Entry::of::<crate::serve::ServeArgs>("serve"),
    Entry::of::<crate::hub::commands::HubCommandArgs>("hub"),
    Entry::of::<crate::mcp::McpArgs>("mcp"),
    // To an agent, 2 means that a hook forbids what it was asked about.
    Entry { misused: Exit::Refused, ..Entry::of::<crate::hook::HookArgs>("hook") },
    Entry::of::<crate::setup::SetupArgs>("setup"),
    Entry::of::<crate::chat::ChatArgs>("chat"),
    Entry::of::<crate::demo::DemoArgs>("demo"),
    Entry::of::<crate::check::CheckArgs>("check"),
    Entry::of::<crate::commands::doctor::DoctorArgs>("doctor"),
    Entry::of::<CompletionsArgs>("completions"),
    Entry::of::<crate::script_worker::ScriptWorkerArgs>(crate::script_worker::NAME),
];

/// Runs what the command line says, or says what is wrong with it.
pub(crate) fn run() -> Result<Exit, CliError> {
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
    fn run(&self) -> Result<Exit, CliError> {
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
