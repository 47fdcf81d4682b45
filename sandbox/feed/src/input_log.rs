//! The log of a world's inputs: carried out in order, it makes the world.
//!
//! Invariant: positions grow by one and are given by the log; what was appended is never changed, and is read by all in
//! the same order. Inputs are appended unconditionally and decided when they are carried out, so any number of instances
//! may append, and none of them leads. Absent on purpose: what an input means; files and databases. Calls may take their
//! time and take many inputs at once, so that a log can commit in groups, or live elsewhere.

mod kept_inputs;

use std::collections::VecDeque;
use std::fmt;
use std::future::Future;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::task::{Context, Poll, Waker};

use rare::Point;
use serde::{Deserialize, Serialize};
use sim::{Input, World};
use tokio::sync::Notify;

use super::transport::TransportTime;
use kept_inputs::KeptInputs;

/// A place in a log, from 1; 0 is before the first input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Position(pub u64);

/// Inputs from one snapshot that the log begins with to the next.
const SNAPSHOT_EVERY: u64 = 16_384;

impl Position {
    /// Where the log begins anew, after it did so here.
    #[must_use]
    pub const fn next_snapshot(self) -> Self {
        Self(self.0 + SNAPSHOT_EVERY)
    }

    /// The place after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

/// Why a log refused a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LogError {
    /// It may when tried again. An append may have happened all the same: inputs with a request id may be repeated.
    Retry(String),
    /// It never will.
    Never(String),
}

impl fmt::Display for LogError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (Self::Retry(why) | Self::Never(why)) = self;
        f.write_str(why)
    }
}

impl std::error::Error for LogError {}

/// What a log answers in its own time.
pub type Pending<'a, T> = Pin<Box<dyn Future<Output = Result<T, LogError>> + Send + 'a>>;

/// What is known of an input when it is appended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct About {
    /// When it was appended, by transport time.
    pub received: TransportTime,
    /// The request that causes it, if one does: its number, and the pattern of the route that answers it.
    pub request: Option<(u64, Option<&'static str>)>,
}

/// Keeps the inputs of a log outside of the process.
pub trait Keeper: Send + Sync {
    /// Takes an input when this is called, in the order of the log, and answers when it is kept. One that is refused at once has no
    /// place in the log; after one that is refused later, none is kept any more.
    fn keep(&self, position: Position, input: &Input, about: About) -> Pending<'static, ()>;
}

/// An answer that is there already.
pub fn ready<T: Send + 'static>(answer: Result<T, LogError>) -> Pending<'static, T> {
    Box::pin(std::future::ready(answer))
}

/// One input with its place.
pub type LoggedInput = (Position, Arc<Input>);

/// The world after the input at a position.
pub type Snapshot = (Position, Arc<World>);

/// A log of inputs.
pub trait InputLog: Send + Sync {
    /// Appends `input` when this is called, and answers its place once it is kept. Nobody takes it back who does not wait for
    /// that.
    fn append(&self, input: Input, about: About) -> Pending<'static, Position>;

    /// Has `keeper` keep what is appended from now on, before anybody is answered. Once.
    fn keep_with(&self, keeper: Arc<dyn Keeper>);

    /// Whether `append` never lets anybody wait.
    fn answers_at_once(&self) -> bool;

    /// The input at a position, if the log has it.
    fn input(&self, position: Position) -> Pending<'_, Option<Arc<Input>>>;

    /// The next inputs after `position`, at least one: first what is kept, then what comes.
    fn after(&self, position: Position) -> Pending<'_, Vec<LoggedInput>>;

    /// The place of the last input that was appended.
    fn head(&self) -> Pending<'_, Position>;

    /// The place after which inputs are kept.
    fn begin(&self) -> Pending<'_, Position>;

    /// Keeps a snapshot to begin at, later than those that are kept.
    fn keep(&self, snapshot: Snapshot) -> Pending<'_, ()>;

    /// The latest snapshot at `position` or before it; none when there the log begins with the world, or later.
    fn snapshot(&self, position: Position) -> Pending<'_, Option<Snapshot>>;

    /// Forgets what the latest snapshot at `position` or before it covers: the inputs up to there, and earlier
    /// snapshots.
    fn trim(&self, position: Position) -> Pending<'_, ()>;

    /// Another log, which has in common with this what is kept up to `position`, and goes its own way from there.
    fn fork(&self, position: Position) -> Pending<'_, Arc<dyn InputLog>>;
}

/// What a log that need not be waited for answers; one that must be is tried again.
///
/// # Errors
/// As the log's.
pub fn at_once<T>(answer: impl Future<Output = Result<T, LogError>>) -> Result<T, LogError> {
    if_ready(pin!(answer)).unwrap_or_else(|| Err(LogError::Retry("the log has not answered yet".to_owned())))
}

