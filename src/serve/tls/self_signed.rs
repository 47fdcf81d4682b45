//! A certificate for tries: made at the start, for the names by which this server is called.
//!
//! Owns: where its file is. Invariant: the key is in memory, and in the folder of `--data` for its owner alone; what clients are given
//! holds no key, and no other file of a user is written over. Absent on purpose: an authority, whose key could make more of them.

use super::super::config::Config;
use super::pair::{Pair, bytes, chain, fingerprint, private_key, verified};
use rcgen::{
    CertificateParams, DnType, ExtendedKeyUsagePurpose, KeyPair, KeyUsagePurpose, PublicKeyData as _, date_time_ymd,
};
use sha2::{Digest as _, Sha256};
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::net::IpAddr;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use std::time::Duration;
use surface::admission::HostName;

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
/// How long one is good: the longest that the systems of all makers take.
const LIFE: Duration = Duration::from_secs(825 * 24 * 60 * 60);
/// One that is kept is made anew when less is left.
const LEAST: Duration = Duration::from_secs(30 * 24 * 60 * 60);
/// Clocks of clients are late at times.
const BEFORE: Duration = DAY;

/// With its key, in the folder of `--data`.
const KEPT: &str = "tls-self-signed.pem";
/// For clients, in that folder.
const FOR_CLIENTS: &str = "certificate.pem";

/// A certificate that was made here, and the file that clients are given.
pub(super) struct SelfSigned {
    names: Vec<String>,
    file: File,
    /// Where it is kept, and whether this start has made it.
    kept: Option<bool>,
}

/// The file that clients are given.
enum File {
    Lasting(PathBuf),
    /// Removed at the end.
    Temporary(PathBuf),
}

impl Drop for File {
    fn drop(&mut self) {
        if let Self::Temporary(path) = self {
            // Somebody else may have removed it.
            drop(std::fs::remove_file(path));
        }
    }
}

