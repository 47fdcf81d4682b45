//! What a command should lead to that no order is about, and the law that says so.
//!
//! Invariant: as for orders, decided before the world is asked; what is another's or not there is refused by the law of isolation.
//! Where nothing is known it is `Unsure`.

use super::Model;
use super::clients::Checked;
use super::expected::Expected;
use super::mobile_payment_files::{MobilePaymentFile, SessionState};
use super::money_in::code_of_lever;
use super::outcomes;
use crate::laws::Law;
use sim::World;
use sim::command::{Command, CustodianAct, Decision};
use sim::ids::{AccountId, BankAccountId, JourneyId, MobilePaymentId, PartnerId};
use sim::machines::journey::State;
use sim::machines::transfer::State as TransferState;
use sim::query;
use sim::records::{AccountStatus, ErrorCode, JourneyStep};
use sim::refusal::Class;

/// The longest `scope` (rule: journeys/partner-scope).
const LONGEST_SCOPE: usize = 768;

/// A law and what it says of a command.
type LawAndExpected = (Law, Expected);

const fn refused(law: Law, class: Class) -> LawAndExpected {
    (law, Expected::Refused(class))
}

const UNKNOWN: LawAndExpected = refused(Law::Isolation, Class::Unknown);
const UNSURE: LawAndExpected = (Law::RefusalsChangeNothing, Expected::Unsure);

/// Accepted by this law, unless something is wrong with a request or is not known.
fn judged(law: Law, checked: Checked) -> LawAndExpected {
    let expected = checked.err().unwrap_or(Expected::Accepted);
    (expected.by(law), expected)
}

/// What the addresses of generated journeys begin with that lead neither to the web nor to an app (rule: journeys/redirect-urls).
const NEITHER: [&str; 8] =
    ["javascript:", "data:", "file:", "view-source:", "ws:", "ftp:", "mailto:", "chrome-extension:"];

/// Whether a customer can be sent there: two slashes follow the scheme and something follows them.
fn leads_to_web_or_app(address: &str) -> bool {
    let small = address.to_ascii_lowercase();
    let behind = small.find("://").map(|at| &small[at + 3..]);
    let is_whole = behind.is_some_and(|behind| !behind.is_empty() && !behind.starts_with('/'));
    is_whole && !NEITHER.iter().any(|beginning| small.starts_with(beginning))
}

/// Whether a partner's data are base64 in one of its two alphabets, padded to groups of four (rule: journeys/partner-scope).
fn is_base64(text: &str) -> bool {
    let body = text.strip_suffix("==").or_else(|| text.strip_suffix('=')).unwrap_or(text);
    let is_in = |others: &[u8]| body.bytes().all(|byte| byte.is_ascii_alphanumeric() || others.contains(&byte));
    text.len() <= LONGEST_SCOPE && text.len().is_multiple_of(4) && (is_in(b"+/") || is_in(b"-_"))
}

