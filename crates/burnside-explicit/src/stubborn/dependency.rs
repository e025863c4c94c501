//! What rule instances have to do with each other, found once, from their code alone.
//!
//! Entry point: [`Dependencies::of`]. Two instances *conflict* unless neither may write what the other may
//! read or write, guards and bodies included: then each does the same before and after the other, with every
//! choice and every fault. That `x + 1` and `x - 1` commute, but at the bounds, is not used. An instance that
//! is disabled has *enablers*, for each part of its guard: whoever may write what that part reads, or what a
//! part before it reads that may fault. As long as none of them acts, a part that is false keeps the instance
//! from doing anything, and from faulting.
//!
//! From the first parameter on that ranges over a collection, is no scalar, or makes very many instances,
//! parameters are left open: all instances with the same first arguments are one here.

use super::guard::{GuardPart, PlainPart, plain_parts};
use burnside_limits::poll;
use burnside_ts::{Binder, Dependency, Domain, Expr, Label, Rule, Slot, StateBits, System, Target};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many instances of a rule there may be.
const MOST_OF_RULE: u64 = 1 << 10;
/// How many instances there may be before the parameters of further rules are left open.
const MOST_OF_ALL: u64 = 1 << 11;
/// How many pairs of an instance and a bit of the state there may be.
const MOST_PAIRS: u64 = 1 << 26;
/// How many parts of code are looked at.
const BUDGET: u32 = 1 << 19;

/// Sets of instances, one behind the other.
#[derive(Clone, Debug)]
pub(super) struct Rows {
    words: usize,
    bits: Vec<u64>,
}

impl Rows {
    fn new(rows: usize, instances: usize) -> Self {
        let words = instances.div_ceil(64);
        Self { words, bits: vec![0; rows * words] }
    }

    pub fn row(&self, row: usize) -> &[u64] {
        &self.bits[row * self.words..][..self.words]
    }

    fn insert(&mut self, row: usize, instance: usize) {
        self.bits[row * self.words + instance / 64] |= 1 << (instance % 64);
    }

    /// Adds a row of another table to one of these.
    fn unite(&mut self, row: usize, others: &Rows, other: usize) {
        let mine = &mut self.bits[row * self.words..][..self.words];
        mine.iter_mut().zip(others.row(other)).for_each(|(mine, other)| *mine |= other);
    }

    fn len(&self) -> usize {
        self.bits.len() / self.words.max(1)
    }

    /// A new row, empty.
    fn grow(&mut self) -> usize {
        self.bits.resize(self.bits.len() + self.words, 0);
        self.len() - 1
    }
}

/// A rule instance, or all with the same first arguments.
#[derive(Clone, Debug)]
pub(super) struct StubbornInstance<'s> {
    pub rule: &'s Rule,
    /// The numbers of the values of its first parameters.
    pub numbers: Box<[u64]>,
    /// The parts of its guard that can be looked at.
    pub parts: Range<usize>,
    /// The row of those who may write anything that it reads.
    pub enablers: usize,
}

/// Where the instances of a rule are.
#[derive(Clone, Debug)]
struct RuleInstances {
    first: u32,
    /// For each parameter that is not open: its word among the arguments, what to take off, and its size.
    closed: Vec<(usize, i64, u64)>,
}

/// Who conflicts with whom, and who may enable whom.
#[derive(Clone, Debug)]
pub(super) struct Dependencies<'s> {
    pub instances: Vec<StubbornInstance<'s>>,
    pub parts: Vec<GuardPart<'s>>,
    /// By instance.
    pub conflicts: Rows,
    /// By what enablers are numbered by.
    pub enablers: Rows,
    /// Those who may change what some conditions read.
    pub visible: Vec<u64>,
    rules: Vec<RuleInstances>,
}

/// What an instance may read and write; none: anything.
type Access = Option<(StateBits, StateBits)>;

