//! A transition as a rule: parameters in an order that lets the guard fail early, what must be there, what
//! changes.

use super::Lowering;
use crate::net::{
    Arc, ClassId, Comparison, Guard, Inscription, Operand, PlaceId, Term, Transition, VariableId,
};
use burnside_limits::poll;
use burnside_ts::{
    Arith, Binder, Check, Compare, Conjunct, Domain, Expr, Param, ProcessId, Quantifier, Quantify, Rule,
    Slot, Stmt, Target,
};

/// The names in scope: the variables of a transition in slots from 0 on, further slots behind them.
pub(super) struct BindingSlots {
    variables: Vec<VariableId>,
    next: usize,
}

/// A condition on marking and binding, with the variables that it mentions.
struct Demand {
    condition: Expr,
    variables: Vec<VariableId>,
}

impl Lowering<'_> {
    /// The rule of a transition.
    pub(super) fn rule(&mut self, number: usize, transition: &Transition) -> Rule {
        poll();
        let mut scope = BindingSlots::new(transition);
        let params: Vec<Param> =
            scope.variables.iter().map(|&variable| self.param(&scope, variable)).collect();
        let mut guard: Vec<Conjunct> = self
            .demands(&mut scope, transition)
            .into_iter()
            .map(|demand| Conjunct { level: scope.level(&demand.variables), condition: demand.condition })
            .collect();
        guard.sort_by_key(|part| part.level);
        let body = self.body(&mut scope, transition);
        let args = 0..params.len();
        self.slots = self.slots.max(scope.next);
        Rule { name: String::new(), process: ProcessId(number as u32), params, args, guard, body }
    }

    /// Whether a transition can fire, under some binding: each variable is bound as late as possible.
    pub(super) fn fireable(&mut self, transition: &Transition) -> Expr {
        let mut scope = BindingSlots::new(transition);
        let count = scope.variables.len();
        let mut levels: Vec<Vec<Expr>> = (0..=count).map(|_| Vec::new()).collect();
        for demand in self.demands(&mut scope, transition) {
            levels[scope.level(&demand.variables)].push(demand.condition);
        }
        let mut condition = Expr::Const(1);
        for level in (0..=count).rev() {
            let parts = levels[level].drain(..).chain((condition != Expr::Const(1)).then_some(condition));
            condition = Expr::all(parts.collect::<Vec<_>>().into_iter());
            if level > 0 {
                let binder = self.param(&scope, scope.variables[level - 1]).binder;
                condition = self.quantified(Quantifier::Exists, vec![binder], condition);
            }
        }
        self.slots = self.slots.max(scope.next);
        condition
    }

    fn param(&self, scope: &BindingSlots, variable: VariableId) -> Param {
        let it = self.net.variable(variable);
        let slot = scope.slot(variable);
        Param { name: it.name.clone(), binder: self.binder(it.class, slot) }
    }

    fn binder(&self, class: ClassId, slot: Slot) -> Binder {
        Binder { target: Target::Scalar(slot), ty: self.sorts.classes[class.index()], domain: Domain::Type }
    }

    /// A quantified value.
    pub(super) fn quantified(&self, quantifier: Quantifier, binders: Vec<Binder>, body: Expr) -> Expr {
        match binders.is_empty() {
            true => body,
            false => {
                let (binders, filter, site) = (binders.into(), None, self.nowhere());
                Expr::Quantify(Box::new(Quantify { quantifier, binders, filter, body, site }))
            }
        }
    }

    /// Everything that must be true for the transition to fire.
    fn demands(&self, scope: &mut BindingSlots, transition: &Transition) -> Vec<Demand> {
        let mut demands = Vec::new();
        for part in conjuncts(&transition.guard) {
            let mut variables = Vec::new();
            guard_variables(part, &mut variables);
            demands.push(Demand { condition: self.guard(scope, part), variables });
        }
        for arc in transition.inputs.iter().chain(&transition.reads) {
            self.demand(scope, arc, Compare::Le, &mut demands);
        }
        for arc in &transition.inhibitors {
            self.demand(scope, arc, Compare::Lt, &mut demands);
        }
        demands
    }

    /// Where the inscription says at least one: it is at most the number of tokens
    /// (`Le`), or that is less than it (`Lt`).
    fn demand(&self, scope: &mut BindingSlots, arc: &Arc, op: Compare, out: &mut Vec<Demand>) {
        poll();
        let tested: Vec<Vec<Term>> = match is_plain(&arc.inscription) {
            true => arc.inscription.iter().map(|(_, pattern)| pattern.clone()).collect(),
            false => vec![vec![Term::All; self.net.place(arc.place).domain.len()]],
        };
        for pattern in tested {
            let (binders, colour) = self.colour(scope, arc.place, &pattern);
            let wanted = self.weight(scope, arc, &pattern, &colour);
            let held = self.load(arc.place, &colour);
            let mut condition = match op {
                Compare::Le => Expr::compare(Compare::Le, wanted.clone(), held),
                _ => Expr::compare(Compare::Lt, held, wanted.clone()),
            };
            if op == Compare::Lt && !is_plain(&arc.inscription) {
                let nothing = Expr::compare(Compare::Le, wanted, Expr::Const(0));
                condition = Expr::Or(Box::new([nothing, condition]));
            }
            let condition = self.quantified(Quantifier::Forall, binders, condition);
            let mentioned = arc.inscription.iter().flat_map(|(_, pattern)| pattern_variables(pattern));
            out.push(Demand { condition, variables: mentioned.collect() });
        }
    }

    /// Binders for the components that take every element, and the components of the colour.
    fn colour(&self, scope: &mut BindingSlots, place: PlaceId, pattern: &[Term]) -> (Vec<Binder>, Vec<Expr>) {
        let mut binders = Vec::new();
        let domain = &self.net.place(place).domain;
        let parts = domain.iter().zip(pattern).map(|(&class, term)| match term {
            Term::All => {
                let slot = scope.fresh();
                binders.push(self.binder(class, slot));
                Expr::Local(slot)
            }
            term => self.term(scope, class, *term),
        });
        let parts = parts.collect();
        (binders, parts)
    }

    /// How many tokens of a colour, which is an instance of the pattern, an arc asks for.
    fn weight(&self, scope: &BindingSlots, arc: &Arc, pattern: &[Term], colour: &[Expr]) -> Expr {
        let domain = &self.net.place(arc.place).domain;
        let mut always = 0;
        let mut sum: Option<Expr> = None;
        for (weight, other) in &arc.inscription {
            let Some(condition) = self.matches(scope, domain, (pattern, colour), other) else { continue };
            if condition == Expr::Const(1) {
                always += weight;
                continue;
            }
            let part = Expr::If(Box::new([condition, Expr::Const(*weight), Expr::Const(0)]));
            sum = Some(match sum {
                None => part,
                Some(sum) => Expr::Arith(Arith::Add, Box::new([sum, part]), self.nowhere()),
            });
        }
        match sum {
            None => Expr::Const(always),
            Some(sum) if always == 0 => sum,
            Some(sum) => Expr::Offset(Box::new(sum), always),
        }
    }

    /// Whether a colour that is an instance of one pattern matches another; none: never.
    fn matches(
        &self,
        scope: &BindingSlots,
        domain: &[ClassId],
        (pattern, colour): (&[Term], &[Expr]),
        other: &[Term],
    ) -> Option<Expr> {
        let mut parts = Vec::new();
        for (i, &class) in domain.iter().enumerate() {
            let size = self.net.class(class).elements.len() as i64;
            match (pattern[i], other[i]) {
                (_, Term::All) => {}
                (Term::Constant(a), Term::Constant(b)) if a == b => {}
                (Term::Constant(_), Term::Constant(_)) => return None,
                (Term::Variable(a, s), Term::Variable(b, t)) if a == b => {
                    if (s - t).rem_euclid(size) != 0 {
                        return None;
                    }
                }
                (_, term) => {
                    let value = self.term(scope, class, term);
                    parts.push(Expr::compare(Compare::Eq, colour[i].clone(), value));
                }
            }
        }
        Some(Expr::all(parts.into_iter()))
    }

    fn term(&self, scope: &BindingSlots, class: ClassId, term: Term) -> Expr {
        poll();
        let size = self.net.class(class).elements.len();
        match term {
            Term::Constant(element) => Expr::Const(i64::from(element)),
            Term::Variable(variable, shift) => {
                let value = Expr::Local(scope.slot(variable));
                match shift.rem_euclid(size as i64) {
                    0 => value,
                    by => Expr::Arith(
                        Arith::Rotate(size as u32),
                        Box::new([value, Expr::Const(by)]),
                        self.nowhere(),
                    ),
                }
            }
            Term::All => unreachable!("it has a name of its own"),
        }
    }

    fn guard(&self, scope: &BindingSlots, guard: &Guard) -> Expr {
        let all = |parts: &[Guard]| parts.iter().map(|part| self.guard(scope, part)).collect::<Vec<_>>();
        match guard {
            Guard::True => Expr::Const(1),
            Guard::False => Expr::Const(0),
            Guard::Compare(comparison) => self.comparison(scope, comparison),
            Guard::Not(inner) => self.guard(scope, inner).negate(),
            Guard::And(parts) => Expr::all(all(parts).into_iter()),
            Guard::Or(parts) => any(all(parts)),
        }
    }

    fn comparison(&self, scope: &BindingSlots, comparison: &Comparison) -> Expr {
        let side = |operand| match (operand, comparison.partition) {
            (Operand::Block(block), _) => Expr::Const(i64::from(block)),
            (Operand::Element(term), None) => self.term(scope, comparison.class, term),
            (Operand::Element(Term::Constant(element)), Some(partition)) => {
                Expr::Const(i64::from(self.net.partitions[partition.index()].block[element as usize]))
            }
            (Operand::Element(term), Some(partition)) => {
                let blocks = &self.net.partitions[partition.index()].block;
                table(&self.term(scope, comparison.class, term), 0, blocks)
            }
        };
        Expr::compare(comparison.op, side(comparison.left), side(comparison.right))
    }

    /// What firing does: takes, empties, gives.
    fn body(&self, scope: &mut BindingSlots, transition: &Transition) -> Box<[Stmt]> {
        let mut places: Vec<PlaceId> =
            transition.inputs.iter().chain(&transition.outputs).map(|arc| arc.place).collect();
        places.extend(&transition.resets);
        places.sort();
        places.dedup();
        let nothing = Vec::new();
        let mut body = Vec::new();
        for place in places {
            let find = |arcs: &[Arc]| arcs.iter().position(|arc| arc.place == place);
            let taken = find(&transition.inputs).map_or(&nothing, |i| &transition.inputs[i].inscription);
            let given = find(&transition.outputs).map_or(&nothing, |i| &transition.outputs[i].inscription);
            if transition.resets.contains(&place) {
                self.reset(scope, place, &mut body);
                self.change(scope, place, &nothing, given, &mut body);
            } else {
                self.change(scope, place, taken, given, &mut body);
            }
        }
        body.into()
    }

    fn reset(&self, scope: &mut BindingSlots, place: PlaceId, body: &mut Vec<Stmt>) {
        let all = vec![Term::All; self.net.place(place).domain.len()];
        let (binders, colour) = self.colour(scope, place, &all);
        body.push(loops(binders, Stmt::Store(self.cell(place, &colour), Expr::Const(0))));
    }

    /// Takes and gives tokens of one place.
    fn change(
        &self,
        scope: &mut BindingSlots,
        place: PlaceId,
        taken: &Inscription,
        given: &Inscription,
        body: &mut Vec<Stmt>,
    ) {
        if !is_plain(taken) || !is_plain(given) {
            return self.change_all(scope, place, taken, given, body);
        }
        let mut changes: Vec<(i64, &Vec<Term>)> = Vec::new();
        let signed = taken.iter().map(|(weight, pattern)| (-weight, pattern));
        for (weight, pattern) in signed.chain(given.iter().map(|(weight, pattern)| (*weight, pattern))) {
            match changes.iter_mut().find(|(_, known)| *known == pattern) {
                Some((sum, _)) => *sum += weight,
                None => changes.push((weight, pattern)),
            }
        }
        changes.retain(|(weight, _)| *weight != 0);
        // What is taken first makes room; what may coincide under some binding is not known here.
        changes.sort_by_key(|(weight, _)| *weight > 0);
        for (weight, pattern) in changes {
            let (binders, colour) = self.colour(scope, place, pattern);
            let value = Expr::Offset(Box::new(self.load(place, &colour)), weight);
            let value = if weight > 0 { self.fitting(place, value) } else { value };
            body.push(loops(binders, Stmt::Store(self.cell(place, &colour), value)));
        }
    }

    /// As [`Lowering::change`], colour by colour.
    fn change_all(
        &self,
        scope: &mut BindingSlots,
        place: PlaceId,
        taken: &Inscription,
        given: &Inscription,
        body: &mut Vec<Stmt>,
    ) {
        let all = vec![Term::All; self.net.place(place).domain.len()];
        let (binders, colour) = self.colour(scope, place, &all);
        let weight = |inscription: &Inscription| {
            let arc = Arc { place, inscription: inscription.clone() };
            let weight = self.weight(scope, &arc, &all, &colour);
            Expr::Arith(Arith::Max, Box::new([weight, Expr::Const(0)]), self.nowhere())
        };
        let (taken, given) = (weight(taken), weight(given));
        let arith = |op, a, b| Expr::Arith(op, Box::new([a, b]), self.nowhere());
        let value = arith(Arith::Add, arith(Arith::Sub, self.load(place, &colour), taken), given);
        let value = self.fitting(place, value);
        body.push(loops(binders, Stmt::Store(self.cell(place, &colour), value)));
    }

    /// A number of tokens that the place can hold.
    fn fitting(&self, place: PlaceId, value: Expr) -> Expr {
        let hi = self.cells[place.index()].bound;
        Expr::Check(Box::new(Check { value, lo: 0, hi, site: Self::site(place) }))
    }
}

