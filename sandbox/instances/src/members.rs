//! Members of an etcd cluster: the one that is asked, and what its refusals mean.
//!
//! Invariant: one member is asked for everything until it fails or is late; then all are tried beside each other, and the first that answers a
//! linearizable read is asked. So a member that is suspended, or has lost its majority, is left after one call. Absent on purpose: what is asked;
//! a balancer, which would go on sending some of the calls to a member that hangs; pings, which servers refuse where they come often.

use std::error::Error as _;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use etcd_client::{AlarmAction, AlarmType, Channel, Client, ConnectOptions, Error, KvClient};
use hyper_rustls::HttpsConnectorBuilder;
use hyper_util::client::legacy::connect::HttpConnector;
use tokio::sync::Mutex;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout};
use tonic::Code;
use tonic::transport::Endpoint;

use crate::address::Address;
use deliveries::trust::Trust;
use feed::input_log::LogError;
use hosting::log::SERVER;

/// How long an answer may take, and what it may take longer for each MiB that is sent or read. A leader must find another member within its lease;
/// tests of the log itself have no lease, and share the machine with others.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 20 } else { 1 });
const PATIENCE_PER_MIB: Duration = Duration::from_millis(250);
/// How long a start looks for a member that answers, with this pause between two tries.
const STARTING: Duration = Duration::from_secs(4);
const PAUSE: Duration = Duration::from_millis(200);
/// How long one try takes.
const CONNECTING: Duration = Duration::from_millis(1_500);
/// Bytes of the largest answer that is taken.
const LARGEST_ANSWER: usize = 256 << 20;
/// What flows without a word of the receiver.
const WINDOW: u32 = 8 << 20;

/// A cluster.
pub(crate) struct Members {
    address: Address,
    trust: Trust,
    session: Mutex<Option<Arc<Session>>>,
}

/// A member that is asked.
struct Session {
    kv: KvClient,
    client: Client,
}

/// Why a member cannot be asked.
struct Unreached {
    endpoint: String,
    fault: LogError,
}

impl Members {
    pub(crate) fn new(address: Address, trust: &Trust) -> Self {
        Self { address, trust: trust.clone(), session: Mutex::default() }
    }

    /// Looks for a member for the first time.
    ///
    /// # Errors
    /// Why there is none, of each endpoint, in words.
    pub(crate) async fn open(&self) -> Result<(), String> {
        let began = Instant::now();
        loop {
            match self.reached().await {
                Ok(session) => {
                    self.advise(&session.client).await;
                    *self.session.lock().await = Some(Arc::new(session));
                    return Ok(());
                }
                Err(fault @ LogError::Never(_)) => return Err(fault.to_string()),
                // Members may elect a leader at this moment, and what was asked before is answered late.
                Err(_) if began.elapsed() < STARTING => sleep(PAUSE).await,
                Err(_) => return Err(self.diagnosed().await),
            }
        }
    }

    /// A member that answers in time.
    async fn reached(&self) -> Result<Session, LogError> {
        timeout(CONNECTING, self.connect()).await.unwrap_or_else(|_| Err(silent()))
    }

    /// The first member that answers a linearizable read.
    async fn connect(&self) -> Result<Session, LogError> {
        let mut tries = JoinSet::new();
        for endpoint in &self.address.endpoints {
            let (endpoint, address, trust) = (endpoint.clone(), self.address.clone(), self.trust.clone());
            tries.spawn(async move {
                let session = Session::begin(&endpoint, &address, &trust).await;
                session.map_err(|error| Unreached { fault: fault(&error, &address), endpoint })
            });
        }
        let mut unreached = Vec::new();
        while let Some(tried) = tries.join_next().await {
            match tried {
                Ok(Ok(session)) => return Ok(session),
                Ok(Err(why)) => unreached.push(why),
                Err(_) => {}
            }
        }
        unreached.sort_by(|one, other| one.endpoint.cmp(&other.endpoint));
        if let Some(at) = unreached.iter().position(|it| matches!(it.fault, LogError::Never(_))) {
            return Err(unreached.swap_remove(at).fault);
        }
        let each = unreached.iter().map(|it| format!("{}: {}", it.endpoint, it.fault));
        Err(LogError::Retry(each.collect::<Vec<_>>().join("; ")))
    }

