//! A journey's configuration as a request has it.
//!
//! Null is the same as left out (rule: journeys/null-hides). Absent on purpose: rules between fields, and which field
//! belongs to which type; the world checks both and reports problems with the same paths.

use super::Texts;
use crate::json::Node;
use crate::rows::fields::{Cursor, FieldRow, Fields};
use crate::rows::shape::{
    FieldType, Readable as _, Schemas, Shape, described, each_known, object, of, plain, reference, shape, wrapped,
};
use crate::words::{Word as _, word};
use sim::identity::{Iban, InstrumentId};
use sim::records::{
    AutogiroEnforce, PartialAccountOptions, PartialAllocation, PartialAllocationPlan, PartialAutogiro,
    PartialConfiguration, PartialCustodianTransfers, PartialKycAnswer, PartialSavingsPlan, PartialTransferAccount,
    PartialTransferConfiguration, PartialTransferInstrument, Periodicity,
};
use std::sync::Arc;
use utoipa::openapi::RefOr;
use utoipa::openapi::schema::{Schema, Type};

shape! {
    /// Configuration of a journey. The journey type determines which fields are required, allowed and refused.
    partial PartialConfiguration as JourneyConfiguration {
        /// What kind of journey it is.
        journey_type = required "journeyType";
        /// Account types to choose from; one locks the choice.
        account_types = optional "accountTypes";
        /// What the client does for the account.
        account_service_type = optional "accountServiceType";
        /// Categories to choose from; required when the client permits both.
        account_categories = optional "accountCategories";
        /// Name of the account; the customer chooses when it is left out.
        account_name = optional "accountName";
        /// The customer's e-mail address.
        email = optional "email";
        /// Choices of a legal entity.
        account_options = optional "accountOptions";
        /// Who signs.
        ssn = optional "ssn";
        /// The account that the journey is about.
        account = optional "account";
        /// The submission that is signed, or that made the account.
        submission = optional "submission";
        /// Whether a mandate is asked for.
        autogiro = optional "autogiro";
        /// Funds the owner wants to buy, offered in the plans.
        instruments = optional "instruments" as funds();
        /// The bank account to charge.
        payment_account = optional "paymentAccount" as object::<PaymentAccount>();
        /// Null hides the step.
        allocation_plan = optional "allocationPlan";
        /// What is bought every month; null hides the step of a journey that does not require it.
        savings_plan = optional "savingsPlan";
        /// Answers known beforehand.
        kycs = optional "kycs" as each_known(object::<JourneyKycAnswer>());
        /// Null hides the step.
        transfer = optional "transfer";
        /// Only together with `transfer`.
        welcome_screen = optional "welcomeScreen";
    }
}

shape! {
    /// Choices of a legal entity.
    partial PartialAccountOptions as JourneyAccountOptions {
        /// Always `legal_entity`.
        owner_type = required_by_rule "ownerType";
        /// Service types to choose from.
        service_types = required_by_rule "serviceTypes";
        /// Account types to choose from.
        account_types = required_by_rule "accountTypes";
        /// Categories to choose from.
        account_categories = required_by_rule "accountCategories";
    }
}

shape! {
    /// Whether a mandate is asked for.
    partial PartialAutogiro as JourneyAutogiro {
        /// `none` when left out.
        enforce = or(AutogiroEnforce::None) "enforce";
        /// Whether a new bank account must be connected; false when left out.
        force_new_bank_account = or(false) "forceNewBankAccount";
    }
}

wrapped! {
    /// A fund.
    Fund as JourneyInstrument of InstrumentId {
        /// The fund.
        "instrument"
    }

    /// Bank account to charge.
    PaymentAccount as JourneyPaymentAccount of Iban {
        /// Its IBAN.
        "iban"
    }
}

fn only_monthly(_: &mut Schemas) -> RefOr<Schema> {
    plain(Type::String).enum_values(Some([Periodicity::Monthly.word()])).into()
}

fn funds() -> impl FieldType<Value = Vec<Option<InstrumentId>>> {
    each_known(object::<Fund>())
}