impl BindingSlots {
    fn new(transition: &Transition) -> Self {
        let variables = parameters(transition);
        Self { next: variables.len(), variables }
    }

    fn slot(&self, variable: VariableId) -> Slot {
        let at = self.variables.iter().position(|known| *known == variable);
        Slot(at.expect("a transition lists its variables") as u32)
    }

    fn fresh(&mut self) -> Slot {
        self.next += 1;
        Slot(self.next as u32 - 1)
    }

    /// How many parameters must be bound so that these are.
    fn level(&self, variables: &[VariableId]) -> usize {
        variables.iter().map(|&variable| self.slot(variable).index() + 1).max().unwrap_or(0)
    }
}

/// Whether an inscription only adds.
fn is_plain(inscription: &Inscription) -> bool {
    inscription.iter().all(|(weight, _)| *weight > 0)
}

/// The parts of a guard that must all be true.
fn conjuncts(guard: &Guard) -> Vec<&Guard> {
    match guard {
        Guard::True => Vec::new(),
        Guard::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        other => vec![other],
    }
}

fn guard_variables(guard: &Guard, out: &mut Vec<VariableId>) {
    match guard {
        Guard::True | Guard::False => {}
        Guard::Compare(comparison) => {
            for operand in [comparison.left, comparison.right] {
                if let Operand::Element(Term::Variable(variable, _)) = operand {
                    out.push(variable);
                }
            }
        }
        Guard::Not(inner) => guard_variables(inner, out),
        Guard::And(parts) | Guard::Or(parts) => parts.iter().for_each(|part| guard_variables(part, out)),
    }
}

