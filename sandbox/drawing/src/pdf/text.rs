//! Text as a PDF reader's built-in Helvetica shows it: Windows-1252 bytes and how wide they are.
//!
//! Owns: the encoding and the widths of the built-in fonts, in thousandths of the size. Invariant: every text becomes
//! bytes of the same number of characters; what the encoding lacks is shown as a near letter or a question mark, and the
//! page says beside it what the text really is (`Encoded::exact`). Absent on purpose: embedded fonts, shaping, kerning.

/// The characters of Windows-1252 from 0x80 to 0x9f; a space where there is none.
const SPECIALS: &str = "€ ‚ƒ„…†‡ˆ‰Š‹Œ Ž  ‘’“”•–—˜™š›œ žŸ";
/// Letters that the encoding lacks, each followed by the letter shown for it.
const NEAR: &str = "ĀAāaĂAăaĄAąaĆCćcČCčcĎDďdĐDđdĒEēeĖEėeĘEęeĚEěeĞGğgĢGģgĪIīiĮIįiİIıiĶKķkĹLĺlĻLļlĽLľlŁLłlŃNńnŅNņn\
ŇNňnŌOōoŐOőoŔRŕrŘRřrŚSśsŞSşsȘSșsŢTţtȚTțtŤTťtŪUūuŮUůuŰUűuŲUųuŹZźzŻZżz";

/// Which of the built-in fonts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Font {
    Regular,
    Bold,
}

/// A text as bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Encoded {
    pub bytes: Vec<u8>,
    /// Whether the bytes say all that the text does.
    pub exact: bool,
}

/// Encodes `text`; line breaks and other control characters become spaces.
pub(super) fn encode(text: &str) -> Encoded {
    let mut exact = true;
    let byte = |c: char| {
        let found = byte_of(c);
        exact &= found.is_some();
        found.unwrap_or_else(|| near(c))
    };
    let bytes = text.chars().map(byte).collect();
    Encoded { bytes, exact }
}

fn byte_of(c: char) -> Option<u8> {
    match c {
        ' '..='~' | '\u{a0}'..='\u{ff}' => u8::try_from(u32::from(c)).ok(),
        c if c.is_control() => Some(b' '),
        c => SPECIALS.chars().zip(0x80..).find(|(special, _)| *special == c).map(|(_, byte)| byte),
    }
}

fn near(c: char) -> u8 {
    let mut pairs = NEAR.chars();
    while let (Some(letter), Some(shown)) = (pairs.next(), pairs.next()) {
        if letter == c {
            return byte_of(shown).unwrap_or(b'?');
        }
    }
    b'?'
}

#[rustfmt::skip]
const REGULAR: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556,
    556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334,
    260, 334, 584,
];

#[rustfmt::skip]
const BOLD: [u16; 95] = [
    278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556,
    556, 556, 556, 333, 333, 584, 584, 584, 611, 975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833,
    722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556, 333, 556, 611, 556, 611,
    556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611, 611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389,
    280, 389, 584,
];

/// An accented letter is as wide as the plain one; other signs are taken at a width that none of them exceeds by much.
const fn plain(byte: u8) -> Option<u8> {
    Some(match byte {
        b' '..=b'~' => byte,
        0xa0 => b' ',
        0xc0..=0xc6 => b'A',
        0xc7 => b'C',
        0xc8..=0xcb => b'E',
        0xcc..=0xcf => b'I',
        0xd1 => b'N',
        0xd2..=0xd6 | 0xd8 => b'O',
        0xd9..=0xdc => b'U',
        0xdd | 0x9f => b'Y',
        0xe0..=0xe5 => b'a',
        0xe7 => b'c',
        0xe8..=0xeb => b'e',
        0xec..=0xef => b't',
        0xf1 => b'n',
        0xf2..=0xf6 => b'o',
        0xf9..=0xfc => b'u',
        0xfd | 0xff => b'y',
        0x8a => b'S',
        0x9a => b's',
        0x8e => b'Z',
        0x9e => b'z',
        0x91 | 0x92 | 0xb7 => b'.',
        0x96 => b'0',
        _ => return None,
    })
}

/// How wide `bytes` are, in thousandths of the font's size.
pub(super) fn width(font: Font, bytes: &[u8]) -> u32 {
    let table = match font {
        Font::Regular => &REGULAR,
        Font::Bold => &BOLD,
    };
    let of = |byte: &u8| plain(*byte).map_or(1000, |plain| table[usize::from(plain - b' ')]);
    bytes.iter().map(|byte| u32::from(of(byte))).sum()
}

/// Breaks `text` into lines at most `most` wide, at spaces where there are any.
pub(super) fn wrap(font: Font, text: &str, most: u32) -> Vec<String> {
    let fits = |line: &str| width(font, &encode(line).bytes) <= most;
    let mut lines = Vec::new();
    let mut line = String::new();
    for word in text.split_whitespace() {
        let longer = if line.is_empty() { word.to_owned() } else { format!("{line} {word}") };
        if fits(&longer) {
            line = longer;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        for c in word.chars() {
            line.push(c);
            if !fits(&line) && line.chars().count() > 1 {
                line.pop();
                lines.push(std::mem::replace(&mut line, c.to_string()));
            }
        }
    }
    if !line.is_empty() || lines.is_empty() {
        lines.push(line);
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn swedish_letters_and_typographic_signs_have_their_bytes() {
        let rows: [(&str, &[u8], bool); 7] = [
            ("Aå Äö", b"A\xe5 \xc4\xf6", true),
            ("€–…Žÿ", b"\x80\x96\x85\x8e\xff", true),
            ("š™ž", b"\x9a\x99\x9e", true),
            ("a\nb\tc\u{7f}", b"a b c ", true),
            ("Łukasz Żak", b"Lukasz Zak", false),
            ("Ωμέγα 中", b"?\x3f??? ?", false),
            ("\u{81}", b" ", true),
        ];
        for (text, bytes, exact) in rows {
            assert_eq!(encode(text), Encoded { bytes: bytes.to_vec(), exact }, "{text}");
        }
    }

    #[test]
    fn lines_are_no_wider_than_they_may_be_and_lose_nothing() {
        let rows = [
            ("", 5_000, vec![""]),
            ("ett två tre", 50_000, vec!["ett två tre"]),
            ("ett två tre", 3_500, vec!["ett två", "tre"]),
            ("  ett \n två ", 1_600, vec!["ett", "två"]),
            ("Donaudampf", 2_600, vec!["Dona", "udam", "pf"]),
            ("W", 10, vec!["W"]),
        ];
        for (text, most, lines) in rows {
            assert_eq!(wrap(Font::Regular, text, most), lines, "{text}");
        }
    }

    #[test]
    fn widths_are_those_of_the_built_in_fonts() {
        assert_eq!(width(Font::Regular, b"Fullmakt"), 611 + 556 + 222 + 222 + 833 + 556 + 500 + 278);
        assert_eq!(width(Font::Bold, b"Fullmakt"), 611 + 611 + 278 + 278 + 889 + 556 + 556 + 333);
        assert_eq!(width(Font::Regular, &encode("Åäö").bytes), width(Font::Regular, b"Aao"));
    }
}
