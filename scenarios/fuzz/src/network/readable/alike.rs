//! Whether what was read is what must be read.
//!
//! Invariant: links hold a secret of the server's, so that they are left out. Absent on purpose: what must be read.

use super::value::Readable;
use serde::Deserialize as _;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::Value as Json;
use serde_json::value::RawValue;
use std::fmt;

/// A link to a journey has this in its path, and its secret behind it.
const JOURNEY: &str = "/journey/";

/// Links hold a secret of the server's: that there is one is all that can be compared.
pub(in crate::network) fn take_links(body: &mut Json) {
    match body {
        Json::Array(items) => items.iter_mut().for_each(take_links),
        Json::Object(fields) => {
            if fields.get("url").and_then(Json::as_str).is_some_and(|url| url.contains(JOURNEY)) {
                fields.remove("url");
            }
            for part in PARTS {
                fields.get_mut(part).into_iter().for_each(take_links);
            }
        }
        _ => {}
    }
}

/// Parts of an event that can have a link.
const PARTS: [&str; 2] = ["current", "previous"];

/// Whether a text is a value's JSON, but for links that [`take_links`] takes. It is compared as it is parsed, without making a value of it.
///
/// `true` is certain. `false` is not: the same value can be written otherwise, with an escape for instance.
pub(in crate::network) fn is_text_of(text: &str, value: &Readable) -> bool {
    let mut reader = serde_json::Deserializer::from_str(text);
    let compared = Same { value, can_have_link: true }.deserialize(&mut reader);
    compared.and_then(|()| reader.end()).is_ok()
}

/// Reads JSON that must be this value's.
#[derive(Clone, Copy)]
struct Same<'v> {
    value: &'v Readable,
    can_have_link: bool,
}

fn differs<E: Error>() -> E {
    E::custom("it is another value")
}

impl<'de> DeserializeSeed<'de> for Same<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, reader: D) -> Result<(), D::Error> {
        // A text that is written as it is; one with an escape is not.
        let is_written = |value: &str, text: &str| {
            text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) == Some(value) && !value.contains('\\')
        };
        let is_same = |text: &str| match self.value {
            Readable::Null => text == "null",
            Readable::Flag(flag) => text == if *flag { "true" } else { "false" },
            Readable::Number(number) => text == number,
            Readable::Word(word) => is_written(word, text),
            Readable::Text(value) => is_written(value, text),
            Readable::List(_) | Readable::Fields(_) => false,
        };
        match self.value {
            Readable::List(_) => reader.deserialize_seq(self),
            Readable::Fields(_) => reader.deserialize_map(self),
            _ if is_same(<&RawValue>::deserialize(reader)?.get()) => Ok(()),
            _ => Err(differs()),
        }
    }
}

