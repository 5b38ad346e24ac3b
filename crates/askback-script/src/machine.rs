//! One script inside its own JavaScript engine, driven step by step.

use crate::ended::Ended;
use crate::globals::{Open, Outside, install};
use crate::json::{from_json, to_json};
use crate::limits::{Limits, RESULT_BYTES, SLICE, STACK_BYTES, UNHANDLED};
use crate::memory::{Blocks, Memory};
use crate::meter::Meter;
use crate::source::read;
use crate::thrown::Thrown;
use rquickjs::context::intrinsic;
use rquickjs::promise::PromiseState;
use rquickjs::{Context, Ctx, Exception, Promise, Result, Runtime, Type, Value};
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;

/// The language, without what would share memory, watch the collector or tell precise times.
type Language = (
    intrinsic::Date,
    intrinsic::Eval,
    intrinsic::RegExpCompiler,
    intrinsic::RegExp,
    intrinsic::Json,
    intrinsic::Proxy,
    intrinsic::MapSet,
    intrinsic::Promise,
);

/// Rejected promises that nobody has handled so far, with their reasons.
type Unhandled<'js> = RefCell<HashMap<Value<'js>, Value<'js>>>;

/// What came of a call, by its number.
pub(crate) type Answer = (u32, std::result::Result<serde_json::Value, String>);

pub(crate) struct Machine {
    context: Context,
    meter: Arc<Meter>,
    memory: Arc<Memory>,
}

pub(crate) enum Step {
    /// It waits for the host.
    Waits,
    /// It could go on, after others had their turn.
    GoesOn,
    /// It has ended.
    Ended(Ended),
}

impl Machine {
    /// An engine without code, for the script of this run.
    pub(crate) fn new(run: &Arc<impl Outside>, meter: Arc<Meter>, limits: &Limits) -> std::result::Result<Self, Ended> {
        let memory = Arc::new(Memory::new(Arc::clone(&meter), limits.memory_bytes));
        let made = || -> Result<Context> {
            let runtime = Runtime::new_with_alloc(Blocks::new(&memory))?;
            runtime.set_max_stack_size(STACK_BYTES);
            let context = Context::custom::<Language>(&runtime)?;
            context.with(|ctx| {
                let _ = ctx.store_userdata(Open::default());
                let _ = ctx.store_userdata(Unhandled::default());
                install(&ctx, &Arc::downgrade(run))
            })?;
            runtime.set_host_promise_rejection_tracker(Some(Box::new(note_rejection)));
            let (meter, memory) = (Arc::clone(&meter), Arc::clone(&memory));
            runtime.set_interrupt_handler(Some(Box::new(move || {
                let is_over = meter.is_over();
                if is_over {
                    memory.grant_grace();
                }
                is_over
            })));
            Ok(context)
        };
        let context = made().map_err(|error| Ended::Limit(format!("there is no room for a script: {error}")))?;
        Ok(Self { context, meter, memory })
    }

    /// Reads the code and runs it up to where it waits first.
    pub(crate) fn start(&self, code: &str) -> std::result::Result<(), Ended> {
        if code.contains('\0') {
            return Err(Ended::Threw("SyntaxError: the code has a NUL character in it".to_owned()));
        }
        self.meter.begin();
        let started = self.context.with(|ctx| {
            let body = read(&ctx, code).map_err(|_| ())?;
            // There is no use for an engine that lacks a part of the language or of the code.
            self.memory.bound();
            let promise = body.call::<_, Promise<'_>>(());
            promise.map(|promise| drop(ctx.store_userdata(promise))).map_err(|_| ())
        });
        self.meter.end();
        started.map_err(|()| self.last_words(|ctx, memory| ended_by(ctx, &ctx.catch(), memory)))
    }

    /// Gives the script its answers, and drives it on. Something can still happen to it as long as it is waiting.
    pub(crate) fn step(&self, answers: Vec<Answer>, is_waiting: impl Fn() -> bool) -> Step {
        self.meter.begin();
        let step = self.context.with(|ctx| {
            answers.into_iter().for_each(|answer| settle(&ctx, answer));
            loop {
                if self.meter.is_over() {
                    return None;
                }
                if self.meter.turn() > SLICE {
                    return Some(Step::GoesOn);
                }
                if !ctx.execute_pending_job() {
                    return None;
                }
            }
        });
        let step = step.unwrap_or_else(|| self.look(is_waiting));
        self.meter.end();
        self.meter.ended().map_or(step, Step::Ended)
    }

