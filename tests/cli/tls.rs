//! `fundsim serve` in TLS: certificates of files and for tries, and whom callbacks and commands trust (rule: wire/tls,
//! events/receiver-trust).

use super::serve::Sandbox;
use super::{command, folder, fundsim};
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair};
use rustls::crypto::ring;
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, ServerConfig, ServerConnection, StreamOwned};
use serde_json::{Value as Json, json};
use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::{Duration, Instant};

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(20);

/// A certificate of its own authority, and its key, as PEM.
struct Made {
    certificate: String,
    key: String,
}

impl Made {
    /// As `openssl req -x509` makes one when `calls_itself_authority`.
    fn new(calls_itself_authority: bool) -> Self {
        Self::named(&["localhost", "127.0.0.1"], calls_itself_authority)
    }

    fn named(names: &[&str], calls_itself_authority: bool) -> Self {
        let names: Vec<_> = names.iter().map(|name| (*name).to_owned()).collect();
        let mut params = CertificateParams::new(names).expect("names");
        if calls_itself_authority {
            params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        }
        let key = KeyPair::generate().expect("a key");
        Self { certificate: params.self_signed(&key).expect("made").pem(), key: key.serialize_pem() }
    }

    /// Puts both where a server is to read them.
    fn put(&self, folder: &Path) -> (PathBuf, PathBuf) {
        let (certificate, key) = (folder.join("server.pem"), folder.join("server.key"));
        std::fs::write(&certificate, &self.certificate).expect("a file");
        std::fs::write(&key, &self.key).expect("a file");
        (certificate, key)
    }
}

/// A connection in TLS to the sandbox, of a client that trusts this certificate.
type Secure = StreamOwned<ClientConnection, TcpStream>;

fn connect(sandbox: &Sandbox, certificate: &str) -> io::Result<Secure> {
    let mut roots = RootCertStore::empty();
    roots.add(CertificateDer::from_pem_slice(certificate.as_bytes()).expect("PEM")).expect("a root");
    let config = ClientConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().expect("versions").with_root_certificates(roots);
    let name = ServerName::try_from("localhost").expect("a name");
    let client = ClientConnection::new(Arc::new(config.with_no_client_auth()), name).map_err(io::Error::other)?;
    let stream = TcpStream::connect(sandbox.address())?;
    stream.set_read_timeout(Some(PATIENCE))?;
    let mut stream = StreamOwned::new(client, stream);
    while stream.conn.is_handshaking() {
        stream.conn.complete_io(&mut stream.sock)?;
    }
    Ok(stream)
}

/// Asks on an open connection; the status, and the body where it is JSON.
fn ask(stream: &mut Secure, head: &str, body: &str) -> (u16, Json) {
    let length = body.len();
    write!(stream, "{head}host: localhost\r\ncontent-length: {length}\r\n\r\n{body}").expect("it is sent");
    let (mut head, mut byte) = (String::new(), [0]);
    while !head.ends_with("\r\n\r\n") {
        stream.read_exact(&mut byte).expect("it is answered");
        head.push(char::from(byte[0]));
    }
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
    let mut body = vec![0; length.unwrap_or(0)];
    stream.read_exact(&mut body).expect("it is answered");
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    (status, serde_json::from_slice(&body).unwrap_or(Json::Null))
}

const WORLDS: &str = "GET /_sandbox/worlds HTTP/1.1\r\n";

/// A token of the first partner, and its client.
fn token(sandbox: &Sandbox, stream: &mut Secure) -> (String, String) {
    let (id, secret) = (sandbox.text(0, "clientId"), sandbox.text(0, "clientSecret"));
    let form = format!("grant_type=client_credentials&client_id={id}&client_secret={secret}");
    let head = "POST /v2/partner/auth/token HTTP/1.1\r\ncontent-type: application/x-www-form-urlencoded\r\n";
    let (status, answer) = ask(stream, head, &form);
    assert_eq!(status, 200, "{answer}");
    let client = sandbox.partner(0, "clients")[0]["id"].as_str().expect("a client").to_owned();
    (answer["access_token"].as_str().expect("a token").to_owned(), client)
}

