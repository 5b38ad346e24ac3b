//! Email (F7): one address, by the rule of HTML's email field.

use super::{Asked, Consent};
use crate::answer::{AnswerInput, Checked};
use crate::fields::{Fields, Shape};
use crate::free_text::check_typed;
use crate::json::Object;
use crate::limits::{FREE_TEXT_LENGTH, Limits};
use crate::problem::Refusal;
use crate::rule::Rule;
use crate::{show::quote, text};
use serde_json::{Value, json};

/// A question that is answered with an email address.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Email {
    domain: Option<String>,
}

impl Email {
    /// The domain the address must be at, if only one will do.
    pub fn domain(&self) -> Option<&str> {
        self.domain.as_deref()
    }

    /// What passes, in words.
    pub fn expected(&self) -> String {
        format!("an address such as name@{}", self.domain.as_deref().unwrap_or("example.com"))
    }
}

impl Asked for Email {
    const NAME: &'static str = "email";
    const SUMMARY: &'static str = "One email address, at a given domain if one is named.";
    const WRITTEN: &'static str = "the address";
    const FIELDS: &'static [&'static str] = &["domain"];
    const RULES: &'static [Rule] = &[Rule::Email, Rule::Domain, Rule::Blank, Rule::Length, Rule::Answers];
    const CONSENT: Consent = Consent::Absent;
    type Answer = Checked<String>;

    fn read(fields: &mut Fields<'_, '_>) -> Option<Self> {
        let longest = fields.limits.line_length;
        let given = fields.text("domain", Shape::Line, 1..=longest).map(str::to_owned);
        if let Some(domain) = given.as_deref().filter(|domain| !is_domain(domain)) {
            let message = format!("{} is not a domain", quote(domain));
            fields.report("domain", Rule::Domain, message, "a name such as example.com, without @");
            return None;
        }
        Some(Self { domain: given })
    }

    fn write(&self, object: Object) -> Object {
        object.put_some("domain", self.domain.as_deref())
    }

    fn properties(limits: &Limits) -> Value {
        json!({"domain": {
            "description": "The only domain that passes, compared exactly after the `@` whatever the case; subdomains don't pass.",
            "type": "string", "minLength": 1, "maxLength": limits.line_length,
        }})
    }

    fn parse_answer(&self, input: &AnswerInput) -> Result<Checked<String>, Refusal> {
        // HTML strips the space around an address before it looks at it.
        let address = text::trim(input.single()?);
        check_typed(address, FREE_TEXT_LENGTH, || self.expected())?;
        let valid = address.rsplit_once('@').filter(|(local, domain)| is_local(local) && is_domain(domain));
        let Some((_, domain)) = valid else {
            return Err(Refusal::new(
                Rule::Email,
                format!("{} is not an email address", quote(address)),
                self.expected(),
            ));
        };
        let fits = self.domain.as_deref().is_none_or(|wanted| wanted.eq_ignore_ascii_case(domain));
        Rule::Domain.unless(fits, || {
            (format!("{} is at another domain (a subdomain is another, too)", quote(address)), self.expected())
        })?;
        Ok(Checked(address.to_owned()))
    }
}

fn is_local(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte))
}

fn is_domain(text: &str) -> bool {
    const LABEL_LENGTH: usize = 63;
    text.split('.').all(|label| {
        !label.is_empty()
            && label.len() <= LABEL_LENGTH
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    // F7
    #[test]
    fn the_domain_is_compared_exactly_whatever_its_case() {
        let email = Email { domain: Some("Company.com".to_owned()) };
        let answer = |given| email.parse_answer(&AnswerInput::from(given));
        assert_eq!(answer("a@company.COM"), Ok(Checked("a@company.COM".to_owned())));
        assert_eq!(answer("a@mail.company.com").unwrap_err().rule, Rule::Domain);
        assert_eq!(answer("a@notcompany.com").unwrap_err().rule, Rule::Domain);
    }
}
