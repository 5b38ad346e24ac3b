//! What is said of a configuration that is not right.

use crate::data_with;

// S3
#[test]
fn a_configuration_that_is_not_right_is_refused_by_name_and_line() {
    let data = data_with(
        "[server]\nlisten = 4770\n\n[[webhook]]\nname = \"phone\"\nurl = \"ntfy.sh/topic\"\nsecrets = \"hidden\"\n",
    );
    let output = data.loopback_command().output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success());
    let path = data.path().join("config.toml");
    let expected = format!(
        "askback: {} is not right\n  \
         line 2: server, listen: this is a number; expected a text in quotes\n  \
         line 6: webhook \"phone\", url: this is no address; expected an address such as \"https://example.com/hook\", without a name or a password\n  \
         line 7: webhook \"phone\", \"secrets\": there is no such key; expected name, url, template, secret, secret_file, events or room\n",
        path.display()
    );
    assert_eq!(said, expected);
    assert!(!data.path().join("hub.json").exists());
}
