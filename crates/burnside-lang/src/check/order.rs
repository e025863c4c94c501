//! The order in which declarations are worked out: what is used comes first, as far as the text shows.
//!
//! Working out on demand would do, but a long chain of declarations would then need a deep stack. The
//! dependencies here are those of the names in the text; a local name may be taken for a global one, which
//! only changes the order.

use super::Checker;
use super::collect::TypeBody;
use super::scope::{Global, Slot};
use crate::syntax::ast::{self, Domain, Expr, ExprKind, TypeKind};
use burnside_limits::poll;

impl Checker<'_> {
    /// Works out all constants and types.
    pub(super) fn resolve_in_order(&mut self) {
        self.check_setting_names();
        let constants = self.decls.constants.len();
        let count = constants + self.decls.types.len();
        for node in post_order(count, |node| self.dependencies(node)) {
            if node < constants {
                self.constant_value(node, self.decls.constants[node].name.span);
            } else {
                self.resolve_type(node - constants);
            }
        }
        self.used_types.clear();
        self.used_constants.clear();
        self.note_uses_in_declarations();
    }

    fn resolve_type(&mut self, index: usize) {
        if self.names.type_slots[index] == Slot::Todo {
            self.declared_type(index, self.decls.types[index].name.span);
        }
    }

    fn dependencies(&self, node: usize) -> Vec<usize> {
        poll();
        let constants = self.decls.constants.len();
        let names = self.mentioned(node);
        let number = |name: &&str| match self.names.globals.get(*name) {
            Some(Global::Constant(index)) => Some(*index),
            _ => self.names.types.get(*name).map(|index| constants + index),
        };
        names.iter().filter_map(number).collect()
    }

    /// The names in a constant or type, numbered constants first.
    fn mentioned(&self, node: usize) -> Vec<&str> {
        let mut names = NameCollector::default();
        let constants = self.decls.constants.len();
        if let Some(constant) = self.decls.constants.get(node) {
            constant.ty.into_iter().for_each(|ty| names.of_type(ty));
            constant.value.into_iter().for_each(|value| names.of_expr(value));
            return names.found;
        }
        match self.decls.types[node - constants].body {
            TypeBody::Alias(ty) => names.of_type(ty),
            TypeBody::Sort { size, .. } => names.of_expr(size),
            TypeBody::Record(fields) => fields.iter().for_each(|field| names.of_type(&field.ty)),
            TypeBody::Union(variants) => {
                variants.iter().flat_map(|it| &it.fields).for_each(|field| names.of_type(&field.ty));
            }
            TypeBody::Enum => {}
        }
        names.found
    }

    /// What declarations use counts as used, unless it is only themselves.
    fn note_uses_in_declarations(&mut self) {
        let constants = self.decls.constants.len();
        for node in 0..constants + self.decls.types.len() {
            for used in self.dependencies(node) {
                if used == node {
                    continue;
                }
                if used < constants {
                    self.used_constants.insert(used);
                } else {
                    self.used_types.insert(used - constants);
                }
            }
        }
    }

    /// The functions in an order in which, without recursion, callees come first.
    pub(super) fn function_order(&self) -> Vec<usize> {
        post_order(self.decls.functions.len(), |index| {
            let mut names = NameCollector::default();
            names.of_expr(self.decls.functions[index].body);
            let number = |name: &&str| match self.names.globals.get(*name) {
                Some(Global::Function(index)) => Some(*index),
                _ => None,
            };
            names.found.iter().filter_map(number).collect()
        })
    }
}

/// Numbers below `count`, each after those it depends on unless there is a cycle.
fn post_order(count: usize, dependencies: impl Fn(usize) -> Vec<usize>) -> Vec<usize> {
    let mut order = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    for root in 0..count {
        let mut stack: Vec<(usize, std::vec::IntoIter<usize>)> = Vec::new();
        let mut next = Some(root).filter(|&root| !seen[root]);
        loop {
            if let Some(node) = next.take() {
                seen[node] = true;
                stack.push((node, dependencies(node).into_iter()));
            }
            let Some((node, rest)) = stack.last_mut() else { break };
            match rest.find(|&used| !seen[used]) {
                Some(used) => next = Some(used),
                None => {
                    order.push(*node);
                    stack.pop();
                }
            }
        }
    }
    order
}

