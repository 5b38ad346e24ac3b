//! A person at the inbox: a terminal, a hub, and the requests between them.

use super::feed::{Fed, Feed};
use super::pending_list::{PendingList, ended, load, notice};
use crate::console::line;
use crate::style::{Signs, signs};
use askback_api::{
    AnswerBody, ApiError, ApiFuture, CancelBody, Change, ClaimedSurface, DeclineBody, DismissBody,
    Ended as EndedRequest, HubApi, PersonApi, Record, RoomQuery, StreamEvent,
};
use askback_client::{Client, new_id};
use askback_core::{
    Answer, Limits, Object, Outcome, PromptEnd, PromptStyle, Request, RequestId, Resolution, Room, Status,
};
use askback_term::{Browsed, Browser, BrowserAction, Caps, Live, Manner, Reach, TermError, Tone};
use std::collections::VecDeque;
use std::pin::Pin;
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

pub(super) const DECLINE: char = 'r';
pub(super) const CANCEL: char = 'c';
pub(super) const DISMISS: char = 'd';

/// How often ages and who is waiting are looked at again: that changes without anything happening.
const REFRESH: Duration = Duration::from_secs(5);

/// How long nobody must have waited for a question before it is dismissed with others.
const UNWAITED: u32 = 60;

/// Lines that are kept for later while a prompt is up.
const KEPT_LINES: usize = 100;

/// How long what a person decided is sent again while the hub is away.
const SEND_PATIENCE: Duration = Duration::from_secs(10);

type Loading = Pin<Box<dyn Future<Output = Result<Vec<Record>, ApiError>>>>;

pub(super) struct InboxSession {
    live: Live,
    browser: Browser,
    client: Client,
    room: Option<Room>,
    pending: PendingList,
    feed: Feed,
    /// A list of what is pending, on its way.
    loading: Option<Loading>,
    refresh_at: Instant,
    /// What is to be said when the terminal is free for it.
    lines: VecDeque<(Tone, String)>,
    signs: &'static Signs,
    manner: Manner,
}

impl InboxSession {
    pub(super) async fn open(live: Live, client: Client, room: Option<Room>, caps: Caps) -> Result<Self, ApiError> {
        let actions = [
            BrowserAction::on_item(DECLINE, "decline"),
            BrowserAction::on_item(CANCEL, "cancel"),
            BrowserAction::on_list(DISMISS, "dismiss unwaited"),
        ];
        let mut browser = Browser::new(actions);
        browser.set_empty_text("Nothing is waiting for you. Questions appear here as they are asked.");
        let query = RoomQuery { room: room.clone() };
        // The stream is opened first, so that nothing falls between.
        let feed = Feed::open(client.clone(), query).await?;
        let pending = PendingList::of(load(client.clone(), room.clone()).await?);
        Ok(Self {
            live,
            browser,
            client,
            room,
            pending,
            feed,
            loading: None,
            refresh_at: Instant::now() + REFRESH,
            lines: VecDeque::new(),
            signs: signs(caps),
            manner: caps.manner,
        })
    }

    /// Shows the list until the person wants something. Whatever the hub does, keys are heard.
    pub(super) async fn browse(&mut self) -> Result<Browsed, TermError> {
        loop {
            self.show();
            tokio::select! {
                browsed = self.live.browse(&mut self.browser) => return browsed,
                fed = self.feed.next() => self.take_in(&fed),
                loaded = loaded(&mut self.loading) => {
                    self.loading = None;
                    self.refresh_at = Instant::now() + REFRESH;
                    if let Ok(records) = loaded {
                        self.pending.renew(records);
                    }
                }
                () = sleep_until(self.refresh_at), if self.loading.is_none() => self.reload(),
            }
        }
    }

    fn reload(&mut self) {
        self.pending.note_changes();
        self.loading = Some(Box::pin(load(self.client.clone(), self.room.clone())));
    }

    fn show(&mut self) {
        for (tone, text) in self.lines.drain(..) {
            self.live.print(tone, &text);
        }
        let room = self.room.as_ref().map_or_else(String::new, |room| format!(" in {room}"));
        let lost = self.feed.lost.as_ref().map_or_else(String::new, |why| format!(" • {why}"));
        self.browser.set_heading(format!("{} pending{room}{lost}", self.pending.count()));
        self.browser.set_items(self.pending.items(jiff::Timestamp::now()));
    }

    fn take_in(&mut self, fed: &Fed) {
        match fed {
            Fed::Event(event) => self.hear(event),
            Fed::Anew => self.reload(),
            Fed::Lost => {}
        }
    }

    fn hear(&mut self, event: &StreamEvent) {
        match &event.change {
            Change::Ended(ended) => self.hear_end(ended),
            Change::Created(record) => {
                let title = record.title();
                if self.pending.add(Record::clone(record)) && self.manner == Manner::Plain {
                    self.keep_line(Tone::Plain, format!("New: {title}"));
                }
            }
        }
    }

