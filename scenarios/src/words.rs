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
