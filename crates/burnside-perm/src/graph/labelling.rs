//! Canonical labellings by individualisation and refinement.
//!
//! Entry point: [`Labeller::run`]. Cells are refined as far as they go (`cells`); then a vertex of a cell is
//! singled out, and so on, until all vertices are told apart: such a *leaf* is an order of the vertices. The
//! labelling is the best leaf: the one with the least traces, and of these the one that the [`Judge`] calls
//! least. What is left out, as in nauty, bliss and Traces:
//! - *Twins*: a cell in which any two vertices can be swapped is left as it is; its order does not matter.
//! - *Symmetry*: of choices that a known automorphism exchanges, one is tried. Automorphisms come from leaves
//!   that look the same, and from guesses on the way: vertices that are in other cells than on the first path
//!   are matched cell by cell. Every one is checked edge by edge.
//! - *Traces*: a branch whose course is worse than the best one's and not the first one's is cut.
//!
//! From the first leaf upwards every level of the first path gets its orbit, so that the order of the
//! automorphism group is the product of these orbits' lengths and of the orders of the twins. k alike parts
//! cost O(k) attempts. Nothing is allocated once the buffers have grown.
//!
//! Graphs that are regular in every respect and yet not symmetric, such as those of Cai, Fürer and Immerman
//! or of projective planes, can take very long. So there is a limit on the work, counted and not timed: what
//! it gives is the same everywhere.

use super::cells::{Cells, Course, Mark};
use super::{End, Graph, mixed};
use crate::{Natural, Point};
use std::cmp::Ordering;

/// Knows what a graph stands for.
pub trait Judge {
    /// Compares what two orders of the vertices make of the thing.
    fn compare(&mut self, order: &[Point], best: &[Point]) -> Ordering;

    /// Whether a permutation that keeps the graph, and is the identity elsewhere, keeps the thing: where keys
    /// and labels of the graph say less than all.
    fn keeps(&mut self, pairs: &[(Point, Point)]) -> bool;

    /// Whether the graph says all, without auxiliary vertices: a swap keeps the thing if and only if it keeps
    /// the graph.
    fn is_exact(&self) -> bool {
        true
    }
}

/// Finds canonical labellings, one after the other.
#[derive(Debug, Default)]
pub struct Labeller {
    cells: Cells,
    /// Cells of twins, in the order in which they were found, and marks on them.
    twins: Vec<u32>,
    is_twins: Vec<bool>,
    first: Path,
    best: Path,
    /// The path that is being tried.
    here: Path,
    /// The cells of all vertices on the first path, at the level where an attempt is.
    there: Vec<u32>,
    frames: Vec<Frame>,
    /// The choices of all frames.
    choices: Vec<Point>,
    /// Automorphisms, as the vertices they move and where to, one after the other.
    pairs: Vec<(Point, Point)>,
    generators: Vec<usize>,
    /// The orbits of these.
    orbits: Orbits,
    /// The orbits of some of these.
    some_orbits: Orbits,
    work: u64,
    most_work: u64,
    /// The sizes of the cells of twins at the first leaf, and the lengths of the orbits along its path.
    twin_sizes: Vec<u32>,
    lengths: Vec<u32>,
    /// The identity, but for the time of a check.
    image: Vec<Point>,
    seen: Vec<bool>,
    from: Vec<(u32, Point)>,
    to: Vec<(u32, Point)>,
    scratch: Vec<End>,
    /// What vertices see, to find twins.
    choice_sums: Vec<(u64, Point)>,
}

/// A way down the tree.
#[derive(Debug, Default)]
struct Path {
    levels: Vec<PathLevel>,
    /// The traces of all levels.
    events: Vec<u64>,
    /// The vertices that changed their cells, of all levels, with the cells before and after. Only for the
    /// first path.
    moved: Vec<(Point, u32, u32)>,
    /// The leaf.
    order: Vec<Point>,
}

