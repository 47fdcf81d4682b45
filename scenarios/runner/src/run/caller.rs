//! Who sends a step to a world that goes on without the story.
//!
//! Absent on purpose: what is sent (`visit`), and which world it is (`session::joining`).

/// By what right a step is sent.
#[derive(Clone, PartialEq, Eq)]
pub enum Caller {
    /// A partner of the world, by its credentials.
    Partner {
        /// The client id.
        id: String,
        /// The client secret.
        secret: String,
    },
    /// A partner of the world, by an access token.
    Token(String),
    /// The operator, who acts for each partner in turn: its credentials are read from the world.
    Operator,
}
