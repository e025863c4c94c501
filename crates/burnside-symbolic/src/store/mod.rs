//! Sets of valuations as decision diagrams, with a limit on nodes.
//!
//! Entry point: [`Store`]; its sets are [`Set`]s, which share their nodes. Two sets are equal exactly when
//! they are `==`. Everything that may make nodes can end in [`Stop::Nodes`]: the store is then still good,
//! and dropping sets makes room again. This is the only place that knows which diagram library is used.

mod count;
mod reorder;
mod sift;
mod simplify;
mod split;

use burnside_limits::{Interrupt, Limits, MANY, Observer, Progress, Stats, Stop};
use burnside_perm::Natural;
use foldhash::HashMap;
use oxidd::bcdd::{BCDDFunction, BCDDManagerRef};
use oxidd::util::{AllocResult, OptBool, OutOfMemory};
use oxidd::{
    BooleanFunction, BooleanFunctionQuant, BooleanOperator, Function, FunctionSubst, HasLevel, InnerNode,
    Manager, ManagerRef, Node, Subst,
};
use std::cell::{Cell, RefCell};
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::Arc;

use split::Split;

/// Bytes that a node takes, with its share of the tables.
pub const NODE_BYTES: u64 = 32;

/// The limit on nodes if nobody gives another.
pub const MOST_NODES: u64 = 20_000_000;

/// With fewer there is nothing that could be done.
const LEAST_NODES: usize = 1_000;

/// What may end early.
pub type Out<T> = Result<T, Stop>;

/// A boolean variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bit(pub u32);

/// A store with more nodes divides operations. With fewer none takes long.
const LARGE: usize = 1 << 18;

/// A set of valuations of the variables, and what ends work on it.
#[derive(Clone)]
pub struct Set(BCDDFunction, Arc<Ends>);

/// What ends work on sets.
#[derive(Debug)]
struct Ends {
    interrupt: Interrupt,
    /// There is no room for another node.
    full: Stop,
    states: Option<u64>,
}

impl Ends {
    fn new(limits: &Limits) -> Self {
        let nodes = most_nodes(limits) as u64;
        let full = match limits.memory {
            Some(bytes) if nodes < limits.nodes.unwrap_or(MOST_NODES) => Stop::Memory(bytes),
            _ => Stop::Nodes(nodes),
        };
        Self { interrupt: limits.interrupt.clone(), full, states: limits.states }
    }

    fn poll(&self) -> Out<()> {
        if self.interrupt.is_raised() { Err(Stop::Interrupted) } else { Ok(()) }
    }

    fn full(&self, _: OutOfMemory) -> Stop {
        self.full.clone()
    }
}

/// How many nodes there may be, for the limits on nodes and on memory.
fn most_nodes(limits: &Limits) -> usize {
    let by_memory = limits.memory.map_or(u64::MAX, |bytes| bytes / NODE_BYTES);
    let nodes = limits.nodes.unwrap_or(MOST_NODES).min(by_memory);
    usize::try_from(nodes).unwrap_or(usize::MAX).max(LEAST_NODES)
}

/// What variables are replaced by, all at once.
pub struct Renaming {
    all: Subst<BCDDFunction>,
    /// The same, by variable.
    each: HashMap<u32, BCDDFunction>,
}

/// A table of nodes.
pub struct Store {
    manager: BCDDManagerRef,
    bits: RefCell<Vec<Set>>,
    /// Variables with the same number here move together.
    groups: RefCell<Vec<u32>>,
    limit: usize,
    peak: Cell<usize>,
    /// Nodes that were in use when somebody looked last.
    seen: Cell<usize>,
    /// Nodes that may still be made.
    left: Cell<u64>,
    /// Nodes that were made, as far as somebody looked.
    made: Cell<u64>,
    ends: Arc<Ends>,
    reordering: Cell<reorder::Schedule>,
}

impl Store {
    /// An empty store within the limits on nodes and memory, whose work ends soon after the interrupt is
    /// raised.
    pub fn new(limits: &Limits) -> Self {
        let limit = most_nodes(limits);
        // Each use of a result again saves building it; beyond a quarter of the nodes more entries no longer
        // pay.
        let cache = (limit / 4).clamp(1 << 10, 1 << 22);
        let manager = oxidd::bcdd::new_manager(limit, cache, 1);
        Self {
            manager,
            bits: RefCell::default(),
            groups: RefCell::default(),
            limit,
            peak: Cell::new(0),
            seen: Cell::new(0),
            left: Cell::new(u64::MAX),
            made: Cell::new(0),
            ends: Arc::new(Ends::new(limits)),
            reordering: Cell::new(reorder::Schedule::default()),
        }
    }

