//! The protocol of terms as a model: a model checker tries every order of calls, answers, losses and pauses.
//!
//! Two instances share a log and do what `life.rs` and `lead.rs` do: they look at the head, take the next term after a silence, give signs of life
//! and append in their term, look up what they do not know, and give up their term when they are stopped. A call reaches the log at any later time,
//! or never. A caller gives up at any time, and its call may still arrive. An instance is killed and started again at any time; it has another id then,
//! as it has after each term that it has lost.
//!
//! Invariant: a run has no end. Time, terms and signs of life are not counted: of a span it only matters whether it is over, and of a term or a
//! sign of life whether it is the present one, because the head never again shows an earlier one. Bounded are the instances, the calls that are on
//! their way at once, and the writes. The model allows more than the product does: an instance leads as soon as it knows that its term has begun,
//! tries again without a pause, and writes when its lease is over, too.
//!
//! Absent on purpose: clocks that do not run equally fast; a pause between the question whether a lease holds and the answer to a client; a look
//! at the log that takes time (a follower's late answer only makes it wait longer; what a leader has looked up stays true, or the log refuses what it
//! does next); worlds, of which only the number of writes in them matters; batches of several entries; how requests are forwarded; a log that loses
//! what it has acknowledged.

#![allow(clippy::print_stdout, reason = "the model reports how many states it has")]

use stateright::{Checker as _, HasDiscoveries, Model, Property};

/// A leader believes in its term for so many steps after it sent a sign of life that was accepted.
const LEASE: u8 = 2;
/// An instance takes the next term when it has seen no sign of life for so many steps. It is as short as it may be.
const SILENCE: u8 = 2;
/// How many instances there are.
const INSTANCES: usize = 2;
/// Calls that are on their way at once.
const MOST_CALLS: usize = 2;
/// Writes of a run.
const MOST_WRITES: usize = 2;
/// Steps from all states together, beyond which the checker goes no further.
const MOST_STEPS: usize = 30_000_000;
/// The model has at least so many states.
const LEAST_STATES: usize = 1_000_000;

/// Who leads a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Leader {
    Instance(usize),
    /// An instance that was killed or stopped, or has lost its term. It has another id from then on.
    Gone,
}

/// A write, by the instance that appends it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Write {
    by: usize,
    /// From 0, over all instances.
    number: usize,
}

/// The log. Its end is the number of its writes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Log {
    epoch: u8,
    beats: u8,
    leader: Option<Leader>,
    writes: Vec<Write>,
}

/// The head of the log, as a claim names it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Head {
    epoch: u8,
    beats: u8,
    end: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Instance {
    /// It follows. It has seen the present head so many steps ago, or not yet.
    Follows { since: Option<u8> },
    /// It has asked for a term, so many steps ago: by a claim, or by a sign of life if the log showed that an earlier claim was accepted.
    Begins { epoch: u8, known: usize, age: u8 },
    /// It leads a term, and believes in it for so many steps more.
    Leads { epoch: u8, known: usize, left: u8, asks: Asks },
}

/// What a leader waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Asks {
    Nothing,
    /// A sign of life was sent so many steps ago.
    Beat {
        age: u8,
    },
    /// So was a write.
    Append {
        write: Write,
        age: u8,
    },
    /// It does not know what became of the write.
    LooksUp {
        write: Write,
    },
    /// It has found the write in the log, and has sent a sign of life that comes after it so many steps ago.
    Confirms {
        write: Write,
        age: u8,
    },
}

/// A call that has not reached the log.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Call {
    /// The instance that waits for the answer.
    awaited_by: Option<usize>,
    request: Request,
}

