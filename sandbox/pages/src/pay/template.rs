//! The payment app as it looks: what is asked for, and how it may end.

use maud::{Markup, html};
use sim::records::MobilePaymentError;

use super::super::controls::{self, Choice, Control, Field};
use super::super::lang::Lang;
use super::super::templates::{FORM_TOKEN, OUTCOME};
use super::super::words::noun;
use super::super::{marks, words};
use wire::words::Word as _;

/// The button that pays.
pub const PAY: &str = "pay";
/// The button that declines.
pub const DECLINE: &str = "decline";
/// The button that lets it fail.
const FAIL: &str = "fail";
/// How it fails.
pub const FAILURE: &str = "_failure";

/// A payment to be decided.
pub struct PaymentPage<'a> {
    /// Heading.
    pub head: &'a str,
    /// What to do.
    pub lead: &'a str,
    /// Where the form is sent, relative.
    pub action: &'a str,
    /// Its own token.
    pub token: &'a str,
    /// Payee, amount, payment.
    pub facts: Vec<(String, String)>,
    /// Whether it was to fail and nothing was chosen.
    pub unnamed: bool,
}

/// The payment app.
#[must_use]
pub fn payment(lang: Lang, page: &PaymentPage<'_>) -> Markup {
    let failures = MobilePaymentError::FAILURES.map(|error| Choice {
        value: error.word().to_owned(),
        label: reason(lang, error),
        note: None,
    });
    let error = page.unnamed.then(|| words::MISSING_CHOICE.say(lang).to_owned());
    let field = Field {
        required: false,
        error,
        ..Field::asking(FAILURE, words::PAY_HOW.say(lang), Control::List(failures.to_vec()), "")
    };
    let problems: Vec<_> = field.problem().into_iter().collect();
    html! {
        div.card.eid {
            div.seal { (marks::brand()) span { (words::PAY_APP.say(lang)) small { (words::EID_NOTE.say(lang)) } } }
            h1 { (page.head) }
            p.lead { (page.lead) }
            (controls::problems(lang, &problems))
            form method="post" action=(page.action) novalidate autocomplete="off" {
                input type="hidden" name=(FORM_TOKEN) value=(page.token);
                (controls::plain_facts(&page.facts))
                div.acts {
                    button.main.go type="submit" name=(OUTCOME) value=(PAY) { (words::PAY.say(lang)) }
                    button.alt type="submit" name=(OUTCOME) value=(DECLINE) { (words::DECLINE.say(lang)) }
                }
                details.more open[page.unnamed] {
                    summary { (words::PAY_OTHERWISE.say(lang)) }
                    (controls::fields(lang, &[field]))
                    button.alt type="submit" name=(OUTCOME) value=(FAIL) { (words::FAIL.say(lang)) }
                }
            }
        }
    }
}

/// A code in words, with itself behind.
#[must_use]
pub fn reason(lang: Lang, error: MobilePaymentError) -> String {
    let code = error.word();
    noun(&format!("payment.{code}")).map_or_else(|| code.to_owned(), |phrase| format!("{} ({code})", phrase.say(lang)))
}
