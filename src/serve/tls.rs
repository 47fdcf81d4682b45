//! The certificate that a server shows: read from files, and again on SIGHUP, or made for tries (rule: wire/tls).
//!
//! Invariant: what a server begins with fits together; what comes later and does not is refused with its reason, and the certificate
//! before it stays in force. No message and no line of the log contains a key. Absent on purpose: the handshake, which is
//! `surface::server`'s.

mod pair;
mod self_signed;

use super::config::{Certificate, Config};
use super::key::TOO_OPEN;
use hosting::log::SERVER;
use pair::{Pair, fingerprint, outside_its_period};
use self_signed::SelfSigned;
use serde_json::{Value as Json, json};
use std::net::IpAddr;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use surface::server::Tls;

/// How a server speaks TLS.
pub(super) struct Secured {
    tls: Tls,
    origin: Origin,
    /// Of the certificate that it began with.
    sha256: String,
    /// What is not as it should be, and no reason not to start.
    warnings: Vec<String>,
}

/// Where a certificate is from.
enum Origin {
    Files { certificate: PathBuf, key: PathBuf },
    SelfSigned(SelfSigned),
}

impl Secured {
    /// What a configuration asks for at `now`, of a server that listens at `listening` and keeps its worlds in `folder`.
    ///
    /// # Errors
    /// Why it cannot be read or made, in words.
    pub(super) fn of(
        config: &Config,
        listening: IpAddr,
        folder: Option<&Path>,
        now: Duration,
    ) -> Result<Option<Self>, String> {
        match &config.certificate {
            None => Ok(None),
            Some(Certificate::Files { certificate, key }) => Self::of_files(certificate, key, now).map(Some),
            Some(Certificate::SelfSigned { out }) => {
                let names = self_signed::names(config, listening);
                let (made, pair) = SelfSigned::of(names, now, folder, out.as_deref())?;
                let sha256 = fingerprint(&pair.chain[0]);
                let tls = Tls::new(pair.chain, pair.key).map_err(|error| format!("--tls-self-signed: {error}"))?;
                Ok(Some(Self { tls, origin: Origin::SelfSigned(made), sha256, warnings: Vec::new() }))
            }
        }
    }

    fn of_files(certificate: &Path, key: &Path, now: Duration) -> Result<Self, String> {
        let pair = Pair::read(certificate, key)?;
        let warnings = warnings(&pair, certificate, key, now);
        let sha256 = fingerprint(&pair.chain[0]);
        let tls = Tls::new(pair.chain, pair.key).map_err(|error| misfit(certificate, key, &error))?;
        let origin = Origin::Files { certificate: certificate.to_owned(), key: key.to_owned() };
        Ok(Self { tls, origin, sha256, warnings })
    }

    /// The certificate in force, for the server that accepts connections.
    pub(super) fn tls(&self) -> Tls {
        self.tls.clone()
    }

    /// Logs what is not as it should be.
    pub(super) fn warn(&self) {
        self.warnings.iter().for_each(|warning| tracing::warn!(target: SERVER, "{warning}"));
    }

    /// Whether SIGHUP has the certificate read again.
    pub(super) const fn is_of_files(&self) -> bool {
        matches!(self.origin, Origin::Files { .. })
    }

    /// Reads the files again at `now` and logs what follows.
    pub(super) fn reload(&self, now: Duration) {
        let Origin::Files { certificate, key } = &self.origin else { return };
        let read = Pair::read(certificate, key).and_then(|pair| {
            let (warnings, sha256) = (warnings(&pair, certificate, key, now), fingerprint(&pair.chain[0]));
            self.tls.replace(pair.chain, pair.key).map_err(|error| misfit(certificate, key, &error))?;
            Ok((warnings, sha256))
        });
        match read {
            Ok((warnings, sha256)) => {
                tracing::info!(
                    target: SERVER,
                    "SIGHUP: new connections get the certificate of {}, SHA-256 {sha256}",
                    certificate.display()
                );
                warnings.iter().for_each(|warning| tracing::warn!(target: SERVER, "{warning}"));
            }
            Err(why) => {
                tracing::error!(target: SERVER, "SIGHUP: {why}; the certificate from before stays in force");
            }
        }
    }

    /// The file with the certificate.
    fn file(&self) -> &Path {
        match &self.origin {
            Origin::Files { certificate, .. } => certificate,
            Origin::SelfSigned(made) => made.file(),
        }
    }

    /// What a program needs to trust the server.
    pub(super) fn json(&self) -> Json {
        json!({ "certificate": self.file(), "sha256": self.sha256 })
    }

    /// The same for a person, in lines.
    pub(super) fn words(&self) -> Vec<String> {
        let first = match &self.origin {
            Origin::Files { .. } => "the certificate is read again on SIGHUP".to_owned(),
            Origin::SelfSigned(made) => made.words(),
        };
        vec![first, format!("certificate  {}", self.file().display()), format!("SHA-256      {}", self.sha256)]
    }

    /// The flag by which `curl` trusts a self-signed certificate, with a space after it; empty for one of files.
    pub(super) fn curl(&self) -> String {
        match &self.origin {
            Origin::Files { .. } => String::new(),
            Origin::SelfSigned(made) => format!("--cacert {} ", quoted(&made.file().display().to_string())),
        }
    }
}

/// A path as a shell reads it.
fn quoted(path: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-+:".contains(&byte);
    if path.bytes().all(is_plain) { path.to_owned() } else { format!("'{}'", path.replace('\'', r"'\''")) }
}

/// Why a certificate and a key are no pair.
fn misfit(certificate: &Path, key: &Path, error: &rustls::Error) -> String {
    let (certificate, key) = (certificate.display(), key.display());
    match error {
        rustls::Error::InconsistentKeys(_) => format!(
            "--tls-key {key} is not the key of the first certificate of --tls-cert {certificate}; the server's own certificate comes \
             first, those of its issuers follow"
        ),
        rustls::Error::InvalidCertificate(_) => format!("--tls-cert {certificate}: {error}"),
        _ => format!("--tls-key {key}: {error}"),
    }
}

/// What is to be said of a pair that can be used.
fn warnings(pair: &Pair, certificate: &Path, key: &Path, now: Duration) -> Vec<String> {
    let mode = std::fs::metadata(key).map_or(0, |metadata| metadata.mode());
    let open = (mode & TOO_OPEN != 0).then(|| {
        let (path, mode) = (key.display(), mode & 0o777);
        format!("--tls-key {path}: others on this machine can read or write it (mode {mode:o}); say `chmod 600 {path}`")
    });
    let outside = outside_its_period(&pair.chain[0], now);
    let outside = outside.map(|why| format!("--tls-cert {}: {why}, so clients refuse it", certificate.display()));
    open.into_iter().chain(outside).collect()
}

#[cfg(test)]
mod tests;
