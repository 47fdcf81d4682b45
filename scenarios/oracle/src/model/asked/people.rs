//! What the steps about people and companies ask: who identifies, the account, the questions of KYC, the company and its owners
//! (rule: journeys/one-signer, journeys/account-options, journeys/kyc-catalogue, journeys/company-steps,
//! journeys/advice-needs-risk-tolerance).
//!
//! Invariant: each question's choices are written here a second time. Absent on purpose: what the register has of a company, which is drawn.

use super::super::clients::{COUNTRIES, is_choice};
use super::super::field_texts::{Answer, LONGEST_ACCOUNT_NAME};
use super::field::{Field, ask, flag, named};
use super::{Form, suggested};
use sim::identity::PersonalNumber;
use sim::query::{FieldKind, FieldView};
use sim::records::{AccountType, Category, JourneyStep, JourneyType, KycAnswer, Owner, ServiceType, SigningRule};
use std::sync::Arc;

/// Most characters of names: a person's, a company's, an owner's; and of what the register has.
const LONGEST_PERSON_NAME: usize = 50;
const LONGEST_COMPANY_NAME: usize = 100;
const LONGEST_OWNER_NAME: usize = 100;
const LONGEST_EXTRACT: usize = 255;
/// How many owners a company can name.
pub(in super::super) const OWNERS: usize = 4;
/// The company that a lever names where nothing is given.
const USUAL_COMPANY: &str = "5599900015";

/// How a question is answered.
#[derive(Clone, Copy)]
enum How {
    One,
    Some,
    Countries,
}

