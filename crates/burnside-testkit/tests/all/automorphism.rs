//! Generators of symmetry blocks on random models: the symbolic run of rules agrees with the interpreter, no
//! generator that is accepted changes anything, and every one that is refused with an example is refused
//! rightly (the interpreter has confirmed it).

use burnside::{CheckError, LoadOptions, Model, Options, Symmetry, check};
use burnside_symbolic::symmetry::proof::audit;
use burnside_testkit::cases::{are_all, seeds};
use burnside_testkit::equivariance;
use burnside_testkit::generate::{Flavor, generate};
use burnside_ts::{Interpreter, Machine, Outcome, System, Type};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;
use std::path::Path;

struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 9) as usize % limit
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The first states that can be reached.
fn some_states(system: &System, limit: usize) -> Vec<Vec<u64>> {
    let mut machine = Interpreter::new(system);
    let (mut states, mut known) = (Vec::new(), BTreeSet::new());
    machine.initial(&mut |outcome| {
        if let Outcome::State(state) = outcome
            && known.insert(state.to_vec())
        {
            states.push(state.to_vec());
        }
        if states.len() < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    let mut next = 0;
    while next < states.len() && states.len() < limit {
        let state = states[next].clone();
        next += 1;
        machine.successors(&state, &mut |_: burnside_ts::Label<'_>, outcome: Outcome<'_>| {
            if let Outcome::State(state) = outcome
                && known.insert(state.to_vec())
            {
                states.push(state.to_vec());
            }
            ControlFlow::Continue(())
        });
    }
    states.truncate(limit);
    states
}

#[test]
fn rules_on_all_states_at_once_agree_with_the_interpreter() {
    let mut compared = 0;
    for (flavor, usual) in [(Flavor::Any, 0..80), (Flavor::Symmetric, 0..20)] {
        for seed in seeds(usual) {
            let text = generate(seed, flavor).text;
            let Ok(model) = Model::load(&text, &LoadOptions::new()).model else { continue };
            let states = some_states(&model.system, 25);
            match audit(&model.system, &states) {
                Ok(count) => compared += count,
                Err(problem) => panic!("seed {seed}: {problem}\n{text}"),
            }
        }
    }
    println!("{compared} rules and states compared");
    assert!(!are_all() || compared > 1_000, "only {compared}");
}

#[test]
fn rules_of_examples_agree_with_the_interpreter() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let mut compared = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let text = std::fs::read_to_string(entry.unwrap().path()).unwrap_or_default();
        let Ok(model) = Model::load(&text, &LoadOptions::new()).model else { continue };
        compared += audit(&model.system, &some_states(&model.system, 10)).unwrap();
    }
    println!("{compared} rules and states compared");
    assert!(compared > 100, "only {compared}");
}

/// The types that a generator could move, with their elements as they are written.
fn permutable(system: &System) -> Vec<(String, Vec<String>)> {
    let mut found = Vec::new();
    for (id, ty) in system.types.iter() {
        let (name, elements) = match *ty {
            Type::Enum(id) => {
                let it = system.types.enumeration(id);
                (it.name.clone(), it.constants.clone())
            }
            Type::Range { lo, hi } => match system.types.range_name(id) {
                Some(name) if hi - lo < 12 => {
                    (name.to_string(), (lo..=hi).map(|value| value.to_string()).collect())
                }
                _ => continue,
            },
            Type::Sort(id) => {
                let it = system.types.sort(id);
                let numbers = || (0..it.size).map(|element| element.to_string()).collect();
                (it.name.clone(), it.labels.clone().unwrap_or_else(numbers))
            }
            _ => continue,
        };
        if elements.len() > 1 && elements.len() < 12 && !name.contains('.') {
            found.push((name, elements));
        }
    }
    found
}

fn block(random: &mut Random, types: &[(String, Vec<String>)]) -> String {
    let mut parts = Vec::new();
    let count = 1 + random.below(2).min(types.len() - 1);
    let mut chosen: Vec<&(String, Vec<String>)> = types.iter().collect();
    random.shuffle(&mut chosen);
    for (name, elements) in &chosen[..count] {
        let mut elements = elements.clone();
        random.shuffle(&mut elements);
        let first = 2 + random.below(elements.len() - 1);
        let mut part = format!("{name} ({})", elements[..first].join(" "));
        if elements.len() >= first + 2 && random.below(2) == 0 {
            part.push_str(&format!("({})", elements[first..first + 2].join(" ")));
        }
        parts.push(part);
    }
    format!("\nsymmetry {{ {}; }}\n", parts.join(", "))
}

#[test]
fn random_generators_change_nothing_if_accepted() {
    let mut tally: BTreeMap<&str, u32> = BTreeMap::new();
    for (flavor, usual) in [(Flavor::Any, 0..30), (Flavor::Symmetric, 1000..1030)] {
        for seed in seeds(usual) {
            let mut random = Random(0x1234_5678_9abc_def1 ^ seed);
            let text = generate(seed, flavor).text;
            let Ok(plain) = Model::load(&text, &LoadOptions::new()).model else { continue };
            let types = permutable(&plain.system);
            if types.is_empty() {
                continue;
            }
            for _ in 0..3 {
                let text = format!("{text}{}", block(&mut random, &types));
                let loaded = Model::load(&text, &LoadOptions::new());
                let Ok(model) = loaded.model else {
                    let refused = loaded.diagnostics.iter().any(|d| d.code == "not-a-symmetry");
                    assert!(refused, "{:#?}\n{text}", loaded.diagnostics);
                    *tally.entry("refused").or_default() += 1;
                    continue;
                };
                let outcome = match loaded.diagnostics.iter().find(|d| d.code.name().ends_with("-generator"))
                {
                    Some(diagnostic) => diagnostic.code.name(),
                    None => "accepted",
                };
                *tally.entry(outcome).or_default() += 1;
                if outcome == "accepted" {
                    assert!(!model.system.symmetry.generators.is_empty());
                    let checked = equivariance::check(&model.system, 200);
                    assert!(checked.is_ok(), "{checked:?}\n{text}");
                    same_verdicts(&text, &model);
                }
            }
        }
    }
    println!("{tally:?}");
    assert!(!are_all() || tally["accepted"] > 10 && tally["refused"] > 10, "{tally:?}");
}

fn same_verdicts(text: &str, model: &Model) {
    let limits = burnside::Limits { states: Some(3000), ..burnside::Limits::default() };
    let run = |symmetry| {
        let options = Options { symmetry, limits: limits.clone(), ..Options::default() };
        check(model, &options, &mut ())
    };
    let none = match run(Symmetry::None) {
        Err(CheckError::NoInitialState(_)) => return,
        checked => checked.unwrap(),
    };
    if none.stats.states >= 3000 {
        return;
    }
    for mode in [Symmetry::Auto, Symmetry::Fast] {
        let with = run(mode).unwrap();
        for (a, b) in none.results.iter().zip(&with.results) {
            assert_eq!(a.verdict, b.verdict, "{} {mode:?}\n{text}", a.property);
            if let (Some(a), Some(b)) = (&a.unreduced, &b.unreduced) {
                assert_eq!(a, b, "{mode:?}\n{text}");
            }
        }
    }
}