fn pattern_variables(pattern: &[Term]) -> impl Iterator<Item = VariableId> {
    pattern.iter().filter_map(|term| match term {
        Term::Variable(variable, _) => Some(*variable),
        Term::Constant(_) | Term::All => None,
    })
}

/// The variables of a transition in an order in which conditions can be tested early: again and again, those
/// of the condition that lacks the fewest.
pub(crate) fn parameters(transition: &Transition) -> Vec<VariableId> {
    let arcs = transition.inputs.iter().chain(&transition.reads).chain(&transition.inhibitors);
    let patterns =
        arcs.flat_map(|arc| &arc.inscription).map(|(_, pattern)| pattern_variables(pattern).collect());
    let guards = conjuncts(&transition.guard).into_iter().map(|part| {
        let mut variables = Vec::new();
        guard_variables(part, &mut variables);
        variables
    });
    let mut conditions: Vec<Vec<VariableId>> = patterns.chain(guards).collect();
    let mut ordered: Vec<VariableId> = Vec::new();
    loop {
        conditions.iter_mut().for_each(|condition| condition.retain(|variable| !ordered.contains(variable)));
        conditions.retain(|condition| !condition.is_empty());
        match conditions.iter().min_by_key(|condition| condition.len()) {
            Some(next) => ordered.push(next[0]),
            None => break,
        }
    }
    let rest = transition.variables.iter().filter(|variable| !ordered.contains(variable)).copied();
    ordered.extend(rest.collect::<Vec<_>>());
    ordered
}

