//! Sorts that meet: a state as a graph on their members, brought into order by its canonical labelling.
//!
//! Entry point: [`CanonicalLabelling::canonise`]. Members are vertices, in one class for each block that may
//! be permuted, those outside of blocks in classes of their own. What is about one member is its key, what is
//! about two is an edge, where zero is said by saying nothing; hyperedges of more members get vertices of
//! their own. Keys and edges are exact: a permutation that keeps the graph keeps the state. Loose parts are
//! known by hashes, so with them every permutation is tried on the state itself before it is believed.

use super::hyperedges::Hyperedges;
use super::keys::Keys;
use super::layout::{Layout, PairRelation};
use super::places::Pointer;
use burnside_perm::{Graph, Judge, Labeller, Natural, Point};
use burnside_ts::{Action, Permutation, SortGroup, SortId, Symmetry, System, bits};
use std::cmp::Ordering;

/// The labels of all bits that a chunk of a relation may have are told apart; wider ones are cut.
const MOST_BITS: u32 = 16;

/// Labels of edges from loose parts begin here: hashes, or positions in hyperedges.
const LOOSE: u32 = 1 << 30;

/// Brings the members of joint sorts into order.
#[derive(Debug)]
pub(super) struct CanonicalLabelling {
    blocks: Vec<Block>,
    /// For each sort, the vertices of its members if it is joint.
    vertices: Vec<Vec<Point>>,
    /// For each vertex, its sort and member.
    members: Vec<(SortId, u32)>,
    relations: Vec<(PairRelation, u32)>,
    pointers: Vec<(Pointer, u32)>,
    loose: Hyperedges,
    key_words: usize,
    graph: Graph,
    edges: Vec<(Point, Point, u32)>,
    labeller: Labeller,
    class: Vec<u32>,
    /// Whether the last order is canonical.
    pub complete: bool,
    /// The identity, but for the time of a look at a permutation, and two states.
    permutation: Permutation,
    moved: [Vec<u64>; 2],
}

/// Members that may be permuted: their keys, and their first vertex.
#[derive(Debug)]
struct Block {
    keys: Keys,
    first: usize,
}

/// Looks at permutations of the state itself.
struct StateJudge<'j, 's> {
    action: &'j Action<'s>,
    state: &'j [u64],
    blocks: &'j [Block],
    members: &'j [(SortId, u32)],
    /// Whether the graph says everything.
    exact: bool,
    permutation: &'j mut Permutation,
    moved: &'j mut [Vec<u64>; 2],
}

impl Judge for StateJudge<'_, '_> {
    fn compare(&mut self, order: &[Point], best: &[Point]) -> Ordering {
        let [a, b] = &mut *self.moved;
        for (order, moved) in [(order, &mut *a), (best, &mut *b)] {
            for block in self.blocks {
                block.images(order, self.permutation);
            }
            self.action.state(self.permutation, self.state, moved);
        }
        self.blocks.iter().for_each(|block| block.reset(self.permutation));
        a.cmp(&b)
    }

    fn keeps(&mut self, pairs: &[(Point, Point)]) -> bool {
        if self.exact {
            return true;
        }
        for &(from, to) in pairs {
            let ((sort, member), (_, image)) = (self.members[from as usize], self.members[to as usize]);
            self.permutation.images[sort.index()][member as usize] = image;
        }
        let moved = &mut self.moved[0];
        self.action.state(self.permutation, self.state, moved);
        for &(from, _) in pairs {
            let (sort, member) = self.members[from as usize];
            self.permutation.images[sort.index()][member as usize] = member;
        }
        let words = self.state.len() - bits::SPARE;
        moved[..words] == self.state[..words]
    }

    fn is_exact(&self) -> bool {
        self.exact
    }
}

impl Block {
    /// Writes where an order of all vertices takes the members. Whether one moves.
    fn images(&self, order: &[Point], permutation: &mut Permutation) -> bool {
        let Keys { sort, members, .. } = &self.keys;
        let images = &mut permutation.images[sort.index()];
        let mut changed = false;
        for (&vertex, &place) in order[self.first..][..members.len()].iter().zip(members) {
            let member = members[vertex as usize - self.first];
            images[member as usize] = place;
            changed |= member != place;
        }
        changed
    }

    fn reset(&self, permutation: &mut Permutation) {
        let images = &mut permutation.images[self.keys.sort.index()];
        self.keys.members.iter().for_each(|&member| images[member as usize] = member);
    }
}