    async fn session(&self) -> Result<Arc<Session>, LogError> {
        let mut present = self.session.lock().await;
        if let Some(session) = present.as_ref() {
            return Ok(Arc::clone(session));
        }
        let session = Arc::new(self.reached().await?);
        *present = Some(Arc::clone(&session));
        Ok(session)
    }

    /// Asks one thing, with `bytes` to send or to read.
    pub(crate) async fn ask<T, F>(&self, bytes: usize, ask: impl FnOnce(KvClient) -> F) -> Result<T, LogError>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let session = self.session().await?;
        let most = PATIENCE + PATIENCE_PER_MIB * u32::try_from(bytes >> 20).unwrap_or(u32::MAX);
        let answered = timeout(most, ask(session.kv.clone())).await;
        let answered =
            answered.map_or_else(|_| Err(silent()), |answered| answered.map_err(|error| fault(&error, &self.address)));
        if answered.is_err() {
            let mut present = self.session.lock().await;
            if present.as_ref().is_some_and(|present| Arc::ptr_eq(present, &session)) {
                *present = None;
            }
        }
        answered
    }

    /// What members say that do not answer reads.
    async fn diagnosed(&self) -> String {
        let mut asked = Vec::new();
        let mut is_without_leader = false;
        for endpoint in &self.address.endpoints {
            let status = async {
                let channel = channel(endpoint, &self.address, &self.trust).await?;
                Client::from_channel(Channel::Tonic(channel), None).await?.status().await
            };
            let words = match timeout(PATIENCE, status).await {
                Err(_) => "it does not answer".to_owned(),
                Ok(Err(error)) => {
                    let words = fault(&error, &self.address).to_string();
                    let hint = "; a server that speaks TLS is named by etcds://";
                    if words.contains("broken pipe") && !self.address.is_secure { words + hint } else { words }
                }
                Ok(Ok(status)) if status.leader() == 0 => {
                    is_without_leader = true;
                    "it runs, and its cluster has no leader".to_owned()
                }
                Ok(Ok(status)) if status.is_learner() => "it is a learner, which answers no reads".to_owned(),
                Ok(Ok(_)) => "it runs, and does not answer reads in time".to_owned(),
            };
            asked.push(format!("{endpoint}: {words}"));
        }
        let more = if is_without_leader { "; most of the members of etcd must run" } else { "" };
        asked.join("; ") + more
    }

    /// Says where what the cluster calls kept could be lost, or soon nothing more is kept.
    async fn advise(&self, client: &Client) {
        let mut client = client.clone();
        // Both may be refused to a user who has no right but that to the keys.
        if let Ok(Ok(list)) = timeout(PATIENCE, client.member_list()).await {
            let learners = list.members().iter().filter(|member| member.is_learner()).count();
            let voters = list.members().len() - learners;
            let named = self.address.endpoints.len();
            if voters == 1 {
                tracing::warn!(
                    target: SERVER,
                    "etcd has one member{}: what is kept is lost with its disk, and nothing is served while it is down; three members keep it",
                    if learners > 0 { " that votes" } else { "" }
                );
            } else if voters == 2 {
                tracing::warn!(target: SERVER, "etcd has two members that vote: nothing is served while one of them is down; of three one may fail");
            }
            if named < voters {
                tracing::warn!(
                    target: SERVER,
                    "--log names {named} of {voters} members of etcd: an instance that reaches none of those that are named does not serve"
                );
            }
        }
        if let Ok(Ok(alarms)) = timeout(PATIENCE, client.alarm(AlarmAction::Get, AlarmType::None, None)).await {
            let rings = |wanted| alarms.alarms().iter().any(|alarm| alarm.alarm() == wanted);
            if rings(AlarmType::Nospace) {
                tracing::warn!(target: SERVER, "{FULL}");
            }
            if rings(AlarmType::Corrupt) {
                tracing::warn!(target: SERVER, "{CORRUPT}");
            }
        }
    }
}

