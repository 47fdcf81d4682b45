//! Where calls lead: paths under an actor's client, and whether the service has them.
//!
//! Owns: which paths are whole, and which routes a written path can mean. Invariant: a path with a name in it can mean whatever
//! the name may hold. Absent on purpose: sending.

use crate::words;
use sandbox::rows;
use serde_json::Value as Json;

/// Beginnings of paths that are whole; others are under the actor's client.
const WHOLE: &[&str] = &["/v2/", "/ping", "/simulations/", "/_sandbox", "/openapi", "/docs"];

/// What routes are described under.
const DESCRIBED: &[&str] = &["/v2/", "/simulations/", "/_sandbox"];

/// The beginning of paths under a client.
const CLIENT: &str = "/v2/partner/client/{clientId}";

/// Whether `path` is whole.
#[must_use]
pub fn is_whole(path: &str) -> bool {
    WHOLE.iter().any(|beginning| path.starts_with(beginning))
}

/// `path` from the server's root, with a name for the acting client.
#[must_use]
pub fn whole(path: &str) -> String {
    if is_whole(path) { path.to_owned() } else { format!("{CLIENT}{path}") }
}

/// Whether the service has nothing at `path`, and then the nearest that it has, as it would be written.
#[must_use]
pub fn missing(method: &str, path: &str) -> Option<Option<String>> {
    let path = path.split(['?', '#']).next().unwrap_or_default();
    let whole = whole(path);
    if path.starts_with('{') || !DESCRIBED.iter().any(|beginning| whole.starts_with(beginning)) {
        return None;
    }
    // Whatever can be read has a head.
    let wanted = if method == "HEAD" { "GET" } else { method };
    let known = || rows().filter(|row| row.method.as_str() == wanted).map(|row| row.path);
    if known().any(|route| can_mean(&whole, route)) {
        return None;
    }
    // Names and ids take each other's place, so that they are no difference.
    let is_id = |part: &str| part.contains('{') || part.bytes().filter(u8::is_ascii_digit).count() > 2;
    let plain =
        |path: &str| path.split('/').map(|part| if is_id(part) { "{}" } else { part }).collect::<Vec<_>>().join("/");
    let routes: Vec<(String, &str)> = known().map(|route| (plain(route), route)).collect();
    let near = words::nearest(&plain(&whole), routes.iter().map(|(plain, _)| plain.as_str()));
    let route = near.and_then(|near| routes.iter().find(|(plain, _)| plain == near)).map(|(_, route)| *route);
    let written = |route: &str| route.strip_prefix(CLIENT).filter(|_| !is_whole(path)).unwrap_or(route).to_owned();
    Some(route.map(|route| format!("{method} {}", written(route))))
}

/// The method and path of the operation with that name, with an id in the place of the id that names what it works on.
#[must_use]
pub fn of_operation(operation: &str, id: &str) -> Option<String> {
    let row = rows().find(|row| row.operation_id() == Some(operation))?;
    let is_whose = |part: &str| matches!(part, "{clientId}" | "{worldId}" | "{instrumentId}");
    let filled = |part| if str::starts_with(part, '{') && !is_whose(part) { id } else { part };
    let path = row.path.split('/').map(filled).collect::<Vec<_>>().join("/");
    Some(format!("{} {path}", row.method))
}

/// The word of a step that sends this method to a route with this pattern; where there are several, the first of the table.
#[must_use]
pub fn word_of(method: &str, pattern: &str) -> Option<&'static str> {
    if pattern.ends_with("/clock/advance") {
        return Some("advance");
    }
    let sends = |word: &&words::Word| {
        word.sends().is_some_and(|sends| sends.method == method && can_mean(&whole(sends.path), pattern))
    };
    words::STEPS.iter().find(sends).map(|word| word.word)
}

/// What the service refuses in a body by itself, sentence by sentence; nothing where only its handler decides, and for the
/// partner API, whose bodies may have fields that nobody knows.
pub(crate) fn problems(method: &str, path: &str, body: &Json) -> Vec<String> {
    let route = rows().find(|row| row.method.as_str() == method && can_mean(path, row.path));
    let problems_text =
        route.filter(|row| !row.path.starts_with("/v2/")).and_then(|row| row.problems_of(&body.to_string()));
    problems_text.iter().flat_map(|problems_text| problems_text.split("; ")).map(str::to_owned).collect()
}

/// Part by part; whatever has a name in it may be anything.
fn can_mean(path: &str, route: &str) -> bool {
    let (path, route): (Vec<&str>, Vec<&str>) = (path.split('/').collect(), route.split('/').collect());
    let alike = |(part, known): (&&str, &&str)| {
        part == known || part.contains('{') || (known.starts_with('{') && !part.is_empty())
    };
    path.len() == route.len() && path.iter().zip(&route).all(alike)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_route_has_the_word_that_sends_a_request_to_it() {
        for (method, pattern, word) in [
            ("POST", "/v2/partner/client/{clientId}/order", Some("subscribe")),
            ("DELETE", "/v2/partner/client/{clientId}/order/{orderId}", Some("cancel")),
            ("POST", "/simulations/order/{orderId}/hold", Some("hold")),
            ("POST", "/_sandbox/worlds/{worldId}/faults", Some("add fault")),
            ("POST", "/_sandbox/worlds/{worldId}/clock/advance", Some("advance")),
            ("GET", "/v2/partner/client", None),
        ] {
            assert_eq!(word_of(method, pattern), word, "{method} {pattern}");
        }
    }

    #[test]
    fn an_unknown_path_is_reported_with_the_nearest_known_one() {
        let rows = [
            ("GET", "/order/{order}", None),
            ("GET", "/order/6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01?x=1", None),
            ("GET", "/v2/partner/client", None),
            ("HEAD", "/order/{order}", None),
            ("POST", "/_sandbox/worlds/current/clock/advance", None),
            ("GET", "{url}/anything", None),
            ("GET", "/openapi.json", None),
            ("GET", "/ordr/6b1f7c52-0d1e-4c59-9f0b-5a3c1d2e4f01", Some(Some("GET /order/{orderId}"))),
            ("GET", "/ordr/{order}", Some(Some("GET /order/{orderId}"))),
            ("GET", "/_sandbox/worlds/current/digst", Some(Some("GET /_sandbox/worlds/{worldId}/digest"))),
            ("POST", "/simulations/order/{order}/hld", Some(Some("POST /simulations/order/{orderId}/hold"))),
            ("DELETE", "/what/on/earth/is/this", Some(None)),
        ];
        for (method, path, expected) in rows {
            assert_eq!(missing(method, path).as_ref().map(Option::as_deref), expected, "{method} {path}");
        }
    }
}
