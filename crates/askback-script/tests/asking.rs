//! What a script can do: ask, wait, go on, write, return; and what it is told when it does something wrong.

mod support;

use askback_script::{Ended, Level, Snapshot};
use serde_json::json;
use std::sync::Arc;
use support::{Counting, Desk, Echo, Nobody, end, engine, failed, quick, returned, run};

#[tokio::test]
async fn it_asks_one_after_the_other() {
    let code = "let all = ''; for (const message of ['a', 'b', 'c']) all += (await requestUserInput({ message })).response; \
                return all";
    assert_eq!(returned(code).await, json!("abc"));
}

#[tokio::test]
async fn it_asks_several_at_once_and_hears_them_in_any_order() {
    let (desk, mut questions) = Desk::new();
    let code = "const asked = ['a', 'b', 'c'].map(message => requestUserInput({ message })); \
                const first = await Promise.race(asked); return { first, all: await Promise.all(asked) }";
    let engine = engine(quick());
    let script = engine.start(code.to_owned(), desk);
    let mut open = Vec::new();
    while open.len() < 3 {
        open.push(questions.recv().await.unwrap());
    }
    assert_eq!(open.iter().map(support::Question::message).collect::<Vec<_>>(), ["a", "b", "c"]);
    assert_eq!(script.snapshot().calls_open, 3);
    for number in [3, 2, 1] {
        open.pop().unwrap().answer(number);
        // One after the other, to the end.
        while script.snapshot().calls_open >= number {
            tokio::task::yield_now().await;
        }
    }
    let expected = json!({ "first": 3, "all": [1, 2, 3] });
    assert_eq!(end(&script).await.ended, Ended::Returned(Some(expected)));
}

#[tokio::test]
async fn an_error_of_the_host_can_be_caught() {
    let code = "try { await requestUserInput({ message: 'fail' }) } catch (error) { return [error instanceof Error, error.message] }";
    assert_eq!(returned(code).await, json!([true, "nobody is there"]));
    assert_eq!(failed("await requestUserInput({ message: 'fail' })").await, "Error: nobody is there");
    let settled = "const all = await Promise.allSettled([requestUserInput({ message: 'fail' }), requestUserInput({ message: 'a' })]); \
                   return all.map(one => one.status)";
    assert_eq!(returned(settled).await, json!(["rejected", "fulfilled"]));
}

#[tokio::test]
async fn only_an_object_can_be_asked() {
    for argument in ["", "null", "'text'", "5", "[]", "() => 1", "{ toJSON() { return 5 } }"] {
        let error = failed(&format!("await requestUserInput({argument})")).await;
        assert!(error.starts_with("TypeError: requestUserInput takes an object"), "{argument}: {error}");
    }
    for (field, noun) in
        [("() => 1", "a function"), ("5n", "a BigInt"), ("NaN", "not a finite number"), ("Symbol()", "a symbol")]
    {
        let error = failed(&format!("await requestUserInput({{ deep: [{{ a: {field} }}] }})")).await;
        assert!(error.contains(&format!("`a` in what requestUserInput is called with is {noun}")), "{error}");
    }
    let circle = failed("const it = {}; it.it = it; await requestUserInput(it)").await;
    assert!(circle.starts_with("TypeError: circular reference"), "{circle}");
}

#[tokio::test]
async fn what_it_returns_is_json_or_nothing() {
    assert_eq!(run("").await.ended, Ended::Returned(None));
    assert_eq!(run("return undefined").await.ended, Ended::Returned(None));
    assert_eq!(returned("return null").await, json!(null));
    assert_eq!(
        returned("return { a: [1, 'two', false, { b: undefined }] }").await,
        json!({ "a": [1, "two", false, {}] })
    );
    assert_eq!(returned("return new Date(0)").await, json!("1970-01-01T00:00:00.000Z"));
    assert_eq!(returned("return Promise.resolve(5)").await, json!(5));
    assert!(failed("return 1n").await.contains("what the script returns is a BigInt, which JSON does not have"));
    assert!(failed("return [() => 1]").await.contains("`0` in what the script returns is a function"));
    assert!(failed("return '\\ud800'").await.contains("can't be used as JSON"));
}

#[tokio::test]
async fn the_console_keeps_order_and_levels() {
    let code = "console.log('a', 1, { b: [2] }); console.warn(undefined, null); await requestUserInput({ message: 'x' }); \
                console.error(new RangeError('far')); console.info(5n, NaN, -Infinity, Symbol('s'), () => 1); console.debug('end')";
    let console = run(code).await.console.clone();
    let lines: Vec<_> =
        console.lines.iter().map(|line| (line.level, line.text.lines().next().unwrap_or_default())).collect();
    assert_eq!(
        lines,
        [
            (Level::Log, "a 1 {\"b\":[2]}"),
            (Level::Warn, "undefined null"),
            (Level::Error, "RangeError: far"),
            (Level::Info, "5 NaN -Infinity Symbol(s) [function]"),
            (Level::Debug, "end"),
        ]
    );
    assert_eq!(console.dropped, 0);
}