/// A question, how it is answered, its choices, and what most people answer.
type Question = (&'static str, How, &'static str, &'static str);

const YES_OR_NO: &str = "no yes";
const DEPOSITS: &str = "under100000 100000to500000 500000to1000000 over1000000";
const KNOWLEDGE: Question = ("fundKnowledge", How::One, YES_OR_NO, "yes");
const TOLERANCE: Question = ("riskTolerance", How::One, "low medium high", "medium");
const PEP: Question = ("pep", How::One, YES_OR_NO, "no");
const RESIDENCY: Question = ("taxResidency", How::Countries, "", "SE");

/// What people are asked, in this order.
const OF_PEOPLE: &[Question] = &[
    ("purpose", How::One, "savings pension children housing other", "savings"),
    ("originOfFunds", How::Some, "salary savings pension inheritance property business other", "salary"),
    ("expectedDeposits", How::One, DEPOSITS, "under100000"),
    ("employment", How::One, "employed selfEmployed student retired unemployed", "employed"),
    ("income", How::One, "under250000 250000to500000 500000to1000000 over1000000", "250000to500000"),
    PEP,
    RESIDENCY,
    ("usPerson", How::One, YES_OR_NO, "no"),
    KNOWLEDGE,
    TOLERANCE,
];

/// What companies are asked, in this order, before the question about each of their people.
const OF_COMPANIES: &[Question] = &[
    (
        "businessActivity",
        How::One,
        "consulting trade construction manufacturing realEstate holding nonProfit other",
        "consulting",
    ),
    ("purpose", How::One, "surplus reserves pensionCommitments other", "surplus"),
    ("originOfFunds", How::Some, "operations ownerContribution assetSale loan dividends other", "operations"),
    ("turnover", How::One, "under1000000 1000000to10000000 10000000to100000000 over100000000", "1000000to10000000"),
    ("expectedDeposits", How::One, DEPOSITS, "100000to500000"),
    RESIDENCY,
    ("crsClassification", How::One, "activeNfe passiveNfe financialInstitution", "activeNfe"),
    ("fatcaClassification", How::One, "activeNffe passiveNffe financialInstitution usEntity", "activeNffe"),
    KNOWLEDGE,
    TOLERANCE,
];

impl Form<'_> {
    /// The only person who may walk the journey, if there is only one: who is named, or the person who owns its account.
    fn only_signer(self) -> Option<PersonalNumber> {
        self.configuration().ssn.or_else(|| match *self.account()?.owner {
            Owner::NaturalPerson(ref person) => Some(person.ssn),
            Owner::LegalEntity(_) => None,
        })
    }

    /// Who walks the journey: who has authenticated, or the only person who may.
    pub(in super::super) fn signer(self) -> Option<PersonalNumber> {
        self.progress.signer.or_else(|| self.only_signer())
    }

    pub(super) fn authentication(self, drawn: &[FieldView]) -> Vec<Field> {
        let owner = self.account().map(|account| &*account.owner);
        let ssn = ask("ssn", FieldKind::PersonalNumber).required();
        let ssn = match (self.only_signer(), owner) {
            (Some(only), _) => ssn.fixed_to(Some(&only.to_string())),
            (None, Some(Owner::LegalEntity(entity))) => {
                let people = entity.signatories.iter().map(|one| one.ssn.to_string());
                ask("ssn", FieldKind::Choice).required().among(people)
            }
            (None, _) => ssn.suggest_all(suggested(drawn, "ssn")),
        };
        let mut fields = vec![ssn];
        if self.opens() {
            let name = FieldKind::Text { max: LONGEST_PERSON_NAME };
            fields.extend([ask("firstName", name), ask("lastName", name)]);
        }
        fields
    }

    pub(super) fn account_details(self, drawn: &[FieldView]) -> Vec<Field> {
        let it = self.configuration();
        let options = it.account_options.as_ref();
        let types = options.and_then(|options| options.account_types.as_ref()).or(it.account_types.as_ref());
        let suggested = self.first_source().map_or("", AccountType::name);
        let kind = ask("accountType", FieldKind::Choice).required().suggest(suggested);
        let kind = kind.among(types.into_iter().flatten().map(|one| one.name()));
        let categories = options.and_then(|options| options.account_categories.as_ref());
        let categories = categories.or(it.account_categories.as_ref()).unwrap_or(&self.client.permissions.categories);
        let category = ask("category", FieldKind::Choice).required();
        let category = match categories.as_slice() {
            [] => category.among([Category::Retail.name()]),
            some => category.among(some.iter().map(|one| one.name())),
        };
        let mut fields = vec![kind, category];
        if it.journey_type == JourneyType::CreateLegalEntityAccount {
            fields.extend(self.described_company(drawn));
        }
        if it.account_name.is_none() {
            fields.push(ask("accountName", FieldKind::Text { max: LONGEST_ACCOUNT_NAME }));
        }
        fields.push(ask("email", FieldKind::Email).fixed_to(it.email.as_deref()));
        fields
    }

    /// What is asked about a company that opens an account; one that another journey has described stays as it is.
    fn described_company(self, drawn: &[FieldView]) -> Vec<Field> {
        let it = self.configuration();
        let services = it.account_options.as_ref().and_then(|options| options.service_types.as_ref());
        let usual = it.account_service_type.map_or("", ServiceType::name);
        let service = ask("serviceType", FieldKind::Choice).required().suggest(usual);
        let fields = [
            ask("crn", FieldKind::OrganisationNumber).required().suggest(USUAL_COMPANY),
            ask("companyName", FieldKind::Text { max: LONGEST_COMPANY_NAME }),
            ask("signatories", FieldKind::PersonalNumbers),
        ];
        let shown = if it.submission.is_some() { drawn } else { &[] };
        let as_described = |field: Field| match shown.iter().find(|known| known.name == field.name) {
            Some(known) => {
                let texts = known.values.clone();
                field.fixed(texts)
            }
            None => field,
        };
        let services = service.among(services.into_iter().flatten().map(|one| one.name()));
        [services].into_iter().chain(fields.into_iter().map(as_described)).collect()
    }

    pub(super) fn questions(self, drawn: &[FieldView]) -> Vec<Field> {
        let is_of_a_company = self.is_of_a_company();
        let before = self.account_file();
        let given = |qid: &str| {
            let answer = self.configuration().kycs.iter().flatten().find(|answer| *answer.qid == *qid);
            answer.map(|answer| answer.answer.clone())
        };
        let known = |qid: &str| {
            let answer = before.and_then(|file| file.kyc.iter().find(|answer| *answer.qid == *qid));
            answer.map(|answer| answer.answer.clone())
        };
        let prefilled = |qid: &str, field: Field| match (given(qid), known(qid)) {
            (Some(given), _) => field.fixed(given),
            (None, Some(known)) => field.filled(known),
            (None, None) => field,
        };
        let advised = self.service() != ServiceType::ExecutionOnly;
        let questions = if is_of_a_company { OF_COMPANIES } else { OF_PEOPLE };
        let mut fields: Vec<Field> = questions
            .iter()
            .map(|&(qid, how, choices, usual)| {
                let mut field = question(qid.to_owned(), qid, how, choices, usual);
                field.required = qid != "riskTolerance" || advised;
                prefilled(qid, field)
            })
            .collect();
        if is_of_a_company {
            // Of whom the register names.
            let people = drawn.iter().filter(|field| field.key == "pep");
            fields.extend(people.map(|person| {
                let field = question(person.name.to_string(), "pep", How::One, YES_OR_NO, "no").required();
                prefilled("pep", field)
            }));
        }
        fields
    }

    /// What was answered about KYC, in the order of asking: beforehand, or by the customer. A company is exposed if one of its people is.
    #[must_use]
    pub fn kyc_answers(self) -> Vec<KycAnswer> {
        let step = JourneyStep::Kyc;
        let answer = |qid: &'static str, how: How| {
            let given = self.configuration().kycs.iter().flatten().find(|answer| *answer.qid == *qid);
            let texts = self.progress.of(step).map_or(&[][..], |given| given.many(qid));
            let is_list = !matches!(how, How::One);
            let answered = || KycAnswer { qid: Arc::from(qid), answer: texts.to_vec(), is_list };
            given.cloned().or_else(|| (!texts.is_empty()).then(answered))
        };
        if !self.is_of_a_company() {
            return OF_PEOPLE.iter().filter_map(|&(qid, how, ..)| answer(qid, how)).collect();
        }
        // Of whom the register names, and who owns it now: what was answered about others no longer counts.
        let people = self.drawn(step).into_iter().filter(|field| field.key == "pep");
        let is_exposed = people.into_iter().any(|person| self.answered(step, &person.name) == Some("yes"));
        let exposed = || {
            let word = Arc::from(if is_exposed { "yes" } else { "no" });
            KycAnswer { qid: Arc::from("pep"), answer: vec![word], is_list: false }
        };
        let given = answer("pep", How::One).unwrap_or_else(exposed);
        OF_COMPANIES.iter().filter_map(|&(qid, how, ..)| answer(qid, how)).chain([given]).collect()
    }

    /// The service of the account, as chosen, as it is, or as configured.
    fn service(self) -> ServiceType {
        let chosen = self.answered(JourneyStep::AccountDetails, "serviceType");
        let chosen = chosen.and_then(|word| ServiceType::ALL.into_iter().find(|service| service.name() == word));
        let of_account = || self.account().map(|account| account.service_type);
        chosen.or_else(of_account).or(self.configuration().account_service_type).unwrap_or(ServiceType::ExecutionOnly)
    }

    /// Who signs for a company where that is not up to its register: as its account or application names them, or as the customer did.
    fn named_signatories(self) -> Option<Vec<Arc<str>>> {
        let details = JourneyStep::AccountDetails;
        if let Some(Owner::LegalEntity(entity)) = self.account().map(|account| &*account.owner) {
            return Some(entity.signatories.iter().map(|one| Arc::from(one.ssn.to_string())).collect());
        }
        let named = self.progress.of(details).map_or(&[][..], |given| given.many("signatories"));
        if self.configuration().submission.is_some() {
            return Some(named.to_vec());
        }
        let signer: Arc<str> = Arc::from(self.signer()?.to_string());
        let others: Vec<_> = named.iter().filter(|other| **other != signer).cloned().collect();
        (!others.is_empty()).then(|| std::iter::once(signer).chain(others).collect())
    }

    /// What the register has, to be confirmed.
    pub(super) fn company(self, drawn: &[FieldView]) -> Vec<Field> {
        let of_register = |key: &str| drawn.iter().find(|field| field.key == key).map(|field| field.values.clone());
        let text = |key: &'static str| {
            let field = ask(key, FieldKind::Text { max: LONGEST_EXTRACT }).required();
            Some(field.fixed(of_register(key)?))
        };
        let choice = |key: &'static str, value: Vec<Arc<str>>| ask(key, FieldKind::Choice).required().among(value);
        let named = self.named_signatories();
        let signing = match &named {
            Some(people) if people.len() > 1 => Some(vec![Arc::from(SigningRule::Together.name())]),
            Some(_) => Some(vec![Arc::from(SigningRule::Alone.name())]),
            None => of_register("signing"),
        };
        let chooses = named.is_none() && signing.iter().flatten().any(|rule| **rule == *SigningRule::Together.name());
        let people = if chooses {
            let others = drawn.iter().filter(|field| field.key == "cosignatories").flat_map(|field| &field.choices);
            let others: Vec<_> = others.map(|choice| Arc::clone(&choice.value)).collect();
            Some(ask("cosignatories", FieldKind::Choices).required().among(others))
        } else {
            let people = named.or_else(|| of_register("signatories"));
            people.map(|people| ask("signatories", FieldKind::PersonalNumbers).required().fixed(people))
        };
        // Nothing is shown before the company and the person who signs are known.
        let is_known = !drawn.iter().all(|field| field.key == "confirmed");
        let extract = [
            text("registeredName"),
            of_register("legalForm").map(|form| choice("legalForm", form)),
            text("address"),
            text("board"),
            signing.map(|rule| choice("signing", rule)),
            people,
        ];
        let extract = extract.into_iter().flatten().filter(|_| is_known);
        extract.chain([flag("confirmed").required().suggest("yes")]).collect()
    }

    /// The owners that the register names, or that were confirmed last, to be corrected; once answered, as they were answered.
    pub(super) fn beneficial_owners(self, drawn: &[FieldView]) -> Vec<Field> {
        let drawn = if self.progress.of(JourneyStep::BeneficialOwners).is_some() { &[] } else { drawn };
        let as_drawn = |field: Field| match drawn.iter().find(|shown| shown.name == field.name) {
            Some(FieldView { values, .. }) => field.filled(values.clone()),
            None => field,
        };
        let mut fields = vec![as_drawn(flag("none"))];
        for row in 0..OWNERS {
            let ask = |key: &'static str, kind| named(format!("owners[{row}].{key}"), key, kind);
            fields.extend(
                [
                    ask("fullName", FieldKind::Text { max: LONGEST_OWNER_NAME }),
                    ask("ssn", FieldKind::PersonalNumber),
                    ask("birthDate", FieldKind::Date),
                    ask("country", FieldKind::Countries),
                    ask("share", FieldKind::Percent),
                    ask("control", FieldKind::Choice).among(["shares", "votes", "board", "other"]).filled(Vec::new()),
                ]
                .map(as_drawn),
            );
        }
        fields
    }
}

