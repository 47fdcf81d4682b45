//! The content of the frame: steps, the simulated identity, the question before leaving, endings.
//!
//! Invariant: everything that partners or customers wrote passes through `maud`'s escaping, and addresses from outside
//! come as `ExternalLink`. Absent on purpose: where the contents come from.

use maud::{Markup, html};

use super::controls::{self, Choice, Field};
use super::lang::Lang;
use super::links::ExternalLink;
use super::marks::{self, Sign};
use super::{frame, parts, words};

/// The name of the field that carries a form's own token.
pub const FORM_TOKEN: &str = "_form";
/// What names that which a form shows to be signed.
pub const SHOWN: &str = "_shown";
/// The name of the button that ends the use of an identity.
pub const OUTCOME: &str = "_outcome";
/// The person who identifies or signs.
pub const PERSON: &str = "_person";
/// The number of a person who is not listed.
pub const OTHER_PERSON: &str = "_number";
/// The value of `PERSON` that refers to `OTHER_PERSON`.
pub const ANOTHER: &str = "another";
/// Where the identity app is.
pub const DEVICE: &str = "_device";
/// The value of `DEVICE` that leads to the partner's return address.
pub const SAME_DEVICE: &str = "same";
/// What names an order of the identity on another device, in addresses and in the app's form.
pub const ORDER: &str = "order";
/// The step that the person leaves at.
pub const LEFT_AT: &str = "_step";

/// Fields that belong together.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Section {
    /// What they are about; none when they need no heading.
    pub legend: Option<String>,
    /// The fields.
    pub fields: Vec<Field>,
    /// Whether they are one question about several things, in short lines.
    pub rows: bool,
    /// Whether they are shown only on request.
    pub folded: bool,
}

/// A part of what is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReviewPart {
    /// What it is about.
    pub heading: String,
    /// Names and what they are.
    pub facts: Vec<(String, String)>,
    /// Where it can be changed.
    pub change: Option<String>,
}

/// A document to read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Paper {
    /// Its name.
    pub name: String,
    /// Where it is.
    pub link: String,
}

/// A person who signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signer {
    /// Full name.
    pub name: String,
    /// Personal number.
    pub number: String,
    /// Whether the signature is there.
    pub signed: bool,
}

/// What every form of a journey has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Form {
    /// Where it is sent, relative.
    pub action: String,
    /// Its own token.
    pub token: String,
    /// What names that which is signed with it.
    pub shown: Option<String>,
    /// Where the back link leads.
    pub back: Option<String>,
    /// Where the way out leads.
    pub leave: String,
    /// What is wrong, with the id of the control where there is one.
    pub problems: Vec<(Option<String>, String)>,
}

/// A step that is filled in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepPage {
    /// Heading.
    pub head: String,
    /// What to do.
    pub lead: String,
    /// The form.
    pub form: Form,
    /// What was filled in before, to be read again.
    pub review: Vec<ReviewPart>,
    /// The question.
    pub sections: Vec<Section>,
    /// Documents.
    pub papers: Vec<Paper>,
    /// Answers of other pages of the step, which go along.
    pub carried: Vec<(String, String)>,
    /// Which page of the step it is, and of how many.
    pub part: (usize, usize),
    /// Where funds are looked for, where there are many.
    pub search: Option<SearchBox>,
}

/// A search among funds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SearchBox {
    /// What was looked for.
    pub words: String,
    /// What was found.
    pub summary: String,
}

/// The simulated identity, which identifies or signs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct IdentityPage {
    /// Heading.
    pub head: String,
    /// What to do.
    pub lead: String,
    /// The form.
    pub form: Form,
    /// What is signed.
    pub review: Vec<ReviewPart>,
    /// Documents that are signed.
    pub papers: Vec<Paper>,
    /// Whether it is a signature.
    pub signs: bool,
    /// Whether what is signed was read and agreed to on the page before: it is folded then.
    pub was_read: bool,
    /// Whether others wait for it, so that refusing is more than leaving.
    pub refuses: bool,
    /// Why nothing can be signed now.
    pub bars: Option<String>,
    /// Who has to sign, where several do.
    pub signers: Vec<Signer>,
    /// Who can be chosen.
    pub persons: Vec<Choice>,
    /// Whether a person that is not listed may be named.
    pub open: bool,
    /// The person chosen.
    pub person: String,
    /// The number written.
    pub number: String,
    /// What is wrong with the person or the number.
    pub error: Option<String>,
    /// What a person who is not known may be called.
    pub names: Vec<Field>,
    /// Where the app is, where there is an address to return to.
    pub device: Option<String>,
    /// The page that waits for an app on another device.
    pub elsewhere: Option<String>,
    /// The order of another device that this is the app for.
    pub order: Option<String>,
}

