//! The language of stories: its words, a story as data, and how it is read from a file, checked, written and compared with.
//!
//! # Files
//!
//! | file | owns |
//! |---|---|
//! | `words/` | every word of the language, once, a row each: parser, writer, schema, hints, `explain` and requests follow it |
//! | `ast/` `parse/` `write.rs` | a story as data, from a file and back to an equal one |
//! | `parse/late.rs` `filled.rs` | steps that are read when they run, since the value of a name decides what they mean |
//! | `tree.rs` `diagnostic.rs` | a file as a tree that knows its places; what is wrong in it, shown where it is |
//! | `routes.rs` `fields.rs` | where calls lead, and which names are slips of fields |
//! | `template.rs` `expression.rs` `path.rs` `exact.rs` | `{name.path}` in texts, exact sums, paths and queries into values, exact numbers |
//! | `matching/` | whether a value is as expected, and what differs |
//! | `lint/` `schema.rs` | what is odd in a file that can be read; what editors know of a file |
//!
//! It never knows how a story is carried out: no driver, no connection, no world.
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! diagnostic, exact, fields, path, words
//! expression, routes, tree
//! template
//! ast
//! matching
//! parse
//! lint, schema, write
//! ```

pub mod ast;
pub mod diagnostic;
pub mod exact;
pub mod expression;
pub mod fields;
pub mod lint;
pub mod matching;
pub mod parse;
pub mod path;
pub mod routes;
pub mod schema;
pub mod template;
pub mod tree;
pub mod words;
pub mod write;