impl Session {
    async fn begin(endpoint: &str, address: &Address, trust: &Trust) -> Result<Self, Error> {
        let channel = channel(endpoint, address, trust).await?;
        let mut options = ConnectOptions::new().with_auto_token_refresh(true);
        if let Some((name, password)) = &address.user {
            options = options.with_user(name, password);
        }
        let client = Client::from_channel(Channel::Tonic(channel), Some(options)).await?;
        let kv = client.kv_client().max_decoding_message_size(LARGEST_ANSWER);
        kv.clone().get(address.prefix.as_str(), None).await?;
        Ok(Self { kv, client })
    }
}

/// A connection, with TLS as the whole server speaks it.
async fn channel(endpoint: &str, address: &Address, trust: &Trust) -> Result<tonic::transport::Channel, Error> {
    let mut http = HttpConnector::new();
    http.enforce_http(false);
    http.set_nodelay(true);
    let connector = HttpsConnectorBuilder::new().with_tls_config(trust.client_config().as_ref().clone());
    let connector = if address.is_secure { connector.https_only() } else { connector.https_or_http() };
    let connector = connector.enable_http2().wrap_connector(http);
    let scheme = if address.is_secure { "https" } else { "http" };
    let endpoint = Endpoint::from_shared(format!("{scheme}://{endpoint}"))?;
    let endpoint = endpoint.initial_stream_window_size(WINDOW).initial_connection_window_size(WINDOW);
    Ok(endpoint.connect_timeout(CONNECTING).connect_with_connector(connector).await?)
}

const FULL: &str = "the database of etcd is full (NOSPACE), so nothing is kept: compact and defragment it or raise \
                    --quota-backend-bytes, then call `etcdctl alarm disarm`";
const CORRUPT: &str = "etcd says that a member's data is corrupt (CORRUPT), so nothing is kept: replace that member";

fn silent() -> LogError {
    LogError::Retry("no member of etcd answers in time".to_owned())
}

/// What a refusal means: those that concern rights, names and passwords stay.
fn fault(error: &Error, address: &Address) -> LogError {
    let status = match error {
        Error::GRpcStatus(status) => status,
        Error::TransportError(error) => return LogError::Retry(chain(error)),
        other => return LogError::Retry(other.to_string()),
    };
    let never = |words: &str| LogError::Never(words.to_owned());
    let says = |words: &str| status.message().contains(words);
    if says("database space exceeded") {
        return LogError::Retry(FULL.to_owned());
    }
    if says("corrupt") {
        return LogError::Retry(CORRUPT.to_owned());
    }
    if says("request is too large") || says("larger than max") {
        return never("etcd takes no request of 1.1 MiB: its --max-request-bytes is below the default of 1.5 MiB");
    }
    if says("too many operations") {
        return never("etcd takes no transaction of 64 operations: its --max-txn-ops is below the default of 128");
    }
    if says("user name is empty") {
        return never("etcd asks for a user, as in etcd://user:password@host");
    }
    if says("authentication failed") {
        return never("etcd refuses the user or the password");
    }
    if says("authentication is not enabled") {
        return never("the URL names a user, and this etcd knows none: leave user and password out");
    }
    if status.code() == Code::PermissionDenied {
        let prefix = &address.prefix;
        return LogError::Never(format!(
            "the user of etcd may not read and write keys under {prefix}: `etcdctl role grant-permission ROLE readwrite --prefix=true {prefix}`"
        ));
    }
    LogError::Retry(match status.source() {
        Some(_) => chain(status),
        None => status.message().to_owned(),
    })
}

/// An error with what has led to it, of which a transport says nothing by itself.
fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let mut words: Vec<String> = Vec::new();
    let mut cause = Some(error);
    while let Some(error) = cause {
        let text = match error.downcast_ref::<tonic::Status>() {
            Some(status) => status.message().to_owned(),
            None => error.to_string(),
        };
        if text != "transport error" && !words.iter().any(|known| known.contains(&text)) {
            words.push(text);
        }
        cause = error.source();
    }
    words.join(": ")
}
