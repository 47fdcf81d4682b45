//! JSON text read into a tree, strictly.
//!
//! Invariant: a `Node` comes from a text that is UTF-8, is one JSON value, repeats no key in any object and nests at most
//! `DEEPEST` levels. Numbers keep their digits as written. The grammar is serde_json's; this file adds what it leaves
//! open (repeated keys) or decides too late (depth).
//! Absent on purpose: meaning. What a field must be is `fields`.

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::fmt;

/// The API's deepest body has seven levels.
pub const DEEPEST: usize = 32;

/// One JSON value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node<'a> {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number, as written.
    Number(&'a str),
    /// A text, its escapes resolved.
    Text(Cow<'a, str>),
    /// A list.
    List(Vec<Node<'a>>),
    /// An object, its keys in the order written.
    Object(Vec<(Cow<'a, str>, Node<'a>)>),
}

/// Why bytes are no acceptable JSON text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum JsonFault {
    /// Not UTF-8.
    NotUtf8,
    /// Nothing at all.
    Empty,
    /// Not in the grammar; the text says where.
    Syntax(String),
    /// Nested too deeply.
    TooDeep,
    /// An object repeats this key.
    DuplicateKey(String),
}

impl fmt::Display for JsonFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotUtf8 => f.write_str("must be UTF-8 text"),
            Self::Empty => f.write_str("is required"),
            Self::Syntax(what) => write!(f, "must be JSON: {what}"),
            Self::TooDeep => write!(f, "must not nest more than {DEEPEST} levels"),
            Self::DuplicateKey(key) => write!(f, "repeats the key `{key}` in one object"),
        }
    }
}

impl<'a> Node<'a> {
    /// Reads one JSON text.
    ///
    /// # Errors
    /// The first `JsonFault` met. Time is bounded by `DEEPEST` passes over the text.
    pub fn parse(bytes: &'a [u8]) -> Result<Self, JsonFault> {
        let text = std::str::from_utf8(bytes).map_err(|_| JsonFault::NotUtf8)?;
        match text.trim_ascii_start().as_bytes().first() {
            None => Err(JsonFault::Empty),
            // The usual case; its entries are checked while they are parted.
            Some(b'{') => Self::object(text, DEEPEST),
            Some(_) => Self::read(serde_json::from_str(text).map_err(syntax)?, DEEPEST),
        }
    }

    /// The same tree from a value that serde_json has already read.
    #[must_use]
    pub fn of(value: &'a serde_json::Value) -> Self {
        use serde_json::Value;
        match value {
            Value::Null => Self::Null,
            Value::Bool(flag) => Self::Bool(*flag),
            Value::Number(number) => Self::Number(number.as_str()),
            Value::String(text) => Self::Text(Cow::Borrowed(text)),
            Value::Array(items) => Self::List(items.iter().map(Self::of).collect()),
            Value::Object(entries) => Self::Object(
                entries.iter().map(|(key, value)| (Cow::Borrowed(key.as_str()), Self::of(value))).collect(),
            ),
        }
    }

    /// The same tree as serde_json has it.
    #[must_use]
    pub fn value(&self) -> serde_json::Value {
        use serde_json::Value;
        match self {
            Self::Null => Value::Null,
            Self::Bool(flag) => Value::Bool(*flag),
            // What was read as a number is one.
            Self::Number(digits) => digits.parse().map_or(Value::Null, Value::Number),
            Self::Text(text) => Value::String(text.to_string()),
            Self::List(items) => items.iter().map(Self::value).collect(),
            Self::Object(entries) => entries.iter().map(|(key, node)| (key.to_string(), node.value())).collect(),
        }
    }

