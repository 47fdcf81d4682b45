//! Plans: kept, and at work.

pub mod changes;
mod savings;
