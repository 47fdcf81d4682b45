//! Pictures of a world: which there are, and each in the form that is wanted (rule: wire/pictures).
//!
//! Owns: who sees which, and what they are asked with. Invariant: a picture of a partner's shows what its token reads elsewhere.
//! Absent on purpose: how facts are drawn, which is the crate `drawing`'s.

pub(super) mod account;
mod calendar;
mod difference;
mod forks;
mod forms;
mod lanes;
mod machines;
mod money;
mod refused;
mod sequence;
mod world;

#[cfg(test)]
mod tests;

use axum::extract::State;
use drawing::table::{PICTURES, PictureRow, Sight, picture_row};
use serde::Serialize;
use sim::ids::AccountId;
use sim::time::Date;
use utoipa::ToSchema;
use utoipa::openapi::schema::Type;
use uuid::Uuid;

use self::forms::WantedForm;
use super::request::{HandlerResult, Target, bad};
use crate::planes::responses::json;
use hosting::world_id::WorldId;
use surface::App;
use surface::extract::Query;
use wire::error::ApiError;
use wire::query::Parameters;
use wire::rows::shape::plain;

/// A picture that a world has.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct PictureShown {
    /// Its name in the path.
    #[schema(value_type = String, examples("account"))]
    name: &'static str,
    #[schema(value_type = String)]
    title: &'static str,
    /// The question that it answers.
    #[schema(value_type = String)]
    answers: &'static str,
    /// Its query parameters, besides `format` and `width`.
    parameters: Vec<PictureParameterShown>,
}

/// What a picture is asked with.
#[derive(Serialize, ToSchema)]
#[schema(as = PictureParameter)]
struct PictureParameterShown {
    #[schema(value_type = String, examples("accountId"))]
    name: &'static str,
    /// Whether there is no picture without it.
    required: bool,
}

impl PictureShown {
    fn of(row: &PictureRow) -> Self {
        let own = row.parameters.iter().map(|one| PictureParameterShown { name: one.name, required: one.required });
        Self { name: row.name, title: row.title, answers: row.answers, parameters: own.collect() }
    }
}

/// Whether the bearer may see the pictures of a row.
fn is_seen(target: &Target, row: &PictureRow) -> bool {
    row.sight == Sight::Own || target.operates()
}

/// `GET /_sandbox/worlds/{worldId}/pictures`: those that the bearer may see.
pub(super) async fn list(target: Target) -> HandlerResult {
    let seen = PICTURES.iter().filter(|row| is_seen(&target, row));
    Ok(json(&seen.map(PictureShown::of).collect::<Vec<_>>()))
}

/// What a picture is asked with.
pub(crate) struct Wanted {
    form: WantedForm,
    account: Option<AccountId>,
    id: Option<Uuid>,
    limit: Option<usize>,
    from: Option<Date>,
    to: Option<Date>,
    with: Option<WorldId>,
    given: Vec<&'static str>,
}

/// The parameters of pictures.
pub(crate) fn wanted(query: &mut Parameters<'_>) -> Wanted {
    let most = sequence::MOST;
    let limit = (format!("1 to {most}"), move || plain(Type::Integer).minimum(Some(1)).maximum(Some(most)).into());
    let world = ("the id of a world", || plain(Type::String).into());
    let given = parameters().filter(|name| query.has(name)).collect();
    Wanted {
        form: WantedForm::read(query),
        account: query.id("accountId", "With `account`: the account."),
        id: query
            .id("id", "With `sequence`: the account, order, journey, payment or anything else that `why` explains."),
        limit: query.read("limit", "With `sequence`: how many changes; 40 when left out.", limit, |text| {
            text.parse().ok().filter(|limit| (1..=sequence::MOST).contains(limit))
        }),
        from: query.date(
            "from",
            "With `calendar` and `money`: the first day; when left out, that of this month, and all of the past.",
        ),
        to: query
            .date("to", "With `calendar` and `money`: the last day; when left out, three months later, and today."),
        with: query.read("with", "With `difference`: the id of the other world.", world, |text| text.parse().ok()),
        given,
    }
}

/// The names of all parameters in the table.
fn parameters() -> impl Iterator<Item = &'static str> {
    let mut names: Vec<_> = PICTURES.iter().flat_map(|row| row.parameters).map(|one| one.name).collect();
    names.sort_unstable();
    names.dedup();
    names.into_iter()
}

impl Wanted {
    /// Refuses what the picture does not know, and what it lacks.
    fn suits(&self, row: &PictureRow) -> Result<(), ApiError> {
        let foreign = self.given.iter().find(|name| !row.parameters.iter().any(|known| known.name == **name));
        let lacks = row.parameters.iter().find(|known| known.required && !self.given.contains(&known.name));
        match (foreign, lacks) {
            (Some(name), _) => Err(bad(name, format!("is no parameter of the picture {}", row.name))),
            (None, Some(known)) => Err(bad(known.name, format!("is needed by the picture {}", row.name))),
            (None, None) => Ok(()),
        }
    }
}

/// `GET /_sandbox/worlds/{worldId}/pictures/{pictureName}`
pub(super) async fn show(State(app): State<App>, target: Target, query: Query) -> HandlerResult {
    let wanted = query.read(wanted)?;
    let unknown = || {
        let names: Vec<_> = PICTURES.iter().map(|row| row.name).collect();
        ApiError::not_found(format!("pictureName names no picture; there are {}", names.join(", ")))
    };
    let row = target.item.as_deref().and_then(picture_row).ok_or_else(unknown)?;
    if !is_seen(&target, row) {
        return Err(ApiError::forbidden(format!("the picture {} is the operator's", row.name)));
    }
    wanted.suits(row)?;
    match row.name {
        "account" => Ok(wanted.form.of(&account::facts(&target, wanted.account)?)),
        "sequence" => Ok(wanted.form.of(&sequence::facts(&target, wanted.id, wanted.limit).await?)),
        "world" => Ok(wanted.form.of(&world::facts(target).await?)),
        "calendar" => Ok(wanted.form.of(&calendar::facts(target, wanted.from, wanted.to).await?)),
        "money" => Ok(wanted.form.of(&money::facts(target, wanted.from, wanted.to).await?)),
        "machines" => Ok(wanted.form.of(&machines::facts(&target)?)),
        "difference" => Ok(wanted.form.of(&difference::facts(&app, &target, wanted.with).await?)),
        "forks" => Ok(wanted.form.of(&forks::facts(&app, &target))),
        _ => Err(unknown()),
    }
}
