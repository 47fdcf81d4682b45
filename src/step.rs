//! One step of the language of stories as it is written on a command line: a word, then `key=value`.
//!
//! Owns: how arguments become the text of a step. Invariant: words and keys are those of the language's one table, and the text is read
//! as a story's would be, so that mistakes get the same messages. Absent on purpose: sending it (`trigger`), and completing it (`completion`).

use language::diagnostic::Source;
use language::words::{Field, Presence, STEPS, Takes, Usual, Word, WordFieldType};
use serde_json::Value as Json;

/// What may be beside a call.
const BESIDE_CALL: [(&str, WordFieldType); 5] = [
    ("body", WordFieldType::Value),
    ("form", WordFieldType::Text),
    ("query", WordFieldType::Text),
    ("headers", WordFieldType::Text),
    ("text", WordFieldType::Text),
];

/// Words that send one request each.
pub(crate) fn rows() -> impl Iterator<Item = &'static Word> {
    STEPS.iter().filter(|row| sends(row))
}

/// Whether a word sends one request to the sandbox.
fn sends(row: &Word) -> bool {
    row.sends().is_some() || row.word == "call"
}

/// A word as it is written without quotes.
pub(crate) fn hyphened(word: &str) -> String {
    word.replace(' ', "-")
}

/// The word that arguments begin with, and how many of them it takes: the longest one.
pub(crate) fn word_of(arguments: &[String]) -> Option<(&'static Word, usize)> {
    (1..=arguments.len().min(5)).rev().find_map(|count| {
        let written = arguments[..count].join(" ").replace('-', " ");
        let is_it = |row: &&Word| row.word == written || row.alias == Some(&written);
        STEPS.iter().find(is_it).map(|row| (row, count))
    })
}

/// What is not known as a word: everything before the first key.
pub(crate) fn unknown_word(arguments: &[String]) -> String {
    let words: Vec<_> = arguments.iter().take_while(|argument| !argument.contains('=')).cloned().collect();
    if words.is_empty() { arguments[0].clone() } else { words.join(" ").replace('-', " ") }
}

/// The arguments of a word's example: that of stories, with capitals where those have names of their own.
pub(crate) fn example(row: &Word) -> Vec<String> {
    let mut arguments = vec![hyphened(row.word)];
    let Ok(Json::Object(step)) = language::parse::value(&Source::new("example", row.example)) else { return arguments };
    let fields = row.fields();
    for (word, value) in &step {
        match value {
            Json::Object(entries) if *word == row.word => {
                for (key, value) in entries.iter().filter(|(key, _)| *key != "as") {
                    let field = fields.iter().find(|field| field.is_called(key));
                    let kind = field.map_or(WordFieldType::Value, |field| field.kind);
                    flattened(&hyphened(key), kind, value, &mut arguments);
                }
            }
            Json::Null => {}
            other if *word == row.word => {
                let first = fields.first().map(|field| (field.name, field.kind));
                arguments.push(first.map_or_else(|| without_names(other), |(name, kind)| placed(name, kind, other)));
            }
            other => flattened(word, WordFieldType::Value, other, &mut arguments),
        }
    }
    let given = |field: &Field| arguments.iter().any(|it| it.starts_with(&format!("{}=", hyphened(field.name))));
    let missing: Vec<_> = fields.iter().filter(|field| is_receivers(field) && !given(field)).collect();
    arguments.extend(missing.iter().map(|field| format!("{}=URL", hyphened(field.name))));
    arguments
}

/// Keys and values of a field, as they are written on a command line.
fn flattened(key: &str, kind: WordFieldType, value: &Json, arguments: &mut Vec<String>) {
    match value {
        Json::Object(entries) => {
            entries.iter().for_each(|(below, value)| flattened(&format!("{key}.{below}"), kind, value, arguments));
        }
        Json::Array(items) if items.iter().all(|item| !item.is_object()) => {
            arguments.extend(items.iter().map(|item| format!("{key}={}", shown(item))));
        }
        other => {
            let name = key.rsplit('.').next().unwrap_or(key);
            arguments.push(format!("{key}={}", placed(name, kind, other)));
        }
    }
}

/// A value, or capitals for an id that the example has by a name.
fn placed(name: &str, kind: WordFieldType, value: &Json) -> String {
    let text = shown(value);
    let is_reference = matches!(kind, WordFieldType::Reference | WordFieldType::CallbackOf);
    let is_own = is_reference && text.len() < 12 || text.contains('{') && !value.is_array();
    if is_own { name.to_ascii_uppercase().replace(' ', "-") } else { text }
}

