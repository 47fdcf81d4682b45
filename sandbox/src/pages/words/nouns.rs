//! The names of what the API names: journeys, steps, fields and the values to choose from.
//!
//! Keys are `kind.name` in the API's own spelling. Invariant: sorted by nothing, looked up by key, no key twice.

use super::Phrase;
use crate::pages::lang::Lang;

macro_rules! nouns {
    ($($key:literal: $en:literal, $sv:literal;)+) => {
        /// All of them.
        pub const NOUNS: &[(&str, Phrase)] = &[$(($key, Phrase { en: $en, sv: $sv })),+];
    };
}

nouns! {
    // Journeys: what the person came for.
    "journey.createAccount": "Open an account", "Öppna konto";
    "journey.createLegalEntityAccount": "Open a company account", "Öppna företagskonto";
    "journey.addBankAccount": "Connect a bank account", "Koppla ett bankkonto";
    "journey.signWithdrawal": "Sign a withdrawal", "Godkänn ett uttag";
    "journey.updateAllocationPlan": "Change the allocation", "Ändra fördelningen";
    "journey.updateSavingsPlan": "Change the monthly saving", "Ändra månadssparandet";
    "journey.signSubmission": "Sign the company's application", "Skriv under företagets ansökan";
    "journey.kycRenewal": "Update your details", "Uppdatera dina uppgifter";

    // Steps: short name, heading, and what to do there.
    "step.welcome": "Welcome", "Välkommen";
    "head.welcome": "Bring your savings along", "Ta med dig ditt sparande";
    "lead.welcome": "You are about to open an account and move what you have elsewhere to it. You need nothing but your electronic identity.", "Du ska öppna ett konto och flytta hit det du har på annat håll. Du behöver bara din e-legitimation.";
    "step.authentication": "Identity", "Legitimering";
    "head.authentication": "Show who you are", "Visa vem du är";
    "lead.authentication": "Identify yourself with your electronic identity.", "Legitimera dig med din e-legitimation.";
    "step.accountDetails": "Account", "Konto";
    "head.accountDetails": "Your account", "Ditt konto";
    "lead.accountDetails": "Decide what kind of account it is to be.", "Bestäm vad det ska vara för konto.";
    "step.kyc": "About you", "Om dig";
    "head.kyc": "About you and your money", "Om dig och dina pengar";
    "lead.kyc": "The law wants every fund platform to ask this.", "Lagen kräver att alla fondplattformar frågar det här.";
    "step.transfer": "Transfer", "Flytt";
    "head.transfer": "Move what you have", "Flytta det du har";
    "lead.transfer": "Choose what is moved from your other institutions, and how.", "Välj vad som ska flyttas från dina andra institut, och hur.";
    "step.bankAccount": "Bank account", "Bankkonto";
    "head.bankAccount": "Your bank account", "Ditt bankkonto";
    "lead.bankAccount": "Deposits are drawn from it and withdrawals are paid to it. It has to be yours.", "Insättningar dras härifrån och uttag betalas hit. Det ska vara ditt eget.";
    "step.allocationPlan": "Allocation", "Fördelning";
    "head.allocationPlan": "How deposits are invested", "Så placeras insättningar";
    "lead.allocationPlan": "Each deposit is divided between the funds. The shares add up to 100 %.", "Varje insättning delas mellan fonderna. Andelarna blir 100 % tillsammans.";
    "step.savingsPlan": "Monthly saving", "Månadssparande";
    "head.savingsPlan": "What you save each month", "Det du sparar varje månad";
    "lead.savingsPlan": "Write an amount for each fund that you want to buy every month.", "Skriv ett belopp för varje fond som du vill köpa varje månad.";
    "step.agreement": "Agreement", "Avtal";
    "head.agreement": "Read and agree", "Läs och godkänn";
    "lead.agreement": "This is what you are about to sign.", "Det här är vad du ska skriva under.";
    "step.signing": "Signature", "Underskrift";
    "head.signing": "Sign", "Skriv under";
    "lead.signing": "Sign with your electronic identity.", "Skriv under med din e-legitimation.";

    // Endings by error code.
    "code.USER_ERROR": "The person canceled", "Personen avbröt";
    "code.AUTH_ERROR": "The person could not be identified", "Personen kunde inte legitimeras";
    "code.KYC_ERROR": "The answers were not accepted", "Svaren godtogs inte";
    "code.TRANSFER_ERROR": "The transfer was refused", "Flytten nekades";
    "code.SIGN_ERROR": "The signature failed", "Underskriften misslyckades";
    "code.OTHER_ERROR": "Something else went wrong", "Något annat gick fel";

    // Values.
    "accountType.isk": "Investment savings account (ISK)", "Investeringssparkonto (ISK)";
    "accountType.depot": "Custody account", "Depå";
    "accountType.insurance": "Endowment insurance", "Kapitalförsäkring";
    "note.isk": "Taxed at a flat rate every year. Nothing to declare when you sell.", "Schablonskatt varje år. Inget att deklarera när du säljer.";
    "note.depot": "Gains are taxed when you sell.", "Vinster beskattas när du säljer.";
    "note.insurance": "Taxed at a flat rate. The insurer owns the funds for you.", "Schablonskatt. Försäkringsbolaget äger fonderna åt dig.";
    "category.retail": "Retail client", "Icke-professionell kund";
    "category.pro": "Professional client", "Professionell kund";
    "serviceType.executionOnly": "Execution only", "Endast orderutförande";
    "serviceType.investmentAdvise": "Investment advice", "Investeringsrådgivning";
    "serviceType.portfolioManagement": "Portfolio management", "Portföljförvaltning";
    "output.cash": "Sell and move the money", "Sälj och flytta pengarna";
    "output.units": "Move the units as they are", "Flytta andelarna som de är";
    "output.ignore": "Leave them there", "Lämna kvar";
    "balanceOutput.cash": "Move the money", "Flytta pengarna";
    "balanceOutput.ignore": "Leave it there", "Lämna kvar";
    "depositType.autogiro": "Direct debit (autogiro)", "Autogiro";
    "depositType.manual": "I pay in myself", "Jag sätter in själv";
    "periodicity.monthly": "Every month", "Varje månad";
    "periodicity.once": "Once", "En gång";
    "bankAccount.new": "Connect a new account", "Koppla ett nytt konto";
    "bankAccount.none": "No bank account now", "Inget bankkonto nu";
}

/// The wording for a key, if there is one.
#[must_use]
pub fn noun(key: &str) -> Option<&'static Phrase> {
    NOUNS.iter().find(|(known, _)| *known == key).map(|(_, phrase)| phrase)
}

/// What is said beneath a field, if anything.
#[must_use]
pub fn hint(field: &str, lang: Lang) -> Option<&'static str> {
    noun(&format!("hint.{field}")).map(|phrase| phrase.say(lang))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn no_key_is_there_twice() {
        let mut seen = BTreeSet::new();
        for (key, _) in NOUNS {
            assert!(seen.insert(key), "{key} is there twice");
        }
    }
}
