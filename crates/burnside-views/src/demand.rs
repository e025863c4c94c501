//! Who matters to steps where members are counted: how many may be any members, and how many are of a kind.
//!
//! Entry points: [`Demands::new`], [`Demands::of`]. A witness of `exists c { p(c) }` is a member that `p` is
//! true of, and who keeps a count up is one that is counted. Where it can be read off its word whether a
//! member is of such a kind, states that have more members than that is needed for are not looked at. What is
//! not plain to see takes part as any member. The argument is in the book (`internals/every-n.md`). Only the
//! prover relies on it: the checker goes through all states.
//!
//! Who will be counted after a step is not plain to see before it: whoever uses this notes which words have
//! turned into counted ones, in the states that are looked at anyway ([`Demands::turned`]), and looks again
//! when there are more of these.

use crate::context::{Context, Predicate};
use crate::layout::{Layout, Unfit};
use crate::{Needs, simple};
use burnside_limits::poll;
use burnside_ts::{
    Access, AnyMachine, Binder, Domain, Expr, Part, Place, Quantifier, Root, Rule, Slot, Stmt, System,
    Target, Type, VarId,
};
use std::collections::BTreeSet;

/// The size of the instance in which the code is read, and words are looked at.
pub(crate) const TYPICAL: u32 = 3;

/// What members have to be for a step to be looked at: so many are any members, and each other one has a
/// place, which takes members of one of these kinds (bits of signs).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Demand {
    any: u32,
    places: Vec<u64>,
}

impl Demand {
    /// Whether members with these signs are not too many.
    pub(crate) fn takes(&self, signs: &[u64]) -> bool {
        /// So many places are looked at one by one.
        const PLACES: usize = 64;
        if signs.len() <= self.any as usize || self.places.len() > PLACES {
            return true;
        }
        let mut holders = vec![None; self.places.len()];
        let placed = (0..signs.len()).filter(|&i| self.place(i, signs, &mut holders, &mut 0)).count();
        signs.len() - placed <= self.any as usize
    }

    /// Finds a place for a member, by moving others if need be. Those with a bit were looked at.
    fn place(&self, member: usize, signs: &[u64], holders: &mut [Option<usize>], seen: &mut u64) -> bool {
        for (at, kinds) in self.places.iter().enumerate() {
            if signs[member] & kinds == 0 || *seen >> at & 1 == 1 {
                continue;
            }
            *seen |= 1 << at;
            let is_free = match holders[at] {
                None => true,
                Some(other) => self.place(other, signs, holders, seen),
            };
            if is_free {
                holders[at] = Some(member);
                return true;
            }
        }
        false
    }
}

/// What the rules of a system demand.
pub(crate) struct Demands<'s> {
    layout: Layout,
    machine: AnyMachine<'s>,
    /// What is asked of words: the contexts first, as far as that can be read off a word.
    kinds: Vec<Option<Predicate<'s>>>,
    /// Up to which number each context is counted.
    most: Vec<u32>,
    rules: Vec<RuleDemand<'s>>,
    k: u32,
}

/// What one rule demands.
struct RuleDemand<'s> {
    /// Parts of its guard that are about globals alone.
    when: Vec<&'s Expr>,
    /// Members that it takes, and witnesses that may be any members.
    any: u32,
    /// Witnesses of which the kinds are known.
    witnesses: Vec<u64>,
    /// By context: whether nobody comes to be counted, or ceases to be, but those that the rule takes.
    keeps: Vec<bool>,
}

