//! What holds for all values and all programs: JSON goes in and comes out as it was, and nothing breaks an engine.

mod support;

use askback_script::{Ended, Engine, Limits};
use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};
use std::sync::Arc;
use support::{Echo, end, engine, quick, still_works};

/// JSON as JavaScript can hold it: its numbers are doubles, and where an object's names look like indices they move.
fn any_json() -> impl Strategy<Value = Value> {
    let number = prop_oneof![any::<i32>().prop_map(|n| json!(n)), (-1e15..1e15f64).prop_map(|n| json!(n))];
    let text = prop_oneof!["[a-z ]{0,8}".prop_map(String::from), any::<String>()];
    let leaf = prop_oneof![Just(Value::Null), any::<bool>().prop_map(Value::from), number, text.prop_map(Value::from)];
    leaf.prop_recursive(4, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::btree_map(any::<String>(), inner, 0..6).prop_map(|fields| fields.into_iter().collect()),
        ]
    })
}

fn cases(count: u32) -> TestRunner {
    TestRunner::new(Config { cases: count, failure_persistence: None, ..Config::default() })
}

fn with_engine(test: impl FnOnce(&tokio::runtime::Runtime, &Engine)) {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let engine = {
        let _inside = runtime.enter();
        engine(Limits { cpu_at_once: std::time::Duration::from_millis(30), ..quick() })
    };
    test(&runtime, &engine);
    runtime.block_on(still_works(&engine));
}

#[test]
fn json_goes_through_a_script_as_it_is() {
    with_engine(|runtime, engine| {
        let through = |value: Value| {
            // Into the code, out to the host, back from it, and out.
            let code = format!("return (await requestUserInput({{ message: {value} }})).response");
            let ended = runtime.block_on(end(&engine.start(code, Arc::new(Echo)))).ended.clone();
            let Ended::Returned(Some(back)) = ended else { panic!("{value}: {ended:?}") };
            prop_assert_eq!(numbers(back), numbers(value));
            Ok(())
        };
        cases(150).run(&any_json().prop_filter("the echo fails for it", |value| value != "fail"), through).unwrap();
    });
}

/// All numbers as doubles, which is what a script makes of them.
fn numbers(value: Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(items) => items.into_iter().map(numbers).collect(),
        Value::Object(fields) => fields.into_iter().map(|(name, value)| (name, numbers(value))).collect(),
        other => other,
    }
}

#[test]
fn no_program_breaks_the_engine() {
    let word = prop::sample::select(vec![
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        ";",
        ",",
        ".",
        "...",
        "=>",
        "=",
        "==",
        "+",
        "*",
        "**",
        "/",
        "/x/g",
        "`",
        "${",
        "'",
        "a",
        "b",
        "1",
        "1n",
        "async ",
        "await ",
        "function ",
        "function*",
        "class ",
        "extends ",
        "new ",
        "return ",
        "throw ",
        "try",
        "catch",
        "finally",
        "for",
        "while",
        "of ",
        "in ",
        "let ",
        "const ",
        "var ",
        "yield ",
        "this",
        "super",
        "null",
        "?.",
        "??",
        "?",
        ":",
        "!",
        "typeof ",
        "delete ",
        "if",
        "else ",
        "requestUserInput",
        "console.log",
        "Promise",
        "Proxy",
        "Symbol.iterator",
        "Array",
        "then",
        "({})",
        "[1,2]",
        "()",
        "=>{",
        "\n",
        "//",
        "/*",
        "*/",
    ]);
    with_engine(|runtime, engine| {
        let survives = |words: Vec<&str>| {
            let code = words.concat();
            let ended = runtime.block_on(end(&engine.start(code, Arc::new(Echo)))).ended.clone();
            prop_assert!(!matches!(&ended, Ended::Limit(why) if why.contains("the engine failed")), "{ended:?}");
            Ok(())
        };
        cases(400).run(&prop::collection::vec(word, 0..30), survives).unwrap();
    });
}
