//! Bad days of an integration, a row each.
//!
//! Invariant: an application that retries, knows what it has seen, and reads what it missed at rest is well after each of them. Absent on
//! purpose: what is refused for good.

/// A bad day.
#[derive(Clone, Copy, Debug)]
pub struct BadDay {
    /// What happens.
    pub about: &'static str,
    /// The step of a story, in which `{fund}` is filled in.
    pub step: &'static str,
    /// Whether it is a fault rule, which is taken away before books are compared.
    pub is_rule: bool,
    /// Bank days for which the fund can be neither bought nor sold.
    pub closes: u32,
}

const fn rule(about: &'static str, step: &'static str) -> BadDay {
    BadDay { about, step, is_rule: true, closes: 0 }
}

const fn market(about: &'static str, step: &'static str, closes: u32) -> BadDay {
    BadDay { about, step, is_rule: false, closes }
}

/// Every bad day.
#[rustfmt::skip]
pub const BAD_DAYS: &[BadDay] = &[
    rule("the answer to an order is lost", "add fault: { match: { method: POST, path: \"/v2/partner/client/*/order\", times: 1 }, verdict: { drop: after } }"),
    rule("an order never arrives", "add fault: { match: { method: POST, path: \"/v2/partner/client/*/order\", times: 1 }, verdict: { drop: before } }"),
    rule("the sandbox is busy", "add fault: { match: { method: POST, path: \"/v2/partner/client/*/order\", times: 2 }, verdict: { answer: { status: 503, retryAfter: 0 } } }"),
    rule("reads are answered late", "add fault: { match: { method: GET, path: \"/v2/partner/**\", times: 2 }, verdict: { delay: { ms: 200 } } }"),
    rule("events of transactions come twice", "add fault: { match: { event: 'cashTransaction.*', times: 2 }, verdict: { deliveries: duplicate } }"),
    rule("events overtake each other", "add fault: { match: { event: 'cashTransaction.*', times: 1 }, verdict: { deliveries: reorder, ms: 200 } }"),
    rule("events of orders come late", "add fault: { match: { event: 'order.*', times: 2 }, verdict: { deliveries: delay, ms: 200 } }"),
    rule("a post fails at first", "add fault: { match: { event: 'fundTransaction.*', times: 1 }, verdict: { deliveries: fail } }"),
    rule("a post is badly signed at first", "add fault: { match: { event: 'order.*', times: 1 }, verdict: { deliveries: corruptSignature } }"),
    rule("a callback fails at first", "add fault: { match: { event: journey.callback, times: 1 }, verdict: { deliveries: fail } }"),
    rule("sockets break at the next event", "add fault: { match: { event: '*', times: 1 }, verdict: { sockets: close } }"),
    market("event sockets are cut", "close sockets: { how: close }", 0),
    market("the fund company is a day late with its price", "delay nav: { instrument: {fund}, bankDays: 1 }", 0),
    market("the fund company splits its fund", "split fund: { instrument: {fund}, factor: 2 }", 5),
];
