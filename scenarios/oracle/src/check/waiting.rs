//! Laws of what waits for others (33, 34, 54, 55): accounts, bank accounts, mandates and transfers move by themselves at
//! their own instant, or by the command that asks for it; a transfer brings what its custodian holds, once.

use super::identifiers::is_iban;
use super::{Acts, Cause, Claim, Ends, Fact, Items, Judge, Law};
use crate::model::figures;
use crate::model::outcomes;
use crate::model::waiting::can_sign;
use crate::model::words::{self, Word as _, listed, or_none, word_or_none};
use sim::ids::{AccountId, BankAccountId, TransferId};
use sim::machines::{bank_account, transfer};
use sim::records::{
    Account, AccountStatus, BankAccount, CashTransaction, FundTransaction, MandateStatus, Transfer, TransferKind,
    TransferResult,
};
use sim::store::Window;
use sim::time::Instant;
use sim::{World, query};
use std::sync::Arc;

impl Judge {
    /// An account's status has changed: a row of its table, due now or asked for.
    pub(super) fn account_moved(&mut self, at: Instant, before: &Account, now: &Account) {
        use AccountStatus::{Active, Closing, Confirm, Pending, Rejected};
        let (id, from, to) = (now.id, before.status(), now.status());
        if from == to {
            return;
        }
        let row =
            matches!((from, to), (Confirm, Pending | Rejected) | (Pending, Active | Rejected) | (Active, Closing));
        let waited = self.model.accounts.get(&id).and_then(|file| file.waits_until);
        let due = match (&self.cause, self.acts) {
            (Cause::Clock, _) => waited == Some(at) && to == self.model.after_waiting(before),
            (_, Acts::Decides(decided, expected)) => decided == id && to == expected,
            (_, Acts::Closes(closed)) => closed == id && to == Closing,
            (_, Acts::Dies) => self.model.is_ended_by_death(id) && to == Closing,
            (_, Acts::Journey(journey, Ends::Refuses)) => to == Rejected && self.model.signed_for(journey) == Some(id),
            (_, Acts::Journey(..)) => matches!((from, to), (Confirm, Pending) | (Pending, Rejected)),
            _ => false,
        };
        self.met.note_if(Law::AccountPath, to == Rejected);
        self.ensure(row && due, Law::AccountPath, at, || {
            format!("account {id} went from {} to {} at {at}", from.word(), to.word())
        });
        self.model.expect_account(id, at);
        if to == Active {
            self.model.begin_fees(id, at);
        }
        if to != Pending {
            self.model.account_settled(id, to, at);
        }
    }

    pub(super) fn account_overdue(&mut self, at: Instant, id: AccountId) {
        let waits = self.model.accounts.get(&id).is_some_and(|file| file.waits_until == Some(at));
        self.ensure(!waits, Law::AccountPath, at, || {
            format!("account {id} still waits though its time was up at {at}")
        });
    }

    /// The bank accounts of an account in an event at `at` (laws 33, 34 and 50).
    pub(super) fn check_bank_accounts(&mut self, at: Instant, account: &Account) {
        for bank in account.bank_accounts.iter() {
            let Some(file) = self.model.banks.get(&bank.id) else {
                let connected = matches!(self.acts, Acts::Journey(..)).then_some(at);
                self.ensure(connected.is_none() || !bank.validated, Law::ValidatedMeansChecked, at, || {
                    format!("bank account {} was validated at birth", bank.id)
                });
                self.met.note(Law::Identifiers);
                self.ensure(is_iban(bank.iban.as_str()), Law::Identifiers, at, || {
                    format!("{} fails its check", bank.iban)
                });
                self.model.new_bank(bank, account.id, connected);
                continue;
            };
            let before = Arc::clone(&file.last);
            if !Arc::ptr_eq(&before, bank) && *before != **bank {
                self.bank_changed(at, &before, bank);
            }
        }
    }

    fn bank_changed(&mut self, at: Instant, before: &BankAccount, now: &Arc<BankAccount>) {
        let id = now.id;
        self.changed_now(at, &before.stamp, &now.stamp, || format!("bank account {id}"));
        self.ensure(before.iban == now.iban && before.name == now.name, Law::ValidatedMeansChecked, at, || {
            format!("bank account {id} became another")
        });
        if before.validated != now.validated {
            self.check_ended(at, now);
        }
        if before.mandate != now.mandate {
            self.mandate_moved(at, *before.mandate, now);
        }
        if let Some(file) = self.model.banks.get_mut(&id) {
            file.last = Arc::clone(now);
        }
    }

