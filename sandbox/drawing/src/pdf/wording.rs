//! What the agreements say, in Swedish and in English.
//!
//! Absent on purpose: legal substance. The documents have the form that an integration needs and say that they are a
//! sandbox's.

use sim::records::{AccountType, AgreementType, BoardRole, SigningRule};

/// The language of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// Swedish.
    Swedish,
    /// English.
    English,
}

impl Language {
    /// The tag of BCP 47.
    pub(super) const fn tag(self) -> &'static str {
        match self {
            Self::Swedish => "sv-SE",
            Self::English => "en",
        }
    }
}

/// A text in both languages.
#[derive(Clone, Copy, Debug)]
pub(super) struct Words {
    swe: &'static str,
    eng: &'static str,
}

impl Words {
    pub(super) const fn say(self, language: Language) -> &'static str {
        match language {
            Language::Swedish => self.swe,
            Language::English => self.eng,
        }
    }
}

const fn words(swe: &'static str, eng: &'static str) -> Words {
    Words { swe, eng }
}

pub(super) const ACCOUNT: Words = words("Konto", "Account");
pub(super) const ACCOUNT_TYPE: Words = words("Kontotyp", "Account type");
pub(super) const OWNER: Words = words("Kontohavare", "Account owner");
pub(super) const PERSONAL_NUMBER: Words = words("Personnummer", "Personal identity number");
pub(super) const ORGANISATION_NUMBER: Words = words("Organisationsnummer", "Organisation number");
pub(super) const CLIENT: Words = words("Förmedlare", "Intermediary");
pub(super) const BANK_ACCOUNT: Words = words("Bankkonto", "Bank account");
pub(super) const BOARD: Words = words("Företrädare", "Representative");
pub(super) const SIGNING: Words = words("Firmateckning", "Signs");
pub(super) const BENEFICIAL_OWNER: Words = words("Verklig huvudman", "Beneficial owner");
pub(super) const NO_OWNER: Words = words("Ingen; styrelsen anges i stället", "None; the board is named instead");
pub(super) const SIGNED: Words = words("Undertecknat elektroniskt", "Signed electronically");
pub(super) const NO_EFFECT: Words =
    words("Testdokument från en sandlåda, utan rättslig verkan.", "Test document of a sandbox, without legal effect.");

/// Before what a clock in Stockholm shows, and after it.
pub(super) const CLOCK: Words = words("kl. ", "at ");
pub(super) const LOCAL_TIME: Words = words("svensk tid", "Swedish time");

/// The role of a person in a company.
pub(super) const fn board_role(role: BoardRole) -> Words {
    match role {
        BoardRole::Chair => words("ordförande", "chair"),
        BoardRole::Member => words("ledamot", "board member"),
        BoardRole::Signatory => words("firmatecknare", "signatory"),
    }
}

/// How a company signs.
pub(super) const fn signing(rule: SigningRule) -> Words {
    match rule {
        SigningRule::Alone => words("Var och en för sig", "Each alone"),
        SigningRule::Together => words("Två eller flera tillsammans", "Two or more together"),
    }
}

/// A kind of account as people call it.
pub(super) const fn account_type(account_type: AccountType) -> Words {
    match account_type {
        AccountType::Isk => words("Investeringssparkonto (ISK)", "Investment savings account (ISK)"),
        AccountType::Depot => words("Depå", "Custody account"),
        AccountType::Insurance => words("Kapitalförsäkring", "Endowment insurance"),
    }
}

/// What an agreement is called.
pub(super) const fn title(kind: AgreementType) -> Words {
    let eng = match kind {
        AgreementType::Account => "Account agreement",
        AgreementType::PowerOfAttorney => "Power of attorney",
        AgreementType::Insurance => "Insurance agreement",
        AgreementType::Autogiro => "Autogiro mandate",
    };
    words(kind.swedish(), eng)
}

/// What it says.
pub(super) const fn paragraphs(kind: AgreementType) -> &'static [Words] {
    match kind {
        AgreementType::Account => &ACCOUNT_TERMS,
        AgreementType::PowerOfAttorney => &POWER_TERMS,
        AgreementType::Insurance => &INSURANCE_TERMS,
        AgreementType::Autogiro => &AUTOGIRO_TERMS,
    }
}

const ACCOUNT_TERMS: [Words; 3] = [
    words(
        "Kontohavaren öppnar ovanstående konto för att köpa, inneha och sälja fondandelar genom förmedlaren.",
        "The owner opens the account above in order to buy, hold and sell fund units through the intermediary.",
    ),
    words(
        "Fondandelarna förvaltarregistreras för kontohavarens räkning och hålls åtskilda från plattformens egna \
         tillgångar. Insatta medel hålls på klientmedelskonto.",
        "Units are registered with a nominee on the owner's behalf and kept apart from the platform's own assets. \
         Deposited money is held on a client funds account.",
    ),
    words(
        "Fondandelar kan både öka och minska i värde. Avtalet gäller tills vidare och upphör när kontot avslutas.",
        "Fund units can rise and fall in value. The agreement holds until further notice and ends when the account is \
         closed.",
    ),
];

const POWER_TERMS: [Words; 3] = [
    words(
        "Kontohavaren ger förmedlaren rätt att i kontohavarens namn lägga köp- och säljorder på ovanstående konto och \
         att begära uttag till kontohavarens eget, kontrollerade bankkonto.",
        "The owner entitles the intermediary to place purchase and sale orders on the account above in the owner's name \
         and to request withdrawals to the owner's own, verified bank account.",
    ),
    words(
        "Kontohavaren samtycker till att förmedlaren får ta del av innehav, transaktioner och saldo på kontot.",
        "The owner agrees that the intermediary may see the holdings, transactions and balance of the account.",
    ),
    words(
        "Fullmakten gäller tills den återkallas eller kontot avslutas.",
        "The power of attorney holds until it is revoked or the account is closed.",
    ),
];

const INSURANCE_TERMS: [Words; 3] = [
    words(
        "Försäkringstagaren tecknar en kapitalförsäkring till vilken ovanstående konto hör.",
        "The policyholder takes out an endowment insurance to which the account above belongs.",
    ),
    words(
        "Försäkringsgivaren är rättslig ägare till fondandelarna. Försäkringstagaren väljer placeringarna och bär \
         risken för deras värde.",
        "The insurer is the legal owner of the fund units. The policyholder chooses the investments and bears the risk \
         of their value.",
    ),
    words(
        "Försäkringen gäller när försäkringsgivaren har godkänt den.",
        "The insurance is in force once the insurer has approved it.",
    ),
];

const AUTOGIRO_TERMS: [Words; 3] = [
    words(
        "Betalaren medger att uttag får göras från ovanstående bankkonto för insättning på kontot.",
        "The payer agrees that money may be drawn from the bank account above and deposited on the account.",
    ),
    words(
        "Betalaren ska ha täckning på bankkontot senast bankdagen före förfallodagen. Saknas täckning kan uttaget \
         utebli.",
        "The payer sees to it that the bank account has sufficient funds by the bank day before the due date. Without \
         them the charge may not be made.",
    ),
    words(
        "Medgivandet gäller tills vidare och kan återkallas hos banken eller förmedlaren.",
        "The mandate holds until further notice and can be revoked with the bank or the intermediary.",
    ),
];