/// What a call asks the log for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Request {
    Claim { seen: Head, leader: Leader },
    Beat { epoch: u8, end: usize },
    Append { epoch: u8, end: usize, write: Write },
    Release { epoch: u8 },
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct State {
    log: Log,
    instances: [Instance; INSTANCES],
    /// In order, so that two orders of the same calls are one state.
    calls: Vec<Call>,
    /// The answers that are on their way back: whether the log has done what it was asked for.
    answers: [Option<bool>; INSTANCES],
    /// How many writes there were.
    writes: usize,
    /// Whether each of them was answered as done.
    done: [bool; MOST_WRITES],
    /// The most writes that a read can have shown so far.
    shown: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// A step of time.
    Tick,
    /// An instance looks at the log.
    Look(usize),
    Claim(usize),
    Beat(usize),
    Write(usize),
    /// A leader gives up its term and ends. It may be started again.
    Stop(usize),
    /// An instance is killed, and started again; or it leads and loses its term.
    Kill(usize),
    Arrive(Call),
    Lose(Call),
    Receive(usize),
    /// An instance waits no longer for an answer.
    GiveUp(usize),
}

/// A fault that can be planted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// A lease counts from the answer, not from the question.
    LeaseFromAnswer,
    /// A leader believes in its term until it is refused.
    LeadsForEver,
    /// A follower waits for a shorter time than a leader believes in its term.
    ShortSilence,
    /// An instance leads a term that the log shows to be its own, without a sign of life.
    LeadsByLook,
    /// A claim does not name the signs of life that were seen.
    ClaimIgnoresBeats,
    /// A write whose outcome is not known counts as done.
    Guesses,
    /// A write counts as done when it is sent.
    AnswersFirst,
    /// The log takes batches of every term, wherever they are to follow.
    TakesAll,
    /// The log takes batches of every term at its end.
    TakesAnyTerm,
    /// The log takes batches of the present term, wherever they are to follow.
    TakesAnyEnd,
    /// A leader that is stopped gives up its term before it ends its lease.
    ReleasesFirst,
}

// The laws.
const ONE_ANSWERS: &str = "at most one instance answers";
const KNOWS_ALL: &str = "an instance that answers knows all that was answered";
const IS_KEPT: &str = "what was answered as done is in the log once";
const NOT_TWICE: &str = "no write is in the log twice";

/// The protocol, with a fault or without any.
struct Protocol(Option<Fault>);

impl Protocol {
    fn has(&self, fault: Fault) -> bool {
        self.0 == Some(fault)
    }

    fn silence(&self) -> u8 {
        if self.has(Fault::ShortSilence) { LEASE - 1 } else { SILENCE }
    }

    /// What is left of a lease by a sign of life that was sent so many steps ago.
    fn lease(&self, age: u8) -> u8 {
        if self.has(Fault::LeaseFromAnswer) { LEASE } else { LEASE.saturating_sub(age) }
    }

    /// Whether the log does what a call asks for.
    fn accepts(&self, log: &Log, request: Request) -> bool {
        let is_term = |epoch| log.epoch == epoch && log.leader.is_some();
        match request {
            Request::Claim { seen, .. } => {
                let beats = if self.has(Fault::ClaimIgnoresBeats) { log.beats } else { seen.beats };
                log.head() == Head { beats, ..seen }
            }
            Request::Beat { epoch, end } => is_term(epoch) && log.writes.len() == end,
            Request::Append { epoch, end, .. } => {
                let is_any_term = self.has(Fault::TakesAll) || self.has(Fault::TakesAnyTerm);
                let is_any_end = self.has(Fault::TakesAll) || self.has(Fault::TakesAnyEnd);
                (is_any_term || is_term(epoch)) && (is_any_end || log.writes.len() == end)
            }
            Request::Release { epoch } => is_term(epoch),
        }
    }
}

impl Log {
    fn head(&self) -> Head {
        Head { epoch: self.epoch, beats: self.beats, end: self.writes.len() }
    }

    /// Does what an accepted call asks for. Each changes the head.
    fn act(&mut self, request: Request) {
        self.beats += 1;
        match request {
            Request::Claim { leader, .. } => {
                self.epoch += 1;
                self.leader = Some(leader);
            }
            Request::Beat { .. } => {}
            Request::Append { write, .. } => self.writes.push(write),
            Request::Release { .. } => self.leader = None,
        }
    }
}

impl State {
    /// How many writes an instance knows, if it would answer now.
    fn answers_with(&self, at: usize) -> Option<usize> {
        match self.instances[at] {
            Instance::Leads { known, left: 1.., .. } => Some(known),
            _ => None,
        }
    }

