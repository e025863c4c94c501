//! Questions about a net as properties of its transition system.

use super::rule::{any, balanced};
use super::{Lowering, NetSymmetry, Watched};
use crate::net::{PlaceId, TransitionId};
use crate::query::{Atom, Formula, NetQuestion, Query, Sum, Tokens};
use crate::text::show_formula;
use burnside_limits::poll;
use burnside_ts::{self as ts, Arith, Expr, Path, Property, Quantifier, Question, Slot, Target, Temporal};

impl Lowering<'_> {
    /// The property that asks a question.
    pub(super) fn property(&mut self, symmetry: &NetSymmetry, query: &Query) -> Property {
        let question = match &query.asked {
            NetQuestion::Invariant(condition) => Question::Invariant(self.condition(condition)),
            NetQuestion::Reachable(condition) => Question::Reachable(self.condition(condition)),
            NetQuestion::Ltl(formula) => Question::Linear(self.formula(formula)),
            NetQuestion::Ctl(formula) => Question::Branching(self.formula(formula)),
            NetQuestion::Bound(sums) => {
                let sums = sums.iter().map(|sum| self.sum(sum)).collect();
                let greater = |pair| Expr::Arith(Arith::Max, Box::new(pair), self.nowhere());
                Question::Bound(balanced(sums, greater).unwrap_or(Expr::Const(0)))
            }
        };
        let symmetry = self.sorts.stabiliser(self.net, symmetry, &self.types, query);
        Property { name: query.name.clone(), text: query.text.clone(), question, symmetry, named: None }
    }

    /// What an automaton looks at.
    pub(super) fn observed(&mut self, symmetry: &NetSymmetry, watched: &Watched) -> Property {
        let Watched { name, text, conditions, automaton } = watched.clone();
        let asked = NetQuestion::Invariant(Formula::And(conditions.clone()));
        let together = Query { name: name.clone(), text: text.clone(), asked };
        let symmetry = self.sorts.stabiliser(self.net, symmetry, &self.types, &together);
        let conditions = conditions.iter().map(|condition| self.condition(condition)).collect();
        Property { name, text, question: Question::Automaton(automaton, conditions), symmetry, named: None }
    }

    /// A formula without path operators.
    fn condition(&mut self, formula: &Formula) -> Expr {
        let mut all = |parts: &[Formula]| parts.iter().map(|part| self.condition(part)).collect::<Vec<_>>();
        match formula {
            Formula::Atom(atom) => self.atom(atom),
            Formula::Not(inner) => self.condition(inner).negate(),
            Formula::And(parts) => {
                balanced(all(parts), |pair| Expr::And(Box::new(pair))).unwrap_or(Expr::Const(1))
            }
            Formula::Or(parts) => any(all(parts)),
            Formula::Implies(sides) => {
                let [left, right] = &**sides;
                Expr::Or(Box::new([self.condition(left).negate(), self.condition(right)]))
            }
            Formula::Iff(sides) => {
                let [left, right] = &**sides;
                Expr::compare(ts::Compare::Eq, self.condition(left), self.condition(right))
            }
            _ => unreachable!("a condition on a marking has no path operators"),
        }
    }

    fn formula(&mut self, formula: &Formula) -> ts::Formula {
        if !formula.is_temporal() {
            let text = show_formula(formula, self.net);
            return ts::Formula::Atom(self.condition(formula), text);
        }
        match formula {
            Formula::Atom(_) => unreachable!("an atom is a condition"),
            Formula::Not(inner) => ts::Formula::Not(Box::new(self.formula(inner))),
            Formula::And(parts) => {
                let parts = parts.iter().map(|part| self.formula(part)).collect();
                balanced(parts, |pair| ts::Formula::And(Box::new(pair))).expect("a part is temporal")
            }
            Formula::Or(parts) => {
                let parts = parts.iter().map(|part| self.formula(part)).collect();
                balanced(parts, |pair| ts::Formula::Or(Box::new(pair))).expect("a part is temporal")
            }
            Formula::Implies(sides) => ts::Formula::Implies(self.pair(sides)),
            Formula::Iff(sides) => ts::Formula::Iff(self.pair(sides)),
            Formula::Next(path, inner) => temporal(*path, Temporal::Next(Box::new(self.formula(inner)))),
            Formula::Finally(path, inner) => {
                temporal(*path, Temporal::Finally(Box::new(self.formula(inner))))
            }
            Formula::Globally(path, inner) => {
                temporal(*path, Temporal::Globally(Box::new(self.formula(inner))))
            }
            Formula::Until(path, sides) => temporal(*path, Temporal::Until(self.pair(sides))),
            Formula::Release(path, sides) => temporal(*path, Temporal::Release(self.pair(sides))),
            Formula::WeakUntil(path, sides) => temporal(*path, Temporal::WeakUntil(self.pair(sides))),
            Formula::StrongRelease(path, sides) => temporal(*path, Temporal::StrongRelease(self.pair(sides))),
        }
    }

    fn pair(&mut self, sides: &[Formula; 2]) -> Box<[ts::Formula; 2]> {
        Box::new([self.formula(&sides[0]), self.formula(&sides[1])])
    }

    fn atom(&mut self, atom: &Atom) -> Expr {
        poll();
        match atom {
            Atom::Constant(value) => Expr::Const(i64::from(*value)),
            Atom::Compare(op, left, right) => {
                let (left, right) = (self.sum(left), self.sum(right));
                Expr::compare(*op, left, right)
            }
            Atom::Fireable(transitions) => self.some_fireable(transitions.iter().copied()),
            Atom::Deadlock => {
                let all = (0..self.net.transitions.len() as u32).map(TransitionId);
                self.some_fireable(all).negate()
            }
        }
    }

    fn some_fireable(&mut self, transitions: impl Iterator<Item = TransitionId>) -> Expr {
        let net = self.net;
        any(transitions.map(|transition| self.fireable(net.transition(transition))).collect())
    }

    fn sum(&mut self, sum: &Sum) -> Expr {
        let parts: Vec<Expr> =
            sum.tokens.iter().map(|(factor, tokens)| self.scaled(*factor, tokens)).collect();
        let add = |pair| Expr::Arith(Arith::Add, Box::new(pair), self.nowhere());
        match balanced(parts, add) {
            None => Expr::Const(sum.constant),
            Some(total) if sum.constant == 0 => total,
            Some(total) => add([total, Expr::Const(sum.constant)]),
        }
    }

    fn scaled(&mut self, factor: i64, tokens: &Tokens) -> Expr {
        let count = match &tokens.colour {
            Some(colour) => {
                let colour: Vec<Expr> = colour.iter().map(|&part| Expr::Const(i64::from(part))).collect();
                self.load(tokens.place, &colour)
            }
            None => self.total(tokens.place),
        };
        match factor {
            1 => count,
            _ => Expr::Arith(Arith::Mul, Box::new([count, Expr::Const(factor)]), self.nowhere()),
        }
    }

    /// All tokens of a place.
    fn total(&mut self, place: PlaceId) -> Expr {
        let domain = &self.net.place(place).domain;
        let (mut binders, mut colour) = (Vec::new(), Vec::new());
        for (i, class) in domain.iter().enumerate() {
            let slot = Slot(i as u32);
            let ty = self.sorts.classes[class.index()];
            binders.push(ts::Binder { target: Target::Scalar(slot), ty, domain: ts::Domain::Type });
            colour.push(Expr::Local(slot));
        }
        self.slots = self.slots.max(domain.len());
        let count = self.load(place, &colour);
        self.quantified(Quantifier::Sum, binders, count)
    }
}

fn temporal(path: Option<Path>, operator: Temporal) -> ts::Formula {
    ts::Formula::Temporal(path, operator)
}
