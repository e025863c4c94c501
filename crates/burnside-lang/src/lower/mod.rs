//! From the checked model to the transition system. Cannot fail: what could go wrong was found before.
//!
//! Entry point: [`lower`]. Names become bit offsets and frame slots, wide values become places with
//! statements that fill them, conversions to ranges become checks. Variables of families become arrays over
//! the family's indices.

mod before;
mod calls;
mod expr;
mod fair;
mod frame;
mod generators;
mod named;
mod outer;
mod place;
mod probe;
mod property;
mod rule;
mod stmt;
mod wide;

pub(crate) use property::is_temporal;

pub use generators::permutations;
pub use probe::{Probe, ProbeRole};

use crate::diagnostic::Span;
use crate::hir::{self, Model, VarId};
use crate::lines::Lines;
use burnside_limits::poll;
use burnside_ts::{Property, Site, SiteId, System, Type, TypeId, Types, Var};
use frame::Frame;
use std::collections::HashMap;

/// The transition system of a model. The source text is quoted in faults; texts of properties that were given
/// beside the model may stand behind it.
pub fn lower(model: &Model, source: &str) -> System {
    lower_with(model, source, None).0
}

/// The same system, with its conditions watched: see [`Probe`].
pub fn lower_probed(model: &Model, source: &str) -> (System, Vec<Probe>) {
    lower_with(model, source, Some(Vec::new()))
}

fn lower_with(model: &Model, source: &str, probes: Option<Vec<Probe>>) -> (System, Vec<Probe>) {
    let analysis = crate::symmetry::analyse(model);
    let mut lowering = Lowering { probes, ..Lowering::new(model, analysis.types, source) };
    let kept = calls::kept(model);
    let functions = lowering.functions(&kept);
    let functions = lowering.outer_conditions(functions);
    lowering.frame.keep();
    let init = lowering.init();
    let rules = (0..model.rules.len()).map(|i| lowering.rule(i, &model.rules[i])).collect();
    let symmetries = analysis.properties.into_iter().map(|(symmetry, _)| symmetry).zip(analysis.named);
    let properties = model.properties.iter().zip(symmetries);
    let mut properties: Vec<Property> = properties
        .map(|(property, (symmetry, named))| lowering.property(property, symmetry, named))
        .collect();
    let symmetries = analysis.observed.into_iter().map(|(symmetry, _)| symmetry);
    let observed = model.observed.iter().zip(symmetries);
    properties.extend(observed.map(|(observed, symmetry)| lowering.observed(observed, symmetry)));
    let constraint = lowering.constraint();
    let hints = model.hints.iter().map(|hint| lowering.hint(hint)).collect();
    let mut system = System {
        types: lowering.types,
        vars: lowering.vars,
        width: lowering.width,
        original: None,
        frame: lowering.frame.size(),
        processes: rule::processes(model),
        rules,
        functions,
        init,
        fairness: Vec::new(),
        fair_sets: Vec::new(),
        properties,
        hints,
        deadlock_free: model.deadlock_free,
        constraint,
        symmetry: analysis.model,
        rule_sort: None,
        foreign: None,
        accelerator: None,
        sites: lowering.sites,
    };
    fair::add(model, &mut system);
    generators::promote(model, &mut system);
    (system, lowering.probes.unwrap_or_default())
}

/// Where a local name is kept.
#[derive(Clone, Copy, Debug)]
enum Storage {
    Slot(burnside_ts::Slot),
    Wide(u32),
}

/// What a local name stands for while its scope is lowered.
#[derive(Clone, Copy, Debug)]
struct LocalName {
    storage: Storage,
    /// For parameters of the rule at hand: how many parameters must be bound before this name can be read.
    level: usize,
}

struct Lowering<'m> {
    model: &'m Model,
    source: &'m str,
    lines: Lines<'m>,
    types: Types,
    vars: Vec<Var>,
    width: u32,
    frame: Frame,
    locals: HashMap<hir::LocalId, LocalName>,
    /// The greatest level of the names read since it was last set to zero.
    level: usize,
    /// Where functions leave wide results.
    results: Vec<u32>,
    sites: Vec<Site>,
    /// The condition of states in which something is tried, and by priority whether a rule of higher priority
    /// is enabled: see `outer`.
    outer: outer::Outer,
    /// While elements are turned into names.
    element_names: Option<named::ElementNames>,
    /// What conditions on steps remember.
    before: before::Before,
    known_sites: HashMap<(Span, Option<String>), SiteId>,
    /// The conditions that are watched, if they are to be.
    probes: Option<Vec<Probe>>,
}

impl<'m> Lowering<'m> {
    fn new(model: &'m Model, types: Types, source: &'m str) -> Self {
        let mut lowering = Self {
            model,
            source,
            lines: Lines::new(source),
            types,
            vars: Vec::new(),
            width: 0,
            frame: Frame::default(),
            locals: HashMap::new(),
            level: 0,
            results: Vec::new(),
            sites: Vec::new(),
            outer: outer::Outer::default(),
            element_names: None,
            before: before::Before::default(),
            known_sites: HashMap::new(),
            probes: None,
        };
        let mut names: HashMap<&str, usize> = HashMap::new();
        model.vars.iter().for_each(|var| *names.entry(&var.name).or_default() += 1);
        for var in &model.vars {
            lowering.lay_out(var, names[var.name.as_str()] > 1);
        }
        lowering
    }

    /// Gives a variable its place in the state.
    fn lay_out(&mut self, var: &hir::Var, qualified: bool) {
        poll();
        let indices = var.process.map_or(&[][..], |p| &self.model.processes[p.index()].indices);
        let ty = indices.iter().rev().fold(var.ty, |element, &index| {
            let index = self.stored_type(index);
            self.types.intern(Type::Array { index, element }).expect("the size of the state was checked")
        });
        self.vars.push(Var {
            name: var.name.clone(),
            process: var.process.map(|p| burnside_ts::ProcessId(p.0)),
            qualified,
            ty,
            offset: self.width,
        });
        self.width += self.types.width(ty);
    }

    fn var(&self, id: VarId) -> &Var {
        &self.vars[id.index()]
    }

    /// The finite type of a local that has one.
    fn stored_type(&self, id: hir::LocalId) -> TypeId {
        match self.model.locals[id.index()].ty {
            hir::Stored::Type(ty) => ty,
            hir::Stored::Int => unreachable!("an index has a finite type"),
        }
    }

    fn site(&mut self, span: Span) -> SiteId {
        self.site_with(span, None)
    }

    fn site_with(&mut self, span: Span, message: Option<String>) -> SiteId {
        poll();
        // Conditions that are alike must not differ in where they are.
        let span = self.element_names.as_ref().map_or(span, |element_names| element_names.span);
        if let Some(&id) = self.known_sites.get(&(span, message.clone())) {
            return id;
        }
        let (line, column) = self.lines.position(span.start);
        let text = span.text(self.source).split_whitespace().collect::<Vec<_>>().join(" ");
        let id = SiteId(self.sites.len() as u32);
        let (line, column) = (line as u32, column as u32);
        let origin = self.lines.part(span.start) as u32;
        self.sites.push(Site { text, origin, line, column, message: message.clone() });
        self.known_sites.insert((span, message), id);
        id
    }
}
