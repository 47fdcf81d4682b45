//! TLS from outside, over connections in memory and in virtual time.

use std::sync::Arc;
use std::time::Duration;

use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _, DuplexStream};
use tokio::time::Instant;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::Tls;
use crate::SurfaceConfig;
use crate::testing::Bench;
use crate::testing::served::{GET, Served, rest};
use feed::transport::Limits;
use hosting::clock::Mode;
use hosting::testing::{LevelFilter, telemetry};

/// A certificate of its own authority for `localhost`, and its key.
struct Made {
    certificate: CertificateDer<'static>,
    key: PrivateKeyDer<'static>,
}

impl Made {
    fn new() -> Self {
        let CertifiedKey { cert, signing_key } = generate_simple_self_signed(["localhost".to_owned()]).expect("made");
        Self { certificate: cert.der().clone(), key: key_of(&signing_key) }
    }

    fn tls(&self) -> Tls {
        Tls::new(vec![self.certificate.clone()], self.key.clone_key()).expect("a pair")
    }

    /// A client that trusts it, and offers these protocols.
    fn client(&self, protocols: &[&[u8]]) -> TlsConnector {
        let mut roots = RootCertStore::empty();
        roots.add(self.certificate.clone()).expect("a root");
        let builder = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
        let builder = builder.with_safe_default_protocol_versions().expect("versions");
        let mut config = builder.with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|name| name.to_vec()).collect();
        Arc::new(config).into()
    }
}

fn key_of(pair: &KeyPair) -> PrivateKeyDer<'static> {
    PrivateKeyDer::try_from(pair.serialize_der()).expect("a key")
}

fn serve(limits: Limits, tls: &Tls) -> Served {
    let bench = Bench::with(Mode::Frozen, SurfaceConfig { limits, ..SurfaceConfig::default() });
    Served::by(bench, Some(tls.clone()))
}

async fn connect(served: &Served, client: &TlsConnector) -> std::io::Result<TlsStream<DuplexStream>> {
    client.connect(ServerName::try_from("localhost").expect("a name"), served.dial()).await
}

/// Asks once and reads the whole answer, which has a length.
async fn ask(stream: &mut TlsStream<DuplexStream>) -> String {
    stream.write_all(GET.as_bytes()).await.expect("room");
    let mut text = String::new();
    while !text.ends_with('}') {
        text.push(char::from(stream.read_u8().await.expect("more")));
    }
    text
}