/// A server with these files, and the lines of its log that are warnings or worse.
fn serve(certificate: &Path, key: &Path) -> (Sandbox, mpsc::Receiver<String>) {
    let (certificate, key) = (certificate.to_str().expect("text"), key.to_str().expect("text"));
    let all = ["serve", "--listen", "127.0.0.1:0", "--output", "json", "--clock", "frozen", "--log-level", "warn"];
    let tls = ["--tls-cert", certificate, "--tls-key", key];
    let mut sandbox = Sandbox::spawn(command(&[&all[..], &tls].concat()).stderr(Stdio::piped()));
    let (sender, lines) = mpsc::channel();
    let pipe = sandbox.child.stderr.take().expect("a pipe");
    thread::spawn(move || {
        BufReader::new(pipe)
            .lines()
            .map_while(Result::ok)
            .take_while(|line| sender.send(line.clone()).is_ok())
            .for_each(drop);
    });
    (sandbox, lines)
}

/// Waits until `is_so`.
fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !is_so() {
        assert!(begun.elapsed() < PATIENCE, "{what}");
        thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn over_https_who_trusts_the_certificate_is_answered_and_nobody_else_and_plain_http_says_why() {
    let folder = folder("tls-files");
    let made = Made::new(false);
    let (certificate, key) = made.put(&folder);
    let (sandbox, log) = serve(&certificate, &key);
    assert!(sandbox.url().starts_with("https://127.0.0.1:"), "{}", sandbox.url());
    assert_eq!(sandbox.line["tls"]["certificate"].as_str(), certificate.to_str());
    assert_eq!(sandbox.line["tls"]["sha256"].as_str().map(str::len), Some(95));
    let mut stream = connect(&sandbox, &made.certificate).expect("a handshake");
    let (token, client) = token(&sandbox, &mut stream);
    let head = format!("GET /v2/partner/client/{client}/account HTTP/1.1\r\nauthorization: Bearer {token}\r\n");
    assert_eq!(ask(&mut stream, &head, "").0, 200);
    assert_eq!(ask(&mut stream, WORLDS, "").1[0]["url"].as_str(), Some(sandbox.url()));
    let refused = connect(&sandbox, &Made::new(false).certificate).map(drop).expect_err("another certificate");
    assert!(refused.to_string().contains("invalid peer certificate"), "{refused}");
    let (status, body) = sandbox.ask(WORLDS, "");
    let why = format!("this server speaks HTTPS, and the request is plain HTTP: call {}", sandbox.url());
    assert_eq!((status, body["error_description"].as_str()), (400, Some(&*why)));
    let open = log.recv_timeout(PATIENCE).expect("the key's file is not its owner's alone");
    assert!(open.contains("others on this machine can read or write it") && open.contains("chmod 600"), "{open}");
    assert!(sandbox.child.id() > 0 && sandbox.stop("-TERM") == Some(0));
}

#[test]
fn an_event_socket_opens_over_wss() {
    let folder = folder("tls-socket");
    let made = Made::new(false);
    let (certificate, key) = made.put(&folder);
    let (sandbox, _log) = serve(&certificate, &key);
    let mut stream = connect(&sandbox, &made.certificate).expect("a handshake");
    let (token, client) = token(&sandbox, &mut stream);
    write!(
        stream,
        "GET /v2/partner/client/{client}/subscribe HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer {token}\r\n\
         connection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\n\
         sec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
    .expect("it is sent");
    let mut received = Vec::new();
    while !String::from_utf8_lossy(&received).contains("\"hello\"") {
        let mut bytes = [0; 1_024];
        let count = stream.read(&mut bytes).expect("an answer");
        assert!(count > 0, "{}", String::from_utf8_lossy(&received));
        received.extend_from_slice(&bytes[..count]);
    }
    assert!(received.starts_with(b"HTTP/1.1 101 "), "{}", String::from_utf8_lossy(&received));
    let stopping = std::thread::spawn(move || sandbox.stop("-TERM"));
    let mut rest = Vec::new();
    // A client that answers the close frame lets the server end the connection in its own time.
    while !rest.windows(4).any(|bytes| bytes[0] == 0x88 && bytes[2..] == 1_001_u16.to_be_bytes()) {
        let mut bytes = [0; 1_024];
        let count = stream.read(&mut bytes).expect("a close frame");
        assert!(count > 0, "{}", String::from_utf8_lossy(&rest));
        rest.extend_from_slice(&bytes[..count]);
    }
    stream.write_all(&[0x88, 0x80, 0, 0, 0, 0]).expect("it is sent");
    stream.read_to_end(&mut rest).expect("an end that TLS announces");
    assert!(String::from_utf8_lossy(&rest).contains("server_closing"), "the socket receives the stop");
    assert_eq!(stopping.join().expect("no panic"), Some(0));
}

#[test]
fn a_hang_up_brings_the_new_certificate_to_new_connections_and_a_wrong_pair_changes_nothing() {
    let folder = folder("tls-reload");
    let (first, second) = (Made::new(false), Made::new(false));
    let (certificate, key) = first.put(&folder);
    let (sandbox, log) = serve(&certificate, &key);
    drop(log.recv_timeout(PATIENCE).expect("the key's file is not its owner's alone"));
    let mut open = connect(&sandbox, &first.certificate).expect("a handshake");
    assert_eq!(ask(&mut open, WORLDS, "").0, 200);
    second.put(&folder);
    sandbox.signal("-HUP");
    until("the new certificate is shown", || connect(&sandbox, &second.certificate).is_ok());
    connect(&sandbox, &first.certificate).map(drop).expect_err("the old one is no longer shown");
    assert_eq!(ask(&mut open, WORLDS, "").0, 200, "an open connection continues");
    drop(log.recv_timeout(PATIENCE).expect("the key's file is warned of again"));
    for (text, why) in [
        (&first.key, "is not the key of the first certificate of --tls-cert "),
        (&"no key".to_owned(), "it holds no private key"),
    ] {
        std::fs::write(&key, text).expect("a file");
        sandbox.signal("-HUP");
        let line = log.recv_timeout(PATIENCE).expect("it is logged");
        assert!(line.contains(why) && line.ends_with("the certificate from before stays in force"), "{line}");
        connect(&sandbox, &second.certificate).map(drop).expect("the certificate from before");
    }
    std::fs::remove_file(&certificate).expect("the file goes");
    sandbox.signal("-HUP");
    let line = log.recv_timeout(PATIENCE).expect("it is logged");
    assert!(line.contains("it cannot be read: "), "{line}");
    assert_eq!(ask(&mut open, WORLDS, "").0, 200);
    assert_eq!(sandbox.stop("-TERM"), Some(0));
}

#[test]
fn without_a_certificate_of_files_a_hang_up_still_stops_the_server() {
    for arguments in [&[][..], &["--tls-self-signed"]] {
        assert_eq!(Sandbox::start(arguments).stop("-HUP"), Some(0), "{arguments:?}");
    }
}

#[test]
fn clients_that_say_nothing_hold_up_nobody() {
    let folder = folder("tls-silent");
    let made = Made::new(false);
    let (certificate, key) = made.put(&folder);
    let (sandbox, _log) = serve(&certificate, &key);
    let silent: Vec<_> = (0..200)
        .map(|at| {
            let mut stream = TcpStream::connect(sandbox.address()).expect("the port accepts");
            if at % 2 == 0 {
                stream.write_all(&[22, 3, 1, 2, 0, 1]).expect("it is sent");
            }
            stream
        })
        .collect();
    let begun = Instant::now();
    for _ in 0..20 {
        let mut stream = connect(&sandbox, &made.certificate).expect("a handshake");
        assert_eq!(ask(&mut stream, WORLDS, "").0, 200);
    }
    assert!(begun.elapsed() < Duration::from_secs(8), "20 requests took {:?} beside {}", begun.elapsed(), silent.len());
    for mut stream in silent {
        stream.set_read_timeout(Some(PATIENCE)).expect("a time limit");
        let mut rest = Vec::new();
        // It may be cut off as well.
        drop(stream.read_to_end(&mut rest));
        assert!(begun.elapsed() < Duration::from_secs(18), "a silent client is given up");
    }
}

#[test]
fn a_certificate_for_tries_is_kept_with_the_worlds_and_written_for_clients_without_its_key() {
    let folder = folder("tls-self-signed");
    let data = folder.join("data");
    let out = folder.join("clients.pem");
    let start = |more: &[&str]| Sandbox::start(&[&["--tls-self-signed", "--clock", "frozen"], more].concat());
    let file = |sandbox: &Sandbox| PathBuf::from(sandbox.line["tls"]["certificate"].as_str().expect("a path"));
    let works = |sandbox: &Sandbox| {
        let text = std::fs::read_to_string(file(sandbox)).expect("a file");
        assert!(text.starts_with("-----BEGIN CERTIFICATE-----") && !text.contains("KEY"), "{text}");
        let mut stream = connect(sandbox, &text).expect("a handshake");
        assert_eq!(ask(&mut stream, WORLDS, "").0, 200);
    };
    let kept = ["--data", data.to_str().expect("text")];
    let first = start(&kept);
    works(&first);
    assert_eq!(file(&first), data.join("certificate.pem"));
    let print = first.line["tls"].clone();
    assert_eq!(first.stop("-TERM"), Some(0));
    let second = start(&kept);
    assert_eq!(second.line["tls"], print, "it is the one from before");
    works(&second);
    assert_eq!(second.stop("-TERM"), Some(0));

    let fleeting = start(&[]);
    works(&fleeting);
    assert_ne!(fleeting.line["tls"]["sha256"], print["sha256"]);
    let path = file(&fleeting);
    assert_eq!(fleeting.stop("-TERM"), Some(0));
    assert!(!path.exists(), "what is for nobody any more is removed");

    let named = start(&["--tls-cert-out", out.to_str().expect("text")]);
    assert_eq!(file(&named), out);
    works(&named);
}

#[test]
fn commands_speak_https_to_a_server_that_ca_file_names_and_say_what_is_wrong_with_others() {
    let folder = folder("tls-commands");
    for calls_itself_authority in [false, true] {
        let made = Made::new(calls_itself_authority);
        let (certificate, key) = made.put(&folder);
        let (sandbox, _log) = serve(&certificate, &key);
        let url = sandbox.url();
        let certificate = certificate.to_str().expect("text");
        let story = ["run", "scenarios/orders/hold-lapses.yaml", "--driver", "live", "--url", url];
        let record = ["record", "--url", url];
        for job in [&story[..], &record] {
            let output = fundsim(&[job, &["--ca-file", certificate]].concat());
            assert_eq!(output.code, 0, "{job:?}: {}{}", output.out, output.err);
            let output = fundsim(job);
            let why = format!(
                "fundsim: {url}: cannot connect: the certificate is of an issuer that is not trusted here; --ca-file FILE"
            );
            assert!(output.code == 2 && output.err.starts_with(&why), "{job:?}: {}", output.err);
        }
        let output = super::called(command(&record).env("SSL_CERT_FILE", certificate).output().expect("it starts"));
        assert_eq!(output.code, 0, "SSL_CERT_FILE: {}", output.err);
        let output = super::called(command(&record).env("FUNDSIM_CA_FILE", certificate).output().expect("it starts"));
        assert_eq!(output.code, 0, "FUNDSIM_CA_FILE: {}", output.err);
        let plain = url.replace("https://", "http://");
        let output = fundsim(&["record", "--url", &plain]);
        assert!(output.code == 2 && output.err.contains("this server speaks HTTPS"), "{}", output.err);
    }
    let sandbox = Sandbox::start(&[]);
    let output = fundsim(&["record", "--url", &sandbox.url().replace("http://", "https://")]);
    assert!(output.code == 2 && output.err.contains("the server does not speak TLS"), "{}", output.err);
}

/// A partner's server in TLS that answers each post with 200; its URL, and the posts.
fn receiver(made: &Made) -> (String, mpsc::Receiver<String>) {
    let chain = vec![CertificateDer::from_pem_slice(made.certificate.as_bytes()).expect("PEM")];
    let key = PrivateKeyDer::from_pem_slice(made.key.as_bytes()).expect("PEM");
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().expect("versions").with_no_client_auth();
    let config = Arc::new(config.with_single_cert(chain, key).expect("a pair"));
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("https://localhost:{}/hook", listener.local_addr().expect("an address").port());
    let (sender, posts) = mpsc::channel();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let connection = ServerConnection::new(Arc::clone(&config)).expect("a configuration");
            let mut stream = StreamOwned::new(connection, stream);
            let mut text = Vec::new();
            let mut bytes = [0; 4_096];
            // A caller that does not trust it ends here.
            while let Ok(count @ 1..) = stream.read(&mut bytes) {
                text.extend_from_slice(&bytes[..count]);
                if text.ends_with(b"}") {
                    drop(stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n"));
                    stream.conn.send_close_notify();
                    drop(stream.flush());
                    drop(sender.send(String::from_utf8_lossy(&text).into_owned()));
                    break;
                }
            }
        }
    });
    (url, posts)
}

