//! Every wording of the hosted pages, in both languages.
//!
//! Owns: the sentences (by constant, here) and the names of what the API names (`nouns`). Invariant: a phrase has both
//! languages and the same blanks in both. Absent on purpose: markup, and words of partners or customers.

pub mod countries;
pub mod faults;
mod nouns;

pub use self::nouns::{NOUNS, noun};
use super::lang::Lang;

/// One wording in both languages. Blanks are written `{name}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Phrase {
    /// English.
    pub en: &'static str,
    /// Swedish.
    pub sv: &'static str,
}

impl Phrase {
    /// The wording in `lang`.
    #[must_use]
    pub const fn say(&self, lang: Lang) -> &'static str {
        match lang {
            Lang::En => self.en,
            Lang::Sv => self.sv,
        }
    }

    /// The wording in `lang` with its blanks filled. What fills a blank is not looked at again.
    #[must_use]
    pub fn fill(&self, lang: Lang, blanks: &[(&str, &str)]) -> String {
        let mut filled = String::new();
        let mut rest = self.say(lang);
        while let Some((before, after)) = rest.split_once('{') {
            filled.push_str(before);
            let (name, after) = after.split_once('}').unwrap_or((after, ""));
            filled.push_str(blanks.iter().find(|(known, _)| *known == name).map_or("", |(_, text)| text));
            rest = after;
        }
        filled.push_str(rest);
        filled
    }
}

