//! What the steps about money ask: a bank account with its mandate, an allocation plan, a savings plan (rule: journeys/bank-account-step,
//! journeys/autogiro-enforcement, journeys/allocation-of-plans, plans/savings-plan-start, plans/first-purchase-in-plans).
//!
//! Invariant: funds come in the order of their ids, unless the configuration names them.

use super::super::BankFile;
use super::super::calendar::{Day, bank_days_after, date_of};
use super::super::figures::Ore;
use super::field::{Field, ask, flag, named};
use super::{Form, suggested};
use sim::identity::{Iban, InstrumentId};
use sim::money::{Amount, Percent};
use sim::query::{FieldKind, FieldView};
use sim::records::{AutogiroEnforce, DepositType, JourneyStep, JourneyType, Periodicity, Side};

/// Most characters of a bank account's name.
const LONGEST_BANK_NAME: usize = 50;
/// What a lever saves where nothing is given and the fund wants no more.
const USUAL_AMOUNT: Ore = 50_000;

impl<'a> Form<'a> {
    /// The bank account that the configuration charges.
    pub(super) fn payment_account(self) -> Option<Iban> {
        let it = self.configuration();
        it.payment_account.or_else(|| it.allocation_plan.as_ref()?.payment_account)
    }

    /// Whether something is charged, so that there must be a mandate.
    fn must_charge(self) -> bool {
        self.shows(JourneyStep::SavingsPlan) || self.charges_plan() || self.payment_account().is_some()
    }

    fn may_skip_bank_account(self) -> bool {
        let is_optional = self.enforce() == AutogiroEnforce::Optional;
        is_optional && !self.must_charge() && self.configuration().journey_type != JourneyType::AddBankAccount
    }

    /// Bank accounts that the owner has under this client, the oldest first.
    fn banks(self) -> Vec<&'a BankFile> {
        let Some(owner) = self.owner() else { return Vec::new() };
        self.model.bank_files_of(self.journey.client, &owner).collect()
    }

    pub(super) fn bank_account(self, drawn: &[FieldView]) -> Vec<Field> {
        let it = self.configuration();
        let mut fields = Vec::new();
        if self.may_skip_bank_account() {
            fields.push(flag("skip").suggest("no"));
        }
        let must_be_new = it.autogiro.is_some_and(|autogiro| autogiro.force_new_bank_account)
            || self.payment_account().is_some()
            || (it.journey_type == JourneyType::AddBankAccount && !self.wants_mandate());
        let known = if must_be_new { Vec::new() } else { self.banks() };
        if !known.is_empty() {
            let ids = known.iter().map(|bank| bank.last.id.to_string());
            fields.push(ask("bankAccount", FieldKind::Choice).among(ids.chain(["new".to_owned()])));
        }
        let suggested = suggested(drawn, "iban");
        let charged = self.payment_account();
        fields.push(ask("iban", FieldKind::Iban).suggest_all(suggested).fixed_to(charged.as_ref().map(Iban::as_str)));
        fields.push(ask("name", FieldKind::Text { max: LONGEST_BANK_NAME }));
        if self.must_charge() || self.wants_mandate() {
            let is_needed = self.must_charge() || self.enforce() == AutogiroEnforce::Required;
            fields.push(flag("mandate").suggest("yes").fixed_to(is_needed.then_some("yes")));
        }
        fields
    }

    /// Whether the customer has named a bank account that may be charged.
    fn gives_mandate(self) -> bool {
        let step = JourneyStep::BankAccount;
        let answered = |name| self.answered(step, name);
        let leaves_out = self.may_skip_bank_account() && answered("skip") == Some("yes");
        let is_named = answered("bankAccount").is_some_and(|picked| picked != "new") || answered("iban").is_some();
        self.shows(step) && !leaves_out && is_named && answered("mandate") == Some("yes")
    }

    pub(super) fn allocation_plan(self) -> Vec<Field> {
        let plan = self.configuration().allocation_plan.as_ref();
        let can_charge = self.has_mandate() || self.gives_mandate();
        let deposits = match plan.and_then(|plan| plan.deposit_type) {
            Some(fixed) => vec![fixed],
            None if can_charge => vec![DepositType::Manual, DepositType::Autogiro],
            None => vec![DepositType::Manual],
        };
        let periods = plan.and_then(|plan| plan.periodicity).map_or_else(|| Periodicity::ALL.to_vec(), |one| vec![one]);
        let mut fields = vec![
            ask("depositType", FieldKind::Choice).required().among(deposits.iter().map(|one| one.name())),
            ask("periodicity", FieldKind::Choice).required().among(periods.iter().map(|one| one.name())),
        ];
        let share = |fund: InstrumentId| named(format!("allocation.{fund}"), "allocation", FieldKind::Percent);
        match plan.and_then(|plan| plan.instruments.as_ref()) {
            Some(fixed) => fields.extend(fixed.iter().map(|given| {
                let field = share(given.instrument).required();
                field.fixed_to(Some(&given.percent.to_string()))
            })),
            None => fields.extend(self.offered(None).into_iter().enumerate().map(|(at, fund)| {
                if at == 0 { share(fund).suggest(&Percent::WHOLE.to_string()) } else { share(fund) }
            })),
        }
        fields
    }

    pub(super) fn savings_plan(self) -> Vec<Field> {
        let plan = self.configuration().savings_plan.as_ref();
        let funds = self.offered(plan.and_then(|plan| plan.instruments.as_deref()));
        let amount = |(at, fund): (usize, InstrumentId)| {
            let field = named(format!("amount.{fund}"), "amount", FieldKind::Amount);
            let least = self.model.first_purchase(fund).max(USUAL_AMOUNT);
            if at == 0 { field.suggest(&Amount::from_ore(least).to_string()) } else { field }
        };
        let mut fields: Vec<Field> = funds.into_iter().enumerate().map(amount).collect();
        fields.push(ask("day", FieldKind::Day).required().suggest("25"));
        let begins = date_of(self.first_day_of_savings()).to_string();
        fields.push(ask("startDate", FieldKind::Date).required().suggest(&begins));
        fields
    }

    /// The day on which a savings plan may begin at the earliest: one bank day after its mandate can be used.
    pub(in super::super) fn first_day_of_savings(self) -> Day {
        let is_active = self.owner().is_some_and(|owner| self.model.has_active_mandate(self.journey.client, &owner));
        let wait = if is_active { 0 } else { self.model.settings.journeys.mandate_bank_days };
        bank_days_after(self.today(), wait + 1)
    }

    /// Funds to choose from: those that the plan names, those that the journey names, or all that can be bought.
    fn offered(self, of_plan: Option<&[InstrumentId]>) -> Vec<InstrumentId> {
        match of_plan.or(self.configuration().instruments.as_deref()) {
            Some(named) => named.to_vec(),
            None => self.funds(|fund| !self.model.funds[&fund].is_closed(Side::Subscription)),
        }
    }

    /// Funds of the client, by their ids.
    pub(super) fn funds(self, keep: impl Fn(InstrumentId) -> bool) -> Vec<InstrumentId> {
        let all = self.model.funds.keys().copied();
        let mut funds: Vec<_> = all.filter(|fund| self.client.universe.contains(*fund) && keep(*fund)).collect();
        funds.sort_unstable();
        funds
    }
}
