//! The parts of a guard: as long as one of them is not as it is wanted, the rule instance is disabled.
//!
//! Entry points: [`plain_parts`] takes the guard of a rule apart, conjunctions and quantifiers over few
//! values too; [`GuardPart::value`] looks at a part in a state. Values of parts that read few bits are
//! kept.

use burnside_ts::{
    Binder, Domain, Expr, Machine, Quantifier, Quantify, Rule, StateBits, System, Target, Undefined,
};

/// A quantifier that takes more values is one part.
const FEW: u64 = 16;
/// The values of parts that read so many bits are kept.
const KEPT_BITS: u32 = 6;

/// A part of the guard of a rule, for all its instances.
#[derive(Clone, Debug)]
pub(super) struct PlainPart<'s> {
    pub condition: &'s Expr,
    /// The rule is disabled where the condition has another value.
    wanted: bool,
    /// Names around the condition, with the numbers of their values.
    pub bound: Vec<(&'s Binder, u64)>,
    /// Whether the condition may fault.
    pub may_fault: bool,
}

/// A part of the guard of an instance.
#[derive(Clone, Debug)]
pub(super) struct GuardPart<'s> {
    condition: &'s Expr,
    wanted: bool,
    bound: Vec<(&'s Binder, u64)>,
    /// The row of those who may make it as it is wanted, or something before it fault.
    pub enablers: usize,
    pub may_fault: bool,
    /// The bits that it reads, if they are few. By their values: whether it was looked at and has no fault
    /// there, and whether it is unmet.
    reads: Option<Box<[(u32, u64)]>>,
    known: u64,
    unmet: u64,
}

/// What a part of a guard is in a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum PartValue {
    Met,
    Unmet,
    Fault,
}

impl PartValue {
    fn of(unmet: bool) -> Self {
        if unmet { Self::Unmet } else { Self::Met }
    }
}

/// The parts of a guard, in the order of evaluation, that can be looked at when so many parameters are known.
pub(super) fn plain_parts<'s>(system: &'s System, rule: &'s Rule, level: usize) -> Vec<PlainPart<'s>> {
    let free: Vec<&Binder> = rule.params.iter().map(|param| &param.binder).collect();
    let mut divider = Divider { system, free, bound: Vec::new(), parts: Vec::new() };
    for part in rule.guard.iter().take_while(|part| part.level <= level) {
        divider.divide(&part.condition, true);
    }
    divider.parts
}

struct Divider<'s> {
    system: &'s System,
    free: Vec<&'s Binder>,
    bound: Vec<(&'s Binder, u64)>,
    parts: Vec<PlainPart<'s>>,
}

impl<'s> Divider<'s> {
    fn divide(&mut self, condition: &'s Expr, wanted: bool) {
        match condition {
            Expr::Not(inner) => self.divide(inner, !wanted),
            Expr::And(sides) if wanted => sides.iter().for_each(|side| self.divide(side, true)),
            Expr::Or(sides) if !wanted => sides.iter().for_each(|side| self.divide(side, false)),
            Expr::Quantify(quantify) if self.is_divisible(quantify, wanted) => {
                self.each(&quantify.binders, &quantify.body, wanted);
            }
            _ => {
                let free: Vec<&Binder> =
                    self.free.iter().copied().chain(self.bound.iter().map(|(binder, _)| *binder)).collect();
                let may_fault = self.system.may_fault(condition, &free);
                let bound = self.bound.clone();
                self.parts.push(PlainPart { condition, wanted, bound, may_fault });
            }
        }
    }

    /// Whether the body must be as wanted for each value, of which there are few.
    fn is_divisible(&self, quantify: &Quantify, wanted: bool) -> bool {
        let for_each = if wanted { Quantifier::Forall } else { Quantifier::Exists };
        let size = |binder: &Binder| {
            let plain = matches!((&binder.domain, binder.target), (Domain::Type, Target::Scalar(_)));
            self.system.types.size(binder.ty).filter(|_| plain)
        };
        let mut sizes = quantify.binders.iter().map(size);
        let count = sizes.try_fold(1u64, |count, size| count.checked_mul(size?));
        quantify.quantifier == for_each && quantify.filter.is_none() && count.is_some_and(|it| it <= FEW)
    }

    fn each(&mut self, binders: &'s [Binder], body: &'s Expr, wanted: bool) {
        let [binder, rest @ ..] = binders else { return self.divide(body, wanted) };
        for number in 0..self.system.types.size(binder.ty).unwrap_or(0) {
            self.bound.push((binder, number));
            self.each(rest, body, wanted);
            self.bound.pop();
        }
    }
}

impl<'s> GuardPart<'s> {
    /// A part with the row of its enablers, which reads these bits of the state (none: any).
    pub fn new(part: &PlainPart<'s>, enablers: usize, reads: Option<&StateBits>) -> Self {
        let few = reads.filter(|reads| reads.count() <= KEPT_BITS);
        let reads = few.map(|reads| reads.words().collect());
        let (condition, wanted, bound) = (part.condition, part.wanted, part.bound.clone());
        let may_fault = part.may_fault;
        Self { condition, wanted, bound, enablers, may_fault, reads, known: 0, unmet: 0 }
    }

    /// The values of the bits that it reads.
    #[inline]
    fn key(&self, state: &[u64]) -> Option<u32> {
        let (mut key, mut at) = (0, 0);
        for &(word, mut mask) in self.reads.as_ref()? {
            while mask != 0 {
                key |= ((state[word as usize] >> mask.trailing_zeros() & 1) as u32) << at;
                (at, mask) = (at + 1, mask & (mask - 1));
            }
        }
        Some(key)
    }

    /// What it is for an instance with some parameters in a state.
    #[inline]
    pub fn value(
        &mut self,
        machine: &mut dyn Machine<'s>,
        state: &[u64],
        params: impl Iterator<Item = (&'s Binder, u64)>,
    ) -> Result<PartValue, Undefined> {
        let key = self.key(state);
        if let Some(key) = key.filter(|key| self.known >> key & 1 != 0) {
            return Ok(PartValue::of(self.unmet >> key & 1 != 0));
        }
        params.chain(self.bound.iter().copied()).for_each(|(binder, number)| machine.bind(binder, number));
        let unmet = match machine.holds(self.condition, state) {
            Ok(value) => value != self.wanted,
            Err(Undefined::Fault(_)) => return Ok(PartValue::Fault),
            Err(interrupted) => return Err(interrupted),
        };
        if let Some(key) = key {
            self.known |= 1 << key;
            self.unmet |= u64::from(unmet) << key;
        }
        Ok(PartValue::of(unmet))
    }
}
