//! The mark of fundsim and the seal of the simulated identity, as drawings that need no file.
//!
//! Invariant: their colours are their own, the same in light and in dark, since they bring their ground with them.

use std::sync::LazyLock;

/// The mark: three rising leaves on one stem.
pub const BRAND: &str = r##"<svg aria-hidden="true" focusable="false" viewBox="0 0 32 32"><rect width="32" height="32" rx="9" fill="#0d5c53"/><path d="M7 24c0-5 3-8 7-8v3c0 3-3 5-7 5z" fill="#8fd4c4"/><path d="M14 24V14c0-4 3-6.5 6-6.5V13c0 5-2 9-6 11z" fill="#d8f1ea"/><path d="M20 24v-5c0-3 2-5 5-5v4c0 3-2 5-5 6z" fill="#f3cf7a"/></svg>"##;

/// The address of the mark as an icon of the tab: the mark with what an address must escape.
#[must_use]
pub fn icon() -> &'static str {
    static ICON: LazyLock<String> = LazyLock::new(|| {
        let escapes = [("\"", "'"), ("<", "%3C"), (">", "%3E"), ("#", "%23")];
        let alone = BRAND.replace("aria-hidden=\"true\" focusable=\"false\"", "xmlns=\"http://www.w3.org/2000/svg\"");
        let drawing = escapes.iter().fold(alone, |text, (from, to)| text.replace(from, to));
        format!("data:image/svg+xml,{drawing}")
    });
    &ICON
}

/// A face in a shield.
pub const IDENTITY_SEAL: &str = r##"<svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><path d="M16 2l12 4v9c0 8-5 13-12 15C9 28 4 23 4 15V6z" fill="#dfe7ff"/><circle cx="16" cy="12.5" r="4" fill="#16213f"/><path d="M8.5 22.5c1.5-4 4.5-5.5 7.5-5.5s6 1.5 7.5 5.5c-2 2.200-4.5 3.700-7.5 4.5-3-.8-5.5-2.300-7.5-4.5z" fill="#16213f"/></svg>"##;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_icon_is_the_mark_escaped_for_an_address() {
        let read = icon().replace("%3C", "<").replace("%3E", ">").replace("%23", "#").replace('\'', "\"");
        let drawing = |text: &str| text.split_once("<rect").map(|(_, rest)| rest.to_owned());
        assert_eq!(drawing(&read), drawing(BRAND));
        assert!(drawing(&read).is_some() && !icon().contains(['<', '>', '#', '"']));
        assert!(
            read.contains(r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="#),
            "it is read without a page around it"
        );
    }
}
