//! What the configuration may say, and what is said of one that is not right.

use super::*;
use askback_client::transport::Target;
use askback_core::Status;
use askback_server::webhook::Template;

fn problems(text: &str) -> Vec<String> {
    Config::parse(text, Path::new("/nowhere")).unwrap_err()
}

// S3
#[test]
fn the_whole_of_it_is_read() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("secret"), "whsec_aGlkZGVu\n").unwrap();
    let text = r#"
        [server]
        listen = "127.0.0.1:4771"
        public_url = "https://ask.example.com"

        [on_request]
        command = ["notify-send", "askback", "A question is waiting"]

        [[webhook]]
        name = "phone"
        url = "https://ntfy.sh/my-topic?auth=x"
        template = "ntfy"
        secret_file = "secret"
        room = "shop"

        [[webhook]]
        name = "program"
        url = "http://127.0.0.1:9/hook"
        secret = "plain"
        events = ["request.answered", "request.declined"]

        [[webhook]]
        name = "all"
        url = "http://127.0.0.1:9"
    "#;
    let config = Config::parse(text, folder.path()).unwrap();
    assert_eq!(config.listen, Some("127.0.0.1:4771".parse().unwrap()));
    assert_eq!(config.public_url, Some(PublicUrl::parse("https://ask.example.com").unwrap()));
    let words = ["notify-send", "askback", "A question is waiting"].map(str::to_owned);
    assert_eq!(config.on_request, CommandLine::parse(words.to_vec()));
    let [phone, program, all] = config.hooks.as_slice() else { panic!("three of them") };
    assert_eq!((phone.name.as_str(), phone.address.path.as_str()), ("phone", "/?auth=x"));
    assert_eq!(phone.address.target, Target::Https { host: "ntfy.sh".to_owned(), port: 443 });
    assert_eq!(phone.template, Template::Ntfy { topic: "my-topic".to_owned() });
    assert_eq!(phone.secret, askback_server::webhook::Key::parse("hidden"));
    assert_eq!(phone.events, [Status::Pending], "people hear of what waits for them");
    assert_eq!(phone.room.as_ref().map(askback_hub::Room::as_str), Some("shop"));
    assert_eq!(program.events, [Status::Answered, Status::Declined]);
    assert_eq!((&program.template, program.secret.is_some()), (&Template::Json, true));
    assert_eq!(all.events.len(), 5, "programs hear of everything");
}