impl<'s> Demands<'s> {
    /// What the rules of an instance demand; nothing if it is not known how many members matter to each.
    pub(crate) fn new(
        system: &'s System,
        needs: &Needs,
        (k, contexts): (u32, &[Context]),
        predicates: &[Predicate<'s>],
    ) -> Result<Option<Self>, Unfit> {
        if contexts.is_empty() || needs.rules.len() != system.rules.len() {
            return Ok(None);
        }
        let layout = Layout::new(system, &needs.sort)?;
        let reader = Reader { system, layout: &layout };
        let plain = |it: &Predicate<'s>| it.filter.is_none() && reader.is_word(it.body, it.binder);
        let mut kinds: Vec<_> = predicates.iter().map(|it| Some(*it).filter(plain)).collect();
        let counted: Vec<Option<BTreeSet<VarId>>> =
            kinds.iter().map(|it| it.map(|it| reader.read_by(it.body))).collect();
        let mut rules = Vec::new();
        for (rule, &members) in system.rules.iter().zip(&needs.rules) {
            let mut finder = Witnesses { reader: &reader, seen: BTreeSet::new(), kinds: &mut kinds };
            let witnesses = finder.of_rule(rule);
            let written = reader.written(rule);
            let keeps = counted.iter().map(|it| it.as_ref().is_some_and(|it| it.is_disjoint(&written)));
            let taken = rule.params.iter().filter(|param| reader.is_member(&param.binder)).count() as u32;
            // What is left after the witnesses that were found are those that the rule takes, and others.
            let (any, witnesses) = match members.checked_sub(witnesses.len() as u32) {
                Some(any) if any >= taken => (any, witnesses),
                _ => (members, Vec::new()),
            };
            let when = rule.guard.iter().map(|part| &part.condition).filter(|it| reader.is_global(it));
            let (when, keeps) = (when.collect(), keeps.collect());
            rules.push(RuleDemand { when, any, witnesses, keeps });
        }
        if kinds.len() + contexts.len() > 64 {
            return Ok(None);
        }
        let most = contexts.iter().map(|context| context.most).collect();
        Ok(Some(Self { machine: system.machine(), kinds, most, rules, k, layout }))
    }

    /// The kinds of a member with a word, with some globals: one bit for each.
    pub(crate) fn sign(&mut self, globals: &[u64], word: &[u64]) -> u64 {
        let state = self.sketch(globals, word);
        let mut sign = 0;
        for (at, kind) in self.kinds.iter().enumerate() {
            let Some(kind) = kind else { continue };
            // What is plain does not fault; if it did, any place would be open to it.
            let is_open = kind.is_true(&mut self.machine, &state, 0).unwrap_or(true);
            sign |= u64::from(is_open) << at;
        }
        sign
    }

    /// The bits that are to be noted for a member whose sign after a step is this.
    pub(crate) fn turned(&self, after: u64) -> u64 {
        let contexts = self.most.len();
        (after & ((1 << contexts) - 1)) << self.kinds.len()
    }

    /// What is demanded of states with some globals, which have these counts.
    pub(crate) fn of(&mut self, globals: &[u64], word: &[u64], counts: &[u64]) -> Vec<Demand> {
        let state = self.sketch(globals, word);
        let mut all: Vec<Demand> = Vec::new();
        for rule in &self.rules {
            if rule.when.iter().any(|condition| self.machine.holds(condition, &state) == Ok(false)) {
                continue;
            }
            let (mut any, mut places) = (self.k + rule.any, rule.witnesses.clone());
            for (i, (&count, &most)) in counts.iter().zip(&self.most).enumerate() {
                if self.kinds[i].is_none() {
                    any += count as u32 + most;
                    continue;
                }
                places.extend((0..count).map(|_| 1 << i));
                if !rule.keeps[i] {
                    places.extend((0..most).map(|_| 1 << (self.kinds.len() + i)));
                }
            }
            let demand = Demand { any, places };
            if !all.contains(&demand) {
                all.push(demand);
            }
        }
        all
    }

    /// A state in which all members have a word. Where pointers point to in it means nothing.
    fn sketch(&self, globals: &[u64], word: &[u64]) -> Vec<u64> {
        let mut state = Vec::new();
        self.layout.write(globals, &vec![word; self.layout.size() as usize], &mut state);
        state.truncate(self.layout.state_words());
        state
    }
}

/// Reads code.
struct Reader<'s, 'l> {
    system: &'s System,
    layout: &'l Layout,
}

impl<'s> Reader<'s, '_> {
    fn is_member(&self, binder: &Binder) -> bool {
        matches!(self.system.types.get(binder.ty), Type::Sort(sort) if *sort == self.layout.sort())
    }

    /// The variable at a bit of the state.
    fn var_at(&self, bit: u32) -> Option<VarId> {
        let holds = |var: &burnside_ts::Var| {
            (var.offset..var.offset + self.system.types.width(var.ty)).contains(&bit)
        };
        self.system.vars.iter().position(holds).map(|at| VarId(at as u32))
    }

    fn has_members(&self, var: VarId) -> bool {
        let ty = self.system.vars[var.0 as usize].ty;
        self.system.types.sorts_in(ty).contains(&self.layout.sort())
    }