#[tokio::test]
async fn the_console_can_be_read_while_it_waits() {
    let engine = engine(quick());
    let (desk, mut questions) = Desk::new();
    let script =
        engine.start("console.log('before'); await requestUserInput({}); console.log('after')".to_owned(), desk);
    let question = questions.recv().await.unwrap();
    let Snapshot { console, calls_open } = script.snapshot();
    assert_eq!((console.lines.len(), console.lines[0].text.as_str(), calls_open), (1, "before", 1));
    question.answer(true);
    assert_eq!(end(&script).await.console.lines.len(), 2);
}

#[tokio::test]
async fn what_nobody_awaited_and_failed_is_told() {
    assert_eq!(failed("requestUserInput({ message: 'fail' })").await, "Error: nobody is there");
    assert!(failed("Promise.reject(new TypeError('lost'))").await.starts_with("TypeError: lost"));
    assert!(failed("queueMicrotask(() => { throw new TypeError('lost') })").await.starts_with("TypeError: lost"));
    assert_eq!(
        returned("const late = Promise.reject(1); await null; return await late.catch(it => it + 1)").await,
        json!(2)
    );
    // Who returns something has decided what counts.
    assert_eq!(returned("Promise.reject(new Error('lost')); return 5").await, json!(5));
}

#[tokio::test]
async fn anything_can_be_thrown() {
    assert_eq!(failed("throw 5").await, "5 was thrown");
    assert_eq!(failed("throw { why: 'not' }").await, "{\"why\":\"not\"} was thrown");
    assert_eq!(failed("throw undefined").await, "undefined was thrown");
    assert_eq!(failed("throw null").await, "null was thrown");
    assert_eq!(
        failed("function f() {\n  throw new Error('far')\n}\n\nf()").await,
        "Error: far\n    at f (script:2:13)\n    at <anonymous> (script:5:1)"
    );
    assert!(
        failed("throw Object.defineProperty(new Error('it'), 'stack', { get() { throw 1 } })")
            .await
            .starts_with("Error: it")
    );
}

#[tokio::test]
async fn who_returns_nothing_waits_for_what_is_open() {
    let engine = engine(quick());
    let (desk, mut questions) = Desk::new();
    let script = engine.start("requestUserInput({ message: 'x' }).then(it => console.log(it))".to_owned(), desk);
    questions.recv().await.unwrap().answer("late");
    let finished = end(&script).await;
    assert_eq!((&finished.ended, finished.console.lines[0].text.as_str()), (&Ended::Returned(None), "late"));
}

#[tokio::test]
async fn who_returns_something_takes_away_what_is_open() {
    let engine = engine(quick());
    let (desk, mut questions) = Desk::new();
    let script = engine.start("requestUserInput({ message: 'x' }); return 1".to_owned(), desk);
    let mut question = questions.recv().await.unwrap();
    assert_eq!(end(&script).await.ended, Ended::Returned(Some(json!(1))));
    question.taken_away().await;
    assert_eq!(script.snapshot().calls_open, 0);
}

#[tokio::test]
async fn waiting_for_what_can_never_happen_fails_at_once() {
    for code in [
        "await new Promise(() => {})",
        "await { then() {} }",
        "for await (const x of { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }) x",
    ] {
        assert_eq!(failed(code).await, "the script waits for something that can never happen: no question is open");
    }
}

#[tokio::test]
async fn a_syntax_error_names_its_place_in_the_code_as_given() {
    for (code, place) in [
        ("let x = ;", "script:1:9"),
        ("let ok = 1;\nlet y = 2 +* 3;", "script:2:12"),
        ("\n\n  return return", "script:3:10"),
        ("return 1 /* open", "script:1:10"),
        ("return new.target", "script:1:12"),
        ("return import.meta", "script:1:15"),
    ] {
        let error = failed(code).await;
        assert!(error.starts_with("SyntaxError: ") && error.ends_with(place), "{code}: {error}");
    }
    assert_eq!(failed("return 1 \0").await, "SyntaxError: the code has a NUL character in it");
    // What is at the end of the code ends with it.
    assert_eq!(returned("return 1 // one").await, json!(1));
}

