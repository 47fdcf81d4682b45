//! What is drawn: agreements as PDF documents, pictures of accounts and worlds, and QR codes.
//!
//! Never knows HTTP, hosting or stories: facts go in, bytes come out. The same facts make the same bytes.
//!
//! | room | owns |
//! |---|---|
//! | `frame/` | what all pictures are made with: canvas, colours, days, the document around them; their three forms |
//! | `account/` | the life of an account: facts from the world's history, drawn with a plotting library |
//! | `pdf/` | agreements as tagged documents, in Swedish or English |
//! | `sequence/` | who did what with whom, in the order of the world's time |
//! | `qr/` | tokens of mobile payments as QR codes |
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! frame, pdf, qr, table
//! account, sequence
//! ```
//!
//! `table.rs` lists the pictures: a new one is a row there and a room here.

pub mod account;
mod frame;
pub mod pdf;
pub mod qr;
pub mod sequence;
pub mod table;

pub use frame::{Picture, Width};