/// The names that a server is called by: of this machine, of its address, of its public URL and those that were allowed.
pub(super) fn names(config: &Config, listening: IpAddr) -> Vec<String> {
    let mut names: Vec<String> = ["localhost", "127.0.0.1", "::1"].map(str::to_owned).to_vec();
    let of_url = config.public_url.as_deref().and_then(|url| url.parse::<http::Uri>().ok());
    let host = of_url.as_ref().and_then(|url| url.host()).map(|host| host.trim_matches(['[', ']']).to_owned());
    let listening = (!listening.is_unspecified()).then(|| listening.to_string());
    let allowed = config.allow_host.iter().map(|name| HostName::as_str(name).to_owned());
    for name in host.into_iter().chain(listening).chain(allowed) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

impl SelfSigned {
    /// One for `names`, with its pair: the one that `folder` keeps while it is good, else a new one. Clients are given the file `out`.
    pub(super) fn of(
        names: Vec<String>,
        now: Duration,
        folder: Option<&Path>,
        out: Option<&Path>,
    ) -> Result<(Self, Pair), String> {
        let own = |why: String| format!("--tls-self-signed: {why}");
        let kept = folder.map(|folder| kept(&folder.join(KEPT), &names, now)).transpose().map_err(own)?.flatten();
        let is_new = kept.is_none();
        let text = match kept {
            Some(text) => text,
            None => made(&names, now).map_err(own)?,
        };
        if let Some(folder) = folder.filter(|_| is_new) {
            let path = folder.join(KEPT);
            put(&path, &text.both(), 0o600).map_err(|error| own(unmade(&path, &error)))?;
        }
        let pair = text.pair().map_err(own)?;
        let file = match (out, folder) {
            (Some(out), _) => lasting(out, &text.certificate).map_err(|why| format!("--tls-cert-out {why}"))?,
            (None, Some(folder)) => lasting(&folder.join(FOR_CLIENTS), &text.certificate).map_err(own)?,
            (None, None) => temporary(&fingerprint(&pair.chain[0]), &text.certificate).map_err(own)?,
        };
        Ok((Self { names, file, kept: folder.map(|_| is_new) }, pair))
    }

    /// The file that clients are given.
    pub(super) fn file(&self) -> &Path {
        match &self.file {
            File::Lasting(path) | File::Temporary(path) => path,
        }
    }

    /// What it is, for a person.
    pub(super) fn words(&self) -> String {
        let kept = match self.kept {
            None => "new at each start; --data keeps it",
            Some(true) => "made now, and kept",
            Some(false) => "kept",
        };
        format!("self-signed for {}; {kept}", self.names.join(", "))
    }
}

/// A certificate and its key as PEM.
struct Text {
    certificate: String,
    key: String,
}

impl Text {
    fn both(&self) -> String {
        format!("{}{}", self.key, self.certificate)
    }

    fn pair(&self) -> Result<Pair, String> {
        let key = private_key(self.key.as_bytes(), Path::new(KEPT))?;
        Ok(Pair { chain: chain(self.certificate.as_bytes())?, key })
    }
}

/// A new one.
fn made(names: &[String], now: Duration) -> Result<Text, String> {
    let key = KeyPair::generate().map_err(|error| error.to_string())?;
    let mut params = CertificateParams::new(names)
        .map_err(|error| format!("{} cannot all be named in one: {error}", names.join(", ")))?;
    // Another name for each, so that programs that look issuers up by their name do not mistake an old one for it.
    let id = Sha256::digest(key.der_bytes());
    params
        .distinguished_name
        .push(DnType::CommonName, format!("fundsim self-signed {:02x}{:02x}{:02x}{:02x}", id[0], id[1], id[2], id[3]));
    params.not_before = date_time_ymd(1970, 1, 1) + now.saturating_sub(BEFORE);
    params.not_after = date_time_ymd(1970, 1, 1) + now + LIFE - BEFORE;
    params.key_usages = vec![KeyUsagePurpose::DigitalSignature];
    params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
    let certificate = params.self_signed(&key).map_err(|error| error.to_string())?;
    Ok(Text { certificate: certificate.pem(), key: key.serialize_pem() })
}

/// The one at `path`, if it is good for `names` for a while.
fn kept(path: &Path, names: &[String], now: Duration) -> Result<Option<Text>, String> {
    match std::fs::metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        _ => {}
    }
    let unusable = |why: String| format!("{}: {why}", path.display());
    let text = String::from_utf8(bytes(path).map_err(unusable)?).map_err(|_| unusable("it is no text".to_owned()))?;
    let Some((key, certificate)) = text.split_once("-----BEGIN CERTIFICATE-----") else {
        return Err(unusable("it holds no certificate; remove it to have another one made".to_owned()));
    };
    let text = Text { certificate: format!("-----BEGIN CERTIFICATE-----{certificate}"), key: key.to_owned() };
    let own = text.pair().map_err(unusable)?.chain.swap_remove(0);
    let is_good = |name: &String| {
        let name = name.replacen('*', "any", 1);
        [now, now + LEAST].iter().all(|at| verified(&own, &name, *at).is_none())
    };
    Ok(names.iter().all(is_good).then_some(text))
}

/// Writes the certificate to a file that stays.
fn lasting(path: &Path, certificate: &str) -> Result<File, String> {
    match std::fs::read_to_string(path) {
        Ok(old) if !old.starts_with("-----BEGIN CERTIFICATE-----") || old.contains("PRIVATE KEY") => {
            return Err(format!(
                "{}: it exists and is no file with a certificate, so it is not written over",
                path.display()
            ));
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        Err(error) => return Err(unmade(path, &error)),
        Ok(_) => {}
    }
    put(path, certificate, 0o644).map_err(|error| unmade(path, &error))?;
    Ok(File::Lasting(std::path::absolute(path).unwrap_or_else(|_| path.to_owned())))
}

/// Writes the certificate to a new file, whose name nobody could know before.
fn temporary(fingerprint: &str, certificate: &str) -> Result<File, String> {
    let id: String = fingerprint.chars().filter(|letter| *letter != ':').take(16).collect();
    let path = std::env::temp_dir().join(format!("fundsim-{}.pem", id.to_lowercase()));
    write_new(&path, certificate, 0o644).map_err(|error| unmade(&path, &error))?;
    Ok(File::Temporary(path))
}

fn unmade(path: &Path, error: &io::Error) -> String {
    format!("{}: it cannot be made: {error}", path.display())
}

/// Puts a file in the place of another, whole or not at all.
fn put(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::other("it has no name"))?.to_string_lossy();
    let whole = path.with_file_name(format!(".{name}.{}", std::process::id()));
    let renamed = write_new(&whole, text, mode).and_then(|()| std::fs::rename(&whole, path));
    if renamed.is_err() {
        // It may not have come to be.
        drop(std::fs::remove_file(&whole));
    }
    renamed
}