fn question(name: String, qid: &'static str, how: How, choices: &str, usual: &str) -> Field {
    let kind = match how {
        How::One => FieldKind::Choice,
        How::Some => FieldKind::Choices,
        How::Countries => FieldKind::Countries,
    };
    let field = named(name, qid, kind).suggest(usual);
    if choices.is_empty() { field } else { field.among(choices.split(' ')) }
}

/// Whether texts answer a question that people or companies are asked; `None` where it is not asked. Of other countries than the ones that
/// runs name, and of a choice that is given twice, nothing is known.
pub(in super::super) fn answers_question(of_a_company: bool, qid: &str, texts: &[Arc<str>]) -> Option<Answer> {
    let (questions, about_people) = if of_a_company { (OF_COMPANIES, Some(PEP)) } else { (OF_PEOPLE, None) };
    let (_, how, choices, _) = questions.iter().copied().chain(about_people).find(|question| question.0 == qid)?;
    let is_offered = |text: &Arc<str>| choices.split(' ').any(|choice| *choice == **text);
    Some(match (how, texts) {
        (_, []) => Answer::Wrong,
        (How::One, [text]) => Answer::of(is_offered(text)),
        (How::One, _) => Answer::Wrong,
        (How::Some, texts) if is_choice(texts) => Answer::of(texts.iter().all(is_offered)),
        (How::Countries, [text]) if COUNTRIES.contains(&&**text) => Answer::Right,
        (How::Some | How::Countries, _) => Answer::Unknown,
    })
}