    fn check_ended(&mut self, at: Instant, bank: &BankAccount) {
        let Some(file) = self.model.banks.get_mut(&bank.id) else { return };
        let by_itself = file.check_at == Some(at) && outcomes::check_passes(&bank.iban) == Some(true);
        let due = match (&self.cause, self.acts) {
            (Cause::Clock, _) => by_itself,
            (_, Acts::Checks(id, passes)) => id == bank.id && passes,
            _ => false,
        };
        (file.passed, file.check_at) = (Some(bank.validated), None);
        self.ensure(due && bank.validated, Law::ValidatedMeansChecked, at, || {
            format!("bank account {} became validated: {} at {at}", bank.id, bank.validated)
        });
    }

    fn mandate_moved(&mut self, at: Instant, from: MandateStatus, bank: &BankAccount) {
        let (id, to) = (bank.id, bank.mandate);
        let answer_at = self.model.banks.get(&id).and_then(|file| file.answer_at);
        let due = match (&self.cause, self.acts) {
            (Cause::Clock, _) => {
                let (answer, _) = outcomes::mandate(&bank.iban, &self.model.settings.journeys);
                let revoked = self.model.money_in.revoked.get(&id) == Some(&at);
                (answer_at == Some(at) && from == MandateStatus::Pending && to == answer)
                    || (revoked && from == MandateStatus::Active && to == MandateStatus::Missing)
            }
            (_, Acts::Advises(advised, expected)) => advised == id && to == expected,
            (_, Acts::Journey(..)) => can_sign(from) && to == MandateStatus::Pending,
            _ => false,
        };
        let is_over = !matches!(*to, MandateStatus::Active | MandateStatus::Pending);
        self.met.note_if(Law::ChargesNeedAMandate, is_over);
        self.ensure(due, Law::ChargesNeedAMandate, at, || {
            format!("the mandate of bank account {id} went from {} to {} at {at}", from.word(), to.word())
        });
        if let Some(file) = self.model.banks.get_mut(&id) {
            file.answer_at = None;
        }
        if to == MandateStatus::Pending {
            self.model.expect_mandate(id, at);
        }
    }

    /// The instant of a check has passed: one that fails causes no event of the account.
    pub(super) fn check_overdue(&mut self, world: &World, at: Instant, id: BankAccountId) {
        let Some(file) = self.model.banks.get_mut(&id).filter(|file| file.check_at == Some(at)) else { return };
        file.check_at = None;
        let passes = outcomes::check_passes(&file.last.iban);
        let standing = query::bank_file(world, id).map(|file| *file.check);
        let by_itself = match passes {
            Some(false) => bank_account::State::Rejected,
            _ => bank_account::State::Active,
        };
        let shown = self.model.banks.get(&id).is_some_and(|file| self.model.is_shown(file));
        // Where its client was forgotten, the bank may have answered before, without an event.
        let expected = standing.filter(|state| !shown && state.is_terminal()).unwrap_or(by_itself);
        if let Some(file) = self.model.banks.get_mut(&id) {
            file.passed = passes.map(|_| expected == bank_account::State::Active);
        }
        self.met.note_if(Law::ValidatedMeansChecked, expected != bank_account::State::Active);
        let is_known = passes == Some(false) || !shown;
        self.ensure(is_known && standing == Some(expected), Law::ValidatedMeansChecked, at, || {
            let (got, due) = (word_or_none(standing), expected.word());
            let decided = if is_known { "" } else { ", which a person decides" };
            format!("the check of bank account {id} was to end at {at} as {due}{decided}; it is {got}")
        });
    }

    pub(super) fn mandate_overdue(&mut self, at: Instant, id: BankAccountId) {
        let waits = self.model.banks.get(&id).filter(|file| file.answer_at == Some(at));
        let Some(file) = waits.filter(|file| self.model.is_shown(file)) else { return };
        let (answer, _) = outcomes::mandate(&file.last.iban, &self.model.settings.journeys);
        let fields = vec![("id", Fact::text(id)), ("mandateStatus", Fact::text(answer.name()))];
        let claim = Claim::Lists(file.account, Items::BankAccounts, fields);
        let what = || format!("bank account {id}: the bank did not answer on its mandate at {at}");
        self.fail(Law::ChargesNeedAMandate, at, what, Some(claim));
    }

