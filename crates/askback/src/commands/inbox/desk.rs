//! The desk: a terminal, a hub, and what lies between them.

use super::super::line;
use super::feed::{Fed, Feed};
use super::pile::{Pile, ended, notice};
use super::sending::{Sent, load, send};
use crate::chat::surface::signs;
use crate::client::link::given;
use crate::client::record::{HubRecord, outcome};
use crate::client::{Client, ClientError, Told, escaped};
use crate::fault::Kind;
use askback_core::{Answer, Ending, Json, Limits, Object, Outcome, Reason, Request, Resolution, Status};
use askback_term::{Browsed, Browser, BrowserAction, Caps, Ended, Live, Look, Manner, Reach, TermError, Tone};
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

type Loading = Pin<Box<dyn Future<Output = Result<Vec<HubRecord>, ClientError>>>>;

pub(super) struct Desk {
    live: Live,
    browser: Browser,
    client: Client,
    room: Option<String>,
    pile: Pile,
    feed: Feed,
    /// A list of what is pending, on its way.
    loading: Option<Loading>,
    refresh_at: Instant,
    /// What is to be said when the terminal is free for it.
    lines: VecDeque<(Tone, String)>,
    done: &'static str,
    undone: &'static str,
    manner: Manner,
}

impl Desk {
    pub(super) async fn open(
        live: Live,
        client: Client,
        room: Option<String>,
        caps: Caps,
    ) -> Result<Self, ClientError> {
        let actions = [
            BrowserAction::on_item(DECLINE, "decline"),
            BrowserAction::on_item(CANCEL, "cancel"),
            BrowserAction::on_list(DISMISS, "dismiss unwaited"),
        ];
        let mut browser = Browser::new(actions);
        browser.set_empty_text("Nothing is waiting for you. Questions appear here as they are asked.");
        let query = room.as_ref().map_or_else(String::new, |room| format!("?room={}", escaped(room)));
        // The stream is opened first, so that nothing falls between.
        let feed = Feed::open(client.clone(), query).await?;
        let pile = Pile::of(load(client.clone(), room.clone()).await?);
        Ok(Self {
            live,
            browser,
            client,
            room,
            pile,
            feed,
            loading: None,
            refresh_at: Instant::now() + REFRESH,
            lines: VecDeque::new(),
            done: signs(caps).done,
            undone: signs(caps).error,
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
                        self.pile.renew(records);
                    }
                }
                () = sleep_until(self.refresh_at), if self.loading.is_none() => self.reload(),
            }
        }
    }

    fn reload(&mut self) {
        self.pile.note_changes();
        self.loading = Some(Box::pin(load(self.client.clone(), self.room.clone())));
    }

    fn show(&mut self) {
        for (tone, text) in self.lines.drain(..) {
            self.live.print(tone, &text);
        }
        let room = self.room.as_ref().map_or_else(String::new, |room| format!(" in {room}"));
        let lost = self.feed.lost.as_ref().map_or_else(String::new, |why| format!(" • {why}"));
        self.browser.set_heading(format!("{} pending{room}{lost}", self.pile.count()));
        self.browser.set_items(self.pile.items(jiff::Timestamp::now()));
    }

    /// Takes in what happened on the hub.
    fn take_in(&mut self, fed: &Fed) {
        match fed {
            Fed::Told(told) => self.hear(told),
            Fed::Anew => self.reload(),
            Fed::Lost => {}
        }
    }

    fn hear(&mut self, told: &Told) {
        if told.name != "request.created" {
            return self.hear_end(&told.body);
        }
        if let Ok(record) = HubRecord::read(&told.body) {
            let title = record.title();
            if self.pile.add(record) && self.manner == Manner::Plain {
                self.keep_line(Tone::Plain, format!("New: {title}"));
            }
        }
    }

    fn hear_end(&mut self, body: &Json) {
        let Some(record) = body.get("id").and_then(Json::as_str).and_then(|id| self.pile.take(id)) else { return };
        if let Ok(Some(outcome)) = outcome(body, &record.request) {
            self.tell(&record, &outcome);
        }
    }

    fn tell(&mut self, record: &HubRecord, outcome: &Outcome) {
        let (tone, text) = ended(record, outcome);
        let sign = if outcome.status() == Status::Answered { self.done } else { self.undone };
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
        let Some(record) = self.pile.get(id).cloned() else { return Ok(()) };
        let request = record.on_time(jiff::Timestamp::now());
        self.live.print(
            Tone::Muted,
            &format!("Question from {} in {}", line(&record.asker_and_claim()), line(&record.room)),
        );
        let Some(resolution) = self.ask(&request, Some(id)).await? else { return Ok(()) };
        match resolution.ending() {
            Ending::Answered(answers) | Ending::Declined { answers: Some(answers), .. } => {
                let answers: Vec<Json> = answers.iter().map(given).collect();
                self.end(id, "answer", Object::new().put("answers", answers)).await
            }
            Ending::Declined { reason, answers: None } => {
                self.end(id, "decline", Object::new().put_some("reason", reason.map(Reason::as_str))).await
            }
            // Nobody has decided anything: it is still on the list, or the hub says when its time is up.
            Ending::Cancelled { .. } | Ending::Expired { .. } => Ok(()),
        }
    }

    pub(super) async fn decline(&mut self, id: &str) -> Result<(), TermError> {
        let Some(title) = self.pile.get(id).map(HubRecord::title) else { return Ok(()) };
        let question = Object::new()
            .put("type", "text")
            .put("message", format!("Why won't you answer {}?", quoted(&title)))
            .put("placeholder", "a reason, or a question back");
        let Ok(request) = Request::from_json(&question.into(), &Limits::DEFAULT) else { return Ok(()) };
        let Some(resolution) = self.ask(&request, Some(id)).await? else { return Ok(()) };
        if let Ending::Answered(answers) = resolution.ending() {
            let reason = answers.iter().next().map(Answer::written);
            self.end(id, "decline", Object::new().put_some("reason", reason)).await?;
        }
        Ok(())
    }

    pub(super) async fn cancel(&mut self, id: &str) -> Result<(), TermError> {
        let Some(title) = self.pile.get(id).map(HubRecord::title) else { return Ok(()) };
        if self.is_sure(&format!("Take {} away?", quoted(&title)), Some(id)).await? {
            self.end(id, "cancel", Object::new()).await?;
        }
        Ok(())
    }

    /// Takes away what nobody is waiting for (L9).
    pub(super) async fn dismiss(&mut self) -> Result<(), TermError> {
        let count = self.pile.unwaited(jiff::Timestamp::now(), UNWAITED);
        if count == 0 {
            self.browser.say(Tone::Info, "Somebody has waited for each of these within the last minute.");
            return Ok(());
        }
        let questions = if count == 1 { "the question".to_owned() } else { format!("the {count} questions") };
        if !self.is_sure(&format!("Dismiss {questions} that nobody is waiting for?"), None).await? {
            return Ok(());
        }
        let body = Object::new()
            .put("unwaitedFor", UNWAITED)
            .put("surface", "terminal")
            .put("reason", "nobody was waiting for it")
            .put_some("room", self.room.as_deref());
        match self.call("/requests/dismiss".to_owned(), body.into()).await? {
            Sent::Done(json) if matches!(json.get("dismissed"), Some(Json::Number(number)) if *number > 0.0) => {}
            Sent::Done(_) => {
                let why = "Nothing is dismissed: the hub was started less than a minute ago, and does not know who waited before.";
                self.browser.say(Tone::Warning, why);
            }
            Sent::Failed(error) => self.browser.say(Tone::Warning, error.to_string()),
            Sent::Unknown => self.browser.say(Tone::Warning, "The hub did not say whether it dismissed anything."),
        }
        Ok(())
    }

    async fn is_sure(&mut self, message: &str, about: Option<&str>) -> Result<bool, TermError> {
        let question = Object::new().put("type", "confirm").put("message", message);
        let Ok(request) = Request::from_json(&question.into(), &Limits::DEFAULT) else { return Ok(false) };
        let resolution = self.ask(&request, about).await?;
        let said = resolution.as_ref().and_then(Resolution::answers).and_then(|answers| answers.iter().next());
        Ok(said.is_some_and(|answer| answer.written() == "yes"))
    }

    /// Asks something here, unless the request it is about ends meanwhile: then the prompt goes, saying who was faster.
    async fn ask(&mut self, request: &Request, about: Option<&str>) -> Result<Option<Resolution>, TermError> {
        let reach = Reach::new().left_as(if about.is_some() { "put back" } else { "cancelled" });
        let remote = reach.remote();
        // Held apart while the terminal is the prompt's.
        let mut heard = Vec::new();
        let mut is_over = false;
        let ended = {
            let asking = self.live.ask_reachably(request, Look::Question, reach);
            tokio::pin!(asking);
            loop {
                tokio::select! {
                    ended = &mut asking => break ended?,
                    fed = self.feed.next() => {
                        if let Fed::Told(told) = &fed && let Some(notice) = notice(told, about) {
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
            self.pile.take(id);
        }
        Ok(match ended {
            Ended::Resolved(resolution) => Some(resolution),
            _ => None,
        })
    }

    /// Tells the hub, and the person what it says.
    async fn end(&mut self, id: &str, how: &str, body: Object) -> Result<(), TermError> {
        // Should nobody hear whether it counted, the same once more counts once.
        let key = format!("inbox {}", askback_hub::new_id());
        let body: Json = body.put("key", key).put("surface", "terminal").into();
        match self.call(format!("/requests/{id}/{how}"), body).await? {
            // The prompt's own line says what was answered; the event about it would say it again.
            Sent::Done(_) if how == "answer" => drop(self.pile.take(id)),
            Sent::Done(body) => self.hear_end(&body),
            Sent::Failed(ClientError::Refused { kind: Kind::AlreadyEnded, problem, .. }) => {
                self.browser.say(Tone::Warning, "Too late: somebody was faster.");
                if let Some(body) = problem.get("outcome") {
                    self.hear_end(body);
                }
            }
            // In the place of a passing word: above it stands what the person answered.
            Sent::Failed(error) => self.keep_line(Tone::Error, format!("{} That did not count: {error}", self.undone)),
            Sent::Unknown => {
                let why = "The hub did not say whether that counted. If the question is still here, answer it again.";
                self.keep_line(Tone::Error, format!("{} {why}", self.undone));
            }
        }
        Ok(())
    }

    /// A call, which Ctrl+C stops waiting for.
    async fn call(&mut self, path: String, body: Json) -> Result<Sent, TermError> {
        self.live.start_spinner("Sending");
        // What a person has decided is worth starting a hub for.
        let client = self.client.clone().insisting();
        let sent = tokio::select! {
            sent = send(&client, &path, &body) => sent,
            attention = self.live.attend() => attention.map(|_| Sent::Unknown)?,
        };
        self.live.stop_spinner();
        Ok(sent)
    }
}

/// The list, once it is there.
async fn loaded(loading: &mut Option<Loading>) -> Result<Vec<HubRecord>, ClientError> {
    match loading {
        Some(loading) => loading.await,
        None => std::future::pending().await,
    }
}

fn quoted(text: &str) -> String {
    let short: String = text.chars().take(60).collect();
    format!("\u{201c}{short}{}\u{201d}", if short.len() < text.len() { "…" } else { "" })
}
