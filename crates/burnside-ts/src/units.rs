//! Fairness units: which a step executes, where a permutation takes them, what they are called.
//!
//! Entry point: [`Units`]. A unit is numbered within its family by the numbers of its indices (and
//! parameters), the last one running fastest.

use crate::action::{Action, Permutation};
use crate::bits;
use crate::code::Target;
use crate::interpreter::{rank, unrank};
use crate::show::show_index;
use crate::system::{Fair, Label, RuleId, Strength, System, UnitId};
use crate::types::TypeId;

/// The fairness units of a system.
#[derive(Clone, Debug)]
pub struct Units<'s> {
    system: &'s System,
    /// For each family, the types of its indices.
    types: Vec<Vec<TypeId>>,
    /// For each rule, the families that its steps execute units of.
    executed: Vec<Vec<usize>>,
    /// For each family, the rule whose steps execute its units; only if permutations move rules.
    rules: Vec<RuleId>,
}

impl<'s> Units<'s> {
    /// The units of a system.
    pub fn new(system: &'s System) -> Self {
        let types = |target| match target {
            Fair::Process(process) => system.process(process).indices.clone(),
            Fair::Rule(rule) => system.rule(rule).params.iter().map(|param| param.binder.ty).collect(),
        };
        let executes = |rule: usize| {
            let of_rule = |target| match target {
                Fair::Process(process) => system.rules[rule].process == process,
                Fair::Rule(id) => id.index() == rule,
            };
            let families = system.fairness.iter().enumerate();
            families.filter(|(_, family)| of_rule(family.target)).map(|(i, _)| i).collect()
        };
        let executed: Vec<Vec<usize>> = (0..system.rules.len()).map(executes).collect();
        let mut rules = Vec::new();
        if system.rule_sort.is_some() {
            rules = vec![RuleId(0); system.fairness.len()];
            for (rule, families) in executed.iter().enumerate() {
                families.iter().for_each(|&family| rules[family] = RuleId(rule as u32));
            }
        }
        let types = system.fairness.iter().map(|family| types(family.target)).collect();
        Self { system, types, executed, rules }
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

    /// The units that a step executes.
    pub fn executed(&self, label: Label<'_>) -> impl Iterator<Item = UnitId> {
        let rule = self.system.rule(label.rule);
        let words = [label.args, &[0; bits::SPARE]].concat();
        self.executed[label.rule.index()].iter().map(move |&family| {
            let start = rule.args.start;
            // A process has the first of the rule's parameters as its indices.
            let params = &rule.params[..self.types[family].len()];
            let number = params.iter().fold(0, |number, param| {
                let ty = param.binder.ty;
                let digit = match param.binder.target {
                    Target::Scalar(slot) => {
                        (words[slot.index() - start] as i64 - self.system.types.bias(ty)) as u64
                    }
                    Target::Wide(bit) => rank(&self.system.types, ty, &words, bit - start as u32 * 64),
                };
                number * self.size(ty) + digit
            });
            UnitId(self.system.fairness[family].first.0 + number as u32)
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
        let alike = self.executed[image.index()].iter().find(|&&other| kind(other) == kind(family));
        *alike.expect("what is fair of a rule is as fair of the rule that it is moved to")
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
                let args = &texts[process.indices.len()..];
                let name = rule.name_of(&member(process));
                if args.is_empty() { name } else { format!("{name}({})", args.join(", ")) }
            }
        }
    }

    fn size(&self, ty: TypeId) -> u64 {
        self.system.types.size(ty).expect("an index of a unit is numbered")
    }
}
