//! What stands behind what has happened: inputs and the requests that they came of, those before a twin began included.
//!
//! Invariant: nothing that is decided looks at it. Absent on purpose: what is no longer kept.

use super::WorldHandle;
use crate::hosting::feed::log::Return;
use crate::hosting::input_log::{Position, at_once};
use crate::hosting::worlds::behind::{Before, Behind, ForkOf, PartOfAdvance};
use sim::World;
use uuid::Uuid;

impl WorldHandle {
    /// What led to where `world` stands, which stood where this one does or did, after the input at `to`.
    pub(in crate::hosting::worlds) fn before_twin(&self, to: Position, world: &World) -> Before {
        let from = Return { at: to.0, to: Some(to.0), events: world.events_so_far() };
        let log = self.feed.log();
        let events = log.leading_to(from);
        let end = events.last().map_or(0, |(number, _)| number + 1);
        let part =
            events.last().map(|(event, entry)| (*event, entry.event.cause.input)).filter(|(_, input)| *input > to.0);
        let behind = part.and_then(|(event, input)| self.behind(event, input));
        let ways = log.inputs_leading_to(from);
        let is_on_way = |number: u64| number <= to.0 && ways.iter().any(|way| way.contains(&number));
        let asked = self.core().asked.iter().filter(|(position, _)| is_on_way(position.0)).copied().collect();
        let fork_of = Some(ForkOf { world: self.id, input: to.0, at: world.now() });
        Before { events, asked, under_way: PartOfAdvance { behind, end }, fork_of }
    }

    /// The input behind an event; `None` when it is no longer kept.
    pub(crate) fn behind(&self, event: u64, input: u64) -> Option<Behind> {
        let PartOfAdvance { behind, end } = &self.under_way;
        let part = behind.as_ref().filter(|behind| event < *end && behind.number == input);
        part.cloned().or_else(|| self.own_input(input))
    }

    fn own_input(&self, number: u64) -> Option<Behind> {
        let position = Position(number);
        let before = Position(number.checked_sub(1)?);
        let (_, input) = at_once(self.log().after(before)).ok()?.into_iter().next()?;
        let core = self.core();
        let place = core.asked.binary_search_by_key(&position, |(position, _)| *position).ok();
        Some(Behind { number, input, asked: place.map(|place| core.asked[place].1) })
    }

    /// The inputs on the way to the present that made or changed a resource itself, oldest first.
    pub(crate) fn about(&self, resource: Uuid) -> Vec<Behind> {
        let to = self.last_input();
        let ways = self.feed.log().inputs_leading_to(Return { at: to, to: Some(to), events: u64::MAX });
        let own: Vec<u64> = {
            let core = self.core();
            let own = core.asked.iter().filter(|(_, asked)| asked.about == Some(resource));
            own.map(|(position, _)| position.0).filter(|number| ways.iter().any(|way| way.contains(number))).collect()
        };
        own.into_iter().filter_map(|number| self.own_input(number)).collect()
    }
}
