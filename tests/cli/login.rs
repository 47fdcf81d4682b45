//! `fundsim login` and `fundsim logout`: what is kept, who may read it, what wins, and to whom a secret is shown.

use super::serve::Sandbox;
use super::{Called, called, command, folder};
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// A home of profiles of a test's own.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Self {
        Self(folder(name))
    }

    fn file(&self) -> PathBuf {
        self.0.join("fundsim/profiles.toml")
    }

    fn call(&self, arguments: &[&str]) -> Called {
        called(command(arguments).env("XDG_CONFIG_HOME", &self.0).output().expect("it starts"))
    }

    /// The same with something on standard input.
    fn call_with(&self, arguments: &[&str], input: &str) -> Called {
        let mut command = command(arguments);
        command.env("XDG_CONFIG_HOME", &self.0).env("OPERATOR", "an operator's token");
        let mut child =
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("it reads");
        called(child.wait_with_output().expect("it ends"))
    }

    fn text(&self) -> String {
        fs::read_to_string(self.file()).expect("a file")
    }
}

fn mode(file: &Path) -> u32 {
    fs::metadata(file).expect("a file").permissions().mode() & 0o777
}

#[test]
fn an_open_sandbox_is_kept_as_the_default_and_other_commands_use_it() {
    let (sandbox, home) = (Sandbox::start(&["--clock", "frozen"]), Home::new("login-open"));
    assert_eq!(home.call(&["login", "--list"]).out.matches("no profiles").count(), 1);
    let kept = home.call(&["login", sandbox.url()]);
    assert!(kept.code == 0 && kept.out.contains("1 world: world-1"), "{}{}", kept.out, kept.err);
    assert_eq!(mode(&home.file()), 0o600);
    for arguments in [&["worlds"][..], &["clock"], &["record"], &["readiness"], &["logs"]] {
        assert_eq!(home.call(arguments).code, 0, "{arguments:?}");
    }
    let gone = home.call(&["logout"]);
    assert!(gone.code == 0 && gone.out.contains("forgotten: default"), "{}", gone.out);
    assert_eq!(home.call(&["logout"]).code, 2);
}

#[test]
fn a_partner_and_the_operator_are_kept_apart_and_a_wrong_secret_is_not_kept() {
    let (sandbox, ..) = Sandbox::with_an_order(&["--operator-token-env", "OPERATOR"]);
    let home = Home::new("login-shared");
    let (id, secret) = (sandbox.text(0, "clientId"), sandbox.text(0, "clientSecret"));
    let url = sandbox.url();
    let refused = home.call(&["login", url]);
    assert!(refused.code == 2 && refused.err.contains("--secret-file"), "{}", refused.err);
    let partner = &["login", url, "--profile", "partner", "--client-id", &id, "--secret-file", "-"];
    let wrong = home.call_with(partner, "wrong\n");
    assert!(wrong.code == 1 && wrong.err.contains("client_secret is wrong") && !home.file().exists(), "{}", wrong.err);
    let kept = home.call_with(partner, &format!("{secret}\n"));
    assert!(kept.code == 0 && kept.out.contains("the partner Lingonberget AB, in world-1"), "{}{}", kept.out, kept.err);
    let token = &["login", url, "--profile", "ops", "--secret-file", "-", "--world", "world-1"];
    let kept = home.call_with(token, "an operator's token\n");
    assert!(kept.code == 0 && kept.out.contains("the operator; 1 world"), "{}{}", kept.out, kept.err);
    let by_name = home.call_with(&["login", url, "--profile", "env", "--operator-token-env", "OPERATOR"], "");
    assert_eq!(by_name.code, 0, "{}", by_name.err);
    assert!(home.text().contains("operator_token_env = \"OPERATOR\""), "the token itself is not kept");
    let list = home.call(&["login", "--list"]);
    assert!(list.out.contains("*  partner") && list.out.contains("partner Lingonberget AB"), "{}", list.out);
    for shown in [&list.out, &kept.out] {
        assert!(!shown.contains(&secret) && !shown.contains("an operator's token"), "{shown}");
    }
    // What is the operator's is refused to the partner, which is the default, and done for the operator.
    assert_eq!(home.call(&["clock", "next"]).code, 1);
    assert_eq!(home.call(&["clock", "next", "--profile", "ops"]).code, 0);
    assert_eq!(home.call(&["login", "--profile", "ops", "--default"]).code, 0);
    assert_eq!(home.call(&["clock", "next"]).code, 0);
    // Another partner's credentials win, and the profile's world is not theirs.
    let (id, secret) = (sandbox.text(1, "clientId"), sandbox.text(1, "clientSecret"));
    let other = home.call(&["worlds", "show", "--json", "--client-id", &id, "--client-secret", &secret]);
    assert!(other.code == 0 && !other.out.contains("Lingonberget"), "{}", other.out);
}

