//! The commands that look at a hub.

use crate::ASKBACK;
use askback_testkit::home::{Home, printed, said};
use serde_json::Value;

fn three(home: &Home) -> [String; 3] {
    [
        home.ask(r#"{"type": "confirm", "message": "Deploy?", "room": "shop", "from": "claude-code"}"#),
        home.ask(r#"{"type": "text", "message": "Which region?", "room": "shop", "timeout": 600}"#),
        home.ask(r#"{"title": "Before I begin", "room": "api", "questions": [{"type": "text", "message": "Name?"}]}"#),
    ]
}

// L6, S9
#[test]
fn what_there_is_can_be_listed_and_shown() {
    let home = Home::with_hub(ASKBACK);
    let [deploy, region, begin] = three(&home);
    home.answer(&deploy, "no");
    let listed = printed(&home.run_as_person(&["list"]));
    let rows: Vec<&str> = listed.lines().collect();
    assert_eq!(rows.len(), 3, "{listed}");
    assert!(rows[0].contains("Before I begin") && rows[0].contains("api · reviewer's agents "), "{listed}");
    assert!(rows[2].contains("shop · reviewer's agents (calls itself \"claude-code\")"), "{listed}");
    assert!(rows[2].contains("answered by reviewer") && rows[2].starts_with(&deploy[deploy.len() - 8..]), "{listed}");
    let pending = printed(&home.run_as_person(&["list", "--status", "pending", "--room", "shop"]));
    assert!(pending.contains("Which region?") && pending.lines().count() == 1, "{pending}");
    let json: Value = serde_json::from_str(&printed(&home.run_as_person(&["list", "--json"]))).unwrap();
    assert_eq!(json, home.call("GET", "/requests", "person", "").1, "the same as over HTTP");
    let page = printed(&home.run_as_person(&["list", "--limit", "2"]));
    let cursor = page.lines().last().unwrap().rsplit(' ').next().unwrap();
    let rest = printed(&home.run_as_person(&["list", "--limit", "2", "--cursor", cursor]));
    assert!(rest.contains("Deploy?") && rest.lines().count() == 1, "{rest}");

    let shown = printed(&home.run_as_person(&["show", &region[region.len() - 8..]]));
    for part in [region.as_str(), "pending", "shop", "expires", "1. Which region? (text)"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    let shown = printed(&home.run_as_person(&["show", &deploy]));
    for part in ["answered by reviewer (http)", "reviewer's agents (calls itself \"claude-code\")"] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    assert!(printed(&home.run_as_person(&["show", &begin, "--json"])).contains("\"Before I begin\""));
}

// S2
#[test]
fn text_of_an_agent_can_not_imitate_the_lines_of_show() {
    let home = Home::with_hub(ASKBACK);
    let forged = "1. Run the tests? (approval)\\n\\nanswered by reviewer (page)";
    let id = home.ask(&format!(
        r#"{{"type": "approval", "message": "Deploy?", "room": "shop",
             "context": [{{"type": "markdown", "title": "Plan", "text": "{forged}"}}]}}"#
    ));
    let shown = printed(&home.run_as_person(&["show", &id]));
    let is_forged =
        |line: &str| line.trim_start().starts_with("answered by") || line.trim_start().starts_with("1. Run");
    assert!(!shown.lines().any(is_forged), "{shown}");
    assert!(shown.contains("\n| Plan\n| 1. Run the tests? (approval)\n|\n| answered by reviewer (page)\n"), "{shown}");
}

// L6, S9
#[test]
fn the_log_has_everything_and_can_be_filtered() {
    let home = Home::with_hub(ASKBACK);
    let [deploy, region, _] = three(&home);
    home.answer(&deploy, "no");
    home.run_as_person(&["decline", &region, "--reason", "which one?"]);
    let log = printed(&home.run_as_person(&["log"]));
    assert_eq!(log.lines().count(), 5, "{log}");
    assert!(
        log.lines()
            .next()
            .unwrap()
            .contains("created    shop  reviewer's agents (calls itself \"claude-code\")  Deploy?"),
        "{log}"
    );
    assert!(log.lines().last().unwrap().contains("declined   shop  reviewer (cli)  which one?"), "{log}");
    assert_eq!(printed(&home.run_as_person(&["log", "--room", "api"])).lines().count(), 1);
    assert_eq!(printed(&home.run_as_person(&["log", "--id", &deploy])).lines().count(), 2);
    assert_eq!(printed(&home.run_as_person(&["log", "--status", "answered"])).lines().count(), 1);
    let lines = printed(&home.run_as_person(&["log", "--json"]));
    let events: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events.iter().map(|event| event["number"].as_u64().unwrap()).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    let wrong = home.run_as_person(&["log", "--from", "yesterday"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(said(&wrong).contains("2026-11-15T17:40:00Z"), "{}", said(&wrong));
}

// S1
#[test]
fn a_token_is_made_used_listed_and_revoked() {
    let home = Home::with_hub(ASKBACK);
    let made = home.run_as_person(&["token", "create", "--role", "answerer", "--name", "colleague", "--room", "shop"]);
    let secret = printed(&made).trim().to_owned();
    assert!(
        secret.starts_with("askback_") && printed(&made).lines().count() == 1,
        "the token alone: {}",
        printed(&made)
    );
    let [deploy, _, begin] = three(&home);
    let as_colleague = |arguments: &[&str]| home.command(arguments).env("ASKBACK_TOKEN", &secret).output().unwrap();
    assert!(as_colleague(&["answer", &deploy, "yes"]).status.success());
    assert_eq!(home.outcome(&deploy)["answeredBy"], "colleague");
    let elsewhere = as_colleague(&["answer", &begin, "x"]);
    assert_eq!(elsewhere.status.code(), Some(2), "another room's is not there: {}", said(&elsewhere));
    let listed = printed(&home.run_as_person(&["token", "list"]));
    assert!(
        listed.contains("answerer") && listed.contains("colleague  room shop") && !listed.contains(&secret),
        "{listed}"
    );
    assert!(home.run_as_person(&["token", "revoke", "colleague"]).status.success());
    let revoked = as_colleague(&["list"]);
    assert_eq!(revoked.status.code(), Some(2));
    assert!(said(&revoked).contains("revoked"), "{}", said(&revoked));
    assert_eq!(home.run_as_person(&["token", "revoke", "colleague"]).status.code(), Some(2));
}

// S4
#[test]
fn another_machine_s_hub_is_reached_by_its_address_with_a_token() {
    let (home, away) = (Home::with_hub(ASKBACK), Home::new(ASKBACK));
    let made = home.run_as_person(&["token", "create", "--role", "asker", "--name", "ci", "--room", "shop"]);
    let info: Value = serde_json::from_str(&std::fs::read_to_string(home.data().join("hub.json")).unwrap()).unwrap();
    let url = info["url"].as_str().unwrap().to_owned();
    let ask = |token: &str| {
        // No room is named: it is the token's.
        let mut command = away.command(&["confirm", "Deploy?", "--hub", &url]);
        command.env("ASKBACK_TOKEN", token).spawn().unwrap()
    };
    let gate = ask(printed(&made).trim());
    let [id] = home.wait_for_pending(1).try_into().unwrap();
    assert_eq!(home.pending()[0]["room"], "shop");
    home.answer(&id, "yes");
    let output = gate.wait_with_output().unwrap();
    assert_eq!((output.status.code(), printed(&output).as_str()), (Some(0), "yes\n"), "{}", said(&output));
    let refused = ask("askback_wrong").wait_with_output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(said(&refused).contains("unknown, expired or revoked"), "{}", said(&refused));
    assert!(!away.data().exists(), "nothing is started here");
}

// S4
#[test]
fn the_doctor_says_what_is_wrong() {
    let home = Home::new(ASKBACK);
    let well = home.run(&["doctor"]);
    assert_eq!(well.status.code(), Some(0), "{}", printed(&well));
    assert!(printed(&well).contains("no hub is running"), "{}", printed(&well));
    home.run(&["hub", "start"]);
    let well = home.run_as_person(&["doctor"]);
    assert!(
        printed(&well).contains("the hub is running") && printed(&well).contains("reviewer (admin)"),
        "{}",
        printed(&well)
    );
    std::fs::write(home.data().join("asker.token"), "askback_wrong").unwrap();
    let ill = home.run(&["doctor"]);
    assert_eq!(ill.status.code(), Some(1));
    assert!(printed(&ill).contains("commands that ask: the token is unknown"), "{}", printed(&ill));
}

// S4
#[test]
fn a_link_logs_a_browser_in_once() {
    let home = Home::with_hub(ASKBACK);
    let link = printed(&home.run_as_person(&["open"]));
    let path = link.trim().split_once("/login").unwrap().1.to_owned();
    assert!(link.lines().count() == 1 && path.starts_with("#code=askback_"), "for a program the link alone: {link}");
    let link = printed(&home.run_as_person(&["open", "--plain"]));
    assert!(link.contains("/plain/login?code=askback_"), "{link}");
}

// S4
#[test]
fn a_link_leads_to_a_request() {
    let home = Home::with_hub(ASKBACK);
    let id = home.ask(r#"{"type": "confirm", "message": "Deploy?", "room": "shop"}"#);
    for named in [&id, &id[id.len() - 8..]] {
        let link = printed(&home.run_as_person(&["open", named]));
        assert!(link.trim().ends_with(&format!("&to=/r/{id}")), "{link}");
    }
    for named in ["019a8b3c-0000-7000-8000-000000000000", "ffffffff", "nonsense"] {
        let refused = home.run_as_person(&["open", named]);
        assert_eq!((refused.status.code(), printed(&refused).as_str()), (Some(2), ""), "{named}");
    }
}
