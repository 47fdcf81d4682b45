//! Sockets that a stop still waits for: their readers take events, only later than they come.
//!
//! Invariant: a reader that takes nothing for as long as a stop usually takes holds up nothing; worlds are sealed, so what there is to
//! send only gets less. Absent on purpose: the sending itself (`planes::partner::subscribe`).

use std::sync::Arc;
use std::time::Duration;

use crate::App;
use feed::sockets::SocketRecord;
use hosting::log::SERVER;
use hosting::worlds::{WorldHandle, Worlds};

/// Between two looks at who is still at it.
const LOOK: Duration = Duration::from_millis(20);

/// Waits until every socket that is open now is drained and closed. Skips sockets whose readers take nothing for `patience`.
pub(super) async fn drain_sockets(worlds: &Worlds, patience: Duration) {
    let mut lagging = open(worlds);
    loop {
        lagging.retain(|(world, socket)| {
            !socket.gone.is_raised() && socket.idle(world.transport_clock().now()) < patience
        });
        if lagging.is_empty() {
            return;
        }
        tokio::time::sleep(LOOK).await;
    }
}

/// Logs how many events were not sent to sockets that are about to be cut off.
pub(super) fn warn(app: &App) {
    let unsent = open(&app.worlds).into_iter().map(|(world, socket)| world.subscribers.feed.unsent_events(&socket));
    let unsent: Vec<usize> = unsent.filter(|events| *events > 0).collect();
    if !unsent.is_empty() {
        let (sockets, events) = (unsent.len(), unsent.iter().sum::<usize>());
        tracing::warn!(
            target: SERVER,
            sockets,
            events,
            "{} did not receive {}: the clients stopped reading, or did not read all in time",
            if sockets == 1 { "1 socket".to_owned() } else { format!("{sockets} sockets") },
            if events == 1 { "1 event".to_owned() } else { format!("{events} events") },
        );
    }
}

fn open(worlds: &Worlds) -> Vec<(Arc<WorldHandle>, Arc<SocketRecord>)> {
    let of = |world: Arc<WorldHandle>| {
        let sockets = world.subscribers.feed.open_sockets();
        sockets.into_iter().map(move |socket| (Arc::clone(&world), socket))
    };
    worlds.all().into_iter().flat_map(of).collect()
}
