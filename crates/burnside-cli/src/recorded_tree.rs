//! Trees as they are recorded in a trace file.
//!
//! Entry point: [`read`]. Like the states of runs, nothing is looked at before it is needed.

use crate::output::tree_json::{MAXIMAL, STUTTER};
use crate::recorded::{Fields, Recorded, parts, read_run, value};
use burnside::trace::TreeOptions;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

/// Trees are as deep as formulas, which the language limits. Deeper ones are no trees of ours.
const MAX_DEPTH: usize = 1000;

/// A tree as recorded.
pub struct RecordedTree<'t> {
    /// The property about which it shows something.
    pub property: String,
    /// Whether it shows that it is true.
    pub truth: bool,
    /// What paths are.
    pub paths: TreeOptions,
    /// The initial state: cells and their values.
    pub state: Map<String, Value>,
    /// The tree.
    pub root: RecordedNode<'t>,
}

/// A part of it.
pub struct RecordedNode<'t> {
    /// The text of the formula that it is about.
    pub formula: String,
    /// Whether that is true.
    pub truth: bool,
    /// The values of the names around it.
    pub values: Map<String, Value>,
    /// What shows it.
    pub why: RecordedWhy<'t>,
}

/// What shows something, as recorded.
pub enum RecordedWhy<'t> {
    /// A condition.
    Condition,
    /// It is so everywhere.
    Everywhere,
    /// A run that is left out.
    Omitted,
    /// Sides of a connective, by number.
    Sides(Vec<(usize, RecordedNode<'t>)>),
    /// The number of a value.
    Value(u64, Box<RecordedNode<'t>>),
    /// A run, and what hangs on it.
    Run(Box<Recorded<'t>>, Vec<RecordedPlace<'t>>),
}

/// What hangs on a run, as recorded.
pub struct RecordedPlace<'t> {
    /// Where.
    pub position: usize,
    /// Which operand of the operator.
    pub operand: usize,
    /// What.
    pub node: RecordedNode<'t>,
}

impl RecordedTree<'_> {
    /// How many runs there are.
    pub fn runs(&self) -> u64 {
        self.root.runs()
    }
}

impl RecordedNode<'_> {
    fn runs(&self) -> u64 {
        match &self.why {
            RecordedWhy::Condition | RecordedWhy::Everywhere | RecordedWhy::Omitted => 0,
            RecordedWhy::Sides(nodes) => nodes.iter().map(|(_, node)| node.runs()).sum(),
            RecordedWhy::Value(_, node) => node.runs(),
            RecordedWhy::Run(_, places) => 1 + places.iter().map(|place| place.node.runs()).sum::<u64>(),
        }
    }
}

/// Reads the evidence of a property with a verdict.
pub fn read<'t>(property: String, verdict: &Value, evidence: &Fields<'t>) -> Option<RecordedTree<'t>> {
    let truth = match verdict.as_str()? {
        "holds" => true,
        "violated" => false,
        _ => return None,
    };
    let maximal = match value(evidence, "deadlock_paths").as_str()? {
        MAXIMAL => true,
        STUTTER => false,
        _ => return None,
    };
    let paths = TreeOptions { fair: value(evidence, "fair").as_bool()?, maximal, explore: 0 };
    let state = value(evidence, "state").as_object()?.clone();
    Some(RecordedTree { property, truth, paths, state, root: node(evidence.get("tree")?, 0)?.1 })
}

/// A part with the fields that say where it hangs.
fn node<'t>(text: &'t RawValue, depth: usize) -> Option<(Fields<'t>, RecordedNode<'t>)> {
    if depth > MAX_DEPTH {
        return None;
    }
    let fields: Fields<'t> = serde_json::from_str(text.get()).ok()?;
    let children = || {
        let all = parts(&fields, "children")?.into_iter().map(|child| node(child, depth + 1));
        all.collect::<Option<Vec<_>>>()
    };
    let why = match value(&fields, "shown_by").as_str()? {
        "condition" => RecordedWhy::Condition,
        "everywhere" => RecordedWhy::Everywhere,
        "omitted" => RecordedWhy::Omitted,
        "sides" => {
            let sides = children()?.into_iter().map(|(fields, node)| Some((number(&fields, "side")?, node)));
            RecordedWhy::Sides(sides.collect::<Option<_>>()?)
        }
        "value" => {
            let mut inner = children()?;
            let (Some((_, node)), true) = (inner.pop(), inner.is_empty()) else { return None };
            RecordedWhy::Value(value(&fields, "number").as_u64()?, Box::new(node))
        }
        "run" => {
            let run: Fields<'t> = serde_json::from_str(fields.get("run")?.get()).ok()?;
            let places = children()?.into_iter().map(|(fields, node)| {
                let (position, operand) = (number(&fields, "position")?, number(&fields, "operand")?);
                Some(RecordedPlace { position, operand, node })
            });
            RecordedWhy::Run(Box::new(read_run(&run)?), places.collect::<Option<_>>()?)
        }
        _ => return None,
    };
    let node = RecordedNode {
        formula: value(&fields, "formula").as_str()?.to_string(),
        truth: value(&fields, "truth").as_bool()?,
        values: value(&fields, "values").as_object()?.clone(),
        why,
    };
    Some((fields, node))
}

fn number(fields: &Fields<'_>, name: &str) -> Option<usize> {
    usize::try_from(value(fields, name).as_u64()?).ok()
}