impl Model {
    /// What a command that no order is about should lead to, and the law that says so.
    pub(super) fn of_others(&self, world: &World, command: &Command) -> LawAndExpected {
        match command {
            Command::CreateJourney(create) => {
                let scope = create.scope;
                if self.partner_of(scope.client) != Some(scope.partner) {
                    return refused(Law::Isolation, Class::OutOfScope);
                }
                let mut redirects = [&create.redirect_url, &create.completion_redirect_url].into_iter().flatten();
                if !create.partner_data.as_deref().is_none_or(is_base64) {
                    refused(Law::Scope, Class::Malformed)
                } else if redirects.any(|address| !leads_to_web_or_app(address)) {
                    refused(Law::RefusalsChangeNothing, Class::Malformed)
                } else {
                    judged(Law::RefusalsChangeNothing, self.create_journey(world, create))
                }
            }
            Command::CreateMobilePayment(create) => self
                .mobile_payment_refused(create)
                .map_or((Law::DepositOnce, Expected::Accepted), |(law, class)| refused(law, class)),
            Command::OpenMobilePayment { payment } if self.mobile_payments.contains_key(payment) => {
                (Law::DepositOnce, Expected::Accepted)
            }
            Command::OpenMobilePayment { .. } => UNKNOWN,
            Command::PayMobilePayment { payment, partner } => {
                self.mobile_payment_moves(*payment, *partner, &[SessionState::Waiting, SessionState::Silent])
            }
            Command::DeclineMobilePayment { payment, partner }
            | Command::FailMobilePayment { payment, partner, .. } => {
                self.mobile_payment_moves(*payment, *partner, &[SessionState::Waiting])
            }
            Command::RefusePayers { partner, account, .. } => {
                let file = self.accounts.get(account).map(|file| &file.last);
                match file.filter(|account| self.partner_of(account.client) == Some(*partner)) {
                    None => UNKNOWN,
                    Some(account) if account.status() == AccountStatus::Active && account.deleted.is_none() => {
                        (Law::DepositOnce, Expected::Accepted)
                    }
                    Some(_) => refused(Law::ActiveAccountsOnly, Class::AccountNotActive),
                }
            }
            Command::OpenJourney { journey, partner } => self.open_journey(*journey, *partner),
            Command::AbortJourney { journey, context } => match self.journeys.get(journey) {
                None => UNKNOWN,
                Some(file) => self.leave(world, *journey, *context, file.state == State::Pending),
            },
            Command::FailJourney { code: ErrorCode::User, .. } => refused(Law::JourneyPath, Class::Malformed),
            Command::CancelJourney { partner, journey, context }
            | Command::FailJourney { partner, journey, context, .. } => match self.reached(*journey, Some(*partner)) {
                Err(_) => UNKNOWN,
                Ok(file) => self.leave(world, *journey, *context, !file.state.is_terminal()),
            },
            Command::ExpireJourney { partner, journey } => match self.reached(*journey, Some(*partner)) {
                Err(_) => UNKNOWN,
                Ok(file) => self.leave(world, *journey, None, !file.state.is_terminal()),
            },
            Command::DecideAccount { partner, account, decision } => self.decide(*partner, *account, *decision),
            Command::CheckBankAccount { partner, bank_account, .. } => match self.bank_of(*partner, *bank_account) {
                None => UNKNOWN,
                Some(bank) if !self.is_shown(bank) => UNSURE,
                Some(bank) if bank.passed.is_none() => (Law::ValidatedMeansChecked, Expected::Accepted),
                Some(_) => refused(Law::ValidatedMeansChecked, Class::Conflict),
            },
            Command::AdviseMandate { code, .. } if !outcomes::is_code(code) => {
                refused(Law::ChargesNeedAMandate, Class::Malformed)
            }
            Command::AdviseMandate { partner, bank_account, code } => match self.bank_of(*partner, *bank_account) {
                None => UNKNOWN,
                Some(bank) if !self.is_shown(bank) => UNSURE,
                Some(bank) if outcomes::advised(*bank.last.mandate, code).is_none() => {
                    refused(Law::ChargesNeedAMandate, Class::Conflict)
                }
                Some(_) => (Law::ChargesNeedAMandate, Expected::Accepted),
            },
            Command::MoveTransfer { partner, transfer, act } => {
                let file = self.transfers.get(transfer);
                let owner = file.and_then(|file| self.accounts.get(&file.account)).map(|account| account.last.client);
                match file.filter(|_| owner.and_then(|client| self.partner_of(client)) == Some(*partner)) {
                    // One that has ended is forgotten here.
                    None => UNSURE,
                    Some(file) => match (file.state, act) {
                        (TransferState::Sent, CustodianAct::Accept | CustodianAct::Reject)
                        | (TransferState::Accepted, CustodianAct::Complete) => {
                            (Law::TransfersBringWhatWasThere, Expected::Accepted)
                        }
                        _ => refused(Law::TransfersBringWhatWasThere, Class::Conflict),
                    },
                }
            }
            Command::Purge { partner, what } => judged(Law::DeletedIsEmpty, self.purge(*partner, *what)),
            Command::CreateClient(create) => judged(Law::RefusalsChangeNothing, self.create_client(create)),
            Command::PatchClient(patch) => judged(Law::RefusalsChangeNothing, self.patch_client(patch)),
            Command::SetClientFees(set) => judged(Law::FeeBound, self.set_fees(set)),
            Command::PatchAllocationPlan { scope, plan, bank_account, instruments } => {
                judged(Law::WholePlans, self.patch_plan(world, *scope, *plan, bank_account, instruments))
            }
            Command::DeleteAllocationPlan { scope, plan } => {
                judged(Law::OnePlan, self.delete_plan(world, *scope, *plan))
            }
            Command::DeleteSavingsPlan { scope, account } => {
                judged(Law::OnePlan, self.delete_savings(world, *scope, *account))
            }
            Command::AllocateSuspense { item, account } => {
                judged(Law::DepositOnce, self.leaves_suspense(world, *item, Some(*account)))
            }
            Command::ReturnSuspense { item } => judged(Law::DepositOnce, self.leaves_suspense(world, *item, None)),
            Command::CreateInstruction(create) => self.instruct(create),
            Command::PayByBankgiro(pay) if pay.amount.is_positive() => (Law::DepositOnce, Expected::Accepted),
            Command::PayByBankgiro(_) => refused(Law::RefusalsChangeNothing, Class::Malformed),
            Command::FailPayment { partner, payment, reason } => {
                if code_of_lever(*reason).is_some() {
                    self.fail_payment(*partner, *payment)
                } else {
                    refused(Law::ChargesNeedAMandate, Class::Malformed)
                }
            }
            _ => UNSURE,
        }
    }

