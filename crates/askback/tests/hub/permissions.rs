//! A data directory that other users can write to is refused by the hub and by every command that reads it.

use crate::ASKBACK;
use askback_testkit::home::{Home, printed, said};
use std::fs::{Permissions, create_dir, metadata, set_permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::Output;

/// Somebody else.
const OTHER: u32 = 54_321;

fn chmod(path: &Path, mode: u32) {
    set_permissions(path, Permissions::from_mode(mode)).unwrap();
}

/// Fails unless every command that reads the data directory refuses it with this advice.
#[track_caller]
fn assert_refused(home: &Home, advice: &str) {
    let commands: [&[&str]; 6] = [
        &["list"],
        &["confirm", "Deploy?"],
        &["hub", "status"],
        &["hub", "stop"],
        &["serve", "--listen", "127.0.0.1:0"],
        &["doctor"],
    ];
    for arguments in commands {
        let refused = home.run(arguments);
        let told = format!("{}{}", printed(&refused), said(&refused));
        assert!(!refused.status.success() && told.contains(advice), "{arguments:?}: {told}");
    }
}

fn assert_works(output: &Output) {
    assert!(output.status.success(), "{}", said(output));
}

// S4
#[test]
fn data_directory_or_parent_that_others_can_write_is_refused_with_the_command() {
    let home = Home::with_hub(ASKBACK);
    let mode = metadata(home.path()).unwrap().mode();
    for (directory, usual) in [(home.data(), 0o700), (home.path().to_owned(), mode)] {
        for (group, open) in [(Some(OTHER), 0o770), (None, 0o777)] {
            chown(&directory, None, group).unwrap();
            chmod(&directory, open);
            assert_refused(&home, &format!("chmod go-w {}", directory.display()));
        }
        chown(&directory, None, Some(metadata(&directory).unwrap().uid())).unwrap();
        chmod(&directory, usual);
        assert_works(&home.run(&["list"]));
    }
    // A parent such as /tmp may be anybody's, since what is in it is not.
    chmod(home.path(), 0o1777);
    assert_works(&home.run(&["list"]));
    chmod(home.path(), mode);
    assert!(home.hub().is_some(), "nobody has stopped it");
}

// S4
#[test]
fn directory_that_others_can_write_is_refused_before_a_hub_was_there() {
    let home = Home::new(ASKBACK);
    create_dir(home.data()).unwrap();
    chmod(&home.data(), 0o777);
    for arguments in [["hub", "start"], ["serve", "--listen=127.0.0.1:0"], ["confirm", "Deploy?"]] {
        let refused = home.run(&arguments);
        assert!(!refused.status.success() && said(&refused).contains("chmod go-w "), "{}", said(&refused));
    }
    assert!(std::fs::read_dir(home.data()).unwrap().next().is_none(), "nothing was made there");
}

// S4
#[test]
fn file_of_the_hub_that_others_can_write_is_refused() {
    let home = Home::with_hub(ASKBACK);
    for name in ["hub.json", "asker.token", "person.token"] {
        let path = home.data().join(name);
        chmod(&path, 0o666);
        let refused = home.run(&["list"]);
        let advice = format!("chmod go-w {}", path.display());
        assert!(!refused.status.success() && said(&refused).contains(&advice), "{}", said(&refused));
        chmod(&path, 0o600);
    }
    let config = home.path().join("askback.toml");
    std::fs::write(&config, "").unwrap();
    symlink(&config, home.data().join("config.toml")).unwrap();
    assert_works(&home.run(&["list"]));
    chmod(&config, 0o666);
    assert_refused(&home, &format!("chmod go-w {}", config.display()));
    chmod(&config, 0o600);
    std::fs::rename(home.data().join("hub.json"), home.path().join("hub.json")).unwrap();
    symlink("../hub.json", home.data().join("hub.json")).unwrap();
    let refused = home.run(&["list"]);
    assert!(!refused.status.success() && said(&refused).contains("not a regular file"), "{}", said(&refused));
    std::fs::rename(home.path().join("hub.json"), home.data().join("hub.json")).unwrap();
    assert_works(&home.run(&["list"]));
}

// S4
#[test]
fn data_directory_of_another_user_is_refused() {
    let home = Home::with_hub(ASKBACK);
    let user = metadata(home.path()).unwrap().uid();
    for path in [home.data(), home.path().to_owned(), home.data().join("hub.json")] {
        if chown(&path, Some(OTHER), None).is_err() {
            // Only root gives files away; `hub/permissions.rs` has the rule as a function.
            assert_ne!(user, 0);
            return;
        }
        let refused = home.run(&["list"]);
        // It was root that gave it away.
        let advice = "run askback as that user, or set ASKBACK_DATA";
        assert!(!refused.status.success() && said(&refused).contains(advice), "{}", said(&refused));
        assert!(said(&refused).contains(&format!("belongs to user {OTHER}")), "{}", said(&refused));
        chown(&path, Some(user), None).unwrap();
    }
    assert_works(&home.run(&["list"]));
}
