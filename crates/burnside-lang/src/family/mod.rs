//! Families of any size: whether small instances of a model speak for all of them.
//!
//! Entry points: [`constants`], the constants that size a symmetric type, and [`analyse`]. A constant such as
//! `N` in `symmetric Client[N];` is left open, and the members of that type are the family. For each rule,
//! for the initialisation and for each property this counts how many members matter to what happens, however
//! many there are: those that act or are chosen, and witnesses for conditions about all members. A state can
//! then be cut down to these members, those that variables point to, and any others that somebody wants to
//! look at, and the same happens there. What cannot be cut down in this way is refused, with its place.
//!
//! The argument is in the book (`internals/every-n.md`). It goes by the structure of what is written, so
//! every construct has its arm here, and one that has none does not compile.

mod expr;
mod live;
mod majority;
pub mod ring;
mod shape;
mod stmt;
mod watch;

pub use majority::{Flagged, abstracted};
pub use watch::watched;

use crate::diagnostic::Span;
use crate::hir::{Domain, Expr, Initial, LocalId, Model, Process, PropertyKind, Rule, Stored, Var, VarId};
use crate::import::bundle;
use crate::symmetry;
use crate::syntax::ast;
use crate::syntax::lexer::lex;
use burnside_limits::poll;
use burnside_ts::{SortId, Type, TypeId};
use std::collections::BTreeSet;

/// Why a model, or a property, is not judged for every size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where.
    pub span: Span,
    /// Why: a sentence without a full stop.
    pub message: String,
    /// What to write instead, if there is something.
    pub help: Option<String>,
}

impl Refusal {
    fn new(span: Span, message: impl Into<String>) -> Self {
        Self { span, message: message.into(), help: None }
    }

    fn help(mut self, text: impl Into<String>) -> Self {
        self.help = Some(text.into());
        self
    }
}

/// A model with a family of any size: how many members matter, beside those that variables point to and
/// those that are looked at.
#[derive(Clone, Debug)]
pub struct Family {
    /// The constant that is left open.
    pub constant: String,
    /// The type that it sizes.
    pub sort: SortId,
    /// To the initialisation.
    pub init: u32,
    /// To each rule: a step of it, or a fault.
    pub rules: Vec<u32>,
    /// To each property: whether a state violates it. Only invariants have a number.
    pub properties: Vec<Result<u32, Refusal>>,
    /// By function: whether it keeps its value when a state is cut down.
    pub functions: Vec<bool>,
    /// To whether a rule is disabled for some parameters, by rule; nothing if that is not known.
    pub enabling: Vec<Option<u32>>,
    /// By property: to each condition in it, if it is a formula of linear time.
    pub linear: Vec<Option<Result<u32, Refusal>>>,
    /// The sets whose majority is asked for. The numbers are those of the model with flags ([`abstracted`]).
    pub majorities: Vec<Flagged>,
}

/// The constants that are the size of a symmetric type, in the order of the text.
pub fn constants(file: &ast::File) -> Vec<String> {
    let mut found = Vec::new();
    for (_, size) in sized(file, false) {
        if let ast::ExprKind::Name(name) = &size.kind
            && is_constant(file, name)
            && !found.contains(name)
        {
            found.push(name.clone());
        }
    }
    found
}

/// The symmetric types, or the rings, with their sizes.
fn sized(file: &ast::File, rings: bool) -> impl Iterator<Item = (&ast::Name, &ast::Expr)> {
    file.items.iter().filter_map(move |item| match &item.kind {
        ast::ItemKind::Sort { ring, name, size } if *ring == rings => Some((name, size)),
        _ => None,
    })
}

fn is_constant(file: &ast::File, wanted: &str) -> bool {
    let is =
        |item: &ast::Item| matches!(&item.kind, ast::ItemKind::Const { name, .. } if name.text == wanted);
    file.items.iter().any(is)
}

