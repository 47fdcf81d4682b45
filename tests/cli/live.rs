//! `fundsim run --driver live` against servers that are absent, silent, slow or gone in the middle of an answer.

use super::{folder, fundsim};
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

const STORY: &str = "scenario: The clock\nsteps:\n  - expect clock: any\n";
const HEAD: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 1000\r\n\r\n";
const HEALTHY: &[u8] = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}";

/// A server that treats each connection as `serve` does; its URL.
fn server(serve: impl Fn(TcpStream) + Send + Copy + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            thread::spawn(move || serve(stream));
        }
    });
    format!("http://{address}")
}

/// Reads a request's first bytes.
fn read_request(stream: &mut TcpStream) -> String {
    let mut bytes = [0; 2_048];
    let count = stream.read(&mut bytes).unwrap_or(0);
    String::from_utf8_lossy(&bytes[..count]).into_owned()
}

/// Holds the connection until the other side ends it.
fn hold(mut stream: TcpStream) {
    while !read_request(&mut stream).is_empty() {}
}

fn trickle(mut stream: TcpStream) {
    read_request(&mut stream);
    let mut bytes = HEAD.iter().chain(std::iter::repeat(&b' '));
    while stream.write_all(&[*bytes.next().unwrap_or(&b' ')]).is_ok() {
        thread::park_timeout(Duration::from_millis(2));
    }
}

#[test]
fn a_server_that_does_not_answer_is_given_up_in_time_with_one_line_that_says_why() {
    let nobody = {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        format!("http://{}", listener.local_addr().expect("an address"))
    };
    let silent = server(hold);
    let slow = server(trickle);
    let half = server(|mut stream| {
        read_request(&mut stream);
        drop(stream.write_all(&[HEAD, b"{\"half\":"].concat()));
    });
    let healthy_then_silent = server(|mut stream| {
        if read_request(&mut stream).starts_with("GET /healthz") {
            drop(stream.write_all(HEALTHY));
        }
        hold(stream);
    });
    let folder = folder("unanswered");
    let story = folder.join("clock.yaml");
    std::fs::write(&story, STORY).expect("a file can be written");
    let story = story.to_str().expect("text");
    for (url, code, why) in [
        (&nobody, 2, "cannot connect: Connection refused"),
        (&silent, 2, "no answer came within 700ms"),
        (&slow, 2, "the answer was not complete within 700ms"),
        (&half, 2, "the answer broke off"),
        (&healthy_then_silent, 1, "/_sandbox/worlds: no answer came within 700ms"),
    ] {
        let begun = Instant::now();
        let output = fundsim(&["run", story, "--driver", "live", "--url", url, "--timeout", "700ms"]);
        assert_eq!(output.code, code, "{url}: {}{}", output.out, output.err);
        let all = format!("{}{}", output.out, output.err);
        assert_eq!(all.lines().filter(|line| line.contains(why)).count(), 1, "{why}: {all}");
        assert!(code == 1 || output.err.lines().count() == 1, "{}", output.err);
        // Starting takes its time on a busy machine; a byte a moment would take hours.
        assert!(begun.elapsed() < Duration::from_secs(20), "{why} took {:?}", begun.elapsed());
    }
}

#[test]
fn a_time_limit_is_for_servers_only_and_must_be_one() {
    let live = ["run", "scenarios/orders", "--driver", "live", "--url", "http://127.0.0.1:1", "--timeout", "soon"];
    for (arguments, why) in
        [(&["run", "scenarios/orders", "--timeout", "5s"][..], "--driver live"), (&live, "`soon` is not a duration")]
    {
        let output = fundsim(arguments);
        assert!(output.code == 2 && output.err.contains(why), "{}", output.err);
    }
}

#[test]
fn what_asks_a_running_server_gives_a_silent_one_up_and_says_so() {
    let silent = server(hold);
    let healthy_then_silent = server(|mut stream| {
        if read_request(&mut stream).starts_with("GET /healthz") {
            drop(stream.write_all(HEALTHY));
        }
        hold(stream);
    });
    let id = "00000000-0000-4000-8000-000000000000";
    for url in [&silent, &healthy_then_silent] {
        for job in [&["why", id][..], &["record"], &["why", id, "--client-id", id, "--client-secret", "s"]] {
            let begun = Instant::now();
            let output = fundsim(&[job, &["--url", url, "--timeout", "700ms"]].concat());
            assert_eq!((output.code, output.out.as_str()), (2, ""), "{job:?}: {}", output.err);
            assert!(
                output.err.contains("no answer came within 700ms") && output.err.lines().count() == 1,
                "{}",
                output.err
            );
            assert!(begun.elapsed() < Duration::from_secs(20), "{job:?} took {:?}", begun.elapsed());
        }
    }
}
