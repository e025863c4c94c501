//! Which fairness units a step executes: sets of units, numbered.
//!
//! Entry point: [`ExecutedUnits`]. Steps of one rule with equal arguments execute the same units, so these
//! are looked up once for each rule instance. Without fairness every set is the empty one.

use burnside_logic::Marks;
use burnside_ts::{Label, System, Units};
use foldhash::HashMap;

/// A set of fairness units that one step executes; the first is the empty one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct UnitSetId(pub u32);

impl UnitSetId {
    pub const EMPTY: Self = Self(0);
}

/// The sets found so far.
pub(super) struct ExecutedUnits<'s> {
    units: Option<Units<'s>>,
    sets: Vec<Box<[u32]>>,
    ids: HashMap<Box<[u32]>, UnitSetId>,
    /// For each rule, by arguments.
    of_instance: Vec<HashMap<Box<[u64]>, UnitSetId>>,
    /// Sets with marks.
    with_marks: HashMap<(UnitSetId, Marks), UnitSetId>,
}

impl<'s> ExecutedUnits<'s> {
    /// Without units, nobody is executed.
    pub fn new(system: &System, units: Option<Units<'s>>) -> Self {
        Self {
            units,
            sets: vec![Box::new([])],
            ids: HashMap::from_iter([(Box::default(), UnitSetId::EMPTY)]),
            of_instance: system.rules.iter().map(|_| HashMap::default()).collect(),
            with_marks: HashMap::default(),
        }
    }

    pub fn units(&self) -> Option<&Units<'s>> {
        self.units.as_ref()
    }

    /// The units in a set.
    pub fn set(&self, set: UnitSetId) -> &[u32] {
        &self.sets[set.0 as usize]
    }

    /// Whom a step executes.
    pub fn executed(&mut self, label: Label<'_>) -> UnitSetId {
        let Some(units) = &self.units else { return UnitSetId::EMPTY };
        if let Some(&id) = self.of_instance[label.rule.index()].get(label.args) {
            return id;
        }
        let set = units.executed(label).map(|unit| unit.0).collect();
        let id = self.number(set);
        self.of_instance[label.rule.index()].insert(label.args.into(), id);
        id
    }

    /// A set of units with acceptance sets that are counted like units, behind them.
    pub fn with_marks(&mut self, set: UnitSetId, marks: Marks) -> UnitSetId {
        if let Some(&known) = self.with_marks.get(&(set, marks)) {
            return known;
        }
        let first = self.units.as_ref().map_or(0, |units| units.len() as u32);
        let marked = (0..Marks::MOST).filter(|&mark| marks.has(mark)).map(|mark| first + mark);
        let id = self.number(self.set(set).iter().copied().chain(marked).collect());
        self.with_marks.insert((set, marks), id);
        id
    }

    fn number(&mut self, set: Box<[u32]>) -> UnitSetId {
        let next = UnitSetId(self.sets.len() as u32);
        let id = *self.ids.entry(set.clone()).or_insert(next);
        if id == next {
            self.sets.push(set);
        }
        id
    }
}
