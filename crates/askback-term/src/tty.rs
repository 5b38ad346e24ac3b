//! The one owner of the terminal while a prompt is up: it reads keys, writes what the painter says, and puts everything
//! back whatever happens.

use crate::error::TermError;
use rustix::fs::{Mode, OFlags, open};
use rustix::io::Errno;
use rustix::process::{Signal, getpgrp, kill_current_process_group};
use rustix::termios::{
    InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, isatty, tcgetattr, tcgetpgrp, tcgetwinsize,
    tcsetattr,
};
use std::ffi::CString;
use std::os::fd::OwnedFd;
use tokio::io::Interest;
use tokio::io::unix::AsyncFd;

pub(crate) mod keys;

/// Marks pastes from now on; the first thing to write after [`Tty::enter`].
pub(crate) const ENTER: &str = "\x1b[?2004h";
const LEAVE: &str = "\x1b[?2004l\x1b[?25h";

/// What a terminal is taken to be where it does not say.
const USUAL_SIZE: (usize, usize) = (80, 24);

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
    taking: Taking,
}

/// Whether a person can be taken to be at the terminal (S6): there is one on standard input or standard error, and this
/// program is in front.
pub fn is_person_here() -> bool {
    let (input, error) = (rustix::stdio::stdin(), rustix::stdio::stderr());
    (isatty(input) || isatty(error))
        && open_terminal(OFlags::RDWR | OFlags::NONBLOCK).is_ok_and(|tty| is_in_front(&tty))
}

impl Tty {
    /// The controlling terminal, if a person can be asked there (S6): a terminal on standard input or standard error,
    /// with this program in front.
    pub(crate) fn open() -> Result<Self, TermError> {
        let (input, error) = (rustix::stdio::stdin(), rustix::stdio::stderr());
        let (is_input, is_error) = (isatty(input), isatty(error));
        if !is_input && !is_error {
            return Err(TermError::NoTerminal);
        }
        let reader = open_terminal(OFlags::RDWR | OFlags::NONBLOCK)?;
        if !is_in_front(&reader) {
            return Err(TermError::Background);
        }
        // Standard error may be another terminal, where somebody else is in front.
        let is_ours = is_error && tcgetpgrp(error).is_ok();
        let writer = if is_ours { error.try_clone_to_owned()? } else { open_terminal(OFlags::RDWR)? };
        Ok(Self { reader: watch(reader)?, writer, before: None, taking: Taking::Keys })
    }

    /// Takes the terminal, or takes it in another way.
    pub(crate) fn enter(&mut self, taking: Taking, typed: Typed) -> Result<(), TermError> {
        if self.before.is_some() && self.taking == taking && typed == Typed::Kept {
            return Ok(());
        }
        if self.before.is_none() {
            self.before = Some(tcgetattr(&self.writer)?);
        }
        if let Some(before) = &self.before {
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
        }
        Ok(())
    }

    /// Gives the terminal back as it was. Whoever is in front instead of us has it already.
    pub(crate) fn leave(&mut self) -> Result<(), TermError> {
        let Some(before) = self.before.take().filter(|_| self.is_in_front()) else {
            return Ok(());
        };
        let wrote = if self.taking == Taking::Keys { self.write(LEAVE) } else { Ok(()) };
        // At once: a terminal that takes no output must not keep the program from ending.
        tcsetattr(&self.writer, OptionalActions::Now, &before)?;
        wrote
    }

    /// Whether what is typed still comes as only we want it.
    pub(crate) fn is_ours(&self) -> bool {
        tcgetattr(&self.writer).is_ok_and(|now| match self.taking {
            Taking::Keys => !now.local_modes.contains(LocalModes::ICANON),
            Taking::Lines(_) => now.special_codes[SpecialCodeIndex::VEOL] == INTERRUPT,
        })
    }

    /// Gives the terminal to the shell until it calls us back. Where no shell could, this returns at once.
    pub(crate) fn suspend(&mut self) -> Result<(), TermError> {
        self.leave()?;
        kill_current_process_group(Signal::TSTP)?;
        Ok(())
    }

    /// Whether this program is in front, and may paint.
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
            match rustix::io::write(&self.writer, rest) {
                Ok(0) => return Err(TermError::Lost),
                Ok(count) => rest = &rest[count..],
                Err(Errno::INTR) => {}
                // Somebody who shares the descriptor has made it not block.
                Err(Errno::AGAIN) => wait_for_room(&self.writer)?,
                Err(errno) => return Err(errno.into()),
            }
        }
        Ok(())
    }

    /// Some bytes that were typed; none only where lines come, for Ctrl+D.
    pub(crate) async fn read(&self, buffer: &mut [u8]) -> Result<usize, TermError> {
        loop {
            let mut ready = self.reader.readable().await?;
            let read = ready.try_io(|reader| rustix::io::read(reader, &mut *buffer).map_err(Into::into));
            match read {
                Ok(Ok(0)) if !self.is_at_line_end() => return Err(TermError::Lost),
                Ok(Ok(count)) => return Ok(count),
                Ok(Err(error)) => match Errno::from_io_error(&error) {
                    Some(Errno::INTR) => {}
                    Some(errno) => return Err(errno.into()),
                    None => return Err(error.into()),
                },
                // It was not ready after all.
                Err(_) => {}
            }
        }
    }

    /// Whether having read nothing means Ctrl+D, and not that the terminal is gone.
    fn is_at_line_end(&self) -> bool {
        matches!(self.taking, Taking::Lines(_)) && tcgetattr(self.reader.get_ref()).is_ok()
    }

    /// Some bytes that were typed already, if there are any.
    pub(crate) fn read_now(&self, buffer: &mut [u8]) -> Result<Option<usize>, TermError> {
        loop {
            match rustix::io::read(self.reader.get_ref(), &mut *buffer) {
                Ok(0) if !self.is_at_line_end() => return Err(TermError::Lost),
                Ok(count) => return Ok(Some(count)),
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => return Ok(None),
                Err(errno) => return Err(errno.into()),
            }
        }
    }
}

impl Drop for Tty {
    fn drop(&mut self) {
        // There is nobody left to tell.
        let _ = self.leave();
    }
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
    match rustix::event::poll(&mut waits, None) {
        Ok(_) | Err(Errno::INTR) => Ok(()),
        Err(errno) => Err(errno.into()),
    }
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