impl<'de> Visitor<'de> for Same<'_> {
    type Value = ();

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a list or an object")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        let Readable::List(expected) = self.value else { return Err(differs()) };
        for value in expected {
            items.next_element_seed(Self { value, ..self })?.ok_or_else(differs)?;
        }
        items.next_element::<IgnoredAny>()?.map_or(Ok(()), |_| Err(differs()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<(), A::Error> {
        let Readable::Fields(expected) = self.value else { return Err(differs()) };
        // Each field is taken once. Mostly the next one is the first of these.
        let mut left: Vec<&(&str, Readable)> = expected.iter().collect();
        let mut has_url = false;
        while let Some(name) = fields.next_key::<&str>()? {
            let is_url = self.can_have_link && name == "url";
            let link = if is_url && !has_url { Some(fields.next_value::<&RawValue>()?.get()) } else { None };
            has_url |= is_url;
            if link.is_some_and(|url| url.starts_with('"') && url.contains(JOURNEY)) {
                continue;
            }
            let at = left.iter().position(|(left, _)| *left == name).ok_or_else(differs)?;
            let same = Same { value: &left.remove(at).1, can_have_link: self.can_have_link && PARTS.contains(&name) };
            match link {
                Some(url) => same.deserialize(&mut serde_json::Deserializer::from_str(url)).map_err(|_| differs())?,
                None => fields.next_value_seed(same)?,
            }
        }
        if left.is_empty() { Ok(()) } else { Err(differs()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn is_text_of(text: &str, value: &Json) -> bool {
        super::is_text_of(text, &Readable::from(value))
    }

    #[test]
    fn a_text_is_that_of_a_value_when_nothing_in_it_differs() {
        let value =
            json!({ "id": "a", "amount": 1, "list": [1, "b", null], "is": true, "in": { "url": "x", "none": null } });
        let other_order = r#" { "amount" : 1, "id":"a","is":true,"list":[1,"b",null],"in":{"none":null,"url":"x"}} "#;
        assert!(is_text_of(&value.to_string(), &value) && is_text_of(other_order, &value));
        let of_value = |from: &str, to: &str| value.to_string().replace(from, to);
        for text in [
            of_value("\"a\"", "\"b\""),
            of_value("\"a\"", "a"),
            of_value("\"a\"", "\"a"),
            of_value("1,\"b\"", "1.0,\"b\""),
            of_value("1,\"b\"", "\"1\",\"b\""),
            of_value("\"b\",null", "null,\"b\""),
            of_value(",null]", "]"),
            of_value(",null]", ",null,null]"),
            of_value("true", "false"),
            of_value("true", "\"true\""),
            of_value(",\"is\":true", ""),
            of_value("true", "true,\"more\":null"),
            of_value("true", "true,\"is\":true"),
            of_value("\"x\"", "\"http://h/journey/x\""),
            of_value("{\"url\"", "[\"url\""),
            format!("{value}{value}"),
            String::new(),
        ] {
            assert!(!is_text_of(&text, &value), "{text}");
        }
    }

    #[test]
    fn a_link_to_a_journey_is_left_out_where_take_links_takes_it() {
        let link = json!("http://host/journey/secret");
        let with = |value: &Json, url: &Json| {
            let mut value = value.clone();
            value["url"] = url.clone();
            value
        };
        let journey = json!({ "id": "a" });
        for body in [with(&journey, &link), json!([with(&journey, &link)]), json!({ "current": with(&journey, &link) })]
        {
            let mut without = body.clone();
            take_links(&mut without);
            assert!(without != body && is_text_of(&body.to_string(), &without), "{body}");
            assert!(!is_text_of(&body.to_string(), &body), "a link is no part of what must be read");
        }
        assert!(!is_text_of(&json!({ "other": with(&journey, &link) }).to_string(), &json!({ "other": journey })));
        assert!(!is_text_of(&with(&journey, &json!("elsewhere")).to_string(), &journey));
        assert!(!is_text_of(&with(&journey, &json!(["/journey/"])).to_string(), &journey));
        let url = |url: &str| with(&journey, &json!(url)).to_string();
        assert!(is_text_of(&url("elsewhere"), &with(&journey, &json!("elsewhere"))));
        let twice = r#"{"id":"a","url":"elsewhere","url":"/journey/"}"#;
        assert!(!is_text_of(twice, &with(&journey, &json!("elsewhere"))), "the last of two fields of one name is read");
    }

    /// Values as answers have them, and some that no answer has.
    fn any_value() -> impl Strategy<Value = Json> {
        let word = prop_oneof![
            Just("a"),
            Just("b"),
            Just("url"),
            Just("current"),
            Just("\\n"),
            Just("\n"),
            Just("\""),
            Just("/journey/")
        ];
        let leaf = prop_oneof![
            Just(Json::Null),
            any::<bool>().prop_map(Json::from),
            (0..3_u8).prop_map(Json::from),
            word.clone().prop_map(Json::from),
        ];
        leaf.prop_recursive(3, 12, 3, move |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..3).prop_map(Json::from),
                prop::collection::btree_map(word.clone().prop_map(str::to_owned), inner, 0..3)
                    .prop_map(Json::from_iter),
            ]
        })
    }

    proptest! {
        #[test]
        fn what_the_texts_say_the_values_say(read in any_value(), expected in any_value(), is_equal in any::<bool>()) {
            let expected = if is_equal { read.clone() } else { expected };
            let mut without_links = read.clone();
            take_links(&mut without_links);
            let is_same = is_text_of(&read.to_string(), &expected);
            prop_assert!(!is_same || without_links == expected, "{} is not {}", read, expected);
            let is_plain = !read.to_string().contains(['\\', '/']);
            prop_assert!(is_same || !is_plain || read != expected, "{} is that", read);
        }
    }
}
