//! Life cycles: one machine, one file, one table. Anything not in a table is forbidden.

pub mod order;
