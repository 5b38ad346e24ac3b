//! What the tests of agents share: a person who answers as told and writes down what is shown, and a folder of one's own.

#![allow(dead_code, reason = "not every test needs all of it")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "what fails in a test should fail it")]

use askback_agent::{Attending, Attention, Prompted, Prompting, Surface, ToolStatus, ToolUse};
use askback_core::{
    AnswerInput, AskError, Asker, Asking, Json, Limits, Outcome, Path, PromptStyle, Reason, Request, RequestId,
    Resolution,
};
use askback_testkit::wait::wait_for_async;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};
use tokio::sync::Notify;

/// What a person does with a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Act {
    /// Gives these answers, one for each question.
    Answer(Vec<String>),
    /// Declines, perhaps with a reason.
    Decline(Option<String>),
    /// Presses Esc.
    Cancel,
    /// Lets the time run out.
    Expire,
    /// Presses Ctrl+C.
    Interrupt,
    /// Is gone.
    Leave,
    /// Does nothing at all.
    Wait,
}

/// One answer.
pub(crate) fn answer(text: &str) -> Act {
    answers(&[text])
}

/// One answer for each question.
pub(crate) fn answers(texts: &[&str]) -> Act {
    Act::Answer(texts.iter().map(|text| (*text).to_owned()).collect())
}

/// Declines with a reason.
pub(crate) fn decline(reason: &str) -> Act {
    Act::Decline(Some(reason.to_owned()))
}

/// What was seen.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Seen {
    Text(String),
    Tool(String),
    Result(String, String, ToolStatus),
    Info(String),
    Error(String),
    Prompt(Request, PromptStyle),
    /// A prompt was taken away before it was answered.
    Withdrawn,
}

/// Everything that was seen, for whoever wants to look while it goes on.
#[derive(Debug, Clone, Default)]
pub(crate) struct Log(Arc<Mutex<Vec<Seen>>>);

impl Log {
    fn add(&self, seen: Seen) {
        self.entries().push(seen);
    }

    pub(crate) fn entries(&self) -> MutexGuard<'_, Vec<Seen>> {
        self.0.lock().unwrap()
    }

    pub(crate) fn errors(&self) -> Vec<String> {
        self.entries()
            .iter()
            .filter_map(|seen| if let Seen::Error(text) = seen { Some(text.clone()) } else { None })
            .collect()
    }

    pub(crate) fn infos(&self) -> Vec<String> {
        self.entries()
            .iter()
            .filter_map(|seen| if let Seen::Info(text) = seen { Some(text.clone()) } else { None })
            .collect()
    }

    pub(crate) fn prompts(&self) -> Vec<Request> {
        self.entries()
            .iter()
            .filter_map(|seen| if let Seen::Prompt(asked, _) = seen { Some(asked.clone()) } else { None })
            .collect()
    }
}

type Decide = Box<dyn FnMut(&Request) -> Act + Send>;

/// A surface with a person before it.
pub(crate) struct Person {
    decide: Decide,
    log: Log,
    interrupt: Arc<Notify>,
}

impl Person {
    /// Somebody who decides by what is asked.
    pub(crate) fn who(decide: impl FnMut(&Request) -> Act + Send + 'static) -> Self {
        Self { decide: Box::new(decide), log: Log::default(), interrupt: Arc::default() }
    }

    /// Somebody who does these things one after the other.
    pub(crate) fn does(acts: impl IntoIterator<Item = Act>) -> Self {
        let mut acts: std::collections::VecDeque<Act> = acts.into_iter().collect();
        Self::who(move |request| {
            acts.pop_front().unwrap_or_else(|| panic!("asked unexpectedly: {}", request.to_json()))
        })
    }

    /// Somebody who only watches.
    pub(crate) fn watches() -> Self {
        Self::does([])
    }

    pub(crate) fn log(&self) -> Log {
        self.log.clone()
    }

    /// Tell it, and the person presses Ctrl+C while watching.
    pub(crate) fn interrupt(&self) -> Arc<Notify> {
        Arc::clone(&self.interrupt)
    }
}

/// Notes a prompt that ends without an answer.
struct Open(Option<Log>);

impl Drop for Open {
    fn drop(&mut self) {
        if let Some(log) = &self.0 {
            log.add(Seen::Withdrawn);
        }
    }
}

impl Surface for Person {
    fn start_spinner(&mut self) {}

    fn stop_spinner(&mut self) {}

    fn text(&mut self, delta: &str) {
        self.log.add(Seen::Text(delta.to_owned()));
    }

    fn finish_text(&mut self) {}

    fn tool_started(&mut self, tool: &ToolUse) {
        self.log.add(Seen::Tool(tool.name.clone()));
    }

