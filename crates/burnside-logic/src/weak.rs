//! Least deterministic automata for obligations, after Dax, Eisinger and Klaedtke (ATVA 2007).
//!
//! Entry point: [`determinise`]. An obligation is a Boolean combination of safety and guarantee. For its
//! automaton the subset construction, with each component accepting or rejecting as a whole, is right; which
//! of both, one word that loops in the component tells. The result is made least as Löding (IPL 2001) does:
//! components are coloured so that states with the same futures have the same colour, then states are told
//! apart as in finite automata.
//!
//! Edges are kept as decision diagrams over the atoms, so that equal functions are equal numbers. Gives up if
//! there are too many subsets. The automaton must be one of an obligation: [`is_obligation`] looks at the
//! formula's form.

use burnside_limits::poll;
use std::collections::{HashMap, HashSet};

use crate::components::Components;
use crate::normal::{Id, Node, Normal};
use crate::{Automaton, Cube, Edge, Lasso, Marks, StateId};

/// Diagrams over more atoms are not built: they are walked by recursion.
const MOST_ATOMS: usize = 100;

/// The most decisions on the way to all edges together.
const MOST_DECISIONS: usize = 10_000;

/// Whether a formula is a Boolean combination of safety and guarantee by its form.
pub(crate) fn is_obligation(normal: &Normal, formula: Id) -> bool {
    // Safety, guarantee, obligation.
    let mut classes: Vec<[bool; 3]> = Vec::new();
    for index in 0..=formula.index() {
        let of = |id: Id| classes[id.index()];
        let both = |a: [bool; 3], b: [bool; 3]| [0, 1, 2].map(|class| a[class] && b[class]);
        let [safety, guarantee, obligation] = match normal.node(Id(index as u32)) {
            Node::False | Node::True | Node::Literal(..) => [true; 3],
            Node::And(all) | Node::Or(all) => all.iter().fold([true; 3], |class, &id| both(class, of(id))),
            &Node::Next(a) => of(a),
            &Node::Until(a, b) => [false, of(a)[1] && of(b)[1], of(a)[2] && of(b)[1]],
            &Node::StrongRelease(a, b) => [false, of(a)[1] && of(b)[1], of(a)[1] && of(b)[2]],
            &Node::Release(a, b) => [of(a)[0] && of(b)[0], false, of(a)[2] && of(b)[0]],
            &Node::WeakUntil(a, b) => [of(a)[0] && of(b)[0], false, of(a)[0] && of(b)[2]],
        };
        classes.push([safety, guarantee, safety || guarantee || obligation]);
    }
    classes[formula.index()][2]
}

/// An automaton for all other words, given one that [`determinise`] made.
pub(crate) fn complement(automaton: &Automaton) -> Automaton {
    let flip = |edge: &Edge| Edge { marks: Marks(edge.marks.0 ^ 1), ..edge.clone() };
    let edges = automaton.edges.iter().map(|edges| edges.iter().map(flip).collect()).collect();
    Automaton { edges, ..automaton.clone() }
}

/// Functions from letters to numbers, as decision diagrams in which each function occurs once.
#[derive(Default)]
struct Functions {
    nodes: Vec<Function>,
    known: HashMap<Function, u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash)]
enum Function {
    Value(u32),
    /// The atom, the function if it is false, the function if it is true.
    If(u32, u32, u32),
}

impl Functions {
    fn add(&mut self, function: Function) -> u32 {
        poll();
        if let Function::If(_, no, yes) = function
            && no == yes
        {
            return no;
        }
        *self.known.entry(function).or_insert_with(|| {
            self.nodes.push(function);
            self.nodes.len() as u32 - 1
        })
    }