// S3
#[tokio::test]
async fn too_much_is_refused_with_a_name() {
    let long = failed(&format!("return 1 // {}", "x".repeat(askback_script::limits::CODE_BYTES))).await;
    assert!(long.contains("bytes, and may have 262144"), "{long}");
    let argument = failed("await requestUserInput({ message: 'x'.repeat(2 ** 20) })").await;
    assert!(
        argument.contains("what requestUserInput is called with has 1048590 bytes as JSON, and may have 1048576"),
        "{argument}"
    );
    assert!(failed("return 'x'.repeat(2 ** 20)").await.contains("what the script returns has 1048578 bytes as JSON"));
    let many = failed("for (;;) await requestUserInput({ message: 'x' })").await;
    assert!(many.contains("a script may ask 1000 questions") || many.contains("CPU time"), "{many}");
}

// S3
#[tokio::test]
async fn what_is_open_at_once_is_bounded() {
    let engine = engine(quick());
    let small = "await Promise.all(Array.from({ length: 101 }, () => requestUserInput({ message: 'x' })))";
    // Nothing of them is in the script's own memory.
    let large = "const message = 'x'.repeat(1e6); \
                 await Promise.all(Array.from({ length: 5 }, () => requestUserInput({ message })))";
    for (code, most, said) in [
        (small, 100, "100 questions are open: await some of them first"),
        (large, 4, "open questions may have 4194304 bytes together: await some of them first"),
    ] {
        let asked = Arc::new(Counting::default());
        let script = engine.start(code.to_owned(), Arc::clone(&asked) as Arc<dyn askback_script::Host>);
        let ended = end(&script).await.ended.clone();
        assert!(matches!(&ended, Ended::Threw(why) if why.contains(said)), "{ended:?}");
        assert_eq!(asked.asked(), most);
    }
}

#[tokio::test]
async fn it_can_be_stopped_by_its_handle_and_by_letting_go_of_it() {
    let engine = engine(quick());
    let (desk, mut questions) = Desk::new();
    let script =
        engine.start("await requestUserInput({})".to_owned(), Arc::clone(&desk) as Arc<dyn askback_script::Host>);
    let mut question = questions.recv().await.unwrap();
    script.stop("enough");
    script.stop("again");
    assert_eq!(end(&script).await.ended, Ended::Stopped("enough".to_owned()));
    question.taken_away().await;

    let script = engine.start("await requestUserInput({})".to_owned(), desk);
    let mut question = questions.recv().await.unwrap();
    let other = script.clone();
    drop(script);
    assert_eq!(other.snapshot().calls_open, 1, "the other handle holds it");
    drop(other);
    question.taken_away().await;

    // Also one that is busy, and would be for some time.
    let busy = engine.start("for (;;) await null".to_owned(), Arc::new(Echo));
    busy.stop("enough");
    assert_eq!(end(&busy).await.ended, Ended::Stopped("enough".to_owned()));
}

#[tokio::test]
async fn what_has_ended_lets_go_of_its_host() {
    let engine = engine(quick());
    let host = Arc::new(Nobody);
    let ended = engine.start("return 1".to_owned(), Arc::clone(&host) as Arc<dyn askback_script::Host>);
    end(&ended).await;
    let refused = engine.start("x".repeat(300_000), Arc::clone(&host) as Arc<dyn askback_script::Host>);
    end(&refused).await;
    assert_eq!(Arc::strong_count(&host), 1, "a host may hold the script's handle");
}

#[tokio::test]
async fn closing_the_engine_ends_everything() {
    let engine = engine(quick());
    let (desk, mut questions) = Desk::new();
    let waiting = engine.start("await requestUserInput({})".to_owned(), desk);
    let busy = engine.start("for (;;) await null".to_owned(), Arc::new(Echo));
    let mut question = questions.recv().await.unwrap();
    drop(engine.clone());
    assert_eq!(waiting.snapshot().calls_open, 1, "a clone is the same engine");
    drop(engine);
    let closed = Ended::Stopped("the engine was closed".to_owned());
    assert_eq!(end(&waiting).await.ended, closed);
    assert_eq!(end(&busy).await.ended, closed);
    question.taken_away().await;
}

#[tokio::test]
async fn a_host_that_panics_ends_the_script_and_nothing_else() {
    struct Broken;
    impl askback_script::Host for Broken {
        fn request_user_input(&self, argument: serde_json::Value) -> askback_script::Answering {
            assert!(argument["message"] != "now", "the host is broken");
            Box::pin(async { panic!("the host breaks later") })
        }
    }
    let engine = engine(askback_script::Limits { workers: 1, ..quick() });
    let script = engine.start("await requestUserInput({ message: 'now' })".to_owned(), Arc::new(Broken));
    assert!(matches!(end(&script).await.ended, Ended::Limit(_)));
    let script = engine.start(
        "try { await requestUserInput({}) } catch (error) { return error.message }".to_owned(),
        Arc::new(Broken),
    );
    assert_eq!(end(&script).await.ended, Ended::Returned(Some(json!("the question was lost"))));
    support::still_works(&engine).await;
}
