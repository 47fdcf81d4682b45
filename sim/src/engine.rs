//! What carries inputs out: the opening of a world, and the ways in which it changes.
//!
//! Invariant: only inputs change a world; a refused command changes nothing but the clock. Bugs panic; refusals never do.
//! Absent on purpose: any rule about orders, accounts or money; those are flows.

use crate::command::Command;
use crate::flows;
use crate::history::PlannedPast;
use crate::input::{Act, Cause, Input, InputOutcome, Origin, RequestKey};
use crate::refusal::Refusal;
use crate::reply::Reply;
use crate::rng::Seed;
use crate::setup::{Setup, SetupError};
use crate::time::{Instant, Millis};
use crate::timers::Happening;
use crate::world::World;

/// The longest span of one slice. Cut-offs and prices of funds at rest do not count as work, yet a slice reports all of its
/// span.
const SLICE_SPAN: Millis = Millis::days(100);

impl World {
    /// A world as `setup` describes it, at `start`.
    ///
    /// # Errors
    /// What is wrong with the setup, by path.
    pub fn new(setup: &Setup, seed: Seed, start: Instant) -> Result<Self, SetupError> {
        Self::watched(setup, seed, start, |_| {})
    }

    /// As `new`. `watch` is called with the whole percent of the history's time that have passed, each time that they are more.
    ///
    /// # Errors
    /// As `new`.
    pub fn watched(setup: &Setup, seed: Seed, start: Instant, watch: impl FnMut(i64)) -> Result<Self, SetupError> {
        setup.check(start)?;
        let mut world = Self::empty(setup, seed, start);
        flows::opening::open(&mut world)?;
        world.live_until(start, watch);
        world.opened();
        Ok(world)
    }

    /// Carries the history of the setup out, as a part of the opening, and brings the world to `start`.
    fn live_until(&mut self, start: Instant, mut watch: impl FnMut(i64)) {
        let Some(setup) = self.setup.history else { return };
        let (begin, mut seen) = (self.now(), 0);
        let mut history = PlannedPast::new(self, &setup, start);
        while let Some(at) = history.due() {
            let passed = 100 * at.since(begin).0 / start.since(begin).0.max(1);
            if passed > seen {
                seen = passed;
                watch(passed);
            }
            self.run(at, usize::MAX, |_| {});
            self.cause = Cause::OPENING;
            if let Some(command) = history.draw(self) {
                let answer = self.carry_out(at, command);
                history.note(self, &answer);
            }
            self.forget_events();
        }
        self.run(start, usize::MAX, |_| {});
        self.cause = Cause::OPENING;
    }

    /// Carries out input `number` of the log, at its instant or now, whichever is later.
    pub fn submit(&mut self, number: u64, input: &Input) -> InputOutcome {
        let Input { format, request, at, act } = input;
        if *format != Input::FORMAT {
            return InputOutcome::Unreadable;
        }
        self.cause = Cause { input: number, by: Origin::Request(*request) };
        match act {
            Act::Advance => return self.passes(*at, usize::MAX),
            Act::AdvanceBy(most) => return self.passes(*at, usize::try_from(*most).unwrap_or(usize::MAX)),
            Act::Apply(command) => {
                let asked = request.map(|request| RequestKey::new(request, command));
                if let Some(reply) = asked.and_then(|asked| self.answered.get(asked)) {
                    return InputOutcome::Applied(Ok(reply.clone()));
                }
                let answer = self.carry_out(*at, Command::clone(command));
                if let (Some(asked), Ok(reply)) = (asked, &answer) {
                    self.answered.remember(asked, reply.clone());
                }
                return InputOutcome::Applied(answer);
            }
            Act::Configure(settings) => {
                self.bring_up(*at, true);
                flows::settings::change(self, settings);
            }
            Act::Permit(client, permissions) => {
                self.bring_up(*at, false);
                self.cause.by = Origin::Request(*request);
                flows::clients::permit(self, *client, permissions);
                self.finish_change();
            }
            Act::RequireSignatures(client, is_required) => {
                self.run(*at, usize::MAX, |_| {});
                flows::clients::require_signatures(self, *client, *is_required);
            }
            Act::Surface(_) => {
                self.bring_up(*at, false);
            }
        }
        InputOutcome::Noted
    }

