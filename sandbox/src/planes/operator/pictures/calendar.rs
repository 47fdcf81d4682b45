//! The calendar of a world: its days, and what is due on them, as far as the bearer may know.
//!
//! Absent on purpose: what is drawn, and how (`drawing::calendar`).

use drawing::calendar::Facts;
use sim::calendar::days_later;
use sim::time::Date;

use super::super::advance::Sight;
use super::super::request::{Target, bad};
use wire::error::ApiError;

/// Months that are shown, this one among them, unless the request says how many.
const MONTHS: i32 = 3;

/// What is drawn of the days between two, both inclusive.
pub(super) async fn facts(target: Target, from: Option<Date>, to: Option<Date>) -> Result<Facts, ApiError> {
    let now = target.world.read(|world| world.now().local_date())?;
    let from = from.unwrap_or_else(|| now.first_of_month());
    let next_month = |end: Date| days_later(end, 1).last_of_month();
    let to = to.unwrap_or_else(|| (1..MONTHS).fold(from.last_of_month(), |end, _| next_month(end)));
    if to < from || to > days_later(from, Facts::MOST_DAYS.unsigned_abs() - 1) {
        return Err(bad("to", format!("must be a day within {} days from {from}, not {to}", Facts::MOST_DAYS)));
    }
    let (handle, partner) = (std::sync::Arc::clone(&target.world), target.one_among_others());
    let clients = target.clients()?.filter(|_| partner.is_some());
    handle
        .read_apart(move |world| {
            let sight = Sight::of(world, partner);
            let sees = |client| clients.as_ref().is_none_or(|clients| clients.contains(&client));
            Facts::of(world, (from, to), sees, |timer| sight.has(world, timer))
        })
        .await
}
