//! How many scripts there are, and what they hold: of each owner and of all.

use crate::limits::WorkerLimits;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The sums over all scripts of a hub.
#[derive(Debug)]
pub(crate) struct Accounts {
    limits: WorkerLimits,
    sums: Mutex<Sums>,
}

#[derive(Debug, Default)]
struct Sums {
    scripts: usize,
    bytes: usize,
    /// Of each owner that has scripts: how many, and their bytes.
    owners: HashMap<Arc<str>, (usize, usize)>,
}

impl Accounts {
    pub(crate) fn new(limits: WorkerLimits) -> Self {
        Self { limits, sums: Mutex::default() }
    }

    /// Counts a new script, or says why there may be none.
    pub(crate) fn admit(&self, owner: &str) -> Result<(), String> {
        let mut sums = self.lock();
        let most = self.limits.scripts;
        if sums.scripts >= most {
            return Err(format!("{most} scripts are running or waiting: stop one, or try again later"));
        }
        sums.scripts += 1;
        sums.owners.entry(owner.into()).or_default().0 += 1;
        Ok(())
    }

    /// A script that was admitted holds other bytes than before. Says why it must end, if it holds too many.
    pub(crate) fn weigh(&self, owner: &str, before: usize, now: usize) -> Result<(), String> {
        let (waiting_bytes, owner_bytes) = (self.limits.waiting_bytes, self.limits.owner_bytes);
        let mut sums = self.lock();
        sums.bytes = sums.bytes.saturating_sub(before).saturating_add(now);
        let all = sums.bytes;
        let own = sums.owners.get_mut(owner).map_or(0, |(_, bytes)| {
            *bytes = bytes.saturating_sub(before).saturating_add(now);
            *bytes
        });
        // One that holds less than before is not what is too much.
        if now <= before {
            Ok(())
        } else if all > waiting_bytes {
            Err(format!("all scripts that wait hold more than {} MB together: try again later", waiting_bytes >> 20))
        } else if own > owner_bytes {
            let most = owner_bytes >> 20;
            Err(format!("the scripts of this token that wait hold more than {most} MB together: stop some of them"))
        } else {
            Ok(())
        }
    }

    /// A script has ended that held so many bytes.
    pub(crate) fn leave(&self, owner: &str, bytes: usize) {
        let mut sums = self.lock();
        sums.scripts = sums.scripts.saturating_sub(1);
        sums.bytes = sums.bytes.saturating_sub(bytes);
        if let Some((scripts, owned)) = sums.owners.get_mut(owner) {
            *scripts = scripts.saturating_sub(1);
            *owned = owned.saturating_sub(bytes);
            if *scripts == 0 {
                sums.owners.remove(owner);
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, Sums> {
        self.sums.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accounts() -> Accounts {
        Accounts::new(WorkerLimits {
            scripts: 3,
            waiting_bytes: 10 << 20,
            owner_bytes: 6 << 20,
            ..WorkerLimits::default()
        })
    }

    // S3
    #[test]
    fn owner_with_its_share_leaves_the_rest_to_others() {
        let accounts = accounts();
        for owner in ["ada", "ada", "bo"] {
            accounts.admit(owner).unwrap();
        }
        assert!(accounts.admit("bo").unwrap_err().contains("3 scripts are running or waiting"));
        assert_eq!(accounts.weigh("ada", 0, 4 << 20), Ok(()));
        assert!(accounts.weigh("ada", 0, 3 << 20).unwrap_err().contains("of this token that wait hold more than 6 MB"));
        accounts.leave("ada", 3 << 20);
        assert_eq!(accounts.weigh("bo", 0, 6 << 20), Ok(()));
        assert!(accounts.weigh("ada", 4 << 20, 5 << 20).unwrap_err().contains("hold more than 10 MB together"));
        // Less is never too much.
        assert_eq!(accounts.weigh("bo", 6 << 20, (6 << 20) - 1), Ok(()));
    }

    // S3
    #[test]
    fn nothing_is_left_of_scripts_that_have_ended() {
        let accounts = accounts();
        for _ in 0..10 {
            accounts.admit("ada").unwrap();
            accounts.weigh("ada", 0, 5 << 20).unwrap();
            accounts.leave("ada", 5 << 20);
        }
        let sums = accounts.sums.into_inner().unwrap();
        assert_eq!((sums.scripts, sums.bytes, sums.owners.len()), (0, 0, 0));
    }
}
