//! Chromium under WebDriver: one driver process a test, sessions in it, and both gone when the test is over.
//!
//! Invariant: the session is closed before the driver is killed, also after a panic, so no browser outlives a test.
//! Absent on purpose: what is visited.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder, error::ErrorStatus};
use futures_util::FutureExt as _;
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Value, json};
use tokio::net::TcpStream;

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

struct Driver(Child, u16);

impl Drop for Driver {
    fn drop(&mut self) {
        // It may be gone already; then there is nothing to end.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

impl Driver {
    async fn start() -> Self {
        let port = free_port();
        let child = Command::new("chromedriver")
            .arg(format!("--port={port}"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver is installed: tests/browser/install.sh does that");
        let driver = Self(child, port);
        for _ in 0..200 {
            if TcpStream::connect(("127.0.0.1", port)).await.is_ok() {
                return driver;
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("chromedriver does not answer on port {port}");
    }

    async fn browser(&self, setting: Setting) -> Browser {
        let builder = ClientBuilder::new(HttpConnector::new()).capabilities(capabilities(setting)).clone();
        let client = builder.connect(&format!("http://127.0.0.1:{}", self.1)).await.expect("a session of Chromium");
        let browser = Browser { client, setting };
        browser.size().await;
        browser
    }
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    listener.local_addr().expect("an address").port()
}

fn capabilities(setting: Setting) -> Capabilities {
    let scripts = if setting.scripts { 1 } else { 2 };
    let options = json!({
        "binary": std::env::var("FUNDSIM_CHROMIUM").unwrap_or_else(|_| "/usr/bin/chromium".to_owned()),
        "args": ["--headless=new", "--disable-dev-shm-usage", "--no-sandbox", "--hide-scrollbars", "--disable-gpu",
                 format!("--lang={}", setting.lang)],
        "prefs": {
            "profile.managed_default_content_settings.javascript": scripts,
            "intl.accept_languages": setting.lang,
        },
    });
    let mut capabilities = Capabilities::new();
    capabilities.insert("goog:chromeOptions".to_owned(), options);
    capabilities.insert("timeouts".to_owned(), json!({ "script": 10_000, "pageLoad": 15_000 }));
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
        let told = AssertUnwindSafe(story(std::sync::Arc::clone(&browser))).catch_unwind().await;
        // A session that is gone already cannot be closed again.
        drop(browser.client.clone().close().await);
        if let Err(panic) = told {
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
    async fn size(&self) {
        let (width, height) = self.setting.screen.size();
        let phone = self.setting.screen == Screen::Phone;
        let metrics = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": phone });
        self.devtools("Emulation.setDeviceMetricsOverride", metrics).await;
    }

    /// Goes on in a new tab.
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
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the browser stays at {:?}", self.client.current_url().await);
    }
}
