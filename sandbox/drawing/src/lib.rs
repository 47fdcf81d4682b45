//! What is drawn: agreements as PDF documents, pictures of accounts and worlds, and QR codes.
//!
//! Never knows HTTP, hosting or stories: facts go in, bytes come out. The same facts make the same bytes.
//!
//! | room | owns |
//! |---|---|
//! | `frame/` | what all pictures are made with: canvas, colours, days, the document around them; their three forms |
//! | `difference/` | what differs between two worlds, along their time |
//! | `forks/` | the branches of worlds: starts, forks, rewinds, snapshots |
//! | `machines/` | state tables with how often each row was taken |
//! | `money/` | what flows into accounts, out of them, and where it goes |
//! | `account/` | the life of an account: facts from the world's history, drawn with a plotting library |
//! | `pdf/` | agreements as tagged documents, in Swedish or English |
//! | `calendar/` | bank days and holidays, and what is due on each day |
//! | `sequence/` | who did what with whom, in the order of the world's time |
//! | `world/` | a world at a glance: values, orders, failing requests, webhooks, what comes next |
//! | `qr/` | tokens of mobile payments as QR codes |
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! frame, pdf, qr, table
//! account, calendar, difference, forks, machines, money, sequence, world
//! ```
//!
//! `table.rs` lists the pictures: a new one is a row there and a room here.

pub mod account;
pub mod calendar;
pub mod difference;
pub mod forks;
mod frame;
pub mod machines;
pub mod money;
pub mod pdf;
pub mod qr;
pub mod sequence;
pub mod table;
pub mod world;

pub use frame::{Picture, Width};
