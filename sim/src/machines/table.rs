//! One table a life cycle: its states, what moves them, and the only ways between them.
//!
//! Owns: the shape of a table, the laws that every table obeys, the state of a record (`Current`), how often each row has been
//! taken (`Visits`), and what a host may count of that (`Noted`). Invariant: a `Current` is made at a first state of its table and
//! moves along its rows alone. Absent on purpose: what an effect does, which is the one `move_...` function of each machine.

use crate::canary::{Canary, Planted};
use crate::ids::ClientId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;

/// One way from one state to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Transition<S, T, E> {
    /// The state before.
    pub from: S,
    /// What moves it.
    pub on: T,
    /// The state after.
    pub to: S,
    /// What the move does besides.
    pub effect: E,
}

/// All the ways between the states of one life cycle. A pair of state and trigger without a row is forbidden.
#[derive(Clone, Copy, Debug)]
pub struct Table<S: 'static, T: 'static, E: 'static> {
    /// The machine's name in reports.
    pub name: &'static str,
    /// Its name as a topic of `fundsim explain`.
    pub topic: &'static str,
    /// What it is, in a few words.
    pub about: &'static str,
    /// What the column of effects is called.
    pub effects: &'static str,
    /// Every state, in the order of a life.
    pub states: &'static [S],
    /// Every trigger.
    pub triggers: &'static [T],
    /// The states in which a life can begin.
    pub first: &'static [S],
    /// Every move.
    pub rows: &'static [Transition<S, T, E>],
}

impl<S: Copy + PartialEq, T: Copy + PartialEq, E> Table<S, T, E> {
    /// The row for `on` in `from`; `None` when the move is forbidden.
    #[must_use]
    pub fn step(&self, from: S, on: T) -> Option<&'static Transition<S, T, E>> {
        self.rows.iter().find(|row| row.from == from && row.on == on)
    }

    /// Whether no row leads out of `state`.
    #[must_use]
    pub fn is_terminal(&self, state: S) -> bool {
        self.rows.iter().all(|row| row.from != state)
    }
}

/// A state with its table.
pub trait Lifecycle: Copy + PartialEq + Debug + Sized + 'static {
    /// What moves it.
    type Trigger: Copy + PartialEq + Debug + Sync + 'static;
    /// What a move does besides.
    type Effect: Copy + PartialEq + Debug + Sync + 'static;
    /// Every move.
    const TABLE: Table<Self, Self::Trigger, Self::Effect>;
}

/// The present state of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Current<S>(S);

impl<S: Lifecycle> Current<S> {
    /// The beginning of a life.
    ///
    /// # Panics
    /// When no life begins in that state: a bug.
    #[must_use]
    pub fn first(state: S) -> Self {
        assert!(S::TABLE.first.contains(&state), "no life begins in {state:?}");
        Self(state)
    }

    /// Goes back to the beginning of a life: a fault that only tests can plant.
    pub(crate) fn begin_again(&mut self, state: S, planted: &Planted) {
        assert!(planted.is(Canary::TerminalJourneyReopened), "nothing leads back to {state:?}");
        *self = Self::first(state);
    }
}

impl<S> std::ops::Deref for Current<S> {
    type Target = S;

    fn deref(&self) -> &S {
        &self.0
    }
}

impl<S: PartialEq> PartialEq<S> for Current<S> {
    fn eq(&self, other: &S) -> bool {
        self.0 == *other
    }
}

/// How often each row of each table has been taken, and which were taken since the last change was finished.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Visits {
    counts: BTreeMap<&'static str, Vec<u64>>,
    /// Machine and row, in order.
    since: Vec<(&'static str, u16)>,
    /// What has happened to clients' records since the host began to listen.
    noted: Vec<(ClientId, Noted)>,
    /// Whether it listens; nothing is kept while it does not.
    is_noting: bool,
}