    fn all_answers(&self) -> impl Iterator<Item = usize> {
        (0..INSTANCES).filter_map(|at| self.answers_with(at))
    }

    fn all_done(&self) -> impl Iterator<Item = usize> {
        (0..MOST_WRITES).filter(|number| self.done[*number])
    }

    fn send(&mut self, awaited_by: Option<usize>, request: Request) {
        self.calls.push(Call { awaited_by, request });
        self.calls.sort_unstable();
    }

    /// Nobody waits for what an instance has asked for. The log may still do it.
    fn forget(&mut self, at: usize) {
        self.answers[at] = None;
        for call in self.calls.iter_mut().filter(|call| call.awaited_by == Some(at)) {
            call.awaited_by = None;
        }
        self.calls.sort_unstable();
    }

    /// An instance begins anew, with another id.
    fn restart(&mut self, at: usize) {
        self.forget(at);
        let gone = |leader: &mut Leader| {
            if *leader == Leader::Instance(at) {
                *leader = Leader::Gone;
            }
        };
        self.log.leader.iter_mut().for_each(gone);
        for call in &mut self.calls {
            if let Request::Claim { leader, .. } = &mut call.request {
                gone(leader);
            }
        }
        self.calls.sort_unstable();
        self.instances[at] = Instance::Follows { since: None };
    }

    fn pass_time(&mut self, does_lease_end: bool) {
        for instance in &mut self.instances {
            match instance {
                Instance::Follows { since } => *since = since.map(|age| SILENCE.min(age + 1)),
                Instance::Begins { age, .. } => *age = LEASE.min(*age + 1),
                Instance::Leads { left, asks, .. } => {
                    *left = left.saturating_sub(u8::from(does_lease_end));
                    if let Asks::Beat { age } | Asks::Append { age, .. } | Asks::Confirms { age, .. } = asks {
                        *age = LEASE.min(*age + 1);
                    }
                }
            }
        }
    }

    /// An instance gives up what it waits for.
    fn give_up(&mut self, at: usize, guesses: bool) {
        self.forget(at);
        match &mut self.instances[at] {
            Instance::Leads { asks, .. } => {
                *asks = match *asks {
                    Asks::Append { write, .. } if guesses => {
                        self.done[write.number] = true;
                        Asks::Nothing
                    }
                    Asks::Append { write, .. } | Asks::Confirms { write, .. } => Asks::LooksUp { write },
                    Asks::Nothing | Asks::Beat { .. } | Asks::LooksUp { .. } => Asks::Nothing,
                }
            }
            instance => *instance = Instance::Follows { since: None },
        }
    }

    /// Gives terms and signs of life new numbers: 1 is the present one, and 0 each earlier one, between which nothing distinguishes.
    fn renumber(&mut self) {
        let (epochs, beats) = (self.log.epoch - 1, self.log.beats - 1);
        let ages = |epoch: &mut u8| *epoch = epoch.saturating_sub(epochs);
        (self.log.epoch, self.log.beats) = (1, 1);
        for instance in &mut self.instances {
            match instance {
                Instance::Follows { since } => *since = since.filter(|_| beats == 0),
                Instance::Begins { epoch, .. } | Instance::Leads { epoch, .. } => ages(epoch),
            }
        }
        for call in &mut self.calls {
            match &mut call.request {
                Request::Claim { seen, .. } => {
                    ages(&mut seen.epoch);
                    seen.beats = seen.beats.saturating_sub(beats);
                }
                Request::Beat { epoch, .. } | Request::Append { epoch, .. } | Request::Release { epoch } => ages(epoch),
            }
        }
        self.calls.sort_unstable();
    }
}

