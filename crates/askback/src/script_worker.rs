//! `askback script-worker`: the process in which a hub runs scripts. Nobody else starts it.

use crate::error::CliError;
use crate::exit::Exit;
use crate::subcommand::Subcommand;
use askback_server::WorkerProgram;
use clap::Args;
use std::io;
use std::path::PathBuf;

/// The name of the command.
pub(crate) const NAME: &str = "script-worker";

/// Run scripts for a hub, which starts this by itself
#[derive(Debug, Args)]
#[command(hide = true)]
pub(crate) struct ScriptWorkerArgs {}

impl Subcommand for ScriptWorkerArgs {
    fn run(&self) -> Result<Exit, CliError> {
        askback_script::run_worker()?;
        Ok(Exit::Done)
    }
}

/// This program as a worker.
pub(crate) fn program() -> io::Result<WorkerProgram> {
    // On Linux the very file that runs, also after an upgrade has replaced it: hub and worker speak the same.
    let program = if cfg!(target_os = "linux") { PathBuf::from("/proc/self/exe") } else { std::env::current_exe()? };
    Ok(WorkerProgram { program, arguments: vec![NAME.into()] })
}
