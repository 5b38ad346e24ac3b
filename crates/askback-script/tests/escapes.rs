//! Ways out of the box that are none: text as code, modules, what would close the function, poisoned prototypes.

mod support;

use askback_script::Ended;
use serde_json::json;
use support::{failed, quick, returned, run, torment};

#[tokio::test]
async fn no_code_is_made_from_text() {
    let ways = [
        "eval('1')",
        "(0, eval)('1')",
        "globalThis.eval('1')",
        "Function('return 1')()",
        "new Function('return 1')()",
        "(() => 1).constructor('return 1')()",
        "[].constructor.constructor('return 1')()",
        "requestUserInput.constructor('return 1')()",
        "console.log.constructor.constructor('return 1')()",
        "eval.constructor('return 1')()",
        "(async () => 1).constructor('return 1')()",
        "(function* () {}).constructor('yield 1')().next()",
        "(async function* () {}).constructor('yield 1')()",
        "Object.getPrototypeOf(async function* () {}).constructor('yield 1')",
        "Reflect.construct(Function, ['return 1'])",
        "Reflect.apply(Function, null, ['return 1'])",
        "new (class extends Function {})('return 1')()",
        "new (class extends (async () => 1).constructor {})('return 1')()",
        "Function.prototype.constructor('return 1')()",
        "Error.prototype.constructor.constructor('return 1')()",
        "[].join.constructor('return 1')()",
        "JSON.stringify.constructor('return 1')()",
        "(await import('std')).x",
        "(await import('os')).x",
        "(await import('./script')).x",
        "(await import('data:text/javascript,1')).x",
    ];
    let codes: Vec<String> = ways.iter().map(|way| format!("return {way}")).collect();
    let codes: Vec<&str> = codes.iter().map(String::as_str).collect();
    torment(quick(), &codes, |code, ended| assert!(matches!(ended, Ended::Threw(_)), "{code}: {ended:?}")).await;
    assert_eq!(
        returned("const f = () => 1; return [f instanceof Function, f.call(), typeof Function.prototype]").await,
        json!([true, 1, "function"])
    );
}

#[tokio::test]
async fn there_is_nothing_but_the_language_and_two_names() {
    let absent = "setTimeout setInterval setImmediate std os fetch XMLHttpRequest WebSocket require process module Deno Bun \
                  Atomics SharedArrayBuffer ArrayBuffer Uint8Array DataView WeakRef FinalizationRegistry performance \
                  Iterator print scriptArgs gc navigator WebAssembly Worker document window self";
    for name in absent.split_whitespace() {
        assert_eq!(returned(&format!("return typeof {name}")).await, json!("undefined"), "{name}");
    }
    let ours = "return [requestUserInput.name, ...Object.keys(console)]";
    assert_eq!(returned(ours).await, json!(["requestUserInput", "debug", "log", "info", "warn", "error"]));
    assert_eq!(
        returned("return [typeof this, typeof arguments, typeof f]").await,
        json!(["object", "undefined", "undefined"])
    );
}

#[tokio::test]
async fn code_can_not_close_the_function_that_it_is_the_body_of() {
    let evil = "console.log('evil')";
    let codes = [
        format!("}}); {evil}; (async()=>{{ return 7"),
        format!("}})(); {evil}; (async()=>{{"),
        format!("}}, {evil}, async()=>{{"),
        format!("}}, async()=>{{ {evil}"),
        format!("}} + {evil}, async()=>{{"),
        format!("}} {evil}; {{"),
        format!("}}}} {evil}; {{{{"),
        format!("}} {evil}; async function g(){{"),
        format!("}}\n{evil}\n{{"),
        format!("}} /* */ ) ; {evil} ; ( async () => {{"),
        "} function requestUserInput() {} {".to_owned(),
        "}".to_owned(),
        "{".to_owned(),
        "})".to_owned(),
        "return `${1".to_owned(),
        "/* ".to_owned(),
        "'use strict'; with ({}) {}".to_owned(),
    ];
    for code in &codes {
        let finished = run(code).await;
        assert!(
            matches!(&finished.ended, Ended::Threw(why) if why.starts_with("SyntaxError: ")),
            "{code}: {:?}",
            finished.ended
        );
        assert!(finished.console.lines.is_empty(), "{code}: something of it ran");
    }
    // What only looks like it is fine.
    assert_eq!(returned("return '}); x(); (async()=>{'").await, json!("}); x(); (async()=>{"));
    assert_eq!(returned("if (true) { { } } return /[}]\\)/.test('})') // })").await, json!(true));
    assert_eq!(returned("with ({ a: 5 }) { return a }").await, json!(5));
    assert_eq!(
        returned("function f() { return 1 } async function g() { return f() } return await g()").await,
        json!(1)
    );
}

