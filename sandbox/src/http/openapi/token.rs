//! The token endpoint's shapes, which RFC 6749 fixes and `auth` reads and writes.

use utoipa::ToSchema;

/// Client credentials grant. HTTP Basic may carry the credentials instead of the body.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the request; `auth` reads it")]
pub(super) struct TokenRequest {
    /// Always `client_credentials`.
    #[schema(pattern = "^client_credentials$", examples("client_credentials"))]
    grant_type: String,
    #[schema(nullable = false)]
    client_id: Option<String>,
    #[schema(nullable = false)]
    client_secret: Option<String>,
    /// Rights such as `account:read`, separated by commas or spaces; everything when left out.
    #[schema(nullable = false)]
    scope: Option<String>,
    /// Echoed in the answer.
    #[schema(nullable = false)]
    state: Option<String>,
}

/// An access token.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the answer; `auth` writes it")]
pub(super) struct Token {
    access_token: String,
    /// Always `bearer`.
    token_type: String,
    /// Seconds for which the token is good.
    expires_in: u32,
    /// As sent.
    #[schema(nullable = false)]
    state: Option<String>,
}

/// Why no token was issued.
#[derive(ToSchema)]
#[allow(dead_code, reason = "describes the answer; `auth` writes it")]
pub(super) struct TokenError {
    /// One of `invalid_request`, `invalid_client`, `unsupported_grant_type`, `unauthorized_client`, `invalid_scope`.
    error: String,
    #[schema(nullable = false)]
    error_description: Option<String>,
}