impl<'s> Dependencies<'s> {
    /// Those of a system; `conditions` are what its user sees of states. None if there is too much to look
    /// at.
    pub fn of(system: &'s System, conditions: &[&Expr]) -> Option<Self> {
        let mut looker = Looker { system, budget: BUDGET, numbers: BTreeMap::new(), sets: Vec::new() };
        let (mut rules, mut instances, mut parts, mut accesses) = Default::default();
        for rule in &system.rules {
            looker.rule(rule, &mut rules, (&mut instances, &mut parts), &mut accesses);
        }
        let bits = u64::from(system.width).max(1);
        if bits.saturating_mul(instances.len() as u64) > MOST_PAIRS {
            return None;
        }
        let table = BitAccess::new(bits as usize, &accesses);
        let conflicts = table.conflicts(&accesses);
        let mut enablers = Rows::new(0, instances.len());
        for set in &looker.sets {
            let row = enablers.grow();
            table.add_writers(set.as_ref(), &mut enablers, row);
        }
        let seen = enablers.grow();
        for condition in conditions {
            poll();
            let reads = looker.look(&[], |look| look.expr(condition)).map(|(reads, _)| reads);
            table.add_writers(reads.as_ref(), &mut enablers, seen);
        }
        let visible = enablers.row(seen).to_vec();
        Some(Self { instances, parts, conflicts, enablers, visible, rules })
    }

    /// The instance that a step is of.
    #[inline]
    pub fn instance(&self, label: Label<'_>) -> u32 {
        let rule = &self.rules[label.rule.index()];
        let number = |value: u64, bias: i64| (value as i64).wrapping_sub(bias) as u64;
        let at =
            rule.closed.iter().fold(0, |at, &(word, bias, size)| at * size + number(label.args[word], bias));
        rule.first + at as u32
    }
}

/// Looks at the code of instances.
struct Looker<'s> {
    system: &'s System,
    budget: u32,
    /// Sets of bits that enablers may write, by number; none: all bits.
    numbers: BTreeMap<Option<Vec<(u32, u64)>>, usize>,
    sets: Vec<Option<StateBits>>,
}

