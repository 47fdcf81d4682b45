//! Whose certificates are trusted where https is called: for callbacks and webhooks, and for the program's own requests.
//!
//! Owns: the order of what names them. A file that the user gives is used instead of the machine's authorities, as `curl --cacert` does; so
//! are `SSL_CERT_FILE` and `SSL_CERT_DIR`; else the machine's are trusted, and where it has none the ones that are built in. Invariant: what
//! a user has named is never added to, also when nothing can be read there. Absent on purpose: switching the check off.

use std::env;
use std::error::Error;
use std::fmt;
use std::io;
use std::path::Path;
use std::sync::{Arc, OnceLock};

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::client::{WebPkiServerVerifier, verify_server_name};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::server::ParsedCertificate;
use rustls::{CertificateError, ClientConfig, DigitallySignedStruct, RootCertStore, SignatureScheme};

use crate::outcome::Failure;

/// Variables that name authorities for all programs of a machine.
const VARIABLES: [&str; 2] = ["SSL_CERT_FILE", "SSL_CERT_DIR"];

/// Where the log has what concerns the whole server.
const SERVER: &str = "sandbox::server";

/// Certificates that are trusted: authorities, and servers whose own certificate was named. Clones share them.
#[derive(Clone, Default)]
pub struct Trust {
    /// What a file of the user holds; the machine's otherwise.
    named: Option<Arc<Vec<CertificateDer<'static>>>>,
    /// Made when the first https address is met: reading the machine's authorities takes a while.
    config: Arc<OnceLock<Arc<ClientConfig>>>,
}

impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Trust").field("named", &self.named.as_ref().map(|named| named.len())).finish()
    }
}

impl PartialEq for Trust {
    fn eq(&self, other: &Self) -> bool {
        self.named == other.named
    }
}

impl Eq for Trust {}

impl Trust {
    /// Trusts what the PEM file at `path` holds, and nothing else.
    ///
    /// # Errors
    /// Why there is no certificate in it, in words.
    pub fn of_file(path: &Path) -> Result<Self, String> {
        let bytes = std::fs::read(path).map_err(|error| format!("it cannot be read: {error}"))?;
        let certificates: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&bytes).collect();
        let certificates = certificates.map_err(|error| format!("it is not well-formed PEM: {error}"))?;
        if certificates.is_empty() {
            return Err("it holds no certificate; PEM begins with -----BEGIN CERTIFICATE-----".to_owned());
        }
        let mut roots = RootCertStore::empty();
        for (at, certificate) in certificates.iter().enumerate() {
            let added = roots.add(certificate.clone());
            added.map_err(|error| format!("certificate {} of it cannot be used: {error}", at + 1))?;
        }
        Ok(Self { named: Some(Arc::new(certificates)), config: Arc::default() })
    }

    /// How a client speaks TLS: 1.2 or 1.3, over HTTP/1.1.
    #[must_use]
    pub fn client_config(&self) -> Arc<ClientConfig> {
        Arc::clone(self.config.get_or_init(|| Arc::new(config(self.named.as_deref()))))
    }
}

fn config(named: Option<&Vec<CertificateDer<'static>>>) -> ClientConfig {
    let provider = Arc::new(ring::default_provider());
    let verifier = match named {
        Some(named) => Verifier::of(&provider, named.clone(), named.clone()),
        None => of_the_machine(&provider),
    };
    ClientConfig::builder_with_provider(provider)
        .with_protocol_versions(&[&rustls::version::TLS13, &rustls::version::TLS12])
        .expect("ring speaks both versions")
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(verifier))
        .with_no_client_auth()
}

/// Trusts what the variables name, or the machine, or what is built in where the machine has nothing.
fn of_the_machine(provider: &Arc<CryptoProvider>) -> Verifier {
    let is_set = |name: &&&str| env::var_os(name).is_some_and(|value| !value.is_empty());
    let variable = VARIABLES.iter().find(is_set);
    let found = rustls_native_certs::load_native_certs();
    if let Some(name) = variable {
        if found.certs.is_empty() {
            let why = found.errors.first().map_or_else(|| "it holds no certificate".to_owned(), ToString::to_string);
            tracing::warn!(target: SERVER, "{name}: {why}; so the certificate of no https address is trusted");
        }
        return Verifier::of(provider, found.certs.clone(), found.certs);
    }
    if found.certs.is_empty() {
        let roots = RootCertStore { roots: webpki_roots::TLS_SERVER_ROOTS.to_vec() };
        return Verifier { usual: usual(provider, roots), named: Vec::new(), provider: Arc::clone(provider) };
    }
    Verifier::of(provider, found.certs, Vec::new())
}

