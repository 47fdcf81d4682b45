//! Laws of accounts: balance, positions, reservations, average acquisition value.

use super::{Acts, Cause, Claim, Fact, Judge, Law, updates};
use crate::model::words::Word as _;
use crate::model::{AccountFile, JourneyFile, calendar, figures};
use rust_decimal::{Decimal, RoundingStrategy};
use sim::World;
use sim::command::{OpenAccount, Purgeable};
use sim::event::{Delta, Event};
use sim::identity::InstrumentId;
use sim::ids::{AccountId, JourneyId};
use sim::machines::journey::State as JourneyState;
use sim::query;
use sim::records::{Account, AccountStatus, JourneyType, KycAnswer, KycStatus};
use sim::time::{Date, Instant};
use std::sync::Arc;

impl Judge {
    pub(super) fn on_account(&mut self, world: &World, event: &Event, delta: &Delta<Account>) {
        let at = event.at;
        match delta {
            Delta::Created(account) => {
                self.model.note_owner(account);
                self.created_now(at, &account.stamp, || format!("account {}", account.id));
                self.next_sorted(0, account.sorted_id, at);
                let known = self.model.accounts.insert(account.id, AccountFile::new(account));
                self.ensure(known.is_none(), Law::Identity, at, || format!("two accounts have the id {}", account.id));
                if account.status() == AccountStatus::Active {
                    self.model.begin_fees(account.id, at);
                }
                self.account_made(world, at, account.id);
                self.check_bank_accounts(at, account);
            }
            Delta::Updated { previous, current } => {
                let id = current.id;
                let Some(file) = self.model.accounts.get_mut(&id) else {
                    return self.fail(
                        Law::EventCorrespondence,
                        at,
                        || format!("account {id} changed before its creation event"),
                        None,
                    );
                };
                let known = std::mem::replace(&mut file.last, Arc::clone(current));
                let continues = Arc::ptr_eq(previous, &known) || same(previous, &known);
                self.ensure(continues, Law::EventCorrespondence, at, || {
                    format!("account {id}: an update began where no update had ended")
                });
                self.changed_now(at, &previous.stamp, &current.stamp, || format!("account {id}"));
                self.account_moved(at, previous, current);
                self.check_bank_accounts(at, current);
                self.account_agrees(at, id);
            }
            Delta::Deleted(last) => self.account_deleted(at, last),
        }
        let account = delta.latest();
        self.ensure(event.client == Some(account.client), Law::Isolation, at, || {
            format!("account {}: an event was sent to another client", account.id)
        });
        self.touch_account(account.id);
    }

    /// Only what is empty goes, and it goes for good (law 32).
    fn account_deleted(&mut self, at: Instant, last: &Arc<Account>) {
        let id = last.id;
        self.model.finish_fees(id);
        let Some(file) = self.model.accounts.get_mut(&id) else {
            return self.fail(
                Law::EventCorrespondence,
                at,
                || format!("account {id} was deleted before its creation event"),
                None,
            );
        };
        let continues = same(last, &file.last) && file.last.deleted.is_none();
        let mut gone = Account::clone(&file.last);
        gone.deleted = Some(at);
        gone.stamp.touch(at);
        file.last = Arc::new(gone);
        file.waits_until = None;
        let held = file.holdings.iter().any(|held| (held.units, held.settled, held.reserved) != (0, 0, 0));
        let empty = !held && (file.balance, file.reserved, file.subscribed) == (0, 0, 0);
        self.ensure(continues, Law::EventCorrespondence, at, || {
            format!("account {id}: a deletion began where no update had ended")
        });
        self.ensure(empty, Law::DeletedIsEmpty, at, || format!("account {id} was deleted with something left in it"));
        let asked = matches!(self.acts, Acts::Closes(closed) if closed == id);
        let died = self.acts == Acts::Dies && self.model.is_ended_by_death(id);
        let wound_up = matches!(self.cause, Cause::Clock) && last.status() == AccountStatus::Closing;
        let purged = self.acts == Acts::Purges(Purgeable::Account(id)) && last.status() == AccountStatus::Rejected;
        self.met.note_if(Law::DeletedIsEmpty, wound_up);
        if let Some(payout) = self.model.may_come_back(at, id) {
            let what = || format!("account {id} was deleted while the bank may still send payout {payout} back");
            let claim = Claim::Read(id, format!("/account/{id}"), vec![("deleted", Fact::Flag(false))]);
            self.fail(Law::DeletedIsEmpty, at, what, Some(claim));
        }
        self.ensure(asked || died || wound_up || purged, Law::DeletedIsEmpty, at, || {
            format!("account {id} was deleted unasked")
        });
        self.model.account_settled(id, AccountStatus::Closing, at);
    }

