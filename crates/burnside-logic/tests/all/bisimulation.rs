//! Which states are alike up to a permutation of the atoms: against the definition in small worlds, and by
//! the words that states accept.

use crate::common;

use burnside_logic::{
    Automaton, AutomatonLimits, Cube, Edge, Form, Lasso, Marks, StateId, parse, prune, simulate, translate,
};

/// All automata with two states, two atoms and one acceptance set whose labels are some of a few.
fn small(mut visit: impl FnMut(&Automaton)) {
    let labels = [Cube::literal(2, 0, true), Cube::literal(2, 1, true), Cube::literal(2, 1, false)];
    let choices = 2 * labels.len() + 1;
    for code in 0..choices.pow(4) {
        let edge = |cell: u32| {
            let choice = (code / choices.pow(cell) % choices).checked_sub(1)?;
            let (label, marks) = (labels[choice / 2].clone(), Marks(choice as u64 % 2));
            Some(Edge { label, marks, target: StateId(cell % 2) })
        };
        let edges = [[0, 1], [2, 3]].map(|cells| cells.into_iter().filter_map(edge).collect());
        visit(&Automaton { atoms: 2, sets: 1, initial: vec![StateId(0)], edges: edges.to_vec() });
    }
}

/// The greatest relation of which both directions of the definition are true, letter by letter.
fn naive(automaton: &Automaton, images: &[u32]) -> Vec<Vec<bool>> {
    let states = automaton.len();
    let mut related = vec![vec![true; states]; states];
    let moved = |letter: u64| images.iter().enumerate().fold(0, |to, (i, &j)| to | (letter >> i & 1) << j);
    let reads = |state: usize, letter: u64| {
        let edges = automaton.edges[state].iter().filter(move |edge| edge.label.holds(&[letter]));
        edges.map(|edge| (edge.marks, edge.target.index()))
    };
    loop {
        let mut changed = false;
        for a in 0..states {
            for b in 0..states {
                let fits = (0..1 << automaton.atoms).all(|letter| {
                    let there = moved(letter);
                    let answers = |m: Marks, x: usize, n: Marks, y: usize| m == n && related[x][y];
                    reads(a, letter).all(|(m, x)| reads(b, there).any(|(n, y)| answers(m, x, n, y)))
                        && reads(b, there).all(|(n, y)| reads(a, letter).any(|(m, x)| answers(m, x, n, y)))
                });
                if related[a][b] && !fits {
                    related[a][b] = false;
                    changed = true;
                }
            }
        }
        if !changed {
            return related;
        }
    }
}

#[test]
fn small_automata_by_the_definition() {
    let words = common::words(2, 2, 2);
    let (mut swapped, mut merged) = (0, 0);
    small(|automaton| {
        let form = Form::of(automaton);
        let reduced = form.automaton();
        for word in &words {
            assert_eq!(word.is_accepted(automaton), word.is_accepted(reduced), "{automaton:?}");
        }
        merged += usize::from(reduced.len() == 1);
        for images in [[0, 1], [1, 0]] {
            let naive = naive(reduced, &images);
            let found = form.related(&images);
            for (a, row) in naive.iter().enumerate() {
                let to = row.iter().position(|&related| related);
                assert_eq!(found[a].as_ref().map(|image| image.state.index()), to, "{reduced:?}");
                assert!(row.iter().filter(|related| **related).count() <= 1, "{reduced:?}");
                swapped += usize::from(images == [1, 0] && to.is_some_and(|to| to != a));
            }
        }
    });
    assert!(swapped >= 24 && merged > 100, "{swapped} {merged}");
}

/// A related state accepts the renamed words.
#[test]
fn related_states_accept_renamed_words() {
    let mut random = common::Random(7);
    let words = common::words(1, 2, 3);
    let permutations = [[1, 0, 2], [0, 2, 1], [2, 1, 0], [1, 2, 0]];
    let mut related = 0;
    for _ in 0..400 {
        let formula = random.formula(7, 3);
        let automaton = translate(&formula, 3, &AutomatonLimits::default()).expect("it is small");
        let form = Form::of(&automaton);
        for word in &words {
            assert_eq!(word.is_accepted(form.automaton()), word.satisfies(&formula));
        }
        related += permutations.iter().map(|images| renamed_words(&form, images, &words)).sum::<usize>();
    }
    assert!(related > 100, "{related}");
}