impl Protocol {
    /// A follower looks at the head, and a leader for what became of a write.
    fn look(&self, state: &mut State, at: usize) -> Option<()> {
        let (head, is_room) = (state.log.head(), state.calls.len() < MOST_CALLS);
        let is_own = state.log.leader == Some(Leader::Instance(at));
        match state.instances[at] {
            // A term that was begun without an answer.
            Instance::Follows { .. } if is_own && self.has(Fault::LeadsByLook) => {
                state.instances[at] =
                    Instance::Leads { epoch: head.epoch, known: head.end, left: LEASE, asks: Asks::Nothing };
            }
            Instance::Follows { .. } if is_own => {
                is_room.then_some(())?;
                state.instances[at] = Instance::Begins { epoch: head.epoch, known: head.end, age: 0 };
                state.send(Some(at), Request::Beat { epoch: head.epoch, end: head.end });
            }
            Instance::Follows { since: Some(_) } => return None,
            Instance::Follows { since: None } => state.instances[at] = Instance::Follows { since: Some(0) },
            Instance::Leads { epoch, known, left, asks: Asks::LooksUp { write } } => {
                let is_kept = state.log.writes.get(known) == Some(&write);
                if head.epoch != epoch || head.end != known + usize::from(is_kept) {
                    state.done[write.number] |= is_kept;
                    state.restart(at);
                    return Some(());
                }
                is_room.then_some(())?;
                let (request, asks) = if is_kept {
                    (Request::Beat { epoch, end: head.end }, Asks::Confirms { write, age: 0 })
                } else {
                    // It is written again.
                    (Request::Append { epoch, end: known, write }, Asks::Append { write, age: 0 })
                };
                state.send(Some(at), request);
                state.instances[at] = Instance::Leads { epoch, known, left, asks };
            }
            Instance::Begins { .. } | Instance::Leads { .. } => return None,
        }
        Some(())
    }

    /// An answer arrives that an instance waits for.
    fn receive(&self, state: &mut State, at: usize) -> Option<()> {
        let is_accepted = state.answers[at].take()?;
        state.instances[at] = match state.instances[at] {
            Instance::Begins { epoch, known, age } if is_accepted => {
                Instance::Leads { epoch, known, left: self.lease(age), asks: Asks::Nothing }
            }
            Instance::Leads { epoch, known, left, asks: Asks::Beat { age } } if is_accepted => {
                Instance::Leads { epoch, known, left: left.max(self.lease(age)), asks: Asks::Nothing }
            }
            Instance::Leads {
                epoch,
                known,
                left,
                asks: Asks::Append { write, age } | Asks::Confirms { write, age },
            } if is_accepted => {
                state.done[write.number] = true;
                Instance::Leads { epoch, known: known + 1, left: left.max(self.lease(age)), asks: Asks::Nothing }
            }
            // An earlier call of it may have been accepted.
            Instance::Leads { epoch, known, left, asks: Asks::Append { write, .. } } => {
                Instance::Leads { epoch, known, left, asks: Asks::LooksUp { write } }
            }
            Instance::Leads { .. } => {
                state.restart(at);
                return Some(());
            }
            Instance::Follows { .. } | Instance::Begins { .. } => Instance::Follows { since: None },
        };
        Some(())
    }

    /// A leader that waits for nothing gives a sign of life, writes, or stops.
    fn call(&self, state: &mut State, at: usize, action: Action) -> Option<()> {
        let Instance::Leads { epoch, known, left, asks: Asks::Nothing } = state.instances[at] else { return None };
        let (request, asks) = match action {
            Action::Beat(_) => (Request::Beat { epoch, end: known }, Asks::Beat { age: 0 }),
            Action::Write(_) => {
                let write = Write { by: at, number: state.writes };
                state.writes += 1;
                state.done[write.number] = self.has(Fault::AnswersFirst);
                (Request::Append { epoch, end: known, write }, Asks::Append { write, age: 0 })
            }
            _ => {
                if !self.has(Fault::ReleasesFirst) {
                    state.restart(at);
                }
                state.send(None, Request::Release { epoch });
                return Some(());
            }
        };
        state.instances[at] = Instance::Leads { epoch, known, left, asks };
        state.send(Some(at), request);
        Some(())
    }
}

impl Model for Protocol {
    type State = State;
    type Action = Action;

    fn init_states(&self) -> Vec<State> {
        vec![State {
            log: Log { epoch: 1, beats: 1, leader: None, writes: Vec::new() },
            instances: [const { Instance::Follows { since: None } }; INSTANCES],
            calls: Vec::new(),
            answers: [None; INSTANCES],
            writes: 0,
            done: [false; MOST_WRITES],
            shown: 0,
        }]
    }