/// What a future answers when it is asked once; none when it has to be waited for.
pub fn if_ready<T>(future: Pin<&mut (impl Future<Output = T> + ?Sized)>) -> Option<T> {
    match future.poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(answer) => Some(answer),
        Poll::Pending => None,
    }
}

/// A log in memory, lost with the process but for what a keeper keeps of it. Without one it answers at once, apart from reading
/// what is still to come.
#[derive(Default)]
pub struct MemoryLog {
    state: Mutex<State>,
    news: Notify,
    keeper: OnceLock<Arc<dyn Keeper>>,
}

#[derive(Default)]
struct State {
    trimmed: Position,
    inputs: KeptInputs,
    /// In order.
    snapshots: VecDeque<Snapshot>,
}

/// Inputs given to a reader at once.
const BATCH: usize = 1_000;

impl MemoryLog {
    /// A log that continues from `world` and does not know which inputs led to it.
    #[must_use]
    pub fn from(world: &World) -> Self {
        let at = Position(world.last_input());
        let snapshots = [(at, Arc::new(world.clone()))].into();
        Self::with(State { trimmed: at, snapshots, ..State::default() })
    }

    fn with(state: State) -> Self {
        Self { state: Mutex::new(state), ..Self::default() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn kept_after(&self, position: Position) -> Result<Vec<LoggedInput>, LogError> {
        let state = self.state();
        let from = position.0.checked_sub(state.trimmed.0).and_then(|from| usize::try_from(from).ok());
        let from = from.ok_or_else(|| LogError::Never(format!("the log begins after {}", state.trimmed.0)))?;
        let is_short = state.inputs.len() > from + 1 && rare::happens(Point::InputsReadShort);
        let inputs = state.inputs.from(from).take(if is_short { 1 } else { BATCH }).cloned();
        Ok((position.0 + 1..).map(Position).zip(inputs).collect())
    }
}

impl State {
    fn head(&self) -> Position {
        Position(self.trimmed.0 + self.inputs.len() as u64)
    }
}

impl InputLog for MemoryLog {
    fn append(&self, input: Input, about: About) -> Pending<'static, Position> {
        let mut state = self.state();
        let own = state.head().next();
        let mut kept = self.keeper.get().map(|keeper| keeper.keep(own, &input, about));
        let answer = match kept.as_mut().map(|kept| if_ready(kept.as_mut())) {
            // What is refused at once takes no place.
            Some(Some(Err(fault))) => return ready(Err(fault)),
            None | Some(Some(Ok(()))) => ready(Ok(own)),
            Some(None) => Box::pin(async move {
                if let Some(kept) = kept {
                    kept.await?;
                }
                Ok(own)
            }),
        };
        state.inputs.push(Arc::new(input));
        drop(state);
        self.news.notify_waiters();
        answer
    }

    fn keep_with(&self, keeper: Arc<dyn Keeper>) {
        self.keeper.get_or_init(|| keeper);
    }

    fn answers_at_once(&self) -> bool {
        self.keeper.get().is_none()
    }

    fn input(&self, position: Position) -> Pending<'_, Option<Arc<Input>>> {
        let state = self.state();
        let place = position.0.checked_sub(state.trimmed.0 + 1).and_then(|place| usize::try_from(place).ok());
        let input = place.and_then(|place| state.inputs.from(place).next().cloned());
        ready(Ok(input))
    }

    fn after(&self, position: Position) -> Pending<'_, Vec<LoggedInput>> {
        Box::pin(async move {
            loop {
                let news = self.news.notified();
                let kept = self.kept_after(position)?;
                if !kept.is_empty() {
                    return Ok(kept);
                }
                news.await;
            }
        })
    }

    fn head(&self) -> Pending<'_, Position> {
        ready(Ok(self.state().head()))
    }

    fn begin(&self) -> Pending<'_, Position> {
        ready(Ok(self.state().trimmed))
    }

    fn keep(&self, snapshot: Snapshot) -> Pending<'_, ()> {
        self.state().snapshots.push_back(snapshot);
        ready(Ok(()))
    }

    fn snapshot(&self, position: Position) -> Pending<'_, Option<Snapshot>> {
        let state = self.state();
        let found = state.snapshots.iter().rev().find(|(at, _)| *at <= position).cloned();
        ready(Ok(found))
    }

    fn trim(&self, position: Position) -> Pending<'_, ()> {
        let mut state = self.state();
        if let Some(place) = state.snapshots.iter().rposition(|(at, _)| *at <= position) {
            state.snapshots.drain(..place);
            let begin = state.snapshots[0].0;
            let count = usize::try_from(begin.0.saturating_sub(state.trimmed.0)).unwrap_or(usize::MAX);
            let count = count.min(state.inputs.len());
            state.inputs.drop_first(count);
            state.trimmed = Position(state.trimmed.0 + count as u64);
        }
        ready(Ok(()))
    }

    fn fork(&self, position: Position) -> Pending<'_, Arc<dyn InputLog>> {
        let state = self.state();
        let count = position.0.checked_sub(state.trimmed.0).and_then(|count| usize::try_from(count).ok());
        let fork = match count.and_then(|count| state.inputs.first(count)) {
            Some(inputs) => {
                let snapshots = state.snapshots.iter().filter(|(at, _)| *at <= position).cloned().collect();
                let fork = State { trimmed: state.trimmed, inputs, snapshots };
                Ok(Arc::new(Self::with(fork)) as Arc<dyn InputLog>)
            }
            None => Err(LogError::Never(format!("the log begins after {}", state.trimmed.0))),
        };
        ready(fork)
    }
}

