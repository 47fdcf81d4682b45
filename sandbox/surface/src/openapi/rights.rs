//! Who may call: the security schemes, and which of them a row asks for.

use crate::auth::{Access, Demand, Right};
use crate::route::Needs;
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
pub(super) fn of(needs: Needs) -> Vec<SecurityRequirement> {
    let operator = SecurityRequirement::new(OPERATOR, [""; 0]);
    match needs {
        // Nothing is required; said per operation, so that readers do not have to guess.
        Needs::Nothing => vec![SecurityRequirement::default()],
        Needs::Token => vec![token([])],
        Needs::AnyWrite => {
            Right::all().filter(|right| right.access == Access::Write).map(|right| token([right])).collect()
        }
        Needs::Right(right) => vec![token([right])],
        Needs::AnyRead(resources) => {
            resources.iter().map(|&resource| token([Right { resource, access: Access::Read }])).collect()
        }
        Needs::Operator | Needs::AllWorlds => vec![operator],
        Needs::OwnWorld(Demand::Token) => vec![operator, token([])],
        Needs::OwnWorld(Demand::EveryRead) => {
            vec![operator, token(Right::all().filter(|right| right.access == Access::Read))]
        }
        Needs::OwnWorld(Demand::Everything) => vec![operator, token(Right::all())],
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
