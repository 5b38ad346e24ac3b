//! The asker's and the person's calls on a real hub, over a connection that breaks.

use super::{name, room};
use askback_api::{
    AnswerBody, ApiError, ApiFuture, AskQuery, Asked, AskerApi, AuditEvent, AuditQuery, CancelBody, ClaimedSurface,
    DeclineBody, DeliveryBody, DismissBody, EventStream, HubApi, IssuedToken, ListQuery, LoginLink, LoginLinkBody, Me,
    Page, PersonApi, ProblemCode, ProblemDetails, Record, RequestRef, RoomQuery, Script, ScriptBody, ScriptQuery,
    TokenBody, TokenList, UnattendedList,
};
use askback_core::{Name, Outcome, Reason, Request, RequestId, State, Status, Surface};
use askback_hub::store::memory::MemoryStore;
use askback_hub::{Ask, Hub, HubError, HubLimits, HubOptions, Signature, StoreError};
use std::collections::VecDeque;
use std::future::pending;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::time::sleep;

/// The fate of a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fate {
    /// It arrives after so many milliseconds, and so does what comes back.
    Late(u64),
    /// It never arrives, and the sender gets an error.
    Lost,
    /// It arrives, and the sender gets an error.
    AnswerLost,
    /// It arrives, and the sender gets no response.
    Silence,
    /// The hub refuses it.
    Refused,
    /// The hub is at a limit.
    NotNow,
}

/// A connection to a real hub, with the fates of its messages in order.
pub(super) struct Way {
    pub(super) hub: Hub,
    /// The name under which the hub knows the person here, if it is not "ada".
    pub(super) known_as: Option<Name>,
    pub(super) connect: Mutex<VecDeque<Fate>>,
    pub(super) ask: Mutex<VecDeque<Fate>>,
    pub(super) wait: Mutex<VecDeque<Fate>>,
    pub(super) propose: Mutex<VecDeque<Fate>>,
    pub(super) log: Log,
}

pub(super) type Log = Arc<Mutex<Vec<&'static str>>>;

async fn on<T>(fate: Option<Fate>, message: impl Future<Output = Result<T, ApiError>>) -> Result<T, ApiError> {
    let lost = || Err(ApiError::Lost("the line is cut".to_owned()));
    match fate {
        None => message.await,
        Some(Fate::Late(milliseconds)) => {
            sleep(Duration::from_millis(milliseconds)).await;
            let answer = message.await;
            sleep(Duration::from_millis(milliseconds)).await;
            answer
        }
        Some(Fate::Lost) => lost(),
        Some(Fate::AnswerLost) => match message.await {
            Ok(_) | Err(ApiError::AlreadyEnded { .. }) => lost(),
            refused => refused,
        },
        Some(Fate::Silence) => {
            let _ = message.await;
            pending().await
        }
        Some(Fate::Refused) => Err(refusal(ProblemCode::Forbidden, "not you")),
        Some(Fate::NotNow) => Err(refusal(ProblemCode::TooMany, "there are too many")),
    }
}

fn refusal(code: ProblemCode, why: &str) -> ApiError {
    ProblemDetails::new(code, why).into()
}

fn api_error(error: HubError) -> ApiError {
    let why = error.to_string();
    match error {
        HubError::Store(StoreError::Failed(_)) => refusal(ProblemCode::StoreFailed, &why),
        error if error.is_passing() => refusal(ProblemCode::TooMany, &why),
        HubError::AlreadyEnded(outcome) => ApiError::AlreadyEnded {
            outcome: Box::new(Outcome::clone(&outcome)),
            problem: Box::new(ProblemDetails::new(ProblemCode::AlreadyEnded, why)),
        },
        _ => refusal(ProblemCode::Forbidden, &why),
    }
}

fn reason(text: Option<String>) -> Option<Reason> {
    text.and_then(|text| Reason::parse(&text).unwrap())
}

impl Way {
    /// To a hub of its own, with time paused.
    pub(super) async fn new() -> Self {
        tokio::time::pause();
        Self::another().await
    }

    /// The same where time is paused already.
    pub(super) async fn another() -> Self {
        Self::with(HubLimits::DEFAULT).await
    }

    pub(super) async fn with(limits: HubLimits) -> Self {
        let (store, signal) = MemoryStore::default().connect();
        let options = HubOptions { clock: Arc::new(super::TokioClock::new()), limits };
        let hub = Hub::over(Arc::new(store), Box::new(signal), options).await.unwrap();
        let none = || Mutex::new(VecDeque::new());
        Self { hub, known_as: None, connect: none(), ask: none(), wait: none(), propose: none(), log: Log::default() }
    }

    fn fate(&self, message: &'static str, fates: &Mutex<VecDeque<Fate>>) -> Option<Fate> {
        self.log.lock().unwrap().push(message);
        fates.lock().unwrap().pop_front()
    }

    /// Answers on the page after so many milliseconds.
    pub(super) fn page_answers(&self, id: &RequestId, after_ms: u64) {
        let (hub, id) = (self.hub.clone(), id.clone());
        tokio::spawn(async move {
            sleep(Duration::from_millis(after_ms)).await;
            let signature = Signature::new(name("rita"), Surface::Page);
            let _ = hub.answer(&id, &["there".into()], signature).await;
        });
    }

    /// Sends a proposal of the person here, which `end` makes on the hub.
    fn propose<'a>(
        &'a self,
        key: Option<String>,
        surface: Option<ClaimedSurface>,
        end: impl AsyncFnOnce(Signature) -> Result<Arc<Outcome>, HubError> + 'a,
    ) -> impl Future<Output = Result<Outcome, ApiError>> + 'a {
        let by = self.known_as.clone().unwrap_or_else(|| name("ada"));
        let signature = Signature::new(by, surface.unwrap().into());
        let signature = key.into_iter().map(|key| name(&key)).fold(signature, Signature::with_key);
        let fate = self.fate("propose", &self.propose);
        on(fate, async move { Ok(Outcome::clone(&*end(signature).await.map_err(api_error)?)) })
    }
}

