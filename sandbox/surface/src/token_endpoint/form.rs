//! Parameters of a token request, from a form or from JSON.
//!
//! Invariant: every parameter is text and is given at most once (RFC 6749, section 3.2); the rest is refused.

use std::borrow::Cow;
use std::fmt;

use indexmap::IndexMap;
use percent_encoding::percent_decode_str;
use rustc_hash::FxBuildHasher;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;

/// The parameters by name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Parameters(IndexMap<String, String, FxBuildHasher>);

impl Parameters {
    /// Reads `application/x-www-form-urlencoded`.
    pub(crate) fn from_form(body: &[u8]) -> Result<Self, String> {
        let text = std::str::from_utf8(body).map_err(|_| "body must be UTF-8".to_owned())?;
        let mut all = Self::default();
        for pair in text.split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (name, value) = (decode(name)?, decode(value)?);
            all.add(name.into_owned(), value.into_owned())?;
        }
        Ok(all)
    }

    /// Reads a JSON object of texts.
    pub(crate) fn from_json(body: &[u8]) -> Result<Self, String> {
        serde_json::from_slice(body).map_err(|error| plain(&error))
    }

    fn add(&mut self, name: String, value: String) -> Result<(), String> {
        let repeated = format!("{} must be given once", shown(&name));
        if self.0.insert(name, value).is_some() { Err(repeated) } else { Ok(()) }
    }

    /// A parameter; one without a value counts as left out (RFC 6749, section 3.1).
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str).filter(|value| !value.is_empty())
    }

    /// Whether a parameter is there, with or without a value.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }
}

/// Undoes the form encoding of one name or value.
pub(crate) fn decode(text: &str) -> Result<Cow<'_, str>, String> {
    let spaced = if text.contains('+') { Cow::Owned(text.replace('+', " ")) } else { Cow::Borrowed(text) };
    let decoded = percent_decode_str(&spaced).decode_utf8().map_err(|_| "parameters must be UTF-8".to_owned())?;
    Ok(Cow::Owned(decoded.into_owned()))
}

/// What is wrong with a parameter, without where in the text; anything else is no JSON object.
fn plain(error: &serde_json::Error) -> String {
    let text = error.to_string();
    match text.split_once(" at line ") {
        Some((problem, _)) if error.is_data() && problem.contains(" must be ") => problem.to_owned(),
        _ => "body must be a JSON object".to_owned(),
    }
}

/// A foreign name, short enough to repeat.
fn shown(name: &str) -> String {
    name.chars().take(40).filter(|c| !c.is_control()).collect()
}

impl<'de> Deserialize<'de> for Parameters {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        struct Texts;

        impl<'de> Visitor<'de> for Texts {
            type Value = Parameters;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of texts")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Parameters, A::Error> {
                let mut all = Parameters::default();
                while let Some(name) = map.next_key::<String>()? {
                    let value = match map.next_value::<Value>()? {
                        Value::Null => String::new(),
                        Value::String(text) => text,
                        _ => return Err(serde::de::Error::custom(format!("{} must be a string", shown(&name)))),
                    };
                    all.add(name, value).map_err(serde::de::Error::custom)?;
                }
                Ok(all)
            }
        }

        from.deserialize_map(Texts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_decoded_and_repeats_refused() {
        let form = Parameters::from_form(b"a=1+2&b=%C3%A5%3D&c=&&d").expect("a form");
        assert_eq!((form.get("a"), form.get("b"), form.get("c"), form.get("d")), (Some("1 2"), Some("å="), None, None));
        assert!(form.has("c") && form.has("d") && !form.has("e"));
        for (body, problem) in [
            (&b"a=1&a=1"[..], "a must be given once"),
            (b"a=1&%61=2", "a must be given once"),
            (b"a=%FF", "parameters must be UTF-8"),
            (b"a=\xFF", "body must be UTF-8"),
        ] {
            assert_eq!(Parameters::from_form(body), Err(problem.to_owned()));
        }
    }

    #[test]
    fn json_is_an_object_of_texts_without_repeats() {
        let json = Parameters::from_json(br#"{"a":"1","b":null}"#).expect("an object");
        assert_eq!((json.get("a"), json.get("b")), (Some("1"), None));
        for (body, problem) in [
            (&br#"{"a":"1","a":"2"}"#[..], "a must be given once"),
            (br#"{"b":"1","a":1}"#, "a must be a string"),
            (br#"{"a":["1"]}"#, "a must be a string"),
            (br#"{"a":{}}"#, "a must be a string"),
            (br#"{"a at line 1":true}"#, "body must be a JSON object"),
            (br#"["a"]"#, "body must be a JSON object"),
            (b"1", "body must be a JSON object"),
            (b"{", "body must be a JSON object"),
            (b"\xFF", "body must be a JSON object"),
        ] {
            assert_eq!(Parameters::from_json(body), Err(problem.to_owned()), "{}", String::from_utf8_lossy(body));
        }
    }
}
