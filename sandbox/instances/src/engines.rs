//! The log that a URL names.
//!
//! Owns: which scheme is which kind of log. Absent on purpose: the kinds themselves, each of which is in a build by its own feature.

use std::sync::Arc;

#[cfg(feature = "etcd")]
use crate::etcd::Etcd;
use crate::log::SharedLog;
#[cfg(feature = "postgres")]
use crate::postgres::Postgres;
use deliveries::trust::Trust;

/// The log at `url`, which is made where it is absent.
///
/// # Errors
/// Why it cannot be used, in words.
pub async fn open(url: &str, trust: &Trust) -> Result<Arc<dyn SharedLog>, String> {
    let scheme = url.split(':').next().unwrap_or_default();
    match scheme {
        #[cfg(feature = "postgres")]
        "postgres" | "postgresql" => Ok(Arc::new(Postgres::open(url, trust).await?)),
        #[cfg(feature = "etcd")]
        "etcd" | "etcds" => Ok(Arc::new(Etcd::open(url, trust).await?)),
        _ => {
            // A build without any kind asks nobody whether it is trusted.
            let _: &Trust = trust;
            Err("this build keeps no log at such a URL".to_owned())
        }
    }
}