/// A value with capitals for its names in braces.
fn without_names(value: &Json) -> String {
    let text = shown(value);
    let mut pieces = text.split('{');
    let first = pieces.next().unwrap_or_default().to_owned();
    pieces.fold(first, |before, piece| match piece.split_once('}') {
        Some((name, rest)) => before + &name.to_ascii_uppercase() + rest,
        None => before + piece,
    })
}

/// A value without quotes.
pub(crate) fn shown(value: &Json) -> String {
    value.as_str().map_or_else(|| value.to_string(), str::to_owned)
}

/// Whether a field names a server of the partner, which stories have and a single step has not.
pub(crate) const fn is_receivers(field: &Field) -> bool {
    matches!(field.presence, Presence::Usual(Usual::Receiver(_)))
}

/// What follows a key: values, or further keys.
enum Tree {
    Values(Vec<String>),
    Map(Vec<(String, Self)>),
}

impl Tree {
    /// Puts a value below a path.
    fn put(&mut self, path: &[String], value: String) -> Result<(), String> {
        match (self, path) {
            (Self::Values(values), []) => {
                values.push(value);
                Ok(())
            }
            (Self::Map(entries), [first, rest @ ..]) => {
                if let Some((_, tree)) = entries.iter_mut().find(|(key, _)| key == first) {
                    return tree.put(rest, value);
                }
                let mut tree = if rest.is_empty() { Self::Values(Vec::new()) } else { Self::Map(Vec::new()) };
                tree.put(rest, value)?;
                entries.push((first.clone(), tree));
                Ok(())
            }
            (Self::Values(_), [key, ..]) => Err(format!("`{key}` is below a key that has a value already")),
            (Self::Map(_), []) => Err("a key has further keys below it already, and no value beside them".to_owned()),
        }
    }

    /// As YAML, below a key.
    fn write(&self, text: &mut String, depth: usize) {
        match self {
            Self::Values(values) => match values.as_slice() {
                [one] => text.push_str(&format!(" {one}\n")),
                several => text.push_str(&format!(" [{}]\n", several.join(", "))),
            },
            Self::Map(entries) => {
                text.push('\n');
                for (key, tree) in entries {
                    text.push_str(&format!("{}{}:", "  ".repeat(depth), key_text(key)));
                    tree.write(text, depth + 1);
                }
            }
        }
    }
}

/// The text of a step, as a story has it.
///
/// # Errors
/// When an argument is neither a key with a value nor the one value that the word may have.
pub(crate) fn text(row: &Word, arguments: &[String], actor: Option<&str>) -> Result<String, String> {
    let mut text = if matches!(row.takes, Takes::Call) { call(row, arguments)? } else { request(row, arguments)? };
    if let Some(actor) = actor {
        text.push_str(&format!("as: {}\n", quoted(actor)));
    }
    Ok(text)
}

/// A word with its fields.
fn request(row: &Word, arguments: &[String]) -> Result<String, String> {
    let fields = row.fields();
    if arguments.is_empty() {
        return Ok(if row.alone { format!("{}:\n", row.word) } else { format!("{}: {{}}\n", row.word) });
    }
    let mut tree = Tree::Map(Vec::new());
    for (at, argument) in arguments.iter().enumerate() {
        let Some((key, value)) = argument.split_once('=') else {
            match fields.first() {
                Some(first) if at == 0 && first.is_required() => {
                    tree.put(&[first.name.to_owned()], scalar(first.kind, argument))?;
                    continue;
                }
                _ => return Err(no_key(row, argument)),
            }
        };
        if key == "as" && !fields.iter().any(|field| field.is_called("as")) {
            return Err("`as` gives a name to what a story makes; here --as says who acts".to_owned());
        }
        let (path, kind) = path_of(&fields, key);
        tree.put(&path, scalar(kind, value))?;
    }
    let mut text = format!("{}:", row.word);
    tree.write(&mut text, 1);
    Ok(text)
}