fn write_new(path: &Path, text: &str, mode: u32) -> io::Result<()> {
    let mut file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    const NOW: Duration = Duration::from_secs(1_772_434_800);

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("fundsim-self-signed-{}-{name}", std::process::id()));
        drop(std::fs::remove_dir_all(&folder));
        std::fs::create_dir_all(&folder).expect("a folder");
        folder
    }

    fn of(
        names: &[&str],
        now: Duration,
        folder: Option<&Path>,
        out: Option<&Path>,
    ) -> Result<(SelfSigned, Pair), String> {
        SelfSigned::of(names.iter().map(|name| (*name).to_owned()).collect(), now, folder, out)
    }

    #[test]
    fn it_is_good_for_its_names_and_no_other_and_ends() {
        let (_, pair) = of(&["localhost", "127.0.0.1", "::1", "*.sandbox.example"], NOW, None, None).expect("made");
        let own = &pair.chain[0];
        for name in ["localhost", "127.0.0.1", "::1", "a.sandbox.example"] {
            assert_eq!(verified(own, name, NOW), None, "{name}");
        }
        for name in ["127.0.0.2", "sandbox.example", "elsewhere.example"] {
            assert!(verified(own, name, NOW).is_some(), "{name}");
        }
        assert_eq!(verified(own, "localhost", NOW + LIFE - BEFORE - BEFORE), None);
        assert!(verified(own, "localhost", NOW + LIFE).is_some());
    }

    #[test]
    fn a_folder_keeps_it_for_its_owner_until_names_or_time_ask_for_another() {
        let folder = folder("kept");
        let names = ["localhost", "127.0.0.1"];
        let print = |names: &[&str], now| {
            let (made, pair) = of(names, now, Some(&folder), None).expect("made");
            (fingerprint(&pair.chain[0]), made.kept)
        };
        let (first, is_new) = print(&names, NOW);
        assert_eq!(is_new, Some(true));
        assert_eq!(print(&names, NOW + DAY), (first.clone(), Some(false)));
        assert_eq!(print(&names[..1], NOW), (first.clone(), Some(false)), "more names than are asked for");
        let mode = |name: &str| folder.join(name).metadata().expect("a file").permissions().mode() & 0o777;
        assert_eq!((mode(KEPT) & 0o077, mode(FOR_CLIENTS) & 0o400), (0, 0o400));
        let public = std::fs::read_to_string(folder.join(FOR_CLIENTS)).expect("a file");
        assert!(public.starts_with("-----BEGIN CERTIFICATE-----") && !public.contains("KEY"), "{public}");
        let (second, is_new) = print(&["localhost", "sandbox.example"], NOW);
        assert!(second != first && is_new == Some(true));
        let (third, is_new) = print(&["localhost"], NOW + LIFE - LEAST);
        assert!(third != second && is_new == Some(true));
        std::fs::write(folder.join(KEPT), "no certificate").expect("a file");
        let refused = of(&names, NOW, Some(&folder), None).err().expect("what is there is not written over");
        assert!(refused.ends_with("it holds no certificate; remove it to have another one made"), "{refused}");
        let files = std::fs::read_dir(&folder).expect("a folder").count();
        assert_eq!(files, 2, "nothing else is left there");
        std::fs::remove_dir_all(folder).expect("the folder goes");
    }

    #[test]
    fn clients_are_given_a_file_that_ends_with_the_server_or_the_one_that_is_named() {
        let folder = folder("out");
        let (made, _) = of(&["localhost"], NOW, None, None).expect("made");
        let temporary = made.file().to_owned();
        assert!(temporary.is_file());
        drop(made);
        assert!(!temporary.exists());
        let out = folder.join("for clients.pem");
        for _ in 0..2 {
            let (made, _) = of(&["localhost"], NOW, None, Some(&out)).expect("made");
            assert_eq!(made.file(), out);
        }
        assert!(out.is_file());
        let other = folder.join("other.pem");
        for text in ["a letter", "-----BEGIN CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\n"] {
            std::fs::write(&other, text).expect("a file");
            let refused = of(&["localhost"], NOW, None, Some(&other)).err().expect("a file of the user's");
            assert!(refused.contains("it is not written over"), "{refused}");
            assert_eq!(std::fs::read_to_string(&other).expect("a file"), text);
        }
        std::fs::remove_dir_all(folder).expect("the folder goes");
    }
}