/// The page that waits for the identity on another device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WaitingPage {
    /// Heading.
    pub head: String,
    /// What to do.
    pub lead: String,
    /// The form that cancels.
    pub form: Form,
    /// The code as a data address.
    pub code: Option<String>,
    /// How long it can be used.
    pub until: String,
    /// The page itself.
    pub again: String,
    /// The identity on this device.
    pub here: String,
    /// The app that the code opens.
    pub app: String,
}

fn hidden(form: &Form) -> Markup {
    html! {
        input type="hidden" name=(FORM_TOKEN) value=(form.token);
        @if let Some(shown) = &form.shown { input type="hidden" name=(SHOWN) value=(shown); }
    }
}

fn top(lang: Lang, form: &Form, head: &str, lead: &str) -> Markup {
    html! {
        @if let Some(back) = &form.back { a.back href=(back) { "\u{2190}\u{a0}" (words::BACK.say(lang)) } }
        h1 { (head) }
        p.lead { (lead) }
        (controls::problems(lang, &form.problems))
    }
}

fn way_out(lang: Lang, form: &Form) -> Markup {
    html! { p.leave { a href=(form.leave) { (words::LEAVE.say(lang)) } } }
}

/// A step.
#[must_use]
pub fn step(lang: Lang, page: &StepPage) -> Markup {
    let of_funds = |section: &Section| section.fields.iter().any(|field| field.fund.is_some());
    // The search is beside what it finds.
    let first = page.sections.iter().position(of_funds).unwrap_or(page.sections.len());
    let (before, funds) = page.sections.split_at(first);
    html! {
        div.card {
            @if page.part.0 > 1 || page.search.is_some() {
                // The return key presses a form's first button: it submits, also where another button is above it.
                button type="submit" form="step" hidden {}
            }
            @if page.part.0 > 1 {
                button.back type="submit" form="step" name=(parts::ACT) value=(parts::ACT_BACK) { "\u{2190}\u{a0}" (words::BACK.say(lang)) }
            }
            (top(lang, &page.form, &page.head, &page.lead))
            @if page.part.1 > 1 {
                p.part-of { (words::PART_OF.fill(lang, &[("n", &page.part.0.to_string()), ("total", &page.part.1.to_string())])) }
            }
            form #step method="post" action=(page.form.action) novalidate autocomplete="on" {
                (hidden(&page.form))
                @for (name, value) in &page.carried { input type="hidden" name=(name) value=(value); }
                (review(lang, &page.review))
                @if !page.papers.is_empty() { (papers(lang, &page.papers)) }
                @for part in before { (section(lang, part)) }
                @if let Some(search) = &page.search { (search_box(lang, search)) }
                @for part in funds { (section(lang, part)) }
                div.acts { button.main.go type="submit" { (words::NEXT.say(lang)) } }
            }
            (way_out(lang, &page.form))
        }
    }
}

/// Funds by words of theirs. Pressing the return key in it looks for them, too: its words are then others than before.
fn search_box(lang: Lang, search: &SearchBox) -> Markup {
    html! {
        div.field role="search" {
            label for="find" { (words::FIND_FUND.say(lang)) }
            p.hint id="find-h" { (search.summary) }
            div.find {
                input type="search" id="find" name=(parts::FIND) value=(search.words) maxlength="80" autocomplete="off" aria-describedby="find-h";
                button.alt type="submit" name=(parts::ACT) value=(parts::ACT_FIND) { (words::FIND.say(lang)) }
            }
        }
    }
}

fn review(lang: Lang, parts: &[ReviewPart]) -> Markup {
    html! {
        @for ReviewPart { heading, facts, change } in parts {
            div.part {
                h2 { (heading) }
                @if let Some(link) = change { a href=(link) { (words::CHANGE.say(lang)) span.quiet { " " (heading) } } }
            }
            (controls::plain_facts(facts))
        }
    }
}

fn section(lang: Lang, section: &Section) -> Markup {
    html! {
        @match &section.legend {
            Some(legend) if section.rows => (controls::rows(lang, legend, &section.fields)),
            Some(legend) if section.folded => details.more {
                summary { (legend) }
                (controls::fields(lang, &section.fields))
            },
            Some(legend) => fieldset.group { legend { (legend) } (controls::fields(lang, &section.fields)) },
            None => (controls::fields(lang, &section.fields)),
        }
    }
}

fn papers(lang: Lang, papers: &[Paper]) -> Markup {
    html! {
        h2 { (words::PAPERS.say(lang)) }
        ul.papers {
            @for paper in papers {
                li {
                    a href=(paper.link) target="_blank" rel="noopener" {
                        (marks::paper()) span { (paper.name) span.quiet { " (" (words::OPENS_PDF.say(lang)) ")" } }
                    }
                }
            }
        }
    }
}

