//! An ordered partition of a graph's vertices into cells, refined and restored.
//!
//! Entry points: [`Cells::refine`] and [`Cells::undo`]. The vertices stand in one row, a cell is a stretch of
//! it and is called by its first place. A cell is used to split others: what each vertex sees of it is added
//! up, and vertices of one cell with different sums part, those that see nothing staying in front. Of the
//! parts of a cell the largest need not split others, unless the cell was still to do. How a refinement goes
//! depends only on the structure of the graph, never on names: it writes a *trace*, and vertices that an
//! automorphism exchanges have equal traces. Two sums may be equal by accident, which makes a partition
//! coarser, for everyone alike: it costs time and nothing else.

use super::{Budget, Graph, mixed};
use crate::Point;
use burnside_limits::poll;
use std::collections::VecDeque;

/// What is left of the budget.
pub(super) struct Meter<'b> {
    budget: Budget<'b>,
    unasked: u64,
    pub(super) spent: bool,
}

impl<'b> Meter<'b> {
    pub(super) fn new(budget: &Budget<'b>) -> Self {
        Meter { budget: *budget, unasked: 0, spent: false }
    }

    /// Takes some work off; whether there was enough.
    pub(super) fn work(&mut self, amount: usize) -> bool {
        let amount = amount as u64 + 1;
        self.spent |= self.budget.work < amount;
        self.budget.work = self.budget.work.saturating_sub(amount);
        self.unasked += amount;
        if self.unasked > 1 << 14 {
            self.unasked = 0;
            self.spent |= (self.budget.stop)();
        }
        !self.spent
    }

    /// Takes some room off; whether there was enough.
    pub(super) fn room(&mut self, amount: usize) -> bool {
        self.spent |= self.budget.room < amount as u64;
        self.budget.room = self.budget.room.saturating_sub(amount as u64);
        !self.spent
    }
}

/// The course of a refinement: written, or compared with one that was.
pub(super) enum Trace<'t> {
    Write(&'t mut Vec<u64>),
    Compare(&'t [u64]),
}

impl Trace<'_> {
    fn note(&mut self, event: u64) -> bool {
        match self {
            Trace::Write(events) => {
                events.push(event);
                true
            }
            Trace::Compare(events) => match events.split_first() {
                Some((first, rest)) if *first == event => {
                    *events = rest;
                    true
                }
                _ => false,
            },
        }
    }

    fn ended(&self) -> bool {
        !matches!(self, Trace::Compare(events) if !events.is_empty())
    }
}

/// A point in the history of a partition.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    splits: usize,
    pub(super) moved: usize,
}

pub(super) struct Cells {
    row: Vec<Point>,
    place: Vec<u32>,
    /// The cell of each vertex.
    pub(super) cell: Vec<u32>,
    /// The length of each cell, by its first place.
    length: Vec<u32>,
    count: usize,
    /// The cells that were split and what was split off at the end of them, in order.
    splits: Vec<[u32; 2]>,
    /// The vertices that changed their cell, in order.
    pub(super) moved: Vec<Point>,
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    sums: Vec<u64>,
    seen: Vec<bool>,
    hits: Vec<(u32, u64, Point)>,
}

impl Cells {
    /// The cells of equal colours, all of them to be used for splitting.
    pub(super) fn of_colours(colours: &[u64]) -> Cells {
        let n = colours.len();
        let mut row: Vec<Point> = (0..n as Point).collect();
        row.sort_by_key(|&v| colours[v as usize]);
        let mut cells = Cells {
            place: vec![0; n],
            cell: vec![0; n],
            length: vec![0; n],
            count: 0,
            splits: Vec::new(),
            moved: Vec::new(),
            queue: VecDeque::new(),
            queued: vec![false; n],
            sums: vec![0; n],
            seen: vec![false; n],
            hits: Vec::new(),
            row,
        };
        let mut start = 0;
        for at in 0..n {
            let vertex = cells.row[at];
            if colours[cells.row[start] as usize] != colours[vertex as usize] {
                start = at;
            }
            cells.place[vertex as usize] = at as u32;
            cells.cell[vertex as usize] = start as u32;
            cells.length[start] += 1;
            cells.count += usize::from(start == at);
            cells.push(start as u32);
        }
        cells
    }

    pub(super) fn is_discrete(&self) -> bool {
        self.count == self.row.len()
    }

    pub(super) fn len(&self, cell: u32) -> usize {
        self.length[cell as usize] as usize
    }

    /// The vertices of a cell.
    pub(super) fn members(&self, cell: u32) -> &[Point] {
        &self.row[cell as usize..cell as usize + self.len(cell)]
    }

