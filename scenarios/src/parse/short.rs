//! Requests: raw calls and the short forms of what is done all the time.

use super::journey;
use super::reader::Reader;
use crate::ast::{Ask, BankAccount, Body, Call, OpenAccount, Order, OrderKind, Quantity, Ref, Save};
use crate::tree::{Key, Kind, Node};
use crate::words;
use serde_json::Value as Json;

const METHODS: &[&str] = &["GET", "POST", "PATCH", "PUT", "DELETE", "HEAD", "OPTIONS"];

/// A raw call with what stands beside it.
pub(super) fn call(reader: &mut Reader<'_>, value: &Node, extras: &[&(Key, Node)]) -> Option<Call> {
    let text = reader.text(value, "a call")?;
    let (method, path) = text.split_once(' ').map_or((text.as_str(), ""), |(method, path)| (method, path.trim()));
    if !METHODS.contains(&method) || !(path.starts_with('/') || path.starts_with('{')) {
        let near = words::nearest(method, METHODS.iter().copied());
        let fault = reader.fault(&value.span, format!("`{text}` is not a method and a path"));
        fault.hint = Some(match near {
            Some(near) if near != method => format!("did you mean `{near} {path}`?"),
            _ => "as in `GET /order/{order}`".to_owned(),
        });
        return None;
    }
    let mut call = Call { method: method.to_owned(), path: path.to_owned(), ..Call::default() };
    for (key, node) in extras {
        match key.text.as_str() {
            "body" => call.body = Body::Json(reader.json(node)),
            "form" => call.body = Body::Form(pairs(reader, node, "`form`")),
            "text" => call.body = Body::Text(reader.raw_text(node, "`text`").unwrap_or_default()),
            "query" => call.query = pairs(reader, node, "`query`"),
            "headers" => {
                for (name, value) in reader.map(node, "`headers`") {
                    let value = reader.text(value, "a header").unwrap_or_default();
                    call.headers.push((name.text.to_lowercase(), value));
                }
            }
            _ => {}
        }
    }
    let bodies: Vec<_> =
        extras.iter().filter(|(key, _)| ["body", "form", "text"].contains(&key.text.as_str())).collect();
    if let [_, second, ..] = bodies.as_slice() {
        reader.fault(&second.0.span, "a call sends one of `body`, `form` and `text`");
    }
    Some(call)
}

/// Names and values.
pub(super) fn pairs(reader: &mut Reader<'_>, node: &Node, what: &str) -> Vec<(String, Json)> {
    let entries = reader.map(node, what);
    entries.iter().map(|(key, value)| (key.text.clone(), reader.json(value))).collect()
}

/// A short form. Its `as:` goes to `save`.
pub(super) fn ask(reader: &mut Reader<'_>, word: &str, value: &Node, save: &mut Vec<Save>) -> Option<Ask> {
    match word {
        "open account" => Some(Ask::OpenAccount(open_account(reader, value, save))),
        "subscribe" => order(reader, OrderKind::Subscribe, value, save),
        "redeem" => order(reader, OrderKind::Redeem, value, save),
        "sell and withdraw" => order(reader, OrderKind::SellAndWithdraw, value, save),
        "sell and transfer" => order(reader, OrderKind::SellAndTransfer, value, save),
        "cancel" => reader.reference(value, "an order").map(Ask::Cancel),
        "hold" => reader.reference(value, "an order").map(Ask::Hold),
        "release" => reader.reference(value, "an order").map(Ask::Release),
        "reject" => reader.reference(value, "an order").map(Ask::Reject),
        "bounce payout" => reader.reference(value, "a payout").map(Ask::BouncePayout),
        "set price" => set_price(reader, value),
        "set trading" => set_trading(reader, value),
        "delay nav" => delay_nav(reader, value),
        "start journey" => journey::start(reader, value, save),
        "open journey" | "complete journey" | "cancel journey" | "fail journey" | "expire journey" => {
            journey::lever(reader, word, value)
        }
        "register webhook" => Some(journey::webhook(reader, value, save)),
        "replay callback" => reader.reference(value, "a journey").map(Ask::ReplayCallback),
        _ => None,
    }
}