/// Looks at a model whose constant has any value of at least 2. The text and the syntax tree are those that
/// the model comes from; properties from outside may stand behind the text, and are refused if they use the
/// constant. The refusals are about the model, or about none of its properties.
pub fn analyse(model: &Model, text: &str, file: &ast::File, constant: &str) -> Result<Family, Vec<Refusal>> {
    let uses = Uses::of(text, file, constant, false).map_err(|refusal| vec![refusal])?;
    let (sort, ty) = model
        .types
        .iter()
        .find_map(|(id, ty)| match *ty {
            Type::Sort(sort) if model.types.sort(sort).name == uses.sort => Some((sort, id)),
            _ => None,
        })
        .expect("a declared type is in the table");
    let symmetry = symmetry::analyse(model);
    let size = model.types.sort(sort).size;
    let whole = |group: &burnside_ts::Symmetry| group.sorts[sort.index()].is_whole(size);
    let mut refusals = Vec::new();
    if !whole(&symmetry.model) {
        refusals.extend(breaks(&symmetry.breaks, sort, uses.first));
    }
    let flagged = abstracted(model, &uses.sort);
    let (model, majorities) = match &flagged {
        Some((flagged, majorities)) => (flagged, majorities.clone()),
        None => (model, Vec::new()),
    };
    let mut walk = WitnessCount::new(model, sort, ty, &uses);
    walk.flags = model.vars.len() - majorities.len();
    let (init, rules) = walk.model(&mut refusals);
    let properties = model.properties.iter().zip(&symmetry.properties).map(|(property, (group, found))| {
        if !whole(group) {
            return Err(breaks(found, sort, property.span).remove(0));
        }
        walk.property(&property.kind, property.span)
    });
    let properties = properties.collect();
    let enabling = model.rules.iter().map(|rule| walk.enabling(rule)).collect();
    let linear = model.properties.iter().zip(&symmetry.properties).map(|(property, (group, found))| {
        let judged = walk.linear(&property.kind, property.span);
        judged.map(|judged| match whole(group) {
            true => judged,
            false => Err(breaks(found, sort, property.span).remove(0)),
        })
    });
    let linear = linear.collect();
    let open = uses.all.iter().filter(|span| !walk.claimed.contains(span));
    refusals.extend(open.map(|&span| {
        let message = format!("`{constant}` is used for something else than the size of `{}`", uses.sort);
        Refusal::new(span, message).help("only `s.size() == N` and `s.size() < N` may mention it")
    }));
    refusals.sort_by_key(|refusal| refusal.span);
    refusals.dedup();
    match refusals.is_empty() {
        true => {
            let functions = walk.functions.iter().map(|it| !matches!(it, Summary::Refused(_))).collect();
            let constant = constant.to_string();
            Ok(Family { constant, sort, init, rules, properties, functions, enabling, linear, majorities })
        }
        false => Err(refusals),
    }
}

/// What breaks the symmetry of the family; at least one.
fn breaks(found: &[symmetry::Break], sort: SortId, otherwise: Span) -> Vec<Refusal> {
    let mine = found.iter().filter(|it| it.sort == sort);
    let mut all: Vec<Refusal> = mine
        .map(|it| {
            let message = format!("this {}", it.reason.describe());
            Refusal::new(it.span, message).help("no member may be told from another but by what it has")
        })
        .collect();
    if all.is_empty() {
        all.push(
            Refusal::new(otherwise, "the members are not interchangeable")
                .help("`burnside symmetry` says why"),
        );
    }
    all
}

/// Where a constant is used.
struct Uses {
    /// The type that it sizes.
    sort: String,
    /// Where it does.
    first: Span,
    /// All other places, but for those in properties, hints and blocks of expectations.
    all: Vec<Span>,
    /// The places in properties and hints.
    asked: Vec<Span>,
}

