//! Chromium under WebDriver: one driver process a test, sessions in it, and both gone when the test is over.
//!
//! Invariant: the session is closed before the driver is killed, also after a panic, so no browser outlives a test.
//! Absent on purpose: what is visited.

use std::future::Future;
use std::io::{BufRead as _, BufReader};
use std::panic::AssertUnwindSafe;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use bytes::Bytes;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, error::ErrorStatus};
use futures_util::FutureExt as _;
use http_body_util::{BodyExt as _, Empty};
use hyper_util::client::legacy::{Client as HttpClient, connect::HttpConnector};
use hyper_util::rt::TokioExecutor;
use serde_json::{Value, json};
use tokio::sync::oneshot;
use tokio::time::{Instant, sleep, timeout};

/// A width to look at pages with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Screen {
    /// 390 x 844, a telephone held upright.
    Phone,
    /// 1280 x 900.
    Desktop,
}

impl Screen {
    pub const ALL: [Self; 2] = [Self::Phone, Self::Desktop];

    const fn size(self) -> (u32, u32) {
        match self {
            Self::Phone => (390, 844),
            Self::Desktop => (1280, 900),
        }
    }
}

/// How a browser is set up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setting {
    pub screen: Screen,
    /// The browser's preferred language.
    pub lang: &'static str,
    /// Whether scripts may run.
    pub scripts: bool,
}

impl Setting {
    /// Both screens in both languages, with scripts or without.
    pub fn all(scripts: bool) -> Vec<Self> {
        let all = Screen::ALL.into_iter().flat_map(|screen| ["sv", "en"].map(|lang| Self { screen, lang, scripts }));
        all.collect()
    }
}

/// A browser, ready to be led.
pub struct Browser {
    pub client: Client,
    pub setting: Setting,
}

struct Driver {
    child: Child,
    port: u16,
}

/// How long a driver may take until it says that it is ready.
const PATIENCE: Duration = Duration::from_secs(30);

/// Drivers that are started until one stays.
const STARTS: usize = 5;