#[test]
fn a_secret_is_shown_to_the_server_of_its_profile_alone() {
    let (sandbox, other) = (Sandbox::start(&[]), Sandbox::start(&[]));
    let home = Home::new("login-apart");
    let (id, secret) = (sandbox.text(0, "clientId"), sandbox.text(0, "clientSecret"));
    let kept = home.call_with(&["login", sandbox.url(), "--client-id", &id, "--secret-file", "-"], &secret);
    assert_eq!(kept.code, 0, "{}", kept.err);
    // The default profile is not for this server, which is open.
    assert_eq!(home.call(&["worlds", "--url", other.url()]).code, 0);
    let log = home.call(&["logs", "--url", other.url(), "--path", "auth/token"]);
    assert!(log.code == 0 && log.out.is_empty(), "{}", log.out);
    let named = home.call(&["worlds", "--url", other.url(), "--profile", "default"]);
    assert!(named.code == 2 && named.err.contains("are not shown to"), "{}", named.err);
    let same = format!("{}/", sandbox.url());
    assert_eq!(home.call(&["worlds", "--url", &same, "--profile", "default"]).code, 0);
}

#[test]
fn a_file_that_others_can_read_or_that_has_mistakes_is_refused() {
    let home = Home::new("login-faults");
    fs::create_dir_all(home.0.join("fundsim")).expect("a folder");
    let refused = |text: &str, mode: u32, why: &str| {
        fs::write(home.file(), text).expect("a file");
        fs::set_permissions(home.file(), fs::Permissions::from_mode(mode)).expect("its mode");
        let called = home.call(&["clock"]);
        assert!(called.code == 2 && called.err.contains(why), "{text:?}: {}", called.err);
        assert!(!called.err.contains("s3cret"), "{}", called.err);
    };
    let right = "default = \"a\"\n[profiles.a]\nurl = \"http://127.0.0.1:1\"\n";
    refused(right, 0o644, "chmod 600");
    refused(right, 0o620, "chmod 600");
    refused(right, 0o600, "cannot connect");
    refused("defalt = \"a\"\n", 0o600, "did you mean `default`?");
    refused("default = \"b\"\n[profiles.a]\nurl = \"http://x\"\n", 0o600, "`b`, which is not there");
    refused("[profiles.a]\nulr = \"http://x\"\n", 0o600, "did you mean `url`?");
    refused("[profiles.a]\nclient_id = \"x\"\nurl = \"http://x\"\n", 0o600, "needs `client_secret`");
    refused("[profiles.a]\nurl = \"http://x\"\ntoken = \"s3cret\"\noperator_token = \"y\"\n", 0o600, "keep one");
    refused("[profiles.a\n", 0o600, "profiles.toml: line 1: ");
    refused("[profiles.a]\nurl = \"http://x\"\ntoken = \"s3cret\n", 0o600, "profiles.toml: line 3: ");
    let unknown = home.call(&["clock", "--profile", "b/c"]);
    assert_eq!(unknown.code, 2);
    fs::remove_file(home.file()).expect("it was there");
    let none = home.call(&["clock", "--profile", "ops"]);
    assert!(none.code == 2 && none.err.contains("`fundsim login` makes one"), "{}", none.err);
}

#[test]
fn comments_of_the_owner_stay_when_another_profile_is_kept() {
    let (sandbox, home) = (Sandbox::start(&[]), Home::new("login-comments"));
    fs::create_dir_all(home.0.join("fundsim")).expect("a folder");
    fs::write(home.file(), "# mine\n[profiles.a] # of the office\nurl = \"http://127.0.0.1:1\"\n").expect("a file");
    fs::set_permissions(home.file(), fs::Permissions::from_mode(0o600)).expect("its mode");
    assert_eq!(home.call(&["login", sandbox.url(), "--profile", "b"]).code, 0);
    let text = home.text();
    assert!(text.contains("# mine") && text.contains("# of the office") && text.contains("[profiles.b]"), "{text}");
    assert_eq!(mode(&home.file()), 0o600);
}
