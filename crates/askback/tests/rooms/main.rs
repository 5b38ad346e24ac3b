//! Rooms with real clients: `yjs`, `y-websocket` and `ws` as they come from npm, against the real hub. The stories are in
//! `clients/typescript/live`.

use askback_testkit::story::Stories;

const CLIENT: Stories = Stories {
    program: env!("CARGO_BIN_EXE_askback"),
    package: "clients/typescript",
    folder: "live",
    needs: &[
        ("clients/typescript/node_modules/yjs", "npm --prefix clients/typescript ci"),
        ("clients/typescript/dist/index.js", "npm --prefix clients/typescript run build"),
    ],
};

// W3, L1, F15
#[test]
fn any_yjs_client_answers_what_curl_asks() {
    CLIENT.story("answering");
}

// W3, L1, L3
#[test]
fn the_client_asks_and_answers() {
    CLIENT.story("client");
}

// W3, L1
#[test]
fn one_of_many_answers_counts_and_all_replicas_agree() {
    CLIENT.story("race");
}

// W3, L1
#[test]
fn what_is_sent_again_is_judged_once() {
    CLIENT.story("resend");
}

// W3, L1, L2
#[test]
fn replicas_go_on_after_a_restart() {
    CLIENT.story("restart");
}

// W3, S3
#[test]
fn whoever_means_harm_harms_nobody_else() {
    CLIENT.story_alone("hostile");
}

// W3, S1, S4
#[test]
fn a_room_is_for_those_who_may_see_it() {
    CLIENT.story("rights");
}

// W3
#[test]
fn people_see_who_is_looking() {
    CLIENT.story("presence");
}

// W3, S3
#[test]
fn a_document_has_an_end() {
    CLIENT.story("window");
}
