//! The forms of a picture as answers: SVG, text, JSON.
//!
//! Invariant: opened by itself, a picture is a document that runs and loads nothing, and is taken for nothing else.

use axum::http::HeaderName;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use axum::response::{IntoResponse as _, Response};
use drawing::{Picture, Width};
use utoipa::openapi::schema::Type;
use wire::query::Parameters;
use wire::rows::shape::plain;
use wire::words::schema_of;

use crate::planes::responses::json;

const HEADERS: [(HeaderName, &str); 3] = [
    (CONTENT_TYPE, "image/svg+xml"),
    (CONTENT_SECURITY_POLICY, "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"),
    (X_CONTENT_TYPE_OPTIONS, "nosniff"),
];

/// How a picture is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Svg,
    Text,
    Json,
}

const FORMS: [(&str, Form); 3] = [("svg", Form::Svg), ("text", Form::Text), ("json", Form::Json)];

/// The form and the width of a picture.
pub(super) struct WantedForm {
    form: Form,
    width: Width,
}

impl WantedForm {
    /// The parameters of form and width.
    pub(super) fn read(query: &mut Parameters<'_>) -> Self {
        let words = FORMS.map(|(word, _)| word);
        let form = (format!("one of {}", words.join(", ")), || schema_of(words));
        let (least, most) = Width::LIMITS;
        let width =
            (format!("{least} to {most}"), || plain(Type::Integer).minimum(Some(least)).maximum(Some(most)).into());
        Self {
            form: query
                .read("format", "`svg` when left out; `text` for a terminal, `json` for what is drawn.", form, |text| {
                    FORMS.into_iter().find(|(word, _)| *word == text).map(|(_, form)| form)
                })
                .unwrap_or(Form::Svg),
            width: query
                .read(
                    "width",
                    "Pixels; 1200 when left out. Below 720 a picture is laid out for a phone.",
                    width,
                    |text| text.parse().ok().and_then(Width::new),
                )
                .unwrap_or(Width::USUAL),
        }
    }

    /// The answer.
    pub(super) fn of<P: Picture>(&self, picture: &P) -> Response {
        match self.form {
            Form::Svg => svg(picture.svg(self.width)),
            Form::Text => ([(CONTENT_TYPE, "text/plain; charset=utf-8")], picture.text()).into_response(),
            Form::Json => json(picture),
        }
    }
}

/// A picture as a document.
pub(super) fn svg(document: String) -> Response {
    (HEADERS, document).into_response()
}
