//! What is drawn: agreements as PDF documents, the life of an account as a picture, and QR codes.
//!
//! Never knows HTTP, hosting or stories: facts go in, bytes come out. The same facts make the same bytes.
//!
//! | room | owns |
//! |---|---|
//! | `pdf/` | agreements as tagged documents, in Swedish or English |
//! | `picture/` | the life of an account as an SVG: facts from the world's history, drawn with a plotting library |
//! | `qr/` | tokens of mobile payments as QR codes |
//!
//! # Rooms
//!
//! Each line uses what is in earlier lines, and nothing else.
//!
//! ```text
//! pdf, picture, qr
//! ```

pub mod pdf;
pub mod picture;
pub mod qr;
