//! Scripts that want all the memory or all the stack there is.

mod support;

use askback_script::limits::{CONSOLE_BYTES, CONSOLE_LINES};
use askback_script::{Ended, Limits};
use serde_json::json;
use std::sync::Arc;
use std::time::Duration;
use support::{Echo, Nobody, end, engine, limited, quick, run, still_works, torment};

/// Enough time to use up the memory, on a machine that does other things.
fn roomy() -> Limits {
    Limits { cpu: Duration::from_secs(20), cpu_at_once: Duration::from_secs(10), ..quick() }
}

// S3
#[tokio::test]
async fn memory_ends_with_a_clear_error() {
    let codes = [
        "const all = []; for (;;) all.push({})",
        "const all = []; for (let i = 0; ; i++) all[i] = 'x'.repeat(1000) + i",
        "let text = 'x'; for (;;) { text += text; text.charCodeAt(0) }",
        "return 'x'.repeat(2 ** 29)",
        "return 'x'.padEnd(2 ** 29)",
        "return Array(1e5).fill('x'.repeat(1e3)).join('')",
        "return 'a'.repeat(2e4).replace(/a/g, '$`')",
        "return 'x'.repeat(2 ** 22).split('')",
        "return Array(1e9).fill(0)",
        "return Array.from({ length: 2 ** 32 - 1 })",
        "return [...Array(2 ** 30).keys()]",
        "return String.raw({ raw: { length: 2 ** 53 - 1 } })",
        "const map = new Map(); for (let i = 0; ; i++) map.set(i, [i])",
        "const set = new Set(); for (let i = 0; ; i++) set.add('key' + i)",
        "let f = () => 0; for (;;) { const g = f; f = () => g }",
        "const all = {}; for (let i = 0; ; i++) all['name' + i] = i",
        "let text = '[1]'; for (;;) text = JSON.stringify([JSON.parse(text), JSON.parse(text)])",
        "return /^(a|b|ab)*$/.test('ab'.repeat(1e5) + 'c')",
        "const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})",
        "for (;;) Promise.resolve().then(() => 1)",
        "let all = []; for (;;) all = [all, Symbol('x'.repeat(500))]",
        "const all = []; for (;;) all.push(2n ** 10000n)",
        "const all = []; for (;;) all.push(new Error('x'))",
        "const all = []; for (;;) all.push(requestUserInput({ message: 1n }))",
    ];
    torment(roomy(), &codes, limited("it needs more than 8 MB of memory")).await;
}

// S3
#[tokio::test]
async fn who_catches_it_goes_on_with_what_there_is() {
    let code = "let all = []; try { for (;;) all.push({}) } catch (error) { all = null; return String(error) }";
    let ended = end(&engine(roomy()).start(code.to_owned(), Arc::new(Echo))).await.ended.clone();
    assert!(
        matches!(&ended, Ended::Returned(Some(said)) if *said == json!("InternalError: out of memory") || *said == json!("null")),
        "{ended:?}"
    );
}

// S3
#[tokio::test]
async fn without_any_memory_it_can_still_be_interrupted() {
    // The error that interrupts needs memory. Where there is none, a script that catches everything went on for ever.
    let fill = "let top; for (let n = 496; n > 0; n -= 8) try { for (;;) top = { top, text: 'x'.repeat(n) } } catch {} \
                try { for (;;) top = [top] } catch {} try { for (;;) top = { top } } catch {} \
                try { for (;;) top = () => top } catch {} try { for (;;) top = 'x' + top } catch {}";
    let codes = [
        format!("{fill} for (;;) try {{ for (;;); }} catch {{}}"),
        format!("{fill} for (;;) try {{ for (;;) ({{}}) }} catch {{}}"),
        "const all = []; for (;;) try { for (;;) all.push('x'.repeat(9000)) } catch {}".to_owned(),
    ];
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    let limits = Limits { memory_bytes: 2 << 20, cpu_at_once: Duration::from_millis(300), ..quick() };
    torment(Limits { stuck: Duration::from_secs(15), ..limits }, &codes, limited("CPU time")).await;
}

