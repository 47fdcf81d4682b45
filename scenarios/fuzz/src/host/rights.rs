//! What each right of a token opens.
//!
//! Owns: the second table of rights; the first is the server's own. Invariant: each operation of the partner API that needs a
//! right is here once, under that right (rule: auth/token-scope). Absent on purpose: `/ping`, tokens, and sockets, which need any right.

/// An id that nothing has.
const NOBODY: &str = "00000000-0000-4000-8000-000000000000";

/// Operations: method and path, in which `{}` stands for an id; one that begins with `/v2` is the partner's, others the client's.
type Operations = &'static [(&'static str, &'static str)];

/// Every right, with the operations that it opens.
pub(super) const RIGHTS: &[(&str, Operations)] = &[
    (
        "account:read",
        &[
            ("GET", "/account"),
            ("GET", "/account/{}"),
            ("GET", "/account/{}/agreement-types"),
            ("GET", "/account/{}/performance"),
            ("GET", "/account/{}/transfer"),
            ("GET", "/account/{}/value"),
            ("GET", "/account/{}/withdrawal/limit"),
            ("GET", "/kycstatus/account/{}"),
            ("GET", "/performance"),
            ("GET", "/v2/partner/deposit/mobilepay/{}"),
        ],
    ),
    (
        "account:write",
        &[("DELETE", "/account/{}"), ("POST", "/account/{}/deposit/mobilepay"), ("POST", "/account/{}/withdrawal")],
    ),
    ("client:read", &[("GET", "/v2/partner/client"), ("GET", "/custodian")]),
    ("client:write", &[("POST", "/v2/partner/client")]),
    ("journey:read", &[("GET", "/journey/{}")]),
    ("journey:write", &[("POST", "/journey")]),
    ("order:read", &[("GET", "/order"), ("GET", "/order/{}")]),
    (
        "order:write",
        &[
            ("POST", "/order"),
            ("DELETE", "/order/{}"),
            ("POST", "/order/redemptionTransfer"),
            ("POST", "/order/withdrawal"),
        ],
    ),
    (
        "transaction:read",
        &[
            ("GET", "/transaction/cash"),
            ("GET", "/transaction/cash/{}"),
            ("GET", "/transaction/fund"),
            ("GET", "/transaction/fund/{}"),
            ("GET", "/account/{}/transaction/cash"),
            ("GET", "/account/{}/transaction/fund"),
        ],
    ),
    (
        "instrument:read",
        &[
            ("GET", "/instrument"),
            ("GET", "/instrument/SE0SBX000016SEK/prices"),
            ("GET", "/v2/partner/instrument"),
            ("GET", "/v2/partner/instrument/SE0SBX000016SEK"),
        ],
    ),
    ("instruction:read", &[("GET", "/instruction/{}"), ("GET", "/instruction/{}/payment")]),
    ("instruction:write", &[("POST", "/instruction/payment")]),
    (
        "allocationplan:read",
        &[
            ("GET", "/allocationplan"),
            ("GET", "/allocationplan/{}"),
            ("GET", "/allocationplan/account/{}"),
            ("GET", "/account/{}/savingsplan"),
        ],
    ),
    (
        "allocationplan:write",
        &[("PATCH", "/allocationplan/{}"), ("DELETE", "/allocationplan/{}"), ("DELETE", "/account/{}/savingsplan")],
    ),
];

/// What a client may be forbidden by its permissions, too (rule: clients/client-permissions).
const PERMITTED: [&str; 6] = ["withdrawal", "mobilepay", "transfer", "instruction", "journey", "custodian"];

/// Whether a client's permissions decide about this path as well.
pub(super) fn needs_permission(path: &str) -> bool {
    PERMITTED.iter().any(|part| path.contains(part))
}

/// A path about an id that nothing has.
pub(super) fn of_nobody(path: &str) -> String {
    path.replace("{}", NOBODY)
}
