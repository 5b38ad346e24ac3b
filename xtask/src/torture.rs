//! `cargo xtask torture`: campaigns that take longer than `cargo xtask test` may.
//!
//! Mutants: a property that no mistake can break tests nothing, so for every one of them a mistake is made in a copy of the
//! code, and the property must fail.

use crate::Done;
use crate::project::{self, root};
use std::path::{Path, PathBuf};
use std::process::Command;

/// A mistake in a file, and the test that must notice it.
struct Mutant {
    what: &'static str,
    file: &'static str,
    right: &'static str,
    wrong: &'static str,
    package: &'static str,
    test: &'static str,
}

const HANDLER: &str = "crates/askback-agent/src/handler.rs";
const AGENT: &str = "askback-agent";
const HUB: &str = "askback-hub";
const BINARY: &str = "askback";
const CLIENT: &str = "askback-client";
const SCRIPT: &str = "askback-script";
const SQLITE: &str = "askback-sqlite";
const SERVER: &str = "askback-server";
const YJS: &str = "askback-yjs";
const FUZZ: &str = "askback-fuzz";

const MUTANTS: &[Mutant] = &[
    Mutant {
        what: "the stream goes on without asking",
        file: HANDLER,
        right: "return self.input_request(ask, turn).await,",
        wrong: "{\n                drop(ask);\n            }",
        package: AGENT,
        test: "property_1_",
    },
    Mutant {
        what: "a rejection leaves the responder to be dropped",
        file: HANDLER,
        right: "                responder.resolve(response);\n                if !answered {",
        wrong: "                if !answered {\n                    drop(responder);",
        package: AGENT,
        test: "property_2_",
    },
    Mutant {
        what: "an approval is approved whatever the person says",
        file: "crates/askback-agent/src/event.rs",
        right: "let reply = Reply::of(request, outcome).unwrap_or(Reply::Reject);",
        wrong: "let reply = match Reply::of(request, outcome) { Ok(Reply::Reject) | Err(_) => Reply::Approve, Ok(reply) => reply };",
        package: AGENT,
        test: "property_3_",
    },
    Mutant {
        what: "choices are counted from one",
        file: "crates/askback-core/src/dialect/stream.rs",
        right: "Some(index) => Ok(Self::Choice { index, value }),",
        wrong: "Some(index) => Ok(Self::Choice { index: index + 1, value }),",
        package: AGENT,
        test: "property_4_",
    },
    Mutant {
        what: "a rejected stream goes on",
        file: HANDLER,
        right: "                if !answered {\n                    return Ok(Some(TurnEnd::Rejected));\n                }",
        wrong: "                let _ = answered;",
        package: AGENT,
        test: "property_5_",
    },
    Mutant {
        what: "the spinner turns while a person is asked",
        file: HANDLER,
        right: "            Showing::Spinner => self.surface.stop_spinner(),",
        wrong: "            Showing::Spinner => {}",
        package: AGENT,
        test: "property_6_",
    },
    Mutant {
        what: "a rejected turn is forgotten",
        file: "crates/askback-agent/src/session.rs",
        right: "        self.turns.push(Arc::clone(&turn));",
        wrong: "        if turn.end == crate::turn::TurnEnd::Done {\n            self.turns.push(Arc::clone(&turn));\n        }",
        package: AGENT,
        test: "property_7_",
    },
    Mutant {
        what: "the agent hears of an answer before the person has decided",
        file: HANDLER,
        right: "        Ok(match self.prompt(request.clone(), PromptStyle::Stream, &mut responder, turn).await {",
        wrong: "        std::mem::replace(&mut responder, Responder::pair().0).resolve(InputResponse::cancelled(\"early\"));\n        \
                Ok(match self.prompt(request.clone(), PromptStyle::Stream, &mut responder, turn).await {",
        package: AGENT,
        test: "property_8_",
    },
    Mutant {
        what: "what begins with an a approves",
        file: "crates/askback-term/src/prompt/decision.rs",
        right: "typed == side.letter.to_string() ||",
        wrong: "typed.starts_with(side.letter) ||",
        package: "askback-term",
        test: "property_8_",
    },
    Mutant {
        what: "spaces around a text are taken away",
        file: "crates/askback-term/src/prompt/field.rs",
        right: "AnswerInput::from(text)",
        wrong: "AnswerInput::from(text.trim())",
        package: "askback",
        test: "by_keys_the_terminal_agrees",
    },
    Mutant {
        what: "in plain mode a text is taken without the core's word",
        file: "crates/askback-term/src/prompt/field.rs",
        right: "            self.editor.write(line, line.len());\n        }\n        let step = self.submit();",
        wrong: "            self.editor.write(line.trim_start_matches('+'), line.len());\n        }\n        let step = self.submit();",
        package: "askback",
        test: "by_lines_the_terminal_agrees",
    },
    Mutant {
        what: "in plain mode an approval takes what came too early",
        file: "crates/askback-term/src/form.rs",
        right: "_ if self.is_calming(now) => return Verdict::Open,",
        wrong: "_ if self.is_calming(now) && !matches!(input, Input::Line(_)) => return Verdict::Open,",
        package: "askback-term",
        test: "a_line_in_the_first_moment",
    },
    Mutant {
        what: "who types on in a search sees what no longer matches",
        file: "crates/askback-term/src/prompt/choice/filter.rs",
        right: "all.into_iter().filter_map(|index| score(index).map(|score| (Reverse(score), index)))",
        wrong: "all.into_iter().map(|index| (Reverse(score(index).unwrap_or(0)), index))",
        package: "askback-term",
        test: "letters_are_found_in_their_order",
    },
    Mutant {
        what: "an answer is taken although the request has ended",
        file: "crates/askback-sqlite/src/writes.rs",
        right: "WHERE number = ?1 AND status = 0\";",
        wrong: "WHERE number = ?1\";",
        package: SQLITE,
        test: "any_history_gives_one_outcome_in_a_database",
    },
    Mutant {
        what: "a proposal that was taken back counts",
        file: "crates/askback-yjs/src/map_values.rs",
        right: "item.deletions == 0 &&",
        wrong: "item.deletions >= 0 &&",
        package: YJS,
        test: "wire_tests",
    },
    Mutant {
        what: "a room that was read from a snapshot counts less than it shows",
        file: "crates/askback-hub/src/room/document/snapshot.rs",
        right: "            document.insert(clock, Entry { standing, written });",
        wrong: "            document.entries.insert(clock, Entry { standing, written });",
        package: HUB,
        test: "a_replay_and_a_snapshot_with_the_rest_write_the_same_bytes",
    },
    Mutant {
        what: "whoever is told what is new misses what was deleted",
        file: "crates/askback-hub/src/room/document.rs",
        right: ".filter(|clock| *clock < known)",
        wrong: ".filter(|clock| *clock + 1 < known)",
        package: HUB,
        test: "whoever_was_told_some_of_it_is_told_the_rest",
    },
    Mutant {
        what: "what a client says of another is believed",
        file: "crates/askback-hub/src/room/presence.rs",
        right: "        if !is_news || !is_its_own {",
        wrong: "        if !is_news {",
        package: HUB,
        test: "people_are_seen_under_the_names_that_the_hub_knows",
    },
    Mutant {
        what: "an asker's proposal counts",
        file: "crates/askback-server/src/service/ending.rs",
        right: "if caller.token.role == Role::Asker && !self.dialogs.is_empty() { Ok(()) } else { caller.answers() }",
        wrong: "if caller.token.role == Role::Asker { Ok(()) } else { caller.answers() }",
        package: SERVER,
        test: "askers_never_answer_and_nobody_reaches_another_room",
    },
    Mutant {
        what: "a request of another room is answered in this one",
        file: "crates/askback-server/src/service/caller.rs",
        right: "if self.scope.as_ref().is_some_and(|scope| !scope.shows(&record.room)) {",
        wrong: "if self.scope.as_ref().is_some_and(|scope| !scope.shows(&record.room) && self.surface == Surface::Hub) {",
        package: SERVER,
        test: "askers_never_answer_and_nobody_reaches_another_room",
    },
    Mutant {
        what: "a retry with its key is late",
        file: "crates/askback-hub/src/hub/resolve.rs",
        right: "if is_retry { Ok(outcome) }",
        wrong: "if is_retry && id.as_str().is_empty() { Ok(outcome) }",
        package: HUB,
        test: "a_retry_with_its_key",
    },
    Mutant {
        what: "an answer counts after the deadline, if nobody has noticed it",
        file: "crates/askback-hub/src/hub/resolve.rs",
        right: "record.deadline.is_some_and(|deadline| deadline <= now)",
        wrong: "record.deadline.is_some_and(|deadline| deadline < record.created_at)",
        package: HUB,
        test: "an_answer_after_the_deadline",
    },
    Mutant {
        what: "a write that is repeated counts as another one",
        file: "crates/askback-sqlite/src/writes.rs",
        right: "if stored == Some(attempt.0) {",
        wrong: "if stored == Some([0; 16]) {",
        package: SQLITE,
        test: "a_database_lives_through_the_story",
    },
    Mutant {
        what: "the waiter of an event that can't be read waits for ever",
        file: "crates/askback-hub/src/follower.rs",
        right: "    shared.waiters.fail(id);\n",
        wrong: "",
        package: HUB,
        test: "event_that_can_not_be_read_wakes_its_waiter",
    },
    Mutant {
        what: "an answer is sent without a key",
        file: "crates/askback-client/src/client.rs",
        right: "    Some(new_id().to_string())\n",
        wrong: "    None\n",
        package: BINARY,
        test: "answer_whose_reply_was_lost_with_the_hub",
    },
    Mutant {
        what: "a hint that is lost is not made up for",
        file: "crates/askback-hub/src/follower.rs",
        right: "        catch_up(&shared).await;\n",
        wrong: "        let _ = catch_up;\n",
        package: HUB,
        test: "a_signal_that_loses_its_hints",
    },
    Mutant {
        what: "an approval that was delivered is used again",
        file: "crates/askback-sqlite/src/select.rs",
        right: "AND (r.status = 0 OR r.delivered_at IS NULL)",
        wrong: "AND 1",
        package: SQLITE,
        test: "a_database_lives_through_the_story",
    },
    Mutant {
        what: "an answer given here counts without the hub's word",
        file: "crates/askback-client/src/race.rs",
        right: "Ok(PromptEnd::Decided(resolution)) if remote.phase() == Phase::NotSent =>",
        wrong: "Ok(PromptEnd::Decided(resolution)) if remote.phase() != Phase::Acknowledged =>",
        package: CLIENT,
        test: "a_race_never_says",
    },
    Mutant {
        what: "a request that was lost and then refused is forgotten",
        file: "crates/askback-client/src/race/remote_request.rs",
        right: "                    self.may_be_there = true;\n",
        wrong: "",
        package: CLIENT,
        test: "request_whose_acknowledgement_was_lost",
    },
    Mutant {
        what: "an asker answers",
        file: "crates/askback-server/src/service/caller.rs",
        right: "if own.may_act_as(role) {",
        wrong: "if own.may_act_as(role) || role == Role::Answerer {",
        package: BINARY,
        test: "an_asker_never_answers_nor_declines",
    },
    Mutant {
        what: "events of all rooms are told to everybody",
        file: "crates/askback-server/src/service/reading.rs",
        right: "caller.sees(&event.record) && ",
        wrong: "",
        package: BINARY,
        test: "an_asker_without_a_room_has_what_it_asked_itself",
    },
    Mutant {
        what: "a name that another site made up is believed",
        file: "crates/askback-server/src/gate.rs",
        right: "if !self.hosts.contains(&host) {",
        wrong: "if host.is_empty() {",
        package: BINARY,
        test: "a_name_that_is_not_its_own_is_refused",
    },
    Mutant {
        what: "the dialog of any MCP client counts",
        file: "crates/askback-server/src/service/ending.rs",
        right: "if !self.dialogs.iter().any(|dialog| Some(dialog.as_str()) == client) {",
        wrong: "if self.dialogs.iter().all(|dialog| dialog.is_empty() && client.is_none()) {",
        package: BINARY,
        test: "a_dialog_counts_where_the_person_says_so",
    },
    Mutant {
        what: "the dialog of an MCP client approves",
        file: "crates/askback-server/src/service/ending.rs",
        right: "return Err(Fault::new(ProblemCode::Forbidden, \"an approval is never decided in a client's own dialog\"));",
        wrong: "tracing::warn!(\"an approval in a client's own dialog\");",
        package: BINARY,
        test: "a_dialog_never_approves",
    },
    Mutant {
        what: "any way takes back what another has delivered",
        file: "crates/askback-server/src/service/delivery_claims.rs",
        right: "let is_its = claims.get(id).is_some_and(|claimed| claimed == key);",
        wrong: "let is_its = claims.get(id).is_some_and(|claimed| !claimed.is_empty() && !key.is_empty());",
        package: BINARY,
        test: "of_two_ways_the_last_alone_takes_back_what_it_said",
    },
    Mutant {
        what: "any asker says what has reached another",
        file: "crates/askback-server/src/service/delivery.rs",
        right: "        caller.owns(&record, \"say what reached it\")?;\n",
        wrong: "",
        package: BINARY,
        test: "only_its_asker_says_what_reached_it",
    },
    Mutant {
        what: "a hub that ends takes its successor's files away",
        file: "crates/askback/src/hub/data_dir.rs",
        right: "if !self.lock.is_still_there() {",
        wrong: "if false {",
        package: BINARY,
        test: "one_whose_folder_was_removed_leaves_its_successor_alone",
    },
    Mutant {
        what: "a script that waits is not packed",
        file: "crates/askback-script/src/machine.rs",
        right: "self.memory.pack()",
        wrong: "self.memory.held()",
        package: SCRIPT,
        test: "who_waits_takes_a_fraction_of_the_memory_of_who_runs",
    },
    Mutant {
        what: "what is kept apart is lost when a script is packed",
        file: "crates/askback-script/src/heap.rs",
        right: "if !self.apart.is_empty() || self.packed.is_some()",
        wrong: "if self.packed.is_some()",
        package: SCRIPT,
        test: "what_is_packed_gives_its_memory_back_and_what_is_apart_stays",
    },
    Mutant {
        what: "an integer of two bytes is written in one",
        file: "crates/askback-yjs/src/byte_writer.rs",
        right: "if magnitude > 0x3f {",
        wrong: "if magnitude > 0x7f {",
        package: FUZZ,
        test: "yjs_codec_keeps_its_invariants",
    },
    Mutant {
        what: "options that can be read in two ways are accepted",
        file: "crates/askback-core/src/joined.rs",
        right: "if next.is_empty() {",
        wrong: "if next.is_empty() && self.words.is_empty() {",
        package: FUZZ,
        test: "joined_answers_keep_their_invariants",
    },
    Mutant {
        what: "a choice loses Other in its canonical form",
        file: "crates/askback-core/src/kind/choice.rs",
        right: ".put(\"other\", self.other == Other::Offered)",
        wrong: ".put(\"other\", false)",
        package: FUZZ,
        test: "request_parser_keeps_its_invariants",
    },
];

