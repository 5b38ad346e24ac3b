//! One call of the API, described: who may make it, what it takes, and everything it can answer.

use askback_api::ProblemCode;
use askback_api::schema::reference;
use serde_json::{Map, Value, json};

/// The description of one call.
pub(crate) struct Operation {
    pub(super) id: &'static str,
    pub(super) summary: &'static str,
    pub(super) description: &'static str,
    pub(super) access: Access,
    pub(super) parameters: Vec<Value>,
    pub(super) body: Option<Value>,
    /// What it answers when all is well, by status.
    pub(super) answers: Vec<(u16, Value)>,
    /// What else can go wrong, besides what can with every call of this access.
    pub(super) faults: &'static [ProblemCode],
}

/// Who may make a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Whoever reaches the server.
    Anyone,
    /// Whoever has a token that counts.
    Holder,
    /// Whoever has one of a certain role, or for a certain room.
    Some,
}

impl Access {
    fn faults(self) -> &'static [ProblemCode] {
        match self {
            Self::Anyone => &[],
            Self::Holder => &[ProblemCode::Unauthenticated, ProblemCode::TooMany, ProblemCode::InvalidParameter],
            Self::Some => &[
                ProblemCode::Unauthenticated,
                ProblemCode::TooMany,
                ProblemCode::InvalidParameter,
                ProblemCode::Forbidden,
            ],
        }
    }
}

/// What can be refused before it is known what is called.
const GATE: &[ProblemCode] = &[ProblemCode::UnknownHost, ProblemCode::ForeignOrigin];

impl Operation {
    pub(super) fn new(id: &'static str, access: Access, summary: &'static str) -> Self {
        let (parameters, answers) = (Vec::new(), Vec::new());
        Self { id, summary, description: "", access, parameters, body: None, answers, faults: &[] }
    }

    /// Everything that can go wrong with it.
    pub(super) fn kinds(&self) -> Vec<ProblemCode> {
        let faults = [GATE, self.access.faults(), self.faults].concat();
        ProblemCode::ALL.iter().copied().filter(|kind| faults.contains(kind)).collect()
    }

    pub(super) fn to_json(&self) -> Value {
        let mut responses: Map<String, Value> =
            self.answers.iter().map(|(status, answer)| (status.to_string(), answer.clone())).collect();
        let kinds = self.kinds();
        for kind in &kinds {
            let same: Vec<ProblemCode> =
                kinds.iter().copied().filter(|other| other.status() == kind.status()).collect();
            responses.insert(kind.status().to_string(), problem(&same));
        }
        let security = match self.access {
            Access::Anyone => json!([]),
            Access::Holder | Access::Some => json!([{"bearer": []}]),
        };
        let mut operation = json!({
            "operationId": self.id, "summary": self.summary, "security": security, "responses": responses,
        });
        if !self.description.is_empty() {
            operation["description"] = self.description.into();
        }
        if !self.parameters.is_empty() {
            operation["parameters"] = self.parameters.clone().into();
        }
        if let Some(body) = &self.body {
            operation["requestBody"] = body.clone();
        }
        operation
    }
}

/// An answer in JSON.
pub(super) fn answer(description: &str, schema: &str) -> Value {
    let schema = reference(schema);
    json!({"description": description, "content": {"application/json": {"schema": schema}}})
}

/// An answer that is text of some type.
pub(super) fn text_answer(description: &str, media_type: &str) -> Value {
    json!({"description": description, "content": {media_type: {"schema": {"type": "string"}}}})
}

/// The answer when something goes wrong with this status.
fn problem(kinds: &[ProblemCode]) -> Value {
    let titles: Vec<String> = kinds.iter().map(|kind| format!("{} (`{}`).", kind.title(), kind.name())).collect();
    let types: Vec<String> = kinds.iter().map(|kind| kind.type_uri()).collect();
    let mut answer = json!({
        "description": titles.join(" "),
        "content": {"application/problem+json": {"schema": {
            "allOf": [reference("Problem")], "properties": {"type": {"enum": types}},
        }}},
    });
    let header =
        |description: &str| json!({"description": description, "required": true, "schema": {"type": "string"}});
    if kinds.contains(&ProblemCode::Unauthenticated) {
        answer["headers"] = json!({"WWW-Authenticate": header("How to say who one is.")});
    }
    if kinds.iter().all(|kind| matches!(kind, ProblemCode::TooMany | ProblemCode::Stopping | ProblemCode::StoreFailed))
    {
        answer["headers"] = json!({"Retry-After": header("The seconds after which it is worth another try.")});
    }
    answer
}