    /// The cells that came into being since.
    pub(super) fn created(&self, since: Mark) -> impl Iterator<Item = u32> + '_ {
        self.splits[since.splits..].iter().map(|split| split[1])
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { splits: self.splits.len(), moved: self.moved.len() }
    }

    /// Puts the cells together again that were split since.
    pub(super) fn undo(&mut self, mark: Mark) {
        while self.splits.len() > mark.splits {
            let [cell, part] = self.splits.pop().expect("more than at the mark");
            let end = part as usize + self.len(part);
            for at in part as usize..end {
                self.cell[self.row[at] as usize] = cell;
            }
            self.length[cell as usize] += self.length[part as usize];
            self.length[part as usize] = 0;
            self.count -= 1;
        }
        self.moved.truncate(mark.moved);
    }

    /// Puts a vertex in a cell of its own, to be used for splitting.
    pub(super) fn single_out(&mut self, vertex: Point) {
        let cell = self.cell[vertex as usize];
        let part = self.cut(cell, &[vertex]);
        self.push(part);
    }

    /// Splits off some vertices of a cell.
    fn cut(&mut self, cell: u32, vertices: &[Point]) -> u32 {
        let end = cell + self.length[cell as usize];
        let part = end - vertices.len() as u32;
        for (at, &vertex) in (part..end).rev().zip(vertices) {
            let (other, from) = (self.row[at as usize], self.place[vertex as usize]);
            self.row.swap(at as usize, from as usize);
            self.place[other as usize] = from;
            self.place[vertex as usize] = at;
            self.cell[vertex as usize] = part;
        }
        self.length[cell as usize] -= vertices.len() as u32;
        self.length[part as usize] = vertices.len() as u32;
        self.count += 1;
        self.splits.push([cell, part]);
        self.moved.extend_from_slice(vertices);
        part
    }

    fn push(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.queued[cell as usize], true) {
            self.queue.push_back(cell);
        }
    }

    /// Splits until nothing splits any more. Whether the budget was enough and the trace the right one.
    pub(super) fn refine(&mut self, graph: &Graph, trace: &mut Trace<'_>, meter: &mut Meter<'_>) -> bool {
        let mut fine = true;
        while let Some(cell) = self.queue.pop_front() {
            poll();
            self.queued[cell as usize] = false;
            if fine && !self.is_discrete() {
                self.look(graph, cell);
                fine = meter.work(self.hits.len());
                let event = self.split_all();
                fine = fine && trace.note(event);
            }
        }
        fine && trace.ended()
    }

    /// Adds up what each vertex sees of the cell.
    fn look(&mut self, graph: &Graph, cell: u32) {
        self.hits.clear();
        for at in cell as usize..cell as usize + self.len(cell) {
            for end in graph.ends(self.row[at]) {
                let vertex = end.vertex as usize;
                self.sums[vertex] = self.sums[vertex].wrapping_add(graph.weights[end.kind as usize]);
                if !std::mem::replace(&mut self.seen[vertex], true) {
                    self.hits.push((self.cell[vertex], 0, end.vertex));
                }
            }
        }
        for hit in &mut self.hits {
            hit.1 = std::mem::take(&mut self.sums[hit.2 as usize]);
            self.seen[hit.2 as usize] = false;
        }
        self.hits.sort_unstable();
    }

    /// Splits the cells of the vertices that see something; what happened, as a number.
    fn split_all(&mut self) -> u64 {
        let hits = std::mem::take(&mut self.hits);
        let mut event = 0;
        for cell in hits.chunk_by(|a, b| a.0 == b.0) {
            for part in cell.chunk_by(|a, b| a.1 == b.1) {
                event =
                    mixed(event ^ mixed(part[0].1 ^ mixed((part.len() as u64) << 32 | u64::from(part[0].0))));
            }
            self.split(cell);
        }
        self.hits = hits;
        event
    }

    /// Splits one cell by the sums of its vertices that see something.
    fn split(&mut self, hits: &[(u32, u64, Point)]) {
        let cell = hits[0].0;
        let all = hits.len() == self.len(cell);
        if self.len(cell) == 1 || all && hits[0].1 == hits[hits.len() - 1].1 {
            return;
        }
        let (busy, first) = (self.queued[cell as usize], self.splits.len());
        let mut vertices = Vec::with_capacity(hits.len());
        let parts = hits.chunk_by(|a, b| a.1 == b.1);
        for part in parts.skip(usize::from(all)) {
            vertices.clear();
            vertices.extend(part.iter().map(|hit| hit.2));
            self.cut(cell, &vertices);
        }
        let mut parts: Vec<u32> = self.splits[first..].iter().map(|split| split[1]).collect();
        if !busy {
            parts.push(cell);
            let largest = (0..parts.len()).max_by_key(|&at| (self.len(parts[at]), at)).expect("some parts");
            parts.remove(largest);
        }
        parts.into_iter().for_each(|part| self.push(part));
    }
}