    /// The function with other values.
    fn map(
        &mut self,
        function: u32,
        value: &mut impl FnMut(u32) -> u32,
        done: &mut HashMap<u32, u32>,
    ) -> u32 {
        if let Some(&result) = done.get(&function) {
            return result;
        }
        let result = match self.nodes[function as usize] {
            Function::Value(old) => {
                let value = value(old);
                self.add(Function::Value(value))
            }
            Function::If(atom, no, yes) => {
                let no = self.map(no, value, done);
                let yes = self.map(yes, value, done);
                self.add(Function::If(atom, no, yes))
            }
        };
        done.insert(function, result);
        result
    }

    /// The values of a function with the cubes on which it has them.
    fn paths(&self, function: u32, cube: &Cube, found: &mut Vec<(Cube, u32)>) {
        poll();
        match self.nodes[function as usize] {
            Function::Value(value) => found.push((cube.clone(), value)),
            Function::If(atom, no, yes) => {
                for (side, value) in [(no, false), (yes, true)] {
                    let mut cube = cube.clone();
                    cube.set(atom, value);
                    self.paths(side, &cube, found);
                }
            }
        }
    }
}

struct Subsets<'a> {
    automaton: &'a Automaton,
    functions: Functions,
    known: HashMap<Vec<StateId>, u32>,
    subsets: Vec<Vec<StateId>>,
    /// The successor of each subset as a function of the letter.
    next: Vec<u32>,
    most: usize,
}

/// The least deterministic automaton of an obligation, given any automaton of it; none if there are more
/// subsets of its states than that, or too many atoms to decide one after another.
pub(crate) fn determinise(automaton: &Automaton, most: usize) -> Option<Automaton> {
    let labels = automaton.edges.iter().flatten().map(|edge| &edge.label);
    let atoms: HashSet<u32> = labels.flat_map(Cube::literals).map(|(atom, _)| atom).collect();
    if atoms.len() > MOST_ATOMS {
        return None;
    }
    let mut subsets = Subsets {
        automaton,
        functions: Functions::default(),
        known: HashMap::new(),
        subsets: Vec::new(),
        next: Vec::new(),
        most,
    };
    subsets.enter(automaton.initial.clone());
    let mut budget = MOST_DECISIONS;
    while subsets.next.len() < subsets.subsets.len() {
        let subset = &subsets.subsets[subsets.next.len()];
        let edges: Vec<&Edge> = subset.iter().flat_map(|state| &automaton.edges[state.index()]).collect();
        let next = subsets.successors(&edges, &Cube::top(automaton.atoms), &mut budget)?;
        subsets.next.push(next);
    }
    Some(subsets.finish())
}

