//! Modules know what stands below them: no circles, and the arrows between the rooms of `sandbox` as ARCHITECTURE.md shows them.

use super::arrows::{Arrows, Sources, circles};
use super::{read, root};

/// Each crate with the arrows that still lie on circles between its files, and between its top-level modules. The numbers only
/// become smaller.
const CRATES: &[(&str, usize, usize)] = &[
    ("sim/src/lib.rs", 46, 11),
    ("sandbox/src/lib.rs", 2, 0),
    ("scenarios/src/lib.rs", 46, 0),
    ("src/main.rs", 20, 0),
];

fn sources(first: &str) -> Sources {
    Sources::read(&root().join(first))
}

fn between_files(sources: &Sources) -> Arrows {
    sources.arrows(|module| Some(module.join("::")))
}

fn between_rooms(sources: &Sources) -> Arrows {
    sources.arrows(|module| module.first().cloned())
}

#[test]
fn no_arrow_is_added_to_a_circle() {
    for &(first, files, rooms) in CRATES {
        let sources = sources(first);
        for (what, arrows, most) in
            [("files", between_files(&sources), files), ("rooms", between_rooms(&sources), rooms)]
        {
            assert!(arrows.values().any(|to| !to.is_empty()) || arrows.len() < 2, "{first} was read");
            let circles = circles(&arrows);
            let count: usize = circles.iter().map(Vec::len).sum();
            assert!(count <= most, "{first}: {count} arrows on circles between {what}, at most {most}: {circles:#?}");
        }
    }
}

#[test]
fn a_circle_is_found_and_a_name_passed_on_is_none() {
    let folder = std::env::temp_dir().join(format!("fundsim-arrows-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("b")).expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    file("lib.rs", "mod a; mod b; pub use a::A;");
    file("a.rs", "pub struct A; fn f() { crate::b::c::g(vec![1]) }");
    file("b.rs", "pub mod c; #[cfg(test)] mod tests { use crate::a::A; }");
    file("b/c.rs", "use crate::{b as own}; pub fn g(_: Vec<u8>) {}");
    let arrows = between_files(&sources(&folder.join("lib.rs").to_string_lossy()));
    assert!(circles(&arrows).is_empty(), "{arrows:?}");
    file("b/c.rs", "pub fn g(_: Vec<u8>) -> Option<crate::A> { None }");
    let arrows = between_files(&sources(&folder.join("lib.rs").to_string_lossy()));
    assert_eq!(circles(&arrows), [["a -> b::c", "b::c -> a"]], "{arrows:?}");
    std::fs::remove_dir_all(folder).expect("the folder goes");
}

#[test]
fn the_rooms_of_the_sandbox_are_those_of_the_architecture() {
    let rooms = between_rooms(&sources("sandbox/src/lib.rs"));
    let line = |(from, to): (&String, &std::collections::BTreeSet<String>)| {
        let to: Vec<_> = to.iter().map(String::as_str).collect();
        format!("{from} -> {}", if to.is_empty() { "nothing".to_owned() } else { to.join(", ") })
    };
    let drawn: Vec<String> = rooms.iter().map(line).collect();
    let drawn = drawn.join("\n");
    assert!(read(&root().join("ARCHITECTURE.md")).contains(&drawn), "ARCHITECTURE.md lacks these lines:\n{drawn}");
}
