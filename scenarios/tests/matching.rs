//! Laws of matching, over values drawn from a fixed seed (`FUNDSIM_TEST_SEED` draws others).

use language::ast::Expected;
use language::matching::{compare, like, matches};
use language::template::Names;
use proptest::prelude::*;
use serde_json::{Map, Value as Json, json};

struct Nothing;

impl Names for Nothing {
    fn get(&self, _: &str) -> Option<&Json> {
        None
    }
}

fn fits(expected: &Expected, got: &Json) -> bool {
    matches(expected, Some(got), &Nothing).expect("no names in it")
}

/// Runs a law with three hundred cases.
fn law<S: Strategy>(strategy: S, check: impl Fn(S::Value) -> Result<(), TestCaseError>)
where
    S::Value: std::fmt::Debug,
{
    testing::laws::tried(300, strategy, check);
}

fn scalar() -> impl Strategy<Value = Json> {
    prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        (any::<i32>(), 0..8_u32).prop_map(|(digits, scale)| number(digits, scale)),
        "[a-zåäö ]{0,8}".prop_map(Json::from),
    ]
}

fn number(digits: i32, scale: u32) -> Json {
    let text = rust_decimal::Decimal::new(i64::from(digits), scale).to_string();
    serde_json::from_str(&text).expect("a number")
}

fn value() -> impl Strategy<Value = Json> {
    scalar().prop_recursive(3, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::from),
            prop::collection::btree_map("[a-f]{1,2}", inner, 0..4)
                .prop_map(|map| Json::Object(map.into_iter().collect())),
        ]
    })
}

fn object() -> impl Strategy<Value = Map<String, Json>> {
    prop::collection::btree_map("[a-f]{1,2}", value(), 1..5).prop_map(|map| map.into_iter().collect())
}

#[test]
fn exactly_a_value_fits_that_value_and_no_value_with_one_field_more() {
    law(object(), |object| {
        let expected = Expected::Exactly(Json::Object(object.clone()));
        prop_assert!(fits(&expected, &Json::Object(object.clone())));
        let mut more = object;
        more.insert("zz".to_owned(), json!(1));
        prop_assert!(!fits(&expected, &Json::Object(more)));
        Ok(())
    });
}

#[test]
fn a_part_fits_whatever_holds_more_and_nothing_that_lacks_one_of_its_fields() {
    law((object(), any::<prop::sample::Index>()), |(object, index)| {
        let part: Vec<_> = object.iter().map(|(key, value)| (key.clone(), Expected::Exactly(value.clone()))).collect();
        let expected = Expected::Part(part);
        let mut more = object.clone();
        more.insert("zz".to_owned(), json!({ "deep": [1] }));
        prop_assert!(fits(&expected, &Json::Object(more)));
        let missing = object.keys().nth(index.index(object.len())).expect("one of them").clone();
        let mut less = object;
        less.remove(&missing);
        let found = compare(&expected, Some(&Json::Object(less)), &Nothing).expect("no names in it");
        prop_assert!(found.iter().any(|mismatch| mismatch.path == missing), "{found:?}");
        Ok(())
    });
}

#[test]
fn numbers_fit_by_value_whatever_their_spelling() {
    law((any::<i32>(), 0..6_u32, 0..6_usize), |(digits, scale, zeros)| {
        let plain = number(digits, scale);
        let text = plain.to_string();
        let padded = if text.contains('.') {
            format!("{text}{}", "0".repeat(zeros))
        } else {
            format!("{text}.{}", "0".repeat(zeros + 1))
        };
        let padded: Json = serde_json::from_str(&padded).expect("a number");
        prop_assert!(fits(&Expected::Is(plain.clone()), &padded));
        prop_assert!(fits(&Expected::Is(padded.clone()), &plain));
        let next = number(digits.wrapping_add(1), scale);
        prop_assert!(!fits(&Expected::Is(next), &padded));
        Ok(())
    });
}

#[test]
fn comparisons_agree_with_each_other() {
    law((any::<i16>(), any::<i16>()), |(got, limit)| {
        let (value, bound) = (json!(got), json!(limit));
        prop_assert_eq!(fits(&Expected::GreaterThan(bound.clone()), &value), got > limit);
        prop_assert_eq!(fits(&Expected::AtLeast(bound.clone()), &value), got >= limit);
        prop_assert_eq!(fits(&Expected::LessThan(bound.clone()), &value), got < limit);
        prop_assert_eq!(fits(&Expected::AtMost(bound.clone()), &value), got <= limit);
        let between = Expected::All(vec![Expected::AtLeast(bound.clone()), Expected::AtMost(bound)]);
        prop_assert_eq!(fits(&between, &value), got == limit);
        Ok(())
    });
}

#[test]
fn not_turns_an_expectation_round_and_one_of_takes_any_of_its_choices() {
    law((value(), value()), |(one, other)| {
        let is = Expected::Exactly(one.clone());
        prop_assert_eq!(fits(&Expected::Not(Box::new(is.clone())), &other), !fits(&is, &other));
        let either = Expected::OneOf(vec![is, Expected::Exactly(other.clone())]);
        prop_assert!(fits(&either, &one) && fits(&either, &other));
        Ok(())
    });
}

#[test]
fn in_any_order_takes_every_order_and_each_expectation_takes_an_item_of_its_own() {
    law(Just((0..5).collect::<Vec<i64>>()).prop_shuffle(), |items| {
        // Overlapping expectations, so that a greedy choice would fail for some orders.
        let expected: Vec<_> = (0..5).map(|least| Expected::AtLeast(json!(least))).collect();
        prop_assert!(fits(&Expected::InAnyOrder(expected.clone()), &json!(items)));
        let mut twice = items.clone();
        twice[0] = items[1];
        let exact: Vec<_> = (0..5).map(|item| Expected::Is(json!(item))).collect();
        prop_assert!(!fits(&Expected::InAnyOrder(exact.clone()), &json!(twice)));
        prop_assert!(fits(&Expected::Contains(exact[..2].to_vec()), &json!(items)));
        Ok(())
    });
}

#[test]
fn absent_any_and_null_are_three_different_things() {
    let absent: Option<&Json> = None;
    let rows: [(&Expected, Option<&Json>, bool); 9] = [
        (&Expected::Absent, absent, true),
        (&Expected::Absent, Some(&Json::Null), false),
        (&Expected::Absent, Some(&json!(1)), false),
        (&Expected::Any, absent, false),
        (&Expected::Any, Some(&Json::Null), false),
        (&Expected::Any, Some(&json!(0)), true),
        (&Expected::Is(Json::Null), absent, false),
        (&Expected::Is(Json::Null), Some(&Json::Null), true),
        (&Expected::Is(Json::Null), Some(&json!(0)), false),
    ];
    for (expected, got, fit) in rows {
        assert_eq!(matches(expected, got, &Nothing), Ok(fit), "{expected:?} {got:?}");
    }
}

#[test]
fn patterns_with_stars_fit_the_whole_text() {
    let rows = [
        ("*", "", true),
        ("SE*", "SE123", true),
        ("SE*", "NSE123", false),
        ("*cash*", "the available cash of 1", true),
        ("a?c", "abc", true),
        ("a?c", "ac", false),
        ("1.50", "1x50", false),
        ("line*end", "line\nend", true),
    ];
    for (pattern, text, fit) in rows {
        assert_eq!(like(pattern, text), fit, "{pattern} {text}");
    }
}
