//! `fundsim health`: its line and its exit code, beside servers in every condition.

use super::serve::Sandbox;
use super::{called, command, fundsim};
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::thread;

/// One line on standard output, nothing on standard error.
fn line(output: &super::Called) -> &str {
    assert!(output.err.is_empty() && output.out.lines().count() == 1, "{}{}", output.out, output.err);
    output.out.trim_end()
}

/// A server that answers one request with `answer`, and where it is.
fn answers(answer: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a caller");
        assert!(stream.read(&mut [0; 4096]).expect("a request") > 0);
        write!(stream, "HTTP/1.1 {answer}").expect("it is sent");
    });
    url
}

#[test]
fn a_server_that_takes_requests_is_ready_by_its_url_and_by_the_address_it_was_given() {
    let sandbox = Sandbox::start(&[]);
    let ready = format!("ready: {}", sandbox.url());
    let output = fundsim(&["health", "--url", sandbox.url()]);
    assert_eq!((output.code, line(&output)), (0, &*ready));
    let listen = sandbox.address().replace("127.0.0.1", "0.0.0.0");
    let output = called(command(&["health"]).env("FUNDSIM_LISTEN", listen).output().expect("it starts"));
    assert_eq!((output.code, line(&output)), (0, &*ready));
}

#[test]
fn without_an_answer_and_with_any_other_answer_it_is_not_ready_and_the_exit_code_is_1() {
    let closed = TcpListener::bind("127.0.0.1:0").expect("a port").local_addr().expect("an address");
    let silent = TcpListener::bind("127.0.0.1:0").expect("a port");
    let closing = "503 Service Unavailable\r\ncontent-length: 75\r\n\r\n\
        {\"error\":\"service_unavailable\",\"error_description\":\"the server is closing\"}";
    let rows = [
        (format!("http://{closed}"), "cannot connect: Connection refused"),
        (format!("http://{}", silent.local_addr().expect("an address")), "within 300ms"),
        (answers(closing), "answers 503: the server is closing"),
        (answers("200 OK\r\ncontent-length: 2\r\n\r\n{}"), "answers 200: it is not a fundsim server"),
        (answers("404 Not Found\r\ncontent-length: 0\r\n\r\n"), "answers 404: it is not a fundsim server"),
    ];
    for (url, why) in rows {
        let output = fundsim(&["health", "--url", &url, "--timeout", "300ms"]);
        let line = line(&output);
        assert!(output.code == 1 && line.starts_with("not ready: ") && line.contains(&url), "{} {line}", output.code);
        assert!(line.contains(why), "{line}");
    }
}
