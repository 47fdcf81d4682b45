//! Values on one line, for people.
//!
//! Invariant: every bracket and quote that opens also closes, however little room there is; what is left out is counted.
//! Absent on purpose: colours and line breaks.

use serde_json::Value as Json;

/// Characters of a line that is not shortened.
const LONGEST: usize = 400;

/// How much of a value is shown: items of a list, fields of an object, levels within it, characters of a text. The first that
/// fits is taken.
const SIZES: &[Size] = &[
    Size { items: usize::MAX, fields: usize::MAX, levels: usize::MAX, characters: usize::MAX },
    Size { items: 10, fields: 20, levels: 4, characters: 120 },
    Size { items: 4, fields: 16, levels: 3, characters: 60 },
    Size { items: 3, fields: 12, levels: 2, characters: 40 },
    Size { items: 2, fields: 10, levels: 1, characters: 36 },
    Size { items: 1, fields: 6, levels: 1, characters: 24 },
];

#[derive(Clone, Copy)]
struct Size {
    items: usize,
    fields: usize,
    levels: usize,
    characters: usize,
}

/// A value on one line. A text has no quotes.
pub(super) fn value(value: &Json) -> String {
    if let Json::String(text) = value {
        return cut(text, LONGEST);
    }
    let mut shown = String::new();
    for size in SIZES {
        shown.clear();
        write(&mut shown, value, *size, size.levels);
        if shown.chars().count() <= LONGEST {
            break;
        }
    }
    shown
}

fn cut(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn write(out: &mut String, value: &Json, size: Size, levels: usize) {
    match value {
        Json::String(text) => out.push_str(&Json::String(cut(text, size.characters)).to_string()),
        Json::Array(items) if !items.is_empty() => {
            let shown = if levels == 0 { 0 } else { size.items };
            let parts = items.iter().map(|item| (None, item));
            write_parts(out, ("[", "]"), parts, shown, size, levels);
        }
        Json::Object(entries) if !entries.is_empty() => {
            let shown = if levels == 0 { 0 } else { size.fields };
            let parts = entries.iter().map(|(name, value)| (Some(name.as_str()), value));
            write_parts(out, ("{", "}"), parts, shown, size, levels);
        }
        other => out.push_str(&other.to_string()),
    }
}

fn write_parts<'j>(
    out: &mut String,
    (open, close): (&str, &str),
    parts: impl ExactSizeIterator<Item = (Option<&'j str>, &'j Json)>,
    shown: usize,
    size: Size,
    levels: usize,
) {
    let left_out = parts.len().saturating_sub(shown);
    out.push_str(open);
    for (at, (name, value)) in parts.take(shown).enumerate() {
        if at > 0 {
            out.push(',');
        }
        if let Some(name) = name {
            out.push_str(&format!("{}:", Json::from(name)));
        }
        write(out, value, size, levels - 1);
    }
    match (left_out, shown) {
        (0, _) => {}
        (left_out, 0) => out.push_str(&format!("…{left_out}")),
        (left_out, _) => out.push_str(&format!(",…{left_out} more")),
    }
    out.push_str(close);
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn whatever_is_long_is_shortened_and_every_bracket_closes() {
        let order = |n: usize| json!({ "id": format!("order {n}"), "text": "å".repeat(90), "legs": [{ "a": { "b": [1, 2, [3]] } }] });
        for count in [0, 1, 2, 5, 50, 5_000] {
            let list: Vec<_> = (0..count).map(order).collect();
            for whole in
                [json!(list), json!({ "orders": list, "total": count }), json!({ "a": { "b": { "c": list } } })]
            {
                let shown = value(&whole);
                assert!(shown.chars().count() <= LONGEST, "{shown}");
                for (open, close) in [('[', ']'), ('{', '}')] {
                    assert_eq!(shown.matches(open).count(), shown.matches(close).count(), "{shown}");
                }
                assert_eq!(shown.matches('"').count() % 2, 0, "{shown}");
            }
        }
        let fields: serde_json::Map<String, Json> =
            (0..500).map(|n| (format!("field{n}"), json!("x".repeat(99)))).collect();
        assert!(value(&Json::Object(fields)).ends_with(",…494 more}"));
    }

    #[test]
    fn a_short_value_is_shown_whole_and_a_long_text_is_cut() {
        assert_eq!(value(&json!({ "a": [1.5, "x"], "b": {} })), r#"{"a":[1.5,"x"],"b":{}}"#);
        assert_eq!(value(&json!("x".repeat(500))), format!("{}…", "x".repeat(400)));
        let many: Vec<_> = (0..300).collect();
        assert_eq!(value(&json!(many)), "[0,1,2,3,4,5,6,7,8,9,…290 more]");
    }
}
