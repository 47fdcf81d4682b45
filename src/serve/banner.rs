//! What a person reads when the sandbox is ready: where it is, who may use it, and a call that works.

use super::data::Kept;
use super::key::Origin;
use super::tls::Secured;
use hosting::clock::{Factor, Mode};
use serde_json::Value as Json;

/// A clock by its word, with what that means where it is a number.
fn clock_words(mode: Mode) -> String {
    match mode.factor() {
        Some(factor) if factor != Factor::REAL => format!("{mode} (real time times {mode})"),
        _ => mode.to_string(),
    }
}

/// What there is to say of the credentials of a start.
pub(super) struct Credentials {
    /// Where the key that they are made of comes from.
    pub(super) origin: Origin,
    /// Whether a snapshot file came from a server of another key, so that its partners have other secrets now.
    pub(super) are_new: bool,
}

impl Credentials {
    /// How long they are good, and who may know them.
    fn words(&self) -> String {
        let words = match &self.origin {
            Origin::Public => {
                "public: the same at each start on this machine; --key-file FILE makes them your own and keeps them"
                    .to_owned()
            }
            Origin::Drawn => "new at each start; --key-file FILE keeps them".to_owned(),
            Origin::Kept(path) => format!("kept by the key in {}", path.display()),
            Origin::Data(folder) => format!("kept in {}, with worlds and tokens", folder.display()),
            Origin::Log(_) => "kept in the log, with worlds and tokens; all instances have the same".to_owned(),
        };
        let new = "\n           The snapshot is of a server with another key, so secrets are other ones than before";
        if self.are_new { words + new } else { words }
    }
}

/// What outlives the process.
fn kept_words(origin: &Origin, kept: Option<&Kept>) -> String {
    if let Origin::Log(leader) = origin {
        let leads = leader.as_ref().map_or_else(
            || "this instance leads".to_owned(),
            |url| format!("this instance follows, and forwards requests to {url}"),
        );
        return format!(
            "all worlds, in the log that instances share; {leads}. Not kept: request logs, recordings, metrics"
        );
    }
    let Some(Kept { worlds, entries, unreadable }) = kept else {
        return "nothing: worlds are lost with the process; --data FOLDER keeps them".to_owned();
    };
    let how_many = match (worlds, entries) {
        (_, 0) => "all worlds, from now on".to_owned(),
        (1, _) => format!("all worlds; this one continues ({entries} entries)"),
        _ => format!("all worlds; {worlds} of them continue ({entries} entries)"),
    };
    let unreadable = match unreadable {
        0 => String::new(),
        1 => "; one world cannot be made again and answers 503, the log says why".to_owned(),
        _ => format!("; {unreadable} worlds cannot be made again and answer 503, the log says why"),
    };
    format!("{how_many}{unreadable}. Not kept: request logs, recordings, metrics")
}

/// What is printed in the place of a secret that the server does not know.
const NOT_KEPT: &str = "as the setup named it (snapshot files keep no secret)";

/// The text for a world's line.
pub(super) fn text(
    line: &Json,
    mode: Mode,
    credentials: &Credentials,
    kept: Option<&Kept>,
    secured: Option<&Secured>,
) -> String {
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
            if partner.get("clientSecret").is_some() { word(partner, "clientSecret") } else { NOT_KEPT.to_owned() },
            word(partner, "callbackSecret"),
        ));
        for client in list(partner, "clients") {
            out.push_str(&format!("    client           {}  {}\n", word(&client, "id"), word(&client, "name")));
        }
    }
    out.push_str(&format!(
        "\n  secrets  {}\n  kept     {}\n",
        credentials.words(),
        kept_words(&credentials.origin, kept)
    ));
    if let Some(secured) = secured {
        out.push_str(&format!("  tls      {}\n", secured.words().join("\n           ")));
    }
    let curl = secured.map(Secured::curl).unwrap_or_default();
    if let Some(partner) = partners.first() {
        out.push_str(&format!(
            "\nA token:\n\n  curl -s {curl}{url}/v2/partner/auth/token -d grant_type=client_credentials \\\n    \
             -d client_id={} -d client_secret={}\n",
            word(partner, "clientId"),
            if partner.get("clientSecret").is_some() { word(partner, "clientSecret") } else { "SECRET".to_owned() },
        ));
    }
    out.push_str(&format!(
        "\n  console  {url}/console\n  docs     {url}/docs\n  guide    {url}/guide\n\nThe same as a file: {url}/openapi.json; routes and levers: fundsim explain \
         routes\n\nCtrl-C stops it.\n"
    ));
    out
}