    /// The account in its last event has the figures that its transactions add up to (laws 2, 5, 10).
    fn account_agrees(&mut self, at: Instant, id: AccountId) {
        let Some(file) = self.model.accounts.get(&id) else { return };
        let last = Arc::clone(&file.last);
        let (balance, deposited, withdrawn) = (file.balance, file.deposited, file.withdrawn);
        let got = figures::ore(last.balance);
        if got != balance {
            let claim = Claim::Cash(id, figures::amount(balance).to_string());
            let what = || {
                format!("account {id} has {} where its transactions make {}", last.balance, figures::amount(balance))
            };
            self.fail(Law::BalanceIdentity, at, what, Some(claim));
        }
        let sums = (figures::ore(last.deposited), figures::ore(last.withdrawn)) == (deposited, withdrawn);
        self.ensure(sums, Law::DepositedAndWithdrawn, at, || {
            format!("account {id} shows {} deposited, {} withdrawn", last.deposited, last.withdrawn)
        });
        for instrument in self.model.accounts.get(&id).map(|file| file.moved.clone()).unwrap_or_default() {
            self.position_agrees(at, id, instrument);
            self.acquisition_value(at, id, instrument);
        }
    }

    /// As `account_agrees`, for every holding: for sweeps.
    pub(super) fn all_positions_agree(&mut self, at: Instant, id: AccountId) {
        let Some(file) = self.model.accounts.get(&id) else { return };
        let listed = file.last.positions.iter().map(|position| position.instrument);
        let known =
            file.holdings.iter().filter(|held| (held.units, held.settled) != (0, 0)).map(|held| held.instrument);
        let mut all: Vec<InstrumentId> = listed.chain(known).collect();
        all.sort_unstable();
        all.dedup();
        all.into_iter().for_each(|instrument| self.position_agrees(at, id, instrument));
    }

    fn position_agrees(&mut self, at: Instant, id: AccountId, instrument: InstrumentId) {
        let Some(file) = self.model.accounts.get(&id) else { return };
        let (units, settled) = file.holding(instrument).map_or((0, 0), |held| (held.units, held.settled));
        let got =
            file.last.position(instrument).map_or((0, 0), |p| (figures::steps(p.units), figures::steps(p.settled)));
        if got != (units, settled) {
            let claim = Claim::Units(id, instrument, figures::units(units).to_string());
            let what = || {
                let text =
                    |(units, settled)| format!("{} ({} settled)", figures::units(units), figures::units(settled));
                format!(
                    "account {id} has {} in {instrument} where transactions make {}",
                    text(got),
                    text((units, settled))
                )
            };
            self.fail(Law::UnitsIdentity, at, what, Some(claim));
        }
        let short = units < 0 || settled < units;
        self.ensure(!short, Law::NoShortPositions, at, || format!("account {id} is short in {instrument}"));
    }

    /// Law 16: what the settled units were bought for, of which the average acquisition value is the share of one.
    fn acquisition_value(&mut self, at: Instant, id: AccountId, instrument: InstrumentId) {
        let Some(file) = self.model.accounts.get(&id) else { return };
        let got = file.last.position(instrument).map_or(Decimal::ZERO, |position| position.cost);
        let (cost, settled) = file.holding(instrument).map_or((Decimal::ZERO, 0), |held| (held.cost, held.settled));
        if (got - cost).abs() > Decimal::new(1, 9) {
            let gav = cost.checked_div(figures::units(settled).get()).unwrap_or_default();
            let gav = gav.round_dp_with_strategy(6, RoundingStrategy::MidpointAwayFromZero);
            let claim = (settled != 0).then(|| Claim::Gav(id, instrument, gav.normalize().to_string()));
            self.fail(
                Law::AverageAcquisitionValue,
                at,
                || format!("account {id}: {instrument} shows cost {got}, its settlements make {cost}"),
                claim,
            );
        }
    }

