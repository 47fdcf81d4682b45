//! Life cycles: one machine, one file, one table. Anything not in a table is forbidden.

/// The laws that every table obeys, as tests beside it.
#[cfg(test)]
macro_rules! table_laws {
    (first: $first:expr) => {
        use super::*;
        use std::fmt::Write as _;

        #[test]
        fn no_pair_of_state_and_trigger_has_two_rows() {
            for (at, row) in TABLE.iter().enumerate() {
                let again = TABLE.iter().skip(at + 1).find(|other| (other.0, other.1) == (row.0, row.1));
                assert!(again.is_none(), "repeated: {row:?}");
            }
        }

        #[test]
        fn every_pair_steps_as_the_table_says_and_in_no_other_way() {
            for &from in STATES {
                for &on in TRIGGERS {
                    let row = TABLE.iter().find(|row| row.0 == from && row.1 == on);
                    assert_eq!(step(from, on).map(|(at, to, effect)| (at, to, effect)).map(|(at, ..)| &TABLE[at]), row);
                    assert_eq!(step(from, on).map(|(_, to, effect)| (to, effect)), row.map(|row| (row.2, row.3)));
                }
            }
        }

        #[test]
        fn terminal_states_have_no_way_out_and_all_others_do() {
            for &state in STATES {
                assert_eq!(state.is_terminal(), TABLE.iter().all(|row| row.0 != state), "{state:?}");
            }
        }

        #[test]
        fn every_state_but_the_first_ones_is_reached_by_some_row() {
            let first: &[State] = $first;
            for &state in STATES {
                let reached = TABLE.iter().any(|row| row.2 == state);
                assert!(reached || first.contains(&state), "{state:?}");
            }
        }

        #[test]
        fn every_state_and_trigger_of_the_table_is_listed() {
            for &(from, on, to, _) in TABLE {
                assert!(STATES.contains(&from) && STATES.contains(&to) && TRIGGERS.contains(&on));
            }
            for &on in TRIGGERS {
                assert!(TABLE.iter().any(|row| row.1 == on), "{on:?} moves nothing");
            }
        }

        #[test]
        fn the_rendered_table_is_the_golden_one() {
            let mut text = String::new();
            for (from, on, to, effect) in TABLE {
                writeln!(
                    text,
                    "{:<18}{:<12}{:<18}{effect:?}",
                    format!("{from:?}"),
                    format!("{on:?}"),
                    format!("{to:?}")
                )
                .expect("writing to a string");
            }
            insta::assert_snapshot!(text);
        }
    };
}

pub mod account;
pub mod bank_account;
pub mod journey;
pub mod mandate;
pub mod order;
pub mod transfer;