/// What a server with these arguments says of its first delivery to `url`, as soon as there was an attempt.
fn first_attempt(arguments: &[&str], variables: &[(&str, &str)], url: &str) -> Json {
    let all = ["serve", "--listen", "127.0.0.1:0", "--output", "json", "--clock", "frozen", "--log-level", "off"];
    let mut serve = command(&[&all[..], arguments].concat());
    let sandbox = Sandbox::spawn(serve.envs(variables.iter().copied()).stderr(Stdio::null()));
    let token = sandbox.token(0);
    let client = sandbox.partner(0, "clients")[0]["id"].clone();
    sandbox.posts(&token, "/simulations/account", &json!({ "clientId": client, "accountType": "isk", "cash": 5000 }));
    let head = format!(
        "POST /_sandbox/worlds/current/webhooks HTTP/1.1\r\nauthorization: Bearer {token}\r\ncontent-type: application/json\r\n"
    );
    let hook = json!({ "client": client, "url": url, "events": ["account.create"] });
    assert!((200..300).contains(&sandbox.ask(&head, &hook.to_string()).0));
    sandbox.posts(&token, "/simulations/account", &json!({ "clientId": client, "accountType": "isk", "cash": 5000 }));
    let head = format!("GET /_sandbox/worlds/current/deliveries HTTP/1.1\r\nauthorization: Bearer {token}\r\n");
    let mut found = Json::Null;
    until("an attempt is made", || {
        let list = sandbox.ask(&head, "").1;
        found = list["deliveries"][0]["attempts"][0].clone();
        !found.is_null()
    });
    found
}