/// A name of the author's, in a short form.
pub(super) fn name(reader: &mut Reader<'_>, node: &Node, save: &mut Vec<Save>) {
    if let Some(name) = reader.text(node, "a name") {
        if name.is_empty() || !name.chars().all(crate::template::is_name_character) {
            reader.fault(&node.span, format!("`{name}` cannot be a name")).hint =
                Some("a name has letters, digits, spaces, hyphens and underscores".to_owned());
        }
        save.push(Save { name, path: "$".to_owned() });
    }
}

fn open_account(reader: &mut Reader<'_>, node: &Node, save: &mut Vec<Save>) -> OpenAccount {
    #[rustfmt::skip]
    const KNOWN: &[&str] = &[
        "as", "type", "cash", "positions", "bank account", "bank accounts", "owner", "name", "serviceType", "category",
        "clientId", "fundKnowledge",
    ];
    let mut account = OpenAccount::default();
    for (key, value) in reader.map(node, "an account") {
        match key.text.as_str() {
            "as" => name(reader, value, save),
            "type" => account.account_type = Some(reader.json(value)),
            "cash" => account.cash = reader.quantity(value, "cash"),
            "positions" => {
                for (instrument, units) in reader.map(value, "`positions`") {
                    reader.check_reference(&instrument.text, &instrument.span);
                    if let Some(units) = reader.quantity(units, "a number of units") {
                        account.positions.push((instrument.text.clone(), units));
                    }
                }
            }
            "bank account" | "bank accounts" => {
                for item in reader.one_or_many(value) {
                    account.bank_accounts.extend(bank_account(reader, item));
                }
            }
            "owner" | "name" | "serviceType" | "category" | "clientId" | "fundKnowledge" => {
                account.other.push((key.text.clone(), reader.json(value)));
            }
            unknown => reader.unknown_word(&key.span, unknown, KNOWN),
        }
    }
    account
}

fn bank_account(reader: &mut Reader<'_>, node: &Node) -> Option<BankAccount> {
    if let Kind::Map(entries) = &node.kind {
        let mut account = BankAccount { iban: String::new(), validated: true, mandate_status: None };
        for (key, value) in entries {
            match key.text.as_str() {
                "iban" => account.iban = reader.text(value, "an IBAN").unwrap_or_default(),
                "validated" => account.validated = reader.truth(value, "`validated`").unwrap_or(true),
                "mandateStatus" => account.mandate_status = reader.text(value, "`mandateStatus`"),
                unknown => reader.unknown_word(&key.span, unknown, &["iban", "validated", "mandateStatus"]),
            }
        }
        if account.iban.is_empty() {
            reader.fault(&node.span, "a bank account needs its `iban`");
        }
        return Some(account);
    }
    let iban = reader.text(node, "an IBAN")?;
    Some(BankAccount { iban, validated: true, mandate_status: None })
}