/// How many states are related to one by a permutation; each of these accepts the renamed words.
fn renamed_words(form: &Form, images: &[u32], words: &[Lasso]) -> usize {
    let mut related = 0;
    for (state, image) in form.related(images).into_iter().enumerate() {
        let Some(image) = image else { continue };
        related += 1;
        let from = |state: u32| Automaton { initial: vec![StateId(state)], ..form.automaton().clone() };
        let (mine, theirs) = (from(state as u32), from(image.state.0));
        for word in words {
            let mut moved = word.clone();
            for letter in moved.stem.iter_mut().chain(&mut moved.cycle) {
                let (bits, atoms) = (letter[0], images.iter().enumerate());
                letter[0] = atoms.fold(0, |to, (i, &image)| to | (bits >> i & 1) << image);
            }
            assert_eq!(word.is_accepted(&mine), moved.is_accepted(&theirs), "{:?}", form.automaton());
        }
    }
    related
}

/// Random automata with three acceptance sets and many parallel edges, each with some of the marks: half of
/// them are made symmetric by a renamed copy of each edge.
#[test]
fn parallel_edges_have_their_marks_together() {
    let mut random = common::Random(0x2545_f491_4f6c_dd1d);
    let words = common::words(1, 2, 2);
    let (mut related, mut dropped, mut moved) = (0, 0, 0);
    for round in 0..1_500 {
        let mut edges = vec![Vec::new(); 2];
        for _ in 0..3 + random.below(8) {
            let mut label = Cube::top(2);
            let mut swapped = Cube::top(2);
            for atom in 0..2 {
                let choice = random.below(3);
                if choice < 2 {
                    label.set(atom, choice == 1);
                    swapped.set(1 - atom, choice == 1);
                }
            }
            let (source, target, marks) = (random.below(2), StateId(random.below(2) as u32), random.below(8));
            edges[source].push(Edge { label, marks: Marks(marks as u64), target });
            // Along with the atoms the first two sets are swapped.
            let marks = Marks((marks & 4 | (marks & 1) << 1 | (marks & 2) >> 1) as u64);
            if round % 2 == 0 {
                edges[source].push(Edge { label: swapped, marks, target });
            }
        }
        let automaton = Automaton { atoms: 2, sets: 3, initial: vec![StateId(0)], edges };
        let (form, small, smaller) = (Form::of(&automaton), prune(&automaton), simulate(&automaton));
        dropped += automaton.edge_count() - small.edge_count();
        for word in &words {
            let expected = word.is_accepted(&automaton);
            assert_eq!(word.is_accepted(form.automaton()), expected, "{automaton:?}");
            assert_eq!(word.is_accepted(&small), expected, "{automaton:?}");
            assert_eq!(word.is_accepted(&smaller), expected, "{automaton:?}");
        }
        related += renamed_words(&form, &[1, 0], &words);
        let images = form.related(&[1, 0]).into_iter().flatten();
        moved += images.filter(|image| !image.marks.is_sorted()).count();
    }
    assert!(related > 300 && dropped > 1_000 && moved > 20, "{related} {dropped} {moved}");
}

fn form(text: &str) -> Form {
    let parsed = parse(text).expect("a formula");
    Form::of(
        &translate(&parsed.formula, parsed.names.len() as u32, &AutomatonLimits::default())
            .expect("it is small"),
    )
}

#[test]
fn acceptance_sets_move_along() {
    let form = form("G F a && G F b && G F c");
    assert_eq!(form.automaton().len(), 1);
    assert_eq!(form.automaton().sets, 3);
    for (images, expected) in [([1, 0, 2], [1, 0, 2]), ([1, 2, 0], [1, 2, 0]), ([0, 1, 2], [0, 1, 2])] {
        let image = form.related(&images)[0].clone().expect("it is symmetric");
        let set_of = |atom: u32| {
            let with = |set: &u32| {
                let edges = form.automaton().edges[0].iter().filter(|edge| edge.marks.has(*set));
                edges.clone().count() > 0 && edges.clone().all(|edge| edge.label.get(atom) == Some(true))
            };
            (0..3).find(with).expect("each atom has a set")
        };
        for atom in 0..3 {
            assert_eq!(image.marks[set_of(atom) as usize], set_of(expected[atom as usize]));
        }
    }
}

/// The paper's formula: no permutation leaves it as it is, yet pairs of its states are related.
#[test]
fn the_formula_of_the_paper() {
    let form = form("((p1 U p3) || (p2 U p3)) && (p1 U p2)");
    let initial = form.automaton().initial.clone();
    let mut pairs = 0;
    for images in [[1, 0, 2], [0, 2, 1], [2, 1, 0]] {
        let related = form.related(&images);
        assert!(initial.iter().all(|state| related[state.index()].is_none()));
        pairs += related.iter().flatten().count();
    }
    assert_eq!((form.automaton().len(), pairs), (6, 8));
}
