//! What the fields of one step must say together: a company and its owners, accounts at custodians, a bank account, shares of an
//! allocation plan, amounts and start of a savings plan (rule: journeys/company-steps, journeys/transfer-configuration,
//! journeys/bank-account-step, journeys/allocation-of-plans, plans/savings-plan-start, plans/first-purchase-in-plans).
//!
//! Invariant: each field fits by itself, which `answers` has found. Absent on purpose: a company that another journey has filled in.

use super::asked::{Form, OWNERS};
use super::calendar::{Day, day_of};
use super::clients::can_be_charged;
use super::field_texts::{Answer, date, filled, flag_of, hundredths, is_account_number, organisation_number};
use super::figures::{self, Ore, luhn};
use super::{BankFile, Model};
use sim::identity::InstrumentId;
use sim::ids::ClientId;
use sim::query::FieldView;
use sim::records::{Answers, Journey, JourneyStep, JourneyType, MandateStatus, OwnerKey};

/// All of an allocation plan, in hundredths of a percent.
const WHOLE: i128 = 10_000;
/// How the number of a company ends that the register does not have.
const NO_COMPANY: &str = "0049";
/// What somebody who owns shares or votes has more of, in hundredths of a percent.
const LEAST_SHARE: i128 = 2_500;
/// How many days after today a savings plan may begin at most.
const MOST_DAYS_AHEAD: i32 = 366;

/// A step as it was answered.
pub(super) struct StepAnswers<'a> {
    /// Which step.
    pub(super) step: JourneyStep,
    /// What it asks.
    pub(super) fields: &'a [FieldView],
    /// What was answered.
    pub(super) given: &'a Answers,
}

impl<'a> StepAnswers<'a> {
    /// What a field says: what was answered, or what it is fixed to.
    fn texts(&self, field: &'a FieldView) -> Vec<&'a str> {
        let given = filled(self.given.many(&field.name));
        if given.is_empty() && field.read_only { filled(&field.values) } else { given }
    }

    fn field(&self, name: &str) -> Option<&'a FieldView> {
        self.fields.iter().find(|field| *field.name == *name)
    }

    /// What the only field of this name says, where the step has it and it says something.
    pub(super) fn one(&self, name: &str) -> Option<&'a str> {
        self.texts(self.field(name)?).first().copied()
    }

    pub(super) fn is_yes(&self, name: &str) -> bool {
        self.field(name).is_some_and(|field| flag_of(&self.texts(field)) == Some(true))
    }

    /// The numbers of all fields that ask this of a fund, above 0; by the fund.
    fn by_fund(&self, key: &str) -> impl Iterator<Item = (&'a str, i128)> {
        let fields = self.fields.iter().filter(move |field| field.key == key);
        let numbers = fields.filter_map(|field| {
            let fund = field.name.split_once('.')?.1;
            Some((fund, hundredths(self.texts(field).first()?)?))
        });
        numbers.filter(|(_, number)| *number > 0)
    }
}

impl Model {
    /// What is known of a step's answers together, where each is right by itself.
    pub(super) fn together(&self, form: Form<'_>, answers: &StepAnswers<'_>) -> Answer {
        let (journey, today) = (form.journey, form.today());
        let kind = journey.configuration.journey_type;
        match answers.step {
            JourneyStep::Agreement => Answer::of(answers.is_yes("accept")),
            JourneyStep::Company => Answer::of(answers.is_yes("confirmed")),
            JourneyStep::Welcome | JourneyStep::Authentication | JourneyStep::Kyc => Answer::Right,
            JourneyStep::AccountDetails if kind == JourneyType::CreateAccount => Answer::Right,
            JourneyStep::BankAccount => {
                let picks = answers.one("bankAccount").is_some_and(|choice| choice != "new");
                Answer::of(answers.is_yes("skip") || picks || answers.one("iban").is_some())
            }
            JourneyStep::AllocationPlan => {
                Answer::of(answers.by_fund("allocation").map(|(_, share)| share).sum::<i128>() == WHOLE)
            }
            JourneyStep::SavingsPlan => self.may_save(form, answers),
            JourneyStep::AccountDetails => self.is_company(journey, answers),
            JourneyStep::BeneficialOwners => Answer::of(answers.is_yes("none") || are_owners(answers, today)),
            JourneyStep::Transfer => Answer::of(answers.is_yes("skip") || may_move(form, answers)),
            JourneyStep::Signing => Answer::Unknown,
        }
    }

    /// A company that the register has; of one that another journey has filled in it is not known who signs.
    fn is_company(&self, journey: &Journey, answers: &StepAnswers<'_>) -> Answer {
        let Some(number) = answers.one("crn").and_then(organisation_number) else { return Answer::Unknown };
        let digits: Vec<u32> = number.chars().filter_map(|digit| digit.to_digit(10)).collect();
        let fits = !self.settings.strict_identifiers || luhn(&digits);
        match (fits && !number.ends_with(NO_COMPANY), journey.configuration.submission) {
            (true, Some(_)) => Answer::Unknown,
            (is_known, _) => Answer::of(is_known),
        }
    }

