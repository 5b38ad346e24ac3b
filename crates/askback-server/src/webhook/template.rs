//! The forms in which an event goes out: as it is, for programs, and as a message to people, for ntfy and Slack.

use super::words::{Asked, Words};
use crate::service::views::audit_event;
use askback_client::transport::Address;
use askback_core::{Json, Object, Status};
use askback_hub::Event;

/// Which form.
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

const ALL: [Status; 5] = [Status::Pending, Status::Answered, Status::Declined, Status::Cancelled, Status::Expired];

impl Template {
    /// The names of all templates.
    pub const NAMES: [&'static str; 3] = ["json", "ntfy", "slack"];

    /// The template of this name for what is sent to this address, and where exactly that goes; or what it should have been.
    pub fn of(name: &str, address: Address) -> Result<(Address, Self), &'static str> {
        const TOPIC: &str = "the server and the topic, such as \"https://ntfy.sh/my-topic\"";
        match name {
            "ntfy" => {
                // A topic in JSON is published at the root: so a title may have any letter, which a header may not.
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

    /// What is sent unless said otherwise: programs hear of everything, people of what waits for them.
    pub fn usual_events(&self) -> &'static [Status] {
        match self {
            Self::Json => &ALL,
            Self::Ntfy { .. } | Self::Slack => &[Status::Pending],
        }
    }

    /// The body for an event, which is JSON in every form. The link is that of the page, on which it can be answered.
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

/// As <https://docs.ntfy.sh/publish/#publish-as-json> has it.
fn ntfy(event: &Event, topic: &str, link: &str) -> Json {
    let Words { headline, question } = Words::of(event);
    let (tag, priority) = match event.status {
        Status::Pending => ("question", 4),
        Status::Answered => ("white_check_mark", 2),
        Status::Declined | Status::Cancelled => ("no_entry_sign", 2),
        Status::Expired => ("hourglass", 2),
    };
    let object = Object::new().put("topic", topic);
    let object = match question {
        Some(Asked { title: Some(title), text }) => {
            object.put("title", title).put("message", format!("{text}\n\n{headline}"))
        }
        Some(Asked { title: None, text }) => object.put("title", headline).put("message", text),
        None => object.put("message", headline),
    };
    object.put("click", link).put("tags", vec![tag]).put("priority", f64::from(priority)).into()
}

/// As <https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks> has it.
fn slack(event: &Event, link: &str) -> Json {
    let Words { headline, question } = Words::of(event);
    let section = |text: &str| Object::new().put("type", "section").put("text", literal(text));
    let mut blocks: Vec<Json> = vec![section(&headline).into()];
    let mut text = escaped(&headline);
    if let Some(Asked { title, text: asked }) = question {
        text = format!("{text}: {}", escaped(title.as_deref().unwrap_or(&asked)));
        blocks.extend(title.map(|title| section(&title).into()));
        blocks.push(section(&asked).into());
    }
    let named = if event.status == Status::Pending { "Answer" } else { "Open askback" };
    let way = Object::new().put("type", "mrkdwn").put("text", format!("<{}|{named}>", escaped(link)));
    let elements: Vec<Json> = vec![way.into()];
    blocks.push(Object::new().put("type", "context").put("elements", elements).into());
    // An address in somebody's text is not to be fetched for a preview.
    Object::new().put("text", text).put("blocks", blocks).put("unfurl_links", false).put("unfurl_media", false).into()
}

/// A text that Slack shows as it is: no markup, and no word in it calls anybody.
fn literal(text: &str) -> Object {
    Object::new().put("type", "plain_text").put("text", escaped(text)).put("emoji", false)
}

/// With `<!channel>` everybody would be called, and with `<https://…|…>` sent elsewhere.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests;
