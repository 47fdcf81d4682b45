//! Swedish bank accounts: whose clearing numbers are, and how each kind of account checks itself.
//!
//! Owns: the table and both reckonings a second time, so that neither is judged by itself.

use sim::identity::Iban;

/// The IBAN of what a bank holds.
fn swedish(bank: u16, rest: &str) -> Iban {
    let remainder = |text: &str| text.bytes().fold(0, |rest, digit| (rest * 10 + u32::from(digit - b'0')) % 97);
    // S, E and two noughts, as digits.
    let check = 98 - remainder(&format!("{bank:03}{rest:0>17}281400"));
    Iban::parse(&format!("SE{check:02}{bank:03}{rest:0>17}")).expect("built to pass")
}

/// How the check of a range is reckoned, typed here a second time.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    Eleven { clearing_digits: usize },
    Ten,
    TenAfterFive,
    ElevenAlone,
}

fn weighed_by_eleven(digits: &str) -> bool {
    let digits = digits.bytes().rev().map(|digit| u64::from(digit - b'0'));
    digits.zip([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1]).map(|(digit, weight)| digit * weight).sum::<u64>() % 11 == 0
}

fn doubled_by_ten(digits: &str) -> bool {
    let digits = digits.bytes().rev().map(|digit| u64::from(digit - b'0'));
    let twice = |digit: u64| digit * 2 / 10 + digit * 2 % 10;
    digits.enumerate().map(|(at, digit)| if at % 2 == 0 { digit } else { twice(digit) }).sum::<u64>() % 10 == 0
}

/// What an IBAN holds of an account of the range, and whether its check digit is right.
fn written(kind: Kind, clearing: u64, body: u64, digit: u64) -> (String, bool) {
    match kind {
        Kind::Eleven { clearing_digits } => {
            let account = format!("{clearing}{body:06}{digit}");
            let right = weighed_by_eleven(&account[4 - clearing_digits..]);
            (account, right)
        }
        Kind::ElevenAlone => (format!("{body:08}{digit}"), weighed_by_eleven(&format!("{body}{digit}"))),
        Kind::Ten => (format!("{body:09}{digit}"), doubled_by_ten(&format!("{body}{digit}"))),
        Kind::TenAfterFive => {
            let fifth = (0..10).find(|fifth| doubled_by_ten(&format!("{clearing}{fifth}"))).expect("one of ten");
            (format!("{clearing}{fifth}{body:09}{digit}"), doubled_by_ten(&format!("{body}{digit}")))
        }
    }
}

#[rustfmt::skip]
const RANGES: [(u64, u64, Kind, u16, &str); 25] = [
    (1200, 1399, Kind::Eleven { clearing_digits: 3 }, 120, "Havsviksbanken"),
    (2400, 2499, Kind::Eleven { clearing_digits: 3 }, 120, "Havsviksbanken"),
    (1100, 1199, Kind::Eleven { clearing_digits: 3 }, 300, "Norrsken Bank"),
    (1400, 2099, Kind::Eleven { clearing_digits: 3 }, 300, "Norrsken Bank"),
    (3000, 3299, Kind::Eleven { clearing_digits: 3 }, 300, "Norrsken Bank"),
    (3301, 3399, Kind::Eleven { clearing_digits: 3 }, 300, "Norrsken Bank"),
    (3410, 3781, Kind::Eleven { clearing_digits: 3 }, 300, "Norrsken Bank"),
    (3783, 3999, Kind::Eleven { clearing_digits: 3 }, 300, "Norrsken Bank"),
    (3300, 3300, Kind::Ten,                           300, "Norrsken Bank"),
    (3782, 3782, Kind::Ten,                           300, "Norrsken Bank"),
    (4000, 4999, Kind::Eleven { clearing_digits: 4 }, 300, "Norrsken Bank"),
    (3400, 3409, Kind::Eleven { clearing_digits: 3 }, 902, "Landsbygdens Bank"),
    (9060, 9069, Kind::Eleven { clearing_digits: 3 }, 902, "Landsbygdens Bank"),
    (9020, 9029, Kind::Eleven { clearing_digits: 4 }, 902, "Landsbygdens Bank"),
    (5000, 5999, Kind::Eleven { clearing_digits: 3 }, 500, "Skepparbanken"),
    (9120, 9124, Kind::Eleven { clearing_digits: 3 }, 500, "Skepparbanken"),
    (9130, 9149, Kind::Eleven { clearing_digits: 3 }, 500, "Skepparbanken"),
    (6000, 6999, Kind::ElevenAlone,                   600, "Gillesbanken"),
    (7000, 7999, Kind::Eleven { clearing_digits: 3 }, 800, "Ekbacka Sparkassa"),
    (8000, 8999, Kind::TenAfterFive,                  800, "Ekbacka Sparkassa"),
    (9150, 9169, Kind::Eleven { clearing_digits: 4 }, 915, "Gråstensbanken"),
    (9250, 9259, Kind::Eleven { clearing_digits: 3 }, 925, "Tegelbanken"),
    (9270, 9279, Kind::Eleven { clearing_digits: 3 }, 927, "Kvarnbanken"),
    (9100, 9109, Kind::Eleven { clearing_digits: 4 }, 910, "Polstjärnan Bank"),
    (9550, 9569, Kind::Eleven { clearing_digits: 4 }, 955, "Vindrosen Bank"),
];

/// (rule: money/iban, bank/bank-name)
#[test]
fn every_clearing_range_has_its_bank_and_its_check() {
    assert_eq!(RANGES.len(), sim::identity::iban::CLEARING.len());
    for (first, last, kind, bank, name) in RANGES {
        for clearing in [first, last] {
            let mut right = 0;
            for (body, digit) in (123_450..123_460).flat_map(|body| (0..10).map(move |digit| (body, digit))) {
                let (rest, fits) = written(kind, clearing, body, digit);
                let iban = swedish(bank, &rest);
                assert_eq!((iban.bank(), iban.domestic().is_some()), (Some(name), fits), "{bank} {rest}");
                right += u8::from(fits);
            }
            assert!((8..=10).contains(&right), "{clearing}: a body has one check digit, or none: {right} of 10");
        }
    }
}

/// (rule: bank/bank-name)
#[test]
fn a_clearing_number_belongs_to_one_bank_or_to_none() {
    for clearing in 1_000..10_000_u64 {
        for bank in [120, 300, 500, 800, 902, 910, 915, 925, 927, 955] {
            let held = RANGES.iter().any(|range| {
                (range.0..=range.1).contains(&clearing) && range.3 == bank && matches!(range.2, Kind::Eleven { .. })
            });
            let found = swedish(bank, &(clearing * 10_000_000 + 1_234_567).to_string()).bank();
            assert_eq!(found.is_some(), held, "{clearing} of {bank}");
        }
    }
}
