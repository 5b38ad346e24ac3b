//! A program in a real pty with a terminal emulator behind it: what a person would see, and what they would do.
//!
//! The emulator reflows lines when the window changes and keeps a scrollback, as people's terminals do. Byte matching is
//! not a screen: everything here is read from the emulator's grid.

#![expect(clippy::panic, reason = "a test that waits in vain should say what it sees")]

use alacritty_terminal::event::{Event, EventListener, OnResize, WindowSize};
use alacritty_terminal::grid::Dimensions;
use alacritty_terminal::index::{Column, Line};
use alacritty_terminal::term::cell::{Cell, Flags};
use alacritty_terminal::term::{Config, Term, TermMode};
use alacritty_terminal::tty::{self, Options, Pty, Shell};
use alacritty_terminal::vte::ansi::Processor;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal};
use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::rc::Rc;
use std::time::{Duration, Instant};

mod svg;

/// How long anything may take before a test gives up.
const PATIENCE: Duration = Duration::from_secs(20);

/// The size of a window.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    /// Characters in a row.
    pub columns: usize,
    /// Rows.
    pub rows: usize,
}

impl Dimensions for Size {
    fn total_lines(&self) -> usize {
        self.rows
    }

    fn screen_lines(&self) -> usize {
        self.rows
    }

    fn columns(&self) -> usize {
        self.columns
    }
}

impl From<Size> for WindowSize {
    fn from(size: Size) -> Self {
        let part = |count: usize| u16::try_from(count).unwrap_or(u16::MAX);
        Self { num_lines: part(size.rows), num_cols: part(size.columns), cell_width: 8, cell_height: 16 }
    }
}

/// What the emulator would write back: answers to questions that nobody should ask.
#[derive(Clone, Default)]
struct Answers(Rc<RefCell<Vec<String>>>);

impl EventListener for Answers {
    fn send_event(&self, event: Event) {
        if let Event::PtyWrite(text) = event {
            self.0.borrow_mut().push(text);
        }
    }
}

/// A program, its terminal, and what is on it.
pub struct Screen {
    pty: Pty,
    term: Term<Answers>,
    parser: Processor,
    answers: Answers,
    size: Size,
    raw: Vec<u8>,
}

impl Screen {
    /// Runs a program with nothing in its environment but a path, a locale, a colourful terminal and `variables`.
    pub fn run(size: Size, variables: &[(&str, &str)], program: &str, arguments: &[&str]) -> io::Result<Self> {
        let path = std::env::var("PATH").unwrap_or_default();
        let mut environment: Vec<(&str, &str)> =
            vec![("PATH", &path), ("TERM", "xterm-256color"), ("COLORTERM", "truecolor"), ("LANG", "C.UTF-8")];
        environment.push(("USER", "reviewer"));
        for (name, value) in variables {
            environment.retain(|(known, _)| known != name);
            if !value.is_empty() {
                environment.push((name, value));
            }
        }
        let mut command = vec!["-i".to_owned()];
        command.extend(environment.iter().map(|(name, value)| format!("{name}={value}")));
        command.push(program.to_owned());
        command.extend(arguments.iter().map(|&argument| argument.to_owned()));
        Self::with_shell(size, Shell::new("env".to_owned(), command))
    }

    /// Runs a program directly, in our own environment: for measuring.
    pub fn start(size: Size, program: &str, arguments: &[&str]) -> io::Result<Self> {
        let arguments = arguments.iter().map(|&argument| argument.to_owned()).collect();
        Self::with_shell(size, Shell::new(program.to_owned(), arguments))
    }

    fn with_shell(size: Size, shell: Shell) -> io::Result<Self> {
        let options = Options { shell: Some(shell), working_directory: None, drain_on_exit: true, env: HashMap::new() };
        let pty = tty::new(&options, size.into(), 0)?;
        let answers = Answers::default();
        let config = Config { scrolling_history: 10_000, ..Config::default() };
        let term = Term::new(config, &size, answers.clone());
        Ok(Self { pty, term, parser: Processor::new(), answers, size, raw: Vec::new() })
    }

    /// Waits for bytes without showing them to the emulator; how many came.
    pub fn read_unseen(&mut self, patience: Duration) -> usize {
        let timeout = Timespec::try_from(patience).unwrap_or(Timespec { tv_sec: 0, tv_nsec: 0 });
        let mut waits = [PollFd::new(self.pty.file(), PollFlags::IN)];
        if poll(&mut waits, Some(&timeout)).unwrap_or(0) == 0 {
            return 0;
        }
        let mut buffer = [0; 65_536];
        // Nothing more comes when the program has ended; that is no failure of the screen.
        let count = self.pty.file().read(&mut buffer).unwrap_or(0);
        self.raw.extend_from_slice(&buffer[..count]);
        count
    }

