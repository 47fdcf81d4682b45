//! The names of what the API names: journeys, steps, fields and the values to choose from.
//!
//! Keys are `kind.name` in the API's own spelling. Invariant: sorted by nothing, looked up by key, no key twice.

use super::Phrase;

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
    "lead.welcome": "You are about to open an account and transfer your holdings to it. You need only your electronic identity.", "Du ska öppna ett konto och flytta hit det du har på annat håll. Du behöver bara din e-legitimation.";
    "step.authentication": "Identity", "Legitimering";
    "head.authentication": "Show who you are", "Visa vem du är";
    "lead.authentication": "Identify yourself with your electronic identity.", "Legitimera dig med din e-legitimation.";
    "step.accountDetails": "Account", "Konto";
    "head.accountDetails": "Your account", "Ditt konto";
    "lead.accountDetails": "Choose the type of the account.", "Bestäm vad det ska vara för konto.";
    "step.company": "Company", "Företag";
    "head.company": "Your company", "Ditt företag";
    "lead.company": "These are the data of the company register. Check them before you continue.", "Så står det i bolagsregistret. Kontrollera det innan du går vidare.";
    "step.beneficialOwners": "Owners", "Ägare";
    "head.beneficialOwners": "Who owns or controls the company?", "Vem äger eller kontrollerar företaget?";
    "lead.beneficialOwners": "Everybody with more than 25 %, or with control in another way. Correct what is wrong; clear the name of somebody who is not an owner.", "Alla med mer än 25 %, eller som bestämmer på annat sätt. Rätta det som är fel; ta bort namnet på den som inte är ägare.";
    "step.kyc": "About you", "Om dig";
    "step.kyc.company": "The business", "Verksamheten";
    "head.kyc.company": "About the company and its money", "Om företaget och dess pengar";
    "head.kyc": "About you and your money", "Om dig och dina pengar";
    "lead.kyc": "The law requires every fund platform to ask this.", "Lagen kräver att alla fondplattformar frågar det här.";
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
    "head.agreement.updateSavingsPlan": "Check your plan", "Kontrollera din plan";
    "head.agreement.updateAllocationPlan": "Check your plan", "Kontrollera din plan";
    "head.agreement.addBankAccount": "Read the mandate and agree", "Läs medgivandet och godkänn";
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

    // What a test number decides.
    "person.happy": "Everything goes well", "Allt går bra";
    "person.pep": "Politically exposed person", "Person i politiskt utsatt ställning";
    "person.sanctions": "On a sanctions list", "Finns på en sanktionslista";
    "person.kyc": "The answers about money are refused", "Svaren om pengar godtas inte";
    "person.authentication": "Cannot be identified", "Kan inte legitimeras";
    "person.signing": "The signature fails", "Underskriften misslyckas";
    "person.transfer": "A required transfer is refused", "En nödvändig flytt nekas";
    "person.other": "Something unspecified goes wrong", "Något ospecificerat går fel";
    "person.pending": "The account waits for approval", "Kontot väntar på godkännande";

    // Documents.
    "paper.account": "Account agreement", "Kontoavtal";
    "paper.power-of-attorney": "Power of attorney", "Fullmakt";
    "paper.insurance": "Insurance agreement", "Försäkringsavtal";
    "paper.autogiro": "Direct debit mandate", "Autogiromedgivande";

    // Identity.
    "field.firstName": "First name", "Förnamn";
    "hint.firstName": "Only for people who are not registered yet. If you leave it blank, a name is generated.", "Bara för den som inte är registrerad. Lämnas det tomt hittas ett namn på.";
    "field.lastName": "Last name", "Efternamn";
    "field.ssn": "Personal number", "Personnummer";

    // Account details.
    "field.accountType": "Kind of account", "Typ av konto";
    "accountType.isk": "Investment savings account (ISK)", "Investeringssparkonto (ISK)";
    "accountType.depot": "Custody account", "Depå";
    "accountType.insurance": "Endowment insurance", "Kapitalförsäkring";
    "note.accountType.isk": "A flat tax every year. Nothing to declare when you sell.", "Schablonskatt varje år. Inget att deklarera när du säljer.";
    "note.accountType.depot": "Gains are taxed when you sell.", "Vinster beskattas när du säljer.";
    "note.accountType.insurance": "A flat tax every year. The insurer owns the funds for you and signs too.", "Schablonskatt varje år. Försäkringsbolaget äger fonderna åt dig och skriver också under.";
    "field.category": "Investor protection", "Kundkategori";
    "category.retail": "Retail client", "Icke-professionell kund";
    "category.pro": "Professional client", "Professionell kund";
    "note.category.retail": "The most protection. Right for nearly everybody.", "Högst skyddsnivå. Passar nästan alla.";
    "note.category.pro": "Less protection, and funds for professionals.", "Lägre skyddsnivå, och fonder för professionella.";
    "field.serviceType": "Service", "Tjänst";
    "serviceType.executionOnly": "Execution only", "Endast orderutförande";
    "serviceType.investmentAdvise": "Investment advice", "Investeringsrådgivning";
    "serviceType.portfolioManagement": "Portfolio management", "Portföljförvaltning";
    "field.crn": "Organisation number", "Organisationsnummer";
    "hint.crn": "10 digits. A test number is filled in.", "10 siffror. Ett testnummer är ifyllt.";
    "field.companyName": "Name of the company", "Företagets namn";
    "field.signatories": "Personal numbers of all who sign for the company", "Personnummer för alla som tecknar firman";
    "hint.signatories": "With commas between. You are always one of them.", "Med komma emellan. Du är alltid en av dem.";
    "hint.companyName": "Left blank, it is the name that the register has.", "Lämnas det tomt gäller namnet i registret.";
    "problem.crn": "Write the 10 digits of an organisation number that the company register has.", "Skriv de 10 siffrorna i ett organisationsnummer som finns i bolagsregistret.";
    "field.accountName": "Name of the account", "Kontots namn";
    "hint.accountName": "Your name for it", "Vad du vill kalla det";
    "field.email": "E-mail", "E-post";

    // The company.
    "field.registeredName": "Name", "Namn";
    "field.legalForm": "Legal form", "Företagsform";
    "legalForm.aktiebolag": "Limited company", "Aktiebolag";
    "legalForm.handelsbolag": "Partnership", "Handelsbolag";
    "legalForm.stiftelse": "Foundation", "Stiftelse";
    "legalForm.ekonomisk_forening": "Economic association", "Ekonomisk förening";
    "field.address": "Address", "Adress";
    "field.board": "Board and signatories", "Styrelse och firmatecknare";
    "field.signing": "How the company signs", "Så tecknas firman";
    "signing.alone": "Each signatory alone", "Var och en för sig";
    "signing.together": "Two or more together", "Två eller flera tillsammans";
    "field.cosignatories": "Who signs together with you?", "Vem skriver under tillsammans med dig?";
    "field.confirmed": "This is right", "Uppgifterna stämmer";
    "problem.confirmed": "Confirm the data of the register before you continue.", "Du behöver bekräfta registrets uppgifter innan du kan gå vidare.";

    // Who owns it.
    "field.none": "Nobody owns or controls more than 25 %; the board is named instead", "Ingen äger eller kontrollerar mer än 25 %; styrelsen anges i stället";
    "problem.none": "Name an owner, or tick that there is none.", "Ange en ägare, eller kryssa i att det inte finns någon.";
    "field.fullName": "Full name", "Namn";
    "field.birthDate": "Date of birth, without a Swedish personal number", "Födelsedatum, om svenskt personnummer saknas";
    "field.country": "Country of residence, without a Swedish personal number", "Hemland, om svenskt personnummer saknas";
    "hint.country": "A country or its code, such as Norway or NO", "Ett land eller dess kod, till exempel Norge eller NO";
    "field.share": "Share", "Andel";
    "problem.share": "Write a share of more than 25 and at most 100 %.", "Skriv en andel på mer än 25 och högst 100 %.";
    "field.control": "Kind of control", "Typ av kontroll";
    "control.shares": "Owns shares", "Äger aktier eller andelar";
    "control.votes": "Holds votes", "Har röster";
    "control.board": "Appoints most of the board", "Tillsätter större delen av styrelsen";
    "control.other": "Decides in another way", "Bestämmer på annat sätt";
    "short.none": "Nobody with more than 25 %", "Ingen med mer än 25 %";
    "short.confirmed": "You have confirmed this", "Du har bekräftat uppgifterna";

    // What a company is asked.
    "field.businessActivity": "What does the company do?", "Vad gör företaget?";
    "businessActivity.consulting": "Consulting and services", "Konsultverksamhet och tjänster";
    "businessActivity.trade": "Trade", "Handel";
    "businessActivity.construction": "Construction", "Bygg";
    "businessActivity.manufacturing": "Manufacturing", "Tillverkning";
    "businessActivity.realEstate": "Real estate", "Fastigheter";
    "businessActivity.holding": "Holds other companies", "Äger andra bolag";
    "businessActivity.nonProfit": "Non-profit work", "Ideell verksamhet";
    "businessActivity.other": "Something else", "Något annat";
    "purpose.surplus": "Surplus liquidity", "Överskottslikviditet";
    "purpose.reserves": "Reserves for later", "Reserver för framtiden";
    "purpose.pensionCommitments": "Pensions for employees", "Pensioner till anställda";
    "originOfFunds.operations": "The business itself", "Verksamheten";
    "originOfFunds.ownerContribution": "Contributions from owners", "Tillskott från ägare";
    "originOfFunds.assetSale": "Sale of assets", "Försäljning av tillgångar";
    "originOfFunds.loan": "A loan", "Lån";
    "originOfFunds.dividends": "Dividends", "Utdelning";
    "field.turnover": "What is the yearly turnover?", "Vad är årsomsättningen?";
    "turnover.under1000000": "Under 1,000,000 SEK", "Under 1\u{a0}000\u{a0}000 kr";
    "turnover.1000000to10000000": "1,000,000 to 10,000,000 SEK", "1\u{a0}000\u{a0}000 till 10\u{a0}000\u{a0}000 kr";
    "turnover.10000000to100000000": "10,000,000 to 100,000,000 SEK", "10\u{a0}000\u{a0}000 till 100\u{a0}000\u{a0}000 kr";
    "turnover.over100000000": "Over 100,000,000 SEK", "Över 100\u{a0}000\u{a0}000 kr";
    "field.crsClassification": "What is the company under the CRS (tax reporting between countries)?", "Vad är företaget enligt CRS (utbyte av skatteuppgifter mellan länder)?";
    "crsClassification.activeNfe": "Active business (active NFE)", "Aktiv verksamhet (aktiv NFE)";
    "crsClassification.passiveNfe": "Mostly passive income (passive NFE)", "Mest passiva inkomster (passiv NFE)";
    "crsClassification.financialInstitution": "Financial institution", "Finansiellt institut";
    "field.fatcaClassification": "What is the company under FATCA (tax reporting to the United States)?", "Vad är företaget enligt FATCA (skatteuppgifter till USA)?";
    "fatcaClassification.activeNffe": "Active business (active NFFE)", "Aktiv verksamhet (aktiv NFFE)";
    "fatcaClassification.passiveNffe": "Mostly passive income (passive NFFE)", "Mest passiva inkomster (passiv NFFE)";
    "fatcaClassification.financialInstitution": "Financial institution", "Finansiellt institut";
    "fatcaClassification.usEntity": "A company of the United States", "Ett företag i USA";
    "field.pep.other": "Does this person, or somebody close, hold a high public office?", "Har personen, eller någon närstående, en hög offentlig post?";
    "short.pep": "High public office", "Hög offentlig post";

    // About you.
    "field.purpose": "What is the money for?", "Vad är pengarna till för?";
    "purpose.savings": "Savings in general", "Allmänt sparande";
    "purpose.pension": "My retirement", "Min pension";
    "purpose.children": "My children", "Mina barn";
    "purpose.housing": "A home", "Ett boende";
    "purpose.other": "Something else", "Något annat";
    "field.originOfFunds": "Where does the money come from?", "Var kommer pengarna ifrån?";
    "hint.originOfFunds": "Choose all that fit", "Välj alla som stämmer";
    "originOfFunds.salary": "Salary", "Lön";
    "originOfFunds.savings": "Savings", "Sparande";
    "originOfFunds.pension": "Pension", "Pension";
    "originOfFunds.inheritance": "Inheritance or gift", "Arv eller gåva";
    "originOfFunds.property": "Sale of property", "Försäljning av fastighet";
    "originOfFunds.business": "My own business", "Eget företag";
    "originOfFunds.other": "Something else", "Något annat";
    "field.expectedDeposits": "How much do you expect to pay in each year?", "Hur mycket räknar du med att sätta in varje år?";
    "expectedDeposits.under100000": "Under 100,000 SEK", "Under 100\u{a0}000 kr";
    "expectedDeposits.100000to500000": "100,000 to 500,000 SEK", "100\u{a0}000 till 500\u{a0}000 kr";
    "expectedDeposits.500000to1000000": "500,000 to 1,000,000 SEK", "500\u{a0}000 till 1\u{a0}000\u{a0}000 kr";
    "expectedDeposits.over1000000": "Over 1,000,000 SEK", "Över 1\u{a0}000\u{a0}000 kr";
    "field.employment": "What do you do?", "Vad har du för sysselsättning?";
    "employment.employed": "Employed", "Anställd";
    "employment.selfEmployed": "Self-employed", "Egenföretagare";
    "employment.student": "Student", "Studerande";
    "employment.retired": "Retired", "Pensionär";
    "employment.unemployed": "Unemployed", "Arbetssökande";
    "field.income": "What do you earn each year, before tax?", "Vad tjänar du per år, före skatt?";
    "income.under250000": "Under 250,000 SEK", "Under 250\u{a0}000 kr";
    "income.250000to500000": "250,000 to 500,000 SEK", "250\u{a0}000 till 500\u{a0}000 kr";
    "income.500000to1000000": "500,000 to 1,000,000 SEK", "500\u{a0}000 till 1\u{a0}000\u{a0}000 kr";
    "income.over1000000": "Over 1,000,000 SEK", "Över 1\u{a0}000\u{a0}000 kr";
    "field.pep": "Do you, or does somebody close to you, hold a high public office?", "Har du, eller någon nära dig, en hög offentlig post?";
    "field.taxResidency": "Where do you pay tax?", "Var betalar du skatt?";
    "hint.taxResidency": "Countries or their codes, with commas between", "Länder eller landskoder, med komma emellan";
    "field.usPerson": "Are you a citizen or resident of the United States?", "Är du medborgare eller bosatt i USA?";
    "field.fundKnowledge": "Do you know how funds work and what risks they carry?", "Vet du hur fonder fungerar och vilka risker de har?";
    "field.riskTolerance": "How much may your savings go up and down?", "Hur mycket får ditt sparande gå upp och ned?";
    "riskTolerance.low": "A little", "Lite";
    "riskTolerance.medium": "Quite a bit", "En del";
    "riskTolerance.high": "A lot", "Mycket";
    "value.yes": "Yes", "Ja";
    "value.no": "No", "Nej";

    // Transfer.
    "field.skip": "Skip this for now", "Hoppa över det här nu";
    "field.selected": "Transfer this account", "Flytta det här kontot";
    "field.accountNumber": "Account number there", "Kontonummer där";
    "field.sourceAccountType": "Kind of account there", "Typ av konto där";
    "problem.sourceAccountType": "It has to be the same kind as the account you open.", "Det måste vara samma typ som kontot du öppnar.";
    "field.closeAccountAndSavingsplans": "Close the account and its savings plans there afterwards?", "Avsluta kontot och dess månadssparande där efteråt?";
    "field.untransferableUnitsOutput": "Funds that cannot be moved here", "Fonder som inte kan flyttas hit";
    "field.defaultUnitsOutput": "All other funds", "Alla andra fonder";
    "output.cash": "Sell and move the money", "Sälj och flytta pengarna";
    "output.units": "Move the units as they are", "Flytta andelarna som de är";
    "output.ignore": "Leave them there", "Lämna kvar dem";
    "field.balanceOutput": "Cash", "Kontanter";
    "balanceOutput.cash": "Move the money", "Flytta pengarna";
    "balanceOutput.ignore": "Leave it there", "Lämna kvar dem";
    "field.instruments": "Funds to move as units", "Fonder som flyttas som andelar";
    "problem.selected": "Choose at least one account to transfer.", "Välj minst ett konto att flytta.";

    // Bank account.
    "field.bankAccount": "Which account?", "Vilket konto?";
    "bankAccount.new": "Another account", "Ett annat konto";
    "field.iban": "IBAN", "IBAN";
    "hint.iban": "A made-up account is filled in. It counts only when you chose no account you had before.", "Ett påhittat konto är ifyllt. Det gäller bara om du inte valde ett konto du hade sedan tidigare.";
    "problem.iban": "Write the IBAN of a Swedish account. Its check digits must add up.", "Skriv IBAN för ett svenskt konto. Kontrollsiffrorna ska stämma.";
    "field.name": "What you call the account", "Vad du kallar kontot";
    "field.mandate": "I let deposits be drawn from this account by direct debit (autogiro)", "Jag medger att insättningar dras från kontot med autogiro";

    // Plans.
    "field.depositType": "How do you pay in?", "Hur sätter du in pengar?";
    "depositType.autogiro": "By direct debit (autogiro)", "Med autogiro";
    "depositType.manual": "I pay in myself", "Jag sätter in själv";
    "field.periodicity": "How often?", "Hur ofta?";
    "periodicity.monthly": "Every month", "Varje månad";
    "periodicity.once": "Once", "En gång";
    "rows.allocation": "Share of each deposit", "Andel av varje insättning";
    "rows.amount": "Amount each month", "Belopp varje månad";
    "problem.allocation": "Write a share for at least one fund. All shares make 100 %.", "Skriv en andel för minst en fond. Alla andelar blir 100 %.";
    "problem.amount": "Write an amount for at least one fund.", "Skriv ett belopp för minst en fond.";
    "field.day": "Day of the month", "Dag i månaden";
    "field.startDate": "First day", "Första dag";
    "hint.startDate": "Written as 2026-03-25. The bank needs a few days for a new mandate.", "Skrivs som 2026-03-25. Banken behöver några dagar för ett nytt medgivande.";
    "problem.startDate": "Choose a later day, at most a year ahead, written as 2026-03-25.", "Välj en senare dag, högst ett år fram, skriven som 2026-03-25.";

    // The same in a list of what was answered.
    "short.closeAccountAndSavingsplans": "Account there is closed afterwards", "Kontot där avslutas efteråt";
    "short.mandate": "Direct debit (autogiro)", "Autogiro";
    "short.depositType": "Deposits", "Insättningar";
    "short.periodicity": "How often", "Hur ofta";
    "short.signatories": "Signatories", "Firmatecknare";
    "short.bankAccount": "Account", "Konto";
    "short.name": "Called", "Kallas";

    // Why a mobile payment is not paid.
    "payment.DECLINED": "The payer declined", "Betalaren avböjde";
    "payment.CANCELLED": "The request was withdrawn", "Begäran drogs tillbaka";
    "payment.RF07": "The bank declines", "Banken nekar";
    "payment.BANKIDCL": "The identity app is stopped", "Legitimationsappen avbryts";
    "payment.BANKIDONGOING": "The identity app is busy", "Legitimationsappen är upptagen";
    "payment.BANKIDUNKN": "The identity app cannot authorise", "Legitimationsappen kan inte godkänna";
    "payment.FF10": "The bank's system fails", "Bankens system fallerar";
    "payment.TM01": "Time runs out", "Tiden går ut";
    "payment.DS24": "The banks do not answer", "Bankerna svarar inte";

    // Agreement.
    "field.accept": "I have read this and agree to it", "Jag har läst det här och godkänner det";
    "problem.accept": "You have to agree before you can sign.", "Du behöver godkänna innan du kan skriva under.";
    "head.signing.signWithdrawal": "Sign the withdrawal", "Godkänn uttaget";
}

/// The wording for a key, if there is one.
#[must_use]
pub fn noun(key: &str) -> Option<&'static Phrase> {
    NOUNS.iter().find(|(known, _)| *known == key).map(|(_, phrase)| phrase)
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