    /// After a step: the account reads as in its last event, and its reservations are those of its orders.
    pub(super) fn check_account(&mut self, world: &World, id: AccountId) {
        let now = world.now();
        let Some(file) = self.model.accounts.get_mut(&id) else { return };
        let Some(record) = query::account(world, file.last.client, id).cloned() else {
            return self.fail(
                Law::EventCorrespondence,
                now,
                || format!("account {id} has events and cannot be read"),
                None,
            );
        };
        let is_same = Arc::ptr_eq(&record, &file.last) || same(&record, &file.last);
        if is_same {
            // Reservations change without an event; the next look need not compare the rest again.
            file.last = Arc::clone(&record);
        }
        let (balance, reserved, subscribed) = (file.balance, file.reserved, file.subscribed);
        let mut moved = std::mem::take(&mut file.moved);
        for &instrument in &moved {
            self.units_set_aside(now, &record, instrument);
        }
        if let Some(file) = self.model.accounts.get_mut(&id) {
            moved.clear();
            file.moved = moved;
        }
        self.ensure(is_same, Law::EventCorrespondence, now, || format!("account {id} differs from its events"));
        if figures::ore(record.reserved) != reserved {
            let claim = Claim::Spendable(id, figures::amount(balance - reserved).to_string());
            let (is, should) = (record.reserved, figures::amount(reserved));
            self.fail(
                Law::NoNegativeCash,
                now,
                || format!("account {id} has set aside {is} for orders that ask {should}"),
                Some(claim),
            );
        }
        let under_way = figures::ore(record.subscribed) == subscribed;
        self.ensure(under_way, Law::ValueIdentity, now, || {
            format!("account {id} counts {} under way", record.subscribed)
        });
        self.met.note_if(Law::NoNegativeCash, reserved > 0 && balance < 2 * reserved);
        self.ensure(balance >= reserved && balance >= 0, Law::NoNegativeCash, now, || {
            format!("account {id} has {} with {} set aside", figures::amount(balance), figures::amount(reserved))
        });
        if !self.model.forgotten.contains(&record.client) {
            self.banks_stand(world, &record);
        }
        let until = self.model.accounts.get(&id).map(|file| file.kyc_until);
        if until != Some(record.kyc_valid_until) {
            let path = format!("/kycstatus/account/{id}");
            let claim = until.map(|until| Claim::Read(id, path, vec![("expiryDate", Fact::day(Some(until)))]));
            let what = || {
                let until = until.map_or("never".to_owned(), |until| until.to_string());
                format!("account {id}: its KYC holds until {}, not {until}", record.kyc_valid_until)
            };
            self.fail(Law::AccountPath, now, what, claim);
        }
    }

    /// What is shown of the KYC of the account that a journey is about.
    pub(super) fn kyc_of_journey_is_shown(&mut self, world: &World, id: JourneyId) {
        let file = self.model.journeys.get(&id);
        let of = file.and_then(|file| query::account(world, file.client, file.last.configuration.account?));
        if let Some(account) = of {
            self.kyc_is_shown(world, account);
        }
    }