/// Makes every mistake once.
pub(crate) fn run() -> Done {
    let copy = root().join("target/mutants");
    let mut survived = Vec::new();
    for mutant in MUTANTS {
        refresh(&copy)?;
        make(&copy, mutant)?;
        let noticed = notices(&copy, mutant)?;
        println!("{}: {} ({}…)", if noticed { "noticed" } else { "SURVIVED" }, mutant.what, mutant.test);
        if !noticed {
            survived.push(mutant.what);
        }
    }
    if survived.is_empty() { Ok(()) } else { Err(format!("no test notices: {}", survived.join("; "))) }
}

/// Makes the copy like the original. What is the same already keeps its time, so that little is built again.
fn refresh(copy: &Path) -> Done {
    let files = project::files()?;
    if copy.exists() {
        let kept: Vec<PathBuf> = files.iter().map(|file| copy.join(file)).collect();
        remove_others(copy, &kept).map_err(|error| format!("can't tidy {}: {error}", copy.display()))?;
    }
    for file in files {
        let (from, to) = (root().join(&file), copy.join(&file));
        let failed = |error: std::io::Error| format!("can't copy {file}: {error}");
        let text = std::fs::read(&from).map_err(failed)?;
        if std::fs::read(&to).is_ok_and(|there| there == text) {
            continue;
        }
        let folder = to.parent().unwrap_or(copy);
        std::fs::create_dir_all(folder).and_then(|()| std::fs::write(&to, text)).map_err(failed)?;
    }
    Ok(())
}