#[test]
fn a_webhook_reaches_an_https_receiver_that_ca_file_names_and_fails_with_the_reason_at_another() {
    let folder = folder("tls-receiver");
    for calls_itself_authority in [false, true] {
        let [made, other] = [(); 2].map(|()| Made::named(&["localhost"], calls_itself_authority));
        let (certificate, _) = made.put(&folder);
        let elsewhere = folder.join("other.pem");
        std::fs::write(&elsewhere, &other.certificate).expect("a file");
        let (certificate, elsewhere) = (certificate.to_str().expect("text"), elsewhere.to_str().expect("text"));
        let (url, posts) = receiver(&made);
        for (arguments, variables) in
            [(&["--ca-file", certificate][..], &[][..]), (&[], &[("SSL_CERT_FILE", certificate)])]
        {
            let attempt = first_attempt(arguments, variables, &url);
            assert_eq!(attempt["status"].as_u64(), Some(200), "{attempt}");
            assert!(posts.recv_timeout(PATIENCE).expect("a post").starts_with("POST /hook HTTP/1.1\r\n"));
        }
        for (arguments, variables) in [
            (&[][..], &[][..]),
            (&["--ca-file", elsewhere], &[]),
            (&[], &[("SSL_CERT_FILE", elsewhere)]),
            (&[], &[("SSL_CERT_FILE", "/no/such/file")]),
        ] {
            let attempt = first_attempt(arguments, variables, &url);
            assert_eq!(attempt["error"].as_str(), Some("unknownIssuer"), "{arguments:?} {variables:?}: {attempt}");
        }
        let attempt = first_attempt(&["--ca-file", certificate], &[], &url.replace("localhost", "127.0.0.1"));
        assert_eq!(attempt["error"].as_str(), Some("certificateForAnotherHost"), "{attempt}");
    }
}

