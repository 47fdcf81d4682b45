//! What checks of a story ask of one step: its place in the text, and whether it expects to succeed.

use crate::ast::{Expected, ExpectedResponse, StoryStep};
use crate::diagnostic::{Diagnostic, Source};

/// A fault of a step, at `text`, or at the step's own word where the text is elsewhere.
pub(super) fn at_step(step: &StoryStep, source: &Source, text: &str, message: String) -> Option<Diagnostic> {
    let place = step.place.as_ref().filter(|place| *place.path == *source.path)?;
    let begin = source.offset_of(place.line, place.column);
    let span = match source.text[begin..].lines().next().and_then(|line| Some((line, line.find(text)?))) {
        Some((line, at)) => {
            let column = place.column + u32::try_from(line[..at].chars().count()).unwrap_or_default();
            source.span(begin + at, text.len(), place.line, column)
        }
        None => source.span(begin, place.written.len(), place.line, place.column),
    };
    Some(Diagnostic::new(source, span, message).label("here"))
}

/// Whether any other answer than a success would be wrong.
pub(super) fn succeeds(expected: Option<&ExpectedResponse>) -> bool {
    let Some(expected) = expected else { return true };
    match &expected.status {
        None => !expected.no_answer,
        Some(Expected::Is(status)) => status.as_u64().is_some_and(|status| (200..300).contains(&status)),
        Some(Expected::Like(class)) => class == "2??",
        Some(_) => false,
    }
}
