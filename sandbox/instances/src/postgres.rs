//! A log in PostgreSQL: one row is its head, and batches are rows by the position of their last record.
//!
//! Invariant: the head's row moves and the batch is inserted by one statement, which does nothing where the head is not what the writer knows. A
//! session whose answer was late is not used again. Absent on purpose: notifications (followers look often, and a leader reads all before it
//! begins), pools, and any other way to tell instances apart than the head's row.

use std::future::Future;
use std::str::FromStr as _;
use std::sync::Arc;
use std::time::Duration;

use rustls::ClientConfig;
use tokio::sync::Mutex;
use tokio::time::timeout;
use tokio_postgres::config::SslMode;
use tokio_postgres::error::SqlState;
use tokio_postgres::types::ToSql;
use tokio_postgres::{Client, Config, Error, NoTls, Row, Statement};
use tokio_postgres_rustls::MakeRustlsConnect;
use uuid::Uuid;

use crate::appender::LARGEST;
use crate::log::{Batch, Head, Leader, SharedLog, Term};
use deliveries::trust::Trust;
use feed::input_log::{LogError, Pending};
use feed::transport::TransportTime;
use hosting::log::SERVER;
use store::Place;

/// How long an answer may take, and what it may take longer for each MiB that is sent.
const PATIENCE: Duration = Duration::from_secs(2);
const PATIENCE_PER_MIB: Duration = Duration::from_millis(250);
/// Connecting, with all that is asked before the first call.
const CONNECTING: Duration = Duration::from_secs(5);
/// Bytes of batches that are read at once, about.
const READ_AT_ONCE: i64 = 4 << 20;
/// The form of the tables.
const FORMAT: &[u8] = b"1";

const ARE_THERE: &str = "select to_regclass('fundsim_count') is not null";
const TABLES: &str = "
    select pg_advisory_xact_lock(7309940);
    create table if not exists fundsim_head (
        id integer primary key check (id = 1), position bigint not null, chain bytea not null, epoch bigint not null,
        beats bigint not null, instance text, url text, shows bigint not null);
    create table if not exists fundsim_batch (last bigint primary key, bytes bytea not null);
    alter table fundsim_batch alter column bytes set storage external;
    create table if not exists fundsim_value (name text primary key, value bytea not null);
    create table if not exists fundsim_count (name text primary key, count bigint not null);
    insert into fundsim_head values (1, 0, decode(repeat('00', 16), 'hex'), 0, 0, null, null, 0) on conflict do nothing;
";
const HEAD: &str = "select position, chain, epoch, beats, instance, url, shows from fundsim_head where id = 1";
// Batches up to so many bytes, but always one.
const AFTER: &str = "
    select last, bytes from (
        select last, bytes, sum(octet_length(bytes)) over (order by last) - octet_length(bytes) as before
        from (select last, bytes from fundsim_batch where last > $1 order by last limit 1000) as next
    ) as summed where before < $2 order by last";
const APPEND: &str = "
    with moved as (
        update fundsim_head set position = $4, chain = $5, beats = beats + 1, shows = $7
        where id = 1 and epoch = $1 and instance = $8 and position = $2 and chain = $3 returning position)
    insert into fundsim_batch (last, bytes) select position, $6 from moved";
const CLAIM: &str = "
    update fundsim_head set epoch = epoch + 1, beats = beats + 1, instance = $5, url = $6
    where id = 1 and epoch = $1 and beats = $2 and position = $3 and chain = $4";
const BEAT: &str = "
    update fundsim_head set beats = beats + 1, shows = $4
    where id = 1 and epoch = $1 and instance = $5 and position = $2 and chain = $3";
const RELEASE: &str = "
    update fundsim_head set beats = beats + 1, instance = null, url = null, shows = $2
    where id = 1 and epoch = $1 and instance = $3";
const KEEP: &str = "
    with kept as (insert into fundsim_value values ($1, $2) on conflict do nothing returning value)
    select value from kept union all select value from fundsim_value where name = $1 limit 1";
const READ: &str = "select value from fundsim_value where name = $1";
// An answer says that a batch is kept, whatever the database is set to; and no statement waits for longer than who has asked.
const SESSION: &str = "
    select set_config('synchronous_commit', 'on', false) where current_setting('synchronous_commit') in ('off', 'local');
    set lock_timeout = '2s'";
const COUNT: &str = "
    insert into fundsim_count values ($1, 1)
    on conflict (name) do update set count = fundsim_count.count + 1 returning count - 1";