    /// What the check of a bank account must have come to (law 33). Every account shows it as it is, deleted ones too.
    pub(super) fn banks_stand(&mut self, world: &World, account: &Account) {
        for bank in account.bank_accounts.iter() {
            let (Some(file), Some(known)) = (query::bank_file(world, bank.id), self.model.banks.get(&bank.id)) else {
                continue;
            };
            let passed = file.check == bank_account::State::Active;
            let same =
                bank.validated == passed && bank.validated == (known.passed == Some(true)) && *bank == known.last;
            if !same {
                let fields = vec![("id", Fact::text(bank.id)), ("validated", Fact::Flag(known.passed == Some(true)))];
                let wrong = bank.validated != (known.passed == Some(true));
                let claim = wrong.then_some(Claim::Lists(account.id, Items::BankAccounts, fields));
                let what = || {
                    let check = file.check.name();
                    format!("bank account {} is validated: {}, its check {check}", bank.id, bank.validated)
                };
                self.fail(Law::ValidatedMeansChecked, world.now(), what, claim);
            }
        }
    }

    /// A completed transfer books what its custodian holds, at the instant of its completion.
    fn booked_by(
        &mut self,
        world: &World,
        at: Instant,
        client: sim::ids::ClientId,
        reference: Option<&str>,
    ) -> Option<TransferId> {
        let id = reference.and_then(|text| TransferId::parse(text).ok())?;
        let record = query::transfer(world, client, id)?;
        self.model.roll_transfer(id, at);
        let brought = self
            .model
            .transfers
            .get(&id)
            .filter(|file| file.delivery.is_none())
            .map(|_| self.model.delivery(world, record));
        let file = self.model.transfers.get_mut(&id)?;
        file.delivery = file.delivery.take().or(brought);
        let due = file.state == transfer::State::Completed && file.since == at;
        self.ensure(due, Law::TransfersBringWhatWasThere, at, || {
            format!("transfer {id} was booked at {at}, when it was not completed")
        });
        Some(id)
    }

    pub(super) fn cash_transferred(&mut self, world: &World, at: Instant, cash: &CashTransaction) {
        let id = self.booked_by(world, at, cash.client, cash.reference.as_deref());
        let Some(file) = id.and_then(|id| self.model.transfers.get_mut(&id)) else {
            return self.fail(
                Law::TransfersBringWhatWasThere,
                at,
                || format!("cash {} comes from no transfer", cash.id),
                None,
            );
        };
        let expected = file.delivery.as_mut().map_or(0, |delivery| std::mem::take(&mut delivery.ore));
        let fits = file.account == cash.account && cash.settlement == Some(at.local_date());
        self.model.outside.transferred_in += expected;
        if fits && figures::ore(cash.amount) == expected {
            return;
        }
        let balance = query::account(world, cash.client, cash.account).map(|account| account.balance);
        let due =
            balance.map(|now| Claim::Cash(cash.account, (now - cash.amount + figures::amount(expected)).to_string()));
        let what =
            || format!("cash {} brings {}, its custodian sent {}", cash.id, cash.amount, figures::amount(expected));
        self.fail(Law::TransfersBringWhatWasThere, at, what, due);
    }

    pub(super) fn units_transferred(&mut self, world: &World, at: Instant, units: &FundTransaction) {
        let id = self.booked_by(world, at, units.client, units.reference.as_deref());
        let Some(file) = id.and_then(|id| self.model.transfers.get_mut(&id)) else {
            return self.fail(
                Law::TransfersBringWhatWasThere,
                at,
                || format!("units {} come from no transfer", units.id),
                None,
            );
        };
        let place = file.delivery.iter().flat_map(|delivery| &delivery.lots);
        let place = place.enumerate().find(|(_, lot)| lot.instrument == units.instrument).map(|(place, _)| place);
        let lot = place.and_then(|place| Some(file.delivery.as_mut()?.lots.swap_remove(place)));
        let fits = file.account == units.account && units.settlement == Some(at.local_date());
        let Some(lot) = lot else {
            return self.fail(
                Law::TransfersBringWhatWasThere,
                at,
                || format!("units {} were not sent", units.id),
                None,
            );
        };
        let trade = units.price.zip(units.trade);
        let trade = trade.map(|(price, day)| (figures::millionths(price), crate::model::calendar::day_of(day)));
        let same = figures::steps(units.units) == lot.steps && trade == Some((lot.close.price, lot.close.day));
        self.met.note(Law::TransfersBringWhatWasThere);
        self.ensure(fits && same, Law::TransfersBringWhatWasThere, at, || {
            let (price, day) = (or_none(units.price), or_none(units.trade));
            format!("units {} bring {}, price: {price}, of: {day}; sent were {lot}", units.id, units.units)
        });
        self.model.outside.opened_with_units(lot.instrument, lot.steps);
        self.model.bought_in(units.account, lot.instrument, lot.cost);
    }

