//! Reading what a form sends.
//!
//! Owns: the bounds of a form, and the tolerance towards people who type (spaces and hyphens in numbers; amounts by
//! `amount`). Invariant: only fields that a step asks for get through, and nothing that was typed is lost on the way back.
//! Absent on purpose: whether an answer is right.

use std::sync::Arc;

use super::amount::{self, Typed};
use super::lang::Lang;
use super::words::countries::meant;
use sim::query::{FieldKind, FieldView, StepView};
use sim::records::Answers;

/// Largest form, in bytes.
pub const LARGEST: usize = 64 * 1024;
/// Most pairs in a form.
const MOST: usize = 2_000;

/// What the world gets for a number that cannot be read: no number, so that it reports a problem.
const UNREADABLE: &str = "?";

/// A form as it came: names and texts in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sent(Vec<(String, String)>);

impl Sent {
    /// Reads `application/x-www-form-urlencoded`; `None` when it holds too much.
    #[must_use]
    pub fn read(body: &[u8]) -> Option<Self> {
        let pairs: Vec<_> = form_urlencoded::parse(body).into_owned().take(MOST + 1).collect();
        (pairs.len() <= MOST).then_some(Self(pairs))
    }

    /// The first text of a name; empty when there is none.
    #[must_use]
    pub fn one(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| known == name).map_or("", |(_, text)| text)
    }

    /// Every text of a name.
    pub fn many<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> + use<'a> {
        self.0.iter().filter(move |(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    /// What was typed into a field, as it was typed; empty for one that is not typed.
    #[must_use]
    pub fn as_typed(&self, field: &FieldView) -> Vec<String> {
        match field.kind {
            FieldKind::Choice | FieldKind::Choices | FieldKind::Flag | FieldKind::Day => Vec::new(),
            _ => self.many(&field.name).map(str::to_owned).collect(),
        }
    }

    /// The answers to what a step asks, on a page in `lang`. Fields left blank are left out.
    #[must_use]
    pub fn answers(&self, lang: Lang, view: &StepView) -> Answers {
        let mut answers = Answers::default();
        for field in view.fields.iter().filter(|field| !field.read_only) {
            let values: Vec<Arc<str>> = self.many(&field.name).flat_map(|text| typed(lang, field, text)).collect();
            if !values.is_empty() {
                answers.set(Arc::clone(&field.name), values);
            }
        }
        answers
    }
}

/// Units that may follow a number.
fn units(kind: FieldKind) -> &'static [&'static str] {
    if kind == FieldKind::Percent { amount::SHARE } else { amount::MONEY }
}

/// What a text means for a field.
fn typed(lang: Lang, field: &FieldView, text: &str) -> Vec<Arc<str>> {
    let listed = || text.split([',', ';', ' ', '\u{a0}']).map(str::trim).filter(|part| !part.is_empty());
    match field.kind {
        FieldKind::Countries => countries(text),
        FieldKind::PersonalNumbers => listed().map(|part| Arc::from(digits(part))).collect(),
        FieldKind::PersonalNumber | FieldKind::OrganisationNumber => some(digits(text)),
        FieldKind::Iban => some(text.split_whitespace().collect::<String>().to_uppercase()),
        FieldKind::Amount | FieldKind::Percent => match amount::read(lang, text, units(field.kind)) {
            Typed::Blank => Vec::new(),
            Typed::Number(number) => vec![number.into()],
            Typed::Unreadable => vec![UNREADABLE.into()],
        },
        FieldKind::Text { .. }
        | FieldKind::Choice
        | FieldKind::Choices
        | FieldKind::Flag
        | FieldKind::Email
        | FieldKind::Day
        | FieldKind::Date => some(text.trim().to_owned()),
    }
}

/// Countries by name or code, with commas between; codes with blanks between, too (rule: wire/countries). A country whose
/// name has a comma is found where it is alone.
fn countries(text: &str) -> Vec<Arc<str>> {
    let one = |part: &str| meant(part).map(|code| vec![Arc::from(code)]);
    let parts = || text.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
    let words = |part: &str| part.split_whitespace().map(|word| Arc::from(word.to_uppercase())).collect();
    one(text).unwrap_or_else(|| parts().flat_map(|part| one(part).unwrap_or_else(|| words(part))).collect())
}

fn some(text: String) -> Vec<Arc<str>> {
    if text.is_empty() { Vec::new() } else { vec![Arc::from(text)] }
}

/// A number of a person or company without the signs people put between.
#[must_use]
pub fn digits(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '\u{2013}' | '+')).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::query::StepState;
    use sim::records::JourneyStep;

    fn view(name: &str, kind: FieldKind, read_only: bool) -> FieldView {
        FieldView {
            name: name.into(),
            key: "key",
            subject: None,
            kind,
            choices: Vec::new(),
            values: Vec::new(),
            read_only,
            required: false,
            suggestion: Vec::new(),
            error: None,
        }
    }

    #[test]
    fn people_may_type_numbers_as_they_write_them() {
        let rows = [
            (FieldKind::Amount, "1 500,50 kr", vec!["1500.50"]),
            (FieldKind::Amount, "1.500", vec!["?"]),
            (FieldKind::Percent, "33,33", vec!["33.33"]),
            (FieldKind::Percent, " ", vec![]),
            (FieldKind::PersonalNumber, "19121212-1212", vec!["191212121212"]),
            (FieldKind::OrganisationNumber, "559990 0007", vec!["5599900007"]),
            (FieldKind::PersonalNumbers, "19121212-1212, 197001012389", vec!["191212121212", "197001012389"]),
            (FieldKind::Countries, "se, no", vec!["SE", "NO"]),
            (FieldKind::Countries, "se no\u{a0}fi", vec!["SE", "NO", "FI"]),
            (FieldKind::Countries, "sverige; Storbritannien, Costa Rica", vec!["SE", "GB", "CR"]),
            (FieldKind::Countries, "Sankta Helena, Ascension och Tristan da Cunha", vec!["SH"]),
            (FieldKind::Countries, "Ruritanien", vec!["RURITANIEN"]),
            (FieldKind::Iban, "se81 5000 0000 0500 0000 0019", vec!["SE8150000000050000000019"]),
            (FieldKind::Text { max: 9 }, " <b> ", vec!["<b>"]),
        ];
        for (kind, text, expected) in rows {
            let typed: Vec<_> =
                typed(Lang::Sv, &view("x", kind, false), text).iter().map(ToString::to_string).collect();
            assert_eq!(typed, expected, "{kind:?} {text:?}");
        }
    }

    #[test]
    fn only_what_a_step_asks_gets_through() {
        let fields = vec![view("a", FieldKind::Choices, false), view("b", FieldKind::Flag, true)];
        let view = StepView { step: JourneyStep::Kyc, state: StepState::Current, fields };
        let sent = Sent::read(b"a=1&b=no&c=2&a=%3Cx%3E&a=").expect("a form");
        assert_eq!(sent.answers(Lang::En, &view).0, vec![("a".into(), vec!["1".into(), "<x>".into()])]);
    }

    #[test]
    fn forms_with_too_many_pairs_are_not_read() {
        assert!(Sent::read("a=1&".repeat(MOST).as_bytes()).is_some());
        assert!(Sent::read("a=1&".repeat(MOST + 1).as_bytes()).is_none());
    }
}