    /// New variables, below all others in the order.
    pub fn add(&self, count: u32) -> Out<Range<u32>> {
        let range = self.manager.with_manager_exclusive(|manager| manager.add_vars(count));
        self.groups.borrow_mut().extend(range.clone());
        let mut full = false;
        for var in range.clone() {
            let bit = self.manager.with_manager_shared(|manager| BCDDFunction::var(manager, var));
            full |= bit.is_err();
            // The library has the variable in any case. Without room for it nobody gets to know it, but the
            // later ones keep their places.
            self.bits.borrow_mut().push(bit.map_or_else(|_| self.none(), |bit| self.set(bit)));
        }
        if full { Err(self.ends.full(OutOfMemory)) } else { Ok(range) }
    }

    /// How many variables there are.
    pub fn len(&self) -> usize {
        self.bits.borrow().len()
    }

    /// Whether there are no variables.
    pub fn is_empty(&self) -> bool {
        self.bits.borrow().is_empty()
    }

    /// The valuations in which a variable is true.
    pub fn bit(&self, bit: Bit) -> Set {
        self.bits.borrow()[bit.0 as usize].clone()
    }

    fn set(&self, function: BCDDFunction) -> Set {
        Set(function, Arc::clone(&self.ends))
    }

    /// All valuations or none.
    pub fn constant(&self, value: bool) -> Set {
        self.set(self.manager.with_manager_shared(|manager| match value {
            true => BCDDFunction::t(manager),
            false => BCDDFunction::f(manager),
        }))
    }

    /// All valuations.
    pub fn all(&self) -> Set {
        self.constant(true)
    }

    /// No valuation.
    pub fn none(&self) -> Set {
        self.constant(false)
    }

    /// The valuations in which all of these are true; it also names the variables to be quantified.
    pub fn cube(&self, bits: impl IntoIterator<Item = Bit>) -> Out<Set> {
        let mut bits: Vec<Bit> = bits.into_iter().collect();
        // From the bottom up every conjunction is one node.
        self.manager.with_manager_shared(|manager| bits.sort_by_key(|bit| manager.var_to_level(bit.0)));
        bits.iter().rev().try_fold(self.all(), |cube, bit| cube.and(&self.bits.borrow()[bit.0 as usize]))
    }

    /// The valuations in which these variables have these values.
    pub fn point(&self, values: impl IntoIterator<Item = (Bit, bool)>) -> Out<Set> {
        let mut values: Vec<(Bit, bool)> = values.into_iter().collect();
        self.manager
            .with_manager_shared(|manager| values.sort_by_key(|(bit, _)| manager.var_to_level(bit.0)));
        values.iter().rev().try_fold(self.all(), |point, (bit, value)| {
            let bit = self.bit(*bit);
            if *value { point.and(&bit) } else { point.minus(&bit) }
        })
    }

    /// Replaces each variable by a set.
    pub fn renaming(&self, pairs: impl IntoIterator<Item = (Bit, Set)>) -> Renaming {
        let (bits, sets): (Vec<u32>, Vec<BCDDFunction>) =
            pairs.into_iter().map(|(bit, set)| (bit.0, set.0)).unzip();
        let each = bits.iter().copied().zip(sets.iter().cloned()).collect();
        Renaming { all: Subst::new(bits, sets), each }
    }

    /// The union of many, put together pairwise.
    pub fn union(&self, mut sets: Vec<Set>) -> Out<Set> {
        while sets.len() > 1 {
            let pair = |pair: &[Set]| if let [a, b] = pair { a.or(b) } else { Ok(pair[0].clone()) };
            sets = sets.chunks(2).map(pair).collect::<Out<_>>()?;
        }
        Ok(sets.pop().unwrap_or_else(|| self.none()))
    }

