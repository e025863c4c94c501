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

/// Follows the course of a refinement.
pub(super) trait Course {
    /// One more cell was used for splitting, with so much work; the event says what happened. Whether to go
    /// on.
    fn note(&mut self, event: u64, work: usize) -> bool;

    /// The refinement is done. Whether its course is a good one.
    fn ended(&mut self) -> bool;
}

/// A course that is paid for, and written or compared with one that was.
pub(super) struct Metered<'t, 'b> {
    pub(super) meter: &'t mut Meter<'b>,
    pub(super) trace: Trace<'t>,
}

pub(super) enum Trace<'t> {
    Write(&'t mut Vec<u64>),
    Compare(&'t [u64]),
}

impl Course for Metered<'_, '_> {
    fn note(&mut self, event: u64, work: usize) -> bool {
        let fine = match &mut self.trace {
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
        };
        self.meter.work(work) && fine
    }

    fn ended(&mut self) -> bool {
        !matches!(self.trace, Trace::Compare(events) if !events.is_empty())
    }
}

/// A point in the history of a partition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    splits: usize,
    pub(super) moved: usize,
}

#[derive(Debug, Default)]
pub(super) struct Cells {
    /// How many vertices, the first ones, are to be told apart. They share no cell with others.
    told_apart: usize,
    row: Vec<Point>,
    place: Vec<u32>,
    /// The cell of each vertex.
    pub(super) cell: Vec<u32>,
    /// The length of each cell, by its first place.
    length: Vec<u32>,
    /// How many more cells there would be if each of those vertices had its own.
    left: usize,
    /// The cells that were split and what was split off at the end of them, in order.
    splits: Vec<[u32; 2]>,
    /// The vertices that changed their cell, in order.
    pub(super) moved: Vec<Point>,
    queue: VecDeque<u32>,
    queued: Vec<bool>,
    sums: Vec<u64>,
    seen: Vec<bool>,
    hits: Vec<(u32, u64, Point)>,
    /// The parts of a cell that is being split, and the vertices of one of them.
    parts: Vec<u32>,
    part: Vec<Point>,
}

impl Cells {
    /// The cells of equal colours, all of them to be used for splitting.
    pub(super) fn of_colours(graph: &Graph) -> Cells {
        let mut cells = Cells::default();
        cells.reset(graph);
        cells
    }

    /// Begins again with the colours of a graph.
    pub(super) fn reset(&mut self, graph: &Graph) {
        let n = graph.len();
        self.told_apart = graph.told_apart();
        self.row.clear();
        self.row.extend(0..n as Point);
        self.splits.clear();
        self.moved.clear();
        self.queue.clear();
        for numbers in [&mut self.place, &mut self.cell, &mut self.length] {
            numbers.clear();
            numbers.resize(n, 0);
        }
        for marks in [&mut self.queued, &mut self.seen] {
            marks.clear();
            marks.resize(n, false);
        }
        self.sums.clear();
        self.sums.resize(n, 0);
        self.left = self.told_apart;
        for class in graph.classes.windows(2) {
            self.put_class(graph, class[0] as usize, class[1] as usize);
        }
        self.put_class(graph, self.told_apart, n);
    }

    /// Puts the vertices of a class into cells of equal keys.
    fn put_class(&mut self, graph: &Graph, begin: usize, end: usize) {
        match graph.key_words {
            1 => self.row[begin..end].sort_unstable_by_key(|&v| graph.keys[v as usize]),
            _ => self.row[begin..end].sort_unstable_by(|&a, &b| graph.key(a).cmp(graph.key(b))),
        }
        let mut start = begin;
        for at in begin..end {
            let vertex = self.row[at];
            if at == begin || graph.key(self.row[start]) != graph.key(vertex) {
                start = at;
                self.left -= usize::from(at < self.told_apart);
            }
            self.place[vertex as usize] = at as u32;
            self.cell[vertex as usize] = start as u32;
            self.length[start] += 1;
            self.push(start as u32);
        }
    }

    /// Whether every vertex that is to be told apart has a cell of its own.
    pub(super) fn is_discrete(&self) -> bool {
        self.left == 0
    }

    /// Where the vertices stand.
    pub(super) fn row(&self) -> &[Point] {
        &self.row[..self.told_apart]
    }

    /// The latest cell with several vertices that are to be told apart, of those that are wanted.
    pub(super) fn youngest(&self, mut wanted: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut fits = |cell: u32| self.len(cell) > 1 && (cell as usize) < self.told_apart && wanted(cell);
        let young = self.splits.iter().rev().map(|split| split[1]).find(|&cell| fits(cell));
        young.or_else(|| {
            let mut cell = 0;
            while (cell as usize) < self.told_apart && !fits(cell) {
                cell += self.length[cell as usize];
            }
            Some(cell).filter(|&cell| (cell as usize) < self.told_apart)
        })
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
            self.left += usize::from((cell as usize) < self.told_apart);
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
        self.left -= usize::from((cell as usize) < self.told_apart);
        self.splits.push([cell, part]);
        self.moved.extend_from_slice(vertices);
        part
    }

    fn push(&mut self, cell: u32) {
        if !std::mem::replace(&mut self.queued[cell as usize], true) {
            self.queue.push_back(cell);
        }
    }

    /// Splits until nothing splits any more. Whether the course was fine to the end.
    pub(super) fn refine(&mut self, graph: &Graph, course: &mut impl Course) -> bool {
        let mut fine = true;
        while let Some(cell) = self.queue.pop_front() {
            self.queued[cell as usize] = false;
            if fine && !self.is_discrete() {
                poll();
                self.look(graph, cell);
                let event = self.split_all();
                fine = course.note(event, self.hits.len());
            }
        }
        fine && course.ended()
    }

    /// Adds up what each vertex sees of the cell.
    fn look(&mut self, graph: &Graph, cell: u32) {
        self.hits.clear();
        for at in cell as usize..cell as usize + self.len(cell) {
            for end in graph.ends(self.row[at]) {
                let vertex = end.vertex as usize;
                self.sums[vertex] = self.sums[vertex].wrapping_add(mixed(u64::from(end.kind)));
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
        let mut vertices = std::mem::take(&mut self.part);
        for part in hits.chunk_by(|a, b| a.1 == b.1).skip(usize::from(all)) {
            vertices.clear();
            vertices.extend(part.iter().map(|hit| hit.2));
            self.cut(cell, &vertices);
        }
        self.part = vertices;
        let mut parts = std::mem::take(&mut self.parts);
        parts.clear();
        parts.extend(self.splits[first..].iter().map(|split| split[1]));
        if !busy {
            parts.push(cell);
            let largest = (0..parts.len()).max_by_key(|&at| (self.len(parts[at]), at)).expect("some parts");
            parts.remove(largest);
        }
        parts.iter().for_each(|&part| self.push(part));
        self.parts = parts;
    }
}