    /// A savings plan: some amount, none below what its fund wants of a first purchase, and a start that the mandate allows.
    fn may_save(&self, form: Form<'_>, answers: &StepAnswers<'_>) -> Answer {
        let least = |fund: &str| InstrumentId::parse(fund).map_or(0, |fund| self.first_purchase(fund));
        let mut amounts = answers.by_fund("amount").peekable();
        let is_some = amounts.peek().is_some();
        let are_enough = amounts.all(|(fund, ore)| ore >= i128::from(least(fund)));
        let start = answers.one("startDate").and_then(date).map(day_of);
        let begins = start.is_some_and(|start| {
            start >= form.first_day_of_savings() && start <= form.today().saturating_add(MOST_DAYS_AHEAD)
        });
        Answer::of(is_some && are_enough && begins)
    }

    /// The least that a first purchase of a fund may be.
    pub(super) fn first_purchase(&self, fund: InstrumentId) -> Ore {
        let facts = self.funds.get(&fund).map(|fund| &fund.facts);
        facts.map_or(0, |facts| figures::ore(facts.min_initial.unwrap_or(facts.min_investment)))
    }

    /// Whether the owner has a mandate under this client that can be used today.
    pub(super) fn has_active_mandate(&self, client: ClientId, owner: &OwnerKey) -> bool {
        self.bank_files_of(client, owner).any(|bank| *bank.last.mandate == MandateStatus::Active)
    }

    /// The bank accounts of an owner under a client, the oldest first.
    pub(super) fn bank_files_of<'m>(
        &'m self,
        client: ClientId,
        owner: &OwnerKey,
    ) -> impl Iterator<Item = &'m BankFile> {
        let is_own = move |account| {
            let file = self.accounts.get(account).filter(|file| file.last.client == client);
            file.is_some_and(|file| file.last.owner.key() == *owner)
        };
        self.banks.values().filter(move |bank| is_own(&bank.account))
    }

    /// Whether an owner has a mandate under a client that can be used, or will be.
    pub(super) fn has_mandate_of(&self, client: ClientId, owner: &OwnerKey) -> bool {
        self.bank_files_of(client, owner).any(|bank| can_be_charged(*bank.last.mandate))
    }
}

/// The owners of a company: at least one, each with a number or a birth, and with a share where that makes an owner; of all shares there
/// are no more than the whole.
fn are_owners(answers: &StepAnswers<'_>, today: Day) -> bool {
    let (mut numbers, mut owned, mut count) = (Vec::new(), 0, 0);
    for row in 0..OWNERS {
        let name = |key: &str| format!("owners[{row}].{key}");
        let one = |key: &str| answers.one(&name(key));
        if one("fullName").is_none() {
            // A name that is shown and cleared leaves that person out.
            let was_shown = answers.field(&name("fullName")).is_some_and(|field| !field.values.is_empty());
            if !was_shown && ["ssn", "birthDate", "country", "share"].iter().any(|key| one(key).is_some()) {
                return false;
            }
            continue;
        }
        count += 1;
        let is_somebody = match one("ssn") {
            Some(number) => !numbers.contains(&number),
            None => {
                one("country").is_some() && one("birthDate").and_then(date).is_some_and(|born| day_of(born) <= today)
            }
        };
        numbers.extend(one("ssn"));
        let share = one("share").map(|text| hundredths(text).unwrap_or(WHOLE + 1));
        let Some(control) = one("control") else { return false };
        let is_enough = match control {
            "shares" | "votes" => share.is_some_and(|share| share > LEAST_SHARE),
            _ => true,
        };
        owned += share.filter(|_| control == "shares").unwrap_or(0);
        if !is_somebody || !is_enough || share.is_some_and(|share| share > WHOLE) || owned > WHOLE {
            return false;
        }
    }
    count > 0
}

/// Accounts at custodians that are to be moved: each complete, of the type that is opened, and named once; none only where the step can be
/// skipped.
fn may_move(form: Form<'_>, answers: &StepAnswers<'_>) -> bool {
    let opened = form.answered(JourneyStep::AccountDetails, "accountType");
    let transfers = form.journey.configuration.transfer.as_ref().map_or(&[][..], |transfer| &transfer.transfers);
    let (mut chosen, mut numbers) = (0, Vec::new());
    for (at, entry) in transfers.iter().enumerate() {
        for of in 0..entry.accounts.len() {
            let name = |key: &str| format!("transfers[{at}].accounts[{of}].{key}");
            if !answers.is_yes(&name("selected")) {
                continue;
            }
            chosen += 1;
            let outputs = ["untransferableUnitsOutput", "defaultUnitsOutput", "balanceOutput"];
            let is_complete = outputs.iter().all(|key| answers.one(&name(key)).is_some());
            let source = answers.one(&name("sourceAccountType"));
            let Some(number) = answers.one(&name("accountNumber")) else { return false };
            let named = (&entry.custodian, number);
            if !is_complete
                || source.is_none()
                || source != opened
                || !is_account_number(number)
                || numbers.contains(&named)
            {
                return false;
            }
            numbers.push(named);
        }
    }
    chosen > 0 || answers.field("skip").is_some()
}
