//! The search for automorphisms of a graph.
//!
//! Entry point: [`run`]. The *path* singles out one vertex after the other until every cell is a single
//! vertex. Then, from its end upwards, the vertex of each level is tried to be mapped to each other vertex of
//! its cell, by an automorphism that fixes the vertices of the levels above; vertices in one orbit of what is
//! known already need one attempt only, and every level adds at most as many generators as it unites orbits.
//! An attempt follows the path with other vertices, as long as the traces are the same. On the way it
//! guesses: vertices that are in the same cell here and on the path stay, the others are matched cell by
//! cell. A guess is no more than that: each is checked edge by edge.
//!
//! The cells to choose from next are the youngest, so that a part of the graph that hangs together is done
//! before the next one is begun: a wrong choice then shows before it is multiplied by the choices elsewhere.

use super::cells::{Cells, Mark, Meter, Metered, Trace};
use super::{Automorphisms, Budget, End, Graph};
use crate::{Partition, Perm, Point};
use burnside_limits::poll;
use std::collections::HashSet;

/// The automorphisms of the graph.
pub(super) fn run(graph: &Graph, budget: &Budget<'_>) -> Automorphisms {
    let mut search = AutomorphismSearch::new(graph, budget);
    let complete = search.descend() && search.ascend();
    // Each level has added what its orbit needs to what fixes its vertex and those above.
    let path = search.path.iter().map(|level| level.vertex);
    Automorphisms { base: path.filter(|_| complete).collect(), generators: search.generators, complete }
}

/// A level of the path.
struct PathLevel {
    /// The cell that is chosen from, and what was chosen.
    target: u32,
    vertex: Point,
    trace: Vec<u64>,
    /// The vertices that changed their cells, with the cells before and after.
    moved: Vec<(Point, u32, u32)>,
    /// The partition above.
    mark: Mark,
}

/// The choices at one level of an attempt.
struct Frame {
    choices: Vec<Point>,
    next: usize,
    /// Whether these are all choices, not only the first.
    all: bool,
    mark: Mark,
}

struct AutomorphismSearch<'s> {
    graph: &'s Graph,
    meter: Meter<'s>,
    cells: Cells,
    path: Vec<PathLevel>,
    /// The cells on the path at the level where an attempt is.
    there: Vec<u32>,
    orbits: Partition,
    generators: Vec<Perm>,
    /// The identity, and something else only while a guess is checked.
    image: Vec<Point>,
    seen: Vec<bool>,
    scratch: Vec<End>,
}

impl<'s> AutomorphismSearch<'s> {
    fn new(graph: &'s Graph, budget: &Budget<'s>) -> Self {
        let n = graph.len();
        AutomorphismSearch {
            graph,
            meter: Meter::new(budget),
            cells: Cells::of_colours(graph),
            path: Vec::new(),
            there: Vec::new(),
            orbits: Partition::discrete(n),
            generators: Vec::new(),
            image: (0..n as Point).collect(),
            seen: vec![false; n],
            scratch: Vec::new(),
        }
    }

    /// Makes the path. Whether the budget was enough.
    fn descend(&mut self) -> bool {
        let (mut young, mut front) = (Vec::new(), 0);
        let mut fine = self.refine(&mut Vec::new());
        self.there = self.cells.cell.clone();
        while fine && !self.cells.is_discrete() {
            let target = self.target(&mut young, &mut front);
            let (mark, vertex) = (self.cells.mark(), self.cells.members(target)[0]);
            let mut trace = Vec::new();
            self.cells.single_out(vertex);
            fine = self.refine(&mut trace);
            let moved = self.follow(mark);
            fine = fine && self.meter.room(3 * moved.len() + 2 * trace.len());
            young.extend(self.cells.created(mark).filter(|&cell| self.cells.len(cell) > 1));
            self.path.push(PathLevel { target, vertex, trace, moved, mark });
        }
        fine
    }

    /// Refines and writes how it went. Whether the budget was enough.
    fn refine(&mut self, trace: &mut Vec<u64>) -> bool {
        let trace = Trace::Write(trace);
        self.cells.refine(self.graph, &mut Metered { meter: &mut self.meter, trace })
    }

    /// The youngest cell with several vertices.
    fn target(&self, young: &mut Vec<u32>, front: &mut u32) -> u32 {
        while young.pop_if(|cell| self.cells.len(*cell) == 1).is_some() {}
        young.last().copied().unwrap_or_else(|| {
            while self.cells.len(*front) == 1 {
                *front += 1;
            }
            *front
        })
    }

    /// Notes the cells of the vertices that moved since.
    fn follow(&mut self, mark: Mark) -> Vec<(Point, u32, u32)> {
        let mut moved = Vec::new();
        for &vertex in &self.cells.moved[mark.moved..] {
            let (before, after) = (self.there[vertex as usize], self.cells.cell[vertex as usize]);
            if before != after {
                moved.push((vertex, before, after));
                self.there[vertex as usize] = after;
            }
        }
        moved
    }

    /// Goes up the path. Whether the budget was enough.
    fn ascend(&mut self) -> bool {
        for level in (0..self.path.len()).rev() {
            self.back(level);
            self.cells.undo(self.path[level].mark);
            if !self.unite(level) {
                return false;
            }
        }
        true
    }

    /// From the cells on the path below a level to those above.
    fn back(&mut self, level: usize) {
        self.path[level].moved.iter().for_each(|&(vertex, before, _)| self.there[vertex as usize] = before);
    }

    /// From the cells on the path above a level to those below.
    fn forth(&mut self, level: usize) {
        self.path[level].moved.iter().for_each(|&(vertex, _, after)| self.there[vertex as usize] = after);
    }