/// A method and a path, and what is sent with them.
fn call(row: &Word, arguments: &[String]) -> Result<String, String> {
    let (line, rest) = match arguments {
        [line, rest @ ..] if line.contains(' ') => (line.clone(), rest),
        [method, path, rest @ ..] => (format!("{method} {path}"), rest),
        _ => return Err(format!("`{}` needs a method and a path, as in `{}`", row.word, row.example)),
    };
    let mut tree = Tree::Map(Vec::new());
    for argument in rest {
        let (key, value) = argument.split_once('=').ok_or_else(|| no_key(row, argument))?;
        let path: Vec<_> = key.split('.').map(str::to_owned).collect();
        let Some((_, kind)) = BESIDE_CALL.iter().find(|(name, _)| *name == path[0]) else {
            let known = BESIDE_CALL.map(|(name, _)| name);
            let hint = language::words::hint(&path[0], &known).unwrap_or_default();
            return Err(format!("unknown word `{}` beside `call`; {hint}", path[0]));
        };
        tree.put(&path, scalar(*kind, value))?;
    }
    let mut text = format!("{}: {}", row.word, quoted(&line));
    tree.write(&mut text, 0);
    Ok(text)
}

fn no_key(row: &Word, argument: &str) -> String {
    let names = language::words::names(&row.fields());
    let keys: Vec<_> = names.iter().map(|name| format!("{}=", hyphened(name))).collect();
    let hint = if keys.is_empty() { "it takes none".to_owned() } else { format!("known here: {}", keys.join(", ")) };
    format!("`{argument}` is no `key=value` of `{}`; {hint}", row.word)
}

/// The path that a key means, and the kind of what is there.
fn path_of(fields: &[Field], key: &str) -> (Vec<String>, WordFieldType) {
    // Configurations of journeys have dots in their names, and some fields have spaces.
    let field = |name: &str| {
        let spaced = name.replace('-', " ");
        fields.iter().find(|field| field.is_called(name)).or_else(|| fields.iter().find(|it| it.is_called(&spaced)))
    };
    if let Some(whole) = field(key) {
        return (vec![whole.name.to_owned()], whole.kind);
    }
    let (first, rest) = key.split_once('.').map_or((key, None), |(first, rest)| (first, Some(rest)));
    let Some((known, rest)) = field(first).zip(rest) else {
        return (key.split('.').map(str::to_owned).collect(), WordFieldType::Value);
    };
    let mut path = vec![known.name.to_owned()];
    match known.kind {
        // Names of answers have dots themselves.
        WordFieldType::Answers => path.extend(rest.splitn(2, '.').map(str::to_owned)),
        WordFieldType::Map if known.name == "answers" => path.push(rest.to_owned()),
        _ => path.extend(rest.split('.').map(str::to_owned)),
    }
    let kind = match known.kind {
        WordFieldType::Positions => WordFieldType::Number,
        _ => WordFieldType::Value,
    };
    (path, kind)
}

/// A value as YAML.
fn scalar(kind: WordFieldType, text: &str) -> String {
    let is_number =
        text.parse::<f64>().is_ok() && text.bytes().all(|byte| byte.is_ascii_digit() || b".-+eE".contains(&byte));
    let is_word = matches!(text, "true" | "false" | "null");
    match kind {
        WordFieldType::TextOrNull if text == "null" => text.to_owned(),
        WordFieldType::Number | WordFieldType::Units | WordFieldType::Count if is_number => text.to_owned(),
        WordFieldType::Flag if is_word => text.to_owned(),
        WordFieldType::EventTypes if text.starts_with('[') => text.to_owned(),
        WordFieldType::Value
        | WordFieldType::Map
        | WordFieldType::Positions
        | WordFieldType::BankAccounts
        | WordFieldType::Answers
            if is_number || is_word || is_yaml(text) =>
        {
            text.to_owned()
        }
        _ => quoted(text),
    }
}

/// Whether a value is written as a list, a map or a text in quotes; a name in braces is none of these.
fn is_yaml(text: &str) -> bool {
    let is_one_line = !text.contains('\n');
    let is_in = |open: char, close: char| text.len() > 1 && text.starts_with(open) && text.ends_with(close);
    let is_map = is_in('{', '}') && (text.contains(':') || text == "{}");
    is_one_line && (is_map || is_in('[', ']') || is_in('"', '"') || is_in('\'', '\''))
}

/// A text in quotes, which mean the same to YAML as to JSON.
fn quoted(text: &str) -> String {
    Json::from(text).to_string()
}

