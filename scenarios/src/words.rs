//! The words of the language, in one table, and the nearest one to a slip.
//!
//! Owns: which words a step, a file and an expectation may hold, with an example of each. The parser, the JSON Schema,
//! `fundsim explain steps` and the hints of diagnostics all read this table.

/// A word that begins a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepWord {
    /// The word; capitals stand for a name or value of the author's.
    pub word: &'static str,
    /// What it does, in one line.
    pub does: &'static str,
    /// A step as an author would write it.
    pub example: &'static str,
    /// Whether its answer can be expected and saved.
    pub asks: bool,
}

macro_rules! table {
    ($($word:literal, $asks:expr, $does:literal, $example:literal;)*) => {
        &[$(StepWord { word: $word, does: $does, example: $example, asks: $asks }),*]
    };
}

/// Every word that begins a step.
#[rustfmt::skip]
pub const STEPS: &[StepWord] = table![
    "open account", true, "an account at once, without a journey",
        "open account: { as: anna, type: isk, cash: 10000 }";
    "subscribe", true, "the partner orders units for an amount",
        "subscribe: { as: order, account: anna, instrument: SE0SBX000016SEK, amount: 10000 }";
    "redeem", true, "the partner sells units; `everything` is the whole position",
        "redeem: { as: sale, account: anna, instrument: SE0SBX000016SEK, units: everything }";
    "sell and withdraw", true, "sells units and pays the money out to a bank account",
        "sell and withdraw: { as: sale, account: anna, instrument: SE0SBX000016SEK, units: 10 }";
    "sell and transfer", true, "sells units and moves the money to another account of the owner",
        "sell and transfer: { as: sale, account: anna, to: savings, instrument: SE0SBX000016SEK, units: 10 }";
    "cancel", true, "the partner cancels an order",
        "cancel: order";
    "hold", true, "the back office parks an order",
        "hold: order";
    "release", true, "the back office lets a parked order go on",
        "release: order";
    "reject", true, "the fund company refuses an order and all that were sent with it",
        "reject: order";
    "set price", true, "the fund company publishes or corrects a price",
        "set price: { instrument: SE0SBX000016SEK, closePrice: 123.45 }";
    "set trading", true, "the fund company opens or closes trading",
        "set trading: { instrument: SE0SBX000016SEK, isBuyable: false }";
    "delay nav", true, "the fund company publishes its next price late",
        "delay nav: { instrument: SE0SBX000016SEK, bankDays: 1 }";
    "bounce payout", true, "the bank sends a payout back",
        "bounce payout: payout";
    "start journey", true, "the partner starts a journey; all fields but `type`, URLs and `scope` are its configuration",
        "start journey: { as: journey, type: addBankAccount, account: anna }";
    "open journey", true, "the customer opens a journey, without a browser",
        "open journey: journey";
    "complete journey", true, "the customer walks all that remains, sensibly where no answer is given",
        "complete journey: { journey: journey, answers: { accountDetails: { accountType: isk } } }";
    "cancel journey", true, "the customer leaves a journey, at the named step if one is named",
        "cancel journey: { journey: journey, at: kyc }";
    "fail journey", true, "a journey fails: AUTH_ERROR, KYC_ERROR, TRANSFER_ERROR, SIGN_ERROR or OTHER_ERROR",
        "fail journey: { journey: journey, code: KYC_ERROR, at: kyc }";
    "expire journey", true, "a journey's time is up",
        "expire journey: journey";
    "replay callback", true, "the operator has a journey's callback sent again",
        "replay callback: journey";
    "register webhook", true, "the operator has the client's events posted to the partner's server",
        "register webhook: { as: hook, events: ['order.*'] }";
    "call", true, "any request; a path without `/v2` is under the client",
        "call: GET /order/{order}";
    "let", false, "gives names to values",
        "let: { fund: SE0SBX000016SEK, amount: 10000 }";
    "advance", false, "the business clock moves",
        "advance: 3 bank days";
    "expect event", false, "an event came to the client's socket",
        "expect event: { order.update: { payload.current.status: sent } }";
    "expect events", false, "events came, in this order",
        "expect events: [order.create, order.update]";
    "expect events in any order", false, "events came, in whatever order",
        "expect events in any order: [order.update, account.update]";
    "nothing else happens", false, "no event came but those expected before",
        "nothing else happens";
    "forget events", false, "events so far no longer count",
        "forget events";
    "expect order ORDER", false, "an order's status, or part of it",
        "expect order {order}: settled";
    "expect account ACCOUNT", false, "part of an account",
        "expect account {anna}: { status: active }";
    "expect journey JOURNEY", false, "a journey's status, or part of it",
        "expect journey {journey}: complete";
    "expect cash of ACCOUNT", false, "an account's balance",
        "expect cash of {anna}: 0.00";
    "expect units of ACCOUNT in INSTRUMENT", false, "an account's units in a fund",
        "expect units of {anna} in SE0SBX000016SEK: 81.0044";
    "expect position of ACCOUNT in INSTRUMENT", false, "a position, or `absent`",
        "expect position of {anna} in SE0SBX000016SEK: { unitsSettled: 81.0044 }";
    "expect instrument INSTRUMENT", false, "part of an instrument",
        "expect instrument SE0SBX000016SEK: { isBuyable: true }";
    "expect cash transaction of order ORDER", false, "the one cash transaction of an order, or `absent`",
        "expect cash transaction of order {order}: { settlementDate: null }";
    "expect fund transaction of order ORDER", false, "the one fund transaction of an order, or `absent`",
        "expect fund transaction of order {order}: absent";
    "expect cash transactions of order ORDER", false, "all cash transactions of an order",
        "expect cash transactions of order {order}: [{ transactionType: redemption }, { transactionType: withdrawal }]";
    "expect fund transactions of order ORDER", false, "all fund transactions of an order",
        "expect fund transactions of order {order}: []";
    "expect cash transactions of account ACCOUNT", false, "all cash transactions of an account",
        "expect cash transactions of account {anna}: { length: 2 }";
    "expect fund transactions of account ACCOUNT", false, "all fund transactions of an account",
        "expect fund transactions of account {anna}: []";
    "expect clock", false, "the business clock",
        "expect clock: 2026-03-04T08:00:00.000Z";
    "expect value VALUE", false, "a saved value",
        "expect value {order.amount}: 10000";
    "open page", false, "the customer opens a journey's link in the browser",
        "open page: journey";
    "fill in", false, "the customer fills the page's form in and continues; bare, it is right as it stands",
        "fill in: { accountName: For the summer, email: anna@example.com }";
    "identify", false, "the customer identifies: bare, by number, or `abort` or `fail`",
        "identify: 191212121212";
    "sign", false, "the customer signs: bare, by number, or `abort` or `fail`",
        "sign: { person: 191212121212, device: other }";
    "press", false, "the customer presses a button or link by its words",
        "press: Svenska";
    "send again", false, "the customer's last form goes out once more, as when a page is loaded again",
        "send again";
    "go back", false, "the customer goes back a step",
        "go back";
    "leave journey", false, "the customer leaves for good, and says yes when asked",
        "leave journey";
    "expect page", false, "the page in the browser: its name, or what it shows and asks",
        "expect page: { name: kyc, asks: { contains: purpose }, errors: { purpose: any } }";
    "receiver", false, "how the partner's server takes posts: is down, recovers, answers 503, answers 200 after 11 seconds, hangs, ...",
        "receiver: answers 503";
    "expect callback of JOURNEY", false, "exactly one new post tells of a journey, signed; its status, or part of its body",
        "expect callback of {journey}: complete";
    "no callback", false, "no new post came that tells of a journey",
        "no callback";
    "no callback of JOURNEY", false, "no new post came that tells of this journey",
        "no callback of {journey}";
    "expect webhook", false, "new posts tell of these events, signed; their bodies hold `current` and `previous`",
        "expect webhook: { order.update: { current.status: sent } }";
    "no webhook", false, "no new post came that tells of an event",
        "no webhook";
    "expect delivery of JOURNEY", false, "what the log says of a journey's callback: its status, or part of its row",
        "expect delivery of {journey}: { status: queued, attemptsMade: 2 }";
    "open socket", false, "a further socket of the client",
        "open socket: second";
    "close socket", false, "closes a socket",
        "close socket: second";
    "expect socket closed", false, "the server has closed a socket",
        "expect socket closed: { code: 1001 }";
    "network", false, "weather between partner and sandbox: cut, repaired, held, released, latency 200 ms",
        "network: latency 200 ms";
    "server", false, "the server crashes, restarts or restarts empty",
        "server: restarts";
    "use", false, "the steps of another file",
        "use: funded-account.yaml";
];