// S3
#[test]
fn what_the_documents_show_is_read() {
    let document = include_str!("../../../../docs/webhooks.md");
    let blocks: Vec<&str> = document.split("```toml\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(blocks.len() >= 3);
    for block in blocks {
        let config = Config::parse(block, Path::new("/nowhere"));
        assert!(config.is_ok(), "{block}{:?}", config.err());
    }
}

// S3
#[test]
fn nothing_is_a_configuration_too() {
    let config = Config::parse("# later\n", Path::new("/nowhere")).unwrap();
    assert!(config.hooks.is_empty() && config.listen.is_none() && config.on_request.is_none());
    assert!(Config::read(Path::new("/nowhere/config.toml")).unwrap().hooks.is_empty());
}

// S3
#[test]
fn everything_that_is_wrong_is_said_at_once_with_its_line() {
    let text = r#"[server]
listen = "localhost"
public_url = "ask.example.com"
port = 4770

[on_request]
command = []

[[webhook]]
name = "phone"
url = "https://ntfy.sh/a/b"
template = "ntfy"
secret = "whsec_?"
events = ["request.made", 5]
room = "@all"

[[webhook]]
name = "phone"
url = "ftp://example.com"
template = "teams"

[[webhook]]
name = "a b"
secret = "x"
secret_file = "y"

[[webhook]]
name = "last"
url = 7
secret_file = "not-there"
events = []
"#;
    let expected = [
        "line 2: server, listen: this is no address; expected an address of this machine with a port, such as \"127.0.0.1:4770\"",
        "line 3: server, public_url: this is not how people reach a server; expected an address without a path, such as https://ask.example.com",
        "line 4: server, \"port\": there is no such key; expected listen, public_url or attended_for",
        "line 7: on_request, command: this is nothing that can be run; expected the program and its arguments, such as [\"notify-send\", \"askback\", \"A question is waiting\"]",
        "line 11: webhook \"phone\", url: this is no address for the template ntfy; expected the server and the topic, such as \"https://ntfy.sh/my-topic\"",
        "line 13: webhook \"phone\", secret: this is no secret to sign with; expected a text that nobody can guess, or whsec_ and base64, such as `openssl rand -base64 32` makes it",
        "line 14: webhook \"phone\", events: this is a number; expected a text in quotes",
        "line 14: webhook \"phone\", events: there is no such event; expected request.created, request.answered, request.declined, request.cancelled or request.expired",
        "line 15: webhook \"phone\", room: \"@all\" is a name of askback's own; expected a name that does not begin with @",
        "line 18: webhook 2, name: another webhook has this name; expected a name of its own of up to 64 letters, digits, _ or -, such as \"phone\"",
        "line 20: webhook 2, template: there is no such template; expected json, ntfy or slack",
        "line 22: webhook 3, url: this is missing; expected an address such as \"https://example.com/hook\", without a name or a password",
        "line 23: webhook 3, name: this is no name for a webhook; expected a name of its own of up to 64 letters, digits, _ or -, such as \"phone\"",
        "line 25: webhook 3, secret_file: there is a secret already; expected either secret or secret_file",
        "line 29: webhook \"last\", url: this is a number; expected a text in quotes",
        "line 30: webhook \"last\", secret_file: \"not-there\" can't be read: No such file or directory (os error 2); expected a file of text of up to 4096 bytes",
        "line 31: webhook \"last\", events: nothing would ever be sent; expected request.created, request.answered, request.declined, request.cancelled or request.expired",
    ];
    assert_eq!(problems(text), expected);
}

// S3
#[test]
fn what_has_the_wrong_shape_is_refused_too() {
    assert_eq!(problems("server = 1"), ["line 1: server: this is a number; expected a table: [server]"]);
    assert_eq!(problems("[webhook]\nname = \"x\""), ["line 1: webhook: this is a table; expected tables: [[webhook]]"]);
    assert_eq!(
        problems("\nwebhook = [true]"),
        ["line 2: webhook 1: this is true or false; expected tables: [[webhook]]"]
    );
    assert_eq!(
        problems("[on_request]\ncommand = \"notify-send\""),
        ["line 2: on_request, command: this is a text; expected a list of texts: [\"…\", \"…\"]"]
    );
    assert_eq!(
        problems("hooks = []"),
        ["line 1: \"hooks\": there is no such key; expected server, on_request, webhook or mcp"]
    );
    assert_eq!(
        problems("[mcp]\ndialogs = \"codex\""),
        ["line 2: mcp, dialogs: this is a text; expected a list of texts: [\"…\", \"…\"]"]
    );
    assert_eq!(problems("[mcp]\ndialog = []"), ["line 2: mcp, \"dialog\": there is no such key; expected dialogs"]);
    let many = "[[webhook]]\nname = \"x\"\nurl = \"http://a\"\n".repeat(HOOKS + 1);
    let many: String = many
        .split("\"x\"")
        .enumerate()
        .map(|(at, part)| if at == 0 { part.to_owned() } else { format!("\"x{at}\"{part}") })
        .collect();
    assert_eq!(
        problems(&many),
        [format!(
            "line {}: webhook {}: there are {} webhooks; expected at most {HOOKS}",
            3 * HOOKS + 1,
            HOOKS + 1,
            HOOKS + 1
        )]
    );
}

// S3
#[test]
fn what_is_no_toml_is_said_to_be_none_with_its_line_and_without_secrets() {
    let found = problems("[server]\nlisten = \"a\nsecret = hidden\n[[webhook\n");
    assert!(found.len() > 1, "{found:?}");
    assert!(
        found.iter().all(|problem| problem.contains(": this is no TOML: ") && !problem.contains("hidden")),
        "{found:?}"
    );
    assert!(found[0].starts_with("line 2: "), "{found:?}");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("config.toml");
    std::fs::write(&path, b"# \n# \xff").unwrap();
    let error = Config::read(&path).unwrap_err().to_string();
    assert!(error.contains("config.toml, line 2: this is no UTF-8"), "{error}");
    std::fs::write(&path, vec![b'#'; (CONFIG_BYTES + 1) as usize]).unwrap();
    let error = Config::read(&path).unwrap_err().to_string();
    assert!(error.contains("has more than 1048576 bytes"), "{error}");
}
