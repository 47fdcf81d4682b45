//! Texts that a partner hands in with a journey: scopes, addresses, mail.

use super::{START, opening};
use crate::common::Bench;
use sim::records::{AccountType, Configuration};
use std::sync::Arc;

/// (rule: journeys/partner-scope)
#[test]
fn a_scope_is_echoed_byte_for_byte_up_to_768_characters() {
    let mut bench = Bench::new(1, START);
    for text in ["", "YQ==", "-_-_", &"a".repeat(768)] {
        let mut create = bench.asked(opening(AccountType::Depot));
        create.partner_data = Some(Arc::from(text));
        let Ok(sim::Reply::Journey(journey)) = bench.ask(create) else { panic!("refused: {text}") };
        assert_eq!(journey.scope.as_deref(), Some(text));
        let ended = bench.complete(journey.id, &[]);
        assert_eq!(bench.callbacks()[0].body.scope.as_deref(), Some(text));
        assert_eq!(ended.scope.as_deref(), Some(text));
    }
}

/// (rule: journeys/partner-scope)
#[test]
fn a_scope_is_base64_in_one_alphabet_with_its_padding() {
    let mut bench = Bench::new(1, START);
    let letters = "scope is not acceptable: base64 in the standard or the URL-safe alphabet is expected";
    let padding = "scope is not acceptable: base64 with correct padding is expected";
    for (text, expected) in [
        ("ab+/", ""),
        ("ab-_", ""),
        ("abc=", ""),
        ("ab==", ""),
        ("ab+_", letters),
        ("ab c", letters),
        ("a=bc", letters),
        ("\u{e5}bc", letters),
        ("abc", padding),
        ("abcde", padding),
        ("a===", padding),
        ("ab=", padding),
    ] {
        let mut create = bench.asked(opening(AccountType::Depot));
        create.partner_data = Some(Arc::from(text));
        assert_eq!(bench.complaint_of(create), expected, "{text}");
    }
}

/// (rule: journeys/callback-url)
#[test]
fn a_callback_goes_to_a_host_and_port_that_can_be() {
    let mut bench = Bench::new(1, START);
    let malformed = "callbackUrl is not acceptable: its host or port is not well formed";
    for (url, expected) in [
        ("https://partner.example/cb", ""),
        ("http://partner.example/cb", ""),
        ("http://[::1]:8080/cb", ""),
        ("https://partner.example:65535/cb", ""),
        ("https://partner.example:65536/cb", malformed),
        ("https://partner.example:0/cb", malformed),
        ("https://partner.example:http/cb", malformed),
        ("https://part,ner.example/cb", malformed),
        ("https://[::g]/cb", malformed),
    ] {
        let mut create = bench.asked(opening(AccountType::Depot));
        create.callback_url = Arc::from(url);
        assert_eq!(bench.complaint_of(create), expected, "{url}");
    }
}

#[test]
fn production_takes_https_callbacks_only() {
    let mut setup = crate::common::setup();
    setup.settings.journeys.https_callbacks_only = true;
    let mut bench = Bench::of(&setup, 1, START);
    let mut create = bench.asked(opening(AccountType::Depot));
    create.callback_url = Arc::from("http://partner.example/cb");
    assert_eq!(bench.complaint_of(create), "callbackUrl is not acceptable: it must be https in production");
    assert_eq!(bench.complaint(opening(AccountType::Depot)), "");
}

/// (rule: journeys/redirect-urls)
#[test]
fn a_customer_is_sent_to_no_address_that_could_run_or_read_something() {
    let mut bench = Bench::new(1, START);
    let refused =
        "redirectUrl is not acceptable: this scheme is refused because browsers give it a meaning of their own";
    let relative = "redirectUrl is not acceptable: an absolute address in printable ASCII is expected";
    let no_app =
        "redirectUrl is not acceptable: an http or https address is expected, or one of an app, such as myapp://done";
    let longest = format!("myapp://{}", "x".repeat(2040));
    for (url, expected) in [
        ("https://partner.example/done#top", ""),
        ("http://partner.example", ""),
        ("myapp://done", ""),
        ("my-app+1.0://done", ""),
        ("my-app+1.0:done", no_app),
        (longest.as_str(), ""),
        ("javascript:alert(1)", refused),
        ("JavaScript:alert(1)", refused),
        ("data:text/html,x", refused),
        ("file:///etc/passwd", refused),
        ("view-source:https://partner.example", refused),
        ("/done", relative),
        ("myapp:", no_app),
        ("1app://done", relative),
        ("my app://done", relative),
        ("https:///done", "redirectUrl is not acceptable: an address with a host is expected"),
        ("https://me@partner.example", "redirectUrl is not acceptable: it must carry no user name or password"),
        (&format!("{longest}x"), "redirectUrl must be at most 2048 characters long"),
    ] {
        for completion in [false, true] {
            let mut create = bench.asked(opening(AccountType::Depot));
            let field = if completion { &mut create.completion_redirect_url } else { &mut create.redirect_url };
            *field = Some(Arc::from(url));
            let name = if completion { "completionRedirectUrl" } else { "redirectUrl" };
            assert_eq!(bench.complaint_of(create), expected.replacen("redirectUrl", name, 1), "{url}");
        }
    }
}

#[test]
fn an_address_for_mail_has_a_box_and_a_host_with_a_dot() {
    let mut bench = Bench::new(1, START);
    let long = |letters: usize| format!("{}@example.com", "x".repeat(letters));
    let domain = |letters: usize| format!("anna@{}.example.com", vec!["x".repeat(letters); 4].join("."));
    for (email, fits) in [
        ("anna@example.com", true),
        ("anna.prov+1@mail.example.com", true),
        (long(64).as_str(), true),
        (long(65).as_str(), false),
        (domain(58).as_str(), true),
        (domain(60).as_str(), false),
        ("anna", false),
        ("@example.com", false),
        ("anna@example", false),
        ("anna@@example.com", false),
        ("an na@example.com", false),
        ("anna@-example.com", false),
        ("<anna>@example.com", false),
        ("\u{e5}nna@example.com", false),
    ] {
        let configuration = Configuration { email: Some(Arc::from(email)), ..opening(AccountType::Depot) };
        let expected = if fits { "" } else { "journey.email is not acceptable: an e-mail address is expected" };
        assert_eq!(bench.complaint(configuration), expected, "{email}");
    }
}
