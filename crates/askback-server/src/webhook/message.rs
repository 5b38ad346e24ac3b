//! Messages to people about an event: short, safe to show, and without answers.

use crate::limits::{HOOK_LINE, HOOK_QUESTION};
use askback_core::Status;
use askback_core::show::{self, Layout, Purpose, show};
use askback_hub::{Event, Record};

/// The message about an event.
pub(super) struct EventMessage {
    /// The event on one line.
    pub(super) headline: String,
    /// The question, while it is pending.
    pub(super) question: Option<QuestionMessage>,
}

pub(super) struct QuestionMessage {
    pub(super) title: Option<String>,
    pub(super) text: String,
}

impl EventMessage {
    pub(super) fn of(event: &Event) -> Self {
        let Record { asker, room, request, .. } = &*event.record;
        let asker = line(&show::asker(asker.as_str(), request.from()));
        let (room, by) = (line(room.as_str()), line(event.by()));
        let headline = match event.status {
            Status::Pending => format!("Question from {asker} in {room}"),
            Status::Answered => format!("{by} answered {asker} in {room}"),
            Status::Declined => format!("{by} declined to answer {asker} in {room}"),
            Status::Cancelled => format!("{by} cancelled a question of {asker} in {room}"),
            Status::Expired => format!("Nobody answered {asker} in {room} in time"),
        };
        let question = (event.status == Status::Pending).then(|| {
            let questions = request.questions();
            let first = questions.first().map_or("", |question| question.message());
            let text = match questions.len() {
                0 | 1 => block(first),
                2 => format!("{}\n(and one more question)", block(first)),
                many => format!("{}\n(and {} more questions)", block(first), many - 1),
            };
            QuestionMessage { title: request.title().map(line), text }
        });
        Self { headline, question }
    }
}

fn line(text: &str) -> String {
    safe(text, Layout::Line, HOOK_LINE)
}

fn block(text: &str) -> String {
    safe(text, Layout::Block, HOOK_QUESTION)
}

fn safe(text: &str, layout: Layout, max: usize) -> String {
    // Clipped again, since the mark for an invisible character is longer than the character.
    clipped(&show(&clipped(text, max), layout, Purpose::Prose), max)
}

/// A text of at most this many characters, with an ellipsis if it was cut.
pub(crate) fn clipped(text: &str, max: usize) -> String {
    if text.chars().nth(max).is_none() {
        return text.to_owned();
    }
    text.chars().take(max.saturating_sub(1)).chain(['…']).collect()
}
