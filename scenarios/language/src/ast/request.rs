//! Requests of a story: raw calls, and words that stand for one request each.
//!
//! Invariant: a request holds fields of its word's row, by their names there. Absent on purpose: what becomes of them on
//! their way to the server (`runner::requests`).

use crate::words::{self, Word};
use serde_json::{Map, Value as Json};

/// One request by its word.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// The row of its word.
    pub word: &'static Word,
    /// What is written, by the names of the row's fields; order has no meaning.
    pub arguments: Map<String, Json>,
}

/// A request without arguments, to be filled by `set`.
///
/// # Panics
/// When the language has no such request.
#[must_use]
pub fn request(word: &str) -> Request {
    let row = words::request(word).unwrap_or_else(|| panic!("no request is called `{word}`"));
    Request { word: row, arguments: Map::new() }
}

impl Request {
    /// The same request with an argument.
    ///
    /// # Panics
    /// When the word has no such field.
    #[must_use]
    pub fn set(mut self, field: &str, value: impl Into<Json>) -> Self {
        assert!(words::names(&self.word.fields()).contains(&field), "`{}` has no `{field}`", self.word.word);
        self.arguments.insert(field.to_owned(), value.into());
        self
    }

    /// The same request with an argument, if there is one.
    ///
    /// # Panics
    /// When the word has no such field.
    #[must_use]
    pub fn set_some(self, field: &str, value: Option<impl Into<Json>>) -> Self {
        match value {
            Some(value) => self.set(field, value),
            None => self,
        }
    }

    /// Whether it goes to the partner API; otherwise it is a lever or the operator's.
    #[must_use]
    pub fn is_partners(&self) -> bool {
        self.word.sends().is_some_and(|sends| is_partners(sends.path))
    }
}

impl Call {
    /// Whether it goes to the partner API; otherwise it is a lever or the operator's.
    #[must_use]
    pub fn is_partners(&self) -> bool {
        is_partners(&self.path)
    }
}

fn is_partners(path: &str) -> bool {
    !path.starts_with("/simulations") && !path.starts_with("/_sandbox")
}

/// A raw call.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Call {
    /// HTTP method, upper case.
    pub method: String,
    /// Path; one that begins with neither `/v2`, `/ping`, `/simulations` nor `/_sandbox` is the actor's client's.
    pub path: String,
    /// Query parameters in order.
    pub query: Vec<(String, Json)>,
    /// Extra headers.
    pub headers: Vec<(String, String)>,
    /// What is sent.
    pub body: Body,
}

/// What a call sends.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Body {
    /// Nothing.
    #[default]
    None,
    /// JSON.
    Json(Json),
    /// A form, `application/x-www-form-urlencoded`.
    Form(Vec<(String, Json)>),
    /// These very characters, as `application/json` unless a header says otherwise.
    Text(String),
}
