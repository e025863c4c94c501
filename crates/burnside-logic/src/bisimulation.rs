//! Automata whose states differ in what they do, and which of their states are alike up to a permutation of
//! the atoms.
//!
//! Entry points: [`Form::of`], [`Form::related`]. States are *bisimilar* if, letter by letter, each answers
//! the edges of the other by edges with the same marks to bisimilar states; in a form such states are one,
//! and the letters that lead from one state to another with some marks are listed in a way that depends on
//! nothing else (`letters`). A state `b` is related to `b'` by a permutation `π` of the atoms if
//! `b'` does with renamed letters what `b` does: a *bisimulation up to*
//! `π`. It is required in both directions. In one direction only it would be a simulation, and runs of `b'`
//! that `b` does not have would be lost by whoever takes `b` for `b'`.
//!
//! Acceptance sets may be permuted along. A mark means something inside a component only, so each component
//! has a permutation of its own. It is found by the letters that each set is seen with; sets that these do
//! not tell apart are tried in one order only. What comes back is always an isomorphism of the parts of the
//! automaton that can be reached: it is looked at once more before it is believed. Relations that are not
//! found cost some reduction and nothing else.

use crate::components::Components;
use crate::letters::primes;
use crate::prune::{components, marks_of_components, merge_parallel, prune, replace};
use crate::span::drop_spanned;
use crate::{Automaton, Cube, Edge, Marks, StateId};
use burnside_limits::poll;
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash;

/// Where a permutation of the atoms takes a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Image {
    /// The state that does with renamed letters what this one does.
    pub state: StateId,
    /// Where the acceptance sets of this state's component go.
    pub marks: Vec<u32>,
}

/// The letters that lead to a state, with a mark or with any.
#[derive(Clone, Debug)]
struct Bundle {
    target: usize,
    /// One at most.
    marks: Marks,
    letters: Vec<Cube>,
}

/// An automaton without bisimilar states.
#[derive(Clone, Debug)]
pub struct Form {
    automaton: Automaton,
    bundles: Vec<Vec<Bundle>>,
    /// For each state its component.
    component: Vec<usize>,
    /// For each component whether runs that stay there can be accepted.
    accepting: Vec<bool>,
}

impl Form {
    /// An automaton for the same words in which no two states are bisimilar.
    pub fn of(automaton: &Automaton) -> Self {
        let mut form = Self::new(prune(automaton));
        form.number_marks();
        let same = form.bisimilar();
        replace(&mut form.automaton, &same);
        let mut form = Self::new(form.automaton);
        let edge = |bundle: &Bundle, label: &Cube| Edge {
            label: label.clone(),
            marks: bundle.marks,
            target: StateId(bundle.target as u32),
        };
        let edges = |bundles: &Vec<Bundle>| {
            bundles.iter().flat_map(|bundle| bundle.letters.iter().map(|label| edge(bundle, label))).collect()
        };
        form.automaton.edges = form.bundles.iter().map(edges).collect();
        form.automaton.edges.iter_mut().for_each(merge_parallel);
        form.automaton.edges.iter_mut().for_each(drop_spanned);
        form
    }

    fn new(automaton: Automaton) -> Self {
        let Components { of, count } = components(&automaton);
        let seen = marks_of_components(&automaton, &Components { of: of.clone(), count });
        let all = Marks::all(automaton.sets);
        let bundles = automaton.edges.iter().map(|edges| bundles(edges, |target| target)).collect();
        Self {
            bundles,
            component: of.into_iter().map(|component| component as usize).collect(),
            accepting: seen.into_iter().map(|marks| marks == Some(all)).collect(),
            automaton,
        }
    }

    /// The automaton.
    pub fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    /// How many literals its labels have, and some more for each edge: what one comparison costs.
    pub fn size(&self) -> usize {
        let letters = self.bundles.iter().flatten().flat_map(|bundle| &bundle.letters);
        self.automaton.len() + letters.map(|cube| 4 + cube.size() as usize).sum::<usize>()
    }

    /// Numbers the acceptance sets of each component by the letters they are seen with.
    fn number_marks(&mut self) {
        let mut names = Names::default();
        let copy = Copy::of(self, &mut names, |cube| cube.clone());
        for (state, edges) in self.automaton.edges.iter_mut().enumerate() {
            let keys = &copy.keys[self.component[state]];
            let mut order: Vec<usize> = (0..keys.len()).collect();
            order.sort_by_key(|&set| names.sets.list[keys[set] as usize].clone());
            let number = |marks: Marks| {
                let sets = order.iter().enumerate();
                Marks(sets.fold(0, |marked, (new, &old)| marked | u64::from(marks.has(old as u32)) << new))
            };
            if self.accepting[self.component[state]] {
                edges.iter_mut().for_each(|edge| edge.marks = number(edge.marks));
            }
        }
        self.bundles = self.automaton.edges.iter().map(|edges| bundles(edges, |target| target)).collect();
    }