/// The statement for all values of the binders.
fn loops(binders: Vec<Binder>, statement: Stmt) -> Stmt {
    binders.into_iter().rev().fold(statement, |body, binder| Stmt::For(Box::new(binder), Box::new([body])))
}

/// The entry of a table at an index, by halving. `first` is the index of the first entry.
fn table(index: &Expr, first: usize, entries: &[u32]) -> Expr {
    if entries.iter().all(|entry| *entry == entries[0]) {
        return Expr::Const(i64::from(entries[0]));
    }
    let (low, high) = entries.split_at(entries.len() / 2);
    let middle = first + low.len();
    let is_low = Expr::compare(Compare::Lt, index.clone(), Expr::Const(middle as i64));
    Expr::If(Box::new([is_low, table(index, first, low), table(index, middle, high)]))
}

/// A disjunction, as a balanced tree; false if empty.
pub(super) fn any(parts: Vec<Expr>) -> Expr {
    balanced(parts, |pair| Expr::Or(Box::new(pair))).unwrap_or(Expr::Const(0))
}

/// Combines many into one by a tree of small depth; none if there is none.
pub(super) fn balanced<T>(mut parts: Vec<T>, combine: impl Fn([T; 2]) -> T) -> Option<T> {
    while parts.len() > 1 {
        let mut next = Vec::with_capacity(parts.len().div_ceil(2));
        let mut rest = parts.into_iter();
        while let Some(first) = rest.next() {
            next.push(match rest.next() {
                Some(second) => combine([first, second]),
                None => first,
            });
        }
        parts = next;
    }
    parts.pop()
}
