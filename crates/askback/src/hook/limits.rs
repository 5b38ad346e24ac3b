//! Every limit of a hook (S3), in one place.

use std::time::Duration;

/// How long a person is given, unless it is said otherwise.
pub(crate) const TIMEOUT: &str = "10m";

/// The same where nobody is there: the person is probably before the agent's own terminal, which asks nothing meanwhile.
pub(super) const NOBODY: &str = "15s";

/// The same once somebody was there: a page is loaded again, a phone goes dark in a pocket, and whoever has read the question
/// may come back with an answer. Who went to the agent's terminal for good is not to wait there for the whole time, though.
pub(super) const LEFT: Duration = Duration::from_secs(120);

/// How often it is looked whether somebody is there, and whether the agent is.
pub(super) const LOOK: Duration = Duration::from_secs(1);

/// How long the hub is asked to wait at a time: one that is frozen meanwhile is noticed 10 s later.
pub(super) const POLL: Duration = Duration::from_secs(10);

/// How long a hub may be away before the agent asks by itself.
pub(super) const AWAY: Duration = Duration::from_secs(5);

/// How much longer than a request's own time a hub may take to say that it is over.
pub(crate) const LATE: Duration = Duration::from_secs(5);

/// How long taking a question away may take: an agent that ends its hook does not wait for long.
pub(crate) const TAKING_AWAY: Duration = Duration::from_secs(2);

/// How long a difference may take to find. Past it, it is only coarser, never wrong.
pub(super) const DIFF_TIME: Duration = Duration::from_secs(1);

/// Characters of a command or a path that stand in the question itself.
pub(super) const GIST_LENGTH: usize = 60;