/// What was deleted or has another name now is not to be tested.
fn remove_others(folder: &Path, kept: &[PathBuf]) -> std::io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            remove_others(&path, kept)?;
        } else if !kept.contains(&path) && path.file_name().is_none_or(|name| name != "Cargo.lock") {
            std::fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn make(copy: &Path, mutant: &Mutant) -> Done {
    let path = copy.join(mutant.file);
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", mutant.file))?;
    std::fs::write(&path, placed(&text, mutant)?).map_err(|error| format!("{}: {error}", mutant.file))
}

/// The text with the mistake in it.
fn placed(text: &str, mutant: &Mutant) -> Result<String, String> {
    if text.matches(mutant.right).count() != 1 {
        return Err(format!("{} has not exactly one place for the mutant \"{}\"", mutant.file, mutant.what));
    }
    Ok(text.replace(mutant.right, mutant.wrong))
}

/// Whether the tests fail, which they must for the right reason: the mutant compiles, and tests ran.
fn notices(copy: &Path, mutant: &Mutant) -> Result<bool, String> {
    let cargo = |arguments: &[&str]| {
        Command::new("cargo")
            .args(arguments)
            .current_dir(copy)
            .env("CARGO_TARGET_DIR", copy.with_file_name("mutants-target"))
            .output()
            .map_err(|error| format!("can't run cargo: {error}"))
    };
    let built = cargo(&["test", "--quiet", "--package", mutant.package, "--no-run"])?;
    if !built.status.success() {
        let said = String::from_utf8_lossy(&built.stderr);
        return Err(format!("the mutant \"{}\" does not compile:\n{said}", mutant.what));
    }
    let tested = cargo(&["test", "--package", mutant.package, mutant.test])?;
    let said = String::from_utf8_lossy(&tested.stdout);
    if !said.lines().any(|line| line.starts_with("test ") && line.contains(mutant.test)) {
        return Err(format!("there is no test {}", mutant.test));
    }
    Ok(!tested.status.success())
}

#[cfg(test)]
mod tests {
    use super::{MUTANTS, placed};
    use crate::project::read;

    #[test]
    fn every_mutant_has_its_place() {
        let lost = MUTANTS.iter().filter_map(|mutant| read(mutant.file).and_then(|text| placed(&text, mutant)).err());
        assert_eq!(lost.collect::<Vec<_>>(), [""; 0]);
    }
}