impl Uses {
    /// Every name in the text that is spelled like the constant counts, so that nothing is missed.
    fn of(text: &str, file: &ast::File, constant: &str, ring: bool) -> Result<Self, Refusal> {
        let mut sizes = sized(file, ring)
            .filter(|(_, size)| matches!(&size.kind, ast::ExprKind::Name(name) if name == constant));
        let Some((name, size)) = sizes.next() else {
            let message = format!("`{constant}` is not the size of a symmetric type");
            return Err(Refusal::new(Span::default(), message));
        };
        if let Some((second, _)) = sizes.next() {
            let message = format!("`{constant}` is also the size of `{}`", second.text);
            return Err(Refusal::new(second.span, message).help("give each type a constant of its own"));
        }
        let mut uses = Self { sort: name.text.clone(), first: size.span, all: Vec::new(), asked: Vec::new() };
        // One from another file is called `file.N` in the tree, and stands in the text in several ways.
        let spelled = constant.rsplit('.').next().unwrap_or(constant);
        for place in named(text, spelled) {
            let token = Span { start: place.end - spelled.len() as u32, ..place };
            if within(token, size.span) {
                continue;
            }
            let item = file.items.iter().find(|item| within(token, item.span));
            match item.map(|item| &item.kind) {
                Some(ast::ItemKind::Check(_)) => {}
                Some(ast::ItemKind::Const { name, ty: Some(ty), .. })
                    if name.span == token && name.text == constant =>
                {
                    let message = format!("the declared type of `{constant}` limits it");
                    return Err(Refusal::new(ty.span, message).help("leave the type out"));
                }
                Some(ast::ItemKind::Const { name, .. }) if name.span == token => {}
                Some(ast::ItemKind::Property(_) | ast::ItemKind::Hint { .. }) => uses.asked.push(place),
                _ => uses.all.push(place),
            }
        }
        Ok(uses)
    }

    /// The places in a part of the text. What is nothing but a name from another file is placed at its last
    /// part.
    fn inside(&self, span: Span) -> impl Iterator<Item = Span> {
        let all = self.all.iter().chain(&self.asked).copied();
        all.filter(move |use_| within(*use_, span) || within(span, *use_))
    }
}

/// Where a name stands in the files of a text, with the names of files in front of it.
fn named(text: &str, wanted: &str) -> Vec<Span> {
    let mut found = Vec::new();
    for part in bundle::parts(text) {
        let (own, start) = (&text[part.start..part.end], part.start as u32);
        let tokens = lex(own).tokens;
        for (i, token) in tokens.iter().enumerate().filter(|(_, token)| token.span.text(own) == wanted) {
            poll();
            let mut place = token.span;
            for pair in tokens[..i].rchunks(2) {
                match pair {
                    [file, dot] if dot.span.text(own) == "." && is_name(file.span.text(own)) => {
                        place.start = file.span.start;
                    }
                    _ => break,
                }
            }
            found.push(Span { start: place.start + start, end: place.end + start });
        }
    }
    found
}

fn is_name(text: &str) -> bool {
    text.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

fn within(inner: Span, outer: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// What is written or read: a variable of the model or a local one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Variable {
    Var(VarId),
    Local(LocalId),
}

/// What a function needs.
#[derive(Clone, Debug)]
enum Summary {
    /// A value with so many witnesses. Whether it looks at all members.
    Value(u32, bool),
    /// It counts members, with tuples of so many members; it has so many witnesses besides; whether it
    /// counts all members one by one.
    Counter(expr::Counter),
    /// It cannot be used.
    Refused(Refusal),
}

/// A walk over a model, which counts witnesses.
struct WitnessCount<'m> {
    model: &'m Model,
    sort: SortId,
    ty: TypeId,
    uses: &'m Uses,
    claimed: BTreeSet<Span>,
    functions: Vec<Summary>,
    /// The variables that each function may read.
    reads: Vec<BTreeSet<VarId>>,
    /// Whether this is done for each member, so that nothing in it may look at all members.
    each: bool,
    /// Whether something so far looks at all members.
    binds: bool,
    /// In a loop over the members: its name, and what it writes.
    loop_: Option<(LocalId, BTreeSet<Variable>)>,
    /// In the value that a variable starts with: which.
    starting: Option<usize>,
    /// The flags of majorities are the variables from here on. They start last.
    flags: usize,
}

