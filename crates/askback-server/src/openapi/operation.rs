//! The description of one call: its access, parameters, body and responses.

use askback_api::ProblemCode::{self, Forbidden, InvalidParameter, TooMany, Unauthenticated};
use askback_api::schema::reference;
use serde_json::{Map, Value, json};

/// The description of one call.
pub(crate) struct Operation {
    pub(super) id: &'static str,
    summary: &'static str,
    description: &'static str,
    access: Access,
    parameters: Vec<Value>,
    body: Option<Value>,
    /// The successful responses, by status.
    responses: Map<String, Value>,
    /// The refusals, besides those of every call with this access.
    refusals: Vec<ProblemCode>,
}

/// The access to a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// Any client that reaches the server.
    Anyone,
    /// Any client with a valid token.
    Holder,
    /// A client whose token has a certain role or room.
    Some,
}

impl Access {
    fn refusals(self) -> &'static [ProblemCode] {
        match self {
            Self::Anyone => &[],
            Self::Holder => &[Unauthenticated, TooMany, InvalidParameter],
            Self::Some => &[Unauthenticated, TooMany, InvalidParameter, Forbidden],
        }
    }
}

/// The refusals of the gate, before the route is known.
const GATE: &[ProblemCode] = &[ProblemCode::UnknownHost, ProblemCode::ForeignOrigin];

impl Operation {
    pub(super) fn new(id: &'static str, access: Access, summary: &'static str, description: &'static str) -> Self {
        let (parameters, responses, refusals) = (Vec::new(), Map::new(), Vec::new());
        Self { id, summary, description, access, parameters, body: None, responses, refusals }
    }

    pub(super) fn parameters(self, parameters: impl Into<Vec<Value>>) -> Self {
        Self { parameters: parameters.into(), ..self }
    }

    /// A body that must be sent.
    pub(super) fn body(self, schema: &Value, example: &Value) -> Self {
        let content = json!({"application/json": {"schema": schema, "example": example}});
        Self { body: Some(json!({"required": true, "content": content})), ..self }
    }

    /// A body that may be left out.
    pub(super) fn optional_body(self, schema: &Value, example: &Value) -> Self {
        let mut operation = self.body(schema, example);
        operation.body.iter_mut().for_each(|body| body["required"] = false.into());
        operation
    }

    /// A response in JSON, by the name of its schema.
    pub(super) fn returns(self, status: u16, description: &str, schema: &str) -> Self {
        let schema = reference(schema);
        self.responds(status, json!({"description": description, "content": {"application/json": {"schema": schema}}}))
    }

    /// A text response.
    pub(super) fn returns_text(self, status: u16, description: &str, media_type: &str) -> Self {
        let content = json!({media_type: {"schema": {"type": "string"}}});
        self.responds(status, json!({"description": description, "content": content}))
    }

    /// A response without a body.
    pub(super) fn returns_nothing(self, status: u16, description: &str) -> Self {
        self.responds(status, json!({"description": description}))
    }

    fn responds(mut self, status: u16, response: Value) -> Self {
        self.responses.insert(status.to_string(), response);
        self
    }

    /// The calls that take `parameter` from the body of every successful response.
    pub(super) fn links(mut self, parameter: &str, operations: &[&str]) -> Self {
        let link = |operation: &&str| {
            let value =
                json!({"operationId": operation, "parameters": {parameter: format!("$response.body#/{parameter}")}});
            ((*operation).to_owned(), value)
        };
        let links: Map<String, Value> = operations.iter().map(link).collect();
        self.responses.values_mut().for_each(|response| response["links"] = links.clone().into());
        self
    }

    /// A header of every successful response.
    pub(super) fn header(mut self, name: &str, description: &str) -> Self {
        self.responses.values_mut().for_each(|response| response["headers"] = json!({name: header(description)}));
        self
    }

    pub(super) fn refuses(mut self, codes: &[ProblemCode]) -> Self {
        self.refusals.extend(codes);
        self
    }

    /// All refusals of the call.
    pub(super) fn kinds(&self) -> Vec<ProblemCode> {
        let refusals = [GATE, self.access.refusals(), &self.refusals].concat();
        ProblemCode::ALL.iter().copied().filter(|code| refusals.contains(code)).collect()
    }

    pub(super) fn to_json(&self) -> Value {
        let mut responses = self.responses.clone();
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

fn header(description: &str) -> Value {
    json!({"description": description, "required": true, "schema": {"type": "string"}})
}

/// The response of refusals with the same status.
fn problem(kinds: &[ProblemCode]) -> Value {
    let titles: Vec<String> = kinds.iter().map(|kind| format!("{} (`{}`).", kind.title(), kind.name())).collect();
    let types: Vec<String> = kinds.iter().map(|kind| kind.type_uri()).collect();
    let mut answer = json!({
        "description": titles.join(" "),
        "content": {"application/problem+json": {"schema": {
            "allOf": [reference("Problem")], "properties": {"type": {"enum": types}},
        }}},
    });
    if kinds.contains(&ProblemCode::Unauthenticated) {
        answer["headers"] = json!({"WWW-Authenticate": header("How to say who one is.")});
    }
    if kinds.iter().all(|kind| matches!(kind, ProblemCode::TooMany | ProblemCode::Stopping | ProblemCode::StoreFailed))
    {
        answer["headers"] = json!({"Retry-After": header("The seconds after which it is worth another try.")});
    }
    answer
}
