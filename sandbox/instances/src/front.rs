//! What answers the requests of an instance: the surface of its worlds while it leads, and the way to the leader while it follows.
//!
//! Invariant: an answer of this instance's own worlds is given only if it led until that was made; a request is forwarded once at most. Absent
//! on purpose: routes.

use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Request, Response};
use axum::response::IntoResponse as _;
use tokio::time::{Instant, sleep, timeout_at};

use crate::forward::{Came, Forwarded, Forwarder, Outgoing, not_leading};
use crate::lease::Lease;
use crate::role::{Role, Roles};
use deliveries::connector::Connector;
use deliveries::trust::Trust;
use hosting::secrets::Secret;
use surface::Surface;
use surface::server::Front;
use surface::service::Dropped;
use wire::error::ApiError;

/// What each instance answers of itself.
const OWN: [&str; 3] = ["/healthz", "/readyz", "/metrics"];
/// How long a request waits for a leader.
const PATIENCE: Duration = Duration::from_secs(5);
/// Between two tries to reach a leader that cannot be reached.
const RETRY: Duration = Duration::from_millis(50);
/// Seconds after which a client should try again.
const LATER: u32 = 2;

/// One instance. Clones share it.
#[derive(Clone)]
pub struct Instance {
    shared: Arc<Shared>,
}

struct Shared {
    roles: Roles,
    /// What refuses, and answers of the instance alone; it has no worlds.
    bare: Surface,
    /// The surface of the last term.
    last: Mutex<Option<Surface>>,
    forwarder: Forwarder,
    /// Requests that are being answered here.
    busy: AtomicUsize,
}

/// One request that is being answered here.
struct Busy<'i>(&'i AtomicUsize);

impl Drop for Busy<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

impl Instance {
    /// An instance that has not begun. `bare` is a surface without worlds; instances know each other by the passphrase, trust
    /// certificates by `trust`, and reach each other over `network`.
    #[must_use]
    pub fn new(bare: Surface, passphrase: Secret, trust: &Trust, network: Arc<dyn Connector>) -> Self {
        let shared = Shared {
            roles: Roles::default(),
            bare,
            last: Mutex::default(),
            forwarder: Forwarder::new(passphrase, trust, network),
            busy: AtomicUsize::new(0),
        };
        Self { shared: Arc::new(shared) }
    }

    /// Waits until it leads, or knows who does. Answers where that one is reached, if it is another.
    pub async fn ready(&self) -> Option<Arc<str>> {
        self.shared.roles.is_other_than(&Role::Waits).await;
        match self.shared.roles.now() {
            Role::Follows { url, .. } => Some(url),
            Role::Waits | Role::Leads { .. } => None,
        }
    }

    pub(crate) fn follows(&self, epoch: u64, url: &str) {
        self.shared.roles.set(Role::Follows { epoch, url: url.into() });
    }

    pub(crate) fn waits(&self) {
        self.shared.roles.set(Role::Waits);
    }

    pub(crate) fn leads(&self, surface: &Surface, lease: &Arc<Lease>) {
        *self.shared.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(surface.clone());
        self.shared.roles.set(Role::Leads { surface: surface.clone(), lease: Arc::clone(lease) });
    }

