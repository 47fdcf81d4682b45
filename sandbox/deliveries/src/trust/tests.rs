//! Which certificates are trusted, over handshakes in memory.

use std::path::PathBuf;

use rcgen::{
    BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, Issuer, KeyPair, KeyUsagePurpose, date_time_ymd,
};
use rustls::ServerConfig;
use rustls::pki_types::PrivateKeyDer;
use tokio_rustls::{TlsAcceptor, TlsConnector};

use super::*;

/// A certificate as PEM, and what serves with it.
struct Made {
    pem: String,
    server: TlsAcceptor,
}

fn served(chain: Vec<CertificateDer<'static>>, key: &KeyPair) -> TlsAcceptor {
    let key = PrivateKeyDer::try_from(key.serialize_der()).expect("a key");
    let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let builder = builder.with_safe_default_protocol_versions().expect("versions").with_no_client_auth();
    Arc::new(builder.with_single_cert(chain, key).expect("a pair")).into()
}

/// A certificate of its own authority for `localhost`, changed by `change`.
fn own(change: impl FnOnce(&mut CertificateParams)) -> Made {
    let mut params = CertificateParams::new(["localhost".to_owned()]).expect("names");
    change(&mut params);
    let key = KeyPair::generate().expect("a key");
    let made = params.self_signed(&key).expect("made");
    Made { pem: made.pem(), server: served(vec![made.der().clone()], &key) }
}

/// A certificate of a private authority; the PEM is the authority's.
fn issued() -> Made {
    let mut params = CertificateParams::new([]).expect("no names");
    params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    params.key_usages = vec![KeyUsagePurpose::KeyCertSign];
    let authority = CertifiedIssuer::self_signed(params, KeyPair::generate().expect("a key")).expect("made");
    let issuer: &Issuer<'_, KeyPair> = &authority;
    let key = KeyPair::generate().expect("a key");
    let made = CertificateParams::new(["localhost".to_owned()]).expect("names").signed_by(&key, issuer).expect("made");
    Made { pem: authority.pem(), server: served(vec![made.der().clone()], &key) }
}

fn file(name: &str, text: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("fundsim-trust-{}-{name}.pem", std::process::id()));
    std::fs::write(&path, text).expect("a file");
    path
}

fn trust(name: &str, text: &str) -> Result<Trust, String> {
    let path = file(name, text);
    let trust = Trust::of_file(&path);
    std::fs::remove_file(path).expect("the file goes");
    trust
}

/// What a client with this trust says to a server that it calls by `name`.
async fn called(trust: &Trust, made: &Made, name: &'static str) -> Result<(), Failure> {
    let (ours, theirs) = tokio::io::duplex(16 * 1024);
    let server = made.server.clone();
    tokio::spawn(async move { drop(server.accept(theirs).await) });
    let connector = TlsConnector::from(trust.client_config());
    let agreed = connector.connect(ServerName::try_from(name).expect("a name"), ours).await;
    agreed.map(drop).map_err(|error| failure_of(fault_of_tls(&error).expect("a fault of TLS")))
}

/// (rule: events/receiver-trust)
#[tokio::test]
async fn a_named_authority_is_trusted_and_nobody_else_is() {
    let (made, other) = (issued(), issued());
    let named = trust("authority", &made.pem).expect("a certificate");
    assert_eq!(called(&named, &made, "localhost").await, Ok(()));
    assert_eq!(called(&named, &other, "localhost").await, Err(Failure::UnknownIssuer));
    assert_eq!(called(&Trust::default(), &made, "localhost").await, Err(Failure::UnknownIssuer));
    assert_eq!(called(&named, &made, "elsewhere.test").await, Err(Failure::CertificateForAnotherHost));
    let both = trust("bundle", &(made.pem.clone() + "text between\n" + &other.pem)).expect("two certificates");
    for made in [&made, &other] {
        assert_eq!(called(&both, made, "localhost").await, Ok(()));
    }
}

#[tokio::test]
async fn a_certificate_of_its_own_authority_is_trusted_by_itself_also_when_it_calls_itself_an_authority() {
    for (name, is_ca) in [("leaf", IsCa::NoCa), ("openssl", IsCa::Ca(BasicConstraints::Unconstrained))] {
        let (made, other) = (own(|params| params.is_ca = is_ca), own(|params| params.is_ca = is_ca));
        let named = trust(name, &made.pem).expect("a certificate");
        assert_eq!(called(&named, &made, "localhost").await, Ok(()), "{name}");
        assert_eq!(called(&named, &made, "elsewhere.test").await, Err(Failure::CertificateForAnotherHost), "{name}");
        assert_eq!(called(&named, &other, "localhost").await, Err(Failure::UnknownIssuer), "{name}");
        assert_eq!(called(&Trust::default(), &made, "localhost").await, Err(Failure::UnknownIssuer), "{name}");
    }
}

#[tokio::test]
async fn a_certificate_whose_period_is_over_or_to_come_is_refused_also_when_it_is_named() {
    for (name, is_ca) in [("old-leaf", IsCa::NoCa), ("old-openssl", IsCa::Ca(BasicConstraints::Unconstrained))] {
        let past = own(|params| (params.not_after, params.is_ca) = (date_time_ymd(2001, 1, 1), is_ca));
        let future = own(|params| (params.not_before, params.is_ca) = (date_time_ymd(3001, 1, 1), is_ca));
        for made in [past, future] {
            let named = trust(name, &made.pem).expect("a certificate");
            assert_eq!(called(&named, &made, "localhost").await, Err(Failure::CertificateExpired), "{name}");
        }
    }
}

#[test]
fn a_file_without_a_certificate_is_refused_in_words() {
    let key = KeyPair::generate().expect("a key").serialize_pem();
    for (name, text, why) in [
        ("empty", "", "it holds no certificate"),
        ("key", &key, "it holds no certificate"),
        ("half", "-----BEGIN CERTIFICATE-----\nAAAA\n", "it is not well-formed PEM: "),
        (
            "nonsense",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n",
            "certificate 1 of it cannot be used: ",
        ),
    ] {
        let refused = trust(name, text).expect_err("no certificate");
        assert!(refused.starts_with(why), "{name}: {refused}");
    }
    let refused = Trust::of_file(Path::new("no/such/file")).expect_err("no file");
    assert!(refused.starts_with("it cannot be read: "), "{refused}");
}

#[test]
fn a_fault_of_tls_is_found_however_deep_it_is_and_explained() {
    let fault = rustls::Error::from(CertificateError::UnknownIssuer);
    let deep = io::Error::other(io::Error::new(io::ErrorKind::InvalidData, fault));
    assert!(explained(fault_of_tls(&deep).expect("a fault")).contains("--ca-file FILE"));
    assert!(fault_of_tls(&io::Error::other("no fault of TLS")).is_none());
}