macro_rules! phrases {
    ($($name:ident: $en:literal, $sv:literal;)+) => {
        $(#[doc = $en] pub const $name: Phrase = Phrase { en: $en, sv: $sv };)+
        /// All phrases by name.
        pub const PHRASES: &[(&str, Phrase)] = &[$((stringify!($name), $name)),+];
    };
}

phrases! {
    // Frame.
    SANDBOX: "Sandbox", "Sandlåda";
    SANDBOX_NOTE: "No real bank, identity or money.", "Ingen riktig bank eller legitimation.";
    SKIP: "Skip to the content", "Hoppa till innehållet";
    STEP_OF: "Step {n} of {total}: {name}", "Steg {n} av {total}: {name}";
    STEPS: "Steps", "Steg";
    DONE_MARK: "(done)", "(klart)";
    FOOT: "Simulated for {client}. In this sandbox it is {day}.", "Simulerat för {client}. I den här sandlådan är det {day}.";
    FOOT_BARE: "A simulated page of a sandbox.", "En simulerad sida i en sandlåda.";
    FEE_A_YEAR: "fee {fee} a year", "avgift {fee} om året";
    RETURN_OF_A_YEAR: "return last 12 months {return}", "avkastning senaste 12 mån {return}";
    FUND_RETURN: "Return, last 12 months", "Avkastning, senaste 12 månaderna";
    FUND_RISK: "Risk, from 1 (low) to 7 (high)", "Risk, från 1 (låg) till 7 (hög)";
    LOWER_RISK: "Lower risk (1 to 3)", "Lägre risk (1 till 3)";
    MEDIUM_RISK: "Medium risk (4 and 5)", "Medelhög risk (4 och 5)";
    HIGHER_RISK: "Higher risk (6 and 7)", "Högre risk (6 och 7)";
    SUM_OF_SHARES: "Together {sum} % of 100 %", "Tillsammans {sum} % av 100 %";
    SUM_OF_AMOUNTS: "Together {sum} SEK each month", "Tillsammans {sum} kr varje månad";
    FUND_FACTS: "Fact sheet", "Faktablad";
    FUND_LEAD: "What it costs, and how it is traded. Made up for this sandbox.", "Vad den kostar och hur den handlas. Påhittat för den här sandlådan.";
    FUND_CLOSE: "Close this tab to go back to the form.", "Stäng fliken för att komma tillbaka till formuläret.";
    FUND_ISIN: "ISIN", "ISIN";
    FUND_CURRENCY: "Currency", "Valuta";
    FUND_PRICE: "Last price", "Senaste kurs";
    FUND_YEARLY: "Yearly cost, inside the price", "Årlig kostnad, inräknad i kursen";
    FUND_ENTRY: "Fee when you buy", "Avgift när du köper";
    FUND_EXIT: "Fee when you sell", "Avgift när du säljer";
    FUND_PERFORMANCE: "Share of gains above its benchmark", "Andel av vinst över jämförelseindex";
    FUND_LEAST: "Smallest first purchase", "Minsta första köp";
    FUND_CUT_OFF: "Orders of a day until", "Dagens order till klockan";
    FUND_SETTLES: "Paid and delivered", "Betalas och levereras";
    BUY_AND_SELL_DAYS: "purchases after {buy} bank days, sales after {sell}", "köp efter {buy} bankdagar, försäljningar efter {sell}";
    PART_OF: "Part {n} of {total}", "Del {n} av {total}";
    FIND_FUND: "Find a fund by its name or ISIN", "Sök fond på namn eller ISIN";
    FIND: "Find", "Sök";
    FUNDS_SHOWN: "{shown} of {fit} funds are shown, and those you have filled in.", "{shown} av {fit} fonder visas, och de du har fyllt i.";
    NO_FUND: "No fund is called that. Those you have filled in are shown.", "Ingen fond heter så. De du har fyllt i visas.";
    NEXT: "Continue", "Fortsätt";
    BACK: "Back", "Tillbaka";
    SKIP_STEP: "Skip this step", "Hoppa över det här steget";
    LEAVE: "Cancel and leave", "Avbryt och lämna";
    OPTIONAL: "(optional)", "(frivilligt)";
    CHOOSE: "Choose", "Välj";
    LOCKED: "Set by {client}", "Bestämt i förväg av {client}";
    YES: "Yes", "Ja";
    NO: "No", "Nej";
    // Problems.
    PROBLEMS: "Some answers need to be corrected", "Något behöver rättas";
    PROBLEM_TITLE: "Error: {title}", "Fel: {title}";
    MISSING: "Fill this in.", "Det här behöver fyllas i.";
    MISSING_CHOICE: "Choose one.", "Välj ett alternativ.";
    NOT_A_CHOICE: "Choose one of the alternatives.", "Välj ett av alternativen.";
    NOT_POSITIVE: "Write a number greater than zero.", "Skriv ett tal som är större än noll.";
    MISSING_CHOICES: "Choose at least one.", "Välj minst ett alternativ.";
    TOO_MANY: "Choose at most {max}.", "Välj högst {max}.";
    CLOSED_FUND: "This fund is closed just now.", "Fonden är stängd just nu.";
    FIXED: "This is already set and cannot be changed.", "Det här är bestämt i förväg och går inte att ändra.";
    BELOW_MINIMUM: "Write at least {min} SEK.", "Skriv minst {min} kr.";
    TOO_LONG: "Write at most {max} characters.", "Skriv högst {max} tecken.";
    GIVEN_TWICE: "This is given twice.", "Det här är angivet två gånger.";
    NOT_IN_UNIVERSE: "This fund is not offered here.", "Fonden erbjuds inte här.";
    ONLY_PROFESSIONALS: "This fund is open to professional investors only.", "Fonden är bara öppen för professionella investerare.";
    WRONG_PERSON: "This person may not sign here.", "Den här personen får inte skriva under här.";
    NOT_ACCEPTABLE: "This cannot be accepted.", "Det här går inte att godta.";
    BAD_NUMBER: "Write a personal number with 12 digits that add up, such as 191212121212.", "Skriv ett personnummer med 12 siffror som stämmer, till exempel 191212121212.";
    BAD_IBAN: "Write a valid IBAN. Its check digits must add up.", "Skriv ett giltigt IBAN. Kontrollsiffrorna ska stämma.";
    BAD_EMAIL: "Write an e-mail address, such as name@example.com.", "Skriv en e-postadress, till exempel namn@example.com.";
    BAD_ORGANISATION: "Write an organisation number with 10 digits.", "Skriv ett organisationsnummer med 10 siffror.";
    BAD_DATE: "Write a date, such as 2026-03-02.", "Skriv ett datum, till exempel 2026-03-02.";
    BAD_COUNTRIES: "Write countries or their codes, such as Sweden or SE.", "Skriv länder eller landskoder, till exempel Sverige eller SE.";
    BAD_SUM_IS: "The shares must add up to exactly 100 %. Now it is {sum} %.", "Andelarna ska bli exakt 100 % tillsammans. Nu är det {sum} %.";
    BAD_SHARE: "Write a share greater than 0 with at most 2 decimals.", "Skriv en andel större än 0 med högst 2 decimaler.";
    BAD_AMOUNT: "Write an amount greater than 0 with at most 2 decimals.", "Skriv ett belopp större än 0 med högst 2 decimaler.";
    UNREADABLE_AMOUNT: "This cannot be read as an amount. Write it like 1,500 or 1500.50.", "Det här går inte att läsa som ett belopp. Skriv det som 1 500 eller 1500,50.";
    UNREADABLE_SHARE: "This cannot be read as a share. Write it like 25 or 33.33.", "Det här går inte att läsa som en andel. Skriv den som 25 eller 33,33.";
    BAD_DAY: "Choose a day between 1 and 28.", "Välj en dag mellan 1 och 28.";
    // Electronic identity.
    EID: "Test identity", "Testlegitimation";
    EID_NOTE: "This page replaces the real app. You choose the outcome.", "En ersättare för den riktiga appen. Du bestämmer hur det slutar.";
    WHO: "Who is it?", "Vem är det?";
    WHO_SIGNS: "Who signs?", "Vem skriver under?";
    ANOTHER_PERSON: "Another person", "Någon annan";
    ANOTHER_NUMBER: "Personal number of the other person", "Personnummer för den andra personen";
    ANOTHER_HINT: "12 digits: the personal number of the person who uses the app", "12 siffror; den som anges här gäller";
    MORE_IDENTITY: "Somebody else, or another name", "Någon annan, eller ett annat namn";
    OTHERS: "Test persons: the number determines the outcome", "Personer vars nummer bestämmer vad som händer";
    WHERE_APP: "What happens afterwards?", "Vad händer efteråt?";
    SAME_DEVICE: "The app opens the partner's return address", "Appen öppnar partnerns returadress";
    SAME_DEVICE_NOTE: "As an app on this device does.", "Så gör en app på den här enheten.";
    OTHER_DEVICE: "This page continues automatically", "Den här sidan fortsätter av sig själv";
    OTHER_DEVICE_NOTE: "As when the app is on another device.", "Som när appen finns på en annan enhet.";
    USE_ANOTHER_DEVICE: "Use the app on another device", "Använd appen på en annan enhet";
    SCAN_TITLE: "Scan the code", "Skanna koden";
    SCAN_LEAD: "Open the camera of the other device and point it at the code. The test identity opens there.", "Öppna kameran på den andra enheten och rikta den mot koden. Testlegitimationen öppnas där.";
    SCAN_CODE: "QR code that opens the test identity on another device", "QR-kod som öppnar testlegitimationen på en annan enhet";
    SCAN_WAITS: "Waiting for the other device.", "Väntar på den andra enheten.";
    SCAN_UNTIL: "The code works until {time}, by the clock of the sandbox.", "Koden gäller till {time} enligt sandlådans klocka.";
    SCAN_OPEN: "No camera? Open the app in a new tab", "Ingen kamera? Öppna appen i en ny flik";
    SCAN_LOOK: "I am done there", "Jag är klar där";
    SCAN_HERE: "Use this device", "Använd den här enheten";
    SCAN_AGAIN: "New code", "Ny kod";
    SCAN_LATE_TITLE: "It took too long", "Det tog för lång tid";
    SCAN_LATE_LEAD: "Nobody used the other device in time. Nothing has changed, and you can try again.", "Ingen använde den andra enheten i tid. Ingenting har ändrats, och du kan försöka igen.";
    APP_LATE_LEAD: "The code is too old. Nothing has changed. Ask for a new code on the page where you found this one.", "Koden är för gammal. Ingenting har ändrats. Be om en ny kod på sidan där du hittade den.";
    APP_DONE_TITLE: "You are done here", "Du är klar här";
    APP_DONE_LEAD: "Go on at the device where the code is shown. You can close this page.", "Fortsätt på enheten där koden visas. Du kan stänga den här sidan.";
    WHAT_YOU_AGREED_TO: "You sign everything that you have just read", "Det du skriver under: allt du nyss har läst";
    IDENTIFY: "Identify", "Legitimera";
    SIGN: "Sign", "Skriv under";
    ABORT: "Abort", "Avbryt";
    FAIL: "Let it fail", "Låt det misslyckas";
    REFUSE: "I refuse to sign", "Jag vägrar skriva under";
    SIGNED: "Signed", "Underskrivet";
    WAITING: "Waiting", "Väntar";
    OWNER_OF: "Beneficial owner {n}", "Verklig huvudman {n}";
    SIGNATORIES: "Signatories", "Firmatecknare";
    SIGNATORIES_NOTE: "Each of them signs. Those who do not sign here get a journey of their own.", "Alla skriver under. De som inte gör det här får ett eget flöde.";
    // Transfers, plans, papers.
    SHARE_UNIT: "%", "%";
    KRONOR: "SEK", "kr";
    PAPERS: "Documents", "Dokument";
    OPENS_PDF: "PDF, opens in a new tab", "PDF, öppnas i en ny flik";
    // Leaving.
    LEAVE_TITLE: "Do you want to cancel?", "Vill du avbryta?";
    LEAVE_LEAD: "Your answers are deleted, and {client} is informed that you left.", "Det du har fyllt i kastas, och {client} får veta att du avbröt.";
    LEAVE_YES: "Yes, cancel", "Ja, avbryt";
    LEAVE_NO: "No, go on", "Nej, fortsätt";
    // Endings.
    COMPLETE_TITLE: "All done", "Klart";
    COMPLETE_LEAD: "{client} has been informed. You can close this page.", "{client} har fått besked. Du kan stänga sidan.";
    GOING_TITLE: "All done", "Klart";
    GOING_LEAD: "You are being taken back to {client}. If nothing happens, use the button.", "Du skickas tillbaka till {client}. Använd knappen om inget händer.";
    GO_BACK_TO: "Back to {client}", "Tillbaka till {client}";
    ADDRESS: "Address", "Adress";
    RETURN_TITLE: "The identity app is done", "Legitimationsappen är klar";
    RETURN_LEAD: "The app now opens the address that {client} gave. If nothing happens, use the buttons.", "Appen öppnar nu adressen som {client} angav. Använd knapparna om inget händer.";
    RETURN_OPEN: "Open the address", "Öppna adressen";
    RETURN_HERE: "Go on here", "Fortsätt här";
    CANCELED_TITLE: "Canceled", "Avbrutet";
    CANCELED_LEAD: "Your answers were deleted, and {client} has been informed.", "Ingenting sparades, och {client} har fått besked.";
    ERROR_TITLE: "It did not work", "Det gick inte";
    ERROR_LEAD: "The journey could not be completed, and {client} has been informed.", "Det gick inte att slutföra, och {client} har fått besked.";
    EXPIRED_TITLE: "This link is too old", "Länken är för gammal";
    EXPIRED_LEAD: "It stopped working on {day}. Ask {client} for a new one.", "Den slutade fungera {day}. Be {client} om en ny.";
    UNKNOWN_TITLE: "This link does not work", "Länken fungerar inte";
    UNKNOWN_LEAD: "It may be mistyped, or its sandbox may no longer exist. Ask the sender for a new link.", "Den kan vara felskriven, eller så finns sandlådan inte kvar. Be den som skickade länken om en ny.";
    STALE_TITLE: "This form is out of date", "Formuläret är för gammalt";
    STALE_LEAD: "Nothing was changed. Open the journey again to continue.", "Ingenting ändrades. Öppna flödet igen för att fortsätta där du var.";
    CHANGED_TITLE: "What you would sign has changed", "Det du skulle skriva under har ändrats";
    CHANGED_LEAD: "Nothing was signed. Open the journey again and read the present version.", "Ingenting skrevs under. Öppna flödet igen och läs vad som står där nu.";
    TOO_MUCH_TITLE: "That was too much", "Det blev för mycket";
    TOO_MUCH_LEAD: "The form could not be read. Nothing was changed.", "Formuläret gick inte att läsa. Ingenting ändrades.";
    RESTING_TITLE: "The sandbox does not respond", "Sandlådan vilar";
    RESTING_LEAD: "This world cannot answer just now. Nothing was changed.", "Den här världen kan inte svara just nu. Ingenting ändrades.";
    OPEN_AGAIN: "Open the journey", "Öppna flödet";
    CODE: "Why", "Varför";
    ACCOUNT: "Account", "Konto";
    ACCOUNT_NUMBER: "Account number", "Kontonummer";
    OWNER: "Owner", "Ägare";
    COMPANY: "Company", "Företag";
    COMPANY_NAME: "Name", "Namn";
    CHANGE: "Change", "Ändra";
    WITHDRAWAL_AMOUNT: "Amount", "Belopp";
    WITHDRAWAL_UP_TO: "At most {max} of the cash, or what one sale of fund units brings", "Högst {max} av kontanterna, eller det som en försäljning av fondandelar ger";
    WITHDRAWAL_OF_SALE: "No cash can be taken out now; what one sale of fund units brings can", "Inga kontanter kan tas ut nu, men det som en försäljning av fondandelar ger";
    WITHDRAWAL_BARRED: "You cannot sign yet: no bank account of yours is confirmed, so the money has nowhere to go. Connect a bank account first.", "Du kan inte skriva under än: inget av dina bankkonton är bekräftat, så pengarna har ingenstans att ta vägen. Koppla ett bankkonto först.";
    WITHDRAWAL: "Withdrawal", "Uttag";
    WITHDRAWAL_MEANS: "One withdrawal, which {client} may order within 24 hours", "Ett uttag, som {client} får beställa inom 24 timmar";
    PAID_TO: "Paid to", "Betalas till";
    PAID_NOWHERE: "No bank account is connected yet", "Inget bankkonto är kopplat än";
    BANK_ACCOUNT: "Bank account", "Bankkonto";
    DRAFT: "(draft)", "(utkast)";
    YOU: "The person who signs", "Den som skriver under";
    LEFT_AT: "Where it ended", "Var det slutade";
    // Mobile payments.
    PAY_APP: "Test payment app", "Testbetalning";
    PAY_TITLE: "Pay {amount}", "Betala {amount}";
    PAY_LEAD: "{client} asks you for a payment. You choose the outcome.", "{client} ber dig om pengar. Du bestämmer vad det blir av det.";
    PAYEE: "To", "Till";
    AMOUNT: "Amount", "Belopp";
    PAYMENT_ID: "Payment", "Betalning";
    PAY: "Pay", "Betala";
    DECLINE: "Decline", "Avböj";
    PAY_OTHERWISE: "Let the payment fail", "Låt betalningen misslyckas";
    PAY_HOW: "How does it fail?", "Hur misslyckas den?";
    PAID_TITLE: "Paid", "Betalt";
    PAID_LEAD: "{client} has been informed. You can close this page.", "{client} har fått besked. Du kan stänga sidan.";
    DECLINED_TITLE: "Declined", "Avböjt";
    TOO_LATE_TITLE: "Too late", "För sent";
    NOT_PAID_TITLE: "Not paid", "Inte betalt";
    NOT_PAID_LEAD: "No money has moved. {client} may ask you again.", "Inga pengar har flyttats. {client} kan be dig igen.";
    UNSURE_TITLE: "The outcome is not known yet", "Ingen vet än";
    UNSURE_LEAD: "The banks have not answered. {client} is informed when they do.", "Bankerna har inte svarat. {client} får besked när de gör det.";
    PAY_STALE_LEAD: "Nothing was changed. Open the payment again.", "Ingenting ändrades. Öppna betalningen igen.";
    PAY_AGAIN: "Open the payment", "Öppna betalningen";
    PAY_SEVERAL_TITLE: "Which world?", "Vilken värld?";
    PAY_SEVERAL_LEAD: "Several worlds of this sandbox were made from one seed and have this payment.", "Flera världar i sandlådan är gjorda av samma frö och har den här betalningen.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn blanks(text: &str) -> BTreeSet<&str> {
        text.split('{').skip(1).map(|rest| rest.split_once('}').expect("a blank ends").0).collect()
    }

    #[test]
    fn every_wording_is_there_in_both_languages_with_the_same_blanks() {
        let nouns = NOUNS.iter().map(|(key, phrase)| (*key, *phrase));
        for (name, phrase) in PHRASES.iter().copied().chain(nouns) {
            for lang in Lang::ALL {
                let spoken = phrase.say(lang);
                assert!(!spoken.trim().is_empty() && spoken.trim() == spoken, "{name} in {lang:?}: {spoken:?}");
            }
            assert_eq!(blanks(phrase.en), blanks(phrase.sv), "{name}");
        }
    }

    #[test]
    fn sentences_differ_between_the_languages() {
        // Not a law of language, but a copy that was never translated looks like this.
        let same: Vec<_> = PHRASES.iter().filter(|(_, phrase)| phrase.en == phrase.sv).map(|(name, _)| *name).collect();
        assert_eq!(same, ["FUND_ISIN", "SHARE_UNIT"]);
    }

    #[test]
    fn filled_blanks_are_not_filled_again() {
        let phrase = Phrase { en: "{a} and {b}", sv: "{a} och {b}" };
        assert_eq!(phrase.fill(Lang::En, &[("a", "{b}"), ("b", "x")]), "{b} and x");
        assert_eq!(phrase.fill(Lang::Sv, &[("a", "1")]), "1 och ");
    }
}
