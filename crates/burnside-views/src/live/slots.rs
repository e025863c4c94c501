//! Fairness units, but for the member: what all members have one of, and what there is once.
//!
//! Entry point: [`Slots::new`]. A *slot* is a fairness unit, or all units that are alike but for the member.
//! Besides, each process is a slot that is not fair: it only tells whether something can move. Units of
//! several members at once, and those that depend on whether a step changes something, are left out: who
//! forgets a fairness condition allows more runs.

use crate::live::LiveNeeds;
use burnside_limits::poll;
use burnside_ts::{Label, RuleId, Strength, System, Target, Type, TypeId, Units};
use std::collections::HashMap;

/// A set of slots, as bits.
pub(super) type SlotBits = u128;
const MOST: usize = SlotBits::BITS as usize;

/// The slots of a model: the same in all its instances.
#[derive(Debug, Default)]
pub(super) struct Slots {
    families: Vec<Family>,
    numbers: HashMap<(usize, Vec<i64>), usize>,
    /// By slot: its family.
    all: Vec<usize>,
}

#[derive(Debug)]
struct Family {
    /// How fair it is; nothing for a process of which it does not matter.
    strength: Option<Strength>,
    /// Whether each member has one.
    is_own: bool,
    /// By rule whose steps execute it.
    rules: HashMap<RuleId, Role>,
    /// How many members matter to whether it is disabled, apart from its own.
    witnesses: u32,
}

#[derive(Debug)]
struct Role {
    /// The parameter that is its member.
    own: Option<usize>,
    /// Those that are other indices.
    others: Vec<usize>,
    /// Whether an instance of the rule that is disabled is so as well when other members are forgotten.
    counts: bool,
}

/// A slot in a step: its number, and whose it is.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mover {
    pub slot: usize,
    /// The member, unless there is one slot for all.
    pub member: Option<u32>,
    /// Whether it was known to be enabled before, whoever is forgotten.
    pub counts: bool,
}

impl Slots {
    pub fn new(system: &System, sort: &str, live: &LiveNeeds) -> Self {
        let is_member = |ty: TypeId| matches!(system.types.get(ty), Type::Sort(id) if system.types.sort(*id).name == sort);
        let units = Units::new(system);
        let rules = || (0..system.rules.len() as u32).map(RuleId);
        let mut slots = Self::default();
        let role = |rule: RuleId, params: Vec<usize>| {
            let ty = |param: &usize| system.rule(rule).params[*param].binder.ty;
            let (own, others): (Vec<_>, Vec<_>) = params.into_iter().partition(|param| is_member(ty(param)));
            let all = (0..system.rule(rule).params.len()).filter(|param| is_member(ty(param))).count();
            let witnesses = live.enabling.get(rule.index()).copied().flatten();
            let counts = witnesses.is_some_and(|witnesses| all == own.len() || witnesses == 0);
            (Role { own: own.first().copied(), others, counts }, own.len())
        };
        for (number, family) in system.fairness.iter().enumerate().filter(|(_, family)| !family.changing) {
            let executed = |rule: RuleId| {
                let executed = units.executed_by(rule).iter().find(|it| it.family == number)?;
                Some((rule, role(rule, executed.params.clone())))
            };
            slots.add(live.is_fair.then_some(family.strength), rules().filter_map(executed), live);
        }
        for (number, process) in system.processes.iter().enumerate() {
            let mine = rules().filter(|&rule| system.rule(rule).process.index() == number);
            let indices: Vec<usize> =
                (0..process.indices.len()).filter(|&i| is_member(process.indices[i])).collect();
            let indices = if indices.len() == 1 { indices } else { Vec::new() };
            slots.add(None, mine.map(|rule| (rule, role(rule, indices.clone()))), live);
        }
        slots
    }

    fn add(
        &mut self,
        strength: Option<Strength>,
        roles: impl Iterator<Item = (RuleId, (Role, usize))>,
        live: &LiveNeeds,
    ) {
        let roles: Vec<_> = roles.collect();
        let Some((_, (_, members))) = roles.first() else { return };
        if *members > 1 {
            return;
        }
        let is_own = *members == 1;
        let counted = roles.iter().filter(|(_, (role, _))| role.counts);
        let witnesses = counted.filter_map(|(rule, _)| live.enabling[rule.index()]).sum();
        let rules = roles.into_iter().map(|(rule, (role, _))| (rule, role)).collect();
        self.families.push(Family { strength, is_own, rules, witnesses });
    }

    /// How many members matter to whether a slot is disabled, apart from the one that is followed.
    pub fn witnesses(&self) -> u32 {
        let all = self.families.iter().map(|family| family.witnesses + u32::from(family.is_own));
        all.max().unwrap_or(0)
    }

    /// The slots that a step belongs to.
    pub fn of_step(&mut self, system: &System, label: Label<'_>, out: &mut Vec<Mover>) {
        poll();
        let rule = system.rule(label.rule);
        let number = |param: usize| {
            let binder = &rule.params[param].binder;
            match binder.target {
                Target::Scalar(slot) => {
                    let value = label.args[slot.index() - rule.args.start] as i64;
                    Some(value - system.types.bias(binder.ty))
                }
                Target::Wide(_) => None,
            }
        };
        for (i, family) in self.families.iter().enumerate() {
            let Some(role) = family.rules.get(&label.rule) else { continue };
            let others: Option<Vec<i64>> = role.others.iter().map(|&param| number(param)).collect();
            let Some(others) = others else { continue };
            let known = self.all.len();
            let slot = *self.numbers.entry((i, others)).or_insert(known);
            if slot == known {
                self.all.push(i);
            }
            if slot < MOST {
                let member = role.own.and_then(number).map(|member| member as u32);
                out.push(Mover { slot, member, counts: role.counts });
            }
        }
    }

    /// The slots that must be treated fairly: numbers, how fair, and whether each member has one.
    pub fn fair(&self) -> impl Iterator<Item = (usize, Strength, bool)> {
        self.all.iter().take(MOST).enumerate().filter_map(|(slot, &family)| {
            let family = &self.families[family];
            Some((slot, family.strength?, family.is_own))
        })
    }
}
