//! Filling a form in, as a person would: what is not on the page cannot be chosen.
//!
//! Invariant: a fault names what was meant, or what there is. Absent on purpose: sending (`runner::browser`).

use super::{ANOTHER, Control, Field, NUMBER, PERSON, Page};
use language::words;
use serde_json::{Value as Json, json};

/// A field by its name, or by the words beside it.
pub fn find_field<'f>(page: &Page, fields: &'f mut [Field], name: &str) -> Result<&'f mut Field, String> {
    let by_name = fields.iter().position(|field| field.name == name);
    if let Some(at) = by_name.or_else(|| fields.iter().position(|field| field.label == name)) {
        return Ok(&mut fields[at]);
    }
    let known: Vec<_> = page.asked().map(|field| field.name.as_str()).collect();
    let hint = match words::nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None if known.is_empty() => "it has no controls".to_owned(),
        None => format!("it asks for: {}", known.join(", ")),
    };
    Err(format!("the page {} does not ask for `{name}`; {hint}", page.name()))
}

/// Puts a value into a field as a person would.
pub fn put(field: &mut Field, value: &Json) -> Result<(), String> {
    field.holds = match (field.control, value) {
        // A line of text is sent even when it is empty.
        (Control::Text, Json::Null) => vec![String::new()],
        (_, Json::Null) => Vec::new(),
        (Control::Tick, Json::Bool(true)) => field.values().into_iter().map(str::to_owned).collect(),
        (Control::Tick, Json::Bool(false)) => Vec::new(),
        (Control::Tick, other) => {
            return Err(format!("`{}` is ticked or not: true or false, not {other}", field.name));
        }
        (Control::Text, Json::Array(_) | Json::Object(_)) => {
            return Err(format!("`{}` takes one line of text, not {value}", field.name));
        }
        (Control::Text, text) => vec![text_of(text)],
        (Control::One, choice) => vec![chosen(field, choice)?],
        (Control::Many, Json::Array(items)) => {
            items.iter().map(|item| chosen(field, item)).collect::<Result<_, String>>()?
        }
        (Control::Many, choice) => vec![chosen(field, choice)?],
    };
    Ok(())
}

/// The value of a choice that is named by its value or its words.
fn chosen(field: &Field, choice: &Json) -> Result<String, String> {
    let text = text_of(choice);
    let found = field.choices.iter().find(|(value, words)| *value == text || *words == text);
    if let Some((value, _)) = found {
        return Ok(value.clone());
    }
    let known = field.values();
    let hint = words::nearest(&text, known.iter().copied());
    let hint =
        hint.map_or_else(|| format!("there are: {}", known.join(", ")), |near| format!("did you mean `{near}`?"));
    Err(format!("`{}` offers no `{text}`; {hint}", field.name))
}

/// Chooses who uses the identity: one of those on the page, or somebody else by number.
pub fn choose_person(fields: &mut [Field], number: &str) -> Result<(), String> {
    let persons = fields.iter_mut().find(|field| field.name == PERSON);
    let persons = persons.ok_or("the page does not ask who it is")?;
    if persons.choices.iter().any(|(value, words)| value == number || words == number) {
        return put(persons, &json!(number));
    }
    if !persons.values().contains(&ANOTHER) {
        let known = persons.choices.iter().map(|(value, words)| format!("{words} ({value})")).collect::<Vec<_>>();
        return Err(format!("the page does not let `{number}` act; there are: {}", known.join(", ")));
    }
    put(persons, &json!(ANOTHER))?;
    let field = fields.iter_mut().find(|field| field.name == NUMBER);
    put(field.ok_or("it has no field for the number")?, &json!(number))
}

/// A value as it would be typed.
pub fn text_of(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Words of a link without the arrow before them.
pub fn strip_arrow(words: &str) -> &str {
    words.trim_start_matches(['\u{2190}', '\u{a0}', ' '])
}