    /// A lever on a session, or its payer's act, which is possible from these places.
    fn mobile_payment_moves(
        &self,
        payment: MobilePaymentId,
        partner: Option<PartnerId>,
        from: &[SessionState],
    ) -> LawAndExpected {
        let is_own = |file: &&MobilePaymentFile| partner.is_none() || self.partner_of(file.client) == partner;
        match self.mobile_payments.get(&payment).filter(is_own) {
            None => UNKNOWN,
            Some(file) if from.contains(&file.state) => (Law::DepositOnce, Expected::Accepted),
            Some(_) => refused(Law::DepositOnce, Class::Conflict),
        }
    }

    fn open_journey(&self, journey: JourneyId, partner: Option<PartnerId>) -> LawAndExpected {
        match self.reached(journey, partner).map(|file| file.state) {
            Err(_) => UNKNOWN,
            Ok(State::New) => (Law::JourneyPath, Expected::Accepted),
            Ok(State::Pending) if partner.is_none() => (Law::JourneyPath, Expected::Accepted),
            Ok(_) => refused(Law::JourneyPath, Class::Conflict),
        }
    }

    /// The end of a journey at a step, which the journey must show if it is named.
    fn leave(&self, world: &World, id: JourneyId, named: Option<JourneyStep>, can_end: bool) -> LawAndExpected {
        let form = query::journey_by_link(world, id).and_then(|journey| self.form(world, journey, &journey.progress));
        match (form, named) {
            (None, Some(_)) => UNSURE,
            (Some(form), Some(step)) if !form.shows(step) => refused(Law::JourneyPath, Class::Malformed),
            _ if can_end => (Law::JourneyPath, Expected::Accepted),
            _ => refused(Law::JourneyPath, Class::Conflict),
        }
    }

    fn decide(&self, partner: PartnerId, account: AccountId, decision: Decision) -> LawAndExpected {
        let file = self.accounts.get(&account).filter(|file| self.partner_of(file.last.client) == Some(partner));
        let Some(file) = file else { return UNKNOWN };
        let possible = match decision {
            Decision::Approve => file.last.status() == AccountStatus::Pending,
            Decision::Reject => matches!(file.last.status(), AccountStatus::Pending | AccountStatus::Confirm),
            Decision::Confirm => file.last.status() == AccountStatus::Confirm,
        };
        if possible && file.last.deleted.is_none() {
            (Law::AccountPath, Expected::Accepted)
        } else {
            refused(Law::AccountPath, Class::Conflict)
        }
    }

    fn bank_of(&self, partner: PartnerId, bank: BankAccountId) -> Option<&super::BankFile> {
        let file = self.banks.get(&bank)?;
        let client = self.accounts.get(&file.account)?.last.client;
        (self.partner_of(client) == Some(partner)).then_some(file)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_partners_data_are_base64_of_one_alphabet_with_its_padding() {
        for (text, is_fine) in [
            ("", true),
            ("YWJj", true),
            ("YW+/", true),
            ("YW-_", true),
            ("YW+_", false),
            ("YWI=", true),
            ("YQ==", true),
            ("Y===", false),
            ("YWI", false),
            ("YW Jj===", false),
        ] {
            assert_eq!(is_base64(text), is_fine, "{text}");
        }
        assert_eq!([768, 772].map(|length| is_base64(&"a".repeat(length))), [true, false]);
    }
}
