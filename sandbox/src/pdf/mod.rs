//! Agreements as PDF documents (rule: accounts/agreements).
//!
//! Owns: what an agreement shows and where on the page. Invariant: the same facts make the same bytes; account reference,
//! owner and signing time stand on the page as text that can be selected. Absent on purpose: clocks (every date is the
//! world's), embedded fonts and pictures.

mod page;
mod text;
mod wording;

use pdf_writer::Date;
use sim::query;
pub use sim::records::AgreementType as Kind;
use sim::records::{AccountType, Owner, Signature};
use sim::time::Instant;

use self::page::{ACCENT, About, Foot, GREY, INK, LEFT, Look, Paper, RIGHT, TINT, WHITE};
use self::text::Font;
use self::wording::Words;

/// Who an agreement is with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Party {
    /// Full or registered name.
    pub name: String,
    /// Personal or organisation number, digits only.
    pub number: String,
    /// Whether the number is an organisation's.
    pub is_organisation: bool,
}

/// What an agreement shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AgreementFacts {
    /// Which agreement.
    pub kind: Kind,
    /// The account's `ref`.
    pub account_ref: String,
    /// The account's name.
    pub account_name: String,
    /// The account's type, as people call it.
    pub account_type: String,
    /// Name of the client that manages the account.
    pub client: String,
    /// Who owns the account.
    pub owner: Party,
    /// The bank accounts of an autogiro mandate.
    pub bank_accounts: Vec<String>,
    /// Who has signed, oldest first; nobody yet on a draft.
    pub signatures: Vec<Signature>,
}

impl AgreementFacts {
    /// What the agreement of an account shows.
    #[must_use]
    pub fn of(facts: &query::AgreementFacts) -> Self {
        let query::AgreementFacts { kind, account, client, signatures, bank_accounts } = facts;
        Self {
            kind: *kind,
            account_ref: account.reference.to_string(),
            account_name: account.name.to_string(),
            account_type: account_type(account.account_type).to_owned(),
            client: client.to_string(),
            owner: Party::of(&account.owner),
            bank_accounts: bank_accounts.iter().map(ToString::to_string).collect(),
            signatures: signatures.clone(),
        }
    }
}

impl Party {
    fn of(owner: &Owner) -> Self {
        match owner {
            Owner::NaturalPerson(person) => Self {
                name: format!("{} {}", person.first_name, person.last_name),
                number: person.ssn.to_string(),
                is_organisation: false,
            },
            Owner::LegalEntity(entity) => {
                Self { name: entity.name.to_string(), number: entity.crn.to_string(), is_organisation: true }
            }
        }
    }
}

const TITLE: Look = Look { font: Font::Bold, size: 27.0, colour: INK };
const SUBTITLE: Look = Look { font: Font::Regular, size: 13.0, colour: GREY };
const SENDER: Look = Look { font: Font::Bold, size: 10.0, colour: ACCENT };
const BADGE: Look = Look { font: Font::Bold, size: 8.0, colour: WHITE };
const LABEL: Look = Look { font: Font::Bold, size: 9.0, colour: ACCENT };
const GLOSS: Look = Look { font: Font::Regular, size: 8.5, colour: GREY };
const VALUE: Look = Look { font: Font::Regular, size: 11.0, colour: INK };
const STRONG: Look = Look { font: Font::Bold, size: 11.0, colour: INK };
const BODY: Look = Look { font: Font::Regular, size: 10.5, colour: INK };

/// Where the values of the fact table stand.
const VALUES: f32 = LEFT + 150.0;

/// The document: begins with `%PDF-`.
#[must_use]
pub fn render(facts: &AgreementFacts) -> Vec<u8> {
    let mut paper = Paper::new();
    head(&mut paper, facts);
    table(&mut paper, facts);
    for words in wording::paragraphs(facts.kind) {
        paragraph(&mut paper, *words);
    }
    signatures(&mut paper, &facts.signatures);
    let title = format!("{} {}", wording::title(facts.kind).swe, facts.account_ref);
    let date = date_of(facts.signatures.iter().map(|signature| signature.at).max());
    let about = About { title: &title, author: &facts.client, date };
    paper.finish(&about, |foot, number, count| draw_foot(foot, facts, number, count))
}

fn head(paper: &mut Paper, facts: &AgreementFacts) {
    let title = wording::title(facts.kind);
    let badge = "SANDBOX";
    let width = BADGE.width(badge) + 16.0;
    paper.fill(ACCENT, RIGHT - width, 12.0, width, 16.0);
    paper.write(BADGE, RIGHT - width + 8.0, -1.0, badge);
    let client = SENDER.wrap(&facts.client, RIGHT - LEFT - width - 24.0);
    paper.y += SENDER.size;
    paper.lines(SENDER, LEFT, 13.0, &client);
    paper.y -= 22.0;
    paper.write(TITLE, LEFT, TITLE.size, title.swe);
    paper.y -= 36.0;
    paper.write(SUBTITLE, LEFT, SUBTITLE.size, title.eng);
    paper.y -= 30.0;
}

