//! Which engine suits a model.
//!
//! Searching state by state lists every outcome of every step. A rule that chooses for many members at once
//! has exponentially many: then sets are the only way. Everything else is left to the explicit engine, which
//! has the stronger symmetry reductions.

use crate::model::Model;
use burnside_engine::{Engine, Options};
use burnside_ts::{Binder, Domain, Stmt, System, TypeId};

/// A step with more than two to this many outcomes is too much to list.
const MOST_OUTCOMES: f64 = 16.0;

/// An engine, and why if nobody asked for it.
pub(crate) struct Chosen {
    pub engine: Engine,
    pub reason: Option<String>,
}

/// Which engine [`check`](crate::check()) asks about a model.
///
/// ```
/// use burnside::{Engine, LoadOptions, Model, Options, engine_for};
///
/// let model = Model::load("var x: bool; process P { rule r { x = !x; } }", &LoadOptions::new());
/// assert_eq!(engine_for(&model.into_model()?, &Options::default()), Engine::Explicit);
/// # Ok::<(), burnside::LoadError>(())
/// ```
pub fn engine_for(model: &Model, options: &Options) -> Engine {
    choose(model, options).engine
}

/// The engine for a model.
pub(crate) fn choose(model: &Model, options: &Options) -> Chosen {
    if options.engine != Engine::Auto {
        return Chosen { engine: options.engine, reason: None };
    }
    let system = &model.system;
    let many = system.rules.iter().find_map(|rule| {
        let bits = choices(system, &rule.body);
        (bits > MOST_OUTCOMES).then(|| (rule.name_of(&system.process(rule.process).name), bits))
    });
    match many {
        Some((rule, bits)) => Chosen {
            engine: Engine::Symbolic,
            reason: Some(format!("one step of `{rule}` can have about 2^{bits:.0} outcomes")),
        },
        None => Chosen { engine: Engine::Explicit, reason: None },
    }
}

/// The logarithm of how many sequences of choices some statements have at most.
fn choices(system: &System, statements: &[Stmt]) -> f64 {
    let each = |statement: &Stmt| match statement {
        Stmt::If(_, then, otherwise) => choices(system, then).max(choices(system, otherwise)),
        Stmt::For(binder, body) => count(system, binder) * choices(system, body),
        Stmt::Choose(_, ty) => size(system, *ty),
        Stmt::ChooseFrom(binder, _) => count(system, binder).max(1.0).log2(),
        _ => 0.0,
    };
    statements.iter().map(each).sum()
}

/// The logarithm of how many values a type has; of those that are not numbered, of their bits.
fn size(system: &System, ty: TypeId) -> f64 {
    system.types.size(ty).map_or(f64::from(system.types.width(ty)), |size| (size as f64).log2())
}

/// How many values a binder takes at most.
fn count(system: &System, binder: &Binder) -> f64 {
    match &binder.domain {
        Domain::Type => system.types.size(binder.ty).map_or(f64::INFINITY, |size| size as f64),
        Domain::Collection(collection) => f64::from(system.types.capacity(collection.ty)),
    }
}
