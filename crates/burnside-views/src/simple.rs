//! Predicates that are plain to see: conditions on one member that look at nobody else.
//!
//! Entry point: [`predicates`]: the parts of guards that speak of one member, and quantifiers in formulas of
//! linear time. That such a condition keeps its value when other members are forgotten is read off the code:
//! it only compares and connects what is stored for the member and for nobody.

use crate::context::{Origin, Predicate};
use burnside_limits::poll;
use burnside_ts::{
    Domain, Expr, Part, Place, Quantifier, Quantify, Question, Root, RuleId, Slot, System, Target, Type,
};

/// The predicates on single members of a type, those of guards first.
pub fn predicates<'s>(system: &'s System, sort: &str) -> Vec<Predicate<'s>> {
    let mut finder = Plain { system, sort, found: Vec::new() };
    for (number, rule) in (0..).zip(&system.rules) {
        for (part, conjunct) in rule.guard.iter().enumerate() {
            for binder in rule.params.iter().map(|param| &param.binder) {
                let (filter, body, origin) = (None, &conjunct.condition, Origin::Guard(RuleId(number), part));
                finder.add(Predicate { binder, filter, body, negated: false, origin });
            }
        }
    }
    for property in &system.properties {
        if let Question::Linear(formula) = &property.question {
            formula.conditions().into_iter().for_each(|condition| finder.quantifiers(condition));
        }
    }
    finder.found
}

struct Plain<'s, 't> {
    system: &'s System,
    sort: &'t str,
    found: Vec<Predicate<'s>>,
}

impl<'s> Plain<'s, '_> {
    fn quantifiers(&mut self, expr: &'s Expr) {
        poll();
        if let Expr::Quantify(quantify) = expr {
            self.quantifier(quantify);
        }
        expr.children(&mut |part| {
            if let Part::Expr(inner) = part {
                self.quantifiers(inner);
            }
        });
    }

    fn quantifier(&mut self, quantify: &'s Quantify) {
        let negated = match quantify.quantifier {
            Quantifier::Exists | Quantifier::Count => false,
            Quantifier::Forall => true,
            Quantifier::Sum | Quantifier::Min | Quantifier::Max => return,
        };
        if let [binder] = &quantify.binders[..]
            && binder.domain == Domain::Type
        {
            let (filter, body, origin) =
                (quantify.filter.as_ref(), &quantify.body, Origin::Quantifier(quantify.site));
            self.add(Predicate { binder, filter, body, negated, origin });
        }
    }

    fn add(&mut self, predicate: Predicate<'s>) {
        let types = &self.system.types;
        let is_member =
            matches!(types.get(predicate.binder.ty), Type::Sort(id) if types.sort(*id).name == self.sort);
        let Target::Scalar(slot) = predicate.binder.target else { return };
        let parts = || predicate.filter.into_iter().chain([predicate.body]);
        let speaks =
            parts().any(|part| self.system.depends_on(&self.system.mentions(part), predicate.binder));
        let same = |known: &Predicate<'_>| {
            let parts = (known.filter, known.body, known.negated, known.binder.target);
            parts == (predicate.filter, predicate.body, predicate.negated, predicate.binder.target)
        };
        if is_member && speaks && parts().all(|part| is_plain(part, slot)) && !self.found.iter().any(same) {
            self.found.push(predicate);
        }
    }
}

/// Whether a condition looks at the member in a slot and at what belongs to nobody, at no other, and cannot
/// fault.
pub(crate) fn is_plain(expr: &Expr, member: Slot) -> bool {
    let all = |parts: &[Expr]| parts.iter().all(|part| is_plain(part, member));
    match expr {
        Expr::Const(_) | Expr::Cell(_) => true,
        Expr::Local(slot) => *slot == member,
        Expr::Load(place) => is_own(place, member),
        Expr::Not(inner) | Expr::Offset(inner, _) => is_plain(inner, member),
        Expr::Compare(_, sides) | Expr::And(sides) | Expr::Or(sides) => all(&**sides),
        Expr::If(parts) => all(&**parts),
        Expr::Contains(place, element) => is_own(place, member) && is_plain(element, member),
        _ => false,
    }
}

/// Whether a place is in the state, and reached by the member and by nothing else that varies.
fn is_own(place: &Place, member: Slot) -> bool {
    let by_member = |index: &burnside_ts::Index| matches!(index.value, Expr::Local(slot) if slot == member);
    place.root == Root::State && place.indices.iter().all(by_member)
}
