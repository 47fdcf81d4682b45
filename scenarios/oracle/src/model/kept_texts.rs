//! Texts as a journey keeps them (rule: journeys/typed-numbers).
//!
//! Invariant: a text is kept in one form: numbers of people and companies without groups, flags as `yes` or `no`, what is given twice once. Absent on purpose:
//! which fields keep anything (`kept_answers`).

use super::field_texts::{flag_of, hundredths, without_groups};
use sim::ids::JourneyId;
use sim::query::FieldKind;
use sim::records::{Answers, JourneyStep};
use std::sync::Arc;

/// What a field of a step keeps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptAnswer {
    /// The field.
    pub name: Arc<str>,
    /// Its texts: empty where nothing is kept, `None` where it is not known.
    pub(super) texts: Option<Vec<String>>,
    /// Whether it is a number with decimals, whose zeros nothing is said about.
    pub(super) is_number: bool,
}

/// What a journey keeps of all its steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KeptSteps {
    /// Which journey.
    pub journey: JourneyId,
    /// The steps that are answered, each with its fields.
    pub steps: Vec<(JourneyStep, Vec<KeptAnswer>)>,
    /// Whether it is known if the agreement is asked for again.
    pub knows_agreement: bool,
}

impl KeptAnswer {
    /// The texts that are kept, as a reader sees them, where their form is known.
    #[must_use]
    pub fn shown(&self) -> Option<&[String]> {
        self.texts.as_deref().filter(|_| !self.is_number)
    }

    /// Whether nothing is kept.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.texts.as_ref().is_some_and(Vec::is_empty)
    }

    /// What a step keeps for this field, and what is expected, where those differ.
    #[must_use]
    pub fn difference(&self, kept: &Answers) -> Option<(String, String)> {
        let expected = self.texts.as_ref()?;
        let got = kept.many(&self.name);
        let is_same = match (got, expected.as_slice()) {
            ([got], [expected]) if self.is_number => is_plain(got) && hundredths(got) == hundredths(expected),
            _ => got.iter().map(|text| &**text).eq(expected.iter().map(String::as_str)),
        };
        let shown = |texts: String| if texts.is_empty() { "nothing".to_owned() } else { format!("`{texts}`") };
        (!is_same).then(|| (shown(got.join(", ")), shown(expected.join(", "))))
    }
}

/// Whether a number is written without blanks and with a point.
fn is_plain(number: &str) -> bool {
    !number.contains(|c: char| c.is_whitespace() || c == ',')
}

/// Texts of a field as they are kept; `None` where that is not known.
pub(super) fn in_kept_form(kind: FieldKind, texts: &[&str]) -> Option<Vec<String>> {
    let one = |form: fn(&str) -> Option<String>| match texts {
        [text] => Some(vec![form(text)?]),
        _ => None,
    };
    let each_once = |separators: &[char], form: fn(&str) -> String| {
        let mut all: Vec<String> = Vec::new();
        for part in texts.iter().flat_map(|text| text.split(separators)).filter(|part| !part.is_empty()).map(form) {
            if !all.contains(&part) {
                all.push(part);
            }
        }
        Some(all)
    };
    match kind {
        FieldKind::Text { .. }
        | FieldKind::Choice
        | FieldKind::Email
        | FieldKind::Date
        | FieldKind::Amount
        | FieldKind::Percent => one(|text| Some(text.to_owned())),
        FieldKind::Choices => each_once(&[], str::to_owned),
        FieldKind::Flag => Some(vec![if flag_of(texts)? { "yes" } else { "no" }.to_owned()]),
        FieldKind::PersonalNumber | FieldKind::OrganisationNumber => one(|text| Some(without_groups(text))),
        FieldKind::Iban => one(|text| Some(without_groups(text).to_ascii_uppercase())),
        FieldKind::Day => one(|text| text.parse::<u8>().ok().map(|day| day.to_string())),
        FieldKind::PersonalNumbers => each_once(SEPARATORS, without_groups),
        FieldKind::Countries => each_once(SEPARATORS, str::to_ascii_uppercase),
    }
}

/// What people write between several numbers or countries.
const SEPARATORS: &[char] = &[',', ';', ' ', '\n', '\r', '\t'];

#[cfg(test)]
mod tests {
    use super::*;

    fn answers(texts: &[(&str, &[&str])]) -> Answers {
        let mut answers = Answers::default();
        texts.iter().for_each(|(name, texts)| answers.set(*name, texts.iter().map(|text| Arc::from(*text)).collect()));
        answers
    }

    #[test]
    fn a_text_is_kept_in_its_one_form_and_another_is_found() {
        for (kind, given, kept, others) in [
            (FieldKind::Text { max: 9 }, &["Anna"][..], &["Anna"][..], &[&["anna"][..], &[], &["Anna", "Anna"]][..]),
            (FieldKind::Flag, &["no", "on"], &["yes"], &[&["no"], &["on"], &["no", "yes"]]),
            (FieldKind::Choices, &["a", "b", "a"], &["a", "b"], &[&["a"], &["b", "a"], &["a", "b", "a"]]),
            (FieldKind::PersonalNumber, &["19900101-2385"], &["199001012385"], &[&["19900101-2385"], &[]]),
            (FieldKind::Countries, &["se, NO", "SE"], &["SE", "NO"], &[&["SE", "NO", "SE"], &["se", "NO"]]),
            (FieldKind::Iban, &["se81 5000-0000"], &["SE8150000000"], &[&["se8150000000"]]),
            (FieldKind::Day, &["07"], &["7"], &[&["07"], &["8"]]),
        ] {
            let expected = in_kept_form(kind, given).expect("a form");
            let field = KeptAnswer { name: Arc::from("x"), texts: Some(expected), is_number: false };
            assert_eq!(field.difference(&answers(&[("x", kept)])), None, "{given:?}");
            for other in others {
                assert!(field.difference(&answers(&[("x", other)])).is_some(), "{other:?} for {given:?}");
            }
        }
    }

    #[test]
    fn an_amount_is_kept_without_blanks_and_with_a_point() {
        let texts = in_kept_form(FieldKind::Amount, &["1 000,5"]);
        let field = KeptAnswer { name: Arc::from("x"), texts, is_number: true };
        for (kept, is_same) in
            [("1000.50", true), ("1000.5", true), ("1 000.50", false), ("1000,50", false), ("1000.51", false)]
        {
            assert_eq!(field.difference(&answers(&[("x", &[kept])])).is_none(), is_same, "{kept}");
        }
        let nothing = field.difference(&answers(&[]));
        assert_eq!(nothing, Some(("nothing".to_owned(), "`1 000,5`".to_owned())));
    }
}
