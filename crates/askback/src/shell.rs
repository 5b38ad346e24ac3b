//! Words as a shell reads them.

/// A word in quotes where a shell needs them.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-./+:@%,=".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    // S3
    #[test]
    fn a_shell_reads_a_quoted_word_as_it_is() {
        for word in ["askback", "/a b/askback", "/it's/$HOME/`x`\\\"*", "/é/a\nb", "-n"] {
            let script = format!("printf %s {}", quoted(word));
            let read = Command::new("sh").args(["-c", &script]).output().unwrap().stdout;
            assert_eq!(String::from_utf8(read).unwrap(), word);
        }
        assert_eq!(quoted("/usr/local/bin/askback"), "/usr/local/bin/askback");
    }
}