/// What has happened to a client's record, for hosts that count it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noted {
    /// It began in a state: the machine's name, and the place of the state.
    State(&'static str, u16),
    /// It took a row of a table: the machine's name, and the place of the row.
    Row(&'static str, u16),
    /// It was given a reason: the machine's name, and the code.
    Reason(&'static str, &'static str),
}

impl Visits {
    /// Moves `current`, of a record of client `of`, along the row for `on`, counts it, and gives it.
    ///
    /// # Panics
    /// When the table has no row: callers have checked that it has, or are timers that live only while it has.
    pub fn take<S: Lifecycle>(
        &mut self,
        current: &mut Current<S>,
        on: S::Trigger,
        of: Option<ClientId>,
    ) -> &'static Transition<S, S::Trigger, S::Effect> {
        let (name, rows) = (S::TABLE.name, S::TABLE.rows);
        let at = rows.iter().position(|row| row.from == current.0 && row.on == on);
        let at = at.unwrap_or_else(|| panic!("{name}: nothing leads from {:?} on {on:?}", current.0));
        self.counts.entry(name).or_insert_with(|| vec![0; rows.len()])[at] += 1;
        let row = u16::try_from(at).unwrap_or(u16::MAX);
        self.since.push((name, row));
        self.note(of, Noted::Row(name, row));
        current.0 = rows[at].to;
        &rows[at]
    }

    /// Notes what has happened to a record of client `of`, where the host listens.
    pub(crate) fn note(&mut self, of: Option<ClientId>, what: Noted) {
        if let Some(client) = of.filter(|_| self.is_noting) {
            self.noted.push((client, what));
        }
    }

    /// Notes that a record of client `of` began in `state`.
    pub(crate) fn begun<S: Lifecycle>(&mut self, of: ClientId, state: S) {
        if self.is_noting {
            let place = S::TABLE.states.iter().position(|known| *known == state);
            let place = place.and_then(|place| u16::try_from(place).ok()).unwrap_or(u16::MAX);
            self.note(Some(of), Noted::State(S::TABLE.name, place));
        }
    }

    /// Notes from now on, until that is taken.
    pub(crate) fn listen(&mut self) {
        self.noted.clear();
        self.is_noting = true;
    }

    /// What was noted since `listen`; nothing more is noted. The memory is kept for the next time.
    pub(crate) fn take_noted(&mut self) -> impl Iterator<Item = (ClientId, Noted)> {
        self.is_noting = false;
        self.noted.drain(..)
    }

    /// The rows that have just led from one state to another; none when it is one state.
    pub(crate) fn led<S: Lifecycle>(&mut self, from: S, to: S) -> Moves {
        let mut rows = Moves::default();
        let mut reached = to;
        let table = S::TABLE;
        for at in (0..self.since.len()).rev() {
            if reached == from {
                break;
            }
            let (name, row) = self.since[at];
            let found = table.rows.get(usize::from(row)).filter(|row| name == table.name && row.to == reached);
            if let Some(found) = found {
                reached = found.from;
                rows.put_before(row);
                self.since.remove(at);
            }
        }
        rows
    }

    /// Begins another change.
    pub(crate) fn begin_change(&mut self) {
        self.since.clear();
    }

    /// How often each row of `machine` has been taken, in table order.
    #[must_use]
    pub fn of(&self, machine: &dyn Machine) -> Vec<u64> {
        self.counts.get(machine.name()).cloned().unwrap_or_else(|| vec![0; machine.rows().len()])
    }

    /// The rows of `machine` that have never been taken, as `from --on--> to`.
    #[must_use]
    pub fn never_taken(&self, machine: &dyn Machine) -> Vec<String> {
        let rows = machine.rows().into_iter().zip(self.of(machine));
        rows.filter(|(_, count)| *count == 0).map(|([from, on, to, _], _)| format!("{from} --{on}--> {to}")).collect()
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Self) {
        for (name, more) in &other.counts {
            let sum = self.counts.entry(name).or_insert_with(|| vec![0; more.len()]);
            sum.iter_mut().zip(more).for_each(|(sum, more)| *sum += more);
        }
    }
}

/// The rows of a table that one change took, in order: the last ones, where there were more than fit.
///
/// Every event has them, so they are small: a row is a byte, one more than its place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moves([u8; 4]);

impl Moves {
    /// Their places in the table.
    pub fn rows(self) -> impl Iterator<Item = usize> {
        self.0.into_iter().filter(|row| *row > 0).map(|row| usize::from(row) - 1)
    }

    fn put_before(&mut self, row: u16) {
        if let (Some(free), Ok(row)) = (self.0.iter().rposition(|row| *row == 0), u8::try_from(row + 1)) {
            self.0[free] = row;
        }
    }
}

/// A table, whatever its states are: what lists of all machines hold.
pub trait Machine: Sync {
    /// The machine's name in reports.
    fn name(&self) -> &'static str;
    /// Its name as a topic of `fundsim explain`.
    fn topic(&self) -> &'static str;
    /// What it is, in a few words.
    fn about(&self) -> &'static str;
    /// What the column of effects is called.
    fn effects(&self) -> &'static str;
    /// Every state.
    fn states(&self) -> Vec<String>;
    /// Every row: from, on, to, effect.
    fn rows(&self) -> Vec<[String; 4]>;
    /// The laws of tables that this one breaks.
    fn faults(&self) -> Vec<String>;
}

