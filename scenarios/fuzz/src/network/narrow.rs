//! Tokens that may do less than their partner.

use language::ast::{Actor, Body, Call, Save, StoryStep};
use serde_json::json;

/// Gets a token that opens only this.
pub(super) fn narrow_token(partner: usize, scope: &str) -> StoryStep {
    let form = [
        ("grant_type", json!("client_credentials")),
        ("client_id", json!(format!("{{partner {partner}.clientId}}"))),
        ("client_secret", json!(format!("{{partner {partner}.clientSecret}}"))),
        ("scope", json!(scope)),
    ];
    let call = Call {
        method: "POST".to_owned(),
        path: "/v2/partner/auth/token".to_owned(),
        body: Body::Form(form.map(|(name, value)| (name.to_owned(), value)).to_vec()),
        ..Call::default()
    };
    let mut step = StoryStep::from(call);
    step.actor = Actor::Nobody;
    step.save.push(Save { name: "narrow".to_owned(), path: "$.access_token".to_owned() });
    step
}
