//! Single questions with typed answers, for programs that want one and no JSON.

use crate::error::TermError;
use crate::prompting::{Settings, ask};
use askback_core::kind::confirm::Confirmation;
use askback_core::{Answer, Json, Limits, Object, Problems, Request, Resolution};
use thiserror::Error;

/// Why there is no answer.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum NoAnswer {
    /// The question itself is wrong.
    #[error("this question can't be asked: {}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("; "))]
    Question(Problems),
    /// The person declines, perhaps with a question back.
    #[error("declined{}", .0.as_ref().map(|reason| format!(": {reason}")).unwrap_or_default())]
    Declined(Option<String>),
    /// The person took the question away.
    #[error("cancelled")]
    Cancelled,
    /// Nobody can be asked.
    #[error(transparent)]
    Terminal(#[from] TermError),
}

/// Yes or no: typed and confirmed, with nothing chosen at first.
pub async fn confirm(message: &str) -> Result<bool, NoAnswer> {
    let answer = single(Object::new().put("type", "confirm").put("message", message)).await?;
    let Answer::Confirm(answer) = answer else { return Err(NoAnswer::Cancelled) };
    Ok(answer == Confirmation::Yes)
}

/// Whether the person approves of exactly what the message says. A question back is neither: it is
/// [`NoAnswer::Declined`] with what the person wants to know.
pub async fn approve(message: &str) -> Result<bool, NoAnswer> {
    match single(Object::new().put("type", "approval").put("message", message)).await {
        Ok(_) => Ok(true),
        Err(NoAnswer::Declined(None)) => Ok(false),
        Err(error) => Err(error),
    }
}

/// One line of text, not blank.
pub async fn text(message: &str) -> Result<String, NoAnswer> {
    single(Object::new().put("type", "text").put("message", message)).await.map(|answer| answer.written())
}

/// A text of any number of lines, not blank.
pub async fn multiline(message: &str) -> Result<String, NoAnswer> {
    single(Object::new().put("type", "multiline").put("message", message)).await.map(|answer| answer.written())
}

/// A number. For bounds and steps, [`crate::ask`] a request that has them.
pub async fn number(message: &str) -> Result<f64, NoAnswer> {
    let answer = single(Object::new().put("type", "number").put("message", message)).await?;
    let Answer::Number(answer) = answer else { return Err(NoAnswer::Cancelled) };
    Ok(answer.get())
}

/// An email address.
pub async fn email(message: &str) -> Result<String, NoAnswer> {
    single(Object::new().put("type", "email").put("message", message)).await.map(|answer| answer.written())
}

/// A day.
pub async fn date(message: &str) -> Result<jiff::civil::Date, NoAnswer> {
    let answer = single(Object::new().put("type", "date").put("message", message)).await?;
    let Answer::Date(answer) = answer else { return Err(NoAnswer::Cancelled) };
    Ok(answer.get())
}

/// A place on a scale from 1 to 5.
pub async fn rating(message: &str) -> Result<i64, NoAnswer> {
    let answer = single(Object::new().put("type", "rating").put("message", message)).await?;
    let Answer::Rating(answer) = answer else { return Err(NoAnswer::Cancelled) };
    Ok(answer.get())
}

/// One of the options, of which there may be very many: it is found by searching.
pub async fn dropdown<S: AsRef<str>>(message: &str, options: impl IntoIterator<Item = S>) -> Result<String, NoAnswer> {
    single(offering("dropdown", message, options)).await.map(|answer| answer.written())
}

/// One of the options.
pub async fn choice<S: AsRef<str>>(message: &str, options: impl IntoIterator<Item = S>) -> Result<String, NoAnswer> {
    single(offering("choice", message, options)).await.map(|answer| answer.written())
}

/// One or more of the options, in the order they were chosen.
pub async fn choices<S: AsRef<str>>(
    message: &str,
    options: impl IntoIterator<Item = S>,
) -> Result<Vec<String>, NoAnswer> {
    let answer = single(offering("choice", message, options).put("multiSelect", true)).await?;
    Ok(answer.selections().into_iter().map(str::to_owned).collect())
}

