//! The mark of fundsim and the seal of the simulated identity, as drawings that need no file.
//!
//! Invariant: their colours are their own, the same in light and in dark, since they bring their ground with them.

/// Draws the mark; what an address must escape is handed in.
macro_rules! drawn {
    ($open:literal, $close:literal, $quote:literal, $hash:literal, $more:literal) => {
        concat!(
            $open,
            "svg ",
            $more,
            "viewBox=",
            $quote,
            "0 0 32 32",
            $quote,
            $close,
            $open,
            "rect width=",
            $quote,
            "32",
            $quote,
            " height=",
            $quote,
            "32",
            $quote,
            " rx=",
            $quote,
            "9",
            $quote,
            " fill=",
            $quote,
            $hash,
            "0d5c53",
            $quote,
            "/",
            $close,
            $open,
            "path d=",
            $quote,
            "M7 24c0-5 3-8 7-8v3c0 3-3 5-7 5z",
            $quote,
            " fill=",
            $quote,
            $hash,
            "8fd4c4",
            $quote,
            "/",
            $close,
            $open,
            "path d=",
            $quote,
            "M14 24V14c0-4 3-6.5 6-6.5V13c0 5-2 9-6 11z",
            $quote,
            " fill=",
            $quote,
            $hash,
            "d8f1ea",
            $quote,
            "/",
            $close,
            $open,
            "path d=",
            $quote,
            "M20 24v-5c0-3 2-5 5-5v4c0 3-2 5-5 6z",
            $quote,
            " fill=",
            $quote,
            $hash,
            "f3cf7a",
            $quote,
            "/",
            $close,
            $open,
            "/svg",
            $close,
        )
    };
}

/// The mark: three rising leaves on one stem.
#[rustfmt::skip]
pub const BRAND: &str = drawn!("<", ">", "\"", "#", "aria-hidden=\"true\" focusable=\"false\" ");

/// The address of the mark as an icon of the tab.
#[rustfmt::skip]
pub const ICON: &str = concat!("data:image/svg+xml,", drawn!("%3C", "%3E", "'", "%23", "xmlns='http://www.w3.org/2000/svg' "));

/// A face in a shield.
pub const IDENTITY_SEAL: &str = r##"<svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><path d="M16 2l12 4v9c0 8-5 13-12 15C9 28 4 23 4 15V6z" fill="#dfe7ff"/><circle cx="16" cy="12.5" r="4" fill="#16213f"/><path d="M8.5 22.5c1.5-4 4.5-5.5 7.5-5.5s6 1.5 7.5 5.5c-2 2.200-4.5 3.700-7.5 4.5-3-.8-5.5-2.300-7.5-4.5z" fill="#16213f"/></svg>"##;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_is_the_mark_escaped_for_an_address() {
        let read = ICON.replace("%3C", "<").replace("%3E", ">").replace("%23", "#").replace('\'', "\"");
        let drawing = |text: &str| text.split_once("<rect").map(|(_, rest)| rest.to_owned());
        assert_eq!(drawing(&read), drawing(BRAND));
        assert!(drawing(&read).is_some() && !ICON.contains(['<', '>', '#', '"']));
    }
}