impl Drop for Driver {
    fn drop(&mut self) {
        // It may be gone already; then there is nothing to end.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

impl Driver {
    /// Starts one on a port of its own choice. An open port is no sign of being ready: it says so itself. Somebody else may
    /// take the port between its choice and its use; then it ends, and another one chooses again.
    async fn start() -> Self {
        for _ in 0..STARTS {
            if let Some(driver) = Self::start_once().await {
                return driver;
            }
        }
        panic!("chromedriver ended {STARTS} times without naming its port");
    }

    /// `None` when it ends at once.
    async fn start_once() -> Option<Self> {
        let child = Command::new("chromedriver").arg("--port=0").stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let child = child.expect("chromedriver is installed: tests/browser/install.sh does that");
        let mut driver = Self { child, port: 0 };
        let outcome = port_named_by(driver.child.stdout.take().expect("a pipe"));
        driver.port = match timeout(PATIENCE, outcome).await {
            Ok(Ok(port)) => port,
            Ok(Err(_)) => return None,
            Err(_) => panic!("chromedriver names no port within {PATIENCE:?}"),
        };
        let mut last = "nothing asked".to_owned();
        let deadline = Instant::now() + PATIENCE;
        while Instant::now() < deadline {
            match timeout(Duration::from_secs(2), status(driver.port)).await {
                Ok(Ok(answer)) if answer["value"]["ready"] == true => return Some(driver),
                Ok(answer) => last = format!("{answer:?}"),
                Err(_) => "no answer in two seconds".clone_into(&mut last),
            }
            sleep(Duration::from_millis(25)).await;
        }
        panic!("chromedriver on port {} is not ready within {PATIENCE:?}; GET /status: {last}", driver.port);
    }

    async fn browser(&self, setting: Setting) -> Browser {
        let builder = ClientBuilder::new(HttpConnector::new()).capabilities(capabilities(setting)).clone();
        let client = builder.connect(&format!("http://127.0.0.1:{}", self.port)).await.expect("a session of Chromium");
        let browser = Browser { client, setting };
        browser.size().await;
        browser
    }
}

/// The port that `output` names. The rest is read too, so that the driver never waits for a reader.
fn port_named_by(output: ChildStdout) -> oneshot::Receiver<u16> {
    let (sender, outcome) = oneshot::channel();
    std::thread::spawn(move || {
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        if let Some(port) = lines.find_map(|line| port_in(&line))
            && sender.send(port).is_ok()
        {
            lines.for_each(drop);
        }
    });
    outcome
}

fn port_in(line: &str) -> Option<u16> {
    let (_, port) = line.split_once("was started successfully on port ")?;
    port.trim_end_matches('.').parse().ok()
}

/// What the driver says about itself.
async fn status(port: u16) -> Result<Value, String> {
    let client = HttpClient::builder(TokioExecutor::new()).build_http::<Empty<Bytes>>();
    let address = format!("http://127.0.0.1:{port}/status").parse().expect("an address");
    let answer = client.get(address).await.map_err(|error| format!("{error:?}"))?;
    let body = answer.into_body().collect().await.map_err(|error| error.to_string())?.to_bytes();
    serde_json::from_slice(&body).map_err(|error| error.to_string())
}

fn capabilities(setting: Setting) -> Capabilities {
    let scripts = if setting.scripts { 1 } else { 2 };
    let options = json!({
        "binary": std::env::var("FUNDSIM_CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned()),
        "args": ["--headless=new", "--disable-dev-shm-usage", "--no-sandbox", "--hide-scrollbars", "--disable-gpu",
                 "--host-resolver-rules=MAP *.example 127.0.0.1", format!("--lang={}", setting.lang)],
        "prefs": {
            "profile.managed_default_content_settings.javascript": scripts,
            "intl.accept_languages": setting.lang,
        },
    });
    let mut capabilities = Capabilities::new();
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    capabilities.insert("timeouts".to_owned(), json!({ "script": 60_000, "pageLoad": 60_000 }));
    capabilities
}

/// Runs `story` in a browser of each setting, and leaves none behind.
pub async fn in_browsers<F, R>(settings: Vec<Setting>, story: F)
where
    F: Fn(std::sync::Arc<Browser>) -> R,
    R: Future<Output = ()>,
{
    let driver = Driver::start().await;
    for setting in settings {
        let browser = std::sync::Arc::new(driver.browser(setting).await);
        let outcome = AssertUnwindSafe(story(std::sync::Arc::clone(&browser))).catch_unwind().await;
        // A session that is gone already cannot be closed again.
        drop(browser.client.clone().close().await);
        if let Err(panic) = outcome {
            eprintln!("in {setting:?}");
            std::panic::resume_unwind(panic);
        }
    }
}

#[derive(Debug)]
struct DevTools(Value);

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(&self, base: &url::Url, session: Option<&str>) -> Result<url::Url, url::ParseError> {
        base.join(&format!("session/{}/goog/cdp/execute", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &url::Url) -> (http::Method, Option<String>) {
        (http::Method::POST, Some(self.0.to_string()))
    }
}

impl Browser {
    /// Gives the present tab the size of the setting.
    pub async fn size(&self) {
        let (width, height) = self.setting.screen.size();
        self.sized(width, height).await;
    }

    /// Gives the present tab another width for a while.
    pub async fn narrow(&self, width: u32) {
        self.sized(width, self.setting.screen.size().1).await;
    }

    async fn sized(&self, width: u32, height: u32) {
        let phone = self.setting.screen == Screen::Phone;
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    /// Opens a new tab and works there from now on.
    pub async fn new_tab(&self) {
        let tab = self.client.new_window(true).await.expect("a new tab");
        self.client.switch_to_window(tab.handle).await.expect("the new tab");
        self.size().await;
    }

    /// A command of the developer tools' own protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        let command = DevTools(json!({ "cmd": command, "params": parameters }));
        self.client.issue_cmd(command).await.expect("the developer tools obey")
    }

    /// Runs a script of the test's own; works where the page's own could not run.
    pub async fn run(&self, script: &str) -> Value {
        match self.client.execute(script, Vec::new()).await {
            Ok(value) => value,
            Err(error) => panic!("the script fails: {error}: {script}"),
        }
    }

    /// Waits until the page of the address that `wanted` accepts has loaded.
    pub async fn until(&self, wanted: impl Fn(&str) -> bool) -> String {
        for _ in 0..400 {
            let address = match self.client.current_url().await {
                Ok(address) => address.to_string(),
                Err(error) if error.is_unknown_error() => String::new(),
                Err(error) => panic!("no address: {error} ({:?})", ErrorStatus::UnknownError),
            };
            if wanted(&address) {
                return address;
            }
            sleep(Duration::from_millis(25)).await;
        }
        panic!("the browser stays at {:?}", self.client.current_url().await);
    }
}