#[derive(Clone, Copy, Debug)]
struct PathLevel {
    /// The cell that is chosen from, and what is chosen.
    target: u32,
    vertex: Point,
    /// The partition above, and how many cells of twins it has.
    mark: Mark,
    twins: usize,
    /// Where the trace and the moved vertices end.
    events: usize,
    moved: usize,
}

/// A node of an attempt: what is chosen from there, and how its path compares.
#[derive(Clone, Copy, Debug)]
struct Frame {
    target: u32,
    mark: Mark,
    twins: usize,
    /// Where the choices begin, and which is next.
    begin: usize,
    next: usize,
    standing: Standing,
}

/// How a path compares with the first and the best.
#[derive(Clone, Copy, Debug)]
struct Standing {
    like_first: bool,
    to_best: Ordering,
}

impl Standing {
    fn is_hopeless(self) -> bool {
        !self.like_first && self.to_best == Ordering::Greater
    }
}

/// Writes the course of a refinement and compares it as it goes.
struct Comparison<'c> {
    written: &'c mut Vec<u64>,
    start: usize,
    first: &'c [u64],
    best: &'c [u64],
    standing: Standing,
    work: &'c mut u64,
}

impl Course for Comparison<'_> {
    fn note(&mut self, event: u64, work: usize) -> bool {
        *self.work += work as u64 + 1;
        let at = self.written.len() - self.start;
        self.written.push(event);
        self.standing.like_first &= self.first.get(at) == Some(&event);
        if self.standing.to_best == Ordering::Equal {
            self.standing.to_best = self.best.get(at).map_or(Ordering::Greater, |best| event.cmp(best));
        }
        !self.standing.is_hopeless()
    }

    fn ended(&mut self) -> bool {
        let length = self.written.len() - self.start;
        self.standing.like_first &= length == self.first.len();
        if self.standing.to_best == Ordering::Equal && length < self.best.len() {
            self.standing.to_best = Ordering::Less;
        }
        !self.standing.is_hopeless()
    }
}

/// Writes the course of a refinement.
impl Course for Vec<u64> {
    fn note(&mut self, event: u64, _work: usize) -> bool {
        self.push(event);
        true
    }

    fn ended(&mut self) -> bool {
        true
    }
}

impl Path {
    fn clear(&mut self) {
        self.truncate(0);
        self.order.clear();
    }

    fn truncate(&mut self, depth: usize) {
        self.levels.truncate(depth);
        let (events, moved) = self.levels.last().map_or((0, 0), |level| (level.events, level.moved));
        self.events.truncate(events);
        self.moved.truncate(moved);
    }

    /// The trace of a level; nothing where the path is shorter.
    fn trace(&self, level: usize) -> &[u64] {
        let begin = level.checked_sub(1).and_then(|above| self.levels.get(above));
        let begin = begin.map_or(0, |above| above.events);
        self.levels.get(level).map_or(&[], |level| &self.events[begin..level.events])
    }

    /// The vertices that moved on levels.
    fn moved(&self, from: usize, to: usize) -> &[(Point, u32, u32)] {
        let begin = from.checked_sub(1).map_or(0, |above| self.levels[above].moved);
        &self.moved[begin..self.levels[to].moved]
    }

    fn clone_from(&mut self, other: &Path) {
        self.levels.clone_from(&other.levels);
        self.events.clone_from(&other.events);
        self.order.clone_from(&other.order);
    }
}

/// A union-find forest.
#[derive(Debug, Default)]
struct Orbits {
    parent: Vec<Point>,
}

impl Orbits {
    fn reset(&mut self, n: usize) {
        self.parent.clear();
        self.parent.extend(0..n as Point);
    }

    fn find(&mut self, mut point: Point) -> Point {
        while self.parent[point as usize] != point {
            let above = self.parent[self.parent[point as usize] as usize];
            self.parent[point as usize] = above;
            point = above;
        }
        point
    }

