//! Scripts that ask, over HTTP: they run on the hub, wait for people there, and end with it.

use crate::ASKBACK;
use askback_testkit::hub_process::{DataDir, HubProcess};
use serde_json::{Value, json};

fn start(server: &HubProcess, code: &str) -> (u16, Value) {
    let body = json!({"code": code, "room": "shop"});
    let answer = server.post("/api/v1/scripts?attach=true", &body).token(&server.asker).send();
    (answer.status, answer.json())
}

fn state(server: &HubProcess, id: &Value, wait: u32) -> Value {
    server.get(&format!("/api/v1/scripts/{}?wait={wait}", id.as_str().unwrap())).token(&server.asker).send().is(200)
}

const ASKS_TWICE: &str = "const [name, port] = await Promise.all([
    requestUserInput({type: 'text', message: 'Name?'}), requestUserInput({type: 'number', message: 'Port?'})]);
console.log('asked', name.success);
return {name: name.response, port: port.response, by: name.answeredBy !== null};";

// L3
#[test]
fn a_script_asks_and_returns() {
    let server = HubProcess::start(ASKBACK);
    let (status, script) = start(&server, ASKS_TWICE);
    assert_eq!((status, &script["status"]), (201, &json!("running")));
    for question in server.wait_for_pending(2) {
        assert_eq!(
            (&question["room"], &question["request"]["metadata"]["source"]),
            (&json!("shop"), &json!("execute_code"))
        );
        let is_port =
            question["request"]["message"] == "Port?" || question["request"]["questions"][0]["message"] == "Port?";
        server.answer(&server.person, question["id"].as_str().unwrap(), if is_port { "80" } else { "Ada" }).is(200);
    }
    let ended = state(&server, &script["id"], 20);
    assert_eq!(ended["status"], "finished");
    assert_eq!(ended["result"], json!({"name": "Ada", "port": "80", "by": true}));
    assert_eq!(ended["console"], json!(["asked true"]));
    assert!(ended["requests"].as_array().unwrap().iter().all(|asked| asked["status"] == "answered"));
}

// L3, L5
#[test]
fn script_reads_no_answerer_of_a_question_that_nobody_answered() {
    let server = HubProcess::start(ASKBACK);
    let code = "const outcomes = await Promise.all([
        requestUserInput({type: 'text', message: 'Cancelled?'}),
        requestUserInput({type: 'text', message: 'Expires?', timeout: 1}),
        requestUserInput({type: 'text', message: 'Defaults?', timeout: 1, onTimeout: {default: ['x']}})]);
        return outcomes.map(({status, answeredBy, answeredAt}) => [status, answeredBy, answeredAt]);";
    let (_, script) = start(&server, code);
    // The first to be asked, and the last that is pending.
    let cancelled = server.wait_for_pending(1).remove(0);
    let path = format!("/api/v1/requests/{}/cancel", cancelled["id"].as_str().unwrap());
    server.post(&path, &json!({})).token(&server.person).send().is(200);
    let ended = state(&server, &script["id"], 20);
    let nobody = |status: &str| json!([status, null, null]);
    assert_eq!(ended["result"], json!([nobody("cancelled"), nobody("expired"), nobody("expired")]), "{ended}");
}

// S5
#[test]
fn the_same_script_is_found_again_until_its_end_is_delivered() {
    let server = HubProcess::start(ASKBACK);
    let code = "return (await requestUserInput({type: 'text', message: 'Name?'})).response";
    let (_, first) = start(&server, code);
    let (status, again) = start(&server, code);
    assert_eq!((status, &again["id"]), (200, &first["id"]));
    let question = server.wait_for_pending(1).remove(0);
    server.answer(&server.person, question["id"].as_str().unwrap(), "Ada").is(200);
    state(&server, &first["id"], 20);
    let (status, found) = start(&server, code);
    assert_eq!((status, &found["id"], &found["result"]), (200, &first["id"], &json!("Ada")));
    let path = format!("/api/v1/scripts/{}/delivery", first["id"].as_str().unwrap());
    let delivered = server.post(&path, &json!({"delivered": true})).token(&server.asker).send().is(200);
    assert_eq!(delivered["changed"], true);
    assert_eq!(start(&server, code).0, 201, "the person is asked again");
}

