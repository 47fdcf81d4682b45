//! Why something is in its state, in words: what the world explains, as answers show it (rule: events/explanations).
//!
//! Invariant: money in suspense is explained to the operator alone. Absent on purpose: the words (`words`).

use serde::Serialize;
use sim::World;
use sim::ids::OrderId;
use sim::query::{self, Explanation, Fact, Reason};
use utoipa::ToSchema;
use uuid::Uuid;

use super::super::request::Target;
use super::words::row_of;
use wire::error::ApiError;
use wire::values::text::{Id, Timestamp};

/// One reason why something is in its state.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = WhyExplanation)]
pub(crate) struct Explained {
    /// What kind of reason it is.
    #[schema(value_type = String, examples("closedFund"))]
    reason: &'static str,
    /// What is in the state: the resource, or something of it, such as a bank account of an account.
    about: Id,
    /// The reason in words.
    says: String,
    /// When it ends by itself; null where it does not, or where nobody knows.
    #[schema(required = true)]
    until: Option<Timestamp>,
    /// Effect of the rule.
    #[schema(required = true, value_type = Option<String>)]
    then: Option<&'static str>,
    /// What helps.
    cures: Vec<CureShown>,
}

/// Something that helps.
#[derive(Serialize, ToSchema)]
#[schema(as = WhyCure)]
struct CureShown {
    /// What it does.
    #[schema(value_type = String)]
    says: &'static str,
    /// The operation, as the description of the server calls it; null where a person does it on the hosted pages.
    #[schema(required = true, value_type = Option<String>)]
    operation: Option<&'static str>,
}

/// The reasons why `id` is in its state, as far as the bearer may know, and the day on which it settles where it is an order.
pub(super) fn explained(target: &Target, id: Uuid) -> Result<(Vec<Explained>, Option<String>), ApiError> {
    let look = |world: &World| (query::explanations(world, id), query::settlement_day(world, OrderId::from_uuid(id)));
    let (found, settles) = target.world.read(look)?;
    let is_seen = |one: &Explanation| target.operates() || !matches!(one.reason, Reason::Suspense(_));
    let shown = found.into_iter().filter(is_seen).map(shown).collect();
    Ok((shown, settles.map(|day| day.to_string())))
}

fn shown(one: Explanation) -> Explained {
    let row = row_of(one.reason);
    let fact = one.fact.map(|fact| match fact {
        Fact::Day(day) => day.to_string(),
        Fact::Amount(amount) => amount.to_string(),
        Fact::Word(word) => word.to_owned(),
    });
    Explained {
        reason: row.name,
        about: Id(one.about),
        says: row.says.replace("{}", fact.as_deref().unwrap_or("not known")),
        until: one.until.map(Timestamp),
        then: row.then.filter(|_| one.until.is_some()),
        cures: row.cures.iter().map(|&(operation, says)| CureShown { says, operation }).collect(),
    }
}