/// The simulated identity.
#[must_use]
pub fn identity(lang: Lang, page: &IdentityPage) -> Markup {
    html! {
        div.card.eid {
            @if let Some(back) = &page.form.back { a.back href=(back) { "\u{2190}\u{a0}" (words::BACK.say(lang)) } }
            (seal(lang))
            (top(lang, &Form { back: None, ..page.form.clone() }, &page.head, &page.lead))
            (what_is_signed(lang, page))
            @if !page.signers.is_empty() { (signers(lang, &page.signers)) }
            @if let Some(bars) = &page.bars { p.notice.bad role="status" { (bars) } }
            form method="post" action=(page.form.action) novalidate autocomplete="off" {
                (hidden(&page.form))
                @if let Some(order) = &page.order { input type="hidden" name=(ORDER) value=(order); }
                (persons(lang, page))
                @if let Some(device) = &page.device { (devices(lang, device)) }
                div.three {
                    @if page.bars.is_none() {
                        button.main.go type="submit" name=(OUTCOME) value="sign" { (if page.signs { &words::SIGN } else { &words::IDENTIFY }.say(lang)) }
                    }
                    button.alt type="submit" name=(OUTCOME) value="abort" { (words::ABORT.say(lang)) }
                    button.alt type="submit" name=(OUTCOME) value="fail" { (words::FAIL.say(lang)) }
                    @if page.refuses {
                        button.alt.whole type="submit" name=(OUTCOME) value="refuse" { (words::REFUSE.say(lang)) }
                    }
                }
            }
            @if let Some(link) = page.elsewhere.as_ref().filter(|_| page.bars.is_none()) {
                p.elsewhere { a href=(link) { (words::USE_ANOTHER_DEVICE.say(lang)) } }
            }
        }
    }
}

fn seal(lang: Lang) -> Markup {
    html! { div.seal { (marks::identity()) span { (words::EID.say(lang)) small { (words::EID_NOTE.say(lang)) } } } }
}

/// Everything that is signed: in full where it was not read before, folded where it was.
fn what_is_signed(lang: Lang, page: &IdentityPage) -> Markup {
    let all = html! {
        (review(lang, &page.review))
        @if !page.papers.is_empty() { (papers(lang, &page.papers)) }
    };
    if !page.was_read || !page.signs {
        return all;
    }
    html! { details.more { summary { (words::WHAT_YOU_AGREED_TO.say(lang)) } (all) } }
}

/// The page that waits for the other device.
#[must_use]
pub fn waiting(lang: Lang, page: &WaitingPage) -> Markup {
    html! {
        div.card.eid {
            (seal(lang))
            (top(lang, &Form { back: None, ..page.form.clone() }, &page.head, &page.lead))
            @if let Some(code) = &page.code { p.code { img src=(code) alt=(words::SCAN_CODE.say(lang)) width="264" height="264"; } }
            p.lead role="status" { (words::SCAN_WAITS.say(lang)) " " (page.until) }
            p { a href=(page.app) target="_blank" rel="noopener" { (words::SCAN_OPEN.say(lang)) } }
            form method="post" action=(page.form.action) {
                (hidden(&page.form))
                div.three {
                    a.button.main.go href=(page.again) { (words::SCAN_LOOK.say(lang)) }
                    a.button.alt href=(page.here) { (words::SCAN_HERE.say(lang)) }
                    button.alt type="submit" name=(OUTCOME) value="abort" { (words::ABORT.say(lang)) }
                }
            }
        }
        (frame::WAITS.element())
    }
}

fn signers(lang: Lang, signers: &[Signer]) -> Markup {
    html! {
        h2 { (words::SIGNATORIES.say(lang)) }
        p.hint { (words::SIGNATORIES_NOTE.say(lang)) }
        ul.people {
            @for signer in signers {
                li {
                    span.face aria-hidden="true" { (initials(&signer.name)) }
                    span { b { (signer.name) } (signer.number) }
                    @if signer.signed { span.status.good { (words::SIGNED.say(lang)) } } @else { span.status { (words::WAITING.say(lang)) } }
                }
            }
        }
    }
}

/// First letters of first and last name.
fn initials(name: &str) -> String {
    let mut words = name.split_whitespace().filter_map(|word| word.chars().next());
    let first = words.next();
    first.into_iter().chain(words.next_back()).flat_map(char::to_uppercase).collect()
}

