//! Formulas of linear time over one followed member: their conditions become atoms.
//!
//! Entry point: [`translate`]. A name for any member is left as it is, so that whoever evaluates a condition
//! gives it the member that is followed; names for other values are expanded. There must be one name for a
//! member at most, and it must be such that it could stand in front: the front end has made sure of that.

use burnside_limits::poll;
use burnside_logic::{AtomId, Ltl};
use burnside_ts::{Binder, Expr, Formula, System, Temporal, Type};

/// A condition on a state and the member that is followed.
#[derive(Clone, Debug)]
pub(super) struct Condition<'s> {
    pub condition: &'s Expr,
    pub text: &'s str,
    /// The name of the member that is followed, if it is around, and the other names with their values.
    pub member: Option<&'s Binder>,
    pub others: Vec<(&'s Binder, u64)>,
}

/// There are not more atoms than bits in a word.
const ATOMS: usize = 64;

struct Names<'s> {
    member: Option<&'s Binder>,
    others: Vec<(&'s Binder, u64)>,
    /// How many names for members there were.
    members: u32,
}

/// The formula over atoms, and the conditions that they stand for.
pub(super) fn translate<'s>(
    system: &'s System,
    sort: &str,
    formula: &'s Formula,
    conditions: &mut Vec<Condition<'s>>,
) -> Result<Ltl, &'static str> {
    let names = Names { member: None, others: Vec::new(), members: 0 };
    let mut work = Translation { system, sort, conditions, names };
    work.formula(formula)
}

struct Translation<'s, 'w> {
    system: &'s System,
    sort: &'w str,
    conditions: &'w mut Vec<Condition<'s>>,
    names: Names<'s>,
}

impl<'s> Translation<'s, '_> {
    fn formula(&mut self, formula: &'s Formula) -> Result<Ltl, &'static str> {
        poll();
        Ok(match formula {
            Formula::Atom(condition, text) => self.atom(condition, text)?,
            Formula::Step(_) => return Err("conditions on steps are not judged for every size"),
            Formula::Not(inner) => Ltl::Not(self.one(inner)?),
            Formula::And(sides) => Ltl::And(self.two(sides)?.into()),
            Formula::Or(sides) => Ltl::Or(self.two(sides)?.into()),
            Formula::Implies(sides) => Ltl::Implies(self.two(sides)?.into()),
            Formula::Iff(sides) => Ltl::Iff(self.two(sides)?.into()),
            Formula::Forall(binder, body) | Formula::Exists(binder, body) if self.is_member(binder) => {
                self.names.members += 1;
                if self.names.members > 1 {
                    return Err("only one member is followed");
                }
                self.names.member = Some(binder);
                let body = self.formula(body)?;
                self.names.member = None;
                body
            }
            Formula::Forall(binder, body) => Ltl::And(self.expanded(binder, body)?),
            Formula::Exists(binder, body) => Ltl::Or(self.expanded(binder, body)?),
            Formula::Temporal(None, operator) => self.temporal(operator)?,
            Formula::Temporal(Some(_), _) => return Err("this is no formula of linear time"),
        })
    }

    fn temporal(&mut self, operator: &'s Temporal) -> Result<Ltl, &'static str> {
        Ok(match operator {
            Temporal::Next(inner) => Ltl::Next(self.one(inner)?),
            Temporal::Finally(inner) => Ltl::Finally(self.one(inner)?),
            Temporal::Globally(inner) => Ltl::Globally(self.one(inner)?),
            Temporal::Until(sides) => Ltl::Until(Box::new(self.two(sides)?)),
            Temporal::Release(sides) => Ltl::Release(Box::new(self.two(sides)?)),
            Temporal::WeakUntil(sides) => Ltl::WeakUntil(Box::new(self.two(sides)?)),
            Temporal::StrongRelease(sides) => Ltl::StrongRelease(Box::new(self.two(sides)?)),
        })
    }

    fn one(&mut self, inner: &'s Formula) -> Result<Box<Ltl>, &'static str> {
        self.formula(inner).map(Box::new)
    }

    fn two(&mut self, sides: &'s [Formula; 2]) -> Result<[Ltl; 2], &'static str> {
        Ok([self.formula(&sides[0])?, self.formula(&sides[1])?])
    }

    /// Once for each value of a name. A member that is followed in it is the same each time.
    fn expanded(&mut self, binder: &'s Binder, body: &'s Formula) -> Result<Vec<Ltl>, &'static str> {
        let values = self.system.types.size(binder.ty).ok_or("a name has too many values")?;
        if values > ATOMS as u64 {
            return Err("a name has too many values");
        }
        let members = self.names.members;
        let each = |value: u64| {
            self.names.members = members;
            self.names.others.push((binder, value));
            let body = self.formula(body);
            self.names.others.pop();
            body
        };
        (0..values).map(each).collect()
    }

    fn atom(&mut self, condition: &'s Expr, text: &'s str) -> Result<Ltl, &'static str> {
        let Names { member, others, .. } = &self.names;
        let is_known = |it: &Condition<'s>| {
            it.condition == condition && it.text == text && it.member == *member && it.others == *others
        };
        let known = self.conditions.iter().position(is_known);
        let at = known.unwrap_or(self.conditions.len());
        if known.is_none() {
            let (member, others) = (*member, others.clone());
            self.conditions.push(Condition { condition, text, member, others });
        }
        if self.conditions.len() > ATOMS {
            return Err("there are too many conditions in it");
        }
        Ok(Ltl::Atom(AtomId(at as u32)))
    }

    fn is_member(&self, binder: &Binder) -> bool {
        let types = &self.system.types;
        matches!(types.get(binder.ty), Type::Sort(id) if types.sort(*id).name == self.sort)
    }
}
