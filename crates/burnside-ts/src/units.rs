//! Fairness units: which a step executes, where a permutation takes them, what they are called.
//!
//! Entry point: [`Units`]. A unit is numbered within its family by the numbers of its indices (and
//! parameters), the last one running fastest.

use crate::action::{Action, Permutation};
use crate::bits;
use crate::code::Target;
use crate::interpreter::{rank, unrank};
use crate::show::show_index;
use crate::system::{Fair, Label, RuleId, SetMember, Strength, System, UnitId};
use crate::types::TypeId;

/// The fairness units of a system.
#[derive(Clone, Debug)]
pub struct Units<'s> {
    system: &'s System,
    /// For each family, the types of its indices.
    types: Vec<Vec<TypeId>>,
    /// For each rule, what its steps execute.
    executed: Vec<Vec<Executed>>,
    /// For each family, the rule whose steps execute its units; only if permutations move rules.
    rules: Vec<RuleId>,
}

/// A family of which the steps of a rule execute units.
#[derive(Clone, Debug)]
pub struct Executed {
    /// The family.
    pub family: usize,
    /// Which parameters of the rule are the indices of the unit.
    pub params: Vec<usize>,
}

/// The rules whose steps execute units of a family, each with the parameters that are their indices.
fn members(system: &System, target: Fair) -> Vec<SetMember> {
    match target {
        Fair::Process(process) => {
            // A process has the first of a rule's parameters as its indices.
            let params: Vec<usize> = (0..system.process(process).indices.len()).collect();
            let ids = (0..system.rules.len() as u32).map(RuleId);
            let own = ids.filter(|&rule| system.rule(rule).process == process);
            own.map(|rule| SetMember { rule, params: params.clone() }).collect()
        }
        Fair::Rule(rule) => vec![SetMember { rule, params: (0..system.rule(rule).params.len()).collect() }],
        Fair::Set(set) => system.fair_set(set).members.clone(),
    }
}

impl<'s> Units<'s> {
    /// The units of a system.
    pub fn new(system: &'s System) -> Self {
        let types = |target| match target {
            Fair::Process(process) => system.process(process).indices.clone(),
            Fair::Rule(rule) => system.rule(rule).params.iter().map(|param| param.binder.ty).collect(),
            Fair::Set(set) => system.fair_set(set).indices.clone(),
        };
        let mut executed: Vec<Vec<Executed>> = vec![Vec::new(); system.rules.len()];
        for (family, it) in system.fairness.iter().enumerate() {
            for SetMember { rule, params } in members(system, it.target) {
                executed[rule.index()].push(Executed { family, params });
            }
        }
        let mut rules = Vec::new();
        if system.rule_sort.is_some() {
            rules = vec![RuleId(0); system.fairness.len()];
            for (rule, families) in executed.iter().enumerate() {
                families.iter().for_each(|it| rules[it.family] = RuleId(rule as u32));
            }
        }
        let types = system.fairness.iter().map(|family| types(family.target)).collect();
        Self { system, types, executed, rules }
    }

    /// The families of which the steps of a rule execute units.
    pub fn executed_by(&self, rule: RuleId) -> &[Executed] {
        &self.executed[rule.index()]
    }

