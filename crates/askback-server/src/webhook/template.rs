//! The formats of webhooks: the audit event for programs, and messages to people for ntfy and Slack.

use super::message::{EventMessage, QuestionMessage};
use crate::service::views::audit_event;
use askback_api::AuditEvent;
use askback_client::transport::Address;
use askback_core::Status;
use askback_hub::Event;
use serde::Serialize;

/// The format of a webhook.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Template {
    /// The line of the audit log, with a link.
    Json,
    /// A notification that ntfy publishes under a topic.
    Ntfy {
        /// The topic that it is published to.
        topic: String,
    },
    /// A message of an incoming webhook.
    Slack,
}

impl Template {
    /// The names of all templates.
    pub const NAMES: [&'static str; 3] = ["json", "ntfy", "slack"];

    /// The template of this name, and the exact address that it posts to. The error is the expected form of the address.
    pub fn of(name: &str, address: Address) -> Result<(Address, Self), &'static str> {
        const TOPIC: &str = "the server and the topic, such as \"https://ntfy.sh/my-topic\"";
        match name {
            "ntfy" => {
                // A topic in JSON is published at the root path. Unlike a header, JSON allows any character in the title.
                let (path, query) = match address.path.split_once('?') {
                    Some((path, query)) => (path, format!("/?{query}")),
                    None => (address.path.as_str(), "/".to_owned()),
                };
                let topic = path.trim_matches('/').to_owned();
                let is_topic = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
                if topic.is_empty() || topic.len() > 64 || !topic.chars().all(is_topic) {
                    return Err(TOPIC);
                }
                Ok((Address { path: query, ..address }, Self::Ntfy { topic }))
            }
            "slack" => Ok((address, Self::Slack)),
            _ => Ok((address, Self::Json)),
        }
    }

    /// The default events: all for programs, and new requests for people.
    pub fn usual_events(&self) -> &'static [Status] {
        match self {
            Self::Json => &Status::ALL,
            Self::Ntfy { .. } | Self::Slack => &[Status::Pending],
        }
    }

    /// The body for an event, which is JSON in every format. The link is the URL of the page.
    pub(super) fn body(&self, event: &Event, link: &str) -> String {
        let link = format!("{link}r/{}", event.record.id);
        let body = match self {
            Self::Json => serde_json::to_string(&LinkedEvent { event: audit_event(event), link: &link }),
            Self::Ntfy { topic } => serde_json::to_string(&ntfy(event, topic, &link)),
            Self::Slack => serde_json::to_string(&slack(event, &link)),
        };
        // Texts and numbers in structs are always written.
        body.unwrap_or_default()
    }
}

/// The audit event with a link to its request.
#[derive(Serialize)]
struct LinkedEvent<'a> {
    #[serde(flatten)]
    event: AuditEvent,
    link: &'a str,
}

/// See <https://docs.ntfy.sh/publish/#publish-as-json>.
#[derive(Serialize)]
struct NtfyMessage<'a> {
    topic: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    title: Option<String>,
    message: String,
    click: &'a str,
    tags: [&'static str; 1],
    priority: u8,
}

fn ntfy<'a>(event: &Event, topic: &'a str, link: &'a str) -> NtfyMessage<'a> {
    let EventMessage { headline, question } = EventMessage::of(event);
    let (tag, priority) = match event.status {
        Status::Pending => ("question", 4),
        Status::Answered => ("white_check_mark", 2),
        Status::Declined | Status::Cancelled => ("no_entry_sign", 2),
        Status::Expired => ("hourglass", 2),
    };
    let (title, message) = match question {
        Some(QuestionMessage { title: Some(title), text }) => (Some(title), format!("{text}\n\n{headline}")),
        Some(QuestionMessage { title: None, text }) => (Some(headline), text),
        None => (None, headline),
    };
    NtfyMessage { topic, title, message, click: link, tags: [tag], priority }
}

/// See <https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks>.
#[derive(Serialize)]
struct SlackMessage {
    text: String,
    blocks: Vec<SlackBlock>,
    unfurl_links: bool,
    unfurl_media: bool,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum SlackBlock {
    Section { text: SlackText },
    Context { elements: [SlackText; 1] },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum SlackText {
    /// A text that Slack shows verbatim, without markup and mentions.
    PlainText {
        text: String,
        emoji: bool,
    },
    Mrkdwn {
        text: String,
    },
}

fn slack(event: &Event, link: &str) -> SlackMessage {
    let EventMessage { headline, question } = EventMessage::of(event);
    let section = |text: &str| SlackBlock::Section { text: SlackText::PlainText { text: escaped(text), emoji: false } };
    let mut blocks = vec![section(&headline)];
    let mut text = escaped(&headline);
    if let Some(QuestionMessage { title, text: body }) = question {
        text = format!("{text}: {}", escaped(title.as_deref().unwrap_or(&body)));
        blocks.extend(title.map(|title| section(&title)));
        blocks.push(section(&body));
    }
    let named = if event.status == Status::Pending { "Answer" } else { "Open askback" };
    let link = SlackText::Mrkdwn { text: format!("<{}|{named}>", escaped(link)) };
    blocks.push(SlackBlock::Context { elements: [link] });
    // Slack must not fetch addresses in the text for a preview.
    SlackMessage { text, blocks, unfurl_links: false, unfurl_media: false }
}

/// Escapes a text: `<!channel>` would notify everyone, and `<https://…|…>` would disguise a link.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