    /// Finds the orbit of the level's vertex under what fixes those above. Whether the budget was enough.
    fn unite(&mut self, level: usize) -> bool {
        let start = self.path[level].vertex;
        let mut choices = self.cells.members(self.path[level].target).to_vec();
        choices.sort_unstable();
        let mut failed: HashSet<Point> = HashSet::new();
        for choice in choices {
            poll();
            let orbit = self.orbits.find(choice);
            if orbit == self.orbits.find(start) || failed.contains(&orbit) {
                continue;
            }
            match self.attempt(level, choice) {
                _ if self.meter.spent => return false,
                None => {
                    failed.insert(orbit);
                }
                Some(found) => {
                    self.orbits.join_orbits(&found);
                    self.generators.push(found);
                    failed = failed.iter().map(|&point| self.orbits.find(point)).collect();
                }
            }
        }
        true
    }

    /// An automorphism that fixes the vertices of the levels above and takes this level's to `choice`, if
    /// there is one.
    fn attempt(&mut self, level: usize, choice: Point) -> Option<Perm> {
        let start = self.cells.mark();
        let mut frames = vec![Frame { choices: vec![choice], next: 0, all: true, mark: start }];
        let found = self.backtrack(level, start, &mut frames);
        // One level for each frame but the last has gone forth.
        (1..frames.len()).rev().for_each(|depth| self.back(level + depth - 1));
        self.cells.undo(start);
        found
    }

    fn backtrack(&mut self, level: usize, start: Mark, frames: &mut Vec<Frame>) -> Option<Perm> {
        while let Some(depth) = frames.len().checked_sub(1) {
            poll();
            let here = level + depth;
            self.cells.undo(frames[depth].mark);
            match self.next(here, &mut frames[depth]) {
                None => {
                    frames.pop();
                    (depth > 0).then(|| self.back(here - 1));
                }
                Some(choice) if self.step(here, choice) => {
                    self.forth(here);
                    frames.push(Frame { choices: Vec::new(), next: 0, all: false, mark: self.cells.mark() });
                    if let Some(perm) = self.guess(level, here, start) {
                        return Some(perm);
                    }
                }
                Some(_) if self.meter.spent => return None,
                Some(_) => {}
            }
        }
        None
    }

    /// The next choice at a level: first what the path chose, if that is possible.
    fn next(&mut self, level: usize, frame: &mut Frame) -> Option<Point> {
        let &PathLevel { target, vertex, .. } = self.path.get(level)?;
        let members = self.cells.members(target);
        if frame.choices.is_empty() {
            let same = self.cells.cell[vertex as usize] == target;
            frame.choices.push(if same { vertex } else { members[0] });
        } else if !frame.all && frame.next == frame.choices.len() {
            let first = frame.choices[0];
            frame.choices.extend(members.iter().copied().filter(|&vertex| vertex != first));
            frame.all = true;
        }
        frame.next += 1;
        frame.choices.get(frame.next - 1).copied()
    }

    /// Singles out a vertex where the path singled out its own. Whether that looks the same.
    fn step(&mut self, level: usize, choice: Point) -> bool {
        self.cells.single_out(choice);
        let trace = Trace::Compare(&self.path[level].trace);
        self.cells.refine(self.graph, &mut Metered { meter: &mut self.meter, trace })
    }

    /// Matches the cells here with those on the path: at the end of the path, or before that if it is not too
    /// often.
    fn guess(&mut self, level: usize, here: usize, start: Mark) -> Option<Perm> {
        let depth = here - level;
        let leaf = here + 1 == self.path.len();
        if !(leaf || depth < 8 || depth.is_power_of_two()) {
            return None;
        }
        let pairs = self.matched(level, here, start)?;
        let work = pairs.iter().map(|pair| self.graph.ends(pair.0).len() + 1).sum();
        if !self.meter.work(work) || !self.check(&pairs) || !self.meter.room(2 * pairs.len()) {
            return None;
        }
        Some(Perm::sparse(self.image.len(), pairs))
    }

    /// The vertices that are in other cells here than on the path, each with one that is here in its cell
    /// there.
    fn matched(&mut self, level: usize, here: usize, start: Mark) -> Option<Vec<(Point, Point)>> {
        let (mut from, mut to) = (Vec::new(), Vec::new());
        let path = self.path[level..=here].iter().flat_map(|level| level.moved.iter().map(|moved| moved.0));
        let touched: Vec<Point> = path.chain(self.cells.moved[start.moved..].iter().copied()).collect();
        for &vertex in &touched {
            let (there, here) = (self.there[vertex as usize], self.cells.cell[vertex as usize]);
            if there != here && !std::mem::replace(&mut self.seen[vertex as usize], true) {
                from.push((there, vertex));
                to.push((here, vertex));
            }
        }
        touched.iter().for_each(|&vertex| self.seen[vertex as usize] = false);
        self.meter.work(touched.len());
        from.sort_unstable();
        to.sort_unstable();
        let alike = from.iter().zip(&to).all(|(a, b)| a.0 == b.0);
        alike.then(|| from.iter().zip(&to).map(|(a, b)| (a.1, b.1)).collect())
    }

    /// Whether the matching is an automorphism.
    fn check(&mut self, pairs: &[(Point, Point)]) -> bool {
        pairs.iter().for_each(|&(from, to)| self.image[from as usize] = to);
        let (image, scratch) = (&self.image, &mut self.scratch);
        let fine =
            pairs.iter().all(|pair| self.graph.keeps_at(pair.0, |vertex| image[vertex as usize], scratch));
        pairs.iter().for_each(|&(from, _)| self.image[from as usize] = from);
        fine
    }
}