type Witnesses = Result<u32, Refusal>;

/// What to do where something of a member depends on others.
const INSTEAD: &str = "keep with nobody what is about several members, as a set or as a few pointers";

impl<'m> WitnessCount<'m> {
    fn new(model: &'m Model, sort: SortId, ty: TypeId, uses: &'m Uses) -> Self {
        let (claimed, functions, reads) = Default::default();
        let mut walk = Self {
            model,
            sort,
            ty,
            uses,
            claimed,
            functions,
            reads,
            each: false,
            binds: false,
            loop_: None,
            starting: None,
            flags: usize::MAX,
        };
        // A function only calls those before it.
        for function in &model.functions {
            let reads = walk.reads_of(&function.body);
            walk.reads.push(reads);
            let summary = walk.function(function);
            walk.functions.push(summary);
        }
        walk
    }

    /// What matters to the initialisation and to each rule.
    fn model(&mut self, refusals: &mut Vec<Refusal>) -> (u32, Vec<u32>) {
        let mut note = |result: Witnesses| {
            result.unwrap_or_else(|refusal| {
                refusals.push(refusal);
                0
            })
        };
        // All that a model has is named, so that nothing new is passed over. What is not looked at here says
        // nothing about states and steps.
        let Model {
            types: _,
            constants: _,
            vars,
            locals: _,
            functions: _,
            processes: _,
            rules,
            init: start,
            properties: _,
            observed: _,
            hints: _,
            deadlock_free: _,
            generators: _,
            fair_sets: _,
            constraints,
            expectations: _,
            names: _,
        } = self.model;
        for constraint in constraints {
            let message = "constraints are not judged for every size";
            note(Err(Refusal::new(constraint.span, message).help("write the condition into guards")));
        }
        let mut init = 0;
        for i in 0..vars.len() {
            init += note(self.variable(i));
        }
        init += note(self.block(start));
        let rules = rules.iter().map(|rule| note(self.rule(rule))).collect();
        (init, rules)
    }

    fn variable(&mut self, i: usize) -> Witnesses {
        let var = &self.model.vars[i];
        let Var { name: _, span: _, process: _, ty: _, initial: _ } = var;
        let indices = var.process.map_or(&[][..], |process| &self.model.processes[process.index()].indices);
        let mut members = 0;
        for &index in indices {
            members += u32::from(self.is_member_name(index, var.span)?);
        }
        self.shape(var.ty, var.span)?;
        if members > 1 || members == 1 && self.mentions(var.ty) {
            let message = format!("each member has a value of `{}` for each other member", var.name);
            return Err(Refusal::new(var.span, message).help(INSTEAD));
        }
        self.starting = Some(i);
        let each = std::mem::replace(&mut self.each, members == 1);
        let result = self.initial(&var.initial, var.ty, var.span);
        (self.starting, self.each) = (None, each);
        let times: u64 = indices.iter().filter_map(|&index| self.plain_size(index)).product();
        times_of(result?, times, var.span)
    }

    fn rule(&mut self, rule: &'m Rule) -> Witnesses {
        // All that a rule has is named, so that nothing new is passed over.
        let Rule { name: _, span, process, params, guard, body, priority, fairness: _ } = rule;
        let Process { name: _, span: declared, indices, fairness: _, pc: _ } =
            &self.model.processes[process.index()];
        let mut all = 0;
        for &index in indices {
            all += u32::from(self.is_member_name(index, *declared)?);
        }
        // Whether no rule of higher priority is enabled is a condition about all members.
        if self.model.rules.iter().any(|other| other.priority != *priority) {
            let message = "rules of different priorities are not judged for every size";
            return Err(Refusal::new(*span, message).help("write into the guards which rules go first"));
        }
        for param in params {
            all += u32::from(self.is_member_name(param.local, *span)?);
            if let Domain::Collection(collection) = &param.domain {
                all += self.expr(collection)?;
            }
        }
        for part in guard {
            all += self.expr(part)?;
        }
        Ok(all + self.block(body)?)
    }

