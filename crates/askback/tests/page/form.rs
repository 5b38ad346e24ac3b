//! A page as a browser takes it apart: its tags, its forms, what they hold, and what is posted of them.

/// A part of a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Token {
    Open { tag: String, attributes: Vec<(String, String)> },
    Close(String),
    Text(String),
}

/// Takes a page apart, by the rules of HTML as far as its pages need them.
pub(crate) fn tokens(page: &str) -> Vec<Token> {
    let (mut tokens, mut rest) = (Vec::new(), page);
    while let Some(at) = rest.find('<') {
        if at > 0 {
            tokens.push(Token::Text(unescape(&rest[..at])));
        }
        rest = &rest[at + 1..];
        if let Some(close) = rest.strip_prefix('/') {
            let end = close.find('>').unwrap();
            tokens.push(Token::Close(close[..end].to_owned()));
            rest = &close[end + 1..];
        } else {
            let (token, after) = open(rest);
            tokens.push(token);
            rest = after;
        }
    }
    tokens
}

fn open(text: &str) -> (Token, &str) {
    let end = text.find([' ', '>']).unwrap();
    let (tag, mut rest) = (text[..end].to_owned(), &text[end..]);
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start();
        if let Some(after) = rest.strip_prefix('>') {
            return (Token::Open { tag, attributes }, after);
        }
        let end = rest.find(['=', ' ', '>']).unwrap();
        let name = rest[..end].to_owned();
        match rest[end..].strip_prefix("=\"") {
            Some(value) => {
                let (value, after) = value.split_once('"').unwrap();
                attributes.push((name, unescape(value)));
                rest = after;
            }
            None => {
                attributes.push((name, String::new()));
                rest = &rest[end..];
            }
        }
    }
}

fn unescape(text: &str) -> String {
    let references = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&#13;", "\r"), ("&amp;", "&")];
    references.iter().fold(text.to_owned(), |text, (reference, stands_for)| text.replace(reference, stands_for))
}

/// A form, with what stands in it.
#[derive(Debug, Clone, Default)]
pub(crate) struct Form {
    controls: Vec<Control>,
}

#[derive(Debug, Clone)]
struct Control {
    kind: String,
    name: String,
    value: String,
    is_on: bool,
    is_disabled: bool,
    label: String,
    /// Of a select: values and labels.
    options: Vec<(String, String)>,
}

/// The forms of a page, in order.
pub(crate) fn forms(page: &str) -> Vec<Form> {
    let mut forms: Vec<Form> = Vec::new();
    let mut is_in_label = false;
    for token in tokens(page) {
        let last = forms.last_mut();
        match (token, last) {
            (Token::Open { tag, .. }, _) if tag == "form" => forms.push(Form::default()),
            (Token::Open { tag, .. }, _) if tag == "label" => is_in_label = true,
            (Token::Close(tag), _) if tag == "label" => is_in_label = false,
            (Token::Open { tag, attributes }, Some(form)) => form.take(&tag, &attributes),
            (Token::Text(text), Some(form)) => form.take_text(&text, is_in_label),
            (Token::Close(tag), Some(form)) if tag == "textarea" || tag == "select" => form.close(&tag),
            _ => {}
        }
    }
    forms
}

impl Form {
    fn take(&mut self, tag: &str, attributes: &[(String, String)]) {
        let find = |name: &str| attributes.iter().find(|(other, _)| other == name).map(|(_, value)| value.clone());
        let has = |name: &str| find(name).is_some();
        match tag {
            "input" | "textarea" | "select" => self.controls.push(Control {
                kind: if tag == "input" { find("type").unwrap() } else { format!("open {tag}") },
                name: find("name").unwrap(),
                value: find("value").unwrap_or_default(),
                is_on: has("checked"),
                is_disabled: has("disabled"),
                label: String::new(),
                options: Vec::new(),
            }),
            "option" => {
                let control = self.controls.last_mut().unwrap();
                let value = find("value").unwrap();
                if has("selected") {
                    control.value.clone_from(&value);
                }
                control.options.push((value, String::new()));
            }
            _ => {}
        }
    }

    fn take_text(&mut self, text: &str, is_in_label: bool) {
        let Some(control) = self.controls.last_mut() else { return };
        match control.kind.as_str() {
            "open textarea" => control.value.push_str(text),
            "open select" => control.options.last_mut().unwrap().1.push_str(text),
            "radio" | "checkbox" if is_in_label => control.label.push_str(text),
            _ => {}
        }
    }

    fn close(&mut self, tag: &str) {
        let control = self.controls.last_mut().unwrap();
        if tag == "textarea" {
            // A line feed that comes first is not part of it.
            control.value = control.value.strip_prefix('\n').unwrap_or(&control.value).to_owned();
        }
        control.kind = tag.to_owned();
    }

    /// Types into the control with this name, instead of what is in it.
    pub(crate) fn type_in(&mut self, name: &str, text: &str) {
        let control = self.controls.iter_mut().find(|control| control.name == name);
        control.unwrap_or_else(|| panic!("there is no {name}")).value = text.to_owned();
    }

    /// Presses what has a label that begins so: a radio button, a box, or a line of a list.
    pub(crate) fn choose(&mut self, label: &str) {
        let pressed = self.controls.iter().position(|control| control.label.starts_with(label) && !label.is_empty());
        if let Some(pressed) = pressed {
            let (kind, name) = (self.controls[pressed].kind.clone(), self.controls[pressed].name.clone());
            assert!(!self.controls[pressed].is_disabled, "{label} can't be pressed");
            for control in self.controls.iter_mut().filter(|control| control.kind == "radio" && control.name == name) {
                control.is_on = false;
            }
            self.controls[pressed].is_on = kind == "radio" || !self.controls[pressed].is_on;
            return;
        }
        for control in &mut self.controls {
            if let Some((value, _)) = control.options.iter().find(|(_, shown)| shown.starts_with(label)) {
                control.value.clone_from(value);
                return;
            }
        }
        panic!("nothing is called {label}");
    }

    /// What a browser sends of it.
    pub(crate) fn posted(&self) -> String {
        let mut body = form_urlencoded::Serializer::new(String::new());
        for control in &self.controls {
            match control.kind.as_str() {
                "radio" | "checkbox" if !control.is_on || control.is_disabled => {}
                "textarea" => {
                    body.append_pair(&control.name, &control.value.replace("\r\n", "\n").replace('\n', "\r\n"));
                }
                _ => {
                    body.append_pair(&control.name, &control.value.replace(['\r', '\n'], ""));
                }
            }
        }
        body.finish()
    }
}
