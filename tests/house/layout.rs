//! No circles: between files, top-level rooms, and rooms two levels deep; and the rooms of each crate as ARCHITECTURE.md draws
//! them.

use super::arrows::{Arrows, Sources, circles};
use super::{read, root};
use std::collections::BTreeSet;

/// Each crate with the arrows that still lie on circles between its files, and between its top-level modules (its
/// rooms). The numbers only become smaller.
const CRATES: &[(&str, &str, usize, usize)] = &[
    ("sim/src/lib.rs", "sim", 0, 0),
    ("sandbox/src/lib.rs", "sandbox", 0, 0),
    ("scenarios/src/lib.rs", "scenarios", 0, 0),
    ("src/main.rs", "fundsim", 0, 0),
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
    for &(first, _, files, rooms) in CRATES {
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

/// The arrows on circles between the rooms two levels deep, each with the files and names that make it.
fn ties_of_circles(sources: &Sources) -> Vec<String> {
    let (arrows, ties) = sources.rooms(2);
    let on_circles = circles(&arrows).into_iter().flatten();
    on_circles.map(|arrow| format!("{arrow}, by {}", Vec::from_iter(ties[&arrow].clone()).join("; by "))).collect()
}

#[test]
fn rooms_two_levels_deep_form_no_circle() {
    for &(first, ..) in CRATES {
        let sources = sources(first);
        assert!(
            sources.rooms(2).0.keys().any(|room| room.contains("::")) || first == "src/main.rs",
            "{first} was read"
        );
        let ties = ties_of_circles(&sources);
        assert!(ties.is_empty(), "{first}: rooms need each other: {ties:#?}");
    }
}

#[test]
fn a_circle_two_levels_deep_is_found_by_what_it_names_and_by_what_passes_the_name_on() {
    let folder = std::env::temp_dir().join(format!("fundsim-rooms-{}", std::process::id()));
    std::fs::create_dir_all(folder.join("a/two")).expect("a folder");
    let file = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("a file");
    let found = || ties_of_circles(&sources(&folder.join("lib.rs").to_string_lossy()));
    file("lib.rs", "mod a;");
    file("a.rs", "mod one; mod two; pub use one::One; pub(in crate::a) struct Own;");
    file("a/one.rs", "pub struct One; fn f() { super::two::deep::g() }");
    file("a/two.rs", "pub mod deep;");
    file("a/two/deep.rs", "pub fn g() {}");
    assert_eq!(found(), [""; 0]);
    // Through the parent, which passes the name on: the parent is used by nobody, the room that defines it is.
    file("a/two/deep.rs", "pub fn g() -> crate::a::One { crate::a::One }");
    let to_two = "a::one -> a::two, by a::one -> a::two::deep: super::two::deep::g";
    assert_eq!(found(), [to_two, "a::two -> a::one, by a::two::deep -> a::one: crate::a::One"]);
    // Through another file of its own room: none.
    file("a/two.rs", "pub mod deep; pub use deep::g as h;");
    file("a/two/deep.rs", "pub fn g() { crate::a::two::h() }");
    assert_eq!(found(), [""; 0]);
    // Through a room that has the name from elsewhere: that room is used, too.
    file("a.rs", "mod one; mod two; mod three;");
    file("a/three.rs", "pub struct Three;");
    file("a/two.rs", "pub mod deep; pub use super::three::Three;");
    file("a/one.rs", "use crate::a::two; pub fn f(_: two::Three) {}");
    file("a/two/deep.rs", "pub fn g() { crate::a::one::f(crate::a::two::Three) }");
    let ties = found();
    assert!(
        ties[0].starts_with("a::one -> a::two, by ") && ties[0].contains("a::one -> a::two: two::Three"),
        "{ties:?}"
    );
    assert_eq!(ties[1..], ["a::two -> a::one, by a::two::deep -> a::one: crate::a::one::f"]);
    std::fs::remove_dir_all(folder).expect("the folder goes");
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

/// The lines that draw the rooms of `name`: the first block of its section of ARCHITECTURE.md.
fn drawn(name: &str) -> Vec<String> {
    let text = read(&root().join("ARCHITECTURE.md"));
    let section = text.split("\n## ").find(|section| section.starts_with(&format!("`{name}`")));
    let block = section.and_then(|section| section.split("```").nth(1)).and_then(|block| block.strip_prefix("text\n"));
    block.unwrap_or_else(|| panic!("ARCHITECTURE.md draws {name}")).lines().map(str::to_owned).collect()
}

/// A line names rooms and either what each of them uses, or nothing: then they use rooms of earlier lines alone.
#[test]
fn the_rooms_of_each_crate_are_those_of_the_architecture() {
    let names = |list: &str| list.split(", ").map(str::to_owned).collect::<BTreeSet<_>>();
    for &(first, name, ..) in CRATES {
        let mut rooms = between_rooms(&sources(first));
        let mut earlier = BTreeSet::new();
        for line in drawn(name) {
            let (from, to) = line.split_once(" -> ").map_or((line.as_str(), None), |(from, to)| (from, Some(to)));
            for room in names(from) {
                let uses = rooms.remove(&room).unwrap_or_else(|| panic!("{name} has one room {room}"));
                match to {
                    Some("nothing") => assert!(uses.is_empty(), "{name}: {room} uses {uses:?}"),
                    Some(to) => assert_eq!(uses, names(to), "{name}: what {room} uses"),
                    None => assert!(uses.is_subset(&earlier), "{name}: {room} uses {uses:?}, of which some come later"),
                }
            }
            earlier.extend(names(from));
        }
        assert!(rooms.is_empty(), "{name}: not drawn: {:?}", rooms.keys());
    }
}
