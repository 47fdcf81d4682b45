//! Runs that are drawn by chance, and stories of what others did: `generate`, `fuzz`, `shrink` and `record`.
//!
//! Absent on purpose: how a story is carried out, which is the runner's.

pub mod fuzz;
pub mod generate;
pub mod record;
pub mod shrink;
