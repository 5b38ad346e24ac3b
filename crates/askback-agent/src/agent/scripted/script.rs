//! A script: what an agent says, does and asks, step by step, as it stands in a TOML file.

use crate::event::{ToolStatus, Usage};
use askback_core::{Json, Limits, Request};
use serde::Deserialize;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::Duration;
use thiserror::Error;

/// A script that can be played.
#[derive(Debug)]
pub struct Script {
    pub(super) turns: Vec<Vec<Step>>,
}

#[derive(Debug)]
pub(super) struct Step {
    /// What the answer is remembered as.
    pub(super) name: Option<String>,
    /// Answers that must be there for this step to be taken.
    pub(super) when: BTreeMap<String, Vec<String>>,
    /// Answers that must not.
    pub(super) unless: BTreeMap<String, Vec<String>>,
    pub(super) deed: Deed,
}

#[derive(Debug)]
pub(super) enum Deed {
    Say(String),
    Use {
        name: String,
        input: Value,
        output: String,
        takes: Duration,
        status: ToolStatus,
    },
    /// A request, as a tool asks it.
    Ask(Value),
    /// An input request of the stream.
    Request(Value),
    Fail(String),
    Usage(Usage),
}

/// Why a script can't be played.
#[derive(Debug, Error)]
pub enum ScriptError {
    /// It is no TOML, or has other fields than a script.
    #[error("{0}")]
    Syntax(#[from] toml::de::Error),
    /// A step is wrong.
    #[error("step {number}: {why}")]
    Step {
        /// Which, from 1.
        number: usize,
        /// What is wrong, and what would pass.
        why: String,
    },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawScript {
    #[serde(default)]
    step: Vec<RawStep>,
}

/// A step as it is written: exactly one deed, and what belongs to it.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RawStep {
    say: Option<String>,
    #[serde(rename = "use")]
    tool: Option<String>,
    ask: Option<Value>,
    request: Option<Value>,
    fail: Option<String>,
    usage: Option<Usage>,
    listen: Option<bool>,
    #[serde(rename = "as")]
    name: Option<String>,
    input: Option<Value>,
    output: Option<String>,
    takes_ms: Option<u64>,
    fails: Option<bool>,
    #[serde(default)]
    when: BTreeMap<String, OneOrMany>,
    #[serde(default)]
    unless: BTreeMap<String, OneOrMany>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum OneOrMany {
    One(String),
    Many(Vec<String>),
}

impl OneOrMany {
    fn list(self) -> Vec<String> {
        match self {
            Self::One(text) => vec![text],
            Self::Many(texts) => texts,
        }
    }
}

const DEEDS: &str = "exactly one of say, use, ask, request, fail, usage, listen";

impl Script {
    /// Reads a script, and checks everything it is going to ask.
    pub fn parse(text: &str) -> Result<Self, ScriptError> {
        let raw: RawScript = toml::from_str(text)?;
        let mut turns = vec![Vec::new()];
        for (index, raw) in raw.step.into_iter().enumerate() {
            let step = read_step(raw).map_err(|why| ScriptError::Step { number: index + 1, why })?;
            match (step, turns.last_mut()) {
                (Some(step), Some(turn)) => turn.push(step),
                (Some(step), None) => turns.push(vec![step]),
                (None, _) => turns.push(Vec::new()),
            }
        }
        if turns.iter().all(Vec::is_empty) {
            let why = format!("there is none; write [[step]] and {DEEDS}");
            return Err(ScriptError::Step { number: 1, why });
        }
        Ok(Self { turns })
    }
}

/// A step, or nothing where the agent listens for the next message.
fn read_step(raw: RawStep) -> Result<Option<Step>, String> {
    let RawStep { say, tool, ask, request, fail, usage, listen, name, input, output, takes_ms, fails, when, unless } =
        raw;
    let has_tool_fields = input.is_some() || output.is_some() || takes_ms.is_some() || fails.is_some();
    let mut deeds = Vec::new();
    deeds.extend(say.map(Deed::Say));
    deeds.extend(fail.map(Deed::Fail));
    deeds.extend(usage.map(Deed::Usage));
    if let Some(ask) = ask {
        Request::from_json(&json(&ask), &Limits::DEFAULT).map_err(|problems| {
            let problems: Vec<String> = problems.iter().map(|problem| format!("ask.{problem}")).collect();
            problems.join("; ")
        })?;
        deeds.push(Deed::Ask(ask));
    }
    // What is wrong with an input request is for whoever shows it to say (T5), as it would be with any other agent.
    deeds.extend(request.map(Deed::Request));
    let is_tool = tool.is_some();
    if let Some(name) = tool {
        let status = if fails == Some(true) { ToolStatus::Failed } else { ToolStatus::Succeeded };
        let (input, output) = (input.unwrap_or_default(), output.unwrap_or_default());
        let takes = Duration::from_millis(takes_ms.unwrap_or_default());
        deeds.push(Deed::Use { name, input, output, takes, status });
    }
    if has_tool_fields && !is_tool {
        return Err("input, output, takes_ms and fails belong to a step with `use`".to_owned());
    }
    let step = match (deeds.pop(), deeds.is_empty(), listen == Some(true)) {
        (None, _, true) => return Ok(None),
        (Some(deed), true, false) => deed,
        _ => return Err(format!("a step has {DEEDS}")),
    };
    if name.is_some() && !matches!(step, Deed::Ask(_) | Deed::Request(_)) {
        return Err("`as` belongs to a step with `ask` or `request`".to_owned());
    }
    let lists =
        |named: BTreeMap<String, OneOrMany>| named.into_iter().map(|(name, values)| (name, values.list())).collect();
    Ok(Some(Step { name, when: lists(when), unless: lists(unless), deed: step }))
}

/// Any value is one of the core's.
pub(super) fn json(value: &Value) -> Json {
    Json::deserialize(value).unwrap_or(Json::Null)
}
