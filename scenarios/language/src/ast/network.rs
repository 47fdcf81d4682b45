//! Connections of a story and the network between them.
//!
//! Absent on purpose: what a driver can make of it (`drivers`).

/// A socket opens or closes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SocketAct {
    /// A further socket of the actor's client, by name; without one, the lost first socket anew.
    Open(Option<String>),
    /// Closes it; without a name, the first one.
    Close(Option<String>),
    /// It must have been closed by the server, with this code where one is given.
    Closed {
        /// Which one; the first when `None`.
        name: Option<String>,
        /// WebSocket close code; `None` for a connection that was just cut.
        code: Option<u16>,
    },
}

/// The network between partner and sandbox.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    /// Nothing gets through, connections in flight die once it is repaired.
    Cut,
    /// Ends `Cut`.
    Repaired,
    /// Everything waits, nothing is lost.
    Held,
    /// Ends `Held`: all that waited is delivered.
    Released,
    /// Every message takes so long.
    Latency {
        /// Milliseconds, at least 1.
        ms: u32,
    },
}

/// The server process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Server {
    /// It is gone in the middle of whatever it did.
    Crashes,
    /// It comes back with its worlds.
    Restarts,
    /// It comes back without any world.
    RestartsEmpty,
}