    /// What is shown of an account's KYC: pending while the account waits for others or a customer renews its KYC, and expiring from
    /// so many days before its last day on (rule: accounts/kyc-renewal).
    pub(super) fn kyc_is_shown(&mut self, world: &World, account: &Account) {
        self.kyc_is_as_answered(world, account.id);
        let Some(file) = self.model.accounts.get(&account.id) else { return };
        let today = calendar::local_day(world.now());
        let last_day = calendar::day_of(file.kyc_until);
        let renews = |journey: &JourneyFile| {
            journey.kind == JourneyType::KycRenewal
                && journey.state == JourneyState::Pending
                && journey.last.configuration.account == Some(account.id)
        };
        let is_decided = !matches!(file.last.status(), AccountStatus::Pending | AccountStatus::Confirm);
        let is_due = i64::from(last_day - today) <= i64::from(self.model.settings.journeys.kyc_expiring_days);
        let is_renewed = self.model.journeys.values().any(renews);
        let status = match (is_decided && !is_renewed, is_due, today > last_day) {
            (false, ..) => KycStatus::Pending,
            (true, _, true) => KycStatus::Expired,
            (true, true, false) => KycStatus::Expiring,
            (true, false, false) => KycStatus::Valid,
        };
        let got = query::kyc_status(world, account);
        let expected = (status, is_due, file.kyc_given, file.kyc_until);
        let got = (got.status, got.renewal_required, got.last_updated, got.expiry);
        if got != expected {
            let (id, path) = (account.id, format!("/kycstatus/account/{}", account.id));
            let facts = vec![
                ("status", Fact::text(status.word())),
                ("renewalRequired", Fact::Flag(is_due)),
                ("lastUpdatedDate", Fact::text(file.kyc_given)),
                ("expiryDate", Fact::day(Some(file.kyc_until))),
            ];
            let what = || {
                let shown = |(status, is_due, given, until): (KycStatus, bool, Instant, Date)| {
                    let renewal = if is_due { "required" } else { "not required" };
                    format!("{}, given at {given}, valid until {until}, its renewal {renewal}", status.word())
                };
                format!("account {id}: its KYC is {}; expected {}", shown(got), shown(expected))
            };
            self.fail(Law::AccountPath, world.now(), what, Some(Claim::Read(id, path, facts)));
        }
    }

    /// The KYC of an account says what its journeys have asked.
    fn kyc_is_as_answered(&mut self, world: &World, id: AccountId) {
        let Some(file) = self.model.accounts.get(&id) else { return };
        let got = query::standing(world, id).map_or(&[][..], |standing| &standing.kyc);
        if got != file.kyc {
            let one = |answer: &KycAnswer| {
                let texts = answer.answer.join(" ");
                if answer.is_list { format!("{} [{texts}]", answer.qid) } else { format!("{} {texts}", answer.qid) }
            };
            let in_words = |answers: &[KycAnswer]| answers.iter().map(one).collect::<Vec<_>>().join(", ");
            let what = format!("account {id}: its KYC says {}; expected {}", in_words(got), in_words(&file.kyc));
            self.fail(Law::AccountPath, world.now(), || what, None);
        }
    }

    /// That redemptions have set aside what they ask, and no more.
    fn units_set_aside(&mut self, now: Instant, record: &Account, instrument: InstrumentId) {
        let Some(file) = self.model.accounts.get(&record.id) else { return };
        let asked = file.holding(instrument).map_or(0, |held| held.reserved);
        let set_aside = record.position(instrument).map_or(0, |position| figures::steps(position.reserved));
        self.met.note_if(Law::NoShortPositions, asked > 0 && file.sellable(instrument) == 0);
        if set_aside != asked {
            let id = record.id;
            let claim = Claim::Sellable(id, instrument, figures::units(file.sellable(instrument)).to_string());
            let what = || {
                let (is, should) = (figures::units(set_aside), figures::units(asked));
                format!("account {id} has set aside {is} units in {instrument} for orders that ask {should}")
            };
            self.fail(Law::NoShortPositions, now, what, Some(claim));
        }
    }

    pub(super) fn opened_as_asked(&mut self, at: Instant, open: &OpenAccount, account: &Account) {
        let exposed = self.model.listed(account).0;
        self.model.start_kyc(account.id, at, exposed);
        let owner = open.owner.as_ref().is_none_or(|owner| *owner == *account.owner);
        let kind = (account.client, account.account_type, account.service_type, account.category)
            == (open.scope.client, open.account_type, open.service_type, open.category);
        let units = |instrument| account.position(instrument).map(|position| (position.units, position.settled));
        let positions = open.positions.iter().all(|&(instrument, asked)| units(instrument) == Some((asked, asked)))
            && account.positions.len() == open.positions.len();
        let cash = account.balance == open.cash && account.deposited == open.cash;
        let banks = open.bank_accounts.iter().all(|bank| account.bank_accounts.iter().any(|b| b.iban == bank.iban));
        let fits = owner && kind && positions && cash && banks;
        self.ensure(fits, Law::RefusalsChangeNothing, at, || {
            format!("account {} is not what was asked for", account.id)
        });
    }
}

/// What the public sees of two states of an account is the same.
fn same(one: &Account, other: &Account) -> bool {
    one.stamp == other.stamp && updates::is_alike(one, other)
}