    fn hear_end(&mut self, ended: &EndedRequest) {
        let Some(record) = self.pending.take(&ended.head.id) else { return };
        let outcome = ended.outcome.as_ref().and_then(|outcome| Outcome::from_json(outcome, &record.request).ok());
        if let Some(outcome) = outcome {
            self.tell(&record, &outcome);
        }
    }

    fn tell(&mut self, record: &Record, outcome: &Outcome) {
        let (tone, text) = ended(record, outcome);
        let sign = if outcome.status() == Status::Answered { self.signs.done } else { self.signs.error };
        self.keep_line(tone, format!("{sign} {text}"));
    }

    fn keep_line(&mut self, tone: Tone, text: String) {
        if self.lines.len() == KEPT_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back((tone, text));
    }

    /// Asks the person what the request asks, with the real prompts. Esc goes back to the list.
    pub(super) async fn answer(&mut self, id: &str) -> Result<(), TermError> {
        let Some(record) = self.find(id) else { return Ok(()) };
        let request = on_time(&record, jiff::Timestamp::now());
        self.live.print(
            Tone::Muted,
            &format!("Question from {} in {}", line(&record.asker_and_claim()), line(record.room.as_str())),
        );
        let Some(resolution) = self.ask(&request, Some(&record.id)).await? else { return Ok(()) };
        let (key, surface, client) = (key(), SURFACE, self.sending_client());
        match resolution {
            Resolution::Answered { answers, .. } | Resolution::Rejected { answers, .. } => {
                let body = AnswerBody { key, surface, ..AnswerBody::of_answers(&answers) };
                match self.send(client.answer(record.as_ref(), body)).await? {
                    // The prompt's own line says what was answered; the event about it would say it again.
                    Some(Ok(_)) => drop(self.pending.take(&record.id)),
                    ended => self.settle(&record, ended),
                }
            }
            Resolution::Declined { reason, .. } => {
                let reason = reason.map(|reason| reason.as_str().to_owned());
                self.decline_with(&record, reason).await?;
            }
            // Nobody has decided anything: it is still on the list, or the hub says when its time is up.
            Resolution::Cancelled { .. } | Resolution::Expired { .. } => {}
        }
        Ok(())
    }

    pub(super) async fn decline(&mut self, id: &str) -> Result<(), TermError> {
        let Some(record) = self.find(id) else { return Ok(()) };
        let question = Object::new()
            .put("type", "text")
            .put("message", format!("Why won't you answer {}?", quoted(&record.title())))
            .put("placeholder", "a reason, or a question back");
        let Ok(request) = Request::from_json(&question.into(), &Limits::DEFAULT) else { return Ok(()) };
        let Some(resolution) = self.ask(&request, Some(&record.id)).await? else { return Ok(()) };
        if let Resolution::Answered { answers, .. } = resolution {
            let reason = answers.iter().next().map(Answer::written);
            self.decline_with(&record, reason).await?;
        }
        Ok(())
    }

    async fn decline_with(&mut self, record: &Record, reason: Option<String>) -> Result<(), TermError> {
        let body = DeclineBody { reason, key: key(), surface: SURFACE, client: None };
        let client = self.sending_client();
        let ended = self.send(client.decline(record.as_ref(), body)).await?;
        self.settle(record, ended);
        Ok(())
    }

    pub(super) async fn cancel(&mut self, id: &str) -> Result<(), TermError> {
        let Some(record) = self.find(id) else { return Ok(()) };
        if self.is_sure(&format!("Take {} away?", quoted(&record.title())), Some(&record.id)).await? {
            let body = CancelBody { reason: None, key: key(), surface: SURFACE };
            let client = self.sending_client();
            let ended = self.send(client.cancel(record.as_ref(), body)).await?;
            self.settle(&record, ended);
        }
        Ok(())
    }

    fn find(&self, id: &str) -> Option<Record> {
        self.pending.get(&RequestId::parse(id).ok()?).cloned()
    }

    /// Takes away what nobody is waiting for (L9).
    pub(super) async fn dismiss(&mut self) -> Result<(), TermError> {
        let count = self.pending.unwaited(jiff::Timestamp::now(), UNWAITED);
        if count == 0 {
            self.browser.say(Tone::Info, "The asker of each of these was there within the last minute.");
            return Ok(());
        }
        let questions = if count == 1 { "the question".to_owned() } else { format!("the {count} questions") };
        if !self.is_sure(&format!("Dismiss {questions} that nobody is waiting for?"), None).await? {
            return Ok(());
        }
        let body = DismissBody {
            unwaited_for: UNWAITED.into(),
            room: self.room.as_ref().map(|room| room.as_str().to_owned()),
            reason: Some("nobody was waiting for it".to_owned()),
            surface: SURFACE,
        };
        let client = self.sending_client();
        match self.send(client.dismiss(body)).await? {
            Some(Ok(0)) => {
                let why = "Nothing is dismissed: the hub was started less than a minute ago, and does not know who waited before.";
                self.browser.say(Tone::Warning, why);
            }
            Some(Ok(_)) => {}
            Some(Err(error)) => self.browser.say(Tone::Warning, error.to_string()),
            None => self.browser.say(Tone::Warning, "The hub did not say whether it dismissed anything."),
        }
        Ok(())
    }