    /// For each state the first one that is bisimilar.
    fn bisimilar(&self) -> Vec<StateId> {
        let signature = |state: usize, classes: &[u32]| {
            let edges = &self.automaton.edges[state];
            let bundles = bundles(edges, |target| classes[target] as usize);
            bundles.into_iter().map(|it| (it.target, it.marks, it.letters)).collect::<Vec<_>>()
        };
        let classes = refine(self.automaton.len(), signature);
        let mut first: HashMap<u32, StateId> = HashMap::new();
        let states = (0..self.automaton.len() as u32).map(StateId);
        states.map(|state| *first.entry(classes[state.index()]).or_insert(state)).collect()
    }

    /// For each state where a permutation of the atoms takes it, if anywhere. `images` says where each atom
    /// goes.
    pub fn related(&self, images: &[u32]) -> Vec<Option<Image>> {
        poll();
        let mut names = Names::default();
        let renamed = |cube: &Cube| {
            let mut moved = Cube::top(self.automaton.atoms);
            cube.literals().for_each(|(atom, positive)| moved.set(images[atom as usize], positive));
            moved
        };
        let copies = [Copy::of(self, &mut names, renamed), Copy::of(self, &mut names, Cube::clone)];
        let states = self.automaton.len();
        let signature = |node: usize, classes: &[u32]| {
            let (copy, state) = (node / states, node % states);
            let edge = |(i, bundle): (usize, &Bundle)| {
                let target = classes[copy * states + bundle.target];
                (copies[copy].marks[state][i], target, copies[copy].letters[state][i])
            };
            let mut edges: Vec<_> = self.bundles[state].iter().enumerate().map(edge).collect();
            edges.sort_unstable();
            edges
        };
        let classes = refine(2 * states, signature);
        let mut alike: HashMap<u32, [Vec<usize>; 2]> = HashMap::new();
        for (node, &class) in classes.iter().enumerate() {
            alike.entry(class).or_default()[node / states].push(node % states);
        }
        let partner = |state: usize| match &alike[&classes[state]] {
            [mine, theirs] if mine.len() == 1 && theirs.len() == 1 => Some(theirs[0]),
            _ => None,
        };
        let mut partners: Vec<Option<usize>> = (0..states).map(partner).collect();
        while self.drop_wrong(&copies, &mut partners) {}
        let image = |(state, partner): (usize, &Option<usize>)| {
            let to = (*partner)?;
            Some(Image { state: StateId(to as u32), marks: self.marks(&copies, state, to)? })
        };
        partners.iter().enumerate().map(image).collect()
    }

    /// Where the acceptance sets go if a state goes to another.
    fn marks(&self, copies: &[Copy; 2], from: usize, to: usize) -> Option<Vec<u32>> {
        let (from, to) = (self.component[from], self.component[to]);
        if !self.accepting[from] || !self.accepting[to] {
            let neither = !self.accepting[from] && !self.accepting[to];
            return neither.then(|| (0..self.automaton.sets).collect());
        }
        let there = &copies[1].keys[to];
        let find = |key: &u32| there.iter().position(|other| other == key).map(|set| set as u32);
        copies[0].keys[from].iter().map(find).collect()
    }

    /// Takes the partners away from states whose edges are not those of the partner. Says whether there were
    /// any.
    fn drop_wrong(&self, copies: &[Copy; 2], partners: &mut [Option<usize>]) -> bool {
        let right = |state: usize, to: usize| {
            let marks = self.marks(copies, state, to)?;
            let moved = |from: Marks| {
                let sets = marks.iter().enumerate();
                sets.fold(0, |all, (set, &image)| all | u64::from(from.has(set as u32)) << image)
            };
            let mine = self.bundles[state].iter().enumerate().map(|(i, bundle)| {
                Some((partners[bundle.target]?, moved(bundle.marks), copies[0].letters[state][i]))
            });
            let mut mine: Vec<_> = mine.collect::<Option<_>>()?;
            let theirs = self.bundles[to].iter().enumerate();
            let mut theirs: Vec<_> =
                theirs.map(|(i, bundle)| (bundle.target, bundle.marks.0, copies[1].letters[to][i])).collect();
            mine.sort_unstable();
            theirs.sort_unstable();
            (mine == theirs).then_some(())
        };
        let wrong: Vec<usize> = (partners.iter().enumerate())
            .filter(|&(state, partner)| partner.is_some_and(|to| right(state, to).is_none()))
            .map(|(state, _)| state)
            .collect();
        wrong.iter().for_each(|&state| partners[state] = None);
        !wrong.is_empty()
    }
}

