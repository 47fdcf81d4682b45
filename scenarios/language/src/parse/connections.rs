//! Sockets, and the network between partner and sandbox.

use super::reader::Reader;
use super::request::fields;
use crate::ast::{Network, Server, SocketAct};
use crate::tree::{Node, NodeKind};
use crate::words;
use serde_json::Value as Json;

pub(super) fn optional_name(reader: &mut Reader<'_>, value: &Node) -> Option<String> {
    match value.kind {
        NodeKind::Null => None,
        _ => reader.text(value, "a socket's name"),
    }
}

pub(super) fn closed(reader: &mut Reader<'_>, value: &Node) -> Option<SocketAct> {
    match &value.kind {
        NodeKind::Null => Some(SocketAct::Closed { name: None, code: None }),
        NodeKind::Text(name) => Some(SocketAct::Closed { name: Some(name.clone()), code: None }),
        _ => {
            let known = words::fields("expect socket closed");
            let mut fields = fields(reader, "a closed socket", &known, value, None)?;
            let name = fields.shift_remove("socket").as_ref().and_then(Json::as_str).map(str::to_owned);
            let code = fields.get("code").and_then(Json::as_u64).and_then(|code| u16::try_from(code).ok());
            Some(SocketAct::Closed { name, code })
        }
    }
}

pub(super) fn network(reader: &mut Reader<'_>, value: &Node) -> Option<Network> {
    let text = reader.text(value, "a state of the network")?;
    match text.as_str() {
        "cut" => return Some(Network::Cut),
        "repaired" => return Some(Network::Repaired),
        "held" => return Some(Network::Held),
        "released" => return Some(Network::Released),
        _ => {}
    }
    let ms = text.strip_prefix("latency ").and_then(|rest| rest.strip_suffix(" ms")).and_then(|ms| ms.parse().ok());
    match ms {
        Some(ms @ 1..=60_000) => Some(Network::Latency { ms }),
        Some(_) => {
            reader.fault(&value.span, "a latency is from 1 to 60000 ms");
            None
        }
        None => {
            let hint = words::hint(&text, words::NETWORK_STATES);
            reader.fault(&value.span, format!("no such state of the network: `{text}`")).hint = hint;
            None
        }
    }
}

pub(super) fn server(reader: &mut Reader<'_>, value: &Node) -> Option<Server> {
    let text = reader.text(value, "what the server does")?;
    match text.as_str() {
        "crashes" => Some(Server::Crashes),
        "restarts" => Some(Server::Restarts),
        "restarts empty" => Some(Server::RestartsEmpty),
        other => {
            let hint = words::hint(other, words::SERVER);
            reader.fault(&value.span, format!("a server never `{other}`")).hint = hint;
            None
        }
    }
}
