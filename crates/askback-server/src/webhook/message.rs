//! What a person is told of an event where they are not: short, harmless, and never what somebody answered.

use crate::limits::{HOOK_LINE, HOOK_QUESTION};
use askback_core::Status;
use askback_core::show::{self, Layout, Purpose, show};
use askback_hub::{Event, Record};

/// An event in words.
pub(super) struct Words {
    /// What happened, in one line.
    pub(super) headline: String,
    /// What is asked, while it is to be answered.
    pub(super) question: Option<Asked>,
}

pub(super) struct Asked {
    pub(super) title: Option<String>,
    pub(super) text: String,
}

impl Words {
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
            Asked { title: request.title().map(line), text }
        });
        Self { headline, question }
    }
}

/// Somebody's text in one line of ours.
pub(super) fn line(text: &str) -> String {
    harmless(text, Layout::Line, HOOK_LINE)
}

fn block(text: &str) -> String {
    harmless(text, Layout::Block, HOOK_QUESTION)
}

fn harmless(text: &str, layout: Layout, most: usize) -> String {
    // What hides becomes a mark, which takes more room than it did.
    clipped(&show(&clipped(text, most), layout, Purpose::Prose), most)
}

/// So many characters of a text, the last of which says if there are more.
pub(crate) fn clipped(text: &str, most: usize) -> String {
    if text.chars().nth(most).is_none() {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}