    /// What it is, in words.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::List(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    fn read(raw: &'a RawValue, levels: usize) -> Result<Self, JsonFault> {
        let text = raw.get();
        match text.as_bytes().first() {
            Some(b'n') => Ok(Self::Null),
            Some(b't') => Ok(Self::Bool(true)),
            Some(b'f') => Ok(Self::Bool(false)),
            // What was parted has been looked through: without an escape it is the text between the quotes.
            Some(b'"') if !text.contains('\\') => Ok(Self::Text(Cow::Borrowed(&text[1..text.len() - 1]))),
            Some(b'"') => Ok(Self::Text(serde_json::from_str::<Text<'_>>(text).map_err(syntax)?.0)),
            Some(b'[') => {
                let below = levels.checked_sub(1).ok_or(JsonFault::TooDeep)?;
                let items: Vec<&RawValue> = serde_json::from_str(text).map_err(syntax)?;
                items.into_iter().map(|item| Self::read(item, below)).collect::<Result<_, _>>().map(Self::List)
            }
            Some(b'{') => Self::object(text, levels),
            _ => Ok(Self::Number(text)),
        }
    }

    fn object(text: &'a str, levels: usize) -> Result<Self, JsonFault> {
        let below = levels.checked_sub(1).ok_or(JsonFault::TooDeep)?;
        let Entries(entries) = serde_json::from_str(text).map_err(syntax)?;
        if let Some(key) = repeated(&entries) {
            return Err(JsonFault::DuplicateKey(shortened(key)));
        }
        let read = |(key, value)| Ok((key, Self::read(value, below)?));
        entries.into_iter().map(read).collect::<Result<_, _>>().map(Self::Object)
    }
}

fn syntax(error: serde_json::Error) -> JsonFault {
    JsonFault::Syntax(error.to_string())
}

/// Small objects are compared pair by pair; large ones are sorted first, so that no body costs quadratic time.
fn repeated<'a, V>(entries: &'a [(Cow<'_, str>, V)]) -> Option<&'a str> {
    if entries.len() <= 16 {
        return entries
            .iter()
            .enumerate()
            .find(|(at, (key, _))| entries[..*at].iter().any(|(earlier, _)| earlier == key))
            .map(|(_, (key, _))| key.as_ref());
    }
    let mut keys: Vec<&str> = entries.iter().map(|(key, _)| key.as_ref()).collect();
    keys.sort_unstable();
    keys.windows(2).find(|pair| pair[0] == pair[1]).map(|pair| pair[0])
}

/// Enough of a key to find it, so that an answer is never as large as the question.
pub fn shortened(text: &str) -> String {
    if text.chars().nth(64).is_none() { text.to_owned() } else { text.chars().take(61).chain("...".chars()).collect() }
}

/// A text that borrows where it holds no escapes.
struct Text<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Text<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Borrowing;
        impl<'de> Visitor<'de> for Borrowing {
            type Value = Text<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a string")
            }

            fn visit_borrowed_str<E: serde::de::Error>(self, text: &'de str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Borrowed(text)))
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Text<'de>, E> {
                Ok(Text(Cow::Owned(text.to_owned())))
            }
        }
        from.deserialize_str(Borrowing)
    }
}

