//! Bank accounts.

mod accounts;
mod clearing;
