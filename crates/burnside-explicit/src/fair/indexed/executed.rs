//! Which fairness units a step executes: sets of units, numbered.
//!
//! Entry point: [`ExecutedUnits`]. Steps of one rule with equal arguments that change something execute the
//! same units, and so do those that change nothing: these are looked up once for each rule instance. Without
//! fairness every set is the empty one.

use crate::edges::LabelId;
use crate::fair::interned::AnnotationId;
use crate::quotient::Quotient;
use burnside_logic::Marks;
use burnside_ts::{Action, Label, System, UnitId, Units};
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
    /// For each rule, by arguments: of steps that change nothing and of those that change something.
    of_instance: Vec<HashMap<Box<[u64]>, [UnitSetId; 2]>>,
    /// By label of the quotient's edges; [`UNKNOWN`] if not known yet.
    of_label: Vec<UnitSetId>,
    /// Sets with marks.
    with_marks: HashMap<(UnitSetId, Marks), UnitSetId>,
    /// Sets, moved.
    moved: HashMap<(UnitSetId, AnnotationId), UnitSetId>,
}

const UNKNOWN: UnitSetId = UnitSetId(u32::MAX);

impl<'s> ExecutedUnits<'s> {
    /// Without units, nobody is executed.
    pub fn new(system: &System, units: Option<Units<'s>>) -> Self {
        Self {
            units,
            sets: vec![Box::new([])],
            ids: HashMap::from_iter([(Box::default(), UnitSetId::EMPTY)]),
            of_instance: system.rules.iter().map(|_| HashMap::default()).collect(),
            of_label: Vec::new(),
            with_marks: HashMap::default(),
            moved: HashMap::default(),
        }
    }

    pub fn units(&self) -> Option<&Units<'s>> {
        self.units.as_ref()
    }

    /// The units in a set.
    pub fn set(&self, set: UnitSetId) -> &[u32] {
        &self.sets[set.0 as usize]
    }

    /// Whom a step executes that changes something or nothing.
    pub fn executed(&mut self, label: Label<'_>, changes: bool) -> UnitSetId {
        let Some(units) = &self.units else { return UnitSetId::EMPTY };
        if let Some(ids) = self.of_instance[label.rule.index()].get(label.args) {
            return ids[usize::from(changes)];
        }
        let sets = [false, true].map(|changes| units.executed(label, changes).map(|unit| unit.0).collect());
        let ids = sets.map(|set| self.number(set));
        self.of_instance[label.rule.index()].insert(label.args.into(), ids);
        ids[usize::from(changes)]
    }

    /// Whom an edge of the quotient executes.
    #[inline]
    pub fn executed_by(&mut self, quotient: &Quotient<'_>, label: LabelId) -> UnitSetId {
        if self.units.is_none() {
            return UnitSetId::EMPTY;
        }
        let i = label.0 as usize;
        if self.of_label.len() <= i {
            self.of_label.resize(quotient.labels.len(), UNKNOWN);
        }
        if self.of_label[i] == UNKNOWN {
            let (step, changes) = (quotient.labels.step(label), quotient.labels.changes(label));
            self.of_label[i] = self.executed(step.label(), changes);
        }
        self.of_label[i]
    }

    /// A set of units, moved.
    #[inline]
    pub fn moved(
        &mut self,
        action: &Action<'s>,
        quotient: &Quotient<'_>,
        set: UnitSetId,
        by: AnnotationId,
    ) -> UnitSetId {
        let (Some(units), Some(annotation)) = (&self.units, quotient.annotations.get(by)) else { return set };
        if set == UnitSetId::EMPTY {
            return set;
        }
        if let Some(&known) = self.moved.get(&(set, by)) {
            return known;
        }
        let image = |&unit: &u32| units.moved(action, &annotation.permutation, UnitId(unit)).0;
        let id = self.number(self.set(set).iter().map(image).collect());
        self.moved.insert((set, by), id);
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