/// An object's entries in the order written, repeated keys included.
struct Entries<'a>(Vec<(Cow<'a, str>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Entries<'de> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Entries<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Entries<'de>, A::Error> {
                let mut entries = Vec::with_capacity(8);
                while let Some(Text(key)) = map.next_key()? {
                    entries.push((key, map.next_value::<&RawValue>().map_err(A::Error::custom)?));
                }
                Ok(Entries(entries))
            }
        }
        from.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &[u8]) -> String {
        Node::parse(text).expect_err("a fault").to_string()
    }

    #[test]
    fn a_tree_keeps_digits_order_and_escapes() {
        let node = Node::parse(br#" {"b":1.50,"a":["\u00e5",null,true],"":{}} "#).expect("a tree");
        let expected = Node::Object(vec![
            ("b".into(), Node::Number("1.50")),
            ("a".into(), Node::List(vec![Node::Text("å".into()), Node::Null, Node::Bool(true)])),
            ("".into(), Node::Object(vec![])),
        ]);
        assert_eq!(node, expected);
    }

    #[test]
    fn each_bad_text_has_its_own_problem() {
        let many = format!("{{{},\"k3\":0}}", (0..40).map(|n| format!("\"k{n}\":0")).collect::<Vec<_>>().join(","));
        let deep = "[".repeat(10_000) + &"]".repeat(10_000);
        let unclosed = "{\"a\":".repeat(10_000);
        for (text, problem) in [
            (&b""[..], "is required"),
            (b" \n", "is required"),
            (b"\xff{}", "must be UTF-8 text"),
            (b"{\"a\":\"\xc3\x28\"}", "must be UTF-8 text"),
            (b"{", "must be JSON: EOF while parsing an object at line 1 column 1"),
            (b"{} {}", "must be JSON: trailing characters at line 1 column 4"),
            (b"{\"a\":01}", "must be JSON: invalid number at line 1 column 7"),
            (b"{\"a\":NaN}", "must be JSON: expected value at line 1 column 6"),
            (b"{'a':1}", "must be JSON: key must be a string at line 1 column 2"),
            (b"{\"a\":1,\"b\":{\"c\":1,\"c\":2}}", "repeats the key `c` in one object"),
            (b"{\"a\":1,\"\\u0061\":2}", "repeats the key `a` in one object"),
            (many.as_bytes(), "repeats the key `k3` in one object"),
            (deep.as_bytes(), "must not nest more than 32 levels"),
        ] {
            assert_eq!(refused(text), problem, "{}", String::from_utf8_lossy(&text[..text.len().min(40)]));
        }
        assert!(refused(unclosed.as_bytes()).starts_with("must be JSON: EOF while parsing"));
    }

    #[test]
    fn a_lone_surrogate_is_no_text() {
        assert!(refused(br#"{"a":"\ud800"}"#).starts_with("must be JSON: "));
    }

    #[test]
    fn the_deepest_body_is_still_read() {
        let text = "[".repeat(DEEPEST) + &"]".repeat(DEEPEST);
        assert!(Node::parse(text.as_bytes()).is_ok());
        let text = "[".repeat(DEEPEST + 1) + &"]".repeat(DEEPEST + 1);
        assert_eq!(refused(text.as_bytes()), "must not nest more than 32 levels");
    }

    use proptest::prelude::*;
    use serde_json::Value;
    use testing::laws::holds;

    fn values() -> impl Strategy<Value = Value> {
        let number = "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,9})?([eE][-+]?[0-9]{1,3})?";
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::Bool),
            number.prop_map(|text| Value::Number(text.parse().expect("a number"))),
            any::<String>().prop_map(Value::String),
        ];
        leaf.prop_recursive(6, 40, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
                prop::collection::vec((any::<String>(), inner), 0..6)
                    .prop_map(|items| Value::Object(items.into_iter().collect())),
            ]
        })
    }

    #[test]
    fn what_is_written_reads_back_the_same_to_the_digit() {
        holds(values(), |value| {
            let text = value.to_string();
            prop_assert_eq!(Node::parse(text.as_bytes()), Ok(Node::of(&value)));
            Ok(())
        });
    }

    #[test]
    fn a_damaged_text_is_refused_where_serde_json_refuses_it_and_for_repeated_keys() {
        holds((values(), any::<prop::sample::Index>(), any::<u8>()), |(value, at, byte)| {
            let mut text = value.to_string().into_bytes();
            let at = at.index(text.len());
            text[at] = byte;
            match (Node::parse(&text), serde_json::from_slice::<Value>(&text)) {
                (Err(JsonFault::DuplicateKey(_)), Ok(_)) => {}
                (ours, theirs) => prop_assert_eq!(ours.is_ok(), theirs.is_ok(), "{:?} but {:?}", ours, theirs),
            }
            Ok(())
        });
    }
}