impl<S, T, E> Machine for Table<S, T, E>
where
    S: Copy + PartialEq + Debug + Sync,
    T: Copy + PartialEq + Debug + Sync,
    E: Debug + Sync,
{
    fn name(&self) -> &'static str {
        self.name
    }

    fn topic(&self) -> &'static str {
        self.topic
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn effects(&self) -> &'static str {
        self.effects
    }

    fn states(&self) -> Vec<String> {
        self.states.iter().map(|state| format!("{state:?}")).collect()
    }

    fn rows(&self) -> Vec<[String; 4]> {
        let text = |row: &Transition<S, T, E>| {
            [format!("{:?}", row.from), format!("{:?}", row.on), format!("{:?}", row.to), format!("{:?}", row.effect)]
        };
        self.rows.iter().map(text).collect()
    }

    fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (at, row) in self.rows.iter().enumerate() {
            if self.rows[..at].iter().any(|earlier| earlier.from == row.from && earlier.on == row.on) {
                faults.push(format!("{:?} on {:?} has two rows", row.from, row.on));
            }
        }
        let idle = self.triggers.iter().filter(|on| self.rows.iter().all(|row| row.on != **on));
        faults.extend(idle.map(|on| format!("{on:?} moves nothing")));
        let reached = |state: &S| self.first.contains(state) || self.rows.iter().any(|row| row.to == *state);
        faults.extend(self.states.iter().filter(|state| !reached(state)).map(|state| format!("no way to {state:?}")));
        faults
    }
}