    /// Carries `inputs` out in order, each with its number.
    pub fn replay<'a>(&mut self, inputs: impl IntoIterator<Item = (u64, &'a Input)>) {
        for (number, input) in inputs {
            self.submit(number, input);
            self.forget_events();
        }
    }

    /// The next input, which nobody keeps: brings the world up to `now` and carries `command` out.
    ///
    /// # Errors
    /// Why the command is refused; then nothing but the clock has moved.
    pub fn apply(&mut self, now: Instant, command: Command) -> Result<Reply, Refusal> {
        self.begin_next();
        self.carry_out(now, command)
    }

    /// The next input, which is not kept: brings the world up to `to`, fires every timer at its own instant, and answers
    /// what happened. An instant that has passed changes nothing; one beyond `END` is `END`.
    pub fn advance(&mut self, to: Instant) -> Vec<Happening> {
        let mut happened = Vec::new();
        while !self.advance_slice(to, usize::MAX, &mut happened) {}
        happened
    }

    /// Shows `to` on the clock, where nothing happens until then; `false`, and no change, where something does. The clock is all
    /// that changes: an input that names an instant finds the same world whether this was called before it or not.
    pub fn pass_idle(&mut self, to: Instant) -> bool {
        let to = to.min(Self::END);
        let is_idle = !self.is_within_instant() && self.next_timer().is_none_or(|(due, _)| due > to);
        if is_idle {
            self.now = self.now.max(to);
        }
        is_idle
    }

    /// As `advance`, for a caller who does not ask what happened: the world and its events are the same.
    pub fn advance_unreported(&mut self, to: Instant) {
        self.begin_next();
        while !self.run(to, usize::MAX, |_| {}) {}
    }

    /// As `advance`, but stops after `most` pieces of work: a timer is one, and each record of a timer that concerns many.
    /// `true` when `to` is reached. Slices compose: any split gives the same
    /// world.
    pub fn advance_slice(&mut self, to: Instant, most: usize, happened: &mut Vec<Happening>) -> bool {
        self.begin_next();
        self.run_and_report(to, most, happened)
    }

    /// As `run`, and reports what has happened, in order: cut-offs and publications of funds at rest included (rule:
    /// calendar/funds-at-rest).
    fn run_and_report(&mut self, to: Instant, most: usize, happened: &mut Vec<Happening>) -> bool {
        let (from, before) = (self.now, happened.len());
        let mut fired = Vec::new();
        let end = if most == usize::MAX { to } else { to.min(from.plus(SLICE_SPAN)) };
        let is_there = self.run(end, most, |happening| fired.push(happening)) && end == to;
        happened.extend(self.market.happened_at_rest(from, self.now));
        happened.append(&mut fired);
        happened[before..].sort_by_key(|happening| happening.at);
        is_there
    }

    fn passes(&mut self, to: Instant, most: usize) -> InputOutcome {
        let mut happened = Vec::new();
        self.run_and_report(to, most, &mut happened);
        InputOutcome::Advanced(happened)
    }

    fn begin_next(&mut self) {
        self.cause = Cause { input: self.cause.input + 1, by: Origin::Request(None) };
    }

    fn carry_out(&mut self, at: Instant, command: Command) -> Result<Reply, Refusal> {
        let by = self.cause.by;
        self.bring_up(at, command.concerns_many());
        flows::securities::actions::bring_up(self, &command);
        self.cause.by = by;
        let answer = flows::carry_out(self, command);
        self.finish_change();
        answer
    }

    /// Does what is due until `to`: at most `most` pieces of work, of which a timer is one and each record that it concerns,
    /// where it concerns many. `true` when `to` is reached.
    fn run(&mut self, to: Instant, most: usize, mut list: impl FnMut(Happening)) -> bool {
        let to = to.min(Self::END);
        let mut left = most;
        while left > 0 {
            let begun = self.cut.as_mut().filter(|_| self.now <= to).and_then(|cut| cut.underway.take());
            let mut underway = match begun {
                Some(underway) => underway,
                None => {
                    let Some((at, timer)) = self.timers.take_due(to) else {
                        self.reach(to);
                        return true;
                    };
                    left -= 1;
                    self.begin_instant(at);
                    self.cause.by = Origin::Timer(timer);
                    match flows::fire(self, timer) {
                        Some(underway) => underway,
                        None => {
                            list(Happening { at, timer });
                            continue;
                        }
                    }
                }
            };
            self.cause.by = Origin::Timer(underway.timer);
            let before = underway.done;
            let has_ended = flows::go_on(self, &mut underway, left);
            left -= underway.done - before;
            if has_ended {
                list(Happening { at: self.now, timer: underway.timer });
            } else {
                self.cut.get_or_insert_default().underway = Some(underway);
            }
        }
        if self.next_timer().is_some_and(|(at, _)| at <= self.now) {
            self.cut.get_or_insert_default();
        } else {
            self.end_instant();
        }
        self.finish_change();
        false
    }

    /// Nothing is due until `to` any more.
    fn reach(&mut self, to: Instant) {
        if self.now <= to {
            self.end_instant();
        }
        self.now = self.now.max(to);
        self.finish_change();
    }

    /// The clock shows `at`, at which a timer fires.
    fn begin_instant(&mut self, at: Instant) {
        if at > self.now {
            self.end_instant();
        }
        self.now = at;
    }

    /// All timers of an instant that was cut have fired: what came too late for its cut-offs waits for the next.
    fn end_instant(&mut self) {
        for (instrument, order) in self.cut.take().into_iter().flat_map(|cut| cut.late) {
            self.wait(instrument, order);
        }
    }

    /// Brings the world up to the instant of an input. Within an instant that a slice has cut, most inputs have their turn
    /// between two of its timers, at once; those that concern a fund or all that is aggregated wait for the instant's end
    /// (rule: calendar/slices).
    fn bring_up(&mut self, at: Instant, waits: bool) {
        if !self.is_within_instant() {
            self.run(at, usize::MAX, |_| {});
        } else if waits || at > self.now {
            self.run(at.max(self.now), usize::MAX, |_| {});
        }
    }
}
