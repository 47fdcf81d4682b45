//! Tokens of mobile payments as QR codes (rule: payments/mobile-payment-session).
//!
//! Owns: what a code says, and its three forms as data addresses. Invariant: a picture depends on the token and the form alone,
//! and every reader of codes finds the letter and the token in it. Absent on purpose: which token gets one.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use jpeg_encoder::ColorType;
use qrcode::render::svg;
use qrcode::{Color, QrCode};
use sim::records::QrFormat;

/// The prefix of the token in a code, by the scheme's rule.
const LETTER: char = 'D';
/// Pixels along an edge of a module: enough for a camera that looks at a screen, and a whole byte of a PNG.
const MODULE: usize = 8;
const _: () = assert!(MODULE.is_multiple_of(8), "a module ends with a byte");
/// Modules left white around the code, by ISO/IEC 18004.
const QUIET: usize = 4;
/// Quality of a JPEG: edges between black and white stay clean.
const QUALITY: u8 = 90;

/// The code of a token as a data address.
#[must_use]
pub fn data_address(token: &str, format: QrFormat) -> String {
    // A token of 32 characters takes a tenth of what the largest code can hold.
    let code = QrCode::new(format!("{LETTER}{token}")).expect("a token fits into a code");
    let (kind, bytes) = match format {
        QrFormat::Png => ("image/png", png_of(&Pixels::of(&code))),
        QrFormat::Jpg => ("image/jpeg", jpeg_of(&Pixels::of(&code))),
        QrFormat::Svg => ("image/svg+xml", svg_of(&code)),
    };
    format!("data:{kind};base64,{}", BASE64_STANDARD.encode(bytes))
}

/// The code of an address that a telephone's camera opens, as a data address; none for an address longer than a code can hold.
#[must_use]
pub fn of_address(address: &str) -> Option<String> {
    let code = QrCode::new(address).ok()?;
    Some(format!("data:image/png;base64,{}", BASE64_STANDARD.encode(png_of(&Pixels::of(&code)))))
}

/// A square of grey pixels, row by row.
struct Pixels {
    side: usize,
    grey: Vec<u8>,
}

impl Pixels {
    fn of(code: &QrCode) -> Self {
        let (modules, width) = (code.to_colors(), code.width());
        let side = (width + 2 * QUIET) * MODULE;
        let mut grey = vec![u8::MAX; side * side];
        for (at, pixel) in grey.iter_mut().enumerate() {
            let place = |pixels: usize| (pixels / MODULE).checked_sub(QUIET).filter(|module| *module < width);
            if let (Some(x), Some(y)) = (place(at % side), place(at / side))
                && modules[y * width + x] == Color::Dark
            {
                *pixel = 0;
            }
        }
        Self { side, grey }
    }

    fn side<T: TryFrom<usize>>(&self) -> T {
        T::try_from(self.side).ok().expect("the largest code is some 1,500 pixels wide")
    }
}

fn png_of(pixels: &Pixels) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, pixels.side(), pixels.side());
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_depth(png::BitDepth::One);
    // A bit a pixel, the first one highest: rows end with bytes, since modules do.
    let bit = |byte: u8, grey: &u8| byte << 1 | u8::from(*grey != 0);
    let bits: Vec<u8> = pixels.grey.chunks_exact(8).map(|eight| eight.iter().fold(0, bit)).collect();
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(&bits));
    written.expect("memory takes what is written");
    bytes
}

fn jpeg_of(pixels: &Pixels) -> Vec<u8> {
    let mut bytes = Vec::new();
    let encoder = jpeg_encoder::Encoder::new(&mut bytes, QUALITY);
    let written = encoder.encode(&pixels.grey, pixels.side(), pixels.side(), ColorType::Luma);
    written.expect("memory takes what is written");
    bytes
}

fn svg_of(code: &QrCode) -> Vec<u8> {
    let side = u32::try_from(MODULE).expect("a small number");
    code.render::<svg::Color<'_>>().module_dimensions(side, side).build().into_bytes()
}

#[cfg(test)]
mod tests;