    fn actions(&self, state: &State, actions: &mut Vec<Action>) {
        let is_room = state.calls.len() < MOST_CALLS;
        actions.push(Action::Tick);
        for (at, instance) in state.instances.iter().enumerate() {
            actions.push(Action::Kill(at));
            match instance {
                Instance::Follows { since } => {
                    actions.push(Action::Look(at));
                    if is_room && since.is_some_and(|age| state.log.leader.is_none() || age >= self.silence()) {
                        actions.push(Action::Claim(at));
                    }
                }
                Instance::Leads { asks: Asks::Nothing, .. } if is_room => {
                    actions.extend([Action::Beat(at), Action::Stop(at)]);
                    if state.writes < MOST_WRITES {
                        actions.push(Action::Write(at));
                    }
                }
                Instance::Leads { asks: Asks::Nothing, .. } => {}
                Instance::Leads { asks: Asks::LooksUp { .. }, .. } => actions.push(Action::Look(at)),
                Instance::Begins { .. } | Instance::Leads { .. } => actions.push(Action::GiveUp(at)),
            }
            if state.answers[at].is_some() {
                actions.push(Action::Receive(at));
            }
        }
        for call in &state.calls {
            actions.push(Action::Arrive(*call));
            // A call that is awaited and lost is one that the instance gives up.
            if call.awaited_by.is_none() {
                actions.push(Action::Lose(*call));
            }
        }
    }

    fn next_state(&self, last: &State, action: Action) -> Option<State> {
        let mut state = last.clone();
        match action {
            Action::Tick => state.pass_time(!self.has(Fault::LeadsForEver)),
            Action::Look(at) => self.look(&mut state, at)?,
            Action::Claim(at) => {
                let seen = state.log.head();
                state.instances[at] = Instance::Begins { epoch: seen.epoch + 1, known: seen.end, age: 0 };
                state.send(Some(at), Request::Claim { seen, leader: Leader::Instance(at) });
            }
            Action::Beat(at) | Action::Write(at) | Action::Stop(at) => self.call(&mut state, at, action)?,
            Action::Kill(at) => state.restart(at),
            Action::Arrive(call) | Action::Lose(call) => {
                let place = state.calls.iter().position(|sent| *sent == call)?;
                state.calls.remove(place);
                if action == Action::Arrive(call) {
                    let is_accepted = self.accepts(&state.log, call.request);
                    if is_accepted {
                        state.log.act(call.request);
                    }
                    if let Some(by) = call.awaited_by {
                        state.answers[by] = Some(is_accepted);
                    }
                }
            }
            Action::Receive(at) => self.receive(&mut state, at)?,
            Action::GiveUp(at) => state.give_up(at, self.has(Fault::Guesses)),
        }
        state.renumber();
        // What the log refuses now it always will, so nothing depends on when it arrives. A write stays all the same, to arrive late.
        let log = &state.log;
        let is_write = |call: &Call| matches!(call.request, Request::Append { .. });
        state.calls.retain(|call| call.awaited_by.is_some() || is_write(call) || self.accepts(log, call.request));
        state.shown = state.all_answers().fold(state.shown, usize::max);
        Some(state)
    }

    fn within_boundary(&self, state: &State) -> bool {
        // A log with a fault may take the same write again and again.
        state.log.writes.len() <= MOST_WRITES + 1
    }

