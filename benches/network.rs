//! The same pairs through a simulated network, a year of bank days through it, and the start of the program.
//!
//! Latency and ticks of one millisecond, as stories have them. Simulated time costs real time: figures are requests per
//! second of the host's clock. Pairs are interleaved and the median of their ratios counts. `cargo bench --bench network`.

#![allow(clippy::print_stdout, reason = "a bench prints its report")]
#![allow(missing_docs, reason = "a bench has no readers of its items")]
#![allow(clippy::disallowed_methods, reason = "a bench measures real time")]

#[path = "load.rs"]
mod load;
#[path = "served.rs"]
mod served;

use feed::transport::TransportClock;
use load::{ask, ask_times, median, report, request};
use served::{Pair, Sides};
use std::io::{BufRead as _, BufReader};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, UNIX_EPOCH};

/// As the program has it.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

/// Pairs a figure is the median of.
const PAIRS: usize = 7;
/// Requests in one measurement, one after the other as a story asks them.
const REQUESTS: u64 = 10_000;
/// Bank days of the long run, and requests of each.
const DAYS: u64 = 250;
const A_DAY: u64 = 100;
const TICK: Duration = Duration::from_millis(1);
const PORT: u16 = 80;
const EPOCH: Duration = Duration::from_secs(1_772_400_000);

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
    let sides = runtime.block_on(Sides::new(clock()));
    for (what, pair, wanted) in [("GET account, turmoil", &sides.get, 0.7), ("POST order, turmoil", &sides.post, 0.7)] {
        let pairs: Vec<_> = (0..PAIRS).map(|_| requests(&sides, pair)).collect();
        report(what, &pairs, Some(wanted));
    }
    bank_days(&runtime);
    starts();
}

/// A transport clock that does not move.
fn clock() -> TransportClock {
    TransportClock::given(|| EPOCH)
}

fn network() -> turmoil::Sim<'static> {
    turmoil::Builder::new()
        .rng_seed(1)
        .epoch(UNIX_EPOCH + EPOCH)
        .tick_duration(TICK)
        .simulation_duration(Duration::from_secs(86_400))
        .min_message_latency(TICK)
        .max_message_latency(TICK)
        .tcp_capacity(1_024)
        .build()
}

/// The simulated network's listener, as servers want listeners.
struct Listener(turmoil::net::TcpListener);

impl Listener {
    async fn bind() -> turmoil::Result<Self> {
        Ok(Self(turmoil::net::TcpListener::bind((IpAddr::V4(Ipv4Addr::UNSPECIFIED), PORT)).await?))
    }
}

impl axum::serve::Listener for Listener {
    type Io = turmoil::net::TcpStream;
    type Addr = SocketAddr;

    async fn accept(&mut self) -> (Self::Io, SocketAddr) {
        self.0.accept().await.expect("a connection")
    }

    fn local_addr(&self) -> std::io::Result<SocketAddr> {
        self.0.local_addr()
    }
}

fn serve_ours(simulation: &mut turmoil::Sim<'static>, surface: &surface::Surface) {
    let surface = surface.clone();
    simulation.host("server", move || {
        let surface = surface.clone();
        async move {
            surface::serve(Listener::bind().await?, surface, std::future::pending()).await;
            Ok(())
        }
    });
}

fn serve_bare(simulation: &mut turmoil::Sim<'static>, bare: &axum::Router) {
    let bare = bare.clone();
    simulation.host("server", move || {
        let bare = bare.clone();
        async move { Ok(axum::serve(Listener::bind().await?, bare).await?) }
    });
}

async fn connect() -> turmoil::net::TcpStream {
    turmoil::net::TcpStream::connect(("server", PORT)).await.expect("the server listens")
}

/// How long a simulation takes, by the host's clock.
fn timed(mut simulation: turmoil::Sim<'static>) -> Duration {
    let start = Instant::now();
    simulation.run().expect("the simulation ends");
    start.elapsed()
}

/// Requests per second of both sides.
fn requests(sides: &Sides, pair: &Pair) -> (f64, f64) {
    let rate = |mut simulation: turmoil::Sim<'static>, request: &[u8]| {
        let request = request.to_vec();
        simulation.client("partner", async move {
            ask_times(connect().await, &request, REQUESTS).await;
            Ok(())
        });
        // Who has nothing to do costs ticks all the same.
        simulation.host("operator", std::future::pending::<turmoil::Result>);
        REQUESTS as f64 / timed(simulation).as_secs_f64()
    };
    let mut bare = network();
    serve_bare(&mut bare, &sides.bare);
    let mut ours = network();
    serve_ours(&mut ours, &sides.surface);
    (rate(bare, &pair.bare), rate(ours, &pair.ours))
}