/// A log in a database.
pub struct Postgres {
    config: Config,
    tls: Arc<ClientConfig>,
    session: Mutex<Option<Arc<Session>>>,
}

struct Session {
    client: Client,
    head: Statement,
    after: Statement,
    append: Statement,
    claim: Statement,
    beat: Statement,
    release: Statement,
    keep: Statement,
    value: Statement,
    count: Statement,
}

impl Postgres {
    /// The log of the database at `url`, whose tables are made where they are absent.
    ///
    /// # Errors
    /// Why it cannot be used, in words.
    pub async fn open(url: &str, trust: &Trust) -> Result<Self, String> {
        let mut config = Config::from_str(url).map_err(|error| format!("it is no address of a database: {error}"))?;
        config.application_name("fundsim").connect_timeout(PATIENCE).tcp_user_timeout(PATIENCE);
        config.keepalives_idle(PATIENCE).keepalives_interval(Duration::from_secs(1)).keepalives_retries(3);
        // Of several hosts, as after a standby has taken over, the one that can be written to.
        config.target_session_attrs(tokio_postgres::config::TargetSessionAttrs::ReadWrite);
        let log = Self { config, tls: trust.client_config(), session: Mutex::default() };
        let session = timeout(CONNECTING, log.connect(true)).await.map_err(|_| "it does not answer".to_owned())?;
        let session = session.map_err(|fault| fault.to_string())?;
        log.advise(&session.client).await;
        *log.session.lock().await = Some(Arc::new(session));
        Ok(log)
    }

    /// A session; the first of an instance makes the tables where they are absent.
    async fn connect(&self, is_first: bool) -> Result<Session, LogError> {
        let client = if self.config.get_ssl_mode() == SslMode::Disable {
            let (client, connection) = self.config.connect(NoTls).await.map_err(|error| fault(&error))?;
            tokio::spawn(connection);
            client
        } else {
            let tls = MakeRustlsConnect::new(self.tls.as_ref().clone());
            let (client, connection) = self.config.connect(tls).await.map_err(|error| fault(&error))?;
            tokio::spawn(connection);
            client
        };
        let (session, format) = Session::begin(client, is_first).await.map_err(|error| fault(&error))?;
        if format == FORMAT {
            return Ok(session);
        }
        let format = String::from_utf8_lossy(&format);
        Err(LogError::Never(format!("its tables have format {format}, and this build knows 1")))
    }

    /// Says where what the server calls kept could be lost.
    async fn advise(&self, client: &Client) {
        let show = async |name: &str| {
            let row = client.query_one(&format!("show {name}"), &[]).await;
            row.map(|row| row.get::<_, String>(0)).unwrap_or_default()
        };
        for name in ["fsync", "full_page_writes"] {
            if show(name).await == "off" {
                tracing::warn!(
                    target: SERVER,
                    "the database has {name} off: when its machine stops, entries are lost that were answered as kept"
                );
            }
        }
        let standbys = client.query_one("select count(*) from pg_stat_replication", &[]).await;
        let standbys = standbys.map_or(0, |row| row.get::<_, i64>(0));
        if standbys > 0 && show("synchronous_standby_names").await.is_empty() {
            tracing::warn!(
                target: SERVER,
                "the database does not wait for its standby (synchronous_standby_names is empty): when that takes over, entries \
                 may be lost that were answered as kept; instances notice, and begin again from what it has"
            );
        }
    }

    async fn session(&self) -> Result<Arc<Session>, LogError> {
        let mut present = self.session.lock().await;
        if let Some(session) = present.as_ref().filter(|session| !session.client.is_closed()) {
            return Ok(Arc::clone(session));
        }
        let session = timeout(CONNECTING, self.connect(false)).await.map_err(|_| silent())?;
        let session = Arc::new(session?);
        *present = Some(Arc::clone(&session));
        Ok(session)
    }

    /// Asks one thing, with `bytes` to send.
    async fn ask<T, F>(&self, bytes: usize, ask: impl FnOnce(Arc<Session>) -> F) -> Result<T, LogError>
    where
        F: Future<Output = Result<T, Error>>,
    {
        let session = self.session().await?;
        let most = PATIENCE + PATIENCE_PER_MIB * u32::try_from(bytes >> 20).unwrap_or(u32::MAX);
        let answered = timeout(most, ask(Arc::clone(&session))).await;
        let answered = answered.map_or_else(|_| Err(silent()), |answered| answered.map_err(|error| fault(&error)));
        if answered.is_err() {
            let mut present = self.session.lock().await;
            if present.as_ref().is_some_and(|present| Arc::ptr_eq(present, &session)) {
                *present = None;
            }
        }
        answered
    }

