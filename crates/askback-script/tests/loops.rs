//! Scripts that never end by themselves, in every place where a script's code can run.

mod support;

use askback_script::{Ended, Limits};
use support::{limited, quick, torment};

/// Each of these is CPU time without a pause.
const WITHOUT_A_PAUSE: &[&str] = &[
    "for (;;);",
    "while (true) { try { for (;;); } finally { continue } }",
    "for (;;) try { for (;;); } catch { for (;;); }",
    "function f() { try { f() } finally { f() } } f()",
    // Through what a script hands over.
    "await requestUserInput({ get message() { for (;;); } })",
    "try { requestUserInput({ toJSON() { for (;;); } }) } catch { for (;;); } finally { for (;;); }",
    "requestUserInput(new Proxy({}, { ownKeys() { for (;;); } }))",
    "console.log({ toJSON() { for (;;); } })",
    "console.log(Object.defineProperty(new Error(), 'message', { get() { for (;;); } }))",
    "return { toJSON() { for (;;); } }",
    "return new Proxy({}, { get() { for (;;); } })",
    "return { then() { for (;;); } }",
    "throw { toJSON() { for (;;); } }",
    "throw Object.defineProperty(new Error(), 'stack', { get() { for (;;); } })",
    "Promise.reject({ toJSON() { for (;;); } })",
    // Through what the language calls.
    "return +{ [Symbol.toPrimitive]() { for (;;); } }",
    "return `${{ toString() { for (;;); } }}`",
    "return [2, 1].sort(() => { for (;;); })",
    "return [3, 2, 1].map(() => { for (;;); })",
    "return 'x'.replace(/x/, () => { for (;;); })",
    "return JSON.parse('[1]', () => { for (;;); })",
    "for (const x of (function* () { for (;;) yield 1 })());",
    "for (const x of { [Symbol.iterator]: () => ({ next: () => ({}) }) });",
    "return [...{ [Symbol.iterator]: () => ({ next: () => ({ done: false }), return() { for (;;); } }) }].length",
    "Array.from({ [Symbol.iterator]: () => ({ next() { for (;;); }, return() { for (;;); } }) })",
    "class A { static x = (() => { for (;;); })() }",
    "const { a = (() => { for (;;); })() } = {}",
    "new Promise(() => { for (;;); })",
    "for (;;) Promise.reject(new Error('x'.repeat(1000)))",
    "queueMicrotask(() => { for (;;); }); await null",
    "Object.prototype.then = () => { for (;;); }; await requestUserInput({ message: 'x' })",
    // While the error is made that interrupts it.
    "Error.prepareStackTrace = () => { for (;;); }; for (;;);",
    "Object.defineProperty(Error, 'stackTraceLimit', { get() { for (;;); } }); for (;;);",
    "const f = { ['x'.repeat(1e6)]() { for (;;); } }; f['x'.repeat(1e6)]()",
    // In the engine's own functions.
    "return /(a+)+$/.test('a'.repeat(50) + 'b')",
    "return [].join.call({ length: 2 ** 53 - 1 })",
    "return Array(2 ** 32 - 1).join()",
    "return [].slice.call({ length: 2 ** 53 - 1 }, 5)",
    "return [].concat(Object.assign([], { length: 2 ** 32 - 1 }))",
    "return [Object.assign([], { length: 2 ** 32 - 1 })].flat()",
    "return [1].flatMap(() => Object.assign([], { length: 2 ** 32 - 1 }))",
    "return [].indexOf.call({ length: 2 ** 53 - 1 }, 1)",
    "return [].forEach.call({ length: 2 ** 53 - 1 }, () => 1)",
    "new Set(Object.assign([], { length: 2 ** 32 - 1 }))",
    "const x = 2n ** 100000n; for (;;) x * x",
    "const x = 2n ** 100000n; for (;;) try { for (;;) String(x) } catch {}",
    "for (;;) 'x'.repeat(1e6)",
    "for (;;) console.log('x'.repeat(1e6))",
    "for (;;) requestUserInput({ message: 'x'.repeat(1e6), deep: 1n }).catch(() => 1)",
];

/// Each of these lets others go first, and goes on for ever.
const WITH_PAUSES: &[&str] = &[
    "for (;;) await null",
    "const f = () => Promise.resolve().then(f); f(); await new Promise(() => {})",
    "for await (const x of (async function* () { for (;;) yield 1 })());",
    "queueMicrotask(function f() { queueMicrotask(f) }); await new Promise(() => {})",
    "const f = async () => { await null; return f() }; f(); await requestUserInput({ message: 'x' }); await new Promise(() => {})",
];

// S3
#[tokio::test]
async fn endless_work_ends_wherever_it_is() {
    torment(quick(), WITHOUT_A_PAUSE, limited("it ran for 100 ms of CPU time without a pause")).await;
}

// S3
#[tokio::test]
async fn endless_work_in_pieces_ends_as_well() {
    torment(quick(), WITH_PAUSES, |code, ended| match ended {
        Ended::Limit(why) => {
            assert!(why.contains("it used 400 ms of CPU time") || why.contains("MB of memory"), "{code}: {why}");
        }
        other => panic!("{code}: {other:?}"),
    })
    .await;
}

// S3
#[tokio::test]
async fn what_would_take_too_long_in_one_piece_is_refused() {
    let limits = Limits { memory_bytes: 32 << 20, cpu_at_once: std::time::Duration::from_secs(2), ..quick() };
    let limits = Limits { cpu: limits.cpu_at_once, ..limits };
    let refused = [
        "[].reverse.call({ length: 2 ** 53 - 1 })",
        "[].sort.call(new Proxy([], {}))",
        "Array.prototype.splice.call({ length: 2 ** 53 - 1 }, 0, 1)",
        "Object.assign([], { length: 2 ** 32 - 1 }).shift()",
        "JSON.stringify({}, Object.assign([], { length: 2 ** 32 - 1 }))",
        "'a'.repeat(2 ** 23).indexOf('a'.repeat(2 ** 22) + 'b')",
        "'a'.repeat(2 ** 23).split({ toString: () => 'a'.repeat(2 ** 22) + 'b' })",
        "'a'.repeat(2 ** 23).replaceAll('a'.repeat(2 ** 22) + 'b', '')",
        "('a' + '\\u0301\\u0323'.repeat(1e5)).normalize('NFD')",
        "2n ** (2n ** 40n)",
    ];
    torment(limits, &refused, |code, ended| match ended {
        Ended::Threw(why) => {
            assert!(why.starts_with("TypeError: ") || why.starts_with("RangeError: "), "{code}: {why}");
        }
        other => panic!("{code}: {other:?}"),
    })
    .await;
}