/// Three hosts: each bank day the partner reads and orders, then the operator moves the clock to the next.
fn bank_days(runtime: &tokio::runtime::Runtime) {
    let (mut bare_times, mut times) = (Vec::new(), Vec::new());
    for _ in 0..3 {
        let sides = runtime.block_on(Sides::new(clock()));
        let mut bare = network();
        serve_bare(&mut bare, &sides.bare);
        let (get, post) = (sides.get.clone(), sides.post.clone());
        bare.client("partner", async move {
            partner(get.bare, post.bare, |_| async {}).await;
            Ok(())
        });
        bare_times.push(timed(bare).as_secs_f64());

        let mut ours = network();
        serve_ours(&mut ours, &sides.surface);
        let (sender, receiver) = tokio::sync::mpsc::channel::<tokio::sync::oneshot::Sender<()>>(1);
        let receiver = Arc::new(Mutex::new(Some(receiver)));
        let token = sides.token.clone();
        ours.client("operator", async move {
            let mut receiver = receiver.lock().expect("one operator").take().expect("one operator");
            let next =
                request("POST", "/_sandbox/worlds/current/clock/advance", &token, Some(r#"{"by":"1 bank day"}"#));
            let (mut stream, mut buffer) = (connect().await, Vec::new());
            while let Some(done) = receiver.recv().await {
                ask(&mut stream, &next, &mut buffer).await;
                done.send(()).expect("the partner waits");
            }
            Ok(())
        });
        let (get, post) = (sides.get.clone(), sides.post.clone());
        ours.client("partner", async move {
            partner(get.ours, post.ours, |_| async {
                let (done, wait) = tokio::sync::oneshot::channel();
                sender.send(done).await.expect("the operator listens");
                wait.await.expect("the operator answers");
            })
            .await;
            Ok(())
        });
        times.push(timed(ours).as_secs_f64());
    }
    let (bare, ours) = (median(bare_times), median(times));
    let verdict = if ours < 5.0 { "holds" } else { "DOES NOT HOLD" };
    println!(
        "{DAYS} bank days, {} requests      bare {bare:>7.2} s    fundsim {ours:>7.2} s    (under 5 s: {verdict})",
        DAYS * A_DAY
    );
}

/// A partner's year: every day reads and orders, a few at a time.
async fn partner<F: Future<Output = ()>>(get: Vec<u8>, post: Vec<u8>, next_day: impl Fn(u64) -> F) {
    let mut streams = Vec::new();
    for _ in 0..10 {
        streams.push((connect().await, Vec::new()));
    }
    for day in 0..DAYS {
        for round in 0..A_DAY / streams.len() as u64 {
            let request = if round % 2 == 0 { &post } else { &get };
            let asked = streams.iter_mut().map(|(stream, buffer)| ask(stream, request, buffer));
            futures_util::future::join_all(asked).await;
        }
        next_day(day).await;
    }
}

/// From the start of the process to the line that says that the port accepts.
fn starts() {
    let program = env!("CARGO_BIN_EXE_fundsim");
    let mut pairs = Vec::new();
    for _ in 0..PAIRS {
        let start = Instant::now();
        let nothing = Command::new(program).arg("--version").stdout(Stdio::null()).status().expect("the program runs");
        assert!(nothing.success());
        let bare = start.elapsed();
        let start = Instant::now();
        let mut server = Command::new(program)
            .args(["serve", "--listen", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        BufReader::new(server.stdout.take().expect("a pipe")).read_line(&mut line).expect("a line");
        pairs.push((bare.as_secs_f64(), start.elapsed().as_secs_f64()));
        server.kill().expect("it can be stopped");
        server.wait().expect("it ends");
    }
    let (bare, ours) = (median(pairs.iter().map(|p| p.0).collect()), median(pairs.iter().map(|p| p.1).collect()));
    let verdict = if ours <= 0.3 { "holds" } else { "DOES NOT HOLD" };
    println!(
        "ready to serve                  bare {:>7.1} ms   fundsim {:>7.1} ms   (within 300 ms: {verdict})",
        bare * 1e3,
        ours * 1e3
    );
}