fn order(reader: &mut Reader<'_>, kind: OrderKind, node: &Node, save: &mut Vec<Save>) -> Option<Ask> {
    let (measure, target) = match kind {
        OrderKind::Subscribe => ("amount", None),
        OrderKind::Redeem => ("units", None),
        OrderKind::SellAndWithdraw => ("units", Some("bank account")),
        OrderKind::SellAndTransfer => ("units", Some("to")),
    };
    let mut strange = false;
    let (mut account, mut instrument, mut quantity, mut client_ref, mut executor_ref, mut to) =
        (None, None, None, None, None, None);
    for (key, value) in reader.map(node, "an order") {
        match key.text.as_str() {
            "as" => name(reader, value, save),
            "account" => account = reader.reference(value, "an account"),
            "instrument" => instrument = reader.reference(value, "an instrument"),
            "clientRef" => client_ref = reader.text(value, "`clientRef`").map(Json::String),
            "executorRef" => executor_ref = reader.text(value, "`executorRef`").map(Json::String),
            word if word == measure => quantity = how_much(reader, kind, value),
            word if Some(word) == target => to = reader.reference(value, "a target"),
            unknown => {
                let mut known = vec!["as", "account", "instrument", measure, "clientRef", "executorRef"];
                known.extend(target);
                strange = true;
                reader.unknown_word(&key.span, unknown, &known);
            }
        }
    }
    let missing = [("account", account.is_none()), ("instrument", instrument.is_none()), (measure, quantity.is_none())];
    let target_missing = kind == OrderKind::SellAndTransfer && to.is_none();
    for (word, _) in missing.iter().filter(|(_, missing)| *missing).chain(target_missing.then_some(&("to", true))) {
        let given = matches!(&node.kind, Kind::Map(entries) if entries.iter().any(|(key, _)| key.text == *word));
        if !given && !strange && matches!(node.kind, Kind::Map(_)) {
            reader.fault(&node.span, format!("an order needs `{word}`")).label = "missing here".to_owned();
        }
    }
    let order =
        Order { kind, account: account?, instrument: instrument?, quantity: quantity?, client_ref, executor_ref, to };
    Some(Ask::Order(order))
}

fn how_much(reader: &mut Reader<'_>, kind: OrderKind, node: &Node) -> Option<Quantity> {
    if kind != OrderKind::Subscribe && matches!(&node.kind, Kind::Text(text) if text == "everything") {
        return Some(Quantity::Everything);
    }
    reader.quantity(node, "how much is ordered").map(Quantity::Of)
}

/// A lever's fields: the instrument, and the others as they are.
fn lever(reader: &mut Reader<'_>, node: &Node, known: &[&str]) -> Option<(Ref, Vec<(String, Json)>)> {
    let (mut instrument, mut fields) = (None, Vec::new());
    for (key, value) in reader.map(node, "a lever") {
        match key.text.as_str() {
            "instrument" => instrument = reader.reference(value, "an instrument"),
            word if known.contains(&word) => fields.push((word.to_owned(), reader.json(value))),
            unknown => {
                let all: Vec<_> = std::iter::once("instrument").chain(known.iter().copied()).collect();
                reader.unknown_word(&key.span, unknown, &all);
            }
        }
    }
    if instrument.is_none() {
        reader.fault(&node.span, "which `instrument`?");
    }
    Some((instrument?, fields))
}

fn take(fields: &mut Vec<(String, Json)>, word: &str) -> Option<Json> {
    let at = fields.iter().position(|(key, _)| key == word)?;
    Some(fields.remove(at).1)
}

fn set_price(reader: &mut Reader<'_>, node: &Node) -> Option<Ask> {
    let (instrument, mut fields) = lever(reader, node, &["closePrice", "priceDate"])?;
    let price_date = take(&mut fields, "priceDate");
    let Some(close_price) = take(&mut fields, "closePrice") else {
        reader.fault(&node.span, "a price needs `closePrice`");
        return None;
    };
    Some(Ask::SetPrice { instrument, close_price, price_date })
}

fn set_trading(reader: &mut Reader<'_>, node: &Node) -> Option<Ask> {
    let (instrument, flags) = lever(reader, node, &["isBuyable", "isSellable", "isTradable"])?;
    if flags.is_empty() {
        reader.fault(&node.span, "which of `isBuyable`, `isSellable` and `isTradable`?");
    }
    Some(Ask::SetTrading { instrument, flags })
}

fn delay_nav(reader: &mut Reader<'_>, node: &Node) -> Option<Ask> {
    let (instrument, mut fields) = lever(reader, node, &["bankDays"])?;
    let bank_days = take(&mut fields, "bankDays").unwrap_or_else(|| Json::from(1));
    Some(Ask::DelayNav { instrument, bank_days })
}