    /// The worlds of its last term are not asked for again.
    pub(crate) fn forgets(&self) {
        *self.shared.last.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Waits until no request is being answered here, at most so long.
    pub(crate) async fn is_quiet(&self, most: Duration) {
        let until = Instant::now() + most;
        while self.shared.busy.load(Ordering::Acquire) > 0 && Instant::now() < until {
            sleep(Duration::from_millis(2)).await;
        }
    }

    async fn refuse(
        &self,
        refused: ApiError,
        request: Request<Body>,
        peer: Option<IpAddr>,
    ) -> Result<Response<Body>, Dropped> {
        self.shared.bare.handle_if(Err(refused), request, peer).await
    }

    /// Answers a request by the worlds of this instance.
    async fn here(
        &self,
        (surface, lease): (&Surface, &Lease),
        admitted: Result<(), ApiError>,
        request: Request<Body>,
        peer: Option<IpAddr>,
    ) -> Result<Response<Body>, Dropped> {
        let same = same(&request);
        self.shared.busy.fetch_add(1, Ordering::AcqRel);
        let busy = Busy(&self.shared.busy);
        let answered = surface.handle_if(admitted, request, peer).await;
        drop(busy);
        if lease.holds() {
            return answered;
        }
        let refused = ApiError::try_again("this instance no longer leads; the request may be carried out", LATER);
        self.refuse(refused, same, peer).await
    }

    /// A request that another instance forwards.
    async fn forwarded(&self, request: Request<Body>, peer: Option<IpAddr>) -> Result<Response<Body>, Dropped> {
        match self.shared.roles.now() {
            Role::Leads { surface, lease } if lease.holds() => {
                let admitted = surface.admit_proxied(&request);
                self.here((&surface, &lease), admitted, request, peer).await
            }
            // Only an instance sees this answer, and asks elsewhere.
            _ => Ok(not_leading(ApiError::try_again("this instance does not lead", LATER).into_response())),
        }
    }

    /// A request about this instance alone.
    async fn own(&self, request: Request<Body>, peer: Option<IpAddr>) -> Result<Response<Body>, Dropped> {
        let bare = &self.shared.bare;
        match self.shared.roles.now() {
            Role::Leads { surface, lease } if lease.holds() => surface.handle(request, peer).await,
            Role::Follows { .. } => bare.handle(request, peer).await,
            Role::Leads { .. } | Role::Waits if request.uri().path() == "/readyz" => {
                let admitted = bare.admit(&request, peer);
                let refused = admitted.err().unwrap_or_else(|| ApiError::try_again("no instance leads", LATER));
                self.refuse(refused, request, peer).await
            }
            Role::Leads { .. } | Role::Waits => bare.handle(request, peer).await,
        }
    }

    /// A request of a client.
    async fn direct(&self, request: Request<Body>, peer: Option<IpAddr>) -> Result<Response<Body>, Dropped> {
        if OWN.contains(&request.uri().path()) {
            return self.own(request, peer).await;
        }
        // `OPTIONS *` names no resource that another instance has.
        if !request.uri().path().starts_with('/') {
            return self.shared.bare.handle(request, peer).await;
        }
        let until = Instant::now() + PATIENCE;
        let same = same(&request);
        let mut waiting = Waiting::Untouched(Box::new(request));
        loop {
            let role = self.shared.roles.now();
            match &role {
                Role::Leads { surface, lease } if lease.holds() => {
                    let (request, admitted) = match waiting {
                        Waiting::Untouched(request) => {
                            let admitted = surface.admit(&request, peer);
                            (*request, admitted)
                        }
                        Waiting::Ready(outgoing) => (outgoing.taken_back(), Ok(())),
                    };
                    return self.here((surface, lease), admitted, request, peer).await;
                }
                Role::Follows { url, .. } => {
                    let mut outgoing = match waiting {
                        Waiting::Ready(outgoing) => outgoing,
                        Waiting::Untouched(request) => {
                            if let Err(refused) = self.shared.bare.admit(&request, peer) {
                                return self.refuse(refused, *request, peer).await;
                            }
                            let patience = self.shared.bare.limits().body;
                            match self.shared.forwarder.ready(*request, peer, patience).await {
                                Ok(outgoing) => Box::new(outgoing),
                                Err(refused) => return self.refuse(refused, same, peer).await,
                            }
                        }
                    };
                    let (roles, before) = (self.shared.roles.clone(), role.clone());
                    let is_over = async move { roles.is_other_than(&before).await };
                    match self.shared.forwarder.forward(url, &mut outgoing, is_over).await? {
                        Forwarded::Answered(answer) => return Ok(answer),
                        Forwarded::NotTaken => waiting = Waiting::Ready(outgoing),
                    }
                    sleep(RETRY).await;
                }
                // A lease that has run out is renewed, or the role changes.
                Role::Leads { .. } => sleep(RETRY).await,
                Role::Waits => drop(timeout_at(until, self.shared.roles.is_other_than(&role)).await),
            }
            if Instant::now() >= until {
                let refused = ApiError::try_again("no instance leads at the moment", LATER);
                return self.refuse(refused, same, peer).await;
            }
        }
    }
}

/// A request without its body and headers, for a refusal of what was given on.
fn same(request: &Request<Body>) -> Request<Body> {
    let mut same = Request::default();
    request.method().clone_into(same.method_mut());
    request.uri().clone_into(same.uri_mut());
    same
}

/// A request that nobody has begun with.
enum Waiting {
    Untouched(Box<Request<Body>>),
    /// It was admitted, and made ready to be forwarded.
    Ready(Box<Outgoing>),
}

impl Front for Instance {
    fn outermost(&self) -> &Surface {
        &self.shared.bare
    }

    fn serving(&self) -> Surface {
        let last = self.shared.last.lock().unwrap_or_else(PoisonError::into_inner).clone();
        last.unwrap_or_else(|| self.shared.bare.clone())
    }

    async fn answer(&self, mut request: Request<Body>, peer: Option<IpAddr>) -> Result<Response<Body>, Dropped> {
        match self.shared.forwarder.came(request.headers_mut()) {
            Came::Directly => self.direct(request, peer).await,
            Came::From(peer) => self.forwarded(request, peer).await,
            Came::Forged => {
                let refused = ApiError::forbidden("the request says that another instance forwards it, and none does");
                self.refuse(refused, request, peer).await
            }
        }
    }
}
