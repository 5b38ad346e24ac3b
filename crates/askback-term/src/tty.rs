//! The one owner of the terminal while a prompt is up: it reads keys, writes what the painter says, and puts everything
//! back whatever happens.

use crate::error::TermError;
use rustix::fs::{Mode, OFlags, open};
use rustix::io::{Errno, retry_on_intr};
use rustix::process::{getpgrp, kill_current_process_group};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, isatty, tcgetattr, tcgetpgrp, tcgetwinsize,
    tcsetattr,
};
use std::ffi::CString;
use std::future::pending;
use std::os::fd::OwnedFd;
use std::time::Duration;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;
use tokio::signal::unix::{Signal, SignalKind, signal};
use tokio::time::{Instant, sleep_until};

pub(crate) mod keys;

/// Marks pastes from now on; the first thing to write after [`Tty::enter`].
pub(crate) const ENTER: &str = "\x1b[?2004h";
const LEAVE: &str = "\x1b[?2004l\x1b[?25h";

/// What a terminal is taken to be where it does not say.
const USUAL_SIZE: (usize, usize) = (80, 24);
/// How often a prompt in the background looks whether it is in front again: a shell does not always tell.
const LOOK: Duration = Duration::from_millis(250);
/// Bytes read at once: more than a terminal takes in a line.
const READ: usize = 1 << 16;
/// Reads of what was typed before; no person types more than that, and the terminal discards the rest.
pub(crate) const READS: usize = 256;

/// What becomes of keys that were typed before the terminal was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Typed {
    Kept,
    /// They were not meant for what is about to be shown.
    Discarded,
}

/// How what is typed comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taking {
    /// Key by key, unseen.
    Keys,
    /// Line by line, edited by the terminal itself.
    Lines(Echo),
}

/// Whether what is typed is seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Echo {
    Seen,
    Unseen,
}

/// How the terminal is found when the shell may have called us back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Return {
    /// It is still another program's.
    Away,
    /// No other program was there: what is on the screen is ours.
    Unchanged,
    /// Others may have used it, and [`Tty::enter`] takes it again.
    Back,
}

/// Ctrl+C and Ctrl+Z. In [`Taking::Lines`] they end a line instead of sending a signal: what they mean is the prompt's to say,
/// and a signal would also reach the programs beside us.
pub(crate) const INTERRUPT: u8 = 0x03;
pub(crate) const SUSPEND: u8 = 0x1a;

pub(crate) struct Tty {
    /// Opened anew for reading without blocking: the descriptors we were started with are shared with others.
    reader: AsyncFd<OwnedFd>,
    writer: OwnedFd,
    /// What the terminal was like before us, while it is ours.
    before: Option<Termios>,
    pub(crate) taking: Taking,
    buffer: Vec<u8>,
    /// Whether the terminal is ours, as far as is known.
    pub(crate) is_here: bool,
    /// When to look next whether we are in front again.
    look: Option<Instant>,
    /// SIGCONT: the shell has called us back.
    continued: Signal,
}

/// Whether a person can be taken to be at the terminal (S6): there is one on standard input or standard error, and this
/// program is in front.
pub fn is_person_here() -> bool {
    open_in_front().is_ok()
}

impl Tty {
    /// The controlling terminal, if a person can be asked there (S6).
    pub(crate) fn open() -> Result<Self, TermError> {
        let reader = open_in_front()?;
        // Standard error may be another terminal, where somebody else is in front.
        let error = rustix::stdio::stderr();
        let is_ours = isatty(error) && tcgetpgrp(error).is_ok();
        Ok(Self {
            writer: if is_ours { error.try_clone_to_owned()? } else { open_terminal(OFlags::RDWR)? },
            reader: watch(reader)?,
            before: None,
            taking: Taking::Keys,
            buffer: vec![0; READ],
            is_here: true,
            look: None,
            continued: signal(SignalKind::from_raw(rustix::process::Signal::CONT.as_raw()))?,
        })
    }

    /// Takes the terminal, or takes it in another way.
    pub(crate) fn enter(&mut self, taking: Taking, typed: Typed) -> Result<(), TermError> {
        if self.before.is_some() && self.taking == taking && typed == Typed::Kept {
            return Ok(());
        }
        let before = match &mut self.before {
            Some(before) => before,
            before => before.insert(tcgetattr(&self.writer)?),
        };
        let action = match typed {
            Typed::Kept => OptionalActions::Now,
            Typed::Discarded => OptionalActions::Flush,
        };
        let modes = match taking {
            Taking::Keys => unseen(before),
            Taking::Lines(echo) => in_lines(before, echo),
        };
        tcsetattr(&self.writer, action, &modes)?;
        self.taking = taking;
        Ok(())
    }