#[test]
fn a_configuration_file_names_certificates_beside_it_and_is_refused_by_its_name_when_they_do_not_go_together() {
    let folder = folder("tls-configuration");
    let made = Made::new(false);
    made.put(&folder);
    let file = folder.join("fundsim.yaml");
    let config = |text: &str| {
        std::fs::write(&file, text).expect("a file");
        ["--config", file.to_str().expect("text")]
    };
    let sandbox = Sandbox::start(&config("tlsCert: server.pem\ntlsKey: server.key\ncaFile: server.pem\n"));
    connect(&sandbox, &made.certificate).expect("a handshake");
    let sandbox =
        Sandbox::start(&[&config("tlsCert: server.pem\ntlsKey: server.key\n")[..], &["--tls-self-signed"]].concat());
    connect(&sandbox, &made.certificate).map(drop).expect_err("flags win");
    for (text, why) in [
        ("tlsCert: server.pem\n", "tlsCert and tlsKey go together"),
        (
            "tlsCert: server.pem\ntlsKey: server.key\ntlsSelfSigned: true\n",
            "tlsSelfSigned is instead of tlsCert and tlsKey",
        ),
        ("tlsCertOut: out.pem\n", "tlsCertOut goes with tlsSelfSigned"),
    ] {
        let output = fundsim(&[&["serve", "--listen", "127.0.0.1:0"], &config(text)[..]].concat());
        let why = format!("fundsim: {}: {why}\n", file.display());
        assert!(output.code == 2 && output.err == why, "{}", output.err);
    }
}
