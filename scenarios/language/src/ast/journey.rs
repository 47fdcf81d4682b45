//! What the customer does in a browser, and how the partner's own server takes what is posted to it.
//!
//! Absent on purpose: where on a page a button is (`page`).

use super::Ref;
use serde_json::Value as Json;

/// What the customer does in the browser. There is one browser, which keeps its page between steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Browse {
    /// Opens a journey's link, or any address of the sandbox.
    Open {
        /// A journey, or an address.
        page: Ref,
        /// What the browser asks for; English when `None`.
        language: Option<String>,
    },
    /// Fills the form in and continues. What is not named stays as the page has it.
    FillIn(Vec<(String, Json)>),
    /// Uses the electronic identity.
    Identity(Identity),
    /// Presses a button or a link by its words.
    Press(String),
    /// The last form goes out once more, as when a page is loaded again.
    SendAgain,
    /// Back to the step before.
    GoBack,
    /// Leaves for good, and says yes when asked.
    Leave,
}

/// One use of the electronic identity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Identity {
    /// Whether it signs; otherwise it identifies.
    pub signs: bool,
    /// Personal number; the one that the page has chosen when `None`.
    pub person: Option<Json>,
    /// How it ends.
    pub outcome: IdentityOutcome,
    /// `same` or `other`; as the page has it when `None`.
    pub device: Option<String>,
    /// Fields beside the person, such as `firstName`.
    pub fields: Vec<(String, Json)>,
}

/// How the use of an electronic identity ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IdentityOutcome {
    /// Well.
    Done,
    /// The person aborts.
    Abort,
    /// It fails.
    Fail,
    /// The customer refuses to sign what others have signed.
    Refuse,
}

impl IdentityOutcome {
    /// All outcomes.
    pub const ALL: [Self; 4] = [Self::Done, Self::Abort, Self::Fail, Self::Refuse];

    /// The word of the language.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Abort => "abort",
            Self::Fail => "fail",
            Self::Refuse => "refuse",
        }
    }
}

/// How the partner's own server treats what is posted to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReceiverBehaviour {
    /// It is not there: connections end before anything is read.
    Down,
    /// It answers with this status.
    Answers(u16),
    /// It answers with this status after so many milliseconds.
    Slow(u16, u32),
    /// It redirects.
    Redirects,
    /// It takes the post and says nothing.
    Hangs,
    /// It takes the post and closes the connection.
    Closes,
    /// Its answer comes a byte a second without end.
    Dribbles,
    /// Its answer is a gibibyte.
    Floods,
}
