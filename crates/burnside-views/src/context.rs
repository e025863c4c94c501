//! Contexts: counts of the members that a predicate is true of, kept beside the views.
//!
//! Entry point: [`candidates`], the predicates that the quantifiers of a system speak of. A [`Context`] is
//! one of them with the number up to which it is counted. The count of a state is always computed anew by the
//! interpreter, never carried from one state to the next.

use crate::{Needs, simple};
use burnside_limits::poll;
use burnside_ts::{
    AnyMachine, Binder, Body, Domain, Expr, Part, Quantifier, Quantify, Question, RuleId, SiteId, Slot, Stmt,
    System, Target, Type, Undefined,
};

/// A predicate on members, of one instance.
#[derive(Clone, Copy, Debug)]
pub struct Predicate<'s> {
    pub(crate) binder: &'s Binder,
    pub(crate) filter: Option<&'s Expr>,
    pub(crate) body: &'s Expr,
    /// Whether the members are meant of which the body is false.
    pub(crate) negated: bool,
    pub(crate) origin: Origin,
}

/// Where a predicate comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The quantifier of this text.
    Quantifier(SiteId),
    /// A part of the guard of a rule.
    Guard(RuleId, usize),
}

/// A predicate whose members are counted, up to a number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Context {
    /// Its text, by which it is found in every instance.
    pub text: String,
    /// Counts above this are not told apart.
    pub most: u32,
}

impl<'s> Predicate<'s> {
    /// Its text: the quantifier that it comes from, and whether its body is to be false.
    pub fn text(&self, system: &System) -> String {
        let text = match self.origin {
            Origin::Quantifier(site) => system.site(site).text.clone(),
            Origin::Guard(rule, part) => {
                let rule = system.rule(rule);
                let name = rule.name_of(&system.process(rule.process).name);
                format!("part {} of the guard of {name}", part + 1)
            }
        };
        if self.negated { format!("not {text}") } else { text }
    }

    /// How many of so many members it is true of in a state, up to a number.
    pub fn count(
        &self,
        machine: &mut AnyMachine<'s>,
        state: &[u64],
        size: u32,
        most: u32,
    ) -> Result<u32, Undefined> {
        let mut count = 0;
        // All members, also behind the last one that counts: whether one faults must not depend on the order.
        for member in 0..u64::from(size) {
            count += u32::from(self.is_true(machine, state, member)?);
        }
        Ok(count.min(most))
    }

    /// Whether it is true of a member.
    pub(crate) fn is_true(
        &self,
        machine: &mut AnyMachine<'s>,
        state: &[u64],
        member: u64,
    ) -> Result<bool, Undefined> {
        if let Some(filter) = self.filter {
            machine.bind(self.binder, member);
            if !machine.holds(filter, state)? {
                return Ok(false);
            }
        }
        machine.bind(self.binder, member);
        Ok(machine.holds(self.body, state)? != self.negated)
    }
}

/// The predicates on single members that the quantifiers of a system are about, each once: those of the
/// invariants that are asked for first, then those of functions that fit and of rules. All of them keep their
/// values when a state is cut down.
pub fn candidates<'s>(system: &'s System, needs: &Needs) -> Vec<Predicate<'s>> {
    let sort = &needs.sort;
    let mut finder = Finder { system, sort, names: Vec::new(), found: Vec::new(), texts: Vec::new() };
    for property in &system.properties {
        let judged = needs.invariants.iter().any(|(name, _)| *name == property.name);
        if let Question::Invariant(condition) = &property.question
            && judged
        {
            finder.expr(condition);
        }
    }
    for (function, fits) in system.functions.iter().zip(&needs.functions) {
        if let Body::Scalar(body) = &function.body
            && *fits
            && function.params.is_empty()
        {
            finder.expr(body);
        }
    }
    for rule in &system.rules {
        finder.names = rule.params.iter().map(|param| param.binder.clone()).collect();
        rule.body.iter().for_each(|statement| finder.let_names(statement));
        rule.guard.iter().for_each(|part| finder.expr(&part.condition));
        rule.body.iter().for_each(|statement| finder.part(Part::Stmt(statement)));
    }
    finder.found
}

/// The predicates of some contexts in an instance; nothing if one is not there.
pub fn find<'s>(system: &'s System, needs: &Needs, contexts: &[Context]) -> Option<Vec<Predicate<'s>>> {
    let all: Vec<_> =
        candidates(system, needs).into_iter().chain(simple::predicates(system, &needs.sort)).collect();
    let one = |context: &Context| all.iter().find(|it| it.text(system) == context.text).copied();
    contexts.iter().map(one).collect()
}

struct Finder<'s, 't> {
    system: &'s System,
    sort: &'t str,
    /// Names around, which a predicate must not depend on.
    names: Vec<Binder>,
    found: Vec<Predicate<'s>>,
    texts: Vec<String>,
}

impl<'s> Finder<'s, '_> {
    fn part(&mut self, part: Part<'s>) {
        poll();
        match part {
            Part::Expr(expr) => self.expr(expr),
            Part::Stmt(statement) => statement.children(&mut |part| self.part(part)),
            Part::Place(_, place) => place.indices.iter().for_each(|index| self.expr(&index.value)),
        }
    }

    fn expr(&mut self, expr: &'s Expr) {
        let outside = self.names.len();
        if let Expr::Let(slot, _) = expr {
            self.names.push(scalar(*slot));
        }
        if let Expr::Quantify(quantify) = expr {
            self.quantify(quantify);
            // What is inside may depend on what is bound here.
            self.names.extend(quantify.binders.iter().cloned());
        }
        expr.children(&mut |part| self.part(part));
        self.names.truncate(outside);
    }

    /// Names that a body gives values to.
    fn let_names(&mut self, statement: &Stmt) {
        if let Stmt::Local(slot, _) = statement {
            self.names.push(scalar(*slot));
        }
        statement.children(&mut |part| {
            if let Part::Stmt(inner) = part {
                self.let_names(inner);
            }
        });
    }

    fn quantify(&mut self, quantify: &'s Quantify) {
        let [binder] = &quantify.binders[..] else { return };
        let types = &self.system.types;
        let is_member = matches!(types.get(binder.ty), Type::Sort(id) if types.sort(*id).name == self.sort);
        let negated = match quantify.quantifier {
            Quantifier::Exists | Quantifier::Count => false,
            Quantifier::Forall => true,
            Quantifier::Sum | Quantifier::Min | Quantifier::Max => return,
        };
        let parts = quantify.filter.iter().chain([&quantify.body]);
        let reads: Vec<_> = parts.map(|part| self.system.mentions(part)).collect();
        let depends = |name: &Binder| reads.iter().any(|reads| self.system.depends_on(reads, name));
        if !is_member || binder.domain != Domain::Type || self.names.iter().any(depends) {
            return;
        }
        let (filter, body) = (quantify.filter.as_ref(), &quantify.body);
        let origin = Origin::Quantifier(quantify.site);
        let predicate = Predicate { binder, filter, body, negated, origin };
        let text = predicate.text(self.system);
        if !self.texts.contains(&text) {
            self.texts.push(text);
            self.found.push(predicate);
        }
    }
}

/// A scalar name. Its type does not matter to what depends on it.
fn scalar(slot: Slot) -> Binder {
    Binder { target: Target::Scalar(slot), ty: burnside_ts::TypeId(0), domain: Domain::Type }
}