    fn join(&mut self, a: Point, b: Point) {
        let (a, b) = (self.find(a), self.find(b));
        self.parent[a.max(b) as usize] = a.min(b);
    }

    fn same(&mut self, a: Point, b: Point) -> bool {
        self.find(a) == self.find(b)
    }
}

impl Labeller {
    /// Finds the canonical labelling of a graph. What comes after the first leaf may take so much work, in
    /// ends of edges that are looked at. If that was not enough, the labelling may differ between graphs that
    /// are alike, and the result is false.
    pub fn run(&mut self, graph: &Graph, judge: &mut impl Judge, most_work: u64) -> bool {
        self.begin(graph);
        self.descend(graph, judge);
        (self.work, self.most_work) = (0, most_work);
        if most_work > 0 && !self.first.levels.is_empty() {
            self.best.clone_from(&self.first);
            self.here.clone_from(&self.first);
            for level in (0..self.first.levels.len()).rev() {
                self.climb(level);
                self.unite(graph, judge, level);
            }
        }
        self.work < most_work || self.first.levels.is_empty()
    }

    /// The vertices in the order that was found: classes stay where they are.
    pub fn order(&self) -> &[Point] {
        if self.best.order.is_empty() { &self.first.order } else { &self.best.order }
    }

    /// Numbers whose product is the number of automorphisms; after an exact run.
    pub fn factors(&self) -> impl Iterator<Item = u32> {
        self.lengths.iter().copied().chain(self.twin_sizes.iter().flat_map(|&size| 2..=size))
    }

    /// How many automorphisms there are; after an exact run.
    pub fn automorphisms(&self) -> Natural {
        self.factors().fold(Natural::one(), |mut product, factor| {
            product.mul_small(u64::from(factor));
            product
        })
    }

    /// Gives the classes of two or more vertices any two of which can be swapped.
    pub fn twins(&mut self, graph: &Graph, judge: &mut impl Judge, mut each: impl FnMut(&[Point])) {
        self.begin(graph);
        let mut cell = 0;
        while (cell as usize) < graph.told_apart() {
            let length = self.cells.len(cell);
            if length > 1 {
                match judge.is_exact() {
                    true => self.unite_twins(graph, judge, cell),
                    false => self.unite_swappable(judge, cell),
                }
                let Self { cells, orbits, choices, .. } = self;
                choices.clear();
                choices.extend_from_slice(cells.members(cell));
                choices.sort_unstable_by_key(|&vertex| (orbits.find(vertex), vertex));
                let mut rest = &choices[..];
                while let Some(&leader) = rest.first() {
                    let root = orbits.find(leader);
                    let class = rest.iter().take_while(|&&vertex| orbits.find(vertex) == root).count();
                    if class > 1 {
                        each(&rest[..class]);
                    }
                    rest = &rest[class..];
                }
            }
            cell += length as u32;
        }
    }

    /// Joins the vertices of a cell that can be swapped. Sums over the ends of a vertex nominate those that
    /// have no edge between them; an edge nominates its ends.
    fn unite_twins(&mut self, graph: &Graph, judge: &mut impl Judge, cell: u32) {
        let mut sums = std::mem::take(&mut self.choice_sums);
        sums.clear();
        sums.extend(self.cells.members(cell).iter().map(|&vertex| {
            // A vertex that sees itself is like another that sees itself.
            let seen = |end: &End| if end.vertex == vertex { u64::MAX } else { u64::from(end.vertex) };
            let end = |end: &End| mixed(mixed(seen(end)) ^ u64::from(end.kind));
            (graph.ends(vertex).iter().map(end).fold(0, u64::wrapping_add), vertex)
        }));
        sums.sort_unstable();
        for alike in sums.chunk_by(|a, b| a.0 == b.0) {
            for &(_, vertex) in &alike[1..] {
                if self.are_twins(graph, judge, alike[0].1, vertex) {
                    self.orbits.join(alike[0].1, vertex);
                }
            }
        }
        for &(_, vertex) in &sums {
            for end in graph.ends(vertex) {
                let inside = end.vertex > vertex && self.cells.cell[end.vertex as usize] == cell;
                if inside
                    && !self.orbits.same(vertex, end.vertex)
                    && self.are_twins(graph, judge, vertex, end.vertex)
                {
                    self.orbits.join(vertex, end.vertex);
                }
            }
        }
        self.choice_sums = sums;
    }

