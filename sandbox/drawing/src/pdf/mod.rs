//! Agreements as PDF documents (rule: accounts/agreements).
//!
//! Owns: what an agreement shows and where on the page. Invariant: the same facts make the same bytes; account reference,
//! owner and signing time are on the page as text that can be selected, tagged in the order of reading. Absent on purpose: clocks (every date is the
//! world's), embedded fonts and pictures.

mod page;
mod tags;
mod text;
mod wording;

use pdf_writer::Date;
use sim::query;
pub use sim::records::AgreementType;
use sim::records::{Company, Owner, OwnerIdentity, Signature};
use sim::time::Instant;

use self::page::{ACCENT, About, Foot, GREY, INK, LEFT, Look, Paper, RIGHT, TINT, WHITE};
use self::tags::Role;
use self::text::Font;
pub use self::wording::Language;
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
    /// The language it is written in.
    pub language: Language,
    /// Which agreement.
    pub kind: AgreementType,
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
    /// What is known of the company that owns the account: names and texts.
    pub company: Vec<(String, String)>,
    /// Who has signed, oldest first; nobody yet on a draft.
    pub signatures: Vec<Signature>,
}

impl AgreementFacts {
    /// What the agreement of an account shows.
    #[must_use]
    pub fn of(facts: &query::AgreementFacts, language: Language) -> Self {
        let query::AgreementFacts { kind, account, client, signatures, bank_accounts, company } = facts;
        Self {
            language,
            kind: *kind,
            account_ref: account.reference.to_string(),
            account_name: account.name.to_string(),
            account_type: wording::account_type(account.account_type).say(language).to_owned(),
            client: client.to_string(),
            owner: Party::of(&account.owner),
            bank_accounts: bank_accounts.iter().map(ToString::to_string).collect(),
            company: company.as_deref().map_or_else(Vec::new, |company| of_company(*kind, company, language)),
            signatures: signatures.clone(),
        }
    }
}

/// The lines about a company: only the agreement on its account has them.
#[must_use]
pub fn of_company(kind: AgreementType, company: &Company, language: Language) -> Vec<(String, String)> {
    if kind != AgreementType::Account {
        return Vec::new();
    }
    let line = |words: Words, text: String| (words.say(language).to_owned(), text);
    let mut lines = Vec::new();
    for member in &company.board {
        let role = wording::board_role(member.role).say(language);
        let number = grouped_number(&member.ssn.to_string());
        lines.push(line(wording::BOARD, format!("{} ({role}), {number}", member.name)));
    }
    lines.push(line(wording::SIGNING, wording::signing(company.signing).say(language).to_owned()));
    if company.names_board_instead() {
        lines.push(line(wording::BENEFICIAL_OWNER, wording::NO_OWNER.say(language).to_owned()));
    }
    for owner in &company.owners {
        let who = match &owner.identity {
            OwnerIdentity::Ssn(ssn) => grouped_number(&ssn.to_string()),
            OwnerIdentity::Born { date, country } => format!("{date}, {country}"),
        };
        let share = owner.share.map_or_else(String::new, |share| format!(", {share} %"));
        lines.push(line(wording::BENEFICIAL_OWNER, format!("{}, {who}{share}", owner.name)));
    }
    lines
}

