//! The rules run on all states at once, against the interpreter on single states: a check of this module
//! itself, for tests.

use super::proof::BUDGET;
use super::sample::{Sampler, Step, known_arguments};
use super::symbolic::{ENDS, FAULTS, Symbolic, Unknown};
use burnside_ts::{Action, Permutation, RuleId, System, Target, bits};
use std::collections::BTreeSet;

/// More arguments and choices than this are not tried.
const INSTANCES: u64 = 1 << 12;

/// Compares the two on some states (without spare words): how many pairs of rule and state were compared, or
/// the first difference.
pub fn audit(system: &System, states: &[Vec<u64>]) -> Result<usize, String> {
    let action = Action::new(system);
    let identity = Permutation::identity(&system.types);
    let mut sampler = Sampler::new(&action, &identity);
    let mut compared = 0;
    for rule in 0..system.rules.len() {
        let mut symbolic = Symbolic::new(&action, BUDGET);
        let Ok(outcome) = symbolic.rule(RuleId(rule as u32)) else { continue };
        let of_state: BTreeSet<u32> =
            symbolic.vars.iter().flat_map(|unknown| unknown.levels.values().copied()).collect();
        let free: Vec<u32> =
            (0..symbolic.d.variables() as u32).filter(|level| !of_state.contains(level)).collect();
        let values = |level: &u32| u64::from(symbolic.d.values(*level));
        if free.iter().map(values).fold(1, u64::saturating_mul) > INSTANCES {
            continue;
        }
        for state in states {
            let mut valuation = of(&symbolic, state);
            let mut said: BTreeSet<Step> = BTreeSet::new();
            loop {
                let args = arguments(&symbolic, RuleId(rule as u32), &valuation);
                match symbolic.d.at(outcome, &valuation) {
                    ENDS => {
                        let target = (0..system.width).map(|i| symbolic.state[i as usize]);
                        let target = pack(system.words(), target.map(|bit| symbolic.d.at(bit, &valuation)));
                        said.insert((rule as u32, args, Some(target)));
                    }
                    FAULTS => {
                        let known = known_arguments(system, RuleId(rule as u32));
                        said.insert((rule as u32, args[..known].to_vec(), None));
                    }
                    _ => {}
                }
                let next = free.iter().position(|&level| {
                    valuation[level as usize] += 1;
                    let over = valuation[level as usize] == symbolic.d.values(level);
                    valuation[level as usize] *= u32::from(!over);
                    !over
                });
                if next.is_none() {
                    break;
                }
            }
            let meant: BTreeSet<Step> =
                sampler.steps(state).into_iter().filter(|step| step.0 == rule as u32).collect();
            if said != meant {
                let name = &system.rules[rule].name;
                return Err(format!(
                    "rule `{name}` in {state:?}\nall at once: {said:?}\ninterpreter: {meant:?}"
                ));
            }
            compared += 1;
        }
    }
    Ok(compared)
}

/// The values of the variables of a state; the others are 0.
fn of(symbolic: &Symbolic<'_>, state: &[u64]) -> Vec<u32> {
    let padded = [state, &[0; bits::SPARE]].concat();
    let mut valuation = vec![0; symbolic.d.variables()];
    for (var, unknown) in symbolic.system.vars.iter().zip(&symbolic.vars) {
        for (&at, &level) in &unknown.levels {
            let width = burnside_ts::bits_for(u64::from(symbolic.d.values(level)));
            valuation[level as usize] = bits::read(&padded, var.offset + at, width) as u32;
        }
    }
    valuation
}

fn pack(words: usize, bits_of: impl Iterator<Item = i128>) -> Vec<u64> {
    let mut packed = vec![0; words + bits::SPARE];
    for (i, bit) in bits_of.enumerate() {
        bits::write(&mut packed, i as u32, 1, bit as u64);
    }
    packed.truncate(words);
    packed
}

fn arguments(symbolic: &Symbolic<'_>, rule: RuleId, valuation: &[u32]) -> Vec<u64> {
    let rule = symbolic.system.rule(rule);
    let mut words = vec![0; rule.args.len() + bits::SPARE];
    for (param, unknown) in rule.params.iter().zip(&symbolic.params) {
        let Unknown { bits: value, .. } = unknown;
        let value: Vec<i128> = value.iter().map(|&bit| symbolic.d.at(bit, valuation)).collect();
        match param.binder.target {
            Target::Scalar(slot) => {
                let code = value.iter().rev().fold(0, |code, &bit| code * 2 + bit as i64);
                words[slot.index() - rule.args.start] =
                    (code + symbolic.system.types.bias(param.binder.ty)) as u64;
            }
            Target::Wide(at) => {
                for (j, &bit) in value.iter().enumerate() {
                    let at = at - rule.args.start as u32 * 64 + j as u32;
                    bits::write(&mut words, at, 1, bit as u64);
                }
            }
        }
    }
    words.truncate(rule.args.len());
    words
}
