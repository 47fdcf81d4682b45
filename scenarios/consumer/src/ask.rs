//! What a consumer holds records of, and how it asks the service for them.
//!
//! Invariant: every path of the API that the copy needs is written here, once. Absent on purpose: sending.

/// A kind of record that is held, by the noun of its events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordKind {
    /// `client.*`: the client whose copy it is.
    Client,
    /// `account.*`.
    Account,
    /// `order.*`.
    Order,
    /// `cashTransaction.*`.
    CashTransaction,
    /// `fundTransaction.*`.
    FundTransaction,
    /// `journey.*`; there is no list of them, so the partner names those that it has made.
    Journey,
}

impl RecordKind {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Client, Self::Account, Self::Order, Self::CashTransaction, Self::FundTransaction, Self::Journey];

    /// Those that a client has lists of.
    pub const LISTED: [Self; 4] = [Self::Account, Self::Order, Self::CashTransaction, Self::FundTransaction];

    /// The noun of its events.
    #[must_use]
    pub const fn noun(self) -> &'static str {
        match self {
            Self::Client => "client",
            Self::Account => "account",
            Self::Order => "order",
            Self::CashTransaction => "cashTransaction",
            Self::FundTransaction => "fundTransaction",
            Self::Journey => "journey",
        }
    }

    /// Its path below the client.
    const fn path(self) -> &'static str {
        match self {
            Self::Client => "",
            Self::Account => "/account",
            Self::Order => "/order",
            Self::CashTransaction => "/transaction/cash",
            Self::FundTransaction => "/transaction/fund",
            Self::Journey => "/journey",
        }
    }
}

/// What is to be read from the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ask {
    /// All of a kind that were modified from this instant on, that instant included; all there are without one.
    List(RecordKind, Option<String>),
    /// One record.
    One(RecordKind, String),
}

impl Ask {
    /// The path and query, for a copy of `client`.
    #[must_use]
    pub fn path(&self, client: &str) -> String {
        let client = format!("/v2/partner/client/{client}");
        match self {
            Self::List(kind, None) => format!("{client}{}", kind.path()),
            Self::List(kind, Some(since)) => format!("{client}{}?modifiedFrom={since}", kind.path()),
            Self::One(RecordKind::Client, _) => client,
            Self::One(kind, id) => format!("{client}{}/{id}", kind.path()),
        }
    }
}
