//! Which bits of a state say what of which members: found once, read for every state.
//!
//! Entry point: [`Layout::new`]. Of the sorts whose members may be permuted:
//! - what is about one member is a *fact*: bits of its own ([`KeyColumn`]) or a place that may hold it
//!   ([`Reference`]);
//! - what is about two is an *edge*: a [`PairRelation`] has bits for each pair, a [`Pointer`] of one member
//!   holds another;
//! - variables that say something of more members at once, or in no order (bags, sets of records), are
//!   *loose*: they are taken apart state by state (`hyperedges`).
//!
//! Sorts without edges can be sorted by their facts; the others are *joint*.

use super::places::{Axis, Places, Pointer, Reference, VariablePart};
use burnside_ts::{SortGroup, SortId, Symmetry, System, bits};
use std::collections::BTreeSet;

/// Bits of each member: `width` at `offset + member * stride`.
#[derive(Clone, Copy, Debug)]
pub(super) struct KeyColumn {
    pub offset: u32,
    pub stride: u32,
    pub width: u32,
}

/// Bits for each pair of members.
#[derive(Clone, Copy, Debug)]
pub(super) struct PairRelation {
    pub row: Axis,
    pub column: Axis,
    pub offset: u32,
    pub width: u32,
}

/// What the bits of a state say.
#[derive(Debug)]
pub(super) struct Layout {
    /// By sort.
    pub columns: Vec<Vec<KeyColumn>>,
    pub references: Vec<Vec<Reference>>,
    pub relations: Vec<PairRelation>,
    pub pointers: Vec<Pointer>,
    /// Variables that are loose.
    pub loose: Vec<usize>,
    pub joint: BTreeSet<SortId>,
}

impl Layout {
    /// Of a system and the sorts that a group permutes fully.
    pub fn new(system: &System, symmetry: &Symmetry) -> Layout {
        let layout = Layout {
            columns: vec![Vec::new(); symmetry.sorts.len()],
            references: vec![Vec::new(); symmetry.sorts.len()],
            relations: Vec::new(),
            pointers: Vec::new(),
            loose: Vec::new(),
            joint: BTreeSet::new(),
        };
        let types = &system.types;
        let is_full = |sort: SortId| matches!(symmetry.sorts[sort.index()], SortGroup::Full(_));
        let mut planner = Planner { layout, is_loose: false };
        let mut places = Places::new(types, is_full);
        for (i, var) in system.vars.iter().enumerate() {
            let edges = (planner.layout.relations.len(), planner.layout.pointers.len());
            planner.is_loose = false;
            places.walk(var.ty, var.offset, &mut |axes, part| planner.add(axes, part));
            if planner.is_loose {
                planner.layout.relations.truncate(edges.0);
                planner.layout.pointers.truncate(edges.1);
                planner.layout.loose.push(i);
                planner.layout.joint.extend(types.sorts_in(var.ty).into_iter().filter(|&sort| is_full(sort)));
            }
        }
        let Layout { relations, pointers, joint, .. } = &mut planner.layout;
        joint.extend(relations.iter().flat_map(|relation| [relation.row.sort, relation.column.sort]));
        joint.extend(pointers.iter().flat_map(|pointer| [pointer.row.sort, pointer.target]));
        planner.layout
    }
}

struct Planner {
    layout: Layout,
    /// Whether the variable at hand is loose: the rest of it does not matter then.
    is_loose: bool,
}

impl Planner {
    fn add(&mut self, axes: &[Axis], part: VariablePart<'_>) {
        match part {
            _ if self.is_loose => {}
            VariablePart::Bits(offset, width) => self.plain(axes, offset, width),
            VariablePart::Member(sort, place) => match *axes {
                [] => self.layout.references[sort.index()].push(Reference { place }),
                [row] => self.layout.pointers.push(Pointer { row, target: sort, place }),
                _ => self.is_loose = true,
            },
            VariablePart::Loose(_) => self.is_loose = true,
        }
    }

    fn plain(&mut self, axes: &[Axis], offset: u32, width: u32) {
        for (at, width) in bits::chunks(width) {
            let offset = offset + at;
            match *axes {
                [] => {}
                [Axis { sort, stride }] => {
                    self.layout.columns[sort.index()].push(KeyColumn { offset, stride, width });
                }
                [row, column] => self.layout.relations.push(PairRelation { row, column, offset, width }),
                _ => self.is_loose = true,
            }
        }
    }
}