    async fn is_sure(&mut self, message: &str, about: Option<&RequestId>) -> Result<bool, TermError> {
        let question = Object::new().put("type", "confirm").put("message", message);
        let Ok(request) = Request::from_json(&question.into(), &Limits::DEFAULT) else { return Ok(false) };
        let resolution = self.ask(&request, about).await?;
        let said = resolution.as_ref().and_then(Resolution::answers).and_then(|answers| answers.iter().next());
        Ok(said.is_some_and(|answer| answer.written() == "yes"))
    }

    /// Asks something here, unless the request it is about ends meanwhile: then the prompt goes, saying who was faster.
    async fn ask(&mut self, request: &Request, about: Option<&RequestId>) -> Result<Option<Resolution>, TermError> {
        let reach = Reach::new().left_as(if about.is_some() { "put back" } else { "cancelled" });
        let remote = reach.remote();
        // Held apart while the terminal is the prompt's.
        let mut heard = Vec::new();
        let mut is_over = false;
        let ended = {
            let asking = self.live.ask_reachably(request, PromptStyle::Question, reach);
            tokio::pin!(asking);
            loop {
                tokio::select! {
                    ended = &mut asking => break ended?,
                    fed = self.feed.next() => {
                        if let Fed::Event(event) = &fed && let Some(notice) = notice(event, about) {
                            remote.withdraw(notice);
                            // Its line says what became of it; once is enough.
                            is_over = true;
                            continue;
                        }
                        // What is too much to keep is read from the list again.
                        if heard.len() < KEPT_LINES { heard.push(fed) } else { heard = vec![Fed::Anew] }
                    }
                }
            }
        };
        heard.iter().for_each(|fed| self.take_in(fed));
        if let Some(id) = about.filter(|_| is_over) {
            self.pending.take(id);
        }
        Ok(match ended {
            PromptEnd::Decided(resolution) => Some(resolution),
            _ => None,
        })
    }

    /// Tells the person what became of a request that they ended.
    fn settle(&mut self, record: &Record, ended: Option<Result<Outcome, ApiError>>) {
        let outcome = match ended {
            Some(Ok(outcome)) => outcome,
            Some(Err(ApiError::AlreadyEnded { outcome, .. })) => {
                self.browser.say(Tone::Warning, "Too late: somebody was faster.");
                *outcome
            }
            // In the place of a passing word: above it stands what the person answered.
            Some(Err(error)) => {
                return self.keep_line(Tone::Error, format!("{} That did not count: {error}", self.signs.error));
            }
            None => {
                let why = "The hub did not say whether that counted. If the question is still here, answer it again.";
                return self.keep_line(Tone::Error, format!("{} {why}", self.signs.error));
            }
        };
        if self.pending.take(&record.id).is_some() {
            self.tell(record, &outcome);
        }
    }

    /// The client for what a person has decided, which is worth starting a hub for.
    fn sending_client(&self) -> Client {
        self.client.clone().starting_hub().retrying(SEND_PATIENCE)
    }

    /// Makes a call, which Ctrl+C stops waiting for.
    async fn send<T>(&mut self, call: ApiFuture<'_, T>) -> Result<Option<Result<T, ApiError>>, TermError> {
        self.live.start_spinner("Sending");
        let sent = tokio::select! {
            sent = call => Some(sent),
            attention = self.live.attend() => attention.map(|_| None)?,
        };
        self.live.stop_spinner();
        Ok(sent)
    }
}

/// Where the person is.
const SURFACE: Option<ClaimedSurface> = Some(ClaimedSurface::Terminal);

/// A key for one ending: should its response be lost, the same call once more counts once.
fn key() -> Option<String> {
    Some(format!("inbox {}", new_id()))
}

/// The request with the time that is left of its timeout: the hub's clock has been running.
fn on_time(record: &Record, now: jiff::Timestamp) -> Request {
    let request = Request::clone(&record.request);
    match record.expires_at {
        Some(until) => {
            let left = until.duration_since(now).as_secs().max(1);
            request.with_timeout(u32::try_from(left).unwrap_or(u32::MAX))
        }
        None => request,
    }
}

async fn loaded(loading: &mut Option<Loading>) -> Result<Vec<Record>, ApiError> {
    match loading {
        Some(loading) => loading.await,
        None => std::future::pending().await,
    }
}

fn quoted(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    format!("\u{201c}{short}{}\u{201d}", if short.len() < text.len() { "…" } else { "" })
}