impl<'s> Looker<'s> {
    fn look(&mut self, known: &[(Slot, i64)], code: impl FnOnce(&mut Dependency<'_>)) -> Access {
        if self.budget == 0 {
            return None;
        }
        Dependency::of(self.system, known, &mut self.budget, code)
    }

    /// The row of those who may write some bits.
    fn enablers(&mut self, reads: Option<StateBits>) -> usize {
        let key = reads.as_ref().map(|reads| reads.words().collect::<Vec<_>>());
        let next = self.sets.len();
        let number = *self.numbers.entry(key).or_insert(next);
        if number == next {
            self.sets.push(reads);
        }
        number
    }

    /// All instances of a rule.
    fn rule(
        &mut self,
        rule: &'s Rule,
        rules: &mut Vec<RuleInstances>,
        (instances, parts): (&mut Vec<StubbornInstance<'s>>, &mut Vec<GuardPart<'s>>),
        accesses: &mut Vec<Access>,
    ) {
        let room = MOST_OF_ALL.saturating_sub(instances.len() as u64).clamp(1, MOST_OF_RULE);
        let closed = closed(self.system, rule, room);
        let level = closed.len();
        let own: Vec<PlainPart<'s>> = plain_parts(self.system, rule, level);
        let count = closed.iter().map(|&(.., size)| size).product::<u64>();
        rules.push(RuleInstances { first: instances.len() as u32, closed: closed.clone() });
        for number in 0..count {
            poll();
            let (mut numbers, mut rest) = (vec![0; level].into_boxed_slice(), number);
            for (at, &(.., size)) in closed.iter().enumerate().rev() {
                (numbers[at], rest) = (rest % size, rest / size);
            }
            let bound = rule.params.iter().map(|param| &param.binder).zip(numbers.iter().copied());
            let known: Vec<(Slot, i64)> = bound.filter_map(|it| self.known(it)).collect();
            let access = self.look(&known, |look| whole(rule, level, look));
            let first = parts.len();
            self.guard(&own, &known, parts);
            let enablers = self.enablers(access.as_ref().map(|(reads, _)| reads.clone()));
            accesses.push(access);
            instances.push(StubbornInstance { rule, numbers, parts: first..parts.len(), enablers });
        }
    }

    /// The slot of a name, and its value.
    fn known(&self, (binder, number): (&Binder, u64)) -> Option<(Slot, i64)> {
        let Target::Scalar(slot) = binder.target else { return None };
        Some((slot, number as i64 + self.system.types.bias(binder.ty)))
    }

    /// The parts of the guard of an instance.
    fn guard(&mut self, own: &[PlainPart<'s>], known: &[(Slot, i64)], parts: &mut Vec<GuardPart<'s>>) {
        // What parts so far read that may fault; none: anything.
        let mut doubtful = Some(StateBits::default());
        for part in own {
            let all = known.iter().copied().chain(part.bound.iter().filter_map(|&it| self.known(it)));
            let all: Vec<(Slot, i64)> = all.collect();
            let reads = self.look(&all, |look| look.expr(part.condition)).map(|(reads, _)| reads);
            let with_doubts = reads.as_ref().zip(doubtful.as_ref()).map(|(its, others)| its.union(others));
            if part.may_fault {
                doubtful.clone_from(&with_doubts);
            }
            let enablers = self.enablers(with_doubts);
            parts.push(GuardPart::new(part, enablers, reads.as_ref()));
        }
    }
}

/// Everything that an instance does, with its parameters from `level` on open.
fn whole(rule: &Rule, level: usize, look: &mut Dependency<'_>) {
    let open: Vec<Binder> = rule.params[level..].iter().map(|param| param.binder.clone()).collect();
    look.bound(&open, &mut |look| {
        rule.guard.iter().for_each(|part| look.expr(&part.condition));
        look.block(&rule.body);
    });
}

/// The parameters that get arguments, so that there are at most so many instances.
fn closed(system: &System, rule: &Rule, most: u64) -> Vec<(usize, i64, u64)> {
    let (mut count, mut closed) = (1u64, Vec::new());
    for param in &rule.params {
        let binder = &param.binder;
        let size = system.types.size(binder.ty).filter(|_| matches!(binder.domain, Domain::Type));
        let more = size.and_then(|size| count.checked_mul(size)).filter(|&more| more <= most);
        let (Target::Scalar(slot), Some(size), Some(more)) = (binder.target, size, more) else { break };
        closed.push((slot.index() - rule.args.start, system.types.bias(binder.ty), size));
        count = more;
    }
    closed
}

/// By bit of the state, who may write it and who may read or write it.
struct BitAccess {
    writers: Rows,
    users: Rows,
    /// Those who may do anything are nowhere else.
    anything: Rows,
    all: Rows,
}

impl BitAccess {
    fn new(bits: usize, accesses: &[Access]) -> Self {
        let instances = accesses.len();
        let rows = |count| Rows::new(count, instances);
        let mut table = Self { writers: rows(bits), users: rows(bits), anything: rows(1), all: rows(1) };
        for (instance, access) in accesses.iter().enumerate() {
            poll();
            table.all.insert(0, instance);
            match access {
                Some((reads, writes)) => {
                    each_bit(writes, |bit| table.writers.insert(bit, instance));
                    each_bit(writes, |bit| table.users.insert(bit, instance));
                    each_bit(reads, |bit| table.users.insert(bit, instance));
                }
                None => table.anything.insert(0, instance),
            }
        }
        table
    }

    /// By instance, with whom it conflicts.
    fn conflicts(&self, accesses: &[Access]) -> Rows {
        let mut conflicts = Rows::new(accesses.len(), accesses.len());
        for (instance, access) in accesses.iter().enumerate() {
            poll();
            match access {
                Some((reads, writes)) => {
                    conflicts.unite(instance, &self.anything, 0);
                    each_bit(writes, |bit| conflicts.unite(instance, &self.users, bit));
                    each_bit(reads, |bit| conflicts.unite(instance, &self.writers, bit));
                }
                None => conflicts.unite(instance, &self.all, 0),
            }
        }
        conflicts
    }

    /// Adds those who may write some bits (none: any) to a row.
    fn add_writers(&self, reads: Option<&StateBits>, rows: &mut Rows, row: usize) {
        poll();
        match reads {
            Some(reads) => {
                rows.unite(row, &self.anything, 0);
                each_bit(reads, |bit| rows.unite(row, &self.writers, bit));
            }
            None => rows.unite(row, &self.all, 0),
        }
    }
}

fn each_bit(bits: &StateBits, mut visit: impl FnMut(usize)) {
    for (word, mut mask) in bits.words() {
        while mask != 0 {
            visit(word as usize * 64 + mask.trailing_zeros() as usize);
            mask &= mask - 1;
        }
    }
}
