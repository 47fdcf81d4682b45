//! Which word of the table a step begins with, and which one a slip was meant to be.
//!
//! Invariant: names of the author's, in braces or in the places of a word's capitals, never decide what a word is.

use super::reader::Reader;
use crate::tree::Key;
use crate::words::{OTHER_WORDS, STEPS, Word};

/// The row of a step's word, and what is in the places of its capitals.
pub(super) fn find_word(text: &str) -> Option<(&'static Word, Vec<String>)> {
    if let Some(row) = STEPS.iter().find(|row| row.alias == Some(text)) {
        return Some((row, Vec::new()));
    }
    STEPS.iter().filter_map(|row| Some((row, capture(row.word, text)?))).max_by_key(|(row, _)| literals(row.word))
}

fn literals(word: &str) -> usize {
    word.split(' ').filter(|part| !is_capture(part)).count()
}

fn is_capture(part: &str) -> bool {
    part.chars().all(|character| character.is_ascii_uppercase())
}

/// Matches a text against a word of the table. A name in braces is one piece, whatever spaces it has.
fn capture(word: &str, text: &str) -> Option<Vec<String>> {
    let pieces = pieces(text);
    let mut at = 0;
    let mut captured = Vec::new();
    let parts: Vec<&str> = word.split(' ').collect();
    for (index, part) in parts.iter().enumerate() {
        if !is_capture(part) {
            if pieces.get(at).map(String::as_str) != Some(*part) {
                return None;
            }
            at += 1;
            continue;
        }
        let end = match parts.get(index + 1) {
            Some(next) => at + pieces.get(at..)?.iter().position(|piece| piece == next)?,
            None => pieces.len(),
        };
        if end <= at {
            return None;
        }
        captured.push(pieces[at..end].join(" "));
        at = end;
    }
    (at == pieces.len()).then_some(captured)
}

fn pieces(text: &str) -> Vec<String> {
    let mut pieces = vec![String::new()];
    let mut braces = 0_usize;
    for character in text.chars() {
        match character {
            '{' => braces += 1,
            '}' => braces = braces.saturating_sub(1),
            _ => {}
        }
        if character.is_whitespace() && braces == 0 {
            pieces.push(String::new());
        } else if let Some(last) = pieces.last_mut() {
            last.push(character);
        }
    }
    pieces.retain(|piece| !piece.is_empty());
    pieces
}

/// The unknown word's nearest relative, names left out of the comparison.
pub(super) fn unknown(reader: &mut Reader<'_>, key: &Key) {
    let pieces = pieces(&key.text);
    if let Some(meant) = meant(&key.text) {
        let fault = reader.fault(&key.span, format!("unknown word `{}`", key.text));
        fault.label = "not known here".to_owned();
        let also = if meant.word == "wait" { " `advance` moves the business clock" } else { "" };
        fault.hint = Some(format!("did you mean `{}`, as in `{}`?{also}", meant.word, meant.example));
        return;
    }
    let near = STEPS
        .iter()
        .filter_map(|step| {
            let distance = distance(&pieces, step.word);
            (distance <= 2 + key.text.len() / 8).then_some((distance, step))
        })
        .min_by_key(|(distance, _)| *distance);
    let hint = match near {
        Some((_, step)) => format!("did you mean `{}`?", step.word),
        None => "`fundsim explain steps` lists every word".to_owned(),
    };
    let fault = reader.fault(&key.span, format!("unknown word `{}`", key.text));
    fault.label = "not known here".to_owned();
    fault.hint = Some(hint);
}

/// The word of this language for a word of others.
fn meant(text: &str) -> Option<&'static Word> {
    let text = text.to_lowercase();
    let is_it = |other: &str| text.strip_prefix(other).is_some_and(|rest| rest.is_empty() || rest.starts_with(' '));
    let longest = OTHER_WORDS.iter().filter(|(other, _)| is_it(other)).max_by_key(|(other, _)| other.len());
    longest.and_then(|(_, word)| STEPS.iter().find(|row| row.word == *word))
}

/// How far a slip is from a word, names of the author's left out: those in braces, and whatever is in their places.
fn distance(pieces: &[String], word: &str) -> usize {
    let parts: Vec<_> = word.split(' ').collect();
    let known: Vec<_> = parts.iter().copied().filter(|part| !is_capture(part)).collect();
    let known = known.join(" ");
    let bare: Vec<_> = pieces.iter().filter(|piece| !piece.starts_with('{')).map(String::as_str).collect();
    let mut spellings = vec![bare.join(" ")];
    if pieces.len() == parts.len() {
        let aligned = pieces.iter().zip(&parts).filter(|(_, part)| !is_capture(part)).map(|(piece, _)| piece.as_str());
        spellings.push(aligned.collect::<Vec<_>>().join(" "));
    }
    spellings
        .iter()
        .map(|spellings| strsim::damerau_levenshtein(&spellings.to_lowercase(), &known))
        .min()
        .unwrap_or(usize::MAX)
}
