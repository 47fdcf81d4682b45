//! What a person reads when the sandbox is ready: where it is, who may use it, and a call that works.

use sandbox::hosting::clock::{Factor, Mode};
use serde_json::Value as Json;

/// A clock by its word, with what that means where it is a number.
fn clock_words(mode: Mode) -> String {
    match mode.factor() {
        Some(factor) if factor != Factor::REAL => format!("{mode} (real time times {mode})"),
        _ => mode.to_string(),
    }
}

/// The text for a world's line.
pub(super) fn text(line: &Json, mode: Mode) -> String {
    let clock = clock_words(mode);
    let word = |value: &Json, key: &str| match value.get(key) {
        Some(Json::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => String::new(),
    };
    let url = word(line, "url");
    let mut out = format!(
        "fundsim is ready on {url}\n\n  world    {}\n  seed     {}\n  now      {}\n  clock    {clock}\n",
        word(line, "worldId"),
        word(line, "seed"),
        word(line, "now"),
    );
    let none = Vec::new();
    let list = |value: &Json, key: &str| value.get(key).and_then(Json::as_array).unwrap_or(&none).clone();
    let partners = list(line, "partners");
    for partner in &partners {
        out.push_str(&format!(
            "\n  {}\n    client_id        {}\n    client_secret    {}\n    callback_secret  {}\n",
            word(partner, "name"),
            word(partner, "clientId"),
            word(partner, "clientSecret"),
            word(partner, "callbackSecret"),
        ));
        for client in list(partner, "clients") {
            out.push_str(&format!("    client           {}  {}\n", word(&client, "id"), word(&client, "name")));
        }
    }
    if let Some(partner) = partners.first() {
        out.push_str(&format!(
            "\nA token:\n\n  curl -s {url}/v2/partner/auth/token -d grant_type=client_credentials \\\n    \
             -d client_id={} -d client_secret={}\n",
            word(partner, "clientId"),
            word(partner, "clientSecret"),
        ));
    }
    out.push_str(&format!(
        "\nAll of it described: {url}/openapi.json; its routes and levers: fundsim explain routes\n\n\
         Ctrl-C stops it.\n"
    ));
    out
}