    /// Whether the truth of a condition can be read off a member's word and globals other than pointers.
    fn is_word(&self, condition: &Expr, binder: &Binder) -> bool {
        let Target::Scalar(slot) = binder.target else { return false };
        let is_own = binder.domain == Domain::Type && self.is_member(binder);
        is_own && simple::is_plain(condition, slot) && self.is_apart(condition, Some(slot))
    }

    /// Whether a condition is about globals other than pointers, and nothing else.
    fn is_global(&self, condition: &Expr) -> bool {
        match condition {
            Expr::Const(_) => true,
            Expr::Cell(_) => self.is_apart(condition, None),
            Expr::Not(inner) | Expr::Offset(inner, _) => self.is_global(inner),
            Expr::Compare(_, sides) | Expr::And(sides) | Expr::Or(sides) => {
                sides.iter().all(|side| self.is_global(side))
            }
            _ => false,
        }
    }

    /// Whether a plain condition reads no pointers, and sets and arrays of members only at this member.
    fn is_apart(&self, e: &Expr, member: Option<Slot>) -> bool {
        let apart = |offset: u32| self.var_at(offset).is_some_and(|var| !self.has_members(var));
        let own = |place: &Place| {
            let var = self.var_at(place.offset);
            let by_member =
                place.indices.iter().any(|it| matches!(it.value, Expr::Local(slot) if Some(slot) == member));
            var.is_some() && (by_member || apart(place.offset))
        };
        match e {
            Expr::Const(_) => true,
            Expr::Cell(cell) => apart(cell.offset),
            // Nothing can be read off a member's number.
            Expr::Local(_) => false,
            Expr::Load(place) => own(place),
            Expr::Not(inner) | Expr::Offset(inner, _) => self.is_apart(inner, member),
            Expr::Compare(_, sides) | Expr::And(sides) | Expr::Or(sides) => {
                sides.iter().all(|side| self.is_apart(side, member))
            }
            Expr::If(parts) => parts.iter().all(|part| self.is_apart(part, member)),
            Expr::Contains(place, element) => {
                let is_bit = matches!(**element, Expr::Local(slot) if Some(slot) == member)
                    && place.indices.is_empty()
                    && self.layout.set_bit(place.offset).is_some();
                is_bit || own(place) && self.is_apart(element, member)
            }
            _ => false,
        }
    }

    /// The variables that a plain condition reads.
    fn read_by(&self, e: &Expr) -> BTreeSet<VarId> {
        let mut all = BTreeSet::new();
        self.reads(e, &mut all);
        all
    }

    fn reads(&self, e: &Expr, all: &mut BTreeSet<VarId>) {
        if let Expr::Cell(cell) = e {
            all.extend(self.var_at(cell.offset));
        }
        e.children(&mut |part| match part {
            Part::Expr(inner) => self.reads(inner, all),
            Part::Place(_, place) => {
                all.extend(self.var_at(place.offset));
                place.indices.iter().for_each(|index| self.reads(&index.value, all));
            }
            Part::Stmt(_) => {}
        });
    }

    /// The variables that a rule may change for others than the members that it takes.
    fn written(&self, rule: &Rule) -> BTreeSet<VarId> {
        let slot = |binder: &Binder| match binder.target {
            Target::Scalar(slot) if self.is_member(binder) => Some(slot),
            Target::Scalar(_) | Target::Wide(_) => None,
        };
        let mut taken: BTreeSet<Slot> = rule.params.iter().filter_map(|param| slot(&param.binder)).collect();
        let mut bound = BTreeSet::new();
        rule.body.iter().for_each(|statement| names(statement, &mut bound));
        taken.retain(|slot| !bound.contains(slot));
        let mut written = BTreeSet::new();
        rule.body.iter().for_each(|statement| self.writes(statement, &taken, &mut written));
        written
    }

    fn writes(&self, statement: &Stmt, taken: &BTreeSet<Slot>, all: &mut BTreeSet<VarId>) {
        poll();
        let is_taken = |e: &Expr| matches!(e, Expr::Local(slot) if taken.contains(slot));
        if let Stmt::Member(place, element, _) = statement
            && place.root == Root::State
            && is_taken(element)
            && place.indices.is_empty()
            && self.layout.set_bit(place.offset).is_some()
        {
            return;
        }
        statement.children(&mut |part| match part {
            Part::Stmt(inner) => self.writes(inner, taken, all),
            Part::Place(Access::Write | Access::Update, place) if place.root == Root::State => {
                if !place.indices.iter().any(|index| is_taken(&index.value)) {
                    all.extend(self.var_at(place.offset));
                }
            }
            Part::Place(..) | Part::Expr(_) => {}
        });
    }
}