/// A key, in quotes where it needs them.
fn key_text(key: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ' ' | '.');
    let begins = key.starts_with(|first: char| first.is_ascii_alphabetic());
    if begins && !key.ends_with(' ') && key.chars().all(is_plain) { key.to_owned() } else { quoted(key) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(line: &[&str]) -> Result<String, String> {
        let arguments: Vec<_> = line.iter().map(|argument| (*argument).to_owned()).collect();
        let (row, count) = word_of(&arguments).expect("a word");
        text(row, &arguments[count..], None)
    }

    #[test]
    fn arguments_become_the_text_of_a_step() {
        for (line, step) in [
            (&["open-account", "type=isk", "cash=10000"][..], "open account:\n  type: \"isk\"\n  cash: 10000\n"),
            (&["open", "account", "bank-accounts=SE1"], "open account:\n  bank accounts: \"SE1\"\n"),
            (
                &["open-account", "positions.SE0SBX000016SEK=3.5"],
                "open account:\n  positions:\n    SE0SBX000016SEK: 3.5\n",
            ),
            (&["hold", "an-id"], "hold:\n  order: \"an-id\"\n"),
            (&["remove faults"], "remove faults:\n"),
            (
                &["complete-journey", "journey=j", "answers.kyc.pep=no", "answers.kyc.a.b=2"],
                "complete journey:\n  journey: \"j\"\n  answers:\n    kyc:\n      pep: \"no\"\n      a.b: 2\n",
            ),
            (
                &["register-webhook", "events=order.*", "events=account.*"],
                "register webhook:\n  events: [\"order.*\", \"account.*\"]\n",
            ),
            (
                &["instruct-payments", "type=autogiro", "payments=[{ account: a, amount: 1 }]"],
                "instruct payments:\n  type: \"autogiro\"\n  payments: [{ account: a, amount: 1 }]\n",
            ),
            (&["set-fees", "client={client.id}"], "set fees:\n  client: \"{client.id}\"\n"),
            (&["set-price", "SE0", "closePrice=1"], "set price:\n  instrument: \"SE0\"\n  closePrice: 1\n"),
            (&["call", "GET /account"], "call: \"GET /account\"\n"),
            (
                &["call", "POST", "/order", "body.amount=1", "query.a=2"],
                "call: \"POST /order\"\nbody:\n  amount: 1\nquery:\n  a: \"2\"\n",
            ),
        ] {
            assert_eq!(written(line).as_deref(), Ok(step), "{line:?}");
        }
    }

    #[test]
    fn what_is_no_key_is_refused_with_the_keys() {
        for (line, why) in [
            (&["subscribe", "account=a", "100"][..], "known here: account=, instrument=, amount="),
            (&["open-account", "as=anna"], "--as says who acts"),
            (&["call", "GET /order", "bdy.a=1"], "did you mean `body`?"),
            (&["open-account", "owner=x", "owner.ssn=1"], "has a value already"),
        ] {
            assert!(written(line).is_err_and(|message| message.contains(why)), "{line:?}");
        }
    }

    #[test]
    fn a_word_is_the_longest_that_its_arguments_begin_with() {
        let of = |line: &[&str]| {
            let arguments: Vec<_> = line.iter().map(|argument| (*argument).to_owned()).collect();
            word_of(&arguments).map(|(row, count)| (row.word, count))
        };
        assert_eq!(of(&["cancel", "an-id"]), Some(("cancel", 1)));
        assert_eq!(of(&["cancel", "journey", "an-id"]), Some(("cancel journey", 2)));
        assert_eq!(of(&["opn-account"]), None);
    }

    #[test]
    fn every_example_is_read_as_a_step_of_its_word() {
        for row in rows() {
            let written = example(row);
            let id = "15a0b3a4-2b27-4772-9aa8-8ced5a0b2e72";
            let filled = written.iter().map(|argument| match argument.split_once('=') {
                Some(("ref", _)) => "ref=177252300000050".to_owned(),
                Some((key, value)) if value.chars().all(|c| c.is_ascii_uppercase() || c == '-') && value.len() > 1 => {
                    format!("{key}={id}")
                }
                None if argument.chars().all(|c| c.is_ascii_uppercase() || c == '-') => id.to_owned(),
                _ => argument.clone(),
            });
            let arguments: Vec<_> = filled.collect();
            let (found, count) = word_of(&arguments).expect("a word");
            let step = text(found, &arguments[count..], None).expect("keys and values");
            let read = language::parse::single_step(&Source::new("example", &*step.replace("{anna.id}", id)));
            assert!(found == row && read.is_ok(), "{written:?}\n{step}{:?}", read.err());
        }
    }
}
