//! The content of an agreement, read back the way a PDF reader does: objects, streams, text operators.

use std::sync::Arc;

use sim::records::{Account, LegalEntity, NaturalPerson};

use super::*;
use hosting::testing::Hosted;

fn facts(kind: AgreementType) -> AgreementFacts {
    facts_in(Language::Swedish, kind)
}

fn facts_in(language: Language, kind: AgreementType) -> AgreementFacts {
    let hosted = Hosted::new();
    let id = hosted.account(0);
    let scope = hosted.scope(0);
    let account = hosted.world.read(|world| world.account_in_scope(scope, id, "account").cloned());
    let mut account = Account::clone(&account.expect("a world").expect("an account"));
    account.reference = "160367146695159".parse().expect("a reference");
    account.name = "Mitt sparande".into();
    let ssn = "197001012389".parse().expect("a personal number");
    let owner = NaturalPerson { first_name: "Åsa".into(), last_name: "Öberg".into(), ssn };
    account.owner = Arc::new(Owner::NaturalPerson(owner));
    let at = "2026-03-02T13:05:06.789Z".parse().expect("a moment");
    let iban = "SE4550000000058398257466".parse().expect("an IBAN");
    let facts = query::AgreementFacts {
        company: None,
        kind,
        account: Arc::new(account),
        client: "Havsfonder Rådgivning".into(),
        signatures: vec![Signature { ssn, name: "Åsa Öberg".into(), at }],
        bank_accounts: if kind == AgreementType::Autogiro { vec![iban] } else { vec![] },
    };
    AgreementFacts::of(&facts, language)
}

/// The same facts about another owner.
fn owned_by(name: &str, mut facts: AgreementFacts) -> AgreementFacts {
    let entity = LegalEntity {
        name: name.into(),
        crn: "5599900007".parse().expect("an organisation number"),
        form: None,
        registration_country: None,
        countries_of_taxation: None,
        address: None,
        contact_person: None,
        signatories: Vec::new(),
    };
    facts.owner = Party::of(&Owner::LegalEntity(Arc::new(entity)));
    facts
}

/// What the page streams show, a line for each text operator; exact texts where the page carries them.
fn text_of(pdf: &[u8]) -> Vec<String> {
    let mut lines = Vec::new();
    let mut rest = pdf;
    while let Some(start) = find(rest, b"stream\n") {
        let body = &rest[start + 7..];
        let end = find(body, b"endstream").expect("a stream ends");
        lines.extend(shown(&body[..end]));
        rest = &body[end + 9..];
    }
    lines
}

fn find(hay: &[u8], needle: &[u8]) -> Option<usize> {
    hay.windows(needle.len()).position(|window| window == needle)
}

/// The strings before each `Tj`; those of a `Span` give way to its `ActualText`.
fn shown(stream: &[u8]) -> Vec<String> {
    let mut out = Vec::new();
    let mut exact = None;
    for line in stream.split(|byte| *byte == b'\n') {
        if let Some(at) = find(line, b"/ActualText") {
            exact = Some(utf16(&string(&line[at + 11..])));
        } else if line.ends_with(b"Tj") {
            out.push(exact.take().unwrap_or_else(|| string(line).iter().map(|byte| winansi(*byte)).collect()));
        }
    }
    out
}

/// The first string object: `(...)` with escapes, or `<...>` in hexadecimal.
fn string(line: &[u8]) -> Vec<u8> {
    let start = line.iter().position(|byte| matches!(byte, b'(' | b'<')).expect("a string");
    if line[start] == b'<' {
        let end = start + line[start..].iter().position(|byte| *byte == b'>').expect("an end");
        let digits = std::str::from_utf8(&line[start + 1..end]).expect("hexadecimal");
        return (0..digits.len() / 2)
            .map(|i| u8::from_str_radix(&digits[2 * i..2 * i + 2], 16).expect("hex"))
            .collect();
    }
    let mut out = Vec::new();
    let mut bytes = line[start + 1..].iter();
    let mut depth = 1;
    while let Some(byte) = bytes.next() {
        match byte {
            b'\\' => out.push(*bytes.next().expect("an escape")),
            b'(' => (depth, _) = (depth + 1, out.push(b'(')),
            b')' if depth == 1 => return out,
            b')' => (depth, _) = (depth - 1, out.push(b')')),
            _ => out.push(*byte),
        }
    }
    panic!("a string without an end");
}

fn utf16(bytes: &[u8]) -> String {
    let units: Vec<u16> = bytes.chunks(2).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    assert_eq!(units[0], 0xfeff);
    String::from_utf16(&units[1..]).expect("UTF-16")
}

/// Enough of Windows-1252 for these tests.
fn winansi(byte: u8) -> char {
    match byte {
        0x80 => '€',
        0x8e => 'Ž',
        0x96 => '–',
        byte => {
            assert!(!(0x80..0xa0).contains(&byte), "{byte:#x} is not expected here");
            char::from(byte)
        }
    }
}