fn unused() -> ! {
    unreachable!("a race does not make this call")
}

impl HubApi for Way {
    fn me(&self, _: RoomQuery) -> ApiFuture<'_, Me> {
        unused()
    }

    fn show<'a>(&'a self, _: &'a RequestId) -> ApiFuture<'a, Record> {
        unused()
    }

    fn list(&self, _: ListQuery) -> ApiFuture<'_, Page<Record>> {
        unused()
    }

    fn wait<'a>(&'a self, request: RequestRef<'a>, at_most: Option<Duration>) -> ApiFuture<'a, Option<Outcome>> {
        let fate = self.fate("wait", &self.wait);
        Box::pin(on(fate, async move {
            match self.hub.wait(request.id, at_most).await.map_err(api_error)? {
                State::Final(outcome) => Ok(Some(outcome)),
                State::Pending(_) => Ok(None),
            }
        }))
    }

    fn cancel<'a>(&'a self, request: RequestRef<'a>, body: CancelBody) -> ApiFuture<'a, Outcome> {
        let CancelBody { reason: why, key, surface } = body;
        Box::pin(
            self.propose(key, surface, async move |signature| {
                self.hub.cancel(request.id, reason(why), signature).await
            }),
        )
    }

    fn events(&self, _: RoomQuery, _: Option<u64>) -> ApiFuture<'_, Box<dyn EventStream>> {
        unused()
    }
}

impl AskerApi for Way {
    fn connect(&self) -> ApiFuture<'_, ()> {
        let fate = self.fate("connect", &self.connect);
        Box::pin(on(fate, async { Ok(()) }))
    }

    fn ask(&self, request: Arc<Request>, query: AskQuery) -> ApiFuture<'_, Asked> {
        let fate = self.fate("ask", &self.ask);
        Box::pin(on(fate, async move {
            let ask = Ask::new(Request::clone(&request), name("agent"), room("shop"));
            let ask = ask.with_id(query.id.unwrap()).asked_at(query.asked_at.unwrap());
            let asked = self.hub.ask(ask).await.map_err(api_error)?;
            let known = asked.record();
            let record = Record {
                id: known.id.clone(),
                room: known.room.clone(),
                asker: known.asker.clone(),
                created_at: known.created_at,
                expires_at: known.deadline,
                is_waited_for: true,
                last_waited_at: None,
                request: Arc::clone(&known.request),
                outcome: known.outcome.clone(),
            };
            Ok(Asked { record, is_known: matches!(asked, askback_hub::Asked::Known(_)) })
        }))
    }

    fn list_own(&self, _: Option<Status>, _: usize) -> ApiFuture<'_, Page<Record>> {
        unused()
    }

    fn deliver<'a>(&'a self, _: &'a RequestId, _: DeliveryBody) -> ApiFuture<'a, bool> {
        unused()
    }

    fn answer_in_dialog<'a>(&'a self, _: RequestRef<'a>, _: AnswerBody) -> ApiFuture<'a, Outcome> {
        unused()
    }

    fn decline_in_dialog<'a>(&'a self, _: RequestRef<'a>, _: DeclineBody) -> ApiFuture<'a, Outcome> {
        unused()
    }

    fn start_script(&self, _: ScriptBody, _: ScriptQuery) -> ApiFuture<'_, Script> {
        unused()
    }

    fn wait_for_script<'a>(&'a self, _: &'a RequestId, _: Duration) -> ApiFuture<'a, Script> {
        unused()
    }

    fn stop_script<'a>(&'a self, _: &'a RequestId) -> ApiFuture<'a, Script> {
        unused()
    }

    fn deliver_script<'a>(&'a self, _: &'a RequestId, _: DeliveryBody) -> ApiFuture<'a, bool> {
        unused()
    }
}

impl PersonApi for Way {
    fn answer<'a>(&'a self, request: RequestRef<'a>, body: AnswerBody) -> ApiFuture<'a, Outcome> {
        let AnswerBody { answers, key, surface, .. } = body;
        let inputs: Vec<_> = answers.unwrap().into_iter().map(|item| item.into_input().unwrap()).collect();
        Box::pin(
            self.propose(key, surface, async move |signature| self.hub.answer(request.id, &inputs, signature).await),
        )
    }

    fn decline<'a>(&'a self, request: RequestRef<'a>, body: DeclineBody) -> ApiFuture<'a, Outcome> {
        let DeclineBody { reason: why, key, surface, .. } = body;
        Box::pin(
            self.propose(key, surface, async move |signature| {
                self.hub.decline(request.id, reason(why), signature).await
            }),
        )
    }

    fn dismiss(&self, _: DismissBody) -> ApiFuture<'_, u64> {
        unused()
    }

    fn unattended(&self, _: RoomQuery) -> ApiFuture<'_, UnattendedList> {
        unused()
    }

    fn audit(&self, _: AuditQuery) -> ApiFuture<'_, Page<AuditEvent>> {
        unused()
    }

    fn issue_token(&self, _: TokenBody) -> ApiFuture<'_, IssuedToken> {
        unused()
    }

    fn tokens(&self) -> ApiFuture<'_, TokenList> {
        unused()
    }

    fn revoke_token(&self, _: u64) -> ApiFuture<'_, ()> {
        unused()
    }

    fn login_link(&self, _: LoginLinkBody) -> ApiFuture<'_, LoginLink> {
        unused()
    }
}