    fn properties(&self) -> Vec<Property<Self>> {
        vec![
            Property::always(ONE_ANSWERS, |_, state: &State| state.all_answers().count() < 2),
            Property::always(KNOWS_ALL, |_, state: &State| {
                state.all_answers().all(|known| {
                    let has = |number| state.log.writes.iter().take(known).any(|write| write.number == number);
                    known >= state.shown && state.all_done().all(has)
                })
            }),
            Property::always(IS_KEPT, |_, state: &State| {
                let times = |number| state.log.writes.iter().filter(|write| write.number == number).count();
                state.all_done().all(|number| times(number) == 1)
            }),
            Property::always(NOT_TWICE, |_, state: &State| {
                let writes = &state.log.writes;
                writes.iter().enumerate().all(|(place, write)| !writes[..place].contains(write))
            }),
            Property::sometimes("another instance answers what the first one wrote", |_, state: &State| {
                (0..INSTANCES).any(|at| {
                    let known = state.answers_with(at).unwrap_or_default();
                    state.log.writes.iter().take(known).any(|write| write.by != at && state.done[write.number])
                })
            }),
            Property::sometimes("each has written, and was answered", |_, state: &State| {
                let has_written = |at| state.log.writes.iter().any(|write| write.by == at && state.done[write.number]);
                (0..INSTANCES).all(has_written)
            }),
            Property::sometimes("a write is late while another instance answers", |_, state: &State| {
                state.calls.iter().any(|call| {
                    matches!(call.request, Request::Append { epoch: 0, write, .. }
                        if (0..INSTANCES).any(|at| at != write.by && state.answers_with(at).is_some()))
                })
            }),
            Property::sometimes("a leader finds a write that it did not know to be kept", |_, state: &State| {
                let confirms =
                    |instance: &Instance| matches!(instance, Instance::Leads { asks: Asks::Confirms { .. }, .. });
                state.instances.iter().any(confirms)
            }),
            Property::sometimes(
                "a write is kept, and its leader learns it when it leads no longer",
                |_, state: &State| {
                    state.instances.iter().any(|instance| {
                        matches!(instance, Instance::Leads { epoch: 0, known, asks: Asks::LooksUp { write }, .. }
                        if state.log.writes.get(*known) == Some(write))
                    })
                },
            ),
            Property::sometimes("a term has begun, and its leader does not know it", |_, state: &State| {
                (0..INSTANCES).any(|at| {
                    state.log.leader == Some(Leader::Instance(at))
                        && matches!(state.instances[at], Instance::Follows { .. })
                })
            }),
            Property::sometimes("a claim and a write are on their way", |_, state: &State| {
                let has = |is: fn(&Request) -> bool| state.calls.iter().any(|call| is(&call.request));
                has(|request| matches!(request, Request::Claim { .. }))
                    && has(|request| matches!(request, Request::Append { epoch: 1, .. }))
            }),
        ]
    }
}

/// (rule: wire/several-instances)
#[test]
fn no_order_of_calls_and_losses_breaks_a_law() {
    let checker = Protocol(None).checker().threads(2).target_state_count(MOST_STEPS).spawn_bfs().join();
    let (states, steps) = (checker.unique_state_count(), checker.state_count());
    println!("{states} states by {steps} steps");
    checker.assert_properties();
    assert!(steps < MOST_STEPS, "some states were not reached: the model has grown");
    assert!(states > LEAST_STATES, "the model has lost most of its {states} states");
}

#[test]
fn each_planted_fault_breaks_a_law() {
    for (fault, law) in [
        (Fault::LeaseFromAnswer, ONE_ANSWERS),
        (Fault::LeadsForEver, ONE_ANSWERS),
        (Fault::ShortSilence, ONE_ANSWERS),
        (Fault::LeadsByLook, ONE_ANSWERS),
        (Fault::ClaimIgnoresBeats, ONE_ANSWERS),
        (Fault::ReleasesFirst, ONE_ANSWERS),
        (Fault::Guesses, IS_KEPT),
        (Fault::AnswersFirst, IS_KEPT),
        (Fault::TakesAll, NOT_TWICE),
        (Fault::TakesAnyTerm, KNOWS_ALL),
        (Fault::TakesAnyEnd, NOT_TWICE),
    ] {
        let found = HasDiscoveries::AllOf([law].into());
        let checker =
            Protocol(Some(fault)).checker().target_state_count(MOST_STEPS).finish_when(found).spawn_bfs().join();
        let states = checker.unique_state_count();
        let path = checker.discovery(law).unwrap_or_else(|| panic!("{fault:?} breaks no law in {states} states"));
        println!("{fault:?}, by {states} states: {law}: {:?}", path.into_actions());
    }
}
