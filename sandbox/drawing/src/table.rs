//! The table of pictures: what each is called, what it answers, what it is asked with, and who sees it.
//!
//! Invariant: names are words of an address, and no two rows have the same. Absent on purpose: where the facts of a picture come
//! from, which is the server's, and how it is drawn, which a room of its own says.

use serde::Serialize;

/// Who sees a picture where several partners share a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Sight {
    /// A partner, of what is its own.
    Own,
    /// The operator alone.
    Operator,
}

/// What a picture is asked with, besides its form and width.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PictureParameter {
    /// The query parameter.
    pub name: &'static str,
    /// Whether there is no picture without it.
    pub required: bool,
}

/// A picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct PictureRow {
    /// Its name in addresses and commands.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The question that it answers.
    pub answers: &'static str,
    /// What it is asked with.
    pub parameters: &'static [PictureParameter],
    /// Who sees it.
    pub sight: Sight,
}

const fn needs(name: &'static str) -> PictureParameter {
    PictureParameter { name, required: true }
}

const fn may(name: &'static str) -> PictureParameter {
    PictureParameter { name, required: false }
}

/// The pictures, in the order in which they are listed.
pub const PICTURES: &[PictureRow] = &[
    PictureRow {
        name: "account",
        title: "An account over time",
        answers: "What is an account worth, what came and went, and what was ordered?",
        parameters: &[needs("accountId")],
        sight: Sight::Own,
    },
    PictureRow {
        name: "sequence",
        title: "Who did what with whom",
        answers: "Which requests, events, deliveries and bookings led to the state of an account, an order, a journey or a payment, or \
                  happened last in the world?",
        parameters: &[may("id"), may("limit")],
        sight: Sight::Own,
    },
    PictureRow {
        name: "world",
        title: "A world at a glance",
        answers: "What are all accounts worth, how far are orders, what fails, do webhooks arrive, and what comes next?",
        parameters: &[],
        sight: Sight::Own,
    },
    PictureRow {
        name: "calendar",
        title: "Calendar",
        answers: "Which days are bank days, half-days and holidays, and what is due on each?",
        parameters: &[may("from"), may("to")],
        sight: Sight::Own,
    },
    PictureRow {
        name: "money",
        title: "Money in a period",
        answers: "Where did money come from, through which accounts did it go, where did it go, and what is left?",
        parameters: &[may("from"), may("to")],
        sight: Sight::Own,
    },
    PictureRow {
        name: "machines",
        title: "State tables",
        answers: "How often was each row of the state tables taken, and which never?",
        parameters: &[],
        sight: Sight::Own,
    },
    PictureRow {
        name: "difference",
        title: "The difference of two worlds",
        answers: "What does one world have that the other has not, what has changed, and since when?",
        parameters: &[needs("with")],
        sight: Sight::Operator,
    },
    PictureRow {
        name: "forks",
        title: "Forks and branches",
        answers: "Which worlds are forks of which, where were they put back, and which snapshots do they have?",
        parameters: &[],
        sight: Sight::Own,
    },
];

/// The row of that name.
#[must_use]
pub fn picture_row(name: &str) -> Option<&'static PictureRow> {
    PICTURES.iter().find(|row| row.name == name)
}