    fn tool_finished(&mut self, tool: &ToolUse) {
        let (output, status) = tool.result.clone().unwrap();
        self.log.add(Seen::Result(tool.name.clone(), output, status));
    }

    fn info(&mut self, text: &str) {
        self.log.add(Seen::Info(text.to_owned()));
    }

    fn error(&mut self, text: &str) {
        self.log.add(Seen::Error(text.to_owned()));
    }

    fn prompt<'a>(&'a mut self, request: &'a Request, look: PromptStyle) -> Prompting<'a> {
        Box::pin(async move {
            self.log.add(Seen::Prompt(request.clone(), look));
            let mut open = Open(Some(self.log.clone()));
            let act = (self.decide)(request);
            if act == Act::Wait {
                std::future::pending::<()>().await;
            }
            tokio::task::yield_now().await;
            open.0 = None;
            let outcome = outcome(request, &act)?;
            Ok(if act == Act::Interrupt { Prompted::Interrupted(outcome) } else { Prompted::Ended(outcome) })
        })
    }

    fn attend(&mut self) -> Attending<'_> {
        Box::pin(async {
            self.interrupt.notified().await;
            Attention::Interrupted
        })
    }
}

/// What comes of an act.
pub(crate) fn outcome(request: &Request, act: &Act) -> Result<Outcome, AskError> {
    let resolution = match act {
        Act::Leave => return Err(AskError::Nobody("the terminal went away".to_owned())),
        Act::Answer(texts) => {
            let raw: Vec<AnswerInput> = texts.iter().map(AnswerInput::from).collect();
            Resolution::from_answers(request.parse_answers(&raw, &Path::root()).unwrap())
        }
        Act::Decline(reason) => Resolution::declined(Reason::parse(reason.as_deref().unwrap_or_default()).unwrap()),
        Act::Expire => Resolution::from_silence(request),
        Act::Cancel | Act::Interrupt | Act::Wait => Resolution::cancelled(None),
    };
    let id = RequestId::parse("019a8b3c-0000-7000-8000-000000000000").unwrap();
    Ok(Outcome::new(id, resolution, "reviewer", askback_core::Surface::Terminal, jiff::Timestamp::UNIX_EPOCH).unwrap())
}

type Deed = Box<dyn FnOnce() + Send>;

/// A person whom tools can ask without a stream.
#[derive(Clone, Default)]
pub(crate) struct Desk {
    acts: Arc<Mutex<std::collections::VecDeque<Act>>>,
    asked: Arc<Mutex<Vec<Request>>>,
    meanwhile: Arc<Mutex<Option<Deed>>>,
}

impl Desk {
    pub(crate) fn with(acts: impl IntoIterator<Item = Act>) -> Self {
        let desk = Self::default();
        desk.acts.lock().unwrap().extend(acts);
        desk
    }

    /// Something that happens while the first question is open.
    pub(crate) fn meanwhile(self, deed: impl FnOnce() + Send + 'static) -> Self {
        *self.meanwhile.lock().unwrap() = Some(Box::new(deed));
        self
    }

    pub(crate) fn asked(&self) -> Vec<Request> {
        self.asked.lock().unwrap().clone()
    }
}

impl Asker for Desk {
    fn ask(&self, request: Request) -> Asking<'_> {
        Box::pin(async move {
            self.asked.lock().unwrap().push(request.clone());
            if let Some(deed) = self.meanwhile.lock().unwrap().take() {
                deed();
            }
            tokio::task::yield_now().await;
            let act = self.acts.lock().unwrap().pop_front();
            outcome(&request, &act.unwrap_or_else(|| panic!("asked unexpectedly: {}", request.to_json())))
        })
    }
}

/// A folder of its own for one test, gone with it.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("askback-agent-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path).unwrap();
        Self(path.canonicalize().unwrap())
    }

    pub(crate) fn path(&self) -> PathBuf {
        self.0.clone()
    }

    /// A file in it.
    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
        std::fs::write(self.file(name), text).unwrap();
        self.file(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.file(name)).unwrap_or_default()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Waits until there is a value, and returns it.
pub(crate) async fn until<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    wait_for_async(what, || std::future::ready(find())).await
}

/// Whether a process is still there, and not just waiting to be buried.
pub(crate) fn is_alive(pid: &str) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{}/stat", pid.trim())).unwrap_or_default();
    stat.rsplit(')')
        .next()
        .and_then(|rest| rest.split_whitespace().next())
        .is_some_and(|state| state != "Z" && state != "X")
}

/// A request as JSON.
pub(crate) fn request(json: &str) -> Request {
    Request::parse(json.as_bytes(), &Limits::DEFAULT).unwrap()
}

/// Any JSON of the core.
pub(crate) fn json(text: &str) -> Json {
    Json::parse(text.as_bytes(), &Limits::DEFAULT).unwrap()
}