impl CanonicalLabelling {
    /// For the joint sorts of a layout; none if there are none.
    pub fn new(system: &System, symmetry: &Symmetry, layout: &Layout) -> Option<Self> {
        if layout.joint.is_empty() {
            return None;
        }
        let mut vertices = vec![Vec::new(); symmetry.sorts.len()];
        let (mut classes, mut members, mut blocks) = (vec![0], Vec::new(), Vec::new());
        for &sort in &layout.joint {
            let SortGroup::Full(of_sort) = &symmetry.sorts[sort.index()] else { continue };
            let size = system.types.sort(sort).size;
            let mut permuted = vec![false; size as usize];
            for block in of_sort {
                let keys = Keys::new(layout, sort, size, block.clone());
                blocks.push(Block { keys, first: members.len() });
                block.iter().for_each(|&member| permuted[member as usize] = true);
                members.extend(block.iter().map(|&member| (sort, member)));
                classes.push(members.len() as Point);
            }
            for member in (0..size).filter(|&member| !permuted[member as usize]) {
                members.push((sort, member));
                classes.push(members.len() as Point);
            }
            vertices[sort.index()] = vec![0; size as usize];
        }
        for (&(sort, member), vertex) in members.iter().zip(0..) {
            vertices[sort.index()][member as usize] = vertex;
        }
        let joint = |sort: SortId| layout.joint.contains(&sort);
        let loose = Hyperedges::new(system, &layout.loose, vertices.clone(), joint);
        let words = blocks.iter().map(|block| block.keys.words).max().unwrap_or(0);
        // The last word of a key is for what loose parts say of one member.
        let key_words = (words + usize::from(!loose.is_empty())).max(1);
        let (relations, pointers) = labelled(layout);
        let buffer = || vec![0; system.words() + bits::SPARE];
        Some(Self {
            graph: Graph::with_classes(classes, key_words),
            blocks,
            vertices,
            members,
            relations,
            pointers,
            loose,
            key_words,
            edges: Vec::new(),
            labeller: Labeller::default(),
            class: Vec::new(),
            complete: true,
            permutation: Permutation::identity(&system.types),
            moved: [buffer(), buffer()],
        })
    }

    /// Writes the permutation to the canonical order of the joint sorts; false if it is the identity. If so
    /// much work is not enough, to some order, and the labelling is not `complete`.
    pub fn canonise(
        &mut self,
        action: &Action<'_>,
        state: &[u64],
        permutation: &mut Permutation,
        most_work: u64,
    ) -> bool {
        self.label(action, state, most_work);
        let order = self.labeller.order();
        self.blocks.iter().fold(false, |changed, block| block.images(order, permutation) | changed)
    }

    /// How many permutations of the joint sorts leave the state as it is.
    pub fn stabiliser(&mut self, action: &Action<'_>, state: &[u64]) -> Natural {
        self.label(action, state, u64::MAX);
        self.labeller.automorphisms()
    }

    /// The joint sorts.
    pub fn sorts(&self) -> Vec<SortId> {
        let mut sorts: Vec<SortId> = self.blocks.iter().map(|block| block.keys.sort).collect();
        sorts.dedup();
        sorts
    }

    /// The binary logarithm of the number of images that the state has.
    pub fn image_bits(&mut self, action: &Action<'_>, state: &[u64]) -> f64 {
        self.label(action, state, u64::MAX);
        let all = self.blocks.iter().map(|block| Natural::factorial_bits(block.keys.members.len() as u64));
        all.sum::<f64>() - self.labeller.factors().map(|factor| f64::from(factor).log2()).sum::<f64>()
    }

    /// The same for the state that was brought into order last, times a number, if it is not too long.
    pub fn known_stabiliser(&self, times: u128) -> Option<u128> {
        self.complete.then_some(())?;
        self.labeller.factors().try_fold(times, |order, factor| order.checked_mul(factor.into()))
    }

    /// The classes of two or more members that can be swapped without changing the state.
    pub fn twins(&mut self, action: &Action<'_>, state: &[u64], mut each: impl FnMut(SortId, &[u32])) {
        self.extract(state);
        let mut class = std::mem::take(&mut self.class);
        let (labeller, graph, mut judge) = self.parts(action, state);
        let members = judge.members;
        labeller.twins(graph, &mut judge, |vertices| {
            class.clear();
            class.extend(vertices.iter().map(|&vertex| members[vertex as usize].1));
            class.sort_unstable();
            each(members[vertices[0] as usize].0, &class);
        });
        self.class = class;
    }

    fn label(&mut self, action: &Action<'_>, state: &[u64], most_work: u64) {
        self.extract(state);
        let (labeller, graph, mut judge) = self.parts(action, state);
        let complete = labeller.run(graph, &mut judge, most_work);
        self.complete = complete;
    }

