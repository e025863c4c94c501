//! Edges of orbits, kept compactly: 12 bytes each, in one list.
//!
//! Entry points: [`EdgeArena`], [`Labels`]. An edge is an orbit, the number of its annotation and that of its
//! label: labels repeat as permutations do. A node knows its part of the list. What does not fit into the
//! room that there is for edges is computed again whenever it is asked for; then it lies at the end of the
//! list until something else is asked for.

use crate::fair::AnnotationId;
use crate::store::NodeId;
use burnside_trace::Step;
use burnside_ts::{Label, SortId, System, Target, Type};
use foldhash::HashMap;
use std::ops::Range;

/// A label, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct LabelId(pub u32);

/// An edge from a representative.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OrbitEdge {
    pub target: NodeId,
    /// Leads from the target's representative to the state that was reached.
    pub annotation: AnnotationId,
    pub label: LabelId,
}

/// Where the edges of a node are.
#[derive(Clone, Debug)]
pub(crate) struct EdgeSpan {
    pub edges: Range<usize>,
    /// Whether steps fault as well.
    pub faults: bool,
}

/// Bit of a length: some steps fault.
const FAULTS: u32 = 1 << 31;
const NEW: (u32, u32) = (u32::MAX, 0);

/// Edges by node.
#[derive(Debug)]
pub(crate) struct EdgeArena {
    spans: Vec<(u32, u32)>,
    pub edges: Vec<OrbitEdge>,
    /// Edges from here on are not kept.
    kept: usize,
    /// How many may be kept.
    most: usize,
}

impl EdgeArena {
    /// With so many bytes for edges.
    pub fn new(bytes: u64) -> Self {
        let most = (bytes / size_of::<OrbitEdge>() as u64).min(u64::from(u32::MAX) / 2) as usize;
        Self { spans: Vec::new(), edges: Vec::new(), kept: 0, most }
    }

    /// Forgets all edges.
    pub fn forget(&mut self) {
        self.spans.clear();
        self.edges.clear();
        self.kept = 0;
    }

    /// The edges of a node, if they are kept.
    #[inline]
    pub fn get(&self, node: NodeId) -> Option<EdgeSpan> {
        let &(start, length) = self.spans.get(node.0 as usize).filter(|span| **span != NEW)?;
        let end = start + (length & !FAULTS);
        Some(EdgeSpan { edges: start as usize..end as usize, faults: length & FAULTS != 0 })
    }

    /// How many edges are kept.
    pub fn known(&self) -> usize {
        self.kept
    }

    /// Whether so many edges more can be kept.
    pub fn admits(&self, edges: usize) -> bool {
        self.kept + edges <= self.most
    }

    /// Makes place for the edges of a node.
    pub fn open(&mut self) {
        self.edges.truncate(self.kept);
    }

    /// All edges since [`EdgeArena::open`] are those of a node.
    pub fn close(&mut self, node: NodeId, faults: bool) -> EdgeSpan {
        let span = EdgeSpan { edges: self.kept..self.edges.len(), faults };
        if self.edges.len() <= self.most {
            let i = node.0 as usize;
            if self.spans.len() <= i {
                self.spans.resize((i + 1).max(self.spans.len() * 5 / 4), NEW);
            }
            let length = span.edges.len() as u32 | if faults { FAULTS } else { 0 };
            self.spans[i] = (self.kept as u32, length);
            self.kept = self.edges.len();
        }
        span
    }

    /// Bytes in use.
    pub fn bytes(&self) -> usize {
        self.spans.len() * 8 + self.edges.len() * size_of::<OrbitEdge>()
    }
}

/// The labels of a rule instance, as far as they are known.
type LabelPair = [Option<LabelId>; 2];

/// The labels met so far.
#[derive(Debug, Default)]
pub(crate) struct Labels {
    known: Vec<KnownLabel>,
    /// For each rule, by arguments: of steps that change nothing and of those that change something.
    ids: Vec<HashMap<Box<[u64]>, LabelPair>>,
}

#[derive(Debug)]
struct KnownLabel {
    step: Step,
    changes: bool,
    mentions: Box<[(SortId, Option<u32>)]>,
}

impl Labels {
    /// None.
    pub fn new(system: &System) -> Self {
        Self { known: Vec::new(), ids: system.rules.iter().map(|_| HashMap::default()).collect() }
    }

    /// The number of a label, of a step that changes something or of one that does not.
    pub fn number(&mut self, system: &System, label: Label<'_>, changes: bool) -> LabelId {
        let (ids, next) = (&mut self.ids[label.rule.index()], LabelId(self.known.len() as u32));
        match ids.get_mut(label.args) {
            Some(ids) => match &mut ids[usize::from(changes)] {
                Some(id) => return *id,
                none => *none = Some(next),
            },
            None => {
                let mut new = [None; 2];
                new[usize::from(changes)] = Some(next);
                ids.insert(label.args.into(), new);
            }
        }
        let mentions = mentions(system, label);
        self.known.push(KnownLabel { step: Step::from(label), changes, mentions });
        next
    }

    /// Whether steps with a label change something, as far as that matters to fairness.
    pub fn changes(&self, id: LabelId) -> bool {
        self.known[id.0 as usize].changes
    }

    /// A label as a step.
    pub fn step(&self, id: LabelId) -> &Step {
        &self.known[id.0 as usize].step
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.known.len()
    }

    /// Whether swapping an element of a sort with another one might change a label.
    #[inline]
    pub fn mentions(&self, id: LabelId, sort: SortId, element: u32) -> bool {
        let mentions = self.known[id.0 as usize].mentions.iter();
        mentions.into_iter().any(|&(its, it)| its == sort && it.is_none_or(|it| it == element))
    }
}

/// The elements that a label names; all of a sort (none) if it has values that contain such elements.
fn mentions(system: &System, label: Label<'_>) -> Box<[(SortId, Option<u32>)]> {
    let mut found = Vec::new();
    let rule = system.rule(label.rule);
    for param in &rule.params {
        let binder = &param.binder;
        match (system.types.get(binder.ty), binder.target) {
            (&Type::Sort(sort), Target::Scalar(slot)) => {
                let value = label.args[slot.index() - rule.args.start] as i64;
                found.push((sort, Some((value - system.types.bias(binder.ty)) as u32)));
            }
            _ => found.extend(system.types.sorts_in(binder.ty).into_iter().map(|sort| (sort, None))),
        }
    }
    found.into()
}
