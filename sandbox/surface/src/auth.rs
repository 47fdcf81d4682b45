//! Who calls, and what they may do.
//!
//! Owns: bearer tokens on the way in, the IP allowlist, and the check that a client is within a token's reach.
//! Invariant: a token opens only its own partner's clients in its own world; who shows none, or a bad one, learns nothing
//! else. Absent on purpose: rights within a world's rules, which the world refuses by itself.

mod caller;

use std::net::IpAddr;

use axum::extract::FromRequestParts;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use axum::http::request::Parts;

pub use self::caller::{Caller, ScopeDemand};
use crate::App;
pub use feed::rights::{Access, Resource, Right, Rights};
use hosting::worlds::Worlds;
use wire::error::ApiError;

/// The scheme of access tokens.
const BEARER: &str = "bearer";

/// Where tokens are issued.
pub const TOKEN_PATH: &str = "/v2/partner/auth/token";

impl FromRequestParts<App> for Caller {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        match parts.extensions.get::<RequestContext>() {
            Some(context) => context.caller.clone(),
            None => authenticate(&app.worlds, &parts.headers, None),
        }
        .map_err(Denied::answer)
    }
}

/// What the surface knows of a request before it is routed.
#[derive(Clone, Debug)]
pub struct RequestContext {
    /// The `request-id` of the answer.
    pub id: u64,
    /// Where it comes from.
    pub peer: Option<IpAddr>,
    /// Who sends it.
    pub caller: Result<Caller, Denied>,
    /// The path of its route, with names in braces for ids, once that is found.
    pub pattern: Option<&'static str>,
}

/// Why nobody was recognised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denied {
    /// No bearer token was shown.
    NoToken,
    /// The token is unknown, malformed or has expired.
    BadToken,
    /// The token's world does not admit the address.
    Address,
}

impl Denied {
    /// 401 or 403 in words.
    #[must_use]
    pub fn answer(self) -> ApiError {
        match self {
            Self::NoToken => ApiError::unauthorized("an access token is required"),
            Self::BadToken => ApiError::invalid_token("the access token is not valid, or no longer"),
            Self::Address => address_refused(),
        }
    }
}

pub(crate) fn address_refused() -> ApiError {
    ApiError::forbidden("this address is not on the allowlist")
}

/// Recognises the bearer of a token.
pub fn authenticate(worlds: &Worlds, headers: &HeaderMap, peer: Option<IpAddr>) -> Result<Caller, Denied> {
    let (world, partner, rights) = worlds.bearer(bearer(headers)?).ok_or(Denied::BadToken)?;
    let caller = Caller { world, partner, rights };
    if caller.world.edge.allowlist.admits(peer) { Ok(caller) } else { Err(Denied::Address) }
}