/// Declares the life cycle of one resource: its states with their public words, what moves them, what moves do besides,
/// and every row. The lists, the table, and what a state says of itself follow from it.
#[macro_export]
macro_rules! machine {
    (
        $(#[$table_doc:meta])*
        $name:literal, topic $topic:literal, about $about:literal, effects $effects:literal, first [$($first:ident),+];
        $(#[$state_doc:meta])*
        states $State:ident { $($(#[$s_doc:meta])* $s:ident = $word:literal,)+ }
        $(#[$trigger_doc:meta])*
        triggers $Trigger:ident { $($(#[$t_doc:meta])* $t:ident,)+ }
        $(#[$effect_doc:meta])*
        effects $Effect:ident { $($(#[$e_doc:meta])* $e:ident,)+ }
        rows { $($from:ident, $on:ident => $to:ident, $effect:ident;)+ }
    ) => {
        $(#[$state_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $State { $($(#[$s_doc])* $s,)+ }

        $(#[$trigger_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub enum $Trigger { $($(#[$t_doc])* $t,)+ }

        $(#[$effect_doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum $Effect { $($(#[$e_doc])* $e,)+ }

        $(#[$table_doc])*
        pub const TABLE: $crate::machines::Table<$State, $Trigger, $Effect> = $crate::machines::Table {
            name: $name,
            topic: $topic,
            about: $about,
            effects: $effects,
            states: &[$($State::$s),+],
            triggers: &[$($Trigger::$t),+],
            first: &[$($State::$first),+],
            rows: &[$($crate::machines::Transition {
                from: $State::$from,
                on: $Trigger::$on,
                to: $State::$to,
                effect: $Effect::$effect,
            }),+],
        };

        impl $crate::machines::Lifecycle for $State {
            type Trigger = $Trigger;
            type Effect = $Effect;
            const TABLE: $crate::machines::Table<$State, $Trigger, $Effect> = TABLE;
        }

        impl $State {
            /// The public word.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $(Self::$s => $word,)+ }
            }

            /// Whether the table has a row for `on` in this state.
            #[must_use]
            pub fn allows(self, on: $Trigger) -> bool {
                TABLE.step(self, on).is_some()
            }

            /// Whether no row leads on.
            #[must_use]
            pub fn is_terminal(self) -> bool {
                TABLE.is_terminal(self)
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::machines::MACHINES;

    #[test]
    fn every_table_obeys_the_laws_of_tables() {
        for machine in MACHINES {
            assert_eq!(machine.faults(), Vec::<String>::new(), "{}", machine.name());
        }
    }

    #[test]
    fn every_rendered_table_is_the_golden_one() {
        for machine in MACHINES {
            let line = |[from, on, to, effect]: [String; 4]| format!("{from:<18}{on:<12}{to:<18}{effect}\n");
            insta::assert_snapshot!(machine.name(), machine.rows().into_iter().map(line).collect::<String>());
        }
    }

    #[test]
    fn machines_and_their_topics_have_names_of_their_own() {
        for (at, machine) in MACHINES.iter().enumerate() {
            let same = |other: &&dyn Machine| other.name() == machine.name() || other.topic() == machine.topic();
            assert!(!MACHINES[..at].iter().any(same), "{}", machine.name());
        }
    }

    /// A table with every fault that a table can have.
    const WRONG: Table<u8, char, ()> = Table {
        name: "wrong",
        topic: "wrong",
        about: "",
        effects: "",
        states: &[1, 2, 3],
        triggers: &['a', 'b'],
        first: &[1],
        rows: &[Transition { from: 1, on: 'a', to: 2, effect: () }, Transition { from: 1, on: 'a', to: 1, effect: () }],
    };

    #[test]
    fn each_fault_of_a_table_is_reported() {
        assert_eq!(WRONG.faults(), ["1 on 'a' has two rows", "'b' moves nothing", "no way to 3"]);
    }

    mod door {
        machine! {
            /// Every move of a door.
            "door", topic "doors", about "a door", effects "effect", first [Shut];
            /// Its status.
            states State {
                /// Shut.
                Shut = "shut",
                /// Open.
                Open = "open",
            }
            /// What moves it.
            triggers Trigger {
                /// A push.
                Push,
            }
            /// What a move does.
            effects Effect {
                /// Nothing.
                Nothing,
            }
            rows {
                Shut, Push => Open, Nothing;
            }
        }
    }

    #[test]
    fn the_rows_between_two_states_are_listed_once_and_in_order() {
        use crate::machines::order::{State, TABLE, Trigger};
        let (mut visits, mut order) = (Visits::default(), Current::first(State::Received));
        visits.take(&mut order, Trigger::Accept, None);
        let mut door = Current::first(door::State::Shut);
        visits.take(&mut door, door::Trigger::Push, None);
        visits.take(&mut order, Trigger::CutOff, None);
        let rows = visits.led(State::Received, State::Aggregated);
        let on: Vec<_> = rows.rows().map(|row| TABLE.rows[row].on).collect();
        assert_eq!(on, [Trigger::Accept, Trigger::CutOff]);
        assert_eq!(visits.led(State::Received, State::Aggregated), Moves::default(), "they were taken");
        assert_eq!(visits.led(door::State::Shut, door::State::Open).rows().collect::<Vec<_>>(), [0]);
        visits.take(&mut order, Trigger::Route, None);
        visits.begin_change();
        assert_eq!(visits.led(State::Aggregated, State::Sent), Moves::default(), "that was another change");
        let longest = crate::machines::MACHINES.iter().map(|machine| machine.rows().len()).max();
        assert!(longest < Some(usize::from(u8::MAX)), "a row is a byte");
    }

    #[test]
    fn a_state_moves_along_the_rows_of_its_table_and_each_is_counted() {
        let mut visits = Visits::default();
        let mut door = Current::first(door::State::Shut);
        assert_eq!(visits.never_taken(&door::TABLE), ["Shut --Push--> Open"]);
        assert_eq!(visits.take(&mut door, door::Trigger::Push, None).effect, door::Effect::Nothing);
        assert!(door.name() == "open" && door.is_terminal() && !door.allows(door::Trigger::Push));
        visits.add(&visits.clone());
        assert_eq!((visits.of(&door::TABLE), visits.never_taken(&door::TABLE)), (vec![2], Vec::new()));
    }

    #[test]
    fn what_happens_to_clients_is_noted_while_a_host_listens() {
        use crate::machines::order::{State, TABLE, Trigger};
        let client = ClientId::from_u128(7);
        let (mut visits, mut order) = (Visits::default(), Current::first(State::Received));
        visits.take(&mut order, Trigger::Accept, Some(client));
        assert_eq!(visits.take_noted().count(), 0, "nobody has listened");
        visits.listen();
        visits.begun(client, State::Pending);
        visits.take(&mut order, Trigger::CutOff, Some(client));
        visits.take(&mut Current::first(door::State::Shut), door::Trigger::Push, None);
        visits.note(Some(client), Noted::Reason(TABLE.name, "sanctions"));
        let row = TABLE.rows.iter().position(|row| row.on == Trigger::CutOff).and_then(|row| u16::try_from(row).ok());
        let row = Noted::Row(TABLE.name, row.expect("a row"));
        let noted = [Noted::State(TABLE.name, 2), row, Noted::Reason(TABLE.name, "sanctions")];
        assert_eq!(visits.take_noted().collect::<Vec<_>>(), noted.map(|what| (client, what)));
        assert_eq!(visits.take_noted().count(), 0);
    }

    #[test]
    #[should_panic(expected = "door: nothing leads from Open on Push")]
    fn a_move_without_a_row_is_a_bug() {
        let mut door = Current::first(door::State::Shut);
        let mut visits = Visits::default();
        let _ = (visits.take(&mut door, door::Trigger::Push, None), visits.take(&mut door, door::Trigger::Push, None));
    }

    #[test]
    #[should_panic(expected = "no life begins in Open")]
    fn a_life_begins_in_a_first_state() {
        assert!(Current::first(door::State::Open) == door::State::Open);
    }
}