fn offering<S: AsRef<str>>(kind: &str, message: &str, options: impl IntoIterator<Item = S>) -> Object {
    let options: Vec<Json> = options.into_iter().map(|option| option.as_ref().into()).collect();
    Object::new().put("type", kind).put("message", message).put("options", options)
}

async fn single(question: Object) -> Result<Answer, NoAnswer> {
    let request = Request::from_json(&question.into(), &Limits::DEFAULT).map_err(NoAnswer::Question)?;
    match ask(&request, Settings::default()).await? {
        Resolution::Answered { answers, .. } => answers.iter().next().cloned().ok_or(NoAnswer::Cancelled),
        Resolution::Rejected { .. } => Err(NoAnswer::Declined(None)),
        Resolution::Declined { reason, .. } => Err(NoAnswer::Declined(reason.map(|reason| reason.as_str().to_owned()))),
        // These questions have no time that could run out.
        Resolution::Cancelled { .. } | Resolution::Expired { .. } => Err(NoAnswer::Cancelled),
    }
}

/// The same for programs that are not asynchronous.
///
/// # Panics
///
/// All of these panic inside an asynchronous program, which should use the others.
pub mod blocking {
    use super::NoAnswer;
    use crate::error::TermError;
    use crate::prompting::Settings;
    use askback_core::{Request, Resolution};
    use std::future::Future;

    /// See [`crate::ask`].
    pub fn ask(request: &Request, settings: Settings) -> Result<Resolution, TermError> {
        block_on(crate::ask(request, settings))?
    }

    /// See [`crate::confirm`].
    ///
    /// ```no_run
    /// if askback_term::blocking::confirm("Deploy?")? {
    ///     println!("deploying");
    /// }
    /// # Ok::<(), askback_term::NoAnswer>(())
    /// ```
    pub fn confirm(message: &str) -> Result<bool, NoAnswer> {
        block_on(super::confirm(message))?
    }

    /// See [`crate::approve`].
    pub fn approve(message: &str) -> Result<bool, NoAnswer> {
        block_on(super::approve(message))?
    }

    /// See [`crate::text`].
    pub fn text(message: &str) -> Result<String, NoAnswer> {
        block_on(super::text(message))?
    }

    /// See [`crate::multiline`].
    pub fn multiline(message: &str) -> Result<String, NoAnswer> {
        block_on(super::multiline(message))?
    }

    /// See [`crate::number`].
    pub fn number(message: &str) -> Result<f64, NoAnswer> {
        block_on(super::number(message))?
    }

    /// See [`crate::email`].
    pub fn email(message: &str) -> Result<String, NoAnswer> {
        block_on(super::email(message))?
    }

    /// See [`crate::date`].
    pub fn date(message: &str) -> Result<jiff::civil::Date, NoAnswer> {
        block_on(super::date(message))?
    }

    /// See [`crate::rating`].
    pub fn rating(message: &str) -> Result<i64, NoAnswer> {
        block_on(super::rating(message))?
    }

    /// See [`crate::dropdown`].
    pub fn dropdown<S: AsRef<str>>(message: &str, options: impl IntoIterator<Item = S>) -> Result<String, NoAnswer> {
        block_on(super::dropdown(message, options))?
    }

    /// See [`crate::choice`].
    ///
    /// ```no_run
    /// let database = askback_term::blocking::choice("Which database?", ["PostgreSQL", "SQLite"])?;
    /// # Ok::<(), askback_term::NoAnswer>(())
    /// ```
    pub fn choice<S: AsRef<str>>(message: &str, options: impl IntoIterator<Item = S>) -> Result<String, NoAnswer> {
        block_on(super::choice(message, options))?
    }

    /// See [`crate::choices`].
    pub fn choices<S: AsRef<str>>(
        message: &str,
        options: impl IntoIterator<Item = S>,
    ) -> Result<Vec<String>, NoAnswer> {
        block_on(super::choices(message, options))?
    }

    fn block_on<T>(asking: impl Future<Output = T>) -> Result<T, TermError> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        Ok(runtime.block_on(asking))
    }
}
