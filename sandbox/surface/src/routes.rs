//! What answers a request: the row of its path and method, or what is served beside the rows.
//!
//! Invariant: a row is found in one step and its handler called at once: a framework's router would take the ids out of the path,
//! which handlers do by the row's pattern, and hand every request from box to box. Absent on purpose: which rows there are, and what
//! is answered where there is none, which the planes say.

use std::fmt;
use std::sync::Arc;

use axum::Router;
use axum::body::{Body, HttpBody as _};
use axum::extract::Request;
use axum::http::header::CONTENT_LENGTH;
use axum::http::{Method, Response};
use tower_service::Service as _;

use crate::App;
use crate::route::Route;

/// Rows by their paths, all methods of a path together.
type ByPath = Arc<matchit::Router<Vec<&'static Route>>>;

/// The rows by their paths, and what is served beside them. A copy shares them.
#[derive(Clone)]
pub struct Routes {
    rows: ByPath,
    beside: Router<App>,
}

impl Routes {
    /// `rows`, and `beside` for what none of them is for.
    ///
    /// # Panics
    /// When two patterns of rows match the same path.
    #[must_use]
    pub fn new(rows: impl IntoIterator<Item = &'static Route>, beside: Router<App>) -> Self {
        let mut by_path = indexmap::IndexMap::<_, Vec<_>>::new();
        for row in rows {
            by_path.entry(row.path).or_default().push(row);
        }
        let mut rows = matchit::Router::new();
        for (path, methods) in by_path {
            rows.insert(path, methods).unwrap_or_else(|conflict| panic!("{path}: {conflict}"));
        }
        Self { rows: Arc::new(rows), beside }
    }

    /// The same with what is served beside the rows ready to be called.
    pub(crate) fn with_state(self, app: App) -> StatefulRoutes {
        StatefulRoutes { rows: self.rows, beside: self.beside.with_state(app.clone()), app }
    }
}

/// Routes with the state of their handlers.
pub(crate) struct StatefulRoutes {
    rows: ByPath,
    beside: Router,
    app: App,
}

impl StatefulRoutes {
    /// What `request` is answered.
    pub(crate) async fn answer(&self, request: Request) -> Response<Body> {
        let Some(row) = self.row(request.method(), request.uri().path()) else {
            return match self.beside.clone().call(request).await {
                Ok(response) => response,
                Err(never) => match never {},
            };
        };
        let is_head = *request.method() == Method::HEAD;
        let response = row.call(request, self.app.clone()).await;
        if is_head { headers_of(response) } else { response }
    }

    /// The place of the row for `method` at `path` among those whose answers are counted.
    pub(crate) fn counted(&self, method: &Method, path: &str) -> Option<u16> {
        self.row(method, path)?.counted
    }

    /// The row for `method` at `path`; `HEAD` is answered by the row for `GET`.
    fn row(&self, method: &Method, path: &str) -> Option<&'static Route> {
        let rows = self.rows.at(path).ok()?.value;
        let method = if *method == Method::HEAD { &Method::GET } else { method };
        rows.iter().copied().find(|row| row.method == *method)
    }
}

/// The answer to `HEAD`: without its body, whose length stays.
fn headers_of(response: Response<Body>) -> Response<Body> {
    let length = response.body().size_hint().exact();
    let mut response = response.map(|_| Body::empty());
    if let Some(length) = length {
        response.headers_mut().entry(CONTENT_LENGTH).or_insert_with(|| length.into());
    }
    response
}

impl fmt::Debug for Routes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Routes").field("beside", &self.beside).finish_non_exhaustive()
    }
}