#[tokio::test(start_paused = true)]
async fn requests_share_a_connection_in_tls_and_http_1_1_is_agreed_on() {
    let made = Made::new();
    let served = serve(Limits::default(), &made.tls());
    let mut stream = connect(&served, &made.client(&[b"h2", b"http/1.1"])).await.expect("a handshake");
    assert_eq!(stream.get_ref().1.alpn_protocol(), Some(&b"http/1.1"[..]));
    for number in 1..=3 {
        let answer = ask(&mut stream).await;
        assert!(
            answer.starts_with("HTTP/1.1 404 ") && answer.contains(&format!("request-id: {number}\r\n")),
            "{answer}"
        );
    }
    connect(&served, &made.client(&[b"h2"])).await.expect_err("HTTP/2 alone is not spoken");
    connect(&served, &made.client(&[])).await.expect("a client without ALPN");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_does_not_trust_the_certificate_goes_and_others_are_served() {
    let logged = telemetry(LevelFilter::DEBUG);
    let made = Made::new();
    let served = serve(Limits::default(), &made.tls());
    connect(&served, &Made::new().client(&[])).await.expect_err("nobody it knows");
    tokio::task::yield_now().await;
    let mut stream = connect(&served, &made.client(&[])).await.expect("a handshake");
    assert!(ask(&mut stream).await.starts_with("HTTP/1.1 404 "));
    let lines = logged.lines();
    assert!(lines.iter().any(|line| line.contains("no TLS with a client: ")), "{lines:?}");
}

#[tokio::test(start_paused = true)]
async fn plain_http_is_answered_that_this_server_speaks_https() {
    let logged = telemetry(LevelFilter::WARN);
    let served = serve(Limits::default(), &Made::new().tls());
    for text in
        [GET.to_owned(), GET.repeat(2), "POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\n\r\nhello".to_owned()]
    {
        let (answer, took) = served.whole(&text).await;
        assert!(answer.starts_with("HTTP/1.1 400 Bad Request\r\n") && answer.contains("connection: close"), "{answer}");
        assert!(answer.contains("this server speaks HTTPS, and the request is plain HTTP: call "), "{answer}");
        assert_eq!(answer.matches("HTTP/1.1").count(), 1, "{answer}");
        assert!(took <= Duration::from_secs(2), "{took:?}");
    }
    assert_eq!(logged.lines().len(), 3, "{:?}", logged.lines());
    // Neither HTTP nor TLS.
    assert!(served.whole("\0\0\0\r\n\r\n").await.0.starts_with("HTTP/1.1 400 "));
}

/// (rule: wire/tls)
#[tokio::test(start_paused = true)]
async fn a_handshake_is_bounded_and_holds_up_nobody() {
    let made = Made::new();
    let served = serve(Limits::default(), &made.tls());
    let started = Instant::now();
    // Nothing at all, and the beginning of a handshake.
    let (mut silent, mut half) = (served.dial(), served.dial());
    half.write_all(&[22, 3, 1, 2]).await.expect("room");
    for _ in 0..3 {
        let mut stream = connect(&served, &made.client(&[])).await.expect("a handshake");
        assert!(ask(&mut stream).await.starts_with("HTTP/1.1 404 "));
    }
    assert_eq!(started.elapsed(), Duration::ZERO, "others did not wait");
    for stream in [&mut silent, &mut half] {
        assert_eq!(rest(stream).await, "");
    }
    assert_eq!(started.elapsed(), Limits::default().header);
}

/// (rule: wire/places)
#[tokio::test(start_paused = true)]
async fn a_handshake_takes_a_place_and_beyond_the_bound_others_get_503_in_tls() {
    let made = Made::new();
    let served = serve(Limits { connections: 1, reserved: 1, ..Limits::default() }, &made.tls());
    let silent = served.dial();
    tokio::task::yield_now().await;
    let mut stream = connect(&served, &made.client(&[])).await.expect("a handshake");
    assert!(ask(&mut stream).await.starts_with("HTTP/1.1 503 "));
    drop((silent, stream));
    tokio::time::sleep(Duration::from_secs(6)).await;
    let mut stream = connect(&served, &made.client(&[])).await.expect("a handshake");
    assert!(ask(&mut stream).await.starts_with("HTTP/1.1 404 "));
}

#[tokio::test(start_paused = true)]
async fn another_certificate_is_for_new_connections_and_open_ones_stay() {
    let (old, new) = (Made::new(), Made::new());
    let tls = old.tls();
    let served = serve(Limits::default(), &tls);
    let mut open = connect(&served, &old.client(&[])).await.expect("a handshake");
    ask(&mut open).await;
    tls.replace(vec![new.certificate.clone()], new.key.clone_key()).expect("a pair");
    assert!(ask(&mut open).await.starts_with("HTTP/1.1 404 "));
    connect(&served, &old.client(&[])).await.expect_err("it is another certificate now");
    connect(&served, &new.client(&[])).await.expect("a handshake");
}

#[tokio::test(start_paused = true)]
async fn a_key_of_another_certificate_is_refused_and_the_old_pair_stays() {
    let (old, new) = (Made::new(), Made::new());
    let tls = old.tls();
    let served = serve(Limits::default(), &tls);
    let refused = tls.replace(vec![new.certificate.clone()], old.key.clone_key());
    assert!(matches!(refused, Err(rustls::Error::InconsistentKeys(_))), "{refused:?}");
    tls.replace(vec![], old.key.clone_key()).expect_err("no certificate");
    tls.replace(vec![vec![1, 2, 3].into()], old.key.clone_key()).expect_err("no certificate");
    connect(&served, &old.client(&[])).await.expect("a handshake");
}

#[tokio::test(start_paused = true)]
async fn a_client_that_ends_its_side_with_or_without_a_word_of_tls_still_gets_its_answers() {
    let made = Made::new();
    let served = serve(Limits::default(), &made.tls());
    for is_polite in [true, false] {
        let mut stream = connect(&served, &made.client(&[])).await.expect("a handshake");
        stream.write_all(GET.repeat(3).as_bytes()).await.expect("room");
        stream.flush().await.expect("room");
        if is_polite {
            stream.shutdown().await.expect("half a close");
        } else {
            stream.get_mut().0.shutdown().await.expect("half a close");
        }
        let mut answers = String::new();
        stream.read_to_string(&mut answers).await.expect("an end that TLS announces");
        assert_eq!(answers.matches("HTTP/1.1 404 ").count(), 3, "{answers}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_connection_that_is_given_up_ends_in_tls_too() {
    let made = Made::new();
    let served = serve(Limits::default(), &made.tls());
    let (mut idle, mut half) = (
        connect(&served, &made.client(&[])).await.expect("a handshake"),
        connect(&served, &made.client(&[])).await.expect("a handshake"),
    );
    ask(&mut idle).await;
    half.write_all(b"GET / HTTP/1.1\r\nho").await.expect("room");
    for stream in [&mut half, &mut idle] {
        let mut end = Vec::new();
        stream.read_to_end(&mut end).await.expect("an end that TLS announces");
        assert_eq!(end, b"");
    }
}

#[tokio::test(start_paused = true)]
async fn a_stop_does_not_wait_for_handshakes() {
    let made = Made::new();
    let served = serve(Limits::default(), &made.tls());
    let mut silent = served.dial();
    let mut open = connect(&served, &made.client(&[])).await.expect("a handshake");
    ask(&mut open).await;
    let start = Instant::now();
    served.stop.send(()).expect("a server");
    assert_eq!(rest(&mut silent).await, "");
    let mut end = Vec::new();
    open.read_to_end(&mut end).await.expect("an end that TLS announces");
    served.server.await.expect("a clean end");
    assert_eq!((end.len(), start.elapsed()), (0, Duration::ZERO));
}