// S3
#[tokio::test]
async fn calls_that_go_too_deep_end_with_a_clear_error() {
    let codes = [
        "function f() { f() } f()",
        "const o = { get x() { return this.x } }; o.x",
        "const o = { toString() { return '' + this } }; return '' + o",
        "[1].map(function f() { return [1].map(f) })",
        "(async function f() { await f() })()",
        "function* g() { yield* g() } return [...g()]",
        "let a = []; for (let i = 0; i < 5e4; i++) a = [a]; return a",
        "let a = []; for (let i = 0; i < 5e4; i++) a = [a]; return a.flat(Infinity)",
        "let a = []; for (let i = 0; i < 5e4; i++) a = [a]; return String(a)",
        "return JSON.parse('['.repeat(1e5))",
        "let p = {}; for (let i = 0; i < 1e4; i++) p = new Proxy(p, {}); return p.x",
        "let f = () => 1; for (let i = 0; i < 1e4; i++) { f = f.bind(); Object.defineProperty(f, 'name', { value: '' }) } return f()",
        "requestUserInput({ get message() { return requestUserInput(this) } })",
    ];
    torment(roomy(), &codes, limited("its calls go too deep")).await;
    let nested =
        ["[", "(", "{", "!", "a=>", "`${", "if(1)", "async()=>{", "new ", "({a:", "class A{static{", "a[", "(a="];
    let codes: Vec<String> = nested.iter().map(|part| part.repeat(100_000 / part.len())).collect();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    torment(roomy(), &codes, limited("its calls go too deep")).await;
}

#[tokio::test]
async fn no_chain_of_the_languages_own_overflows_the_stack() {
    // These ended the whole process: a chain of iterators' helpers is followed without a look at the stack.
    let codes = [
        "let it = [1].values(); for (let i = 0; i < 3e4; i++) it = it.take(5); return [...it]",
        "let it = [1].values(); for (let i = 0; i < 3e4; i++) it = Iterator.from(it).map(x => x); return it.next()",
        "new RegExp('(?:'.repeat(1e5) + ')'.repeat(1e5))",
    ];
    torment(roomy(), &codes, |code, ended| assert!(matches!(ended, Ended::Threw(_)), "{code}: {ended:?}")).await;
}

#[tokio::test]
async fn what_the_engine_forgets_is_freed_and_ends_nobody() {
    // The first of these ended the whole process.
    let codes = [
        "for (let i = 0; i < 100; i++) Error.stackTraceLimit = { i }",
        "Error.prepareStackTrace = {}; throw new Error('x')",
    ];
    torment(roomy(), &codes, |code, ended| {
        assert!(matches!(ended, Ended::Returned(_) | Ended::Threw(_)), "{code}: {ended:?}");
    })
    .await;
}

// S3
#[tokio::test]
async fn the_memory_of_a_script_that_ended_is_given_back() {
    // Each holds more than half of what all may, so that two at once are too many.
    let limits = Limits { waiting_bytes: 8 << 20, ..roomy() };
    let engine = engine(limits);
    let hold = "const all = 'x'.repeat(5e6); await requestUserInput({}); return all.length";
    let wait = async || {
        let script = engine.start(hold.to_owned(), Arc::new(Nobody));
        while script.snapshot().calls_open == 0 {
            let ended = tokio::time::timeout(Duration::from_millis(1), script.finished()).await;
            assert!(ended.is_err(), "{ended:?}");
        }
        script
    };
    for _ in 0..5 {
        let script = wait().await;
        script.stop("enough");
        still_works(&engine).await;
    }
    let first = wait().await;
    let second = engine.start(hold.to_owned(), Arc::new(Nobody));
    limited("all scripts that wait hold more than 8 MB together")(hold, &end(&second).await.ended);
    assert_eq!(first.snapshot().calls_open, 1, "who came first stays");
    // One that is between two turns waits, too.
    let busy = engine.start("const all = 'x'.repeat(5e6); for (;;) await null".to_owned(), Arc::new(Echo));
    limited("all scripts that wait hold more than 8 MB together")("busy", &end(&busy).await.ended);
}

// S3
#[tokio::test]
async fn the_console_can_be_flooded_without_harm() {
    let finished = run("for (let i = 0; i < 2000; i++) console.log('line', i)").await;
    assert_eq!((finished.console.lines.len(), finished.console.dropped), (CONSOLE_LINES, 2000 - CONSOLE_LINES));
    let finished = run("for (let i = 0; i < 50; i++) console.log('x'.repeat(1e4), 'y'.repeat(1e4))").await;
    let bytes: usize = finished.console.lines.iter().map(|line| line.text.len()).sum();
    assert!(bytes <= CONSOLE_BYTES && finished.console.dropped > 0, "{bytes}");
    let finished = run("console.log(...Array(5e4).fill('x'.repeat(100)))").await;
    assert!(finished.console.lines[0].text.ends_with("bytes more)"));
}