/// The letters that lead somewhere, and those that do with a mark, for each mark, in this order: what counts
/// of parallel edges (`span`).
fn bundles(edges: &[Edge], target: impl Fn(usize) -> usize) -> Vec<Bundle> {
    poll();
    let mut found: BTreeMap<(usize, Marks), Vec<Cube>> = BTreeMap::new();
    for edge in edges {
        for marks in std::iter::once(Marks(0)).chain(edge.marks.each()) {
            found.entry((target(edge.target.index()), marks)).or_default().push(edge.label.clone());
        }
    }
    let bundle = |((target, marks), cubes): (_, Vec<Cube>)| Bundle { target, marks, letters: primes(&cubes) };
    found.into_iter().map(bundle).collect()
}

/// The coarsest classes of nodes such that two of a class have the same signature.
fn refine<S: Eq + Hash>(nodes: usize, signature: impl Fn(usize, &[u32]) -> S) -> Vec<u32> {
    let mut classes = vec![0; nodes];
    let mut count = usize::from(nodes > 0);
    loop {
        let mut known: HashMap<(u32, S), u32> = HashMap::new();
        let next: Vec<u32> = (0..nodes)
            .map(|node| {
                let fresh = known.len() as u32;
                *known.entry((classes[node], signature(node, &classes))).or_insert(fresh)
            })
            .collect();
        if known.len() == count {
            return classes;
        }
        (classes, count) = (next, known.len());
    }
}

/// Numbers for things, the same for equal ones.
#[derive(Default)]
struct Numbers<T> {
    of: HashMap<T, u32>,
    list: Vec<T>,
}

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn number(&mut self, thing: T) -> u32 {
        let next = self.list.len() as u32;
        let number = *self.of.entry(thing.clone()).or_insert(next);
        if number == next {
            self.list.push(thing);
        }
        number
    }
}

/// Numbers for sets of letters, for acceptance sets by what they are seen with and how many before them are
/// seen with the same, and for sets of those.
#[derive(Default)]
struct Names {
    letters: Numbers<Vec<Cube>>,
    sets: Numbers<(Vec<Vec<Cube>>, u32)>,
    marks: Numbers<Vec<u32>>,
}

/// A form with its atoms renamed, in numbers.
struct Copy {
    /// By state and bundle: its letters.
    letters: Vec<Vec<u32>>,
    /// By state and bundle: its marks; none count between components.
    marks: Vec<Vec<u32>>,
    /// By component and acceptance set, if runs can be accepted there.
    keys: Vec<Vec<u32>>,
}

impl Copy {
    fn of(form: &Form, names: &mut Names, rename: impl Fn(&Cube) -> Cube) -> Self {
        let renamed = |bundle: &Bundle| {
            let mut letters: Vec<Cube> = bundle.letters.iter().map(&rename).collect();
            letters.sort_unstable();
            letters
        };
        let lists: Vec<Vec<Vec<Cube>>> =
            form.bundles.iter().map(|bundles| bundles.iter().map(renamed).collect()).collect();
        let keys: Vec<Vec<u32>> =
            (0..form.accepting.len()).map(|component| keys(form, names, component, &lists)).collect();
        let marked = |state: usize, bundle: &Bundle| {
            let component = form.component[state];
            let counts = form.accepting[component] && form.component[bundle.target] == component;
            let keys = keys[component].iter().enumerate();
            let mut marks: Vec<u32> = keys
                .filter(|&(set, _)| counts && bundle.marks.has(set as u32))
                .map(|(_, &key)| key)
                .collect();
            marks.sort_unstable();
            marks
        };
        let mut marks = Vec::new();
        for (state, bundles) in form.bundles.iter().enumerate() {
            marks.push(bundles.iter().map(|bundle| names.marks.number(marked(state, bundle))).collect());
        }
        let numbered = |lists: Vec<Vec<Cube>>| {
            lists.into_iter().map(|letters| names.letters.number(letters)).collect::<Vec<u32>>()
        };
        Self { letters: lists.into_iter().map(numbered).collect(), marks, keys }
    }
}

/// A number for each acceptance set of a component: by the letters that it is seen with there.
fn keys(form: &Form, names: &mut Names, component: usize, lists: &[Vec<Vec<Cube>>]) -> Vec<u32> {
    poll();
    if !form.accepting[component] {
        return Vec::new();
    }
    let mut seen: Vec<Vec<Vec<Cube>>> = vec![Vec::new(); form.automaton.sets as usize];
    for (state, bundles) in form.bundles.iter().enumerate() {
        for (bundle, letters) in bundles.iter().zip(&lists[state]) {
            if form.component[state] == component && form.component[bundle.target] == component {
                let sets = seen.iter_mut().enumerate();
                sets.filter(|(set, _)| bundle.marks.has(*set as u32))
                    .for_each(|(_, seen)| seen.push(letters.clone()));
            }
        }
    }
    let mut known: HashMap<Vec<Vec<Cube>>, u32> = HashMap::new();
    let key = |mut seen: Vec<Vec<Cube>>| {
        seen.sort_unstable();
        let before = known.entry(seen.clone()).or_insert(0);
        *before += 1;
        names.sets.number((seen, *before))
    };
    seen.into_iter().map(key).collect()
}
