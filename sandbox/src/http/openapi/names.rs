//! Names of schemas and operations that are made of words of the API.

/// A word as a part of a name: with a capital letter first.
pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
}