impl fmt::Debug for MemoryLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.state();
        f.debug_struct("MemoryLog").field("trimmed", &state.trimmed).field("head", &state.head()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sim::input::Act;
    use sim::rng::Seed;
    use sim::time::Instant;

    fn input(ms: i64) -> Input {
        Input::new(Instant::from_ms(ms), Act::Advance)
    }

    /// Appends inputs at these instants; the place of the last.
    fn append(log: &dyn InputLog, instants: impl IntoIterator<Item = i64>) -> Position {
        let about = About { received: TransportTime(0), request: None };
        let append = |ms| at_once(log.append(input(ms), about)).expect("a log in memory");
        instants.into_iter().map(append).last().expect("an input")
    }

    fn read(log: &dyn InputLog, after: u64) -> Vec<(u64, i64)> {
        let entries = at_once(log.after(Position(after))).expect("something kept");
        entries.into_iter().map(|(position, input)| (position.0, input.at.ms())).collect()
    }

    #[test]
    fn inputs_are_read_in_order_from_anywhere() {
        let log = MemoryLog::default();
        assert_eq!(append(&log, [1, 2]), Position(2));
        assert_eq!(append(&log, [3]), Position(3));
        assert_eq!(read(&log, 0), [(1, 1), (2, 2), (3, 3)]);
        assert_eq!(read(&log, 2), [(3, 3)]);
        assert_eq!(at_once(log.head()), Ok(Position(3)));
        assert!(matches!(at_once(log.after(Position(3))), Err(LogError::Retry(_))));
    }

    #[tokio::test]
    async fn a_reader_at_the_head_waits_for_what_comes() {
        let log = Arc::new(MemoryLog::default());
        let reading = tokio::spawn({
            let log = Arc::clone(&log);
            async move { log.after(Position(0)).await }
        });
        tokio::task::yield_now().await;
        append(&*log, [7]);
        let read = reading.await.expect("a reader").expect("a log");
        assert_eq!(read, [(Position(1), Arc::new(input(7)))]);
    }

    #[test]
    fn only_inputs_that_a_snapshot_covers_are_trimmed_and_never_read_again() {
        let world = World::new(&testing::setup(), Seed(1), testing::at(testing::START));
        let world = Arc::new(world.expect("a world"));
        let log = MemoryLog::default();
        let keep = |at| at_once(log.keep((Position(at), Arc::clone(&world)))).expect("a log");
        let begins = |at| at_once(log.snapshot(Position(at))).expect("a log").map(|(at, _)| at.0);
        append(&log, 1..=5);
        at_once(log.trim(Position(4))).expect("a log");
        assert_eq!(read(&log, 0).len(), 5);
        keep(1);
        keep(3);
        assert_eq!([0, 1, 2, 3, 9].map(begins), [None, Some(1), Some(1), Some(3), Some(3)]);
        at_once(log.trim(Position(2))).expect("a log");
        assert_eq!((at_once(log.begin()), begins(2)), (Ok(Position(1)), Some(1)));
        at_once(log.trim(Position(4))).expect("a log");
        assert_eq!((at_once(log.begin()), begins(2)), (Ok(Position(3)), None));
        assert_eq!(read(&log, 3), [(4, 4), (5, 5)]);
        assert!(matches!(at_once(log.after(Position(2))), Err(LogError::Never(_))));
        assert_eq!(append(&log, [6]), Position(6));
        let fork = at_once(log.fork(Position(5))).expect("a log");
        assert_eq!(append(&*fork, [7]), Position(6));
        assert_eq!((read(&*fork, 3), read(&log, 5)), (vec![(4, 4), (5, 5), (6, 7)], vec![(6, 6)]));
        assert_eq!((at_once(fork.begin()), at_once(log.fork(Position(2))).is_err()), (Ok(Position(3)), true));
    }
}
