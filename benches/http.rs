//! GET of an account that orders change between reads, and POST order, over loopback, against a bare axum route that answers
//! the same bytes; journeys, against the bare POST.
//!
//! Each side runs on a thread of its own with a single-threaded runtime, the load tool on another; pairs are interleaved
//! and the median of their ratios counts. `cargo bench --bench http`.

#![allow(clippy::print_stdout, reason = "a bench prints its report")]
#![allow(missing_docs, reason = "a bench has no readers of its items")]

#[path = "load.rs"]
mod load;
#[path = "served.rs"]
mod served;

use hosting::transport::TransportClock;
use load::{journeys, rate, rate_amid, report};
use served::{Pair, Sides};
use std::net::SocketAddr;
use std::sync::mpsc;
use std::time::Duration;
use surface::serve;
use surface::server;

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Pairs a figure is the median of.
const PAIRS: usize = 9;
/// How long each side of a pair is asked.
const TIME: Duration = Duration::from_millis(1_500);
/// Time for caches, branch predictors and the allocator to settle.
const WARM_UP: Duration = Duration::from_millis(500);

/// Runs `serving` on a thread of its own and returns where it listens.
fn on_a_thread<F, Fut>(name: &str, serving: F) -> SocketAddr
where
    F: FnOnce(tokio::net::TcpListener) -> Fut + Send + 'static,
    Fut: Future<Output = ()>,
{
    let (tell, told) = mpsc::channel();
    let serving_thread = std::thread::Builder::new().name(name.to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async move {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
            tell.send(listener.local_addr().expect("an address")).expect("somebody asks");
            serving(listener).await;
        });
    });
    drop(serving_thread.expect("a thread"));
    told.recv().expect("the server starts")
}

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let sides = Sides::new(TransportClock::starting_at(Duration::from_secs(1_772_400_000))).await;
    let Sides { surface, bare, token, client, get, post } = sides;
    let bare = on_a_thread("bare", move |listener| async move {
        axum::serve(server::tcp(listener), bare).await.expect("it serves");
    });
    let ours = on_a_thread("fundsim", move |listener| serve(server::tcp(listener), surface, std::future::pending()));

    let measure = async |address, get: Option<&[u8]>, post: &[u8], time| match get {
        Some(get) => rate_amid(address, get, post, time).await,
        None => rate(address, post, time).await,
    };
    for (what, reads, wanted) in [("GET changing account, loopback", true, 0.75), ("POST order, loopback", false, 0.6)]
    {
        let Pair { bare: bare_get, ours: our_get } = &get;
        let bare_side = async |time| measure(bare, reads.then_some(&bare_get[..]), &post.bare, time).await;
        let our_side = async |time| measure(ours, reads.then_some(&our_get[..]), &post.ours, time).await;
        bare_side(WARM_UP).await;
        our_side(WARM_UP).await;
        let mut pairs = Vec::new();
        for _ in 0..PAIRS {
            pairs.push((bare_side(TIME).await, our_side(TIME).await));
        }
        report(what, &pairs, Some(wanted));
    }

    let callback = format!("http://{bare}/callback");
    let mut pairs = Vec::new();
    journeys(ours, &client, &token, &callback, WARM_UP).await;
    for _ in 0..PAIRS {
        let figure = journeys(ours, &client, &token, &callback, TIME).await;
        pairs.push((rate(bare, &post.bare, TIME).await, figure));
    }
    // Two requests, an account opened and a callback delivered: nothing to hold it to.
    report("journeys created and completed", &pairs, None);
}
