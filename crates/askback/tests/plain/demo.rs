//! The demo, played by lines from its beginning to its end.

use super::{CONTROL_C, Plain};
use askback_testkit::browser::{Browser, printed_link};

// Q10, T3
#[test]
fn the_demo_is_played_by_lines() {
    let mut plain = Plain::askback(&["demo"]);
    plain.wait_for("Cache: Where should rendered pages be kept?\n1. Redis (Recommended)\n   Shared by all servers");
    plain.line("2");
    plain.wait_for("Content: What may be kept?");
    plain.line("1 4");
    plain.wait_for("Please specify");
    plain.line("Opening hours");
    plain.wait_for("Beginning of products.py:\n| --- products.py\n");
    plain.wait_for("End of products.py.\n\nPatch: May I change products.py like this?\na. Apply it (approve)\nr. Leave it (reject)\n");
    plain.line("a");
    for line in ["Keep pages", "n", "2"] {
        plain.line(line);
    }
    plain.wait_for("1. Message: Keep pages\n2. Tests: No\n3. Branch: main\nEnter alone submits them");
    plain.line("");
    plain.wait_for("Question 1 of 5. Day: On which day should it go live?");
    plain.line("2027-03-01");
    plain.wait_for("20. São Paulo\n10 more; Enter alone goes on.");
    for line in ["cape", "3", "23", "25"] {
        plain.line(line);
    }
    plain.wait_for("Question 4 of 5. Notes: I drafted the release notes. What should they say?");
    plain.line(".");
    plain.line("team@example.org");
    plain.line("team@example.com");
    plain.wait_for("Your answers:\n1. Day: 2027-03-01\n2. Place: Cape Town\n3. Percent: 25\n4. Notes: Keep pages");
    plain.line("");
    plain.wait_for("1 is rather guess\n5 is always ask\nType a whole number from 1 to 5.");
    plain.line("4");
    plain.wait_for("The agent is done. You decided:");
    plain.ends_with(0);
    let text = plain.history().replace('\n', " ");
    for said in [
        "Tool: list_files",
        "In memory; it keeps: Product pages, Opening hours",
        "\"Keep pages\" is on main",
        "23 is between two steps",
        "ok: Told: team@example.com",
        "Cape Town gets it on 2027-03-01, for 25 percent of the visitors there",
        "4 of 5: then I go on asking.",
        "Cache: In memory",
    ] {
        assert!(text.contains(said), "{said}: {}", plain.history());
    }
    assert!(!text.contains(['✔', '✘', '⠋', '›', '•', '└']), "signs are words: {}", plain.history());
}

// L1, Q10
#[test]
fn the_demo_is_answered_on_its_page_as_well() {
    let mut plain = Plain::askback(&["demo"]);
    let link = printed_link(&mut plain);
    assert!(plain.history().contains("Answer here, or on the page"), "{}", plain.history());
    assert!(!plain.history().contains('█'), "nobody reads a picture aloud: {}", plain.history());
    let browser = Browser::open(&link);
    plain.wait_for("Cache: Where should rendered pages be kept?");
    browser.answer(&browser.question(), "In memory");
    plain.wait_for("answered by reviewer (page)");
    plain.wait_for("Content: What may be kept?");
    plain.typed(CONTROL_C);
    plain.ends_with(130);
}

// Q10, T6
#[test]
fn control_c_ends_the_demo() {
    let mut plain = Plain::askback(&["demo"]);
    plain.wait_for("Where should rendered pages be kept?");
    plain.typed(CONTROL_C);
    plain.ends_with(130);
    assert!(plain.text().contains("The agent was stopped."), "{}", plain.text());
}