/// The token of an `Authorization: Bearer` header.
pub fn bearer(headers: &HeaderMap) -> Result<&str, Denied> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or(Denied::NoToken)?;
    if values.next().is_some() {
        return Err(Denied::BadToken);
    }
    let text = value.to_str().map_err(|_| Denied::BadToken)?;
    let of_bearer = text.split_at_checked(BEARER.len()).filter(|(scheme, _)| scheme.eq_ignore_ascii_case(BEARER));
    of_bearer.and_then(|(_, token)| token.strip_prefix(' ')).map(str::trim).ok_or(Denied::NoToken)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{Answer, Bench, request};
    use axum::http::Method;
    use sim::ids::ClientId;
    use std::sync::Arc;
    use std::time::Duration;

    async fn whoami(bench: &Bench, token: Option<&str>) -> Answer {
        bench.ask(request(Method::GET, "/whoami", token, None)).await
    }

    /// (rule: auth/bearer)
    #[tokio::test]
    async fn a_401_says_whether_a_token_was_shown() {
        let bench = Bench::new();
        let token = bench.token(0).await;
        for (header, challenge) in [
            (None, "Bearer"),
            (Some("Basic eDp5".to_owned()), "Bearer"),
            (Some("Bearer".to_owned()), "Bearer"),
            (Some("Bearer x".to_owned()), "Bearer error=\"invalid_token\""),
            (Some(format!("Bearer {token}0")), "Bearer error=\"invalid_token\""),
            (Some("Bearer 00000000-0000-4000-8000-000000000000".to_owned()), "Bearer error=\"invalid_token\""),
        ] {
            let mut sent = request(Method::GET, "/whoami", None, None);
            if let Some(header) = &header {
                sent.headers_mut().insert(AUTHORIZATION, header.parse().expect("a value"));
            }
            let answer = bench.ask(sent).await;
            assert_eq!((answer.status, answer.header("www-authenticate")), (401, Some(challenge)), "{header:?}");
            assert_eq!(answer.body["error"], "unauthorized");
        }
        assert_eq!(whoami(&bench, Some(&token)).await.status, 200);
        assert_eq!(whoami(&bench, Some(&token.to_uppercase())).await.status, 200);
    }

    /// (rule: events/transport-time, auth/token-life)
    #[tokio::test(start_paused = true)]
    async fn tokens_expire_by_transport_time_and_several_are_valid_at_once() {
        let bench = Bench::new();
        let first = bench.token(0).await;
        tokio::time::sleep(Duration::from_secs(1_800)).await;
        let second = bench.token(0).await;
        assert_ne!(first, second);
        tokio::time::sleep(Duration::from_millis(1_799_999)).await;
        assert_eq!(whoami(&bench, Some(&first)).await.status, 200);
        tokio::time::sleep(Duration::from_millis(1)).await;
        assert_eq!(whoami(&bench, Some(&first)).await.status, 401);
        assert_eq!(whoami(&bench, Some(&second)).await.status, 200);
    }

    #[tokio::test(start_paused = true)]
    async fn with_virtual_transport_tokens_expire_by_the_worlds_clock() {
        let bench = Bench::new();
        let mut settings = bench.world.edge.settings();
        settings.virtual_transport = true;
        bench.world.set_settings(settings);
        let token = bench.token(0).await;
        tokio::time::sleep(Duration::from_secs(7_200)).await;
        assert_eq!(whoami(&bench, Some(&token)).await.status, 200);
        let now = bench.world.last_now();
        for (ms, status) in [(3_599_999, 200), (3_600_000, 401)] {
            while !bench.world.jump(now.plus(sim::time::Millis(ms)), &mut Vec::new()).await.expect("a jump") {}
            assert_eq!(whoami(&bench, Some(&token)).await.status, status);
        }
    }

    #[tokio::test(start_paused = true)]
    async fn tokens_are_bounded_and_the_oldest_and_expired_give_way() {
        let bench = Bench::new();
        let mut settings = bench.world.edge.settings();
        settings.tokens_per_partner = 3;
        bench.world.set_settings(settings);
        let mut tokens = Vec::new();
        for _ in 0..5 {
            tokens.push(bench.token(0).await);
        }
        let other = bench.token(1).await;
        let store = bench.surface.app().worlds.tokens();
        assert_eq!(store.count(), 4);
        for (token, status) in tokens.iter().zip([401, 401, 200, 200, 200]) {
            assert_eq!(whoami(&bench, Some(token)).await.status, status);
        }
        assert_eq!(whoami(&bench, Some(&other)).await.status, 200);
        tokio::time::sleep(Duration::from_secs(3_600)).await;
        drop((bench.token(0).await, bench.token(1).await));
        assert_eq!(store.count(), 2);
    }

    #[tokio::test]
    async fn a_caller_reaches_its_own_clients_within_its_rights() {
        let bench = Bench::new();
        let partner = bench.world.identity.credentials()[0].partner;
        let caller = |scope: &str| Caller {
            world: Arc::clone(&bench.world),
            partner,
            rights: Rights::parse(scope).expect("a scope"),
        };
        let (own, foreign) = (bench.scope(0), bench.scope(2));
        let right = Right { resource: Resource::Order, access: Access::Write };
        assert_eq!(caller("").may(right), Ok(()));
        assert_eq!(caller("").scope(own.client), Ok(own));
        for scope in ["order:read", "account:write"] {
            let refused = caller(scope).may(right).expect_err("no right");
            assert_eq!((refused.status.as_u16(), refused.error), (403, "forbidden"));
            assert_eq!(refused.description, "the access token lacks the scope order:write");
        }
        for client in [foreign.client, ClientId::from_u128(1)] {
            let refused = caller("").scope(client).expect_err("out of reach");
            assert_eq!((refused.status.as_u16(), refused.error), (403, "forbidden"));
            assert_eq!(refused.description, "clientId is not within the scope of this token");
        }
    }

    /// (rule: auth/allowlist)
    #[tokio::test]
    async fn an_allowlist_holds_for_every_call() {
        let bench = Bench::new();
        let token = bench.token(0).await;
        bench.world.edge.allowlist.set(vec!["192.0.2.0/24".parse().expect("a network")]);
        assert_eq!(whoami(&bench, Some(&token)).await.status, 403);
        let sent = request(Method::GET, "/whoami", Some(&token), None);
        let answer = bench.surface.handle(sent, "192.0.2.1".parse().ok()).await.expect("an answer");
        assert_eq!(answer.status(), 200);
    }
}