/// Old and short spellings of step words.
pub const STEP_ALIASES: &[(&str, &str)] =
    &[("account", "open account"), ("expect no other event", "nothing else happens")];

/// Words beside a step's first word.
pub const STEP_EXTRAS: &[&str] = &["as", "expect", "save", "body", "form", "text", "query", "headers", "on", "with"];

/// Words at the top of a file.
pub const FILE_WORDS: &[&str] =
    &["fundsim", "scenario", "fragment", "about", "tags", "world", "examples", "use", "given", "steps"];

/// Words of `world:`.
pub const WORLD_WORDS: &[&str] = &["seed", "start", "setup", "settings"];

/// Words of `expect:` beside a request.
pub const ANSWER_WORDS: &[&str] = &["status", "body", "headers", "because", "no answer"];

/// Words of `start journey:` that are no field of its configuration.
pub const JOURNEY_WORDS: &[&str] = &["as", "type", "callbackUrl", "redirectUrl", "completionRedirectUrl", "scope"];

/// Words of `expect page:`, with what they speak of.
pub const PAGE_WORDS: &[(&str, &str)] = &[
    ("name", "its name: a step's name, `leave`, `returned`, `done` or `end`"),
    ("status", "HTTP status it came with"),
    ("language", "language it says it is in"),
    ("title", "words on the browser's tab"),
    ("heading", "its heading"),
    ("says", "words that stand on it somewhere: one text, or several"),
    ("does not say", "words that stand nowhere on it"),
    ("steps", "all steps of the way, by the words shown"),
    ("asks", "names of the fields that can be filled in, in order"),
    ("holds", "what is in the fields, by name: a text, or a list where several can be chosen"),
    ("choices", "what can be chosen, by the field's name: a list of values"),
    ("fixed", "what was decided before and is only shown, by the words beside it"),
    ("errors", "what is wrong, by the field's name"),
    ("persons", "who can be chosen to identify or sign: a list of personal numbers"),
    ("ways", "buttons and links, by their words"),
    ("leads to", "where the browser goes by itself from here"),
];