fn table(paper: &mut Paper, facts: &AgreementFacts) {
    paper.rule(ACCENT);
    paper.y -= 14.0;
    let number = if facts.owner.is_organisation { wording::ORGANISATION_NUMBER } else { wording::PERSONAL_NUMBER };
    row(paper, wording::ACCOUNT, STRONG, &facts.account_ref, &facts.account_name);
    row(paper, wording::ACCOUNT_TYPE, VALUE, &facts.account_type, "");
    row(paper, wording::OWNER, STRONG, &facts.owner.name, "");
    row(paper, number, VALUE, &facts.owner.number, "");
    row(paper, wording::CLIENT, VALUE, &facts.client, "");
    for iban in &facts.bank_accounts {
        row(paper, wording::BANK_ACCOUNT, VALUE, iban, "");
    }
    paper.y -= 2.0;
    paper.rule(ACCENT);
    paper.y -= 18.0;
}

/// A kind of account as people call it.
const fn account_type(account_type: AccountType) -> &'static str {
    match account_type {
        AccountType::Isk => "Investeringssparkonto (ISK)",
        AccountType::Depot => "Depå",
        AccountType::Insurance => "Kapitalförsäkring",
    }
}

/// A label in both languages with a value beside it and a note below that.
fn row(paper: &mut Paper, label: Words, look: Look, value: &str, note: &str) {
    let values = look.wrap(value, RIGHT - VALUES);
    let notes = if note.is_empty() { vec![] } else { GLOSS.wrap(note, RIGHT - VALUES) };
    paper.need(33.0);
    paper.write(LABEL, LEFT, 10.0, label.swe);
    paper.write(GLOSS, LEFT, 21.0, label.eng);
    let below = paper.y - 33.0;
    paper.lines(look, VALUES, 14.0, &values);
    paper.lines(GLOSS, VALUES, 11.0, &notes);
    paper.y = (paper.y - 6.0).min(below);
}

fn paragraph(paper: &mut Paper, words: Words) {
    let swe = BODY.wrap(words.swe, RIGHT - LEFT);
    let eng = GLOSS.wrap(words.eng, RIGHT - LEFT);
    paper.lines(BODY, LEFT, 15.0, &swe);
    paper.y -= 1.0;
    paper.lines(GLOSS, LEFT, 12.0, &eng);
    paper.y -= 11.0;
}

fn signatures(paper: &mut Paper, signatures: &[Signature]) {
    paper.y -= 16.0;
    for (signature, position) in signatures.iter().zip(0..) {
        let names = STRONG.wrap(&signature.name, RIGHT - LEFT - 24.0);
        let height = names.iter().fold(74.0, |height, _| height + 14.0);
        paper.need(height + 20.0);
        if position == 0 {
            paper.write(LABEL, LEFT, 0.0, wording::SIGNED.swe);
            paper.write(GLOSS, LEFT + LABEL.width(wording::SIGNED.swe) + 6.0, 0.0, wording::SIGNED.eng);
            paper.y -= 10.0;
        }
        paper.fill(TINT, LEFT, 0.0, RIGHT - LEFT, height - 22.0);
        paper.fill(ACCENT, LEFT, 0.0, 3.0, height - 22.0);
        paper.y -= 10.0;
        paper.lines(STRONG, LEFT + 14.0, 14.0, &names);
        paper.write(VALUE, LEFT + 14.0, 12.0, &signature.ssn.to_string());
        paper.y -= 15.0;
        paper.write(GLOSS, LEFT + 14.0, 10.0, &moment(signature.at));
        paper.y -= 36.0;
    }
}

/// The moment as a Stockholm clock shows it, and exactly.
fn moment(at: Instant) -> String {
    let local = at.local();
    let (date, time) = (local.date(), local.time());
    let clock = format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second());
    format!("{date} kl. {clock} svensk tid / Swedish time ({at})")
}

fn draw_foot(foot: &mut Foot<'_>, facts: &AgreementFacts, number: usize, count: usize) {
    let page = format!("{} · {} ({})", facts.account_ref, number, count);
    foot.write(GLOSS, LEFT, 52.0, wording::NO_EFFECT.swe);
    foot.write(GLOSS, LEFT, 40.0, wording::NO_EFFECT.eng);
    foot.write(GLOSS, RIGHT - GLOSS.width(&page), 40.0, &page);
}

/// The file's date, in UTC.
fn date_of(at: Option<Instant>) -> Date {
    let text = at.unwrap_or(Instant::MIN).to_string();
    let field = |from: usize, to: usize| text[from..to].parse::<u16>().expect("a timestamp's fields are digits");
    let small = |from: usize| u8::try_from(field(from, from + 2)).expect("two digits");
    let date = Date::new(field(0, 4)).month(small(5)).day(small(8));
    date.hour(small(11)).minute(small(14)).second(small(17)).utc_offset_hour(0).utc_offset_minute(0)
}

#[cfg(test)]
mod tests;