    /// The types of the indices of a family.
    pub fn types(&self, family: usize) -> &[TypeId] {
        &self.types[family]
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.system.units() as usize
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The units that a step executes, which leads to another state or (not `changes`) to the one that it
    /// starts in.
    pub fn executed(&self, label: Label<'_>, changes: bool) -> impl Iterator<Item = UnitId> {
        let rule = self.system.rule(label.rule);
        let words = [label.args, &[0; bits::SPARE]].concat();
        let counts = move |it: &&Executed| changes || !self.system.fairness[it.family].changing;
        self.executed[label.rule.index()].iter().filter(counts).map(move |it| {
            let start = rule.args.start;
            let number = it.params.iter().fold(0, |number, &param| {
                let binder = &rule.params[param].binder;
                let ty = binder.ty;
                let digit = match binder.target {
                    Target::Scalar(slot) => {
                        (words[slot.index() - start] as i64 - self.system.types.bias(ty)) as u64
                    }
                    Target::Wide(bit) => rank(&self.system.types, ty, &words, bit - start as u32 * 64),
                };
                number * self.size(ty) + digit
            });
            UnitId(self.system.fairness[it.family].first.0 + number as u32)
        })
    }

    /// Where a permutation takes a unit.
    pub fn moved(&self, action: &Action<'_>, permutation: &Permutation, unit: UnitId) -> UnitId {
        let family = self.family(unit);
        let first = self.system.fairness[family].first.0;
        let (mut rest, mut scale, mut result) = (u64::from(unit.0 - first), 1, 0);
        for &ty in self.types[family].iter().rev() {
            let size = self.size(ty);
            result += scale * action.number(permutation, ty, rest % size);
            rest /= size;
            scale *= size;
        }
        let family = self.moved_family(action, permutation, family);
        UnitId(self.system.fairness[family].first.0 + result as u32)
    }

    /// Where a permutation takes a family.
    pub fn moved_family(&self, action: &Action<'_>, permutation: &Permutation, family: usize) -> usize {
        let Some(&rule) = self.rules.get(family) else { return family };
        let image = action.rule(permutation, rule);
        if image == rule {
            return family;
        }
        let kind = |family: usize| {
            let it = &self.system.fairness[family];
            (matches!(it.target, Fair::Rule(_)), it.strength)
        };
        let alike = self.executed[image.index()].iter().find(|other| kind(other.family) == kind(family));
        alike.expect("what is fair of a rule is as fair of the rule that it is moved to").family
    }

    /// The family of a unit.
    pub fn family(&self, unit: UnitId) -> usize {
        self.system.fairness.partition_point(|family| family.first.0 <= unit.0) - 1
    }

    /// How fair a unit is.
    pub fn strength(&self, unit: UnitId) -> Strength {
        self.system.fairness[self.family(unit)].strength
    }

    /// The numbers of the indices of a unit.
    pub fn indices(&self, unit: UnitId) -> Vec<u64> {
        let family = self.family(unit);
        let mut rest = u64::from(unit.0 - self.system.fairness[family].first.0);
        let mut indices: Vec<u64> = Vec::new();
        for &ty in self.types[family].iter().rev() {
            indices.push(rest % self.size(ty));
            rest /= self.size(ty);
        }
        indices.reverse();
        indices
    }

    /// The unit of a family with these indices.
    pub fn unit(&self, family: usize, indices: &[u64]) -> UnitId {
        let types = self.types[family].iter();
        let number = types.zip(indices).fold(0, |number, (&ty, index)| number * self.size(ty) + index);
        UnitId(self.system.fairness[family].first.0 + number as u32)
    }

    /// The name of a unit, such as `Client[2]` or `Server.grant(2)`.
    pub fn show(&self, unit: UnitId) -> String {
        let family = self.family(unit);
        let texts: Vec<String> = self.types[family]
            .iter()
            .zip(self.indices(unit))
            .map(|(&ty, number)| {
                let types = &self.system.types;
                let mut words = vec![0; (types.width(ty) as usize).div_ceil(64) + bits::SPARE];
                unrank(types, ty, &mut words, 0, number);
                show_index(types, ty, &words, 0)
            })
            .collect();
        let member = |process: &crate::system::Process| {
            let indices = &texts[..process.indices.len()];
            match indices.is_empty() {
                true => process.name.clone(),
                false => format!("{}[{}]", process.name, indices.join(", ")),
            }
        };
        match self.system.fairness[family].target {
            Fair::Process(process) => member(self.system.process(process)),
            Fair::Rule(rule) => {
                let rule = self.system.rule(rule);
                let process = self.system.process(rule.process);
                called(&rule.name_of(&member(process)), &texts[process.indices.len()..])
            }
            Fair::Set(set) => {
                let set = self.system.fair_set(set);
                match set.process.map(|process| self.system.process(process)) {
                    None => called(&set.name, &texts),
                    Some(process) => {
                        called(&format!("{}.{}", member(process), set.name), &texts[process.indices.len()..])
                    }
                }
            }
        }
    }

    fn size(&self, ty: TypeId) -> u64 {
        self.system.types.size(ty).expect("an index of a unit is numbered")
    }
}

/// A name with its arguments.
fn called(name: &str, args: &[String]) -> String {
    if args.is_empty() { name.to_string() } else { format!("{name}({})", args.join(", ")) }
}