impl Subsets<'_> {
    fn enter(&mut self, mut subset: Vec<StateId>) -> u32 {
        subset.sort_unstable();
        subset.dedup();
        let new = self.subsets.len() as u32;
        *self.known.entry(subset).or_insert_with_key(|subset| {
            self.subsets.push(subset.clone());
            new
        })
    }

    /// Where edges lead, as a function of the letters of the cube.
    fn successors(&mut self, edges: &[&Edge], cube: &Cube, budget: &mut usize) -> Option<u32> {
        poll();
        let open =
            |edge: &&Edge| edge.label.literals().map(|(atom, _)| atom).find(|&atom| cube.get(atom).is_none());
        let Some(atom) = edges.iter().filter_map(open).min() else {
            let subset = self.enter(edges.iter().map(|edge| edge.target).collect());
            return (self.subsets.len() <= self.most).then(|| self.functions.add(Function::Value(subset)));
        };
        *budget = budget.checked_sub(1)?;
        let mut side = |value: bool| {
            let mut cube = cube.clone();
            cube.set(atom, value);
            let edges: Vec<&Edge> =
                edges.iter().copied().filter(|edge| !edge.label.disjoint(&cube)).collect();
            self.successors(&edges, &cube, budget)
        };
        let (no, yes) = (side(false)?, side(true)?);
        Some(self.functions.add(Function::If(atom, no, yes)))
    }

    fn finish(mut self) -> Automaton {
        let edges: Vec<Vec<(Cube, u32)>> = self
            .next
            .iter()
            .map(|&next| {
                let mut paths = Vec::new();
                self.functions.paths(next, &Cube::top(self.automaton.atoms), &mut paths);
                paths
            })
            .collect();
        let components = Components::of(edges.len(), [0], |state, i| Some(edges[state].get(i)?.1 as usize));
        let colours = self.colours(&edges, &components);
        let classes = self.classes(colours.clone());
        let count = 1 + classes.iter().max().copied().unwrap_or(0) as usize;
        let mut result = Automaton {
            atoms: self.automaton.atoms,
            sets: 1,
            initial: vec![StateId(classes[0])],
            edges: vec![Vec::new(); count],
        };
        for (state, edges) in edges.into_iter().enumerate() {
            let class = classes[state] as usize;
            // Even colours accept.
            let marks = Marks(u64::from(colours[state].is_multiple_of(2)));
            let edge = |(label, target): (Cube, u32)| Edge {
                label,
                marks,
                target: StateId(classes[target as usize]),
            };
            if result.edges[class].is_empty() {
                result.edges[class] = edges.into_iter().map(edge).collect();
            }
        }
        result
    }

    /// Even for the states of accepting components, odd for those of rejecting ones; never less than after an
    /// edge, and as little more as possible. A state on no loop has the colour that lets it equal most.
    fn colours(&self, edges: &[Vec<(Cube, u32)>], components: &Components) -> Vec<u32> {
        let mut order: Vec<usize> = (0..edges.len()).collect();
        order.sort_by_key(|&state| components.of[state]);
        let mut of_component: Vec<u32> = vec![0; components.count];
        for group in order.chunk_by(|&a, &b| components.same(a, b)) {
            let component = components.of[group[0]];
            let targets = group.iter().flat_map(|&state| &edges[state]).map(|(_, target)| *target as usize);
            let below = targets.map(|target| components.of[target]).filter(|&other| other != component);
            let least = below.map(|other| of_component[other as usize]).max().unwrap_or(0);
            of_component[component as usize] = match self.word(group[0], edges, components) {
                None => least,
                Some(word) => {
                    let start =
                        Automaton { initial: self.subsets[group[0]].clone(), ..self.automaton.clone() };
                    let odd = u32::from(!word.is_accepted(&start));
                    least + (least % 2 + odd) % 2
                }
            };
        }
        components.of.iter().map(|&component| of_component[component as usize]).collect()
    }

    /// A word that leads from a state to itself within its component, for ever.
    fn word(&self, start: usize, edges: &[Vec<(Cube, u32)>], components: &Components) -> Option<Lasso> {
        let mut from: HashMap<usize, (usize, &Cube)> = HashMap::new();
        let mut open = vec![start];
        while let Some(state) = open.pop() {
            for (label, target) in edges[state].iter().map(|(label, target)| (label, *target as usize)) {
                if components.same(start, target) && !from.contains_key(&target) {
                    from.insert(target, (state, label));
                    open.push(target);
                }
            }
        }
        let mut cycle = Vec::new();
        let mut state = start;
        loop {
            let (before, label) = from.get(&state)?;
            cycle.push(label.value.clone());
            state = *before;
            if state == start {
                cycle.reverse();
                return Some(Lasso { stem: Vec::new(), cycle });
            }
        }
    }

    /// The classes of states that no word tells apart, refined from their colours; in order of their first
    /// states.
    fn classes(&mut self, mut classes: Vec<u32>) -> Vec<u32> {
        let mut count = 0;
        loop {
            let mut done = HashMap::new();
            let mut known: HashMap<(u32, u32), u32> = HashMap::new();
            let mut refined = Vec::new();
            for (state, &next) in self.next.iter().enumerate() {
                let next = self.functions.map(next, &mut |target| classes[target as usize], &mut done);
                let new = known.len() as u32;
                refined.push(*known.entry((classes[state], next)).or_insert(new));
            }
            classes = refined;
            if known.len() == count {
                return classes;
            }
            count = known.len();
        }
    }
}
