//! A model's answer, event by event.

use serde_json::{Value, json};

/// The events of an answer.
#[derive(Debug, Clone)]
pub struct Answer {
    events: Vec<String>,
    blocks: usize,
    stop: &'static str,
}

impl Default for Answer {
    fn default() -> Self {
        Self::new()
    }
}

impl Answer {
    /// An answer that has begun.
    pub fn new() -> Self {
        let answer = Self { events: Vec::new(), blocks: 0, stop: "end_turn" };
        let usage = json!({"input_tokens": 100, "output_tokens": 1});
        answer.event(&json!({"type": "message_start", "message": {"id": "msg_1", "role": "assistant", "content": [], "usage": usage}}))
    }

    /// Says something, word by word.
    pub fn text(self, text: &str) -> Self {
        let index = self.blocks;
        let begun = self.event(
            &json!({"type": "content_block_start", "index": index, "content_block": {"type": "text", "text": ""}}),
        );
        let words = text.split_inclusive(' ').map(|word| json!({"type": "text_delta", "text": word}));
        words.fold(begun, |answer, delta| answer.delta(index, &delta)).close(index)
    }

    /// Calls a tool.
    pub fn call(self, id: &str, name: &str, input: &Value) -> Self {
        self.call_raw(id, name, &input.to_string())
    }

    /// Calls a tool with an input that may be anything.
    pub fn call_raw(mut self, id: &str, name: &str, input: &str) -> Self {
        self.stop = "tool_use";
        let index = self.blocks;
        let block = json!({"type": "tool_use", "id": id, "name": name, "input": {}});
        let begun = self.event(&json!({"type": "content_block_start", "index": index, "content_block": block}));
        let (head, tail) =
            input.split_at((0..=input.len() / 2).rev().find(|at| input.is_char_boundary(*at)).unwrap_or(0));
        let pieces = [head, tail].map(|piece| json!({"type": "input_json_delta", "partial_json": piece}));
        pieces.iter().fold(begun, |answer, delta| answer.delta(index, delta)).close(index)
    }

    /// Ends the answer as it should end.
    pub fn end(self) -> Self {
        let stop = self.stop;
        self.end_because(stop)
    }

    /// Ends it for a reason.
    pub fn end_because(self, stop: &str) -> Self {
        let usage = json!({"output_tokens": 20});
        let told = self.event(&json!({"type": "message_delta", "delta": {"stop_reason": stop}, "usage": usage}));
        told.event(&json!({"type": "message_stop"}))
    }

    /// Breaks it off with an error.
    pub fn fail(self, kind: &str) -> Self {
        self.event(&json!({"type": "error", "error": {"type": kind, "message": "as told"}}))
    }

    /// Any event.
    pub fn event(mut self, event: &Value) -> Self {
        let name = event["type"].as_str().unwrap_or("ping");
        self.events.push(format!("event: {name}\ndata: {event}\n\n"));
        self
    }

    /// Any bytes of a body.
    pub fn raw(mut self, bytes: &str) -> Self {
        self.events.push(bytes.to_owned());
        self
    }

    fn delta(self, index: usize, delta: &Value) -> Self {
        self.event(&json!({"type": "content_block_delta", "index": index, "delta": delta}))
    }

    fn close(mut self, index: usize) -> Self {
        self.blocks += 1;
        self.event(&json!({"type": "content_block_stop", "index": index})).event(&json!({"type": "ping"}))
    }

    pub(crate) fn bytes(&self) -> Vec<u8> {
        self.events.concat().into_bytes()
    }
}