// L5
#[test]
fn what_a_script_leaves_open_is_taken_away_with_it() {
    let server = HubProcess::start(ASKBACK);
    let (_, script) = start(&server, "await requestUserInput({type: 'text', message: 'Name?'})");
    server.wait_for_pending(1);
    let path = format!("/api/v1/scripts/{}/stop", script["id"].as_str().unwrap());
    let stopped = server.post(&path, &json!({})).token(&server.asker).send().is(200);
    assert_eq!((&stopped["status"], &stopped["error"]), (&json!("failed"), &json!("it was cancelled")));
    server.wait_for_pending(0);
}

// L5
#[test]
fn a_script_that_does_not_wait_for_what_it_asks_leaves_nothing_open() {
    let server = HubProcess::start(ASKBACK);
    for number in 0..20 {
        let (_, script) =
            start(&server, &format!("requestUserInput({{type: 'text', message: 'Name {number}?'}}); return 1"));
        assert_eq!(state(&server, &script["id"], 20)["result"], 1);
    }
    assert_eq!(server.wait_for_pending(0), Vec::<Value>::new());
}

// S1
#[test]
fn a_script_is_its_askers_alone() {
    let server = HubProcess::start(ASKBACK);
    let (_, script) = start(&server, "await requestUserInput({type: 'text', message: 'Name?'})");
    let other = server.issue(&json!({"role": "asker", "name": "other"}));
    let path = format!("/api/v1/scripts/{}", script["id"].as_str().unwrap());
    server.get(&path).token(&other.secret).send().is_problem(404, "not-found");
    server.get(&path).token(&server.person).send().is_problem(403, "forbidden");
    server
        .post("/api/v1/scripts", &json!({"code": "return 1"}))
        .token(&server.person)
        .send()
        .is_problem(403, "forbidden");
    server.get(&path).token(&server.asker).send().is(200);
}

// L2
#[test]
fn a_hub_that_was_killed_says_what_its_scripts_have_asked() {
    a_script_ends_with_its_hub(HubProcess::kill);
}

// L1
#[test]
fn questions_come_in_the_order_of_the_script() {
    let server = HubProcess::start(ASKBACK);
    let code =
        "await Promise.all(Array.from({length: 30}, (_, i) => requestUserInput({type: 'text', message: `${i}`})))";
    start(&server, code);
    let mut questions = server.wait_for_pending(30);
    questions.sort_by_key(|question| question["id"].as_str().unwrap().to_owned());
    let messages = questions.iter().map(|question| question["request"]["questions"][0]["message"].as_str().unwrap());
    assert!(messages.eq((0..30).map(|number| number.to_string())), "{questions:?}");
}

// L2
#[test]
fn a_hub_that_was_stopped_leaves_what_its_scripts_have_asked() {
    a_script_ends_with_its_hub(|server| {
        server.terminate();
        assert!(server.wait().success());
    });
}

fn a_script_ends_with_its_hub(end: fn(&mut HubProcess)) {
    let data = DataDir::new(ASKBACK);
    let mut server = data.serve();
    // What it would do if it heard that the hub stops.
    let code =
        "try { return (await requestUserInput({type: 'text', message: 'Name?'})).response } catch { return 'went on' }";
    let (_, script) = start(&server, code);
    let question = server.wait_for_pending(1).remove(0);
    end(&mut server);
    let server = data.serve();
    let path = format!("/api/v1/scripts/{}", script["id"].as_str().unwrap());
    let gone = server.get(&path).token(&server.asker).send().is_problem(404, "not-found");
    let said = gone["detail"].as_str().unwrap();
    assert!(said.contains("A script ends with the hub") && said.contains(question["id"].as_str().unwrap()), "{said}");
    // Run again, it finds what is still open, and the person is asked once.
    let (status, again) = start(&server, code);
    assert_eq!(status, 201);
    while state(&server, &again["id"], 0)["requests"] == json!([]) {}
    assert_eq!(server.pending().len(), 1);
    server.answer(&server.person, question["id"].as_str().unwrap(), "Ada").is(200);
    assert_eq!(state(&server, &again["id"], 20)["result"], "Ada");
}
