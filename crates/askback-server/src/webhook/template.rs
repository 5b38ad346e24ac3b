//! The formats of webhooks: the audit event for programs, and messages to people for ntfy and Slack.

use super::message::{EventMessage, QuestionMessage};
use crate::service::views::audit_event;
use askback_client::transport::Address;
use askback_core::{Json, Object, Status};
use askback_hub::Event;

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
        let json = match self {
            Self::Json => plain(event, &link),
            Self::Ntfy { topic } => ntfy(event, topic, &link),
            Self::Slack => slack(event, &link),
        };
        json.to_string()
    }
}

fn plain(event: &Event, link: &str) -> Json {
    let mut json = serde_json::to_value(audit_event(event)).map_or(Json::Null, Json::from);
    if let Json::Object(fields) = &mut json {
        fields.push(("link".to_owned(), link.into()));
    }
    json
}

/// See <https://docs.ntfy.sh/publish/#publish-as-json>.
fn ntfy(event: &Event, topic: &str, link: &str) -> Json {
    let EventMessage { headline, question } = EventMessage::of(event);
    let (tag, priority) = match event.status {
        Status::Pending => ("question", 4),
        Status::Answered => ("white_check_mark", 2),
        Status::Declined | Status::Cancelled => ("no_entry_sign", 2),
        Status::Expired => ("hourglass", 2),
    };
    let object = Object::new().put("topic", topic);
    let object = match question {
        Some(QuestionMessage { title: Some(title), text }) => {
            object.put("title", title).put("message", format!("{text}\n\n{headline}"))
        }
        Some(QuestionMessage { title: None, text }) => object.put("title", headline).put("message", text),
        None => object.put("message", headline),
    };
    object.put("click", link).put("tags", vec![tag]).put("priority", f64::from(priority)).into()
}

/// See <https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks>.
fn slack(event: &Event, link: &str) -> Json {
    let EventMessage { headline, question } = EventMessage::of(event);
    let section = |text: &str| Object::new().put("type", "section").put("text", literal(text));
    let mut blocks: Vec<Json> = vec![section(&headline).into()];
    let mut text = escaped(&headline);
    if let Some(QuestionMessage { title, text: body }) = question {
        text = format!("{text}: {}", escaped(title.as_deref().unwrap_or(&body)));
        blocks.extend(title.map(|title| section(&title).into()));
        blocks.push(section(&body).into());
    }
    let named = if event.status == Status::Pending { "Answer" } else { "Open askback" };
    let way = Object::new().put("type", "mrkdwn").put("text", format!("<{}|{named}>", escaped(link)));
    let elements: Vec<Json> = vec![way.into()];
    blocks.push(Object::new().put("type", "context").put("elements", elements).into());
    // Slack must not fetch addresses in the text for a preview.
    Object::new().put("text", text).put("blocks", blocks).put("unfurl_links", false).put("unfurl_media", false).into()
}

/// A text that Slack shows verbatim, without markup and mentions.
fn literal(text: &str) -> Object {
    Object::new().put("type", "plain_text").put("text", escaped(text)).put("emoji", false)
}

/// Escapes a text: `<!channel>` would notify everyone, and `<https://…|…>` would disguise a link.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