impl Party {
    /// The owner of an account.
    #[must_use]
    pub fn of(owner: &Owner) -> Self {
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
const SENDER: Look = Look { font: Font::Bold, size: 10.0, colour: ACCENT };
const BADGE: Look = Look { font: Font::Bold, size: 8.0, colour: WHITE };
const LABEL: Look = Look { font: Font::Bold, size: 9.0, colour: ACCENT };
const GLOSS: Look = Look { font: Font::Regular, size: 8.5, colour: GREY };
const VALUE: Look = Look { font: Font::Regular, size: 11.0, colour: INK };
const STRONG: Look = Look { font: Font::Bold, size: 11.0, colour: INK };
const BODY: Look = Look { font: Font::Regular, size: 10.5, colour: INK };

/// The x position of the values in the fact table.
const VALUES: f32 = LEFT + 150.0;

/// The document: begins with `%PDF-`.
#[must_use]
pub fn render(facts: &AgreementFacts) -> Vec<u8> {
    let language = facts.language;
    let mut paper = Paper::new();
    head(&mut paper, facts);
    paper.rule(ACCENT);
    paper.y -= 14.0;
    paper.element(Role::Table, |paper| table(paper, facts));
    paper.y -= 2.0;
    paper.rule(ACCENT);
    paper.y -= 18.0;
    for words in wording::paragraphs(facts.kind) {
        paragraph(&mut paper, words.say(language));
    }
    if !facts.signatures.is_empty() {
        paper.element(Role::Section, |paper| signatures(paper, facts));
    }
    let title = format!("{} {}", wording::title(facts.kind).say(language), facts.account_ref);
    let date = date_of(facts.signatures.iter().map(|signature| signature.at).max());
    let about = About { language: language.tag(), title: &title, author: &facts.client, date };
    paper.finish(&about, |foot, number, count| draw_foot(foot, facts, number, count))
}

fn head(paper: &mut Paper, facts: &AgreementFacts) {
    let badge = "SANDBOX";
    let width = BADGE.width(badge) + 16.0;
    paper.fill(ACCENT, RIGHT - width, 12.0, width, 16.0);
    paper.element(Role::Paragraph, |paper| paper.write(BADGE, RIGHT - width + 8.0, -1.0, badge));
    let client = SENDER.wrap(&facts.client, RIGHT - LEFT - width - 24.0);
    paper.y += SENDER.size;
    paper.element(Role::Paragraph, |paper| paper.lines(SENDER, LEFT, 13.0, &client));
    paper.y -= 22.0;
    let title = wording::title(facts.kind).say(facts.language);
    paper.element(Role::Heading, |paper| paper.write(TITLE, LEFT, TITLE.size, title));
    paper.y -= 44.0;
}

/// A personal or organisation number as people write it, with a hyphen before its last four digits.
fn grouped_number(digits: &str) -> String {
    let at = digits.len().saturating_sub(4);
    digits
        .split_at_checked(at)
        .filter(|(front, _)| !front.is_empty())
        .map_or_else(|| digits.to_owned(), |(front, last)| format!("{front}-{last}"))
}

/// An IBAN as it is printed: groups of four.
#[must_use]
pub fn in_fours(iban: &str) -> String {
    let letters: Vec<char> = iban.chars().collect();
    letters.chunks(4).map(|group| group.iter().collect::<String>()).collect::<Vec<_>>().join(" ")
}

fn table(paper: &mut Paper, facts: &AgreementFacts) {
    let number = if facts.owner.is_organisation { wording::ORGANISATION_NUMBER } else { wording::PERSONAL_NUMBER };
    let mut named = |label: &str, look, value: &str, note: &str| {
        paper.element(Role::Row, |paper| row(paper, label, look, value, note));
    };
    let mut row = |label: Words, look, value: &str, note: &str| named(label.say(facts.language), look, value, note);
    row(wording::ACCOUNT, STRONG, &facts.account_ref, &facts.account_name);
    row(wording::ACCOUNT_TYPE, VALUE, &facts.account_type, "");
    row(wording::OWNER, STRONG, &facts.owner.name, "");
    row(number, VALUE, &grouped_number(&facts.owner.number), "");
    row(wording::CLIENT, VALUE, &facts.client, "");
    for (name, text) in &facts.company {
        named(name, VALUE, text, "");
    }
    let mut row = |label: Words, look, value: &str, note: &str| named(label.say(facts.language), look, value, note);
    for iban in &facts.bank_accounts {
        row(wording::BANK_ACCOUNT, VALUE, &in_fours(iban), "");
    }
}

/// A label with a value beside it and a note below that.
fn row(paper: &mut Paper, label: &str, look: Look, value: &str, note: &str) {
    let values = look.wrap(value, RIGHT - VALUES);
    let notes = if note.is_empty() { vec![] } else { GLOSS.wrap(note, RIGHT - VALUES) };
    paper.need(26.0);
    paper.element(Role::Label, |paper| paper.write(LABEL, LEFT, 11.0, label));
    let below = paper.y - 26.0;
    paper.element(Role::Value, |paper| {
        paper.lines(look, VALUES, 14.0, &values);
        paper.lines(GLOSS, VALUES, 11.0, &notes);
    });
    paper.y = (paper.y - 8.0).min(below);
}

fn paragraph(paper: &mut Paper, text: &str) {
    let lines = BODY.wrap(text, RIGHT - LEFT);
    paper.element(Role::Paragraph, |paper| paper.lines(BODY, LEFT, 15.0, &lines));
    paper.y -= 9.0;
}

fn signatures(paper: &mut Paper, facts: &AgreementFacts) {
    paper.y -= 16.0;
    for (signature, position) in facts.signatures.iter().zip(0..) {
        let names = STRONG.wrap(&signature.name, RIGHT - LEFT - 24.0);
        let height = names.iter().fold(74.0, |height, _| height + 14.0);
        paper.need(height + 20.0);
        if position == 0 {
            let signed = wording::SIGNED.say(facts.language);
            paper.element(Role::Subheading, |paper| paper.write(LABEL, LEFT, 0.0, signed));
            paper.y -= 10.0;
        }
        paper.fill(TINT, LEFT, 0.0, RIGHT - LEFT, height - 22.0);
        paper.fill(ACCENT, LEFT, 0.0, 3.0, height - 22.0);
        paper.y -= 10.0;
        paper.element(Role::Paragraph, |paper| {
            paper.lines(STRONG, LEFT + 14.0, 14.0, &names);
            paper.write(VALUE, LEFT + 14.0, 12.0, &grouped_number(&signature.ssn.to_string()));
            paper.y -= 15.0;
            paper.write(GLOSS, LEFT + 14.0, 10.0, &moment(facts.language, signature.at));
        });
        paper.y -= 36.0;
    }
}

/// The moment as a Stockholm clock shows it, and exactly.
fn moment(language: Language, at: Instant) -> String {
    let local = at.local();
    let (date, time) = (local.date(), local.time());
    let clock = format!("{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second());
    format!("{date} {}{clock} {} ({at})", wording::CLOCK.say(language), wording::LOCAL_TIME.say(language))
}

fn draw_foot(foot: &mut Foot<'_>, facts: &AgreementFacts, number: usize, count: usize) {
    let page = format!("{} · {} ({})", facts.account_ref, number, count);
    foot.write(GLOSS, LEFT, 40.0, wording::NO_EFFECT.say(facts.language));
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
