//! Small drawings, inline, so that a page asks for no file. All are our own.

use maud::{Markup, PreEscaped};

/// The mark: three rising leaves on one stem.
#[must_use]
pub const fn brand() -> PreEscaped<&'static str> {
    PreEscaped(look::BRAND)
}

/// The mark of the simulated identity: a face in a shield.
#[must_use]
pub const fn identity() -> PreEscaped<&'static str> {
    PreEscaped(look::IDENTITY_SEAL)
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
    let (tone, path) = match sign {
        Sign::Good => ("good", "M20 33l9 9 16-19"),
        Sign::Bad => ("bad", "M23 23l18 18M41 23L23 41"),
        Sign::Late => ("held", "M32 20v13l9 5"),
        Sign::Out => ("out", "M22 32h20M34 24l8 8-8 8"),
    };
    PreEscaped(format!(
        r#"<svg class="sign {tone}" viewBox="0 0 64 64" aria-hidden="true" focusable="false"><circle cx="32" cy="32" r="30"/><path d="{path}"/></svg>"#
    ))
}
