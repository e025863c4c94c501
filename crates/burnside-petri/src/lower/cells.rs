//! Where the tokens of a place are in the state.

use super::symmetry::Sorts;
use super::{Lowering, variable};
use crate::net::{MOST_TOKENS, Net, PlaceId};
use burnside_limits::{Stop, poll};
use burnside_ts::{Cell, Expr, Index, Place, Root, Stmt, Type, TypeId, Types, Var};

/// The cells of one place: one for each colour.
#[derive(Clone, Debug)]
pub(super) struct Cells {
    /// First bit.
    offset: u32,
    /// Bits of a cell.
    width: u32,
    /// For each component of the colour, how many elements its class has and how many bits lie between two.
    steps: Vec<(u64, u32)>,
    /// The greatest number of tokens in a cell.
    pub bound: i64,
}

impl Cells {
    /// Lays out all places: their cells, the variables and the width of a state.
    pub fn lay_out(
        net: &Net,
        sorts: &Sorts,
        bounds: &[u64],
        types: &mut Types,
    ) -> Result<(Vec<Cells>, Vec<Var>, u32), Stop> {
        let mut cells: Vec<Option<Cells>> = vec![None; net.places.len()];
        let (mut vars, mut width) = (Vec::new(), 0u32);
        for (p, place) in net.places.iter().enumerate() {
            if cells[p].is_some() {
                continue;
            }
            let mates = sorts.mates(p);
            let bound = mates.iter().map(|&p| bounds[p]).max().unwrap_or(0);
            let first = mates.iter().flat_map(|&p| &net.places[p].initial).copied().max().unwrap_or(0);
            if bound.max(first) > MOST_TOKENS || first > bound {
                return Err(overfull(&place.name, bound.min(MOST_TOKENS)));
            }
            let bound = bound as i64;
            let too_large =
                |error: burnside_ts::TypeError| Stop::too_large(format!("place `{}`: {error}", place.name));
            let element = types.intern(Type::Range { lo: 0, hi: bound }).map_err(too_large)?;
            let index: Vec<TypeId> = match sorts.of_place(p) {
                Some(sort) => vec![sort],
                None => place.domain.iter().map(|class| sorts.classes[class.index()]).collect(),
            };
            let array = |element, &index: &TypeId| types.intern(Type::Array { index, element });
            let ty = index.iter().rev().try_fold(element, array).map_err(too_large)?;
            let each = types.width(element);
            let steps = steps(types, &index, each);
            for (i, &p) in mates.iter().enumerate() {
                let place = match mates.len() {
                    1 => Cells { offset: width, width: each, steps: steps.clone(), bound },
                    _ => Cells { offset: width + i as u32 * each, width: each, steps: Vec::new(), bound },
                };
                cells[p] = Some(place);
            }
            let name = if mates.len() == 1 { place.name.clone() } else { String::new() };
            vars.push(variable(name, ty, width));
            width = width
                .checked_add(types.width(ty))
                .filter(|&bits| u64::from(bits) <= Types::MAX_WIDTH)
                .ok_or_else(|| {
                    Stop::too_large(format!("a marking takes more than {} bytes", Types::MAX_WIDTH / 8))
                })?;
        }
        Ok((cells.into_iter().map(|cells| cells.expect("every place was laid out")).collect(), vars, width))
    }
}

fn overfull(place: &str, room: u64) -> Stop {
    Stop::too_large(format!("place `{place}` needs room for more than {room} tokens"))
}

/// For each index of nested arrays its size and stride.
fn steps(types: &Types, index: &[TypeId], each: u32) -> Vec<(u64, u32)> {
    let mut stride = each;
    let mut steps: Vec<(u64, u32)> = Vec::new();
    for &ty in index.iter().rev() {
        let size = types.size(ty).expect("a class is numbered");
        steps.push((size, stride));
        stride = stride.saturating_mul(size as u32);
    }
    steps.reverse();
    steps
}

impl Lowering<'_> {
    /// The cell of a colour.
    pub(super) fn cell(&self, place: PlaceId, colour: &[Expr]) -> Place {
        poll();
        let cells = &self.cells[place.index()];
        let mut offset = cells.offset;
        let mut indices = Vec::new();
        for (value, &(size, stride)) in colour.iter().zip(&cells.steps) {
            match value {
                Expr::Const(value) => offset += *value as u32 * stride,
                _ => indices.push(Index { value: value.clone(), low: 0, size, stride, site: self.nowhere() }),
            }
        }
        Place { root: Root::State, offset, indices: indices.into(), width: cells.width, bias: 0 }
    }

    /// The number of tokens of a colour.
    pub(super) fn load(&self, place: PlaceId, colour: &[Expr]) -> Expr {
        let cell = self.cell(place, colour);
        match cell.indices.is_empty() {
            true => Expr::Cell(Cell { offset: cell.offset, width: cell.width, bias: 0 }),
            false => Expr::Load(Box::new(cell)),
        }
    }

    /// Puts the first tokens in.
    pub(super) fn initial(&self) -> Box<[Stmt]> {
        let mut statements = Vec::new();
        for (p, place) in self.net.places.iter().enumerate() {
            let marked = place.initial.iter().enumerate().filter(|(_, count)| **count > 0);
            for (number, &count) in marked {
                let colour = self.net.colour(&place.domain, number);
                let colour: Vec<Expr> = colour.into_iter().map(|part| Expr::Const(i64::from(part))).collect();
                let cell = self.cell(PlaceId(p as u32), &colour);
                statements.push(Stmt::Store(cell, Expr::Const(count as i64)));
            }
        }
        statements.into()
    }
}
