//! Runs scripts that ask people: JavaScript in a box, with limits on everything but the time a person takes.
//!
//! A script's code is the body of an async function. `await requestUserInput({...})` asks the [`Host`], and that is the only
//! way out: there is no file, no network, no timer, no `import`, no code made from text. What it returns becomes JSON.
//!
//! A script that waits holds its memory and no thread; a few threads of an [`Engine`] drive all scripts. CPU time is counted
//! while a script runs, and a thread that does not come back is replaced.
//!
//! [`Workers`] run the same engine in processes of their own, which confine themselves ([`run_worker`]): what goes wrong inside
//! an engine ends scripts, and not the program. An [`Engine`] in this process is for programs that trust their scripts not to
//! break out of QuickJS, and for tests.
//!
//! The language is what QuickJS has, without typed arrays, weak references, iterators' helpers, and whatever shares memory or
//! tells precise times. Some of its functions are ours (`language.js`), where the engine's own can't be interrupted. What
//! still can't be is bounded by the memory of a script, and costs a thread of the lowest priority until it is done.
//!
//! ```
//! use askback_script::{Answering, Ended, Engine, Host, Limits};
//! use serde_json::{Value, json};
//! use std::sync::Arc;
//!
//! struct Yes;
//!
//! impl Host for Yes {
//!     fn request_user_input(&self, argument: Value) -> Answering {
//!         Box::pin(async move { Ok(json!({ "success": true, "response": argument["message"] })) })
//!     }
//! }
//!
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(async {
//! let engine = Engine::new(Limits::default(), tokio::runtime::Handle::current())?;
//! let code = "const answer = await requestUserInput({ message: 'Ship it?' }); return answer.response";
//! let finished = engine.start(code.to_owned(), Arc::new(Yes)).finished().await;
//! assert_eq!(finished.ended, Ended::Returned(Some(json!("Ship it?"))));
//! # std::io::Result::Ok(())
//! # }).unwrap();
//! ```

mod console;
mod ended;
mod engine;
mod globals;
mod host;
mod json;
pub mod limits;
mod machine;
mod memory;
mod meter;
mod pool;
mod priority;
mod run;
mod script;
mod source;
mod thrown;
mod wire;
mod worker;
mod workers;

pub use console::{ConsoleLine, Level, Transcript};
pub use ended::{Ended, Finished, Snapshot};
pub use engine::Engine;
pub use host::{Answering, Host};
pub use limits::{Limits, WorkerLimits};
pub use script::Script;
pub use worker::run_worker;
pub use workers::{WorkerProgram, Workers};
