//! What a shell completes beside words of the command line: profiles, words of the language of stories, their keys and values.
//!
//! Invariant: it asks no server, and prints no fault. Absent on purpose: flags and commands, which the parser completes.

use crate::profiles::Profiles;
use crate::step::{hyphened, rows, word_of};
use clap_complete::CompletionCandidate;
use language::parse::EVENT_TYPES;
use language::words::{Field, Takes, WordFieldType};
use std::ffi::OsStr;

/// Flags of `trigger` that no value follows.
const BARE: [&str; 3] = ["--json", "--help", "-h"];
/// Where the shell says which word is being completed.
const INDEX: &str = "_CLAP_COMPLETE_INDEX";

/// What an advance may end at.
pub(crate) const ENDS: [&str; 4] = ["next", "cutOff", "settlement", "booking"];

/// Names of profiles.
pub(crate) fn profiles(current: &OsStr) -> Vec<CompletionCandidate> {
    let names = Profiles::load().map(|profiles| profiles.names()).unwrap_or_default();
    let current = current.to_string_lossy();
    names.into_iter().filter(|name| name.starts_with(&*current)).map(CompletionCandidate::new).collect()
}

/// Ends of an advance.
pub(crate) fn until(current: &OsStr) -> Vec<CompletionCandidate> {
    let current = current.to_string_lossy();
    ENDS.into_iter().filter(|end| end.starts_with(&*current)).map(CompletionCandidate::new).collect()
}

/// Words, keys and values of `trigger`.
pub(crate) fn step(current: &OsStr) -> Vec<CompletionCandidate> {
    let words: Vec<_> = std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
    let index = std::env::var(INDEX).ok().and_then(|index| index.parse().ok());
    candidates(&before(&words, index), &current.to_string_lossy())
        .into_iter()
        .map(|(value, about)| CompletionCandidate::new(value).help(Some(about.into())))
        .collect()
}

/// The arguments of `trigger` before the one that is completed.
fn before(words: &[String], index: Option<usize>) -> Vec<String> {
    let line = words.iter().position(|word| word == "--").map_or(words, |at| &words[at + 1..]);
    let end = index.unwrap_or(line.len().saturating_sub(1)).min(line.len());
    let from = line.iter().position(|word| word == "trigger").map_or(end, |at| at + 1).min(end);
    let mut found: Vec<String> = Vec::new();
    let mut rest = line[from..end].iter().peekable();
    while let Some(word) = rest.next() {
        if word == "=" {
            // Some shells take a key, its sign and its value for three words.
            if let Some(key) = found.last_mut() {
                key.push('=');
                key.extend(rest.next().map(String::as_str));
            }
        } else if word.starts_with('-') {
            if !BARE.contains(&word.as_str()) && !word.contains('=') {
                rest.next();
            }
        } else {
            found.push(word.clone());
        }
    }
    found
}

/// What can follow these arguments, and what each is.
fn candidates(before: &[String], current: &str) -> Vec<(String, String)> {
    let Some((row, count)) = word_of(before) else {
        let words = rows().map(|row| (hyphened(row.word), row.about.to_owned()));
        return words.filter(|(word, _)| word.starts_with(current)).collect();
    };
    let fields = row.fields();
    let given = &before[count..];
    let named = |key: &str| fields.iter().find(|field| field.is_called(key) || hyphened(field.name) == key).copied();
    if let Some((key, value)) = current.split_once('=') {
        return values(named(key), &format!("{key}="), value);
    }
    // The key and its sign are words of their own before the value.
    if let Some(field) = given.last().and_then(|last| named(last.strip_suffix('=').unwrap_or(last))) {
        return values(Some(field), "", current);
    }
    let mut keys: Vec<_> = if matches!(row.takes, Takes::Call) { Vec::new() } else { fields };
    keys.retain(|field| {
        let key = format!("{}=", hyphened(field.name));
        let is_list = matches!(field.kind, WordFieldType::EventTypes | WordFieldType::BankAccounts);
        is_list || !given.iter().any(|argument| argument.starts_with(&key))
    });
    // What must be given comes first.
    keys.sort_by_key(|field| !field.is_required());
    let keys = keys.into_iter().map(|field| (format!("{}=", hyphened(field.name)), field.about.to_owned()));
    keys.filter(|(key, _)| key.starts_with(current)).collect()
}

/// Values of a field, behind what is written of it.
fn values(field: Option<Field>, written: &str, current: &str) -> Vec<(String, String)> {
    let Some(field) = field else { return Vec::new() };
    let known: Vec<&str> = match field.kind {
        WordFieldType::OneOf(words) => words(),
        WordFieldType::Flag => vec!["true", "false"],
        WordFieldType::Units => vec!["everything"],
        WordFieldType::EventTypes => EVENT_TYPES.to_vec(),
        _ => Vec::new(),
    };
    let known = known.into_iter().filter(|value| value.starts_with(current) && !value.contains(' '));
    known.map(|value| (format!("{written}{value}"), String::new())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(line: &[&str], current: &str) -> Vec<String> {
        let line: Vec<_> = line.iter().map(|word| (*word).to_owned()).collect();
        candidates(&line, current).into_iter().map(|(value, _)| value).collect()
    }

    #[test]
    fn words_then_keys_then_values_are_completed() {
        assert_eq!(found(&[], "open-"), ["open-account", "open-journey"]);
        assert_eq!(found(&["subscribe"], ""), ["account=", "instrument=", "amount=", "clientRef=", "executorRef="]);
        assert_eq!(found(&["subscribe", "account=1"], "a"), ["amount="]);
        assert_eq!(found(&["open-account"], "type=i"), ["type=isk", "type=insurance"]);
        assert_eq!(found(&["open-account", "type="], "i"), ["isk", "insurance"]);
        assert_eq!(found(&["set-trading", "isBuyable"], ""), ["true", "false"]);
        assert_eq!(found(&["no-such-word"], "x"), [""; 0]);
    }

    #[test]
    fn a_shell_that_parts_keys_and_values_is_understood() {
        let words = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let line = words("fundsim -- fundsim trigger --url http://x --json open-account type = isk ca");
        assert_eq!(before(&line, Some(9)), ["open-account", "type=isk"]);
        assert_eq!(before(&line, Some(8)), ["open-account", "type="]);
        assert_eq!(before(&line, Some(7)), ["open-account", "type"]);
        assert_eq!(before(&words("fundsim -- fundsim trigger sub"), None), [""; 0]);
    }
}
