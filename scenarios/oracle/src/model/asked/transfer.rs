//! What the transfer step asks: the same of each account at a custodian (rule: journeys/transfer-configuration, journeys/like-for-like,
//! securities/transfer-deliveries).

use super::super::field_texts::LONGEST_ACCOUNT_NUMBER;
use super::field::{Field, flag, named};
use super::{Form, suggested};
use sim::identity::InstrumentId;
use sim::query::{FieldKind, FieldView};
use sim::records::{AccountType, JourneyStep, Output, TransferAccount, TransferEnforce};
use std::sync::Arc;

impl Form<'_> {
    /// The type of account that the first transfer comes from.
    pub(super) fn first_source(self) -> Option<AccountType> {
        let transfer = self.configuration().transfer.as_ref()?;
        let accounts = || transfer.transfers.iter().flat_map(|entry| &entry.accounts);
        let first = accounts().find(|account| account.required).or_else(|| accounts().next())?;
        first.source_account_type.first().copied()
    }

    pub(super) fn transfer(self, drawn: &[FieldView]) -> Vec<Field> {
        let Some(transfer) = &self.configuration().transfer else { return Vec::new() };
        let mut fields = Vec::new();
        if transfer.enforce == TransferEnforce::Optional {
            fields.push(flag("skip").suggest("no"));
        }
        for (at, entry) in transfer.transfers.iter().enumerate() {
            for (of, account) in entry.accounts.iter().enumerate() {
                let path = format!("transfers[{at}].accounts[{of}]");
                let number = suggested(drawn, &format!("{path}.accountNumber"));
                fields.extend(self.account_at_custodian(&path, account, number));
            }
        }
        fields
    }

    fn account_at_custodian(self, path: &str, account: &TransferAccount, number: Vec<Arc<str>>) -> Vec<Field> {
        let ask = |key: &'static str, kind| named(format!("{path}.{key}"), key, kind);
        let chosen = self.answered(JourneyStep::AccountDetails, "accountType").unwrap_or_default();
        let is_insurance = chosen == AccountType::Insurance.name();
        let outputs = |key, outputs: &[Output]| {
            // No units move into an insurance.
            let fits = |output: &&Output| !(is_insurance && key == "defaultUnitsOutput" && **output == Output::Units);
            ask(key, FieldKind::Choice).among(outputs.iter().filter(fits).map(|output| output.name()))
        };
        let closes = account.close_account_and_savingsplans.map(|closes| if closes { "yes" } else { "no" });
        let sources = account.source_account_type.iter().map(|source| source.name());
        let mut fields = vec![
            ask("selected", FieldKind::Flag).suggest("yes").fixed_to(account.required.then_some("yes")),
            ask("accountNumber", FieldKind::Text { max: LONGEST_ACCOUNT_NUMBER })
                .suggest_all(number)
                .fixed_to(account.account_number.as_deref()),
            ask("sourceAccountType", FieldKind::Choice).suggest(chosen).among(sources),
            ask("closeAccountAndSavingsplans", FieldKind::Flag).suggest("no").fixed_to(closes),
            outputs("untransferableUnitsOutput", &account.untransferable_units_output),
            outputs("defaultUnitsOutput", &account.default_units_output),
            outputs("balanceOutput", &account.balance_output),
        ];
        let wanted = account.instruments.iter().flatten();
        let listed: Vec<Arc<str>> = wanted.map(|wanted| Arc::from(wanted.instrument.to_string())).collect();
        let field = ask("instruments", FieldKind::Choices);
        if is_insurance {
            return fields;
        }
        if account.allow_instrument_selection {
            let all = self.funds(|_| true);
            fields.push(field.among(all.iter().map(InstrumentId::to_string)).filled(listed));
        } else if !listed.is_empty() {
            fields.push(field.fixed(listed));
        }
        fields
    }
}