    /// After a step: every transfer has its due state since the due instant, and has brought all it was to bring.
    pub(super) fn transfers_stand(&mut self, world: &World) {
        for account in std::mem::take(&mut self.new_accounts) {
            let ordered = query::transfers(world, account, &Window::default());
            let rejected = query::standing(world, account).and_then(|standing| standing.journey);
            let rejected = rejected.and_then(|journey| self.model.journeys.get(&journey));
            let results = rejected
                .and_then(|file| file.last.result.as_ref().map(|result| result.transfers.clone().unwrap_or_default()));
            self.ensure(
                results.as_ref().is_none_or(|results| results.len() == ordered.len()),
                Law::TransfersBringWhatWasThere,
                world.now(),
                || {
                    let of_journey = or_none(results.as_ref().map(Vec::len));
                    format!("account {account} has {} transfers; in its journey's result: {of_journey}", ordered.len())
                },
            );
            for (results, transfer) in results.iter().flatten().zip(&ordered) {
                self.check_transfer_result(world, results, transfer);
            }
            for transfer in ordered {
                self.model.new_transfer(&transfer);
                // The check before signing refuses what the account was opened for.
                if results.is_none() {
                    self.model.move_transfer(transfer.id, transfer::State::Rejected, world.now());
                }
            }
        }
        if self.model.transfers.is_empty() {
            return;
        }
        let now = world.now();
        let open: Vec<TransferId> = self.model.transfers.keys().copied().collect();
        for id in open {
            self.model.roll_transfer(id, now);
            self.check_transfer(world, now, id);
        }
    }

    /// A journey's result says `units` of a transfer that would bring some, by the books of today, and `cash` of any other (rule:
    /// journeys/transfer-result).
    fn check_transfer_result(&mut self, world: &World, result: &TransferResult, transfer: &Transfer) {
        let units = !self.model.delivery(world, transfer).lots.is_empty();
        let same = (result.kind == TransferKind::Units) == units && result.account == transfer.order.account_number;
        self.ensure(same, Law::TransfersBringWhatWasThere, world.now(), || {
            format!(
                "transfer {} of {} brings units: {units}; the result says `{}` of {}",
                transfer.id,
                transfer.order.account_number,
                result.kind.word(),
                result.account
            )
        });
    }

    fn check_transfer(&mut self, world: &World, now: Instant, id: TransferId) {
        let Some(file) = self.model.transfers.get(&id) else { return };
        let client = self.model.accounts.get(&file.account).map(|account| account.last.client);
        let Some(record) = client.and_then(|client| query::transfer(world, client, id)).cloned() else {
            return self.fail(Law::EventCorrespondence, now, || format!("transfer {id} cannot be read"), None);
        };
        let (state, since) = (file.state, file.since);
        let same = (*record.state, record.stamp.modified) == (state, since);
        if !same {
            let fields = vec![("id", Fact::text(id)), ("status", Fact::text(state.name()))];
            let claim = (*record.state != state).then(|| Claim::Lists(record.account, Items::Transfers, fields));
            let what = || {
                let (state_now, modified) = (record.state.name(), record.stamp.modified);
                format!("transfer {id} is {state_now} since {modified}, not {} since {since}", state.name())
            };
            self.fail(Law::TransfersBringWhatWasThere, now, what, claim);
        }
        let named = record.external_ref.is_some()
            || matches!(state, transfer::State::New | transfer::State::Canceled | transfer::State::Rejected);
        self.ensure(named, Law::TransfersBringWhatWasThere, now, || {
            format!("transfer {id} was sent without a reference")
        });
        if state == transfer::State::Completed {
            let file = self.model.transfers.get(&id);
            let left =
                file.and_then(|file| file.delivery.clone()).unwrap_or_else(|| self.model.delivery(world, &record));
            self.ensure(left.lots.is_empty() && left.ore == 0, Law::TransfersBringWhatWasThere, now, || {
                format!("transfer {id} left out: {}, {}", words::cash(left.ore), listed(&left.lots))
            });
        }
        if state.is_terminal() {
            self.model.transfers.swap_remove(&id);
        }
    }
}
