//! The asker's claim (`from`, S9) on requests that a client makes for a model.

use askback_core::Limits;

/// The claim of a client's request. The client's own name always comes first: a model, or a script of the model, may add to it and
/// never replaces it.
pub fn claim_of_client(client: &str, addition: Option<&str>) -> String {
    match addition.map(str::trim).filter(|addition| !addition.is_empty() && *addition != client) {
        Some(addition) => format!("{client}: {addition}").chars().take(Limits::DEFAULT.line_length).collect(),
        None => client.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::claim_of_client;

    // S9
    #[test]
    fn model_adds_to_the_clients_name_and_never_replaces_it() {
        assert_eq!(claim_of_client("claude-code", None), "claude-code");
        assert_eq!(claim_of_client("claude-code", Some("rita")), "claude-code: rita");
        for same in ["", "  ", "claude-code"] {
            assert_eq!(claim_of_client("claude-code", Some(same)), "claude-code");
        }
        let long = claim_of_client("claude-code", Some(&"x".repeat(500)));
        assert!(long.starts_with("claude-code: x") && long.chars().count() == 200);
    }
}