fn persons(lang: Lang, page: &IdentityPage) -> Markup {
    let question = if page.signs { &words::WHO_SIGNS } else { &words::WHO };
    let (likely, others) =
        if page.open { page.persons.split_at(page.persons.len().min(1)) } else { (&page.persons[..], &[][..]) };
    let mut others = others.to_vec();
    if page.open {
        others.push(Choice {
            value: ANOTHER.to_owned(),
            label: words::ANOTHER_PERSON.say(lang).to_owned(),
            note: None,
        });
    }
    let number_is_wrong = page.person == ANOTHER;
    let field = |question: &words::Phrase, choices: &[Choice]| {
        Field::asking(PERSON, question.say(lang), controls::Control::One(choices.to_vec()), &page.person)
    };
    let who = Field { error: page.error.clone().filter(|_| !number_is_wrong), ..field(question, likely) };
    let number = Field {
        hint: Some(words::ANOTHER_HINT.say(lang).to_owned()),
        required: false,
        error: page.error.clone().filter(|_| number_is_wrong),
        ..Field::asking(
            OTHER_PERSON,
            words::ANOTHER_NUMBER.say(lang),
            controls::Control::Text { keys: "numeric", purpose: "off" },
            &page.number,
        )
    };
    let elsewhere = others.iter().any(|other| other.value == page.person);
    html! {
        @if !likely.is_empty() { (controls::fields(lang, &[who])) }
        @if page.open || !page.names.is_empty() {
            // What was typed there, or is wrong there, is not hidden.
            details.more open[elsewhere || likely.is_empty() || page.names.iter().any(controls::Field::is_filled)] {
                summary { (words::MORE_IDENTITY.say(lang)) }
                @if page.open {
                    (controls::fields(lang, &[Field { error: None, ..field(&words::OTHERS, &others) }, number]))
                }
                (controls::fields(lang, &page.names))
            }
        }
    }
}

fn devices(lang: Lang, chosen: &str) -> Markup {
    let choice = |value: &str, label: &words::Phrase, note: &words::Phrase| Choice {
        value: value.to_owned(),
        label: label.say(lang).to_owned(),
        note: Some(note.say(lang).to_owned()),
    };
    let choices = vec![
        choice(SAME_DEVICE, &words::SAME_DEVICE, &words::SAME_DEVICE_NOTE),
        choice("other", &words::OTHER_DEVICE, &words::OTHER_DEVICE_NOTE),
    ];
    let field = Field::asking(DEVICE, words::WHERE_APP.say(lang), controls::Control::One(choices), chosen);
    controls::fields(lang, &[field])
}

/// The facts of a fund, which open beside the form.
#[must_use]
pub fn fund(lang: Lang, name: &str, facts: &[(String, String)]) -> Markup {
    html! {
        div.card {
            h1 { (name) }
            p.lead { (words::FUND_LEAD.say(lang)) }
            (controls::plain_facts(facts))
            p.hint { (words::FUND_CLOSE.say(lang)) }
        }
    }
}

/// The question before leaving for good.
#[must_use]
pub fn leave(lang: Lang, form: &Form, step: &str, client: &str) -> Markup {
    html! {
        div.card {
            h1 { (words::LEAVE_TITLE.say(lang)) }
            p.lead { (words::LEAVE_LEAD.fill(lang, &[("client", client)])) }
            form method="post" action=(form.action) {
                (hidden(form))
                input type="hidden" name=(LEFT_AT) value=(step);
                div.acts {
                    @if let Some(back) = &form.back { a.button.main.go href=(back) { (words::LEAVE_NO.say(lang)) } }
                    button.alt.danger type="submit" { (words::LEAVE_YES.say(lang)) }
                }
            }
        }
    }
}

/// The end of the way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EndPage {
    /// Drawing.
    pub sign: Sign,
    /// Heading.
    pub head: String,
    /// What it means.
    pub lead: String,
    /// Plain facts.
    pub facts: Vec<(String, String)>,
    /// Where to go from here, first the likely one.
    pub ways: Vec<(Destination, String)>,
}

/// Where a button of an ending leads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Destination {
    /// One of our own pages.
    Own(String),
    /// An address of the partner.
    Partner(ExternalLink),
}

/// An ending.
#[must_use]
pub fn end(page: &EndPage) -> Markup {
    html! {
        div.card.end {
            (marks::sign(page.sign))
            h1 { (page.head) }
            p.lead { (page.lead) }
            @if !page.facts.is_empty() { (controls::plain_facts(&page.facts)) }
            @if !page.ways.is_empty() {
                div.acts {
                    @for (at, (destination, label)) in page.ways.iter().enumerate() {
                        @let class = if at == 0 { "button main go" } else { "button alt" };
                        @match destination {
                            Destination::Own(link) => a class=(class) href=(link) { (label) },
                            Destination::Partner(link) => a class=(class) href=(link.as_str()) rel="noopener noreferrer" { (label) },
                        }
                    }
                }
            }
        }
    }
}
