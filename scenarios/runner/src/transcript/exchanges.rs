//! What was exchanged, whole.
//!
//! Invariant: bodies as they came, with the masks of the transcript over their secrets. Absent on purpose: the order between
//! requests and events, which the transcript has.

/// All requests with their answers, and all events of sockets.
#[derive(Clone, Debug, Default)]
pub struct Exchanges {
    /// Requests, in their order.
    pub requests: Vec<Exchange>,
    /// Frames of sockets, in their order.
    pub events: Vec<String>,
}

/// A request and its answer.
#[derive(Clone, Debug)]
pub struct Exchange {
    /// Who asks, where it is not the first client.
    pub who: String,
    /// The method.
    pub method: String,
    /// The path with its query.
    pub path: String,
    /// The body that was sent; empty where none was.
    pub sent: String,
    /// The status of the answer; none where no answer came.
    pub status: Option<u16>,
    /// As much of the answer's body as the runner shows.
    pub answer: String,
}
