//! What is wrong with a JSON body, in the words of its sender.
//!
//! Invariant: no answer names a type of this program. Absent on purpose: the rules of single fields, which their
//! handlers know.

/// Said of a body that is a list, a text or a number.
pub(super) const NO_OBJECT: &str = "must be a JSON object";

/// The error with types of this program told as JSON knows them, and with its place in the text.
pub(super) fn words(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let (what, place) = text.rsplit_once(" at line ").unwrap_or((&text, ""));
    let what = mismatch(what).unwrap_or_else(|| what.replacen("unknown variant ", "unknown word ", 1));
    if place.is_empty() { what } else { format!("{what} at line {place}") }
}

/// Reads `invalid type: <found>, expected <wanted>` and its kin.
fn mismatch(what: &str) -> Option<String> {
    let (found, wanted) = what.rsplit_once(", expected ")?;
    let wanted = wanted_as(wanted);
    if found.starts_with("invalid length") {
        return Some(format!("a list where {wanted} belongs"));
    }
    let found = found.strip_prefix("invalid type: ").or_else(|| found.strip_prefix("invalid value: "))?;
    Some(format!("{} where {wanted} belongs", found_as(found)))
}

fn found_as(found: &str) -> &str {
    match found {
        "unit variant" => "a word alone",
        "newtype variant" | "struct variant" | "tuple variant" | "map" => "an object",
        "sequence" => "a list",
        other => other,
    }
}

fn wanted_as(wanted: &str) -> &str {
    match wanted {
        "a string" | "a JSON number" => wanted,
        "a boolean" => "true or false",
        "a sequence" => "a list",
        "unit variant" => "a word alone",
        "u8" => "a whole number from 0 to 255",
        "u16" => "a whole number from 0 to 65535",
        "u32" => "a whole number from 0 to 4294967295",
        "u64" | "usize" => "a whole number from 0 on",
        _ if wanted.starts_with("struct ") || wanted.ends_with(" variant") || wanted.starts_with("a map") => {
            "an object"
        }
        _ => "something else",
    }
}
