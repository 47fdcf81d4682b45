//! What is taken for clients and paid on to them, reckoned a second time (rule: fees/partner-fee).
//!
//! Invariant: what was taken of a kind for a client waits or was paid on, to the ore. Absent on purpose: what is taken, which
//! is `fees`.

use super::books::Model;
use super::fee_files::TO_BE_MET;
use super::figures;
use sim::ids::ClientId;
use sim::records::{CashRefType, CashTransaction, FeeType};
use sim::time::Instant;

impl Model {
    /// An event has shown a charge that had to come: where it is a client's own, it goes to its bank account for such fees,
    /// or waits.
    pub fn taken_for_client(&mut self, at: Instant, cash: &CashTransaction) {
        let kind = match cash.ref_type {
            CashRefType::PartnerFee => FeeType::PartnerFee,
            CashRefType::ClientFee => FeeType::ClientFee,
            _ => return,
        };
        let Some(client) = self.accounts.get(&cash.account).map(|account| account.last.client) else { return };
        self.fees.pots.entry((client, kind)).or_default().waiting += figures::ore(cash.amount);
        self.fees.received.insert(client);
        let paid = self.pay_on(at, client, kind);
        self.fees.meet(if paid { TO_BE_MET[8] } else { TO_BE_MET[9] });
    }

    /// A client has changed: it may have a bank account now for what waits.
    pub fn pay_waiting_fees(&mut self, at: Instant, client: ClientId) {
        for kind in [FeeType::PartnerFee, FeeType::ClientFee] {
            self.pay_on(at, client, kind);
        }
    }

    /// Clients whose pots have changed since the last call.
    pub fn fees_received(&mut self) -> impl Iterator<Item = ClientId> + use<> {
        std::mem::take(&mut self.fees.received).into_iter()
    }

    /// Pays on what waits, to the bank account that the client has for it now; whether anything was.
    fn pay_on(&mut self, at: Instant, id: ClientId, kind: FeeType) -> bool {
        let banks = self.clients.get(&id).map(|client| client.bank_accounts.as_slice()).unwrap_or_default();
        let Some(iban) = banks.iter().find(|bank| bank.fee_type == kind).map(|bank| bank.iban) else { return false };
        let Some(pot) = self.fees.pots.get_mut(&(id, kind)).filter(|pot| pot.waiting > 0) else { return false };
        let ore = std::mem::take(&mut pot.waiting);
        match pot.paid.iter_mut().next_back().filter(|last| (last.0, last.2) == (iban, at)) {
            Some(last) => last.1 += ore,
            None => pot.paid.push((iban, ore, at)),
        }
        self.fees.received.insert(id);
        true
    }
}