    /// Types.
    pub fn keys(&mut self, keys: &str) {
        let mut rest = keys.as_bytes();
        let start = Instant::now();
        while !rest.is_empty() && start.elapsed() < PATIENCE {
            match self.pty.file().write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    self.pump(Duration::from_millis(5));
                }
                Err(error) => panic!("can't type {keys:?}: {error}\n{}", self.text()),
            }
        }
    }

    /// Pastes as a terminal does that marks pastes, if the program asked for it.
    pub fn paste(&mut self, text: &str) {
        if self.marks_pastes() {
            self.keys(&format!("\x1b[200~{text}\x1b[201~"));
        } else {
            self.keys(text);
        }
    }

    /// Lets the emulator take what the program writes for up to `patience`; whether there was anything.
    pub fn pump(&mut self, patience: Duration) -> bool {
        let count = self.read_unseen(patience);
        self.parser.advance(&mut self.term, &self.raw[self.raw.len() - count..]);
        count > 0
    }

    /// Waits until nothing has been written for `quiet`.
    pub fn settle(&mut self, quiet: Duration) {
        let start = Instant::now();
        let mut last = Instant::now();
        while last.elapsed() < quiet && start.elapsed() < PATIENCE {
            if self.pump(quiet.saturating_sub(last.elapsed()).max(Duration::from_millis(1))) {
                last = Instant::now();
            }
        }
    }

    /// Waits until the screen shows a text.
    pub fn wait_for(&mut self, text: &str) {
        self.wait_until(&format!("{text:?}"), |screen| screen.text().contains(text));
    }

    /// Waits until something is so.
    pub fn wait_until(&mut self, what: &str, holds: impl Fn(&Self) -> bool) {
        let start = Instant::now();
        while !holds(self) {
            assert!(start.elapsed() < PATIENCE, "waited in vain for {what}; the screen shows:\n{}", self.text());
            self.pump(Duration::from_millis(10));
        }
    }

    /// Makes the window another size, as dragging its corner does.
    pub fn resize(&mut self, size: Size) {
        self.size = size;
        self.term.resize(size);
        self.pty.on_resize(size.into());
    }

    /// What is on the screen, without the spaces at the ends of rows and the empty rows at the end.
    pub fn text(&self) -> String {
        self.rows(0)
    }

    /// The same with everything that has scrolled away.
    pub fn history(&self) -> String {
        self.rows(self.term.grid().history_size())
    }

    fn rows(&self, above: usize) -> String {
        let first = -i32::try_from(above).unwrap_or(0);
        let last = i32::try_from(self.size.rows).unwrap_or(0);
        let rows: Vec<String> = (first..last).map(|row| self.row(row)).collect();
        rows.join("\n").trim_end().to_owned()
    }

    fn row(&self, row: i32) -> String {
        let mut text = String::new();
        for cell in self.cells(row).iter().filter(|cell| !cell.flags.contains(Flags::WIDE_CHAR_SPACER)) {
            text.push(cell.c);
            text.extend(cell.zerowidth().unwrap_or_default());
        }
        text.trim_end().to_owned()
    }

    fn cells(&self, row: i32) -> Vec<Cell> {
        (0..self.size.columns).map(|column| self.term.grid()[Line(row)][Column(column)].clone()).collect()
    }

    /// The row and column of the cursor.
    pub fn cursor(&self) -> (usize, usize) {
        let point = self.term.grid().cursor.point;
        (usize::try_from(point.line.0).unwrap_or(0), point.column.0)
    }

    /// Whether the cursor is shown.
    pub fn shows_cursor(&self) -> bool {
        self.term.mode().contains(TermMode::SHOW_CURSOR)
    }

    /// Whether pastes are marked.
    pub fn marks_pastes(&self) -> bool {
        self.term.mode().contains(TermMode::BRACKETED_PASTE)
    }

    /// Whether keys are echoed and lines edited by the terminal, as in a shell's rest.
    pub fn is_at_rest(&self) -> bool {
        use rustix::termios::{LocalModes, tcgetattr};
        let modes = LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG;
        tcgetattr(self.pty.file()).is_ok_and(|termios| termios.local_modes.contains(modes))
    }

    /// What the terminal was asked, told by what it would have answered.
    pub fn answers(&self) -> Vec<String> {
        self.answers.0.borrow().clone()
    }

    /// Every byte the program wrote.
    pub fn raw(&self) -> &[u8] {
        &self.raw
    }

    /// Sends the program a signal.
    pub fn signal(&self, signal: Signal) {
        let id = i32::try_from(self.pty.child().id()).ok().and_then(Pid::from_raw);
        let sent = id.map(|id| rustix::process::kill_process(id, signal));
        assert_eq!(sent, Some(Ok(())), "can't send {signal:?}");
    }

    /// Waits until the program has ended, and gives its exit status; a signal counts as shells count it.
    pub fn exit_status(&mut self) -> i32 {
        let id = i32::try_from(self.pty.child().id()).ok().and_then(Pid::from_raw);
        let start = Instant::now();
        loop {
            self.pump(Duration::from_millis(5));
            let waited = rustix::process::waitpid(id, rustix::process::WaitOptions::NOHANG);
            if let Ok(Some((_, status))) = waited {
                while self.pump(Duration::from_millis(20)) {}
                return status
                    .exit_status()
                    .or_else(|| status.terminating_signal().map(|signal| 128 + signal))
                    .unwrap_or(-1);
            }
            assert!(start.elapsed() < PATIENCE, "it did not end; the screen shows:\n{}", self.text());
        }
    }
}
