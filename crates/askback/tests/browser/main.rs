//! The page in a real browser, before the real hub. The stories are in `web/tests`.

use askback_testkit::story::Stories;

const PAGE: Stories = Stories {
    program: env!("CARGO_BIN_EXE_askback"),
    package: "web",
    folder: "tests",
    needs: &[
        ("web/node_modules/playwright-core", "npm --prefix web ci"),
        ("clients/typescript/node_modules/yjs", "npm --prefix clients/typescript ci"),
    ],
};

// F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, W1
#[test]
fn every_kind_is_answered_with_a_mouse() {
    PAGE.story("kinds-mouse");
}

// F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, W1
#[test]
fn every_kind_is_answered_with_keys_alone() {
    PAGE.story("kinds-keyboard");
}

// F0, F1, F2, F3, F4, F5, F6, F7, F8, F9, F10, W1
#[test]
fn every_kind_is_answered_on_a_phone() {
    PAGE.story("kinds-phone");
}

// S7, F0
#[test]
fn what_a_label_means_is_on_its_button() {
    PAGE.story("labels");
}

// W1, F15, L7
#[test]
fn what_is_wrong_is_said_before_it_is_sent() {
    PAGE.story("entering");
}

// W1, Q2
#[test]
fn a_form_is_filled_in_reviewed_and_sent() {
    PAGE.story("forms");
}

// F16, W1
#[test]
fn a_date_field_agrees_with_its_vectors() {
    PAGE.story("vectors-date");
}

// F16, W1
#[test]
fn a_dropdown_agrees_with_its_vectors() {
    PAGE.story("vectors-dropdown");
}

// F16, W1
#[test]
fn a_number_field_agrees_with_its_vectors() {
    PAGE.story("vectors-number");
}

// F16, W1
#[test]
fn what_is_pressed_agrees_with_its_vectors() {
    PAGE.story("vectors-pressed");
}

// F16, W1
#[test]
fn text_fields_agree_with_their_vectors() {
    PAGE.story("vectors-text");
}

// F16, W1, F3, F13
#[test]
fn a_choice_of_one_agrees_with_its_vectors() {
    PAGE.story("vectors-choice-one");
}

// F16, W1, F4, F11, F13
#[test]
fn a_choice_of_many_agrees_with_its_vectors() {
    PAGE.story("vectors-choice-many");
}

// L1, W2
#[test]
fn two_browsers_and_a_terminal_race() {
    PAGE.story("race");
}

// L2, W2, L4
#[test]
fn a_hub_goes_away_and_comes_back() {
    PAGE.story("offline");
}

// W2
#[test]
fn a_browser_keeps_what_is_its_persons() {
    PAGE.story("kept");
}

// W1, L1, L7
#[test]
fn nothing_is_answered_by_mistake_or_lost_without_a_word() {
    PAGE.story("careful");
}

// S5, L7
#[test]
fn nothing_is_decided_out_of_sight() {
    PAGE.story("decision");
}

// S5
#[test]
fn rows_that_come_near_move_nothing() {
    PAGE.story("scrolling");
}

// W1, T7
#[test]
fn keys_move_and_choose_and_never_answer() {
    PAGE.story("keyboard");
}

// W1
#[test]
fn the_focus_goes_where_one_looks_and_what_happens_is_said() {
    PAGE.story("access");
}

// W1
#[test]
fn axe_finds_nothing_at_a_desk() {
    PAGE.story("access-desk");
}

// W1
#[test]
fn axe_finds_nothing_on_a_phone() {
    PAGE.story("access-phone");
}

// W2, L9
#[test]
fn the_inbox_is_live() {
    PAGE.story("inbox");
}

// W2
#[test]
fn requests_are_found_by_search_filter_group_and_short_id() {
    PAGE.story("finding");
}

// L6, S1, S3
#[test]
fn audit_log_is_read_filtered_and_exported() {
    PAGE.story("audit");
}

// F0, S9
#[test]
fn look_says_what_was_decided_and_who_asks() {
    PAGE.story("look");
}

// W2, S3
#[test]
fn what_the_document_leaves_out_is_there_all_the_same() {
    PAGE.story("beyond");
}

// S2, S4
#[test]
fn hostile_text_stays_text() {
    PAGE.story("hostile");
}

// S2
#[test]
fn hostile_text_stays_text_wherever_it_stands() {
    PAGE.story("hostile-places");
}

// S2, S3
#[test]
fn so_does_very_much_of_it() {
    PAGE.story("hostile-large");
}

// S2, S3
#[test]
fn hostile_contexts_never_freeze_the_page() {
    PAGE.story("hostile-slow");
}

// S3
#[test]
fn work_of_one_step_of_formatting_is_bounded() {
    PAGE.story("formatting");
}

// W2
#[test]
fn the_readme_leads_to_the_page() {
    PAGE.story("readme");
}

#[test]
fn no_story_is_left_untold() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/tests");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let stories = files.filter_map(|file| file.strip_suffix(".test.mjs").map(str::to_owned));
    let is_told = |story: &String| include_str!("main.rs").contains(&format!("PAGE.story(\"{story}\")"));
    let untold: Vec<String> = stories.filter(|story| !is_told(story)).collect();
    assert!(untold.is_empty(), "{untold:?}");
}

// S7, S4, W2
#[test]
fn browser_logs_in_and_out_over_tabs_reloads_and_restarts() {
    PAGE.story("sessions");
}

// S7
#[test]
fn servers_on_other_ports_and_names_get_no_power() {
    PAGE.story("elsewhere");
}
