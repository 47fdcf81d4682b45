//! The hosted pages of journeys.

pub mod controls;
pub mod frame;
pub mod lang;
pub mod links;
pub mod marks;
pub mod templates;
pub mod words;
