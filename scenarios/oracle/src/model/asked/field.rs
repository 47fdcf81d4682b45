//! One field, as a step asks it (rule: journeys/journey-levers).
//!
//! Invariant: a choice among one thing is fixed to it. Absent on purpose: labels, which pages word.

use sim::query::{Choice, FieldKind, FieldView};
use std::ops::{Deref, DerefMut};
use std::sync::Arc;

/// A field under construction, which may be left out until it says otherwise.
#[derive(Clone, Debug)]
pub(super) struct Field(pub(super) FieldView);

impl Deref for Field {
    type Target = FieldView;

    fn deref(&self) -> &FieldView {
        &self.0
    }
}

impl DerefMut for Field {
    fn deref_mut(&mut self) -> &mut FieldView {
        &mut self.0
    }
}

/// A field that may be left out.
pub(super) fn ask(key: &'static str, kind: FieldKind) -> Field {
    named(key.to_owned(), key, kind)
}

/// A box that may be left empty.
pub(super) fn flag(key: &'static str) -> Field {
    ask(key, FieldKind::Flag)
}

/// One of several fields with the same question.
pub(super) fn named(name: String, key: &'static str, kind: FieldKind) -> Field {
    Field(FieldView {
        name: Arc::from(name),
        key,
        subject: None,
        kind,
        choices: Vec::new(),
        values: Vec::new(),
        read_only: false,
        required: false,
        suggestion: Vec::new(),
        error: None,
    })
}

impl Field {
    /// An answer is needed.
    pub(super) fn required(mut self) -> Self {
        self.required = true;
        self
    }

    /// What a lever answers where nothing is given.
    pub(super) fn suggest(mut self, text: &str) -> Self {
        self.suggestion = vec![Arc::from(text)];
        self
    }

    /// The same, of what was drawn.
    pub(super) fn suggest_all(mut self, texts: Vec<Arc<str>>) -> Self {
        self.suggestion = texts;
        self
    }

    /// It is filled in and cannot be changed.
    pub(super) fn fixed(mut self, texts: Vec<Arc<str>>) -> Self {
        self.read_only = true;
        self.filled(texts)
    }

    /// The same, where there is something to fix it to.
    pub(super) fn fixed_to(self, text: Option<&str>) -> Self {
        match text {
            Some(text) => self.fixed(vec![Arc::from(text)]),
            None => self,
        }
    }

    /// It is filled in and can be changed.
    pub(super) fn filled(mut self, texts: Vec<Arc<str>>) -> Self {
        self.suggestion.clone_from(&texts);
        self.values = texts;
        self
    }

    /// A choice among these. A lever takes what was suggested before if it is among them, and otherwise the first.
    pub(super) fn among<T: AsRef<str>>(mut self, texts: impl IntoIterator<Item = T>) -> Self {
        let texts: Vec<Arc<str>> = texts.into_iter().map(|text| Arc::from(text.as_ref())).collect();
        let is_offered = !self.suggestion.is_empty() && self.suggestion.iter().all(|text| texts.contains(text));
        if !is_offered {
            self.suggestion = texts.first().cloned().into_iter().collect();
        }
        self.choices = texts.iter().map(|text| Choice { value: Arc::clone(text), label: None }).collect();
        if texts.len() == 1 && self.kind == FieldKind::Choice { self.fixed(texts) } else { self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_choice_suggests_what_is_offered_and_one_among_one_is_fixed() {
        for (kind, suggested, offered, suggestion, is_fixed) in [
            (FieldKind::Choice, "b", &["a", "b"][..], &["b"][..], false),
            (FieldKind::Choice, "c", &["a", "b"], &["a"], false),
            (FieldKind::Choice, "c", &["a"], &["a"], true),
            (FieldKind::Choices, "c", &["a"], &["a"], false),
            (FieldKind::Choice, "c", &[], &[], false),
        ] {
            let field = ask("x", kind).suggest(suggested).among(offered);
            let suggestions: Vec<&str> = field.suggestion.iter().map(|text| &**text).collect();
            assert_eq!((suggestions.as_slice(), field.read_only), (suggestion, is_fixed), "{suggested} of {offered:?}");
        }
    }
}