    fn property(&mut self, kind: &'m PropertyKind, span: Span) -> Witnesses {
        match kind {
            PropertyKind::Invariant(condition) => {
                let witnesses = self.expr(condition)?;
                match self.uses.inside(span).find(|at| !self.claimed.contains(at)) {
                    Some(at) => Err(Refusal::new(at, "this depends on how many members there are").help(
                        "only the number of members that something is true of may be compared with it",
                    )),
                    None => Ok(witnesses),
                }
            }
            PropertyKind::Reachable(_)
            | PropertyKind::Ltl(_)
            | PropertyKind::Ctl(_)
            | PropertyKind::Never(_) => {
                Err(Refusal::new(span, "only invariants and faults are judged for every size"))
            }
        }
    }

    /// Whether a bound name is a member of the family.
    fn is_member_name(&self, local: LocalId, span: Span) -> Result<bool, Refusal> {
        match self.model.locals[local.index()].ty {
            Stored::Int => Ok(false),
            Stored::Type(ty) if ty == self.ty => Ok(true),
            Stored::Type(ty) if self.mentions(ty) => {
                let name = &self.model.types.sort(self.sort).name;
                let message = format!("a name runs through values that are made of members of `{name}`");
                Err(Refusal::new(span, message).help("let it run through members"))
            }
            Stored::Type(_) => Ok(false),
        }
    }

    /// How many values a bound name has, unless it is a member.
    fn plain_size(&self, local: LocalId) -> Option<u64> {
        match self.model.locals[local.index()].ty {
            Stored::Type(ty) if ty != self.ty => Some(self.model.types.size(ty).unwrap_or(u64::MAX)),
            _ => None,
        }
    }

    /// What is stored first, or assigned, to something of a type.
    fn initial(&mut self, value: &'m Initial, ty: TypeId, span: Span) -> Witnesses {
        match value {
            Initial::Value(value) => self.expr(value),
            Initial::Fill(value) => {
                // It may be evaluated once for each element.
                let each = std::mem::replace(&mut self.each, true);
                let result = self.expr(value);
                self.each = each;
                result
            }
            Initial::Zero if self.zero_is_member(ty) => {
                Err(Refusal::new(span, "this starts with the first member").help("write `= any`"))
            }
            Initial::Zero => Ok(0),
            Initial::Any => self.chosen(ty, span),
            Initial::AnyIn(collection) => {
                let witnesses = self.expr(collection)?;
                let element = self.element(collection)?;
                Ok(witnesses + self.chosen(element, span)?)
            }
        }
    }

    /// How many members are chosen with any value of a type.
    fn chosen(&mut self, ty: TypeId, span: Span) -> Witnesses {
        let pointers = self.shape(ty, span)?;
        if pointers > 0 && self.each {
            return Err(Refusal::new(span, "each member chooses a member of its own").help(INSTEAD));
        }
        Ok(pointers)
    }

    /// The variables that an expression may read, in functions too.
    fn reads_of(&self, expr: &Expr) -> BTreeSet<VarId> {
        let mut all = BTreeSet::new();
        expr.each(&mut |part| match &part.kind {
            crate::hir::ExprKind::Var(var, _) => drop(all.insert(*var)),
            crate::hir::ExprKind::Call(function, _) => all.extend(&self.reads[function.index()]),
            _ => {}
        });
        all
    }
}

/// Witnesses of something that is done so often.
fn times_of(witnesses: u32, times: u64, span: Span) -> Witnesses {
    /// So many are never practical.
    const MANY: u64 = 1_000;
    match u64::from(witnesses).checked_mul(times) {
        Some(all) if all <= MANY => Ok(all as u32),
        _ => Err(Refusal::new(span, "this needs too many witnesses")
            .help("do it for fewer values at once, or count to less")),
    }
}
