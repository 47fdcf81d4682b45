//! The outcome of one attempt to deliver, and what it means.
//!
//! Owns: the rule which answers count (rule: events/delivery-retries). Invariant: outcomes are closed words without the
//! operating system's texts, so that a log reads the same on every machine. Absent on purpose: what is done about it
//! (`queue`).

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::fault::DeliveryFault;

/// The outcome of one attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AttemptOutcome {
    /// The receiver answered with this status.
    Answered(u16),
    /// There was no whole answer.
    Failed(Failure),
    /// It went nowhere, and the sender does not know.
    Lost,
    /// Nobody was called: it is there for a listener, who fetches it (rule: events/listening).
    Left,
}

/// Why there was no whole answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Failure {
    /// The address is no http or https URL with a host.
    NotAUrl,
    /// https, where the network offers none (a simulated one).
    NoTls,
    /// The host's name leads nowhere.
    Unresolved,
    /// Every address of the host is one that may not be dialled.
    Forbidden,
    /// Nobody took the connection.
    Unreachable,
    /// The secure connection could not be agreed on.
    Untrusted,
    /// The receiver's certificate is of an issuer that is not trusted.
    UnknownIssuer,
    /// The receiver's certificate is not valid any more, or not yet.
    CertificateExpired,
    /// The receiver's certificate is for other hosts than the one that was called.
    CertificateForAnotherHost,
    /// The connection ended, or what came was not HTTP.
    Broken,
    /// Not done in time.
    Timeout,
    /// A fault rule let it fail.
    Fault,
}

impl Failure {
    /// All of them.
    pub const ALL: [Self; 12] = [
        Self::NotAUrl,
        Self::NoTls,
        Self::Unresolved,
        Self::Forbidden,
        Self::Unreachable,
        Self::Untrusted,
        Self::UnknownIssuer,
        Self::CertificateExpired,
        Self::CertificateForAnotherHost,
        Self::Broken,
        Self::Timeout,
        Self::Fault,
    ];

    /// As shown in the log of deliveries.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotAUrl => "notAUrl",
            Self::NoTls => "noTls",
            Self::Unresolved => "unresolved",
            Self::Forbidden => "forbidden",
            Self::Unreachable => "unreachable",
            Self::Untrusted => "untrusted",
            Self::UnknownIssuer => "unknownIssuer",
            Self::CertificateExpired => "certificateExpired",
            Self::CertificateForAnotherHost => "certificateForAnotherHost",
            Self::Broken => "broken",
            Self::Timeout => "timeout",
            Self::Fault => "fault",
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotAUrl => "the address is not an http or https URL with a host",
            Self::NoTls => "https is not offered in a simulated network",
            Self::Unresolved => "the host has no address",
            Self::Forbidden => "the host's address may not be dialled from a server that others can reach",
            Self::Unreachable => "nothing accepted the connection",
            Self::Untrusted => "the secure connection could not be agreed on",
            Self::UnknownIssuer => {
                "the receiver's certificate is of an issuer that is not trusted; `serve --ca-file FILE` names one that is"
            }
            Self::CertificateExpired => "the receiver's certificate is not valid any more, or not yet",
            Self::CertificateForAnotherHost => "the receiver's certificate is for other hosts",
            Self::Broken => "the connection ended before the answer did, or the answer was not HTTP",
            Self::Timeout => "no whole answer in time",
            Self::Fault => "a fault rule let it fail",
        })
    }
}

impl std::error::Error for Failure {}

/// How one attempt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Its outcome.
    pub outcome: AttemptOutcome,
    /// How long the receiver wants to be left alone.
    pub retry_after: Option<Duration>,
    /// What a rule did to it.
    pub fault: Option<DeliveryFault>,
    /// For which moment it was signed, in unix seconds; none where nothing was.
    pub signed_at: Option<u64>,
}

impl From<AttemptOutcome> for Ended {
    fn from(outcome: AttemptOutcome) -> Self {
        Self { outcome, retry_after: None, fault: None, signed_at: None }
    }
}

/// What an outcome means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeliveryVerdict {
    /// The receiver has it.
    Received,
    /// The receiver does not want it.
    Refused,
    /// The receiver wants nothing any more.
    Gone,
    /// To be tried again.
    Failed,
}

impl DeliveryVerdict {
    /// As logs and figures name it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Refused => "refused",
            Self::Gone => "gone",
            Self::Failed => "failed",
        }
    }
}

impl AttemptOutcome {
    /// 2xx is received, 400 is refused, 410 is the end, anything else has failed.
    #[must_use]
    pub const fn verdict(self) -> DeliveryVerdict {
        match self {
            Self::Answered(200..=299) | Self::Lost | Self::Left => DeliveryVerdict::Received,
            Self::Answered(400) => DeliveryVerdict::Refused,
            Self::Answered(410) => DeliveryVerdict::Gone,
            Self::Answered(_) | Self::Failed(_) => DeliveryVerdict::Failed,
        }
    }

    /// Status that the receiver answered.
    #[must_use]
    pub const fn status(self) -> Option<u16> {
        match self {
            Self::Answered(status) => Some(status),
            Self::Failed(_) | Self::Lost | Self::Left => None,
        }
    }

    /// Why there was no answer, in a word.
    #[must_use]
    pub const fn failure(self) -> Option<&'static str> {
        match self {
            Self::Answered(_) | Self::Left => None,
            Self::Lost => Some("lost"),
            Self::Failed(failure) => Some(failure.as_str()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use DeliveryVerdict::{Failed, Gone, Received, Refused};

    /// (rule: events/delivery-retries)
    #[test]
    fn only_2xx_is_received_only_400_is_refused_and_410_is_the_end() {
        let rows = [
            (100, Failed),
            (199, Failed),
            (200, Received),
            (202, Received),
            (204, Received),
            (299, Received),
            (300, Failed),
            (301, Failed),
            (307, Failed),
            (399, Failed),
            (400, Refused),
            (401, Failed),
            (404, Failed),
            (410, Gone),
            (429, Failed),
            (500, Failed),
            (503, Failed),
            (999, Failed),
        ];
        for (status, verdict) in rows {
            assert_eq!(AttemptOutcome::Answered(status).verdict(), verdict, "{status}");
        }
        for failure in Failure::ALL {
            assert_eq!(AttemptOutcome::Failed(failure).verdict(), Failed, "{failure}");
        }
    }
}
