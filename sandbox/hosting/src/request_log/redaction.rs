//! Bodies without their secrets.
//!
//! Invariant: what is JSON, or the beginning of it, stays so; the values of secret fields and the tokens in links are gone, however
//! little of them there is. Absent on purpose: which names are secret (`log`).

use std::borrow::Cow;

use crate::log::{MASK, is_like_url, is_secret, url_without_secrets};

/// `text`, which is JSON or the beginning of it, with masks in the place of secrets.
pub(super) fn redacted(text: &str) -> Box<str> {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    let mut hides_next = false;
    while let Some(at) = rest.find('"') {
        let (before, quoted) = rest.split_at(at);
        // A number, or a word, in the place of a secret.
        let is_bare = hides_next && before.trim_start_matches([':', ' ', '\n', '\r', '\t']).starts_with(is_value);
        if is_bare {
            hides_next = false;
            mask_bare(&mut masked, before);
        } else {
            masked.push_str(before);
        }
        let end = end_of_text(quoted);
        let (string, after) = quoted.split_at(end);
        let is_key = after.trim_start().starts_with(':');
        if hides_next && !is_key {
            masked.extend(["\"", MASK, "\""]);
            hides_next = false;
        } else if is_key {
            masked.push_str(string);
            hides_next = is_secret(&key_of(string));
        } else {
            masked.push_str(&within(string));
        }
        rest = after;
    }
    if hides_next {
        mask_bare(&mut masked, rest)
    } else {
        masked.push_str(rest)
    }
    masked.into_boxed_str()
}

/// A key, however it was written.
fn key_of(string: &str) -> Cow<'_, str> {
    let plain = string.trim_matches('"');
    if !plain.contains('\\') {
        return Cow::Borrowed(plain);
    }
    serde_json::from_str::<String>(string).map_or(Cow::Borrowed(plain), Cow::Owned)
}

const fn is_value(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '-'
}

/// A value without quotes becomes a mask, unless it says whether something is so; what follows it stays.
fn mask_bare(masked: &mut String, text: &str) {
    let begin = text.find(is_value).unwrap_or(text.len());
    let value = &text[begin..];
    let end = begin + value.find([',', '}', ']', '\n', ' ']).unwrap_or(value.len());
    masked.push_str(&text[..begin]);
    if matches!(&text[begin..end], "true" | "false") {
        masked.push_str(&text[begin..end]);
    } else if end > begin {
        masked.extend(["\"", MASK, "\""]);
    }
    masked.push_str(&text[end..]);
}

/// Where the string that `text` begins with ends, past its quote; the end of the text where it does not.
fn end_of_text(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// A string with its quotes, without what a URL in it must not show.
fn within(string: &str) -> Cow<'_, str> {
    let inner = string.strip_prefix('"').unwrap_or(string);
    if !is_like_url(inner) {
        return Cow::Borrowed(string);
    }
    Cow::Owned(match inner.strip_suffix('"') {
        Some(whole) => format!("\"{}\"", url_without_secrets(whole)),
        // Of what was cut off nobody knows where a secret begins.
        None => format!("\"{MASK}"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_in_bodies_are_never_written_down() {
        for (body, written) in [
            ("", ""),
            (r#"{"a":"b","c":[1,"d"]}"#, r#"{"a":"b","c":[1,"d"]}"#),
            (r#"{"client_secret":"s3cr3t","a":1}"#, r#"{"client_secret":"***","a":1}"#),
            (r#"{"accessToken" : "s3\"cr3t","a":1}"#, r#"{"accessToken" : "***","a":1}"#),
            (r#"{"ssn":191212121212,"a":"b"}"#, r#"{"ssn":"***","a":"b"}"#),
            (r#"{"ssn":191212121212}"#, r#"{"ssn":"***"}"#),
            (r#"{"ssn":null,"key":"s3cr3t"}"#, r#"{"ssn":"***","key":"***"}"#),
            (r#"{"needsSignature":true,"key":false}"#, r#"{"needsSignature":true,"key":false}"#),
            (r#"{"key":truest,"secret":"s3cr3t"}"#, r#"{"key":"***","secret":"***"}"#),
            (r#"{"secret":"s3cr"#, r#"{"secret":"***""#),
            (r#"{"secret":12"#, r#"{"secret":"***""#),
            (r#"{"secrets":{"a":"b"}}"#, r#"{"secrets":{"a":"b"}}"#),
            (r#"{"url":"http://x/journey/s3cr3t?a=b"}"#, r#"{"url":"http://x/journey/***?a=b"}"#),
            (r#"{"url":"http://x/pay/s3cr"#, r#"{"url":"***"#),
            (r#"{"url":"http://user:s3cr3t@x/a?api_key=1"}"#, r#"{"url":"http://***@x/a?api_key=***"}"#),
            (r#"{"url":"http://x/a?key=s3cr3t&b=c","d":1}"#, r#"{"url":"http://x/a?key=***&b=c","d":1}"#),
            (r#"{"url":"http://user:s3cr"#, r#"{"url":"***"#),
            (
                r#"{"s\u0073n":"191212121212","executorRef":"191212121212"}"#,
                r#"{"s\u0073n":"***","executorRef":"***"}"#,
            ),
            (r#"{"tokenLifeSeconds":60,"tokensPerPartner":7}"#, r#"{"tokenLifeSeconds":60,"tokensPerPartner":7}"#),
            (r#"{"note":"see /pay/s3cr3t"}"#, r#"{"note":"see /pay/***"}"#),
            ("not JSON \"at all", "not JSON \"at all"),
        ] {
            assert_eq!(&*redacted(body), written, "{body}");
        }
    }
}