    /// Nodes in use now, those of sets that were dropped and not yet collected included.
    pub fn nodes(&self) -> usize {
        let nodes = self.manager.with_manager_shared(|manager| manager.num_inner_nodes());
        self.peak.set(self.peak.get().max(nodes));
        let made = nodes.saturating_sub(self.seen.replace(nodes)) as u64;
        self.made.set(self.made.get() + made);
        self.left.set(self.left.get().saturating_sub(made));
        nodes
    }

    /// From now on so many nodes may be made, whether they stay or not: a limit on work. Those that come and
    /// go between two looks are not seen.
    pub fn allow(&self, nodes: u64) {
        self.nodes();
        self.left.set(nodes);
    }

    /// The most nodes that were seen in use.
    pub fn peak(&self) -> usize {
        self.nodes();
        self.peak.get()
    }

    /// The limit on nodes.
    pub fn limit(&self) -> usize {
        self.limit
    }

    /// Gives back the nodes that no set uses.
    pub fn collect(&self) -> usize {
        self.manager.with_manager_shared(|manager| {
            manager.gc();
            manager.num_inner_nodes()
        })
    }

    /// Tells how far a search got, and ends it if it has found more states than are wanted.
    pub fn tell(&self, observer: &mut dyn Observer, images: u64, states: &Natural) -> Out<()> {
        let (states, memory) = (states.to_u64().unwrap_or(MANY), self.nodes() as u64 * NODE_BYTES);
        let stats = Stats { states, depth: images, memory, ..Stats::default() };
        observer.progress(&Progress { stats, ..Progress::default() });
        match self.ends.states {
            Some(limit) if states > limit => Err(Stop::States(limit)),
            _ => Ok(()),
        }
    }

    /// Ends the work if that was asked for.
    pub fn poll(&self) -> Out<()> {
        self.nodes();
        if self.left.get() == 0 {
            return Err(Stop::Nodes(self.limit as u64));
        }
        self.ends.poll()
    }
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a store of {} variables and {} nodes", self.len(), self.nodes())
    }
}

impl fmt::Debug for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a set of {} nodes", self.size())
    }
}

impl fmt::Debug for Renaming {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a renaming")
    }
}

impl PartialEq for Set {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Eq for Set {}

impl Hash for Set {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
    }
}

impl Renaming {
    /// What a variable, as a function, becomes.
    fn of<'r>(&'r self, bit: &'r BCDDFunction) -> &'r BCDDFunction {
        let level = simplify::level(bit).expect("a variable has a level");
        let var = bit.with_manager_shared(|manager, _| manager.level_to_var(level));
        self.each.get(&var).unwrap_or(bit)
    }
}

impl Set {
    fn with(&self, function: BCDDFunction) -> Set {
        Set(function, Arc::clone(&self.1))
    }