    /// The same by the thing alone. A swap that keeps it may move auxiliary vertices, and where the graph
    /// says too little, vertices that look the same need not be.
    fn unite_swappable(&mut self, judge: &mut impl Judge, cell: u32) {
        let Self { cells, orbits, choices, .. } = self;
        choices.clear();
        for &vertex in cells.members(cell) {
            match choices.iter().find(|&&leader| judge.keeps(&[(leader, vertex), (vertex, leader)])) {
                Some(&leader) => orbits.join(leader, vertex),
                None => choices.push(vertex),
            }
        }
    }

    fn begin(&mut self, graph: &Graph) {
        let n = graph.len();
        self.cells.reset(graph);
        self.twins.clear();
        self.is_twins.clear();
        self.is_twins.resize(n, false);
        self.twin_sizes.clear();
        self.first.clear();
        self.best.clear();
        self.here.clear();
        self.frames.clear();
        self.choices.clear();
        self.pairs.clear();
        self.generators.clear();
        self.lengths.clear();
        self.orbits.reset(n);
        self.image.clear();
        self.image.extend(0..n as Point);
        self.seen.clear();
        self.seen.resize(n, false);
        let mut events = std::mem::take(&mut self.first.events);
        self.cells.refine(graph, &mut events);
        events.clear();
        self.first.events = events;
    }

    /// Whether any two vertices of a cell can be swapped.
    fn is_cell_of_twins(&mut self, graph: &Graph, judge: &mut impl Judge, cell: u32) -> bool {
        let leader = self.cells.members(cell)[0];
        (1..self.cells.len(cell)).all(|at| {
            let vertex = self.cells.members(cell)[at];
            self.are_twins(graph, judge, leader, vertex)
        })
    }

    fn are_twins(&mut self, graph: &Graph, judge: &mut impl Judge, a: Point, b: Point) -> bool {
        let swap = |vertex: Point| {
            if vertex == a {
                b
            } else if vertex == b {
                a
            } else {
                vertex
            }
        };
        graph.keeps_at(a, swap, &mut self.scratch)
            && graph.keeps_at(b, swap, &mut self.scratch)
            && judge.keeps(&[(a, b), (b, a)])
    }

    /// The next cell to choose from: the youngest that are not twins, so that a part of the graph that hangs
    /// together is done before the next one is begun.
    fn target(&mut self, graph: &Graph, judge: &mut impl Judge) -> Option<u32> {
        if self.cells.is_discrete() {
            return None;
        }
        loop {
            let is_twins = &self.is_twins;
            let cell = self.cells.youngest(|cell| !is_twins[cell as usize])?;
            if !self.is_cell_of_twins(graph, judge, cell) {
                return Some(cell);
            }
            self.is_twins[cell as usize] = true;
            self.twins.push(cell);
        }
    }

    /// Back to a partition above.
    fn undo(&mut self, mark: Mark, twins: usize) {
        self.cells.undo(mark);
        self.twins.drain(twins..).for_each(|cell| self.is_twins[cell as usize] = false);
    }