/// How the partner's server can be told to behave.
pub const CONDUCTS: &[&str] = &[
    "is down",
    "recovers",
    "answers 503",
    "answers 200 after 11 seconds",
    "redirects",
    "hangs",
    "closes",
    "dribbles",
    "floods",
];

/// Words that make a map an expectation of another kind than "holds at least these".
pub const MATCHER_WORDS: &[&str] = &[
    "one of",
    "not",
    "like",
    "matches",
    "greater than",
    "at least",
    "less than",
    "at most",
    "length",
    "contains",
    "in any order",
    "each",
    "exactly",
    "equals",
];

/// The word nearest to a slip, if one is near enough to be meant.
pub fn nearest<'w>(slip: &str, known: impl IntoIterator<Item = &'w str>) -> Option<&'w str> {
    let slip = slip.to_lowercase();
    known
        .into_iter()
        .map(|word| (strsim::damerau_levenshtein(&slip, &word.to_lowercase()), word))
        .filter(|(distance, word)| *distance <= 1 + word.len().max(slip.len()) / 4)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, word)| word)
}

/// "did you mean", or the list of what could stand there when it is short.
#[must_use]
pub fn hint(slip: &str, known: &[&str]) -> Option<String> {
    match nearest(slip, known.iter().copied()) {
        Some(word) => Some(format!("did you mean `{word}`?")),
        None if known.len() <= 15 => {
            let known: Vec<_> = known.iter().map(|word| format!("`{word}`")).collect();
            Some(format!("known here: {}", known.join(", ")))
        }
        None => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_find_the_word_that_was_meant() {
        for (slip, meant) in
            [("expect evnt", "expect event"), ("subscibe", "subscribe"), ("Advance", "advance"), ("relaese", "release")]
        {
            assert_eq!(nearest(slip, STEPS.iter().map(|step| step.word)), Some(meant), "{slip}");
        }
        assert_eq!(nearest("teleport", STEPS.iter().map(|step| step.word)), None);
    }
}
