//! A certificate and its key, as PEM files hold them.
//!
//! Invariant: no message contains anything of a key's file. Absent on purpose: which files, and what is done when they do not fit.

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier as _;
use rustls::crypto::ring;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName, UnixTime};
use rustls::{CertificateError, RootCertStore};
use sha2::{Digest as _, Sha256};
use sim::time::Instant;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Bytes of a file with certificates or a key: a chain has a few thousand.
const LARGEST: u64 = 1024 * 1024;

/// A chain of certificates, the server's own first, with the key of that one.
pub(super) struct Pair {
    pub(super) chain: Vec<CertificateDer<'static>>,
    pub(super) key: PrivateKeyDer<'static>,
}

/// The SHA-256 of a certificate as browsers and `openssl x509 -fingerprint` show it.
pub(super) fn fingerprint(certificate: &CertificateDer<'_>) -> String {
    Sha256::digest(certificate).iter().map(|byte| format!("{byte:02X}")).collect::<Vec<_>>().join(":")
}

impl Pair {
    /// Reads both.
    ///
    /// # Errors
    /// Which of them is of no use, and why.
    pub(super) fn read(certificate: &Path, key: &Path) -> Result<Self, String> {
        let of_certificate = |why: String| format!("--tls-cert {}: {why}", certificate.display());
        let of_key = |why: String| format!("--tls-key {}: {why}", key.display());
        let chain = chain(&bytes(certificate).map_err(of_certificate)?).map_err(of_certificate)?;
        let private = bytes(key).and_then(|bytes| private_key(&bytes, key)).map_err(of_key)?;
        Ok(Self { chain, key: private })
    }
}

/// A file that is not too large.
pub(super) fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    let unread = |error| format!("it cannot be read: {error}");
    // A pipe that nobody writes to would be waited for.
    let metadata = std::fs::metadata(path).map_err(unread)?;
    if !metadata.is_file() || metadata.len() > LARGEST {
        return Err("it is not a file, or too large".to_owned());
    }
    std::fs::read(path).map_err(unread)
}

/// The certificates of a file.
pub(super) fn chain(bytes: &[u8]) -> Result<Vec<CertificateDer<'static>>, String> {
    let chain: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(bytes).collect();
    let chain = chain.map_err(|error| format!("it is not well-formed PEM: {error}"))?;
    if chain.is_empty() {
        return Err("it holds no certificate; PEM begins with -----BEGIN CERTIFICATE-----".to_owned());
    }
    Ok(chain)
}

/// The key in a file, which is at `path`.
pub(super) fn private_key(bytes: &[u8], path: &Path) -> Result<PrivateKeyDer<'static>, String> {
    PrivateKeyDer::from_pem_slice(bytes).map_err(|error| match error {
        pem::Error::NoItemsFound if is_encrypted(bytes) => format!(
            "its key is encrypted; `openssl pkey -in {} -out FILE` writes it without a passphrase",
            path.display()
        ),
        pem::Error::NoItemsFound => "it holds no private key; PEM begins with -----BEGIN PRIVATE KEY-----".to_owned(),
        // Whatever is in the file stays there.
        _ => "it is not well-formed PEM".to_owned(),
    })
}

fn is_encrypted(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(bytes).contains("-----BEGIN ENCRYPTED PRIVATE KEY-----")
}

/// What is wrong with the period of a certificate at `now`.
pub(super) fn outside_its_period(certificate: &CertificateDer<'static>, now: Duration) -> Option<String> {
    let moment = |at: UnixTime| Instant::from_ms(i64::try_from(at.as_secs() * 1_000).unwrap_or(i64::MAX));
    // The period is checked before anything else.
    match verified(certificate, "localhost", now)? {
        CertificateError::ExpiredContext { not_after, .. } => Some(format!("it has expired: {}", moment(not_after))),
        CertificateError::NotValidYetContext { not_before, .. } => {
            Some(format!("it is not valid before {}", moment(not_before)))
        }
        _ => None,
    }
}

/// What a client finds wrong with `certificate` at `now`, that trusts it and calls the server `name`.
pub(super) fn verified(certificate: &CertificateDer<'static>, name: &str, now: Duration) -> Option<CertificateError> {
    let mut roots = RootCertStore::empty();
    if roots.add(certificate.clone()).is_err() {
        return Some(CertificateError::BadEncoding);
    }
    let provider = Arc::new(ring::default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(Arc::new(roots), provider).build();
    let (Ok(verifier), Ok(name)) = (verifier, ServerName::try_from(name)) else {
        return Some(CertificateError::NotValidForName);
    };
    match verifier.verify_server_cert(certificate, &[], &name, &[], UnixTime::since_unix_epoch(now)) {
        Ok(_) => None,
        Err(rustls::Error::InvalidCertificate(error)) => Some(error),
        Err(_) => Some(CertificateError::BadEncoding),
    }
}