#[tokio::test]
async fn poisoned_prototypes_poison_nobody_else() {
    let ask = "return (await requestUserInput({ message: 'm' })).response";
    let poisons = [
        "JSON.stringify = JSON.parse = null",
        "globalThis.Promise = globalThis.Object = globalThis.Array = globalThis.JSON = null",
        "Promise.resolve = Promise.all = Promise.prototype.catch = null",
        "Object.defineProperty(Promise, Symbol.species, { value: class { constructor() { throw 1 } } })",
        "Object.defineProperty(Array, Symbol.species, { value: null })",
        "Array.prototype[Symbol.iterator] = Array.prototype.push = null",
        "Object.prototype[0] = Object.prototype.length = 7",
        "Object.prototype.resolve = Object.prototype.reject = 1",
        "Object.prototype.__proto__ = null; ({}).__proto__.x = 1",
        "Function.prototype.call = Function.prototype.apply = null",
        "Symbol.iterator.constructor.prototype.x = 1; Error.prototype.message = 'x'",
        "Object.freeze(globalThis); Object.freeze(Object.prototype); Object.freeze(Promise.prototype)",
        "for (const name of Object.getOwnPropertyNames(globalThis)) if (name !== 'requestUserInput') try { delete globalThis[name] } catch {}",
    ];
    for poison in poisons {
        assert_eq!(returned(&format!("{poison};\n{ask}")).await, json!("m"), "{poison}");
    }
    torment(quick(), &poisons, |code, ended| assert!(matches!(ended, Ended::Returned(_)), "{code}: {ended:?}")).await;
    assert_eq!(
        returned("globalThis.requestUserInput = () => 5; globalThis.console = null; return await requestUserInput()")
            .await,
        json!(5)
    );
    assert_eq!(returned("return JSON.parse('{\"__proto__\": {\"x\": 1}}').x ?? 'none'").await, json!("none"));
    assert_eq!(returned("return { ['__proto__']: { x: 1 }, y: 2 }").await, json!({ "__proto__": { "x": 1 }, "y": 2 }));
}

#[tokio::test]
async fn what_was_put_in_place_of_the_languages_own_does_the_same() {
    let arrays = "const a = [3, 1, 2]; return [a.join(), a.join('-'), a.slice(1), a.slice(-2, -1), a.concat(4, [5, [6]]), \
        [1, [2, [3, [4]]]].flat(), [1, [2, [3]]].flat(Infinity), [1, 2].flatMap(x => [x, [x]]), [1, 2, 3].reverse(), \
        [3, 1, 2].sort(), [1, 10, 9].sort((x, y) => y - x), [1, 2, 3, 4].splice(1, 2), String([1, [2, 3]]), [1, , 3].join(), \
        [].slice.call('abc'), [].join.call({ length: 2, 0: 'x', 1: 'y' }, '+'), [, 1].concat([, 2]).length, 2 in [, 1].concat([, 2]), \
        [1, 2].unshift(0), [1, 2].shift(), [1, 2, 3, 4, 5].copyWithin(0, 3), (function () { return [].slice.call(arguments, 1) })(1, 2)]";
    let expected = json!([
        "3,1,2",
        "3-1-2",
        [1, 2],
        [1],
        [3, 1, 2, 4, 5, [6]],
        [1, 2, [3, [4]]],
        [1, 2, 3],
        [1, [1], 2, [2]],
        [3, 2, 1],
        [1, 2, 3],
        [10, 9, 1],
        [2, 3],
        "1,2,3",
        "1,,3",
        ["a", "b", "c"],
        "x+y",
        4,
        false,
        3,
        1,
        [4, 5, 3, 4, 5],
        [2]
    ]);
    assert_eq!(returned(arrays).await, expected);
    let texts = "return ['a-b-c'.split('-'), 'abc'.split(''), 'abc'.split(), 'a1b2'.split(/\\d/), 'a-b-c'.split('-', 2), \
        'aXbX'.replace('X', 'y'), 'aXbX'.replaceAll('X', 'y'), 'aXbX'.replace(/x/gi, m => m + m), 'aX'.replaceAll(/X/g, '$&$&'), \
        'abcabc'.indexOf('c', 3), 'abcabc'.lastIndexOf('a'), 'abcabc'.lastIndexOf('a', 2), 'abc'.includes('bc'), 'abc'.includes('a', 1), \
        'null'.indexOf(null), 'undefined'.includes(), 'x5y'.indexOf(5), 'a'.localeCompare('b'), '\\u00e9'.normalize('NFD').length, '\\u00e9'.normalize().length, \
        String.raw`a\\n${1}b${2}`, JSON.stringify({ a: 1, b: [2] }, ['a']), JSON.stringify({ a: 1 }, null, 2), JSON.stringify({ a: 1 }, (k, v) => k ? v + 1 : v)]";
    let expected = json!([
        ["a", "b", "c"],
        ["a", "b", "c"],
        ["abc"],
        ["a", "b", ""],
        ["a", "b"],
        "aybX",
        "ayby",
        "aXXbXX",
        "aXX",
        5,
        3,
        0,
        true,
        false,
        0,
        true,
        1,
        -1,
        2,
        1,
        "a\\n1b2",
        "{\"a\":1}",
        "{\n  \"a\": 1\n}",
        "{\"a\":2}"
    ]);
    assert_eq!(returned(texts).await, expected);
    for code in [
        "'x'.includes(/x/)",
        "'x'.replaceAll(/x/, '')",
        "''.indexOf.call(null, 'x')",
        "[].join.call(null)",
        "[1].flatMap()",
        "queueMicrotask(1)",
    ] {
        assert!(failed(code).await.starts_with("TypeError: "), "{code}");
    }
    // What is ours is in no stack.
    let inside = failed("[1, 2].sort(() => { throw new Error('inside') })").await;
    assert!(!inside.contains("language"), "{inside}");
}
