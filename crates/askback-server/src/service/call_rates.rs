//! The rates of calls, for each token: askers and people have rates of their own (S3, S8).

use super::rate::Rates;
use super::{Caller, Service};
use crate::fault::Fault;
use crate::limits::{ASKER_CALLS, ASKER_LISTS, PERSON_CALLS, PERSON_LISTS, Rate};
use askback_api::ProblemCode;
use std::time::Instant;

/// The rates of all calls.
pub(crate) struct CallRates {
    all: ByRole,
    lists: ByRole,
}

/// The rates of one sort of calls. Tokens of askers never take the memory of people's.
struct ByRole {
    of_askers: Rates<u64>,
    of_people: Rates<u64>,
}

impl ByRole {
    fn new(of_asker: Rate, of_person: Rate) -> Self {
        Self { of_askers: Rates::new(of_asker), of_people: Rates::new(of_person) }
    }

    fn take(&self, caller: &Caller, what: &str) -> Result<(), Fault> {
        let holder = caller.holder();
        let rates = if holder.is_person { &self.of_people } else { &self.of_askers };
        rates.take(holder.token, Instant::now()).map_err(|_| {
            Fault::new(ProblemCode::TooMany, format!("this token {what} too often: try again in a second"))
        })
    }
}

impl Default for CallRates {
    fn default() -> Self {
        Self { all: ByRole::new(ASKER_CALLS, PERSON_CALLS), lists: ByRole::new(ASKER_LISTS, PERSON_LISTS) }
    }
}

impl Service {
    /// Counts an authenticated call, and refuses it beyond the rate of its token.
    pub(crate) fn admit_call(&self, caller: &Caller) -> Result<(), Fault> {
        self.calls.all.take(caller, "calls")
    }

    /// Counts a call that reads a page of the store.
    pub(super) fn admit_list(&self, caller: &Caller) -> Result<(), Fault> {
        self.calls.lists.take(caller, "reads lists and events")
    }
}
