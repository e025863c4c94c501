//! A model, loaded: its checked form and its transition system, with the properties from outside it. Data
//! only, and cheap to clone.

use crate::external::ExternalProperty;
use crate::probed::Probed;
use crate::put::PutOutput;
use burnside_lang::hir;
use burnside_limits::Stop;
use burnside_petri::NetModel;
use burnside_ts::{Fault, Permutation, System};
use std::sync::Arc;

/// A model that can be checked: see [`Model::load`]. A clone shares everything with the original.
///
/// ```
/// use burnside::{LoadOptions, Model};
///
/// let text = "var x: bool; process P { rule r { x = !x; } } reachable on = x;";
/// let model = Model::load(text, &LoadOptions::new()).into_model()?;
/// let properties: Vec<&str> = model.properties().collect();
/// assert_eq!(properties, ["on"]);
/// # Ok::<(), burnside::LoadError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Model {
    /// What it was made from.
    pub front: Front,
    /// What it means. Sites whose `origin` is not 0 are in external properties, numbered from 1, or in files
    /// that the model imports, numbered from there on.
    pub system: Arc<System>,
    /// The files that it imports, named relative to its directory.
    pub files: Vec<String>,
    /// What came from outside the model, each with the name of the property or hint that it became.
    pub external: Vec<(String, ExternalProperty)>,
    /// Generators that are said to be symmetries and are none, or nobody knows. Only the symbolic engine uses
    /// them: what it finds with them is real, but it proves nothing.
    pub claimed: Vec<Permutation>,
    /// The same with its conditions watched, if that was asked for: see [`coverage`](crate::coverage()).
    pub probed: Option<Arc<Probed>>,
}

/// What a transition system was made from.
#[derive(Clone, Debug)]
pub enum Front {
    /// A checked model in our own language.
    Orb(Arc<hir::Model>),
    /// A checked model in our own language that a Murphi model was translated into. Its places are those
    /// of the Murphi text. With what tells what `put` says in it, if there is some.
    Murphi(Arc<hir::Model>, Option<Arc<PutOutput>>),
    /// A Petri net.
    Net(Arc<NetModel>),
    /// Nothing else: it was built as it is.
    Built,
}

impl Model {
    /// The names of its properties, those from outside included; besides them it can be asked for `deadlock`.
    pub fn properties(&self) -> impl Iterator<Item = &str> {
        self.system.properties.iter().map(|property| property.name.as_str())
    }

    /// The checked model, if it was written in our own language or translated into it.
    pub fn hir(&self) -> Option<&hir::Model> {
        match &self.front {
            Front::Orb(hir) | Front::Murphi(hir, _) => Some(hir),
            Front::Net(_) | Front::Built => None,
        }
    }

    /// The net, if it is one.
    pub fn net(&self) -> Option<&NetModel> {
        match &self.front {
            Front::Net(net) => Some(net),
            Front::Orb(_) | Front::Murphi(..) | Front::Built => None,
        }
    }

    /// What tells what the `put` statements of a Murphi model say, if it has some.
    pub fn put_output(&self) -> Option<&PutOutput> {
        if let Front::Murphi(_, put_output) = &self.front { put_output.as_deref() } else { None }
    }

    /// Why a net cannot be followed where a step faults: it has no faults of its own. None for other models.
    pub fn net_limit(&self, fault: &Fault) -> Option<Stop> {
        self.net().map(|net| net.limit(fault))
    }

    /// Gives the places of a net as much room as they can ever need, or a lot where that is not known: for
    /// walks that are not searches. Nothing changes for other models.
    pub fn widen(&mut self) -> Result<(), Stop> {
        if let Front::Net(net) = &mut self.front {
            self.system = Arc::new(Arc::make_mut(net).widened()?);
        }
        Ok(())
    }

    /// The transition system alone.
    pub fn into_system(self) -> System {
        Arc::unwrap_or_clone(self.system)
    }
}