/// Collects the names that a piece of text mentions.
#[derive(Default)]
struct NameCollector<'t> {
    found: Vec<&'t str>,
}

impl<'t> NameCollector<'t> {
    fn of_type(&mut self, ty: &'t ast::Type) {
        match &ty.kind {
            TypeKind::Bool | TypeKind::Int | TypeKind::Error => {}
            TypeKind::Range(lo, hi) => {
                self.of_expr(lo);
                self.of_expr(hi);
            }
            TypeKind::Name(name) => self.found.push(&name.text),
            TypeKind::Union(names) => self.found.extend(names.iter().map(|name| name.text.as_str())),
            TypeKind::Optional(inner) | TypeKind::Set(inner) => self.of_type(inner),
            TypeKind::Array(indices, element) => {
                indices.iter().for_each(|index| self.of_type(index));
                self.of_type(element);
            }
            TypeKind::Queue(capacity, element) | TypeKind::Bag(capacity, element) => {
                self.of_expr(capacity);
                self.of_type(element);
            }
        }
    }

    fn of_exprs(&mut self, exprs: &'t [Expr]) {
        exprs.iter().for_each(|e| self.of_expr(e));
    }

    fn of_binder(&mut self, binder: &'t ast::Binder) {
        match &binder.domain {
            Domain::Type(ty) => self.of_type(ty),
            Domain::Collection(e) => self.of_expr(e),
        }
    }

    fn of_expr(&mut self, e: &'t Expr) {
        poll();
        match &e.kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::None | ExprKind::Error => {}
            ExprKind::Name(name) => self.found.push(name),
            ExprKind::Element(name, e) => {
                self.found.push(&name.text);
                self.of_expr(e);
            }
            ExprKind::Paren(e)
            | ExprKind::Unary(_, e)
            | ExprKind::Field(e, _)
            | ExprKind::Unwrap(e)
            | ExprKind::Next(e)
            | ExprKind::Enabled(e)
            | ExprKind::Temporal(_, e)
            | ExprKind::Path { body: e, .. } => self.of_expr(e),
            ExprKind::Binary(_, a, b) | ExprKind::Until(_, a, b) | ExprKind::LeadsTo(a, b) => {
                self.of_expr(a);
                self.of_expr(b);
            }
            ExprKind::At(process, _) => process.iter().for_each(|e| self.of_expr(e)),
            ExprKind::If(c, a, b) | ExprKind::Slice(c, a, b) => {
                [c, a, b].into_iter().for_each(|e| self.of_expr(e))
            }
            ExprKind::Match(e, arms) => {
                self.of_expr(e);
                arms.iter().for_each(|arm| self.of_expr(&arm.body));
            }
            ExprKind::Index(e, rest) | ExprKind::Method(e, _, rest) => {
                self.of_expr(e);
                self.of_exprs(rest);
            }
            ExprKind::Call(name, args) => {
                self.found.push(&name.text);
                self.of_exprs(args);
            }
            ExprKind::Record(name, fields) => {
                self.found.push(&name.text);
                fields.iter().for_each(|(_, e)| self.of_expr(e));
            }
            ExprKind::Array(items) | ExprKind::Set(items) | ExprKind::Chain(items, _) => self.of_exprs(items),
            // What its statements call is looked at when they are checked.
            ExprKind::Block(_, value) => self.of_expr(value),
            ExprKind::Let { ty, value, body, .. } => {
                ty.iter().for_each(|ty| self.of_type(ty));
                self.of_expr(value);
                self.of_expr(body);
            }
            ExprKind::Quantify { binders, filter, body, .. } => {
                binders.iter().for_each(|binder| self.of_binder(binder));
                filter.iter().for_each(|e| self.of_expr(e));
                self.of_expr(body);
            }
            ExprKind::Choose { binder, filter } => {
                self.of_binder(binder);
                filter.iter().for_each(|e| self.of_expr(e));
            }
            ExprKind::ArrayOf { binders, body } => {
                binders.iter().for_each(|binder| self.of_binder(binder));
                self.of_expr(body);
            }
            ExprKind::SetMap { value, binders, filter } => {
                binders.iter().for_each(|binder| self.of_binder(binder));
                filter.iter().for_each(|e| self.of_expr(e));
                self.of_expr(value);
            }
            ExprKind::SetOf { binder, filter } => {
                self.of_binder(binder);
                self.of_expr(filter);
            }
        }
    }
}
