//! Certificates of files, good and bad.

use super::*;
use rcgen::{CertificateParams, KeyPair, date_time_ymd};
use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;

/// The middle of the period of the certificates that are made here.
const NOW: Duration = Duration::from_secs(1_772_434_800);

/// A folder of this test's own, gone when the test is.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("fundsim-tls-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        Self(folder)
    }

    fn put(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file");
        std::fs::set_permissions(&path, Permissions::from_mode(0o600)).expect("permissions");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        drop(std::fs::remove_dir_all(&self.0));
    }
}

/// A certificate for `localhost` of the years up to `until`, and its key, as PEM.
fn made(until: i32) -> (String, String) {
    let mut params = CertificateParams::new(["localhost".to_owned()]).expect("names");
    (params.not_before, params.not_after) = (date_time_ymd(2020, 1, 1), date_time_ymd(until, 1, 1));
    let key = KeyPair::generate().expect("a key");
    (params.self_signed(&key).expect("made").pem(), key.serialize_pem())
}

#[test]
fn a_pair_of_files_is_read_and_what_is_none_is_refused_with_the_flag_and_the_reason() {
    let folder = Folder::new("pairs");
    let ((certificate, key), (_, other)) = (made(2030), made(2030));
    let encrypted = key.replace("PRIVATE KEY", "ENCRYPTED PRIVATE KEY");
    let rows = [
        (&*certificate, &*key, ""),
        (&*format!("{key}{certificate}"), &*format!("{certificate}{key}"), ""),
        (&certificate, &other, "--tls-key {key} is not the key of the first certificate of --tls-cert {cert}; "),
        (&key, &key, "--tls-cert {cert}: it holds no certificate; PEM begins with "),
        ("", &key, "--tls-cert {cert}: it holds no certificate; PEM begins with "),
        (&certificate, &certificate, "--tls-key {key}: it holds no private key; PEM begins with "),
        (&certificate, &encrypted, "--tls-key {key}: its key is encrypted; `openssl pkey -in {key} -out FILE` "),
        (&certificate[..80], &key, "--tls-cert {cert}: it is not well-formed PEM: "),
        (&certificate, &key[..80], "--tls-key {key}: it is not well-formed PEM"),
    ];
    for (certificate, key, why) in rows {
        let (cert_file, key_file) = (folder.put("cert.pem", certificate), folder.put("key.pem", key));
        let read = Secured::of_files(&cert_file, &key_file, NOW);
        let message = read.as_ref().err().map_or("", String::as_str);
        let why = why.replace("{cert}", &cert_file.display().to_string());
        let why = why.replace("{key}", &key_file.display().to_string());
        assert!(message.starts_with(&why) && message.is_empty() == why.is_empty(), "{why}: {message}");
        let secret: Vec<_> = key.lines().filter(|line| line.len() > 40).collect();
        assert!(!secret.iter().any(|line| message.contains(line)), "a message shows the key: {message}");
        assert_eq!(read.map(|read| read.warnings).unwrap_or_default(), [""; 0]);
    }
    let missing = Secured::of_files(&folder.0, &folder.0.join("none"), NOW).err();
    assert!(missing.is_some_and(|why| why.ends_with("it is not a file, or too large")));
}

#[test]
fn a_key_that_others_can_read_and_a_certificate_outside_its_period_are_warned_of() {
    let folder = Folder::new("warnings");
    let (certificate, key) = made(2024);
    let (cert_file, key_file) = (folder.put("cert.pem", &certificate), folder.put("key.pem", &key));
    std::fs::set_permissions(&key_file, Permissions::from_mode(0o644)).expect("permissions");
    let warnings = |now| Secured::of_files(&cert_file, &key_file, now).expect("a pair").warnings;
    let (cert, key) = (cert_file.display().to_string(), key_file.display().to_string());
    let open =
        format!("--tls-key {key}: others on this machine can read or write it (mode 644); say `chmod 600 {key}`");
    let expired = format!("--tls-cert {cert}: it has expired: 2024-01-01T00:00:00.000Z, so clients refuse it");
    assert_eq!(warnings(NOW), [open.clone(), expired]);
    let early = format!("--tls-cert {cert}: it is not valid before 2020-01-01T00:00:00.000Z, so clients refuse it");
    assert_eq!(warnings(Duration::from_secs(1_000_000_000)), [open.clone(), early]);
    assert_eq!(warnings(Duration::from_secs(1_600_000_000)), [open]);
    // A group that can read it is how containers get it.
    std::fs::set_permissions(&key_file, Permissions::from_mode(0o640)).expect("permissions");
    assert_eq!(warnings(Duration::from_secs(1_600_000_000)), [""; 0]);
}

#[test]
fn a_path_is_shown_as_a_shell_reads_it() {
    for (path, shown) in [("/tmp/fundsim-1.pem", "/tmp/fundsim-1.pem"), ("/a b/c", "'/a b/c'"), ("it's", r"'it'\''s'")]
    {
        assert_eq!(quoted(path), shown);
    }
}
