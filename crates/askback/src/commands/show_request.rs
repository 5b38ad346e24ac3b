//! `askback show`: one request, whole.

use super::{find_record, json_text};
use crate::console::{ended_by, line, print};
use crate::error::CliError;
use crate::exit::Exit;
use crate::hub_args::{Caller, HubArgs};
use crate::signals::block_on;
use crate::subcommand::Subcommand;
use askback_core::kind::approval::Decision;
use askback_core::show::{Layout, Purpose, show};
use askback_core::{Json, Kind, Options, Outcome, Question, Reason};
use clap::Args;
use std::fmt::Write;

/// Show a request on the hub: what is asked, who asks, and what became of it
#[derive(Debug, Args)]
#[command(after_help = "For example: askback show 58fb8350")]
pub(crate) struct ShowArgs {
    /// The request's id, or the end of it
    id: String,

    /// Print it as JSON, as GET /api/v1/requests/ID/request gives it
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    hub: HubArgs,
}

impl Subcommand for ShowArgs {
    fn run(&self) -> Result<Exit, CliError> {
        block_on(async {
            let record = find_record(&self.hub.client(Caller::Anybody)?, &self.id).await?;
            if self.json {
                return print(&json_text(&record)?);
            }
            let mut text = String::new();
            let mut put = |name: &str, value: &str| {
                let _ = writeln!(text, "{name:<9} {}", line(value));
            };
            put("id", record.id.as_str());
            put("status", record.status().name());
            put("room", record.room.as_str());
            put("asker", &record.asker_and_claim());
            put("asked", &record.created_at.to_string());
            if let Some(expires_at) = &record.expires_at {
                put("expires", &expires_at.to_string());
            }
            match (&record.outcome, record.is_waited_for, &record.last_waited_at) {
                (None, true, _) => put("waiting", "its asker is waiting"),
                (None, false, Some(seen)) => put("waiting", &format!("nobody is waiting since {seen}")),
                _ => {}
            }
            if let Some(title) = record.request.title() {
                put("title", title);
            }
            for context in record.request.context() {
                let title =
                    context.title().map_or_else(String::new, |title| format!("{}\n", behind("| ", &line(title))));
                let shown = show(context.text(), Layout::Block, Purpose::Exact);
                let _ = writeln!(text, "\n{title}{}", behind("| ", shown.trim_end()));
            }
            for (number, question) in (1..).zip(record.request.questions()) {
                let _ = write!(text, "\n{number}. {}{}", described(question), rules(&question.to_json()));
            }
            if let Some(outcome) = &record.outcome {
                let _ = write!(text, "\n{}", ended(outcome));
            }
            print(text.trim_end())
        })?
    }
}

/// Puts each line behind a mark, so that a text of several lines can't imitate the lines of this command (S2).
fn behind(mark: &str, text: &str) -> String {
    let lines: Vec<String> = text.split('\n').map(|line| format!("{mark}{line}").trim_end().to_owned()).collect();
    lines.join("\n")
}

fn described(question: &Question) -> String {
    let kind = question.kind();
    let header = question.header().map_or_else(String::new, |header| format!("[{}] ", line(header)));
    let mut text = format!("{header}{} ({})\n", line(question.message()), kind.name());
    if let Kind::Approval(approval) = kind {
        for decision in [Decision::Approve, Decision::Reject] {
            let label = line(approval.caption(decision).label);
            let _ = writeln!(text, "   - {}, shown as {label}", decision.word());
        }
    }
    for option in kind.options().into_iter().flat_map(Options::iter) {
        let is_plain = option.label() == option.value();
        let label = if is_plain { String::new() } else { format!(", shown as {}", line(option.label())) };
        let disabled = if option.disabled() { " (can't be chosen)" } else { "" };
        let _ = writeln!(text, "   - {}{label}{disabled}", line(option.value()));
        for more in [option.description(), option.preview()].into_iter().flatten() {
            let _ = writeln!(text, "{}", behind("     | ", &show(more, Layout::Block, Purpose::Exact)));
        }
    }
    text
}

/// What an answer must be like, as the request says it.
fn rules(fields: &Json) -> String {
    // What is shown already, or says nothing to a person.
    const TOLD: [&str; 6] = ["id", "type", "header", "message", "options", "labels"];
    let Json::Object(fields) = fields else { return String::new() };
    let fields =
        fields.iter().filter(|(name, value)| !TOLD.contains(&name.as_str()) && !matches!(value, Json::Bool(false)));
    fields.map(|(name, value)| format!("   {name}: {}\n", line(&value.to_string()))).collect()
}

fn ended(outcome: &Outcome) -> String {
    let mut text = format!("{} at {}\n", line(&ended_by(outcome)), outcome.at());
    for response in outcome.responses() {
        let _ = writeln!(text, "{}", behind("  ", &show(&response, Layout::Block, Purpose::Exact)));
    }
    if let Some(reason) = outcome.resolution().reason().map(Reason::as_str) {
        let _ = writeln!(text, "  reason: {}", line(reason));
    }
    text
}