    /// Where the script stands when it has nothing to do.
    fn look(&self, is_waiting: impl Fn() -> bool) -> Step {
        let state = self.context.with(|ctx| {
            let promise = ctx.userdata::<Promise<'_>>();
            let ended_with_nothing = |promise: &Promise<'_>| {
                promise.result::<Value<'_>>().and_then(Result::ok).is_some_and(|value| value.is_undefined())
            };
            promise.map(|promise| (promise.state(), ended_with_nothing(&promise)))
        });
        match state {
            Some((PromiseState::Pending, _)) | Some((PromiseState::Resolved, true)) if is_waiting() => Step::Waits,
            // A promise is never settled if there was no memory for doing so.
            Some((PromiseState::Pending, _)) if self.memory.has_refused() => Step::Ended(self.memory.explain()),
            Some((PromiseState::Pending, _)) | None => {
                let what = "the script waits for something that can never happen: no question is open";
                Step::Ended(Ended::Threw(what.to_owned()))
            }
            Some(_) => Step::Ended(self.last_words(conclude)),
        }
    }

    /// Lets the script's values be read although it may have used up its memory.
    fn last_words(&self, read: impl FnOnce(&Ctx<'_>, &Memory) -> Ended) -> Ended {
        self.memory.bound_last_words();
        let ended = self.context.with(|ctx| read(&ctx, &self.memory));
        self.meter.ended().unwrap_or(ended)
    }

    /// Bytes that the script holds.
    pub(crate) fn bytes(&self) -> usize {
        self.memory.held()
    }
}

fn settle(ctx: &Ctx<'_>, (number, answer): Answer) {
    let Some(open) = ctx.userdata::<Open<'_>>() else { return };
    let functions = open.borrow_mut().remove(&number);
    let Some([resolve, reject]) = functions.as_deref() else { return };
    let settled = match answer {
        Ok(value) => from_json(ctx, &value).and_then(|value| resolve.call::<_, ()>((value,))),
        Err(message) => Exception::from_message(ctx.clone(), &message).and_then(|error| reject.call::<_, ()>((error,))),
    };
    if settled.is_err() {
        // Without memory for the answer there is at least something to catch.
        let _ = reject.call::<_, ()>((ctx.catch(),));
    }
}

#[allow(clippy::needless_pass_by_value)] // It is called by the engine, which gives them away.
fn note_rejection<'js>(ctx: Ctx<'js>, promise: Value<'js>, reason: Value<'js>, is_handled: bool) {
    if let Some(unhandled) = ctx.userdata::<Unhandled<'js>>() {
        let mut unhandled = unhandled.borrow_mut();
        if is_handled {
            unhandled.remove(&promise);
        } else if unhandled.len() < UNHANDLED {
            unhandled.insert(promise, reason);
        }
    }
}

/// How a script has ended whose promise is settled.
fn conclude(ctx: &Ctx<'_>, memory: &Memory) -> Ended {
    let Some(result) = ctx.userdata::<Promise<'_>>().and_then(|promise| promise.result::<Value<'_>>()) else {
        return Ended::Threw("the script has no result".to_owned());
    };
    let returned = result.and_then(|value| {
        let unhandled = ctx.userdata::<Unhandled<'_>>().and_then(|all| all.borrow().values().next().cloned());
        match unhandled {
            // What was started and not awaited has failed, and nothing else tells of it.
            Some(reason) if value.is_undefined() => Err(ctx.throw(reason)),
            _ => to_json(ctx, value, "what the script returns", RESULT_BYTES),
        }
    });
    match returned {
        Ok(json) => Ended::Returned(json.map(|json| json.value)),
        Err(_) => ended_by(ctx, &ctx.catch(), memory),
    }
}

fn ended_by<'js>(ctx: &Ctx<'js>, thrown: &Value<'js>, memory: &Memory) -> Ended {
    // Without memory for an error nothing is thrown instead.
    if (thrown.is_null() || thrown.type_of() == Type::Uninitialized) && memory.has_refused() {
        return memory.explain();
    }
    match Thrown::read(ctx, thrown) {
        Ok(thrown) => thrown.end(memory),
        // It must not go on; the meter says why.
        Err(_) => Ended::Threw("it was interrupted".to_owned()),
    }
}
