//! The environment of child processes: which variables of this process each kind of child inherits.
//!
//! [`ChildRole::command`] creates every command that askback starts, so that a secret is withheld in one place.

use std::ffi::OsStr;
use std::process::Command;

/// The variable with a token for a hub. A child that could read it could answer in a person's name.
const TOKEN: &str = "ASKBACK_TOKEN";

/// The variables with keys of model providers that askback reads.
const PROVIDER_KEYS: [&str; 1] = ["ANTHROPIC_API_KEY"];

/// The variables that a hub in the background inherits, besides the locale: how to find the user's programs, desktop session
/// and certificates.
const HUB_VARIABLES: [&str; 16] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "TZ",
    "TMPDIR",
    "DISPLAY",
    "WAYLAND_DISPLAY",
    "DBUS_SESSION_BUS_ADDRESS",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "RUST_BACKTRACE",
    "XDG_RUNTIME_DIR",
    "XDG_DATA_HOME",
];

/// The purpose of a child process, which decides what it inherits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChildRole {
    /// The hub in the background. It outlives the program that starts it, and inherits only a fixed list of variables.
    Hub,
    /// An agent that the user named. It inherits everything but the token: it may need its provider's key.
    Agent,
    /// A command of an agent's tool, or the `on_request` command. It inherits neither the token nor a provider's key.
    Tool,
    /// A worker that runs agents' scripts. It inherits nothing.
    ScriptWorker,
}

impl ChildRole {
    /// A command that runs a program with the environment of its role.
    pub fn command(self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(std::env::vars_os().filter(|(name, _)| self.inherits(name)));
        command
    }

    fn inherits(self, name: &OsStr) -> bool {
        let is_secret = |secrets: &[&str]| secrets.iter().any(|secret| name == *secret);
        match self {
            Self::Hub => name.to_str().is_some_and(|name| HUB_VARIABLES.contains(&name) || name.starts_with("LC_")),
            Self::Agent => !is_secret(&[TOKEN]),
            Self::Tool => !is_secret(&[TOKEN]) && !is_secret(&PROVIDER_KEYS),
            Self::ScriptWorker => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::ChildRole;
    use std::process::Command;

    /// Set in the process that has the variables to inherit: the test starts itself again for that.
    const PARENT: &str = "ASKBACK_TEST_PARENT";

    fn printed_environment(role: ChildRole) -> String {
        String::from_utf8_lossy(&role.command("env").output().unwrap().stdout).into_owned()
    }

    // S4
    #[test]
    fn child_inherits_no_secret_that_its_role_does_not_need() {
        if std::env::var_os(PARENT).is_none() {
            let mut parent = Command::new(std::env::current_exe().unwrap());
            parent.args(["--exact", "tests::child_inherits_no_secret_that_its_role_does_not_need"]);
            parent.env("ASKBACK_TOKEN", "token").env("ANTHROPIC_API_KEY", "key").env("LC_TIME", "C").env(PARENT, "1");
            let output = parent.output().unwrap();
            let printed = String::from_utf8_lossy(&output.stdout);
            assert!(output.status.success() && printed.contains("1 passed"), "{printed}");
            return;
        }
        let inherited = |role| {
            let environment = printed_environment(role);
            let has = |line: &str| environment.lines().any(|found| found == line);
            [has("ASKBACK_TOKEN=token"), has("ANTHROPIC_API_KEY=key"), has("ASKBACK_TEST_PARENT=1"), has("LC_TIME=C")]
        };
        assert_eq!(inherited(ChildRole::Hub), [false, false, false, true]);
        assert_eq!(inherited(ChildRole::Agent), [false, true, true, true]);
        assert_eq!(inherited(ChildRole::Tool), [false, false, true, true]);
        assert_eq!(inherited(ChildRole::ScriptWorker), [false; 4]);
    }
}
