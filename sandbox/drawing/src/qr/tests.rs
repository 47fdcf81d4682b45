//! Codes are read back by a reader that shares nothing with their writer.

use super::data_address;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rqrr::PreparedImage;
use sim::records::QrFormat;
use sim::rng::Seed;
use std::io::Cursor;

/// Grey pixels, row by row, with their width.
type Picture = (usize, Vec<u8>);

fn bytes_of(address: &str, kind: &str) -> Vec<u8> {
    let text = address.strip_prefix(&format!("data:{kind};base64,")).expect("the content type");
    BASE64_STANDARD.decode(text).expect("base64")
}

fn from_png(address: &str) -> Picture {
    let bytes = bytes_of(address, "image/png");
    let mut decoder = png::Decoder::new(Cursor::new(bytes));
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().expect("a PNG");
    assert_eq!(reader.info().bit_depth, png::BitDepth::One);
    let mut grey = vec![0; reader.output_buffer_size().expect("a size")];
    let info = reader.next_frame(&mut grey).expect("a picture");
    (info.width as usize, grey)
}

fn from_jpg(address: &str) -> Picture {
    let mut decoder = zune_jpeg::JpegDecoder::new(Cursor::new(bytes_of(address, "image/jpeg")));
    let pixels = decoder.decode().expect("a JPEG");
    let (width, height) = decoder.dimensions().expect("its size");
    let channels = pixels.len() / (width * height);
    (width, pixels.into_iter().step_by(channels).collect())
}

/// Draws what the SVG says: rectangles as paths `Mx yhwvhH..` with a width of dark, on white.
fn from_svg(address: &str) -> Picture {
    let text = String::from_utf8(bytes_of(address, "image/svg+xml")).expect("text");
    let attribute = |name: &str| {
        let (_, rest) = text.split_once(&format!(" {name}=\"")).expect(name);
        rest.split('"').next().expect("a value").to_owned()
    };
    let side: usize = attribute("width").parse().expect("a number");
    let mut grey = vec![u8::MAX; side * side];
    let path = attribute("d");
    for part in path.split('M').skip(1) {
        let numbers: Vec<usize> =
            part.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect();
        let [x, y, width, height, ..] = numbers[..] else { panic!("a rectangle: {part}") };
        assert!(part.starts_with(&format!("{x} {y}h{width}v{height}")), "{part}");
        for row in y..y + height {
            grey[row * side + x..][..width].fill(0);
        }
    }
    (side, grey)
}

fn read((width, grey): &Picture) -> Vec<String> {
    let mut image = PreparedImage::prepare_from_greyscale(*width, grey.len() / width, |x, y| grey[y * width + x]);
    image.detect_grids().iter().map(|grid| grid.decode().expect("a code that can be read").1).collect()
}

/// (rule: payments/mobile-payment-session)
#[test]
fn every_form_of_a_code_reads_as_the_letter_and_the_token() {
    let mut draw = Seed(1).stream("tokens");
    let letters: Vec<u8> = (b'0'..=b'z').filter(u8::is_ascii_alphanumeric).collect();
    for _ in 0..20 {
        let token: String = (0..32).map(|_| char::from(*draw.pick(&letters))).collect();
        let expected = [format!("D{token}")];
        assert_eq!(read(&from_png(&data_address(&token, QrFormat::Png))), expected);
        assert_eq!(read(&from_jpg(&data_address(&token, QrFormat::Jpg))), expected);
        assert_eq!(read(&from_svg(&data_address(&token, QrFormat::Svg))), expected);
    }
}

#[test]
fn a_code_is_small_and_the_same_again() {
    for format in [QrFormat::Png, QrFormat::Jpg, QrFormat::Svg] {
        let made = data_address("c28a4061470f4af48973bd2a4642b4fa", format);
        assert_eq!(made, data_address("c28a4061470f4af48973bd2a4642b4fa", format));
        assert_ne!(made, data_address("c28a4061470f4af48973bd2a4642b4fb", format));
        assert!(made.len() < 40_000, "{format:?}: {} characters", made.len());
    }
}