    fn parts<'j, 's>(
        &'j mut self,
        action: &'j Action<'s>,
        state: &'j [u64],
    ) -> (&'j mut Labeller, &'j Graph, StateJudge<'j, 's>) {
        let Self { blocks, members, loose, graph, labeller, permutation, moved, .. } = self;
        let exact = loose.is_empty();
        (labeller, graph, StateJudge { action, state, blocks, members, exact, permutation, moved })
    }

    /// Makes the graph of a state.
    fn extract(&mut self, state: &[u64]) {
        let Self { blocks, vertices, relations, pointers, loose, key_words, graph, edges, .. } = self;
        edges.clear();
        if !loose.is_empty() {
            graph.clear_auxiliary();
        }
        for Block { keys, first } in blocks {
            let all = graph.keys_mut();
            keys.gather(
                state,
                &mut all[*first * *key_words..][..keys.members.len() * *key_words],
                *key_words,
            );
        }
        for (relation, label) in relations {
            let [rows, columns] =
                [relation.row, relation.column].map(|axis| &vertices[axis.sort.index()][..]);
            relation.each(state, rows.len() as u32, columns.len() as u32, |row, column, value| {
                edges.push((rows[row as usize], columns[column as usize], *label + value));
            });
        }
        for (pointer, label) in pointers {
            let targets = &vertices[pointer.target.index()];
            for (&vertex, holder) in vertices[pointer.row.sort.index()].iter().zip(0..) {
                if let Some(member) = pointer.member(state, holder) {
                    edges.push((vertex, targets[member as usize], *label));
                }
            }
        }
        if !loose.is_empty() {
            loose.extract(state);
            add_loose(loose, graph, edges, *key_words);
        }
        graph.link(edges.iter().copied());
    }
}

/// Puts hyperedges into the graph: those of one member into its key.
fn add_loose(loose: &Hyperedges, graph: &mut Graph, edges: &mut Vec<(Point, Point, u32)>, key_words: usize) {
    for (label, members) in loose.iter() {
        match *members {
            [member] => {
                let word = &mut graph.keys_mut()[(member as usize + 1) * key_words - 1];
                *word = word.wrapping_add(label);
            }
            [from, to] => edges.push((from, to, LOOSE | label as u32 >> 3)),
            _ => {
                let vertex = graph.add_auxiliary(label);
                let positions = (LOOSE..).zip(members);
                edges.extend(positions.map(|(position, &member)| (vertex, member, position)));
            }
        }
    }
}

type Labelled<T> = Vec<(T, u32)>;

/// Relations cut to few bits, and pointers, with labels: a relation has one for each value.
fn labelled(layout: &Layout) -> (Labelled<PairRelation>, Labelled<Pointer>) {
    let count = |most: u32| -> u64 {
        let of_relation =
            |relation: &PairRelation| -> u64 { cuts(relation, most).map(|cut| 1u64 << cut.width).sum() };
        layout.relations.iter().map(of_relation).sum::<u64>() + layout.pointers.len() as u64
    };
    let fits = |most: &u32| count(*most) < u64::from(LOOSE);
    let most = (1..=MOST_BITS).rev().find(fits).expect("a state has fewer bits than there are labels");
    let mut next = 0;
    let mut take = |count: u32| {
        next += count;
        next - count
    };
    let cut = layout.relations.iter().flat_map(|relation| cuts(relation, most));
    let relations = cut.map(|cut| (cut, take(1 << cut.width))).collect();
    (relations, layout.pointers.iter().map(|pointer| (*pointer, take(1))).collect())
}

fn cuts(relation: &PairRelation, most: u32) -> impl Iterator<Item = PairRelation> + use<> {
    let relation = *relation;
    (0..relation.width).step_by(most as usize).map(move |at| PairRelation {
        offset: relation.offset + at,
        width: most.min(relation.width - at),
        ..relation
    })
}

impl PairRelation {
    /// Gives the pairs of a state whose bits are not all zero, with these.
    #[inline]
    fn each(&self, state: &[u64], rows: u32, columns: u32, mut each: impl FnMut(u32, u32, u32)) {
        for row in 0..rows {
            let start = self.offset + row * self.row.stride;
            if self.width == 1 && self.column.stride == 1 {
                for (chunk, width) in bits::chunks(columns) {
                    let mut rest = bits::read(state, start + chunk, width);
                    while rest != 0 {
                        each(row, chunk + rest.trailing_zeros(), 1);
                        rest &= rest - 1;
                    }
                }
                continue;
            }
            for column in 0..columns {
                let value = bits::read(state, start + column * self.column.stride, self.width);
                if value != 0 {
                    each(row, column, value as u32);
                }
            }
        }
    }
}
