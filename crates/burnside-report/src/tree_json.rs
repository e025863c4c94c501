//! Trees for programs: every part with the formula that it is about, whether that is true or false, and what
//! shows it.
//!
//! Entry point: [`evidence`].

use crate::decode::TraceDecoder;
use crate::document::Part;
use crate::json::{self, object};
use crate::names::Names;
use burnside_trace::{Reason, TreeOptions, Why};
use burnside_ts::Binder;
use serde_json::json;

/// How a document calls it that paths stay in a deadlock.
pub const STUTTER: &str = "stutter";
/// How a document calls it that paths end in a deadlock.
pub const MAXIMAL: &str = "maximal";

/// What paths do in a deadlock.
pub fn deadlock_paths(paths: TreeOptions) -> &'static str {
    if paths.maximal { MAXIMAL } else { STUTTER }
}

/// The keys of an object, in order.
type Keys<'a> = Vec<(&'static str, Part<'a>)>;

/// A tree as evidence.
pub fn evidence<'a>(
    decoder: &'a TraceDecoder<'_>,
    names: &Names<'_>,
    paths: TreeOptions,
    state: &'a [u64],
    reason: &Reason<'_, 'a>,
) -> Part<'a> {
    let writer = TreeWriter { decoder, names };
    let mut tree = Keys::new();
    writer.node(reason, &mut Vec::new(), &mut tree);
    Part::Object(vec![
        ("kind", "tree".into()),
        ("loop_start", json!(null).into()),
        ("validated", true.into()),
        ("fair", paths.fair.into()),
        ("deadlock_paths", deadlock_paths(paths).into()),
        ("state", json::cells_part(decoder, state)),
        ("tree", Part::Object(tree)),
    ])
}

struct TreeWriter<'a, 'n> {
    decoder: &'a TraceDecoder<'a>,
    names: &'n Names<'n>,
}

impl<'a> TreeWriter<'a, '_> {
    /// One part of the tree, for these values of the names around it.
    fn node<'s>(&self, reason: &Reason<'s, 'a>, bound: &mut Vec<(&'s Binder, u64)>, keys: &mut Keys<'a>) {
        let values = bound.iter().map(|(binder, number)| {
            (self.names.name(binder).to_string(), json!(self.names.value(binder, *number)))
        });
        keys.extend([
            ("formula", self.names.show(reason.formula).into()),
            ("truth", reason.truth.into()),
            ("values", object(values).into()),
        ]);
        let mut child = |mut place: Keys<'a>, reason: &Reason<'s, 'a>| {
            self.node(reason, bound, &mut place);
            Part::Object(place)
        };
        match &reason.why {
            Why::Condition => keys.push(("shown_by", "condition".into())),
            Why::Everywhere => keys.push(("shown_by", "everywhere".into())),
            Why::Omitted => keys.push(("shown_by", "omitted".into())),
            Why::Sides(sides) => {
                let sides = sides.iter().map(|(side, reason)| child(vec![("side", (*side).into())], reason));
                let sides: Vec<_> = sides.collect();
                keys.extend([("shown_by", "sides".into()), ("children", Part::list(sides.into_iter()))]);
            }
            Why::Value(binder, number, inner) => {
                bound.push((binder, *number));
                let mut place = Keys::new();
                self.node(inner, bound, &mut place);
                bound.pop();
                keys.extend([
                    ("shown_by", "value".into()),
                    ("number", (*number).into()),
                    ("children", Part::list([Part::Object(place)].into_iter())),
                ]);
            }
            Why::Run(evidence, places) => {
                let places = places.iter().map(|place| {
                    let keys = vec![("position", place.position.into()), ("operand", place.operand.into())];
                    child(keys, &place.reason)
                });
                let places: Vec<_> = places.collect();
                keys.extend([
                    ("shown_by", "run".into()),
                    ("run", json::evidence(self.decoder, evidence)),
                    ("children", Part::list(places.into_iter())),
                ]);
            }
        }
    }
}
