//! Lists the documents that the program carries: those that a line of `docs/SUMMARY.md` names.
//!
//! Absent on purpose: what a document becomes, which is `src`.

#![allow(clippy::print_stdout, reason = "Cargo reads what a build script prints")]

use std::fmt::Write as _;
use std::path::Path;

fn main() {
    let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs");
    let docs = docs.canonicalize().unwrap_or_else(|error| panic!("{}: {error}", docs.display()));
    let summary = docs.join("SUMMARY.md");
    println!("cargo::rerun-if-changed={}", summary.display());
    let text = std::fs::read_to_string(&summary).unwrap_or_else(|error| panic!("{}: {error}", summary.display()));
    let mut list = String::from("&[\n");
    for line in text.lines() {
        let Some((_, rest)) = line.split_once("](") else { continue };
        let Some((file, _)) = rest.split_once(')') else { continue };
        let path = docs.join(file);
        assert!(path.is_file(), "docs/SUMMARY.md names {file}, and there is no such file in docs");
        println!("cargo::rerun-if-changed={}", path.display());
        writeln!(list, "({file:?}, include_str!({:?})),", path.display().to_string())
            .expect("a string takes everything");
    }
    list.push(']');
    let out = std::env::var("OUT_DIR").expect("Cargo names the folder");
    std::fs::write(Path::new(&out).join("sources.rs"), list).expect("the list is written");
}
