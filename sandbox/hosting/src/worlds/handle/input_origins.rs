//! Which inputs and requests caused what has happened, those of the world that a fork was made from included.
//!
//! Invariant: nothing that is decided looks at it. Absent on purpose: what is no longer kept.

use super::WorldHandle;
use crate::worlds::input_origin::{ForkOf, InheritedHistory, InputOrigin, InputRequest, PartialAdvance, RequestPlace};
use feed::input_log::{Position, at_once};
use sim::World;
use uuid::Uuid;

impl WorldHandle {
    /// What a fork inherits that begins as `world`, which this one was or is after the input at `to`.
    pub(in crate::worlds) fn history_for_fork(&self, to: Position, world: &World) -> InheritedHistory {
        let path = self.lineage().path_to(to, world.events_so_far());
        let events = self.subscribers.feed.log().leading_to(&path);
        let requests = self.core().requests.iter().filter(|(input, _)| path.holds(*input)).copied().collect();
        let end = events.last().map_or(0, |(number, _)| number + 1);
        let last = events.last().map(|(event, entry)| (*event, entry.event.cause.input));
        let unfinished = last.filter(|(_, input)| *input > to.0);
        let origin = unfinished.and_then(|(event, input)| self.input_origin(event, input));
        let fork_of = Some(ForkOf { world: self.identity.id(), input: to.0, at: world.now() });
        InheritedHistory { events, requests, partial: PartialAdvance { origin, end }, fork_of }
    }

    /// The input that caused an event; `None` when it is no longer kept.
    pub fn input_origin(&self, event: u64, input: u64) -> Option<InputOrigin> {
        let PartialAdvance { origin, end } = &self.partial;
        let inherited = origin.as_ref().filter(|origin| event < *end && origin.number == input);
        inherited.cloned().or_else(|| self.own_input(input))
    }

    /// The input at a position of the log, with the request that made it.
    pub(in crate::worlds) fn own_input(&self, number: u64) -> Option<InputOrigin> {
        let position = Position(number);
        let input = at_once(self.log().input(position)).ok()??;
        let core = self.core();
        let place = core.requests.binary_search_by_key(&position, |(position, _)| *position).ok();
        Some(InputOrigin { number, input, request: place.map(|place| core.requests[place].1) })
    }

    /// The inputs that led to the present and made or changed a resource themselves, oldest first.
    pub fn inputs_about(&self, resource: Uuid) -> Vec<InputOrigin> {
        let path = self.lineage().path_to_present();
        let is_about =
            |(input, request): &(Position, InputRequest)| request.about == Some(resource) && path.holds(*input);
        let inputs: Vec<u64> = {
            let core = self.core();
            core.requests.iter().filter(|known| is_about(known)).map(|(input, _)| input.0).collect()
        };
        inputs.into_iter().filter_map(|number| self.own_input(number)).collect()
    }

    /// Where requests that changed nothing belong, by their numbers: at the inputs that they made, or between those that came before and
    /// after them. None of one that was answered on a branch which the present does not come from.
    pub fn places_of_requests(&self, numbers: &[u64]) -> Vec<Option<RequestPlace>> {
        let path = self.lineage().path_to_present();
        let core = self.core();
        let mut made: Vec<_> = core.requests.iter().map(|(input, made)| (made.request, *input, made.at)).collect();
        made.sort_unstable();
        let place = |number: &u64| {
            let later = made.partition_point(|(request, ..)| request <= number);
            let before = later.checked_sub(1).map(|last| made[last]);
            let at = match before {
                Some((request, _, at)) if request == *number => at,
                // The clock moves by inputs alone.
                _ => made.get(later).map_or(core.world.now(), |(.., at)| *at),
            };
            match before {
                Some((_, input, _)) => path.holds(input).then_some(RequestPlace { after: input.0, at }),
                None => Some(RequestPlace { after: 0, at }),
            }
        };
        numbers.iter().map(place).collect()
    }
}