    /// Gives the terminal back as it was. Whoever is in front instead of us has it already.
    pub(crate) fn leave(&mut self) -> Result<(), TermError> {
        self.is_here = false;
        let Some(before) = self.before.take().filter(|_| self.is_in_front()) else {
            return Ok(());
        };
        let wrote = if self.taking == Taking::Keys { self.write(LEAVE) } else { Ok(()) };
        // At once: a terminal that takes no output must not keep the program from ending.
        tcsetattr(&self.writer, OptionalActions::Now, &before)?;
        wrote
    }

    /// Whether what is typed still comes as only we want it.
    fn is_ours(&self) -> bool {
        tcgetattr(&self.writer).is_ok_and(|now| match self.taking {
            Taking::Keys => !now.local_modes.contains(LocalModes::ICANON),
            Taking::Lines(_) => now.special_codes[SpecialCodeIndex::VEOL] == INTERRUPT,
        })
    }

    /// Gives the terminal to the shell until it calls us back. Where no shell could, this returns at once.
    pub(crate) fn suspend(&mut self) -> Result<(), TermError> {
        self.leave()?;
        kill_current_process_group(rustix::process::Signal::TSTP)?;
        Ok(())
    }

    /// Whether the terminal is ours to take again; others may have used it meanwhile.
    pub(crate) fn come_back(&mut self) -> Return {
        if !self.is_in_front() {
            self.is_here = false;
            return Return::Away;
        }
        if self.is_here && self.is_ours() {
            return Return::Unchanged;
        }
        self.is_here = true;
        self.look = None;
        Return::Back
    }

    /// Whether the terminal is ours to write on: never over another program (S6).
    pub(crate) fn may_write(&mut self) -> bool {
        self.is_here = self.is_here && self.is_in_front();
        self.is_here
    }

    pub(crate) fn is_in_front(&self) -> bool {
        is_in_front(self.reader.get_ref())
    }

    pub(crate) fn size(&self) -> (usize, usize) {
        match tcgetwinsize(&self.writer) {
            Ok(size) if size.ws_col > 0 && size.ws_row > 0 => (size.ws_col.into(), size.ws_row.into()),
            _ => USUAL_SIZE,
        }
    }

    pub(crate) fn write(&self, text: &str) -> Result<(), TermError> {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match retry_on_intr(|| rustix::io::write(&self.writer, rest)) {
                Ok(0) => return Err(TermError::Lost),
                Ok(count) => rest = &rest[count..],
                // Somebody who shares the descriptor has made it not block.
                Err(Errno::AGAIN) => wait_for_room(&self.writer)?,
                Err(errno) => return Err(errno.into()),
            }
        }
        Ok(())
    }

    /// What is typed next, or `None` when the terminal may be ours again. Dropped in the middle, nothing is lost.
    pub(crate) async fn next(&mut self) -> Result<Option<&[u8]>, TermError> {
        let look = (!self.is_here).then(|| *self.look.get_or_insert_with(|| Instant::now() + LOOK));
        tokio::select! {
            biased;
            // In the background, what is typed is for others.
            count = read(&self.reader, self.taking, &mut self.buffer), if self.is_here => {
                Ok(Some(&self.buffer[..count?]))
            }
            _ = self.continued.recv() => Ok(None),
            () = until(look) => {
                self.look = None;
                Ok(None)
            }
        }
    }

    /// Some bytes that were typed already, if there are any.
    pub(crate) fn read_now(&mut self) -> Result<Option<&[u8]>, TermError> {
        let count = read_now(self.reader.get_ref(), self.taking, &mut self.buffer)?;
        Ok(count.map(|count| &self.buffer[..count]))
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        // There is nobody left to tell.
        let _ = self.leave();
    }
}

/// Waits until a moment, or for ever.
pub(crate) async fn until(instant: Option<Instant>) {
    match instant {
        Some(instant) => sleep_until(instant).await,
        None => pending().await,
    }
}

async fn read(reader: &AsyncFd<OwnedFd>, taking: Taking, buffer: &mut [u8]) -> Result<usize, TermError> {
    loop {
        let mut ready = reader.readable().await?;
        match read_now(reader.get_ref(), taking, buffer)? {
            Some(count) => return Ok(count),
            // It was not ready after all.
            None => ready.clear_ready(),
        }
    }
}