fn usual(provider: &Arc<CryptoProvider>, roots: RootCertStore) -> Option<Arc<WebPkiServerVerifier>> {
    WebPkiServerVerifier::builder_with_provider(Arc::new(roots), Arc::clone(provider)).build().ok()
}

/// Checks what a server shows.
#[derive(Debug)]
struct Verifier {
    /// By the authorities; `None` where there are none.
    usual: Option<Arc<WebPkiServerVerifier>>,
    /// Certificates that the user has named. A server may show one of them itself, also one that calls itself an authority, as
    /// `openssl req -x509` makes them.
    named: Vec<CertificateDer<'static>>,
    provider: Arc<CryptoProvider>,
}

impl Verifier {
    fn of(
        provider: &Arc<CryptoProvider>,
        authorities: Vec<CertificateDer<'static>>,
        named: Vec<CertificateDer<'static>>,
    ) -> Self {
        let mut roots = RootCertStore::empty();
        // Machines have certificates of old forms that nobody uses any more.
        roots.add_parsable_certificates(authorities);
        Self { usual: usual(provider, roots), named, provider: Arc::clone(provider) }
    }
}

impl ServerCertVerifier for Verifier {
    fn verify_server_cert(
        &self,
        certificate: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        name: &ServerName<'_>,
        ocsp: &[u8],
        now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        let Some(usual) = &self.usual else { return Err(CertificateError::UnknownIssuer.into()) };
        match usual.verify_server_cert(certificate, intermediates, name, ocsp, now) {
            // It calls itself an authority. Its period was checked before.
            Err(rustls::Error::InvalidCertificate(CertificateError::Other(_))) => {
                if !self.named.iter().any(|named| named == certificate) {
                    return Err(CertificateError::UnknownIssuer.into());
                }
                verify_server_name(&ParsedCertificate::try_from(certificate)?, name)?;
                Ok(ServerCertVerified::assertion())
            }
            verified => verified,
        }
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signature: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, certificate, signature, &self.provider.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.provider.signature_verification_algorithms.supported_schemes()
    }
}

/// What TLS says is wrong, where an error is one of TLS, however deep it is.
#[must_use]
pub fn fault_of_tls<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e rustls::Error> {
    let mut cause = Some(error);
    while let Some(inner) = cause {
        if let Some(found) = inner.downcast_ref::<rustls::Error>() {
            return Some(found);
        }
        cause = match inner.downcast_ref::<io::Error>() {
            Some(error) => error.get_ref().map(|within| within as &(dyn Error + 'static)),
            None => inner.source(),
        };
    }
    None
}

/// A fault of TLS as an attempt reports it.
#[must_use]
pub const fn failure_of(fault: &rustls::Error) -> Failure {
    use CertificateError::{
        BadSignature, Expired, ExpiredContext, NotValidForName, NotValidForNameContext, NotValidYet,
        NotValidYetContext, UnknownIssuer,
    };
    match fault {
        // A trusted issuer of the same name has another key.
        rustls::Error::InvalidCertificate(UnknownIssuer | BadSignature) => Failure::UnknownIssuer,
        rustls::Error::InvalidCertificate(
            Expired | ExpiredContext { .. } | NotValidYet | NotValidYetContext { .. },
        ) => Failure::CertificateExpired,
        rustls::Error::InvalidCertificate(NotValidForName | NotValidForNameContext { .. }) => {
            Failure::CertificateForAnotherHost
        }
        _ => Failure::Untrusted,
    }
}

/// A fault of TLS in a sentence for the one who has called, with what helps.
#[must_use]
pub fn explained(fault: &rustls::Error) -> String {
    match failure_of(fault) {
        Failure::UnknownIssuer => {
            "the certificate is of an issuer that is not trusted here; --ca-file FILE names the certificate of the issuer, or of the \
             server itself"
                .to_owned()
        }
        Failure::Untrusted if matches!(fault, rustls::Error::InvalidMessage(_)) => {
            format!("the server does not speak TLS ({fault}); an address without TLS begins with http://")
        }
        _ => fault.to_string(),
    }
}

#[cfg(test)]
mod tests;