    /// Makes the first path.
    fn descend(&mut self, graph: &Graph, judge: &mut impl Judge) {
        self.there.clone_from(&self.cells.cell);
        loop {
            let (mark, twins) = (self.cells.mark(), self.twins.len());
            let Some(target) = self.target(graph, judge) else { break };
            let vertex = self.cells.members(target)[0];
            self.cells.single_out(vertex);
            self.cells.refine(graph, &mut self.first.events);
            for &vertex in &self.cells.moved[mark.moved..] {
                let (before, after) = (self.there[vertex as usize], self.cells.cell[vertex as usize]);
                if before != after {
                    self.first.moved.push((vertex, before, after));
                    self.there[vertex as usize] = after;
                }
            }
            let (events, moved) = (self.first.events.len(), self.first.moved.len());
            self.first.levels.push(PathLevel { target, vertex, mark, twins, events, moved });
        }
        self.first.order.extend_from_slice(self.cells.row());
        for &cell in &self.twins {
            let members = self.cells.members(cell);
            members[1..].iter().for_each(|&vertex| self.orbits.join(members[0], vertex));
            self.twin_sizes.push(members.len() as u32);
        }
    }

    /// From below a level of the first path to above it.
    fn climb(&mut self, level: usize) {
        self.back(level);
        let PathLevel { mark, twins, .. } = self.first.levels[level];
        self.undo(mark, twins);
    }

    fn back(&mut self, level: usize) {
        let Self { first, there, .. } = self;
        first.moved(level, level).iter().for_each(|&(vertex, before, _)| there[vertex as usize] = before);
    }

    fn forth(&mut self, level: usize) {
        let Self { first, there, .. } = self;
        first.moved(level, level).iter().for_each(|&(vertex, _, after)| there[vertex as usize] = after);
    }

    /// Tries the other choices of a level of the first path, and so finds the orbit of its vertex under what
    /// fixes the vertices above.
    fn unite(&mut self, graph: &Graph, judge: &mut impl Judge, level: usize) {
        let PathLevel { target, vertex, mark, twins, .. } = self.first.levels[level];
        self.here.truncate(level);
        self.choices.clear();
        self.choices.push(vertex);
        let members = self.cells.members(target).iter().copied();
        self.choices.extend(members.filter(|&other| other != vertex));
        let count = self.choices.len();
        // Whatever leaf is the best by now, it is below this node.
        let standing = Standing { like_first: true, to_best: Ordering::Equal };
        for at in 1..count {
            if self.work >= self.most_work {
                return;
            }
            let Self { choices, orbits, .. } = self;
            let choice = choices[at];
            if choices[..at].iter().any(|&tried| orbits.same(tried, choice)) {
                continue;
            }
            self.frames.push(Frame { target, mark, twins, begin: count, next: count, standing });
            self.choices.truncate(count);
            self.choices.push(choice);
            self.explore(graph, judge, level);
            self.frames.clear();
            self.undo(mark, twins);
        }
        let Self { choices, orbits, .. } = self;
        let length = choices[..count].iter().filter(|&&other| orbits.same(vertex, other)).count();
        self.lengths.push(length as u32);
    }

    /// Visits the tree below the frame at hand, until it is done or known to be the image of one that is.
    fn explore(&mut self, graph: &Graph, judge: &mut impl Judge, level: usize) {
        while let Some(&Frame { mark, twins, standing, target, .. }) = self.frames.last() {
            if self.work >= self.most_work {
                return self.leave(level);
            }
            let depth = level + self.frames.len() - 1;
            self.undo(mark, twins);
            self.here.truncate(depth);
            let Some(choice) = self.next_choice(depth) else {
                self.pop(level);
                continue;
            };
            let standing = self.single_out(graph, depth, choice, standing);
            let Some(standing) = standing else { continue };
            let events = self.here.events.len();
            self.here.levels.push(PathLevel { target, vertex: choice, mark, twins, events, moved: 0 });
            if standing.like_first {
                self.forth(depth);
                if self.guess(graph, judge, level, depth) {
                    self.back(depth);
                    return self.leave(level);
                }
            }
            match self.target(graph, judge) {
                Some(target) => self.push(depth, target, standing),
                None => {
                    if standing.like_first {
                        self.back(depth);
                    }
                    if let Some(parting) = self.leaf(judge, depth, standing) {
                        while self.frames.len() > 1 && level + self.frames.len() - 1 > parting {
                            self.pop(level);
                        }
                        if parting <= level {
                            return;
                        }
                    }
                }
            }
        }
    }

