//! Routes of axum's router that are a list as well, so that what is told of them is what is served.

/// Makes `ROUTES`, method and path of every route, and `listed`, the same routes as a router. `ROUTES` shows paths under
/// the prefix below which the router is nested.
macro_rules! listed {
    (under $prefix:literal; $($method:ident $path:literal => $handler:path;)*) => {
        /// Method and path of every route, in order.
        pub const ROUTES: &[(&str, &str)] = &[$((stringify!($method), concat!($prefix, $path))),*];

        fn listed() -> axum::Router<$crate::App> {
            axum::Router::new()$(.route($path, axum::routing::$method($handler)))*
        }
    };
}
