//! Small drawings, inline, so that a page asks for no file. All are our own.

use maud::{Markup, PreEscaped};

/// The mark: three rising leaves on one stem.
#[must_use]
pub fn brand() -> Markup {
    PreEscaped(
        r##"<svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><rect width="32" height="32" rx="9" fill="#0d5c53"/><path d="M7 24c0-5 3-8 7-8v3c0 3-3 5-7 5z" fill="#8fd4c4"/><path d="M14 24V14c0-4 3-6.5 6-6.5V13c0 5-2 9-6 11z" fill="#d8f1ea"/><path d="M20 24v-5c0-3 2-5 5-5v4c0 3-2 5-5 6z" fill="#f3cf7a"/></svg>"##
            .to_owned(),
    )
}

/// The address of the mark as an icon of the tab.
pub const ICON: &str = "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Crect width='32' height='32' rx='9' fill='%230d5c53'/%3E%3Cpath d='M7 24c0-5 3-8 7-8v3c0 3-3 5-7 5z' fill='%238fd4c4'/%3E%3Cpath d='M14 24V14c0-4 3-6.5 6-6.5V13c0 5-2 9-6 11z' fill='%23d8f1ea'/%3E%3Cpath d='M20 24v-5c0-3 2-5 5-5v4c0 3-2 5-5 6z' fill='%23f3cf7a'/%3E%3C/svg%3E";

/// The mark of the simulated identity: a face in a shield.
#[must_use]
pub fn identity() -> Markup {
    PreEscaped(
        r##"<svg viewBox="0 0 32 32" aria-hidden="true" focusable="false"><path d="M16 2l12 4v9c0 8-5 13-12 15C9 28 4 23 4 15V6z" fill="#dfe7ff"/><circle cx="16" cy="12.5" r="4" fill="#16213f"/><path d="M8.5 22.5c1.5-4 4.5-5.5 7.5-5.5s6 1.5 7.5 5.5c-2 2.200-4.5 3.700-7.5 4.5-3-.8-5.5-2.300-7.5-4.5z" fill="#16213f"/></svg>"##
            .to_owned(),
    )
}

/// A padlock, for what was decided beforehand.
#[must_use]
pub fn lock() -> Markup {
    PreEscaped(
        r#"<svg viewBox="0 0 16 16" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.6"><rect x="3" y="7" width="10" height="7" rx="1.6" fill="currentColor"/><path d="M5 7V5a3 3 0 0 1 6 0v2"/></svg>"#
            .to_owned(),
    )
}

/// A sheet of paper.
#[must_use]
pub fn paper() -> Markup {
    PreEscaped(
        r#"<svg viewBox="0 0 20 20" aria-hidden="true" focusable="false" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"><path d="M4.5 2.5h7l4 4v11h-11z"/><path d="M11.5 2.5v4h4M7 10.5h6M7 13.5h6"/></svg>"#
            .to_owned(),
    )
}

/// How a journey ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A tick.
    Good,
    /// A cross.
    Bad,
    /// A clock.
    Late,
    /// A way out.
    Out,
}

/// The large drawing of an ending.
#[must_use]
pub fn sign(sign: Sign) -> Markup {
    let (ground, line, path) = match sign {
        Sign::Good => ("#d8efe7", "#0d5c53", "M20 33l9 9 16-19"),
        Sign::Bad => ("#fbe3df", "#a3261c", "M23 23l18 18M41 23L23 41"),
        Sign::Late => ("#f9e8bd", "#6b4e07", "M32 20v13l9 5"),
        Sign::Out => ("#e3e6ea", "#3d4955", "M22 32h20M34 24l8 8-8 8"),
    };
    PreEscaped(format!(
        r#"<svg class="sign" viewBox="0 0 64 64" aria-hidden="true" focusable="false"><circle cx="32" cy="32" r="30" fill="{ground}"/><path d="{path}" fill="none" stroke="{line}" stroke-width="4.5" stroke-linecap="round" stroke-linejoin="round"/></svg>"#
    ))
}
