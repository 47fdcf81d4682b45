//! Who may call: the security schemes, and which of them a row asks for.

use crate::auth::{Access, Right, ScopeDemand};
use crate::route::Authorization;
use crate::token_endpoint;
use utoipa::openapi::SecurityRequirement;
use utoipa::openapi::security::{ClientCredentials, Flow, HttpAuthScheme, HttpBuilder, OAuth2, Scopes, SecurityScheme};

/// Tokens of partners.
const OAUTH2: &str = "oauth2";
/// The operator's token.
const OPERATOR: &str = "operator";

/// The schemes with their names.
pub(super) fn schemes() -> [(&'static str, SecurityScheme); 2] {
    [(OAUTH2, oauth2()), (OPERATOR, operator())]
}

/// What a row with these needs asks for: one of the requirements.
pub(super) fn of(authorization: Authorization) -> Vec<SecurityRequirement> {
    let operator = SecurityRequirement::new(OPERATOR, [""; 0]);
    match authorization {
        // Nothing is required; each operation says so, so that readers do not have to guess.
        Authorization::Nothing => vec![SecurityRequirement::default()],
        Authorization::Token => vec![token([])],
        Authorization::AnyWrite => {
            Right::all().filter(|right| right.access == Access::Write).map(|right| token([right])).collect()
        }
        Authorization::Right(right) => vec![token([right])],
        Authorization::AnyRead(resources) => {
            resources.iter().map(|&resource| token([Right { resource, access: Access::Read }])).collect()
        }
        Authorization::Operator | Authorization::AllWorlds => vec![operator],
        Authorization::OwnWorld(ScopeDemand::Token) => vec![operator, token([])],
        Authorization::OwnWorld(ScopeDemand::EveryRead) => {
            vec![operator, token(Right::all().filter(|right| right.access == Access::Read))]
        }
        Authorization::OwnWorld(ScopeDemand::Everything) => vec![operator, token(Right::all())],
    }
}

/// A partner's token with these rights.
fn token(rights: impl IntoIterator<Item = Right>) -> SecurityRequirement {
    SecurityRequirement::new(OAUTH2, rights.into_iter().map(|right| right.to_string()))
}

fn oauth2() -> SecurityScheme {
    let scopes = Right::all().map(|right| {
        let verb = if right.access == Access::Read { "Read" } else { "Change" };
        (right.to_string(), format!("{verb} {} resources.", right.resource))
    });
    let flow = ClientCredentials::new(token_endpoint::PATH, scopes.collect::<Scopes>());
    SecurityScheme::OAuth2(OAuth2::with_description(
        [Flow::ClientCredentials(flow)],
        "A partner's access token. One requested without `scope` may do everything.",
    ))
}

fn operator() -> SecurityScheme {
    let about = "The token named by `--operator-token-env`. A server without one, which listens on this machine only, takes \
                 a request without a token for the operator's.";
    SecurityScheme::Http(HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(about)).build())
}