#[test]
fn an_agreement_names_account_owner_and_signing_time_as_selectable_text() {
    let rows = [
        (AgreementType::Account, "Kontoavtal", "Account agreement"),
        (AgreementType::PowerOfAttorney, "Fullmakt", "Power of attorney"),
        (AgreementType::Insurance, "Försäkringsavtal", "Insurance agreement"),
        (AgreementType::Autogiro, "Autogiromedgivande", "Autogiro mandate"),
    ];
    for (kind, swe, eng) in rows {
        let signed = "2026-03-02 kl. 14:05:06 svensk tid (2026-03-02T13:05:06.789Z)";
        check_facts(&facts_in(Language::Swedish, kind), [swe, "Kontohavare", signed], eng);
        assert_eq!(swe, kind.swedish());
        let signed = "2026-03-02 at 14:05:06 Swedish time (2026-03-02T13:05:06.789Z)";
        check_facts(&facts_in(Language::English, kind), [eng, "Account owner", signed], swe);
    }
}

fn check_facts(facts: &AgreementFacts, own: [&str; 3], other: &str) {
    let kind = facts.kind;
    let pdf = render(facts);
    assert!(pdf.starts_with(b"%PDF-") && pdf.ends_with(b"%%EOF"), "{kind:?}");
    let text = text_of(&pdf);
    let whole = ["160367146695159", "Åsa Öberg", "19700101-2389", "Havsfonder Rådgivning", "SANDBOX"];
    for line in whole.into_iter().chain(own) {
        assert!(text.iter().any(|shown| shown == line), "{kind:?} shows {line}: {text:#?}");
    }
    assert!(!text.iter().any(|shown| shown == other), "{kind:?} speaks one language: {text:#?}");
    let iban = text.iter().any(|shown| shown == "SE45 5000 0000 0583 9825 7466");
    assert_eq!(iban, kind == AgreementType::Autogiro);
    assert_eq!(pages(&pdf), 1);
    assert!(pdf.len() < 16 * 1024, "{} bytes", pdf.len());
}

fn pages(pdf: &[u8]) -> usize {
    pdf.windows(11).filter(|window| window == b"/Type /Page").count() - 1
}

/// (rule: accounts/agreements)
#[test]
fn a_document_is_tagged_and_says_its_language_and_title() {
    for (language, tag, title) in
        [(Language::Swedish, "sv-SE", "Autogiromedgivande"), (Language::English, "en", "Autogiro mandate")]
    {
        let mut facts = facts_in(language, AgreementType::Autogiro);
        facts.signatures = vec![facts.signatures[0].clone(); 30];
        let pdf = render(&facts);
        let shown = String::from_utf8_lossy(&pdf);
        let times = |text: &str| shown.matches(text).count();
        assert!(pages(&pdf) > 1);
        for once in
            [&*format!("/Lang ({tag})"), "/Marked true", "/DisplayDocTitle true", "/S /Document", "/S /H1", "/S /Table"]
        {
            assert_eq!(times(once), 1, "{once} once: {shown}");
        }
        assert!(shown.contains(&format!("/Title ({title} 160367146695159)")), "{shown}");
        let rows = ["/S /TR", "/S /TH", "/S /TD", "/Scope /Row"].map(times);
        assert_eq!(rows, [6; 4], "every row has a label and a value");
        assert_eq!((times("/StructParents"), times("/Tabs /S")), (pages(&pdf), pages(&pdf)));
        // Every mark on a page is in the tree, and what is no mark is an artifact.
        assert_eq!(times("/Type /MCR"), times("/MCID ") - times("/Type /MCR"), "{shown}");
        assert_eq!(times(" BDC") + times(" BMC"), times("EMC"), "{shown}");
    }
}

#[test]
fn the_same_facts_make_the_same_bytes_and_other_facts_do_not() {
    let one = facts(AgreementType::Account);
    assert_eq!(render(&one), render(&one.clone()));
    let mut other = one.clone();
    other.signatures[0].at = other.signatures[0].at.plus(sim::time::Millis::SECOND);
    assert_ne!(render(&one), render(&other));
}

/// (rule: accounts/agreements)
#[test]
fn names_that_the_font_cannot_write_are_still_read_back_exactly() {
    for name in ["Łukasz Żółć", "Ωμέγα", "李小龍", "(a) \\ b )", "Émile–Žofia €", "𝒜 smile"] {
        let facts = owned_by(name, facts(AgreementType::Account));
        let text = text_of(&render(&facts));
        assert!(text.iter().any(|shown| shown == name), "{name}: {text:#?}");
    }
}

#[test]
fn long_names_and_many_signatures_go_on_further_pages_without_loss() {
    let mut facts = owned_by(&"Stiftelsen ".repeat(40), facts(AgreementType::Account));
    facts.account_name = "x".repeat(255);
    facts.signatures = (0..30)
        .map(|i| Signature { name: format!("Undertecknare {i}").into(), ..facts.signatures[0].clone() })
        .collect();
    let pdf = render(&facts);
    let text = text_of(&pdf);
    assert!(pages(&pdf) > 1);
    let names = text.iter().filter(|line| line.starts_with("Undertecknare ")).count();
    let words: usize = text.iter().map(|line| line.matches("Stiftelsen").count()).sum();
    let letters: usize = text.iter().filter(|line| line.bytes().all(|byte| byte == b'x')).map(String::len).sum();
    assert_eq!((names, words, letters), (30, 40, 255));
}

#[test]
fn an_agreement_without_signatures_is_still_a_document() {
    let mut facts = facts(AgreementType::Account);
    facts.signatures.clear();
    assert!(render(&facts).starts_with(b"%PDF-"));
}