fn read_now(reader: &OwnedFd, taking: Taking, buffer: &mut [u8]) -> Result<Option<usize>, TermError> {
    match retry_on_intr(|| rustix::io::read(reader, &mut *buffer)) {
        // Where lines come, to read nothing means Ctrl+D, unless the terminal is gone.
        Ok(0) if taking == Taking::Keys || tcgetattr(reader).is_err() => Err(TermError::Lost),
        Ok(count) => Ok(Some(count)),
        Err(Errno::AGAIN) => Ok(None),
        Err(errno) => Err(errno.into()),
    }
}

/// The controlling terminal, where one is on standard input or standard error and this program is in front.
fn open_in_front() -> Result<OwnedFd, TermError> {
    if !isatty(rustix::stdio::stdin()) && !isatty(rustix::stdio::stderr()) {
        return Err(TermError::NoTerminal);
    }
    let terminal = open_terminal(OFlags::RDWR | OFlags::NONBLOCK)?;
    if is_in_front(&terminal) { Ok(terminal) } else { Err(TermError::Background) }
}

/// The terminal that signals come from, under a descriptor of our own.
fn open_terminal(flags: OFlags) -> Result<OwnedFd, TermError> {
    open(terminal_path()?, flags | OFlags::NOCTTY | OFlags::CLOEXEC, Mode::empty()).map_err(|errno| match errno {
        // A terminal that does not control us: whoever it controls is in front of it.
        Errno::NXIO | Errno::NOENT | Errno::NODEV => TermError::NoTerminal,
        errno => errno.into(),
    })
}

#[cfg(not(target_os = "macos"))]
fn terminal_path() -> Result<CString, TermError> {
    Ok(c"/dev/tty".to_owned())
}

/// macOS can't wait for keys on `/dev/tty`, but on the device behind it.
#[cfg(target_os = "macos")]
fn terminal_path() -> Result<CString, TermError> {
    let (input, error) = (rustix::stdio::stdin(), rustix::stdio::stderr());
    let controls = |terminal| tcgetpgrp(terminal).is_ok();
    let terminal = if controls(input) { input } else { error };
    rustix::termios::ttyname(terminal, Vec::new()).map_err(|_| TermError::NoTerminal)
}

#[expect(unsafe_code, reason = "the runtime can't see that a descriptor stays what it is")]
fn watch(reader: OwnedFd) -> Result<AsyncFd<OwnedFd>, TermError> {
    // SAFETY: an `OwnedFd` keeps its one descriptor open for as long as it lives and always names the same, and the
    // `AsyncFd` owns it from here on.
    let watched = unsafe { AsyncFd::register_with_interest(reader, Interest::READABLE) };
    watched.map_err(|error| TermError::Io(error.into()))
}

fn is_in_front(terminal: &OwnedFd) -> bool {
    tcgetpgrp(terminal).is_ok_and(|group| group == getpgrp())
}

fn wait_for_room(writer: &OwnedFd) -> Result<(), TermError> {
    let mut waits = [rustix::event::PollFd::new(writer, rustix::event::PollFlags::OUT)];
    retry_on_intr(|| rustix::event::poll(&mut waits, None))?;
    Ok(())
}

/// Keys arrive one by one, unseen and without meaning. Output is still processed: what others print stays readable.
fn unseen(before: &Termios) -> Termios {
    let mut modes = before.clone();
    modes.local_modes &=
        !(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ECHONL | LocalModes::ISIG | LocalModes::IEXTEN);
    modes.input_modes &= !(InputModes::ICRNL
        | InputModes::INLCR
        | InputModes::IGNCR
        | InputModes::IXON
        | InputModes::ISTRIP
        | InputModes::BRKINT
        | InputModes::PARMRK);
    modes.special_codes[SpecialCodeIndex::VMIN] = 1;
    modes.special_codes[SpecialCodeIndex::VTIME] = 0;
    modes
}

/// Lines are typed as ever, but Ctrl+C and Ctrl+Z end them.
fn in_lines(before: &Termios, echo: Echo) -> Termios {
    let mut modes = before.clone();
    modes.input_modes |= InputModes::ICRNL;
    modes.local_modes |= LocalModes::ICANON | LocalModes::ECHOE | LocalModes::ECHOK | LocalModes::IEXTEN;
    modes.local_modes &= !LocalModes::ISIG;
    modes.local_modes.set(LocalModes::ECHO, echo == Echo::Seen);
    modes.special_codes[SpecialCodeIndex::VEOL] = INTERRUPT;
    modes.special_codes[SpecialCodeIndex::VEOL2] = SUSPEND;
    modes
}