    async fn changes(
        &self,
        bytes: usize,
        statement: fn(&Session) -> &Statement,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<bool, LogError> {
        let ask = async |session: Arc<Session>| session.client.execute(statement(&session), parameters).await;
        Ok(self.ask(bytes, ask).await? == 1)
    }

    async fn rows(
        &self,
        statement: fn(&Session) -> &Statement,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Vec<Row>, LogError> {
        self.ask(0, async |session: Arc<Session>| session.client.query(statement(&session), parameters).await).await
    }

    async fn row(
        &self,
        statement: fn(&Session) -> &Statement,
        parameters: &[&(dyn ToSql + Sync)],
    ) -> Result<Row, LogError> {
        let first = self.rows(statement, parameters).await?.into_iter().next();
        first.ok_or_else(|| LogError::Never("a table of the log has lost its row".to_owned()))
    }
}

impl Session {
    /// Makes statements, and tables where they are to be made and are absent. Answers the form of the tables, too.
    async fn begin(mut client: Client, makes: bool) -> Result<(Self, Vec<u8>), Error> {
        client.batch_execute(SESSION).await?;
        if makes && !client.query_one(ARE_THERE, &[]).await?.get::<_, bool>(0) {
            let making = client.transaction().await?;
            making.batch_execute(TABLES).await?;
            making.query(KEEP, &[&"format", &FORMAT]).await?;
            making.commit().await?;
        }
        let format = client.query_one(READ, &[&"format"]).await?.get(0);
        let head = client.prepare(HEAD).await?;
        let after = client.prepare(AFTER).await?;
        let append = client.prepare(APPEND).await?;
        let claim = client.prepare(CLAIM).await?;
        let beat = client.prepare(BEAT).await?;
        let release = client.prepare(RELEASE).await?;
        let keep = client.prepare(KEEP).await?;
        let value = client.prepare(READ).await?;
        let count = client.prepare(COUNT).await?;
        let session = Self { client, head, after, append, claim, beat, release, keep, value, count };
        Ok((session, format))
    }
}

fn silent() -> LogError {
    LogError::Retry("the database does not answer".to_owned())
}

/// What a refusal means: those that concern rights, names and passwords stay.
fn fault(error: &Error) -> LogError {
    let cause = std::error::Error::source(error).map(|cause| format!(": {cause}")).unwrap_or_default();
    let words = format!("{error}{cause}");
    let is_for_good = |state: &SqlState| ["28", "3D", "42"].iter().any(|class| state.code().starts_with(class));
    if error.code().is_some_and(is_for_good) { LogError::Never(words) } else { LogError::Retry(words) }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn unsigned(number: i64) -> u64 {
    u64::try_from(number).unwrap_or(0)
}

fn head_of(row: &Row) -> Head {
    let chain: Vec<u8> = row.get(1);
    let instance: Option<String> = row.get(4);
    let leader = instance.and_then(|instance| Uuid::parse_str(&instance).ok()).zip(row.get::<_, Option<String>>(5));
    Head {
        place: Place { position: unsigned(row.get(0)), chain: chain.try_into().unwrap_or_default() },
        epoch: unsigned(row.get(2)),
        beats: unsigned(row.get(3)),
        leader: leader.map(|(instance, url)| Leader { instance, url }),
        shows: TransportTime(unsigned(row.get(6))),
    }
}

impl SharedLog for Postgres {
    fn head(&self) -> Pending<'_, Head> {
        Box::pin(async { Ok(head_of(&self.row(|session| &session.head, &[]).await?)) })
    }

    fn after(&self, position: u64) -> Pending<'_, Vec<Batch>> {
        Box::pin(async move {
            let most = usize::try_from(READ_AT_ONCE).unwrap_or(0) + LARGEST;
            let rows = self.ask(most, async |session: Arc<Session>| {
                session.client.query(&session.after, &[&signed(position), &READ_AT_ONCE]).await
            });
            let rows = rows.await?;
            Ok(rows.iter().map(|row| (unsigned(row.get(0)), row.get(1))).collect())
        })
    }

    fn append<'a>(
        &'a self,
        term: Term,
        before: Place,
        after: Place,
        batch: &'a [u8],
        shows: TransportTime,
    ) -> Pending<'a, bool> {
        Box::pin(async move {
            let (epoch, instance, shows) = (signed(term.epoch), term.instance.to_string(), signed(shows.0));
            let (from, to) = (signed(before.position), signed(after.position));
            let (before, after): (&[u8], &[u8]) = (&before.chain, &after.chain);
            let parameters: [&(dyn ToSql + Sync); 8] = [&epoch, &from, &before, &to, &after, &batch, &shows, &instance];
            self.changes(batch.len(), |session| &session.append, &parameters).await
        })
    }

    fn claim<'a>(&'a self, seen: &'a Head, leader: &'a Leader) -> Pending<'a, bool> {
        Box::pin(async move {
            let (epoch, beats, position) = (signed(seen.epoch), signed(seen.beats), signed(seen.place.position));
            let chain: &[u8] = &seen.place.chain;
            let instance = leader.instance.to_string();
            let parameters: [&(dyn ToSql + Sync); 6] = [&epoch, &beats, &position, &chain, &instance, &leader.url];
            self.changes(0, |session| &session.claim, &parameters).await
        })
    }

    fn beat(&self, term: Term, place: Place, shows: TransportTime) -> Pending<'_, bool> {
        Box::pin(async move {
            let (epoch, instance, shows) = (signed(term.epoch), term.instance.to_string(), signed(shows.0));
            let (position, chain): (i64, &[u8]) = (signed(place.position), &place.chain);
            self.changes(0, |session| &session.beat, &[&epoch, &position, &chain, &shows, &instance]).await
        })
    }

    fn release(&self, term: Term, shows: TransportTime) -> Pending<'_, bool> {
        Box::pin(async move {
            let (epoch, shows, instance) = (signed(term.epoch), signed(shows.0), term.instance.to_string());
            self.changes(0, |session| &session.release, &[&epoch, &shows, &instance]).await
        })
    }

    fn keep<'a>(&'a self, name: &'a str, value: &'a [u8]) -> Pending<'a, Vec<u8>> {
        Box::pin(async move {
            // One that another instance is inserting at this moment is seen the next time.
            if let Some(row) = self.rows(|session| &session.keep, &[&name, &value]).await?.first() {
                return Ok(row.get(0));
            }
            Ok(self.row(|session| &session.keep, &[&name, &value]).await?.get(0))
        })
    }

    fn value<'a>(&'a self, name: &'a str) -> Pending<'a, Option<Vec<u8>>> {
        Box::pin(async move { Ok(self.rows(|session| &session.value, &[&name]).await?.first().map(|row| row.get(0))) })
    }

    fn count<'a>(&'a self, name: &'a str) -> Pending<'a, u64> {
        Box::pin(async move { Ok(unsigned(self.row(|session| &session.count, &[&name]).await?.get(0))) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The database that `tests/instances/run.sh` makes.
    const DATABASE: &str = "FUNDSIM_TEST_POSTGRES";

    #[tokio::test]
    #[ignore = "needs a database: tests/instances/run.sh makes one"]
    async fn a_log_in_postgresql_does_what_every_log_does() {
        let url = std::env::var(DATABASE).expect("tests/instances/run.sh names it");
        let log = Postgres::open(&url, &Trust::default()).await.expect("a log");
        crate::conformance::holds(&log).await;
        // Another session finds the same, and batches come in parts.
        let again = Postgres::open(&url, &Trust::default()).await.expect("a log");
        assert_eq!(again.head().await, log.head().await);
        let mut head = log.head().await.expect("a head");
        let large = vec![7; 3 << 20];
        for _ in 0..4 {
            let after = Place { position: head.place.position + 1, chain: [head.place.chain[0].wrapping_add(1); 16] };
            let term = Term { epoch: head.epoch, instance: head.leader.as_ref().expect("a leader").instance };
            assert_eq!(log.append(term, head.place, after, &large, head.shows).await, Ok(true));
            head = log.head().await.expect("a head");
        }
        let first = again.after(0).await.expect("batches");
        assert!(first.len() > 2 && first.len() < 7, "{} batches at once", first.len());
        let last = first.last().map_or(0, |(last, _)| *last);
        let rest = again.after(last).await.expect("batches");
        assert_eq!(rest.first().map(|(last, _)| *last), Some(last + 1));
        crate::conformance::journal_holds(std::sync::Arc::new(again)).await;
    }

    #[tokio::test]
    async fn what_cannot_be_reached_is_refused_in_words() {
        for (url, words) in [
            ("postgres://fundsim@127.0.0.1:1/sandbox", "error connecting to server"),
            ("postgres://fundsim@127.0.0.1/sandbox?sslmode=perhaps", "it is no address of a database"),
        ] {
            let refused = Postgres::open(url, &Trust::default()).await.map(drop);
            assert!(refused.as_ref().is_err_and(|why| why.contains(words)), "{url}: {refused:?}");
        }
    }
}
