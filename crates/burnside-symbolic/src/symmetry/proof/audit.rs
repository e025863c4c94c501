//! The rules run on all states at once, against the interpreter on single states: a check of this module
//! itself, for tests.

use super::sample::{SampledStep, Sampler};
use super::stage::{OutcomeTable, Stage};
use crate::encode::{Argument, Instance, known_arguments};
use crate::store::{Bit, Out, Set};
use crate::symmetry::action::Mover;
use burnside_limits::Stop;
use burnside_ts::{Action, Permutation, Rule, RuleId, System, Target, bits, unrank};
use std::collections::BTreeSet;

/// More outcomes than this are not listed.
const OUTCOMES: usize = 1 << 12;

/// Compares the two on some states (without spare words): how many pairs of rule and state were compared, or
/// the first difference.
pub fn audit(system: &System, states: &[Vec<u64>]) -> Result<usize, String> {
    let action = Action::new(system);
    let identity = Permutation::identity(&system.types);
    let mut sampler = Sampler::new(&action, &identity);
    let mut compared = 0;
    for id in (0..system.rules.len()).map(|id| RuleId(id as u32)) {
        let Ok(stage) = Stage::new(system, Some(id)) else { continue };
        let Ok(outcomes) = stage.outcomes(id) else { continue };
        for state in states {
            let Ok(said) = said(&stage, &outcomes, id, state) else { continue };
            let Some(steps) = sampler.steps(state) else { continue };
            let meant: BTreeSet<SampledStep> = steps.into_iter().filter(|step| step.0 == id.0).collect();
            if said != meant {
                let name = system.show_rule(id);
                return Err(format!(
                    "rule `{name}` in {state:?}\nall at once: {said:?}\ninterpreter: {meant:?}"
                ));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

/// The steps of a rule from a state, as the rule on all states at once has them.
fn said(stage: &Stage<'_>, outcomes: &OutcomeTable, id: RuleId, state: &[u64]) -> Out<BTreeSet<SampledStep>> {
    let rule = stage.system.rule(id);
    let here = stage.store.point(stage.layout.values(state))?;
    let mut said: BTreeSet<SampledStep> = BTreeSet::new();
    for instance in &outcomes.instances {
        let mut left = instance.fires.and(&here)?;
        for assumed in &instance.assumed {
            left = left.and(assumed)?;
        }
        let mover = Mover::unlimited(stage.system, &stage.store);
        for (ty, bits) in &instance.unknown {
            let value: Vec<Set> = bits.iter().map(|&bit| stage.store.bit(bit)).collect();
            left = left.and(&mover.is_value(*ty, &value)?)?;
        }
        let inputs: Vec<Bit> = instance
            .unknown
            .iter()
            .flat_map(|(_, bits)| bits)
            .chain(instance.choices.iter().flat_map(|choice| &choice.bits))
            .copied()
            .collect();
        while let Some(valuation) = left.pick() {
            let point = stage.store.point(inputs.iter().map(|&bit| (bit, valuation[bit.0 as usize])))?;
            left = left.minus(&point)?;
            let target = target(stage, instance, state, &here.and(&point)?)?;
            let args = arguments(stage, rule, &instance.args, &instance.unknown, &valuation);
            said.insert((id.0, args, Some(target)));
            if said.len() > OUTCOMES {
                return Err(Stop::States(OUTCOMES as u64));
            }
        }
    }
    let known = known_arguments(rule);
    for (args, fault) in &outcomes.faults {
        if fault.is_apart(&here)? {
            continue;
        }
        for args in super::stage::completions(stage.system, rule, args.clone(), known) {
            // Unknown arguments would have to be listed here.
            if args.contains(&Argument::Slot) {
                return Err(Stop::States(0));
            }
            let mut words = arguments(stage, rule, &args, &[], &[]);
            words.truncate(super::sample::known_arguments(stage.system, id));
            said.insert((id.0, words, None));
        }
    }
    Ok(said)
}

fn target(stage: &Stage<'_>, instance: &Instance, state: &[u64], point: &Set) -> Out<Vec<u64>> {
    let mut target = [state, &[0; bits::SPARE]].concat();
    for (bit, set) in &instance.writes {
        bits::write(&mut target, *bit, 1, u64::from(!set.is_apart(point)?));
    }
    target.truncate(stage.system.words());
    Ok(target)
}

/// The words of some arguments.
fn arguments(
    stage: &Stage<'_>,
    rule: &Rule,
    args: &[Argument],
    unknown: &[(burnside_ts::TypeId, Vec<Bit>)],
    valuation: &[bool],
) -> Vec<u64> {
    let types = &stage.system.types;
    let mut unknown = unknown.iter();
    let mut words = vec![0; rule.args.len() + bits::SPARE];
    for (arg, param) in args.iter().zip(&rule.params) {
        let ty = param.binder.ty;
        let mut value = vec![0; (types.width(ty) as usize).div_ceil(64) + bits::SPARE];
        match arg {
            Argument::Number(number) => unrank(types, ty, &mut value, 0, *number),
            Argument::Slot => {
                let (_, bits_of) = unknown.next().expect("an argument without a number is unknown");
                for (i, bit) in bits_of.iter().enumerate() {
                    bits::write(&mut value, i as u32, 1, u64::from(valuation[bit.0 as usize]));
                }
            }
        }
        match param.binder.target {
            Target::Scalar(slot) => {
                let code = bits::read(&value, 0, types.width(ty)) as i64;
                words[slot.index() - rule.args.start] = (code + types.bias(ty)) as u64;
            }
            Target::Wide(at) => {
                let at = at - rule.args.start as u32 * 64;
                bits::copy(&mut words, at, &value, 0, types.width(ty));
            }
        }
    }
    words.truncate(rule.args.len());
    words
}
