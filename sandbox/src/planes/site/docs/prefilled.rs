//! Values for an operation that lead to success: ids of what there is in a world, and bodies that the world would take now.
//!
//! Owns: for whom values are looked for, and which of the partner's resources an operation is about. Invariant: a page shows values of
//! the partner whose token came with the request; without a token it shows those of the first partner of the first world on
//! a server that is private, and none elsewhere. Absent on purpose: any change of the world; a body is judged by the checks
//! that the operation itself makes.

mod bodies;
mod partner_view;
mod subjects;

pub(super) use partner_view::{Lack, Missing};

use super::description::Operation;
use hosting::secrets::Secret;
use hosting::worlds::WorldHandle;
use partner_view::{Ids, PartnerView};
use serde_json::Value;
use sim::ids::PartnerId;
use std::sync::Arc;
use surface::App;
use surface::auth::{Caller, ScopeDemand};

/// Whose values are shown.
pub(super) struct Viewer {
    world: Arc<WorldHandle>,
    partner: PartnerId,
    /// The partner's credentials, on a server that is private.
    pub(super) credentials: Option<(String, String)>,
}

/// The values of a form and of the code beside it.
#[derive(Clone, Debug, Default)]
pub(super) struct Prefilled {
    /// Ids, by the names of parameters and of fields.
    ids: Ids,
    /// Parameters of the query that an operation cannot do without.
    pub(super) query: Vec<(String, String)>,
    /// The body.
    pub(super) body: Option<Value>,
    /// Why they do not lead to success.
    pub(super) lack: Option<Lack>,
}

impl Viewer {
    /// The bearer of a token that may read everything; on a server that is private, without one, the first partner.
    pub(super) fn of(app: &App, caller: Option<Caller>) -> Option<Self> {
        if let Some(caller) = caller {
            // The page shows ids of all resources.
            caller.meets(ScopeDemand::EveryRead).ok()?;
            return Some(Self { world: caller.world, partner: caller.partner, credentials: None });
        }
        let world = app.is_private().then(|| app.worlds.all().into_iter().next())??;
        let first = world.identity.credentials().first()?;
        let secret = first.secret.known().map(Secret::reveal)?;
        let credentials = Some((first.client_id.to_string(), secret.to_owned()));
        Some(Self { partner: first.partner, world: Arc::clone(&world), credentials })
    }

    /// The partner's name and its world's.
    pub(super) fn names(&self) -> (String, String) {
        let credentials = self.world.identity.credentials().iter().find(|it| it.partner == self.partner);
        (credentials.map(|it| it.name.to_string()).unwrap_or_default(), self.world.identity.name().to_string())
    }
}

impl Prefilled {
    /// The values for `operation`: of the viewer's part of its world, or those of the document's example.
    pub(super) fn of(operation: &Operation, viewer: Option<&Viewer>) -> Self {
        let example = operation.body().map(|(_, content)| bodies::example(content));
        let none = Self { body: example.clone(), ..Self::default() };
        let Some(viewer) = viewer else { return none };
        let found = viewer.world.read(|world| {
            let view = PartnerView { world, partner: viewer.partner };
            view.values(operation, example)
        });
        let mut found = found.unwrap_or(none);
        found.ids.insert("worldId", viewer.world.identity.id().to_string());
        if let (Some((id, secret)), Some(Value::Object(body))) = (&viewer.credentials, &mut found.body) {
            for (name, value) in [("client_id", id), ("client_secret", secret)] {
                if body.contains_key(name) {
                    body.insert(name.to_owned(), value.as_str().into());
                }
            }
        }
        found
    }

    /// The value of a parameter in the path.
    pub(super) fn path(&self, name: &str) -> Option<&str> {
        self.ids.get(name).map(String::as_str)
    }

    /// The value of a parameter in the query.
    pub(super) fn query(&self, name: &str) -> &str {
        self.query.iter().find(|(known, _)| known == name).map_or("", |(_, value)| value)
    }
}

impl PartnerView<'_> {
    fn values(&self, operation: &Operation, example: Option<Value>) -> Prefilled {
        let mut prefilled = Prefilled { ids: self.usual_ids(), ..Prefilled::default() };
        match self.body_of(operation.id) {
            Some(Ok((ids, body))) => {
                prefilled.ids.extend(ids);
                prefilled.body = Some(body);
                return prefilled;
            }
            Some(Err(lack)) => prefilled.lack = Some(lack),
            None => match self.subject(operation, &prefilled.ids) {
                Ok(ids) => prefilled.ids.extend(ids),
                Err(missing) => {
                    prefilled.ids.remove(missing.parameter);
                    prefilled.lack = Some(Lack::Resource(missing));
                }
            },
        }
        prefilled.query = self.query_of(operation.id);
        prefilled.body = example.map(|body| bodies::with_ids(body, &prefilled.ids));
        prefilled
    }
}