    /// A node below `depth` to choose from, unless its path cannot be of use: others with these traces have
    /// their leaves here.
    fn push(&mut self, depth: usize, target: u32, mut standing: Standing) {
        let next_target = |path: &Path| path.levels.get(depth + 1).map(|level| level.target);
        if standing.like_first && next_target(&self.first) != Some(target) {
            standing.like_first = false;
            self.back(depth);
        }
        if standing.to_best == Ordering::Equal && next_target(&self.best).is_none() {
            standing.to_best = Ordering::Greater;
        }
        if standing.is_hopeless() {
            return;
        }
        let begin = self.choices.len();
        let members = self.cells.members(target);
        // What the first path chose comes first, so that what is alike stays.
        let like = standing.like_first.then(|| self.first.levels[depth + 1].vertex);
        let like = like.filter(|&vertex| self.cells.cell[vertex as usize] == target);
        self.choices.extend(like);
        self.choices.extend(members.iter().copied().filter(|&vertex| Some(vertex) != like));
        let (mark, twins) = (self.cells.mark(), self.twins.len());
        self.frames.push(Frame { target, mark, twins, begin, next: begin, standing });
    }

    /// Leaves all nodes below a level of the first path.
    fn leave(&mut self, level: usize) {
        while self.frames.len() > 1 {
            self.pop(level);
        }
    }

    /// Leaves the node at hand.
    fn pop(&mut self, level: usize) {
        let frame = self.frames.pop().expect("a node");
        self.choices.truncate(frame.begin);
        if frame.standing.like_first && !self.frames.is_empty() {
            self.back(level + self.frames.len() - 1);
        }
    }

    /// The next choice at the node at hand that no known symmetry of the node makes of one that was tried.
    fn next_choice(&mut self, depth: usize) -> Option<Point> {
        let at = self.frames.len() - 1;
        let Frame { begin, mut next, .. } = self.frames[at];
        if next > begin && next < self.choices.len() {
            self.find_orbits(depth);
            let Self { choices, some_orbits, .. } = self;
            let mut covered = |next: usize| {
                choices[begin..next].iter().any(|&tried| some_orbits.same(tried, choices[next]))
            };
            while next < choices.len() && covered(next) {
                next += 1;
            }
        }
        self.frames[at].next = next + 1;
        self.choices.get(next).copied()
    }

    /// The orbits of the known automorphisms that fix what was chosen above a depth.
    fn find_orbits(&mut self, depth: usize) {
        self.some_orbits.reset(self.image.len());
        for level in &self.here.levels[..depth] {
            self.seen[level.vertex as usize] = true;
        }
        let mut begin = 0;
        for &end in &self.generators {
            let pairs = &self.pairs[begin..end];
            if pairs.iter().all(|pair| !self.seen[pair.0 as usize]) {
                pairs.iter().for_each(|&(from, to)| self.some_orbits.join(from, to));
            }
            begin = end;
        }
        for level in &self.here.levels[..depth] {
            self.seen[level.vertex as usize] = false;
        }
    }

    /// Singles out a vertex and refines. How the path compares then, unless it is of no use.
    fn single_out(
        &mut self,
        graph: &Graph,
        depth: usize,
        choice: Point,
        standing: Standing,
    ) -> Option<Standing> {
        self.cells.single_out(choice);
        let Self { cells, here, first, best, work, .. } = self;
        let start = here.events.len();
        let (first, best) = (first.trace(depth), best.trace(depth));
        let mut course = Comparison { written: &mut here.events, start, first, best, standing, work };
        cells.refine(graph, &mut course).then_some(course.standing)
    }