shape! {
    /// How deposits are distributed.
    partial PartialAllocationPlan as JourneyAllocationPlan {
        /// How money is deposited.
        deposit_type = optional "depositType";
        /// Whether money is deposited every month or once.
        periodicity = optional "periodicity";
        /// The bank account to charge.
        payment_account = optional "paymentAccount" as object::<PaymentAccount>();
        /// Exactly 100 percent together; the customer picks when they are left out.
        instruments = optional "instruments";
    }
}

shape! {
    /// A fund's share of every deposit.
    partial PartialAllocation as JourneyAllocation {
        /// The fund.
        instrument = required "instrument";
        /// Percent, at most two decimals.
        percent = required "allocation";
    }
}

shape! {
    /// Monthly purchases.
    partial PartialSavingsPlan as JourneySavingsPlan {
        /// Always `monthly`.
        periodicity = required_by_rule "periodicity" as described(word::<Periodicity>, only_monthly);
        /// Funds offered; the client's universe when left out.
        instruments = optional "instruments" as funds();
    }
}

/// An answer known beforehand. Two fields of the record come from one of the request.
struct JourneyKycAnswer;

impl Shape for JourneyKycAnswer {
    type Value = PartialKycAnswer;
    const NAME: &'static str = "JourneyKycAnswer";
    const ABOUT: &'static str = "An answer known beforehand.";

    fn rows(fields: &mut Fields<'_, '_>) -> Option<PartialKycAnswer> {
        let question = FieldRow { name: "qid", about: "Id of the question." };
        let qid = fields.required(question, of());
        let about = FieldRow { name: "answer", about: "One text, or several." };
        let (answer, is_list) = fields.required(about, described(texts, reference::<Texts<'_>>)).unzip();
        Some(PartialKycAnswer { qid, answer, is_list })
    }
}

fn texts(cursor: Cursor<'_, '_>) -> Option<(Vec<Option<Arc<str>>>, bool)> {
    match cursor.node() {
        Node::List(_) => Some((Vec::read(cursor)?, true)),
        Node::Text(text) => Some((vec![Some(text.as_ref().into())], false)),
        other => cursor.wrong(format_args!("must be a string or an array of strings, not {}", other.kind())),
    }
}

shape! {
    /// Transfers from other custodians.
    partial PartialTransferConfiguration as JourneyTransfer {
        /// Whether the customer may skip the step.
        enforce = required "enforce";
        /// One entry for each custodian; a custodian may be named again.
        transfers = required "transfers";
    }
}

shape! {
    /// Transfers from one custodian.
    partial PartialCustodianTransfers as JourneyTransferCustodian {
        /// Id from the client's list of custodians.
        custodian = required "custodian";
        /// The accounts there.
        accounts = required "accounts";
    }
}

shape! {
    /// An account at a custodian. In every list, one entry locks the choice and several let the customer pick.
    partial PartialTransferAccount as JourneyTransferAccount {
        /// Null lets the customer enter it; at most one null for each custodian.
        account_number = nullable "accountNumber";
        /// Account type at the custodian.
        source_account_type = required "sourceAccountType";
        /// Null lets the customer decide.
        close_account_and_savingsplans = nullable "closeAccountAndSavingsplans";
        /// Whether the customer must complete this transfer.
        required = required "required";
        /// For units that cannot be transferred: `cash` or `ignore`.
        untransferable_units_output = required "untransferableUnitsOutput";
        /// For funds that `instruments` does not list.
        default_units_output = required "defaultUnitsOutput";
        /// For the cash: `cash` or `ignore`.
        balance_output = required "balanceOutput";
        /// Whether the customer may add funds.
        allow_instrument_selection = required "allowInstrumentSelection";
        /// Funds to transfer as units; when left out, `defaultUnitsOutput` applies to all.
        instruments = optional "instruments";
    }
}

shape! {
    /// A fund to transfer.
    partial PartialTransferInstrument as JourneyTransferInstrument {
        /// The fund.
        instrument = required "instrument";
        /// Units to transfer; null means all.
        units = optional "units";
    }
}
