//! The campaign: the load is started, the hub is killed and restarted under it, and what is stored is compared.

use crate::api::HubApi;
use crate::check::Checker;
use crate::clients::follower::Followed;
use crate::clients::{answerer, asker, attaching_asker, follower, mcp, room};
use crate::control;
use crate::disk_faults::Shim;
use crate::driver::{Driver, INBOX};
use crate::hub::{Hub, HubProgram, free_address};
use crate::load::{Load, Tokens};
use crate::random::Random;
use crate::report::Report;
use crate::{Failure, Options};
use std::path::{Path, PathBuf};
use std::thread::{Scope, ScopedJoinHandle};

/// Askers over HTTP.
const HTTP_ASKERS: usize = 4;

/// Askers over HTTP without keys, which attach.
const ATTACHING_ASKERS: usize = 1;

/// Clients of `askback mcp`, and of `/mcp`.
const MCP_CLIENTS: (usize, usize) = (2, 1);

/// Answerers over HTTP.
const HTTP_ANSWERERS: usize = 2;

/// The rooms of the other answerers.
const ROOMS: [&str; 2] = [INBOX, "/sync/crash"];

pub(crate) struct Campaign {
    pub(crate) folder: PathBuf,
    pub(crate) program: HubProgram,
    pub(crate) hub: Hub,
    pub(crate) load: Load,
    pub(crate) driver: Driver,
    options: Options,
}

impl Campaign {
    /// Starts a hub in a folder, and issues the tokens.
    pub(crate) fn prepare(options: &Options, folder: &Path) -> Result<Self, Failure> {
        let (data, address) = (folder.join("data"), free_address(options.seed)?);
        std::fs::create_dir(&data)?;
        let program = HubProgram { program: options.program.clone(), data, address, environment: Vec::new() };
        let (hub, _) = program.start()?;
        let api = HubApi::new(address);
        let askers = HTTP_ASKERS + ATTACHING_ASKERS + MCP_CLIENTS.0 + MCP_CLIENTS.1;
        let answerers = HTTP_ANSWERERS + ROOMS.len();
        let tokens = Tokens::issue(&api, program.credential("person.token")?, askers, answerers)?;
        let load = Load::new(options.program.clone(), api, tokens);
        let report = Report::new(options.seed);
        let driver = Driver { random: Random::new(options.seed), checker: Checker::default(), report };
        Ok(Self { folder: folder.to_owned(), program, hub, load, driver, options: options.clone() })
    }

    /// Runs it to its end.
    pub(crate) fn run(self) -> Result<Report, Failure> {
        let Self { folder, mut program, hub, load, mut driver, options } = self;
        let shim = Shim::build(&folder)?;
        let load = &load;
        let followed = std::thread::scope(|scope| {
            // Whatever goes wrong, the clients end.
            let _abandoned = AbandonOnDrop(load);
            let clients = Clients::start(scope, load, &folder, &mut driver.random)?;
            let hub = driver.kill_repeatedly(&program, hub, load, options.kills)?;
            let hub = driver.fail_disk_repeatedly(&mut program, hub, load, &shim, options.disk_fault_rounds)?;
            load.asking.end();
            join(clients.asking);
            load.check_clients()?;
            answerer::end_all_pending(load, &load.person)?;
            load.answering.end();
            join(clients.answering);
            // This ends the stream of the follower.
            hub.kill()?;
            let followed = clients.follower.join().ok().flatten();
            load.check_clients()?;
            followed.ok_or_else(|| Failure::from("nobody followed the events"))
        });
        // A client that fails ends everything else, which then fails as well.
        load.check_clients()?;
        let followed = followed?;
        let (hub, took) = program.start()?;
        driver.report.restarts.push(took);
        driver.compare_everything(load, &followed)?;
        hub.kill()?;
        driver.checker.violations.extend(control::integrity(&program.data)?);
        driver.report.controls = control::run(&program, &folder, load, &driver.checker)?;
        Ok(driver.finish(load))
    }
}

/// Ends the clients where the campaign is left early.
struct AbandonOnDrop<'l>(&'l Load);

impl Drop for AbandonOnDrop<'_> {
    fn drop(&mut self) {
        self.0.abandon();
    }
}

/// The threads of the clients.
struct Clients<'s> {
    asking: Vec<ScopedJoinHandle<'s, ()>>,
    answering: Vec<ScopedJoinHandle<'s, ()>>,
    follower: ScopedJoinHandle<'s, Option<Followed>>,
}

impl<'s> Clients<'s> {
    fn start<'l: 's>(
        scope: &'s Scope<'s, 'l>,
        load: &'l Load,
        folder: &Path,
        random: &mut Random,
    ) -> Result<Self, Failure> {
        let mut tokens = load.askers.iter();
        let mut asking = Vec::new();
        for token in tokens.by_ref().take(HTTP_ASKERS) {
            let random = random.fork();
            asking.push(scope.spawn(move || load.run("an asker", || asker::run(load, token, random))));
        }
        for token in tokens.by_ref().take(ATTACHING_ASKERS) {
            let random = random.fork();
            asking.push(
                scope.spawn(move || load.run("an attaching asker", || attaching_asker::run(load, token, random))),
            );
        }
        let without_hub = folder.join("mcp");
        std::fs::create_dir(&without_hub)?;
        for token in tokens.by_ref().take(MCP_CLIENTS.0) {
            let (random, data) = (random.fork(), without_hub.clone());
            let client = move || load.run("askback mcp", || mcp::run_stdio(load, token, &data, random));
            asking.push(scope.spawn(client));
        }
        for token in tokens {
            let random = random.fork();
            asking.push(scope.spawn(move || load.run("a client of /mcp", || mcp::run_http(load, token, random))));
        }
        let mut answering = Vec::new();
        for number in 0..HTTP_ANSWERERS {
            let random = random.fork();
            let client = move || load.run("an answerer", || answerer::run(load, number, random));
            answering.push(scope.spawn(client));
        }
        for (number, path) in (HTTP_ANSWERERS..).zip(ROOMS) {
            let random = random.fork();
            let client = move || load.run("a client of a room", || room::run(load, number, path, random));
            answering.push(scope.spawn(client));
        }
        let follower = scope.spawn(move || {
            let mut followed = None;
            load.run("the follower", || {
                followed = Some(follower::run(load)?);
                Ok(())
            });
            followed
        });
        Ok(Self { asking, answering, follower })
    }
}

fn join(threads: Vec<ScopedJoinHandle<'_, ()>>) {
    // A client's panic is its failure, which the load keeps.
    threads.into_iter().for_each(|thread| drop(thread.join()));
}