    /// A leaf: it may be the best, or as good as the best, which gives an automorphism; then the level at
    /// which the two part comes back.
    fn leaf(&mut self, judge: &mut impl Judge, depth: usize, mut standing: Standing) -> Option<usize> {
        if standing.to_best == Ordering::Equal && self.best.levels.len() > depth + 1 {
            standing.to_best = Ordering::Less;
        }
        self.here.order.clear();
        self.here.order.extend_from_slice(self.cells.row());
        let order = standing.to_best.then_with(|| judge.compare(&self.here.order, &self.best.order));
        match order {
            Ordering::Greater => None,
            Ordering::Less => {
                self.best.clone_from(&self.here);
                self.frames.iter_mut().for_each(|frame| frame.standing.to_best = Ordering::Equal);
                None
            }
            Ordering::Equal => {
                let moved = self.best.order.iter().copied().zip(self.here.order.iter().copied());
                self.pairs.extend(moved.filter(|(from, to)| from != to));
                self.note_generator();
                let mut levels = self.here.levels.iter().zip(&self.best.levels);
                levels.position(|(here, best)| here.vertex != best.vertex)
            }
        }
    }

    /// The pairs since the last generator are one.
    fn note_generator(&mut self) {
        let begin = self.generators.last().copied().unwrap_or(0);
        self.pairs[begin..].iter().for_each(|&(from, to)| self.orbits.join(from, to));
        self.generators.push(self.pairs.len());
    }

    /// Matches the cells here with those on the first path, at the end of it, or before that if it is not too
    /// often. Whether that is an automorphism.
    fn guess(&mut self, graph: &Graph, judge: &mut impl Judge, level: usize, depth: usize) -> bool {
        let (deep, leaf) = (depth - level, depth + 1 == self.first.levels.len());
        if !(leaf || deep < 8 || deep.is_power_of_two()) || !self.match_cells(level, depth) {
            return false;
        }
        let begin = self.generators.last().copied().unwrap_or(0);
        self.pairs.truncate(begin);
        self.pairs.extend(self.from.iter().zip(&self.to).map(|(from, to)| (from.1, to.1)));
        let Self { pairs, image, scratch, .. } = self;
        let pairs = &pairs[begin..];
        pairs.iter().for_each(|&(from, to)| image[from as usize] = to);
        let fine = pairs.iter().all(|pair| graph.keeps_at(pair.0, |x| image[x as usize], scratch));
        pairs.iter().for_each(|&(from, _)| image[from as usize] = from);
        // Nobody asks where auxiliary vertices go.
        let told_apart = graph.told_apart() as Point;
        if fine {
            self.pairs.retain(|pair| pair.0 < told_apart);
        }
        if !fine || !judge.keeps(&self.pairs[begin..]) {
            self.pairs.truncate(begin);
            return false;
        }
        self.note_generator();
        true
    }

    /// Finds the vertices that are in other cells here than on the first path, each with one that is here in
    /// its cell there.
    fn match_cells(&mut self, level: usize, depth: usize) -> bool {
        let Self { first, cells, there, seen, from, to, .. } = self;
        let start = first.levels[level].mark;
        from.clear();
        to.clear();
        let touched = || {
            let path = first.moved(level, depth).iter().map(|moved| moved.0);
            path.chain(cells.moved[start.moved..].iter().copied())
        };
        for vertex in touched() {
            let (there, here) = (there[vertex as usize], cells.cell[vertex as usize]);
            if there != here && !std::mem::replace(&mut seen[vertex as usize], true) {
                from.push((there, vertex));
                to.push((here, vertex));
            }
        }
        touched().for_each(|vertex| seen[vertex as usize] = false);
        from.sort_unstable();
        to.sort_unstable();
        from.iter().zip(to.iter()).all(|(from, to)| from.0 == to.0)
    }
}
