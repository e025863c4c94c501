//! Rules: which instances are enabled, and what they do. Also the initial states.

use super::exec::{End, and_then};
use super::mentions::mentions;
use super::value::Value;
use super::{Eval, Faults, Oracle, State, World, all};
use burnside_lang::hir::{Binder, Domain, Expr, LocalId, Rule, RuleId};
use std::collections::{BTreeMap, BTreeSet};

/// What became of a rule with some or all of its names bound.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    /// The values of the indices of the process, then of the parameters; fewer if the collection of the next
    /// one faults.
    pub args: Vec<(LocalId, Value)>,
    /// Whether the guard is true.
    pub enabled: Eval<bool>,
}

/// What a step ends in.
#[derive(Clone, Debug)]
pub(super) enum Ended {
    State(State),
    Fault(Faults),
}

impl Oracle<'_> {
    /// The names of a rule: the indices of its process, then its parameters.
    pub(super) fn names(&self, rule: &Rule) -> Vec<Binder> {
        let indices = &self.model.processes[rule.process.index()].indices;
        let own = indices.iter().map(|&local| Binder { local, domain: Domain::Type });
        own.chain(rule.params.iter().cloned()).collect()
    }

    /// All instances of a rule, if what does not depend on the instance is true. The values of some names may
    /// be given.
    fn instances(
        &self,
        state: &State,
        rule: &Rule,
        outer: &Eval<bool>,
        given: &BTreeMap<LocalId, Value>,
    ) -> Vec<Instance> {
        let mut found = Vec::new();
        let mut world = World { state: state.clone(), locals: Vec::new() };
        self.bind_rest(&mut world, (rule, outer), &self.names(rule), given, &mut found);
        found
    }

    /// All instances of a rule that is tried.
    pub(super) fn tried(&self, state: &State, rule: &Rule) -> Vec<Instance> {
        let outer = match self.within(state) {
            Ok(true) => self.unblocked(state, rule),
            other => other,
        };
        self.instances(state, rule, &outer, &BTreeMap::new())
    }

    /// Whether the constraints of the model are true.
    fn within(&self, state: &State) -> Eval<bool> {
        self.guard(&mut World { state: state.clone(), locals: Vec::new() }, &self.model.constraints)
    }

    /// Whether nothing is tried in a state because a constraint is false.
    pub(super) fn is_outside(&self, state: &State) -> bool {
        self.within(state) == Ok(false)
    }

    /// Whether no rule of higher priority is enabled; a fault if that of one faults and none is.
    fn unblocked(&self, state: &State, rule: &Rule) -> Eval<bool> {
        let higher = self.model.rules.iter().filter(|other| other.priority > rule.priority);
        let mut faults = Faults::new();
        for other in higher {
            for instance in self.instances(state, other, &Ok(true), &BTreeMap::new()) {
                match instance.enabled {
                    Ok(true) => return Ok(false),
                    Ok(false) => {}
                    Err(more) => faults.extend(more),
                }
            }
        }
        if faults.is_empty() { Ok(true) } else { Err(faults) }
    }

    fn bind_rest(
        &self,
        world: &mut World,
        (rule, outer): (&Rule, &Eval<bool>),
        rest: &[Binder],
        given: &BTreeMap<LocalId, Value>,
        found: &mut Vec<Instance>,
    ) {
        let Some((first, later)) = rest.split_first() else {
            let enabled = match outer {
                Ok(true) => self.guard(world, &rule.guard),
                other => other.clone(),
            };
            return found.push(Instance { args: world.locals.clone(), enabled });
        };
        // What can be said before the name is bound protects its collection.
        if matches!(first.domain, Domain::Collection(_)) {
            let before = match outer {
                Ok(true) => self.guard(world, before(&rule.guard, rest)),
                other => other.clone(),
            };
            match before {
                Ok(true) => {}
                Ok(false) => return,
                Err(faults) => {
                    return found.push(Instance { args: world.locals.clone(), enabled: Err(faults) });
                }
            }
        }
        let domain = match &first.domain {
            Domain::Collection(collection) => self.eval(world, collection).map(|it| it.different()),
            Domain::Type => self.domain(world, first),
        };
        match domain {
            Err(faults) => found.push(Instance { args: world.locals.clone(), enabled: Err(faults) }),
            Ok(values) => {
                let wanted = |value: &Value| given.get(&first.local).is_none_or(|given| given == value);
                for value in values.into_iter().filter(wanted) {
                    self.with(world, vec![(first.local, value)], |oracle, world| {
                        oracle.bind_rest(world, (rule, outer), later, given, found);
                    });
                }
            }
        }
    }

    /// A conjunction from left to right.
    fn guard(&self, world: &mut World, parts: &[Expr]) -> Eval<bool> {
        for part in parts {
            if !self.truth(world, part)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Everything that the instance can do.
    pub(super) fn fire(&self, state: &State, rule: &Rule, instance: &Instance) -> Vec<Ended> {
        match &instance.enabled {
            Err(faults) => vec![Ended::Fault(faults.clone())],
            Ok(false) => Vec::new(),
            Ok(true) => {
                let world = World { state: state.clone(), locals: instance.args.clone() };
                self.block(world, &rule.body).into_iter().filter_map(ended).collect()
            }
        }
    }

    /// `enabled(…)`: true if some instance is, else a fault if the guard of one faults.
    pub(super) fn some_enabled(
        &self,
        world: &mut World,
        rules: &[RuleId],
        member: Option<&[Expr]>,
        args: Option<&[Expr]>,
    ) -> Eval<Value> {
        let mut faults = Faults::new();
        for &id in rules {
            let rule = &self.model.rules[id.index()];
            let names = self.names(rule);
            let (indices, params) = names.split_at(names.len() - rule.params.len());
            let values = [(indices, member), (params, args)].into_iter().flat_map(|(names, values)| {
                let values = values.unwrap_or_default();
                names.iter().map(|name| name.local).zip(values)
            });
            let values =
                values.map(|(name, value)| Ok((name, self.eval_as(world, value, self.local_type(name))?)));
            let given: BTreeMap<LocalId, Value> = all(values.collect::<Vec<_>>())?.into_iter().collect();
            let outer = self.unblocked(&world.state, rule);
            for instance in self.instances(&world.state, rule, &outer, &given) {
                match instance.enabled {
                    Ok(true) => return Ok(Value::Bool(true)),
                    Ok(false) => {}
                    Err(more) => faults.extend(more),
                }
            }
        }
        if faults.is_empty() { Ok(Value::Bool(false)) } else { Err(faults) }
    }

    /// The initial states and what goes wrong on the way to them.
    pub(super) fn initial(&self) -> Vec<Ended> {
        let mut ends = vec![End::World(World::default())];
        for var in &self.model.vars {
            let indices = var.process.map_or(&[][..], |p| &self.model.processes[p.index()].indices);
            let mut members = vec![Vec::new()];
            for &index in indices {
                let longer = |member: &Vec<(LocalId, Value)>| {
                    let one = |value: &Value| [member.clone(), vec![(index, value.clone())]].concat();
                    self.local_values(index).iter().map(one).collect::<Vec<_>>()
                };
                members = members.iter().flat_map(longer).collect();
            }
            ends = and_then(ends, |mut world| {
                world.state.vars.push(BTreeMap::new());
                vec![End::World(world)]
            });
            for member in members {
                ends = and_then(ends, |world| self.start(world, var, &member));
            }
        }
        let ends = and_then(ends, |world| self.block(world, &self.model.init));
        ends.into_iter().filter_map(ended).collect()
    }

    /// Gives one member's variable its initial value.
    fn start(
        &self,
        mut world: World,
        var: &burnside_lang::hir::Var,
        member: &[(LocalId, Value)],
    ) -> Vec<End> {
        let ty = burnside_lang::hir::Stored::Type(var.ty);
        let values =
            self.with(&mut world, member.to_vec(), |oracle, world| oracle.possible(world, &var.initial, ty));
        let key: Vec<Value> = member.iter().map(|(_, value)| value.clone()).collect();
        let give = |value: Eval<Value>| {
            let mut world = world.clone();
            End::from(value.map(|value| {
                world.state.vars.last_mut().expect("just added").insert(key.clone(), value);
                world
            }))
        };
        match values {
            Err(faults) => vec![End::Fault(faults)],
            Ok(values) => values.into_iter().map(give).collect(),
        }
    }
}

/// The parts of a guard up to the first that mentions one of the names.
fn before<'g>(guard: &'g [Expr], names: &[Binder]) -> &'g [Expr] {
    let free = |part: &Expr| {
        let mut found = BTreeSet::new();
        mentions(part, &mut found);
        !names.iter().any(|name| found.contains(&name.local))
    };
    let count = guard.iter().take_while(|part| free(part)).count();
    &guard[..count]
}

fn ended(end: End) -> Option<Ended> {
    match end {
        End::World(world) => Some(Ended::State(world.state)),
        End::Fault(faults) => Some(Ended::Fault(faults)),
        End::Dropped => None,
    }
}
