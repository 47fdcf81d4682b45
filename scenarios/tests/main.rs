//! Stories and generated runs as a user of the crate has them: the language, drivers, matching, and the judge.

mod drivers;
mod judge;
mod language;
mod matching;
mod rules;
mod seeds;
mod values;
