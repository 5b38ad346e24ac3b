//! Where in a request something stands: `questions[1].options[0].label`.

use crate::limits::NAME_LENGTH;
use crate::show::show_json;

/// A field's place in the JSON text. The whole text is `$`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Path {
    steps: Vec<Step>,
}

/// A place on the way down, for as long as it is read: a [`Path`] is made of it only when there is something to report.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'a> {
    Root,
    Field(&'a Place<'a>, &'a str),
    Index(&'a Place<'a>, usize),
}

impl Place<'_> {
    pub(crate) fn field<'b>(&'b self, name: &'b str) -> Place<'b> {
        Place::Field(self, name)
    }

    pub(crate) fn index(&self, index: usize) -> Place<'_> {
        Place::Index(self, index)
    }

    pub(crate) fn path(&self) -> Path {
        match self {
            Self::Root => Path::root(),
            Self::Field(parent, name) => parent.path().field(name),
            Self::Index(parent, index) => parent.path().index(*index),
        }
    }
}

/// One step down.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Step {
    /// Into an object, by name.
    Field(String),
    /// Into a list, by position from 0.
    Index(usize),
}

impl Path {
    /// The whole text.
    pub fn root() -> Self {
        Self::default()
    }

    /// The field `name` of what stands here. A name that is longer than any of ours is cut: it is the agent's text, and a
    /// hundred problems below it would repeat it a hundred times.
    pub fn field(&self, name: &str) -> Self {
        let end = name.char_indices().nth(NAME_LENGTH).map(|(end, _)| end);
        self.then(Step::Field(end.map_or_else(|| name.to_owned(), |end| format!("{}…", &name[..end]))))
    }

    /// The item at `index` of what stands here.
    pub fn index(&self, index: usize) -> Self {
        self.then(Step::Index(index))
    }

    /// The place that is `below` when seen from here.
    pub(crate) fn join(&self, below: &Self) -> Self {
        Self { steps: self.steps.iter().chain(&below.steps).cloned().collect() }
    }

    /// The steps from the whole text down to the place.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    fn then(&self, step: Step) -> Self {
        Self { steps: self.steps.iter().cloned().chain([step]).collect() }
    }
}

/// As in code: `questions[1].step`. A field's name is the agent's text too, so anything but a plain word is written as
/// a JSON text in which nothing hides.
impl std::fmt::Display for Path {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.steps.is_empty() {
            return f.write_str("$");
        }
        for (depth, step) in self.steps.iter().enumerate() {
            match step {
                Step::Index(index) => write!(f, "[{index}]")?,
                Step::Field(name) if !is_plain(name) => {
                    let text = serde_json::to_string(name).map_err(|_| std::fmt::Error)?;
                    write!(f, "[{}]", show_json(&text))?;
                }
                Step::Field(name) if depth == 0 => f.write_str(name)?,
                Step::Field(name) => write!(f, ".{name}")?,
            }
        }
        Ok(())
    }
}

fn is_plain(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

#[cfg(test)]
mod tests {
    use super::Path;

    // F15
    #[test]
    fn paths_read_like_code() {
        assert_eq!(Path::root().to_string(), "$");
        let question = Path::root().field("questions").index(1);
        assert_eq!(question.field("step").to_string(), "questions[1].step");
        assert_eq!(question.field("a \"b\u{202e}").to_string(), r#"questions[1]["a \"b\u202e"]"#);
    }
}