    /// Tries, and once more after collecting what nobody uses: at once, or in pieces if that may take long.
    fn made(
        &self,
        whole: impl Fn() -> AllocResult<BCDDFunction>,
        pieces: impl Fn(Split<'_>) -> Out<BCDDFunction>,
    ) -> Out<Set> {
        let large = self.0.with_manager_shared(|manager, _| manager.approx_num_inner_nodes() > LARGE);
        let work = || match large {
            true => pieces(Split { ends: &self.1 }),
            false => whole().map_err(|full| self.1.full(full)),
        };
        let made = match work() {
            Err(stop) if stop.is_room() => {
                self.0.manager_ref().with_manager_shared(|manager| manager.gc());
                work()?
            }
            other => other?,
        };
        Ok(self.with(made))
    }

    fn binary(
        &self,
        other: &Set,
        work: impl Fn(&BCDDFunction, &BCDDFunction) -> AllocResult<BCDDFunction>,
    ) -> Out<Set> {
        self.made(|| work(&self.0, &other.0), |split| split.binary([&self.0, &other.0], &|[a, b]| work(a, b)))
    }

    /// What is not in it.
    pub fn not(&self) -> Set {
        // With complemented edges this makes no node.
        self.with(self.0.not().expect("a complement needs no memory"))
    }

    /// What is in both.
    pub fn and(&self, other: &Set) -> Out<Set> {
        self.binary(other, BCDDFunction::and)
    }

    /// What is in one of them.
    pub fn or(&self, other: &Set) -> Out<Set> {
        self.binary(other, BCDDFunction::or)
    }

    /// What is in this but not in the other.
    pub fn minus(&self, other: &Set) -> Out<Set> {
        self.binary(other, |this, other| other.imp_strict(this))
    }

    /// What is in exactly one.
    pub fn xor(&self, other: &Set) -> Out<Set> {
        self.binary(other, BCDDFunction::xor)
    }

    /// What is in both or in none.
    pub fn iff(&self, other: &Set) -> Out<Set> {
        self.binary(other, BCDDFunction::equiv)
    }

    /// The first where this is, the second elsewhere.
    pub fn choose(&self, yes: &Set, no: &Set) -> Out<Set> {
        if yes == no {
            return Ok(yes.clone());
        }
        self.made(|| self.0.ite(&yes.0, &no.0), |split| split.choose([&self.0, &yes.0, &no.0]))
    }

    /// The valuations that are in it for some values of the variables of the cube.
    pub fn exists(&self, cube: &Set) -> Out<Set> {
        self.made(|| self.0.exists(&cube.0), |split| split.exists(&self.0, &cube.0))
    }

    /// What is in both for some values of the variables of the cube.
    pub fn and_exists(&self, other: &Set, cube: &Set) -> Out<Set> {
        self.made(
            || self.0.apply_exists(BooleanOperator::And, &other.0, &cube.0),
            |split| split.and_exists([&self.0, &other.0], &cube.0),
        )
    }

    /// With variables replaced.
    pub fn renamed(&self, renaming: &Renaming) -> Out<Set> {
        self.made(|| self.0.substitute(&renaming.all), |split| split.renamed(&self.0, renaming))
    }

    /// Whether there is nothing in it.
    pub fn is_empty(&self) -> bool {
        !self.0.satisfiable()
    }

    /// Whether everything is in it.
    pub fn is_full(&self) -> bool {
        self.0.valid()
    }

    /// Whether everything in it is in the other.
    pub fn is_within(&self, other: &Set) -> Out<bool> {
        Ok(self.minus(other)?.is_empty())
    }

    /// Whether nothing is in both.
    pub fn is_apart(&self, other: &Set) -> Out<bool> {
        Ok(self.and(other)?.is_empty())
    }

    /// Its truth value, if it is the same for all valuations.
    pub fn constant(&self) -> Option<bool> {
        if self.is_empty() { Some(false) } else { self.is_full().then_some(true) }
    }

    /// Nodes of its diagram.
    pub fn size(&self) -> usize {
        self.0.node_count()
    }

    /// The variables it depends on, ascending.
    pub fn support(&self) -> Vec<Bit> {
        self.0.with_manager_shared(|manager, root| {
            let (mut seen, mut levels, mut todo) =
                (foldhash::HashSet::default(), std::collections::BTreeSet::new(), vec![root]);
            while let Some(edge) = todo.pop() {
                if let Node::Inner(node) = manager.get_node(edge)
                    && seen.insert(edge.node_id())
                {
                    levels.insert(node.level());
                    todo.extend(node.children());
                }
            }
            let mut bits: Vec<Bit> =
                levels.into_iter().map(|level| Bit(manager.level_to_var(level))).collect();
            bits.sort_unstable();
            bits
        })
    }

    /// Some valuation in it, by variable; those that do not matter are false.
    pub fn pick(&self) -> Option<Vec<bool>> {
        let cube = self.0.pick_cube(|_, _, _| false)?;
        Some(cube.into_iter().map(|value| value == OptBool::True).collect())
    }

    /// The first variable it depends on, and what is left of it where that is true and where it is false.
    pub fn branches(&self) -> Option<(Bit, Set, Set)> {
        let level = simplify::level(&self.0)?;
        let bit = self.0.with_manager_shared(|manager, _| Bit(manager.level_to_var(level)));
        self.0.cofactors().map(|(high, low)| (bit, self.with(high), self.with(low)))
    }

    /// One that agrees with it wherever another set is, with fewer nodes if possible.
    pub fn simplified(&self, care: &Set) -> Out<Set> {
        simplify::simplify(self, care)
    }

    /// How many valuations of the given variables are in it. It must not depend on others.
    pub fn count(&self, bits: &[Bit]) -> Natural {
        count::count(&self.0, bits)
    }
}

#[cfg(test)]
mod reorder_tests;
#[cfg(test)]
mod tests;