/// The names that statements give values to.
fn names(statement: &Stmt, all: &mut BTreeSet<Slot>) {
    let of = |binder: &Binder| match binder.target {
        Target::Scalar(slot) => Some(slot),
        Target::Wide(_) => None,
    };
    match statement {
        Stmt::Local(slot, _) => drop(all.insert(*slot)),
        Stmt::For(binder, _) | Stmt::ChooseFrom(binder, _) => all.extend(of(binder)),
        _ => {}
    }
    statement.children(&mut |part| {
        if let Part::Stmt(inner) = part {
            names(inner, all);
        }
    });
}

/// Finds witnesses of known kinds: those of quantifiers that are evaluated before anything is changed. Each
/// quantifier of the text is found once at most.
struct Witnesses<'s, 'l, 'k> {
    reader: &'l Reader<'s, 'l>,
    seen: BTreeSet<burnside_ts::SiteId>,
    kinds: &'k mut Vec<Option<Predicate<'s>>>,
}

impl<'s> Witnesses<'s, '_, '_> {
    fn of_rule(&mut self, rule: &'s Rule) -> Vec<u64> {
        let mut all = Vec::new();
        for part in &rule.guard {
            self.expr(&part.condition, &mut all);
        }
        for statement in &rule.body {
            match statement {
                Stmt::Local(_, value) | Stmt::Assert(value, _) => {
                    self.expr(value, &mut all);
                }
                Stmt::Forget(_) => {}
                Stmt::If(condition, ..) => {
                    self.expr(condition, &mut all);
                    break;
                }
                _ => break,
            }
        }
        all
    }

    /// Adds the witnesses of an expression. Whether nothing else in it has any.
    fn expr(&mut self, e: &'s Expr, all: &mut Vec<u64>) -> bool {
        poll();
        match e {
            Expr::Const(_) | Expr::Local(_) | Expr::Cell(_) => true,
            Expr::Load(place) => {
                place.indices.iter().all(|it| matches!(it.value, Expr::Local(_) | Expr::Const(_)))
            }
            Expr::Not(inner) | Expr::Offset(inner, _) => self.expr(inner, all),
            Expr::Compare(_, sides) | Expr::And(sides) | Expr::Or(sides) => {
                let first = self.expr(&sides[0], all);
                self.expr(&sides[1], all) && first
            }
            Expr::If(parts) => {
                let condition = self.expr(&parts[0], all);
                let (mut then, mut otherwise) = (Vec::new(), Vec::new());
                let before = self.seen.clone();
                let both = self.expr(&parts[1], &mut then) & self.expr(&parts[2], &mut otherwise);
                if both {
                    // Only one of them is evaluated, and what is counted is the greater number.
                    let many = then.len().max(otherwise.len());
                    let kinds = |of: &[u64], at: usize| of.get(at).copied().unwrap_or(0);
                    all.extend((0..many).map(|at| kinds(&then, at) | kinds(&otherwise, at)));
                } else {
                    self.seen = before;
                }
                condition && both
            }
            Expr::Quantify(quantify) => self.quantify(quantify, all),
            _ => false,
        }
    }

    fn quantify(&mut self, quantify: &'s burnside_ts::Quantify, all: &mut Vec<u64>) -> bool {
        let negated = match quantify.quantifier {
            Quantifier::Exists => false,
            Quantifier::Forall => true,
            Quantifier::Count | Quantifier::Sum | Quantifier::Min | Quantifier::Max => return false,
        };
        let [binder] = &quantify.binders[..] else { return false };
        let is_plain = quantify.filter.is_none() && self.reader.is_word(&quantify.body, binder);
        if !is_plain || !self.seen.insert(quantify.site) {
            return false;
        }
        let body = &quantify.body;
        let origin = crate::context::Origin::Quantifier(quantify.site);
        let predicate = Predicate { binder, filter: None, body, negated, origin };
        let same = |it: &Option<Predicate<'s>>| {
            it.is_some_and(|it| (it.body, it.negated, it.binder.target) == (body, negated, binder.target))
        };
        let at = self.kinds.iter().position(same).unwrap_or_else(|| {
            self.kinds.push(Some(predicate));
            self.kinds.len() - 1
        });
        if at >= 64 {
            return false;
        }
        all.push(1 << at);
        true
    }
}
