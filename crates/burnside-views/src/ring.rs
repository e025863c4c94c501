//! Rings of any size, by windows: so many neighbours in a row.
//!
//! Entry point: [`prove_ring`]. A *window* is the globals and the words of `k` neighbours. A set of windows
//! allows every circle that has no others. It is closed by running all rows of members that have only known
//! windows, long enough for one member to act and for all windows that it changes; what happens at the ends
//! of such a row, which is closed to a small circle to be run, is not looked at. Circles that are shorter
//! than such a row are not judged here. In the end all circles of the least sizes that the windows allow are
//! run as a whole, by code that knows nothing of rows. The argument is in the book
//! (`internals/every-n.md`).

use crate::layout::{Layout, Parts};
use crate::meter::Meter;
use crate::prove::{Failure, padded};
use crate::{FAULTS, Instances, Verified};
use burnside_limits::{Observer, poll};
use burnside_ts::{
    AnyMachine, Domain, Expr, Label, Outcome, Quantifier, Question, Rule, System, Target, Type,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

/// How far rules and invariants look.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RingNeeds {
    /// The name of the ring.
    pub sort: String,
    /// How many places before and after its member any rule looks, or writes.
    pub rules: (u32, u32),
    /// The same for each member that an invariant speaks of: its name, and how far.
    pub invariants: Vec<(String, (u32, u32))>,
}

impl RingNeeds {
    /// The least size that windows of so many members speak for. Smaller ones must be looked at one by one.
    pub fn least(&self, k: u32) -> u32 {
        let (back, ahead) = self.rules;
        let rows = self.invariants.iter().map(|(_, (back, ahead))| back + 1 + ahead);
        rows.max().unwrap_or(1).max(back + 1 + ahead + 2 * (k - 1)).max(k)
    }
}

/// What windows prove.
#[derive(Clone, Debug)]
pub struct Windows {
    /// How many there are.
    pub count: u64,
    /// The properties that hold for all sizes from the least one on.
    pub properties: Vec<String>,
    /// What was run as a whole.
    pub verified: Verified,
}

type Row = Vec<u32>;

/// Closes the windows of the initial states; at most so many rows are run. Only some properties are wanted.
pub fn prove_ring(
    instances: &dyn Instances,
    needs: &RingNeeds,
    k: u32,
    rows: u64,
    wanted: &[String],
    observer: &mut dyn Observer,
) -> Result<Windows, Failure> {
    let mut closure = RowClosure {
        needs,
        k: k as usize,
        globals: Vec::new(),
        words: Vec::new(),
        numbers: HashMap::new(),
        windows: BTreeMap::new(),
        open: wanted.iter().cloned().collect(),
        left: rows,
        limit: rows,
        meter: Meter::new(observer),
    };
    let system = |size: u32| instances.instance(size).ok_or(Failure::Size(size));
    closure.initial(&mut Circle::new(&system(k)?, &needs.sort)?)?;
    let (back, ahead) = needs.rules;
    let long = system(back + 1 + ahead + 2 * (k - 1))?;
    let mut circle = Circle::new(&long, &needs.sort)?;
    while closure.pass(&mut circle)? {}
    for (name, (back, ahead)) in needs.invariants.iter().filter(|(name, _)| wanted.contains(name)) {
        let system = system((back + 1 + ahead).max(k))?;
        closure.judge(&mut Circle::new(&system, &needs.sort)?, name, *back)?;
    }
    let mut verified = Verified { properties: Vec::new(), states: 0, largest: 0 };
    let least = needs.least(k);
    for size in least..=least + 1 {
        verified.states += closure.whole(&mut Circle::new(&system(size)?, &needs.sort)?)?;
        verified.largest = size;
    }
    let count = closure.windows.values().map(|windows| windows.len() as u64).sum();
    let properties: Vec<String> = closure.open.into_iter().collect();
    verified.properties = properties.clone();
    Ok(Windows { count, properties, verified })
}

/// One instance.
struct Circle<'s> {
    system: &'s System,
    layout: Layout,
    machine: AnyMachine<'s>,
}

impl<'s> Circle<'s> {
    fn new(system: &'s Arc<System>, sort: &str) -> Result<Self, Failure> {
        let layout = Layout::new(system, sort)?;
        let machine = system.machine_with_interrupt(burnside_limits::current().unwrap_or_default());
        Ok(Self { system, layout, machine })
    }

    fn size(&self) -> usize {
        self.layout.size() as usize
    }

    /// Which member a step is of; nothing if it is nobody's.
    fn member(&self, label: Label<'_>) -> Option<usize> {
        let rule: &Rule = self.system.rule(label.rule);
        let is_member = |it: &burnside_ts::Param| matches!(self.system.types.get(it.binder.ty), Type::Sort(id) if *id == self.layout.sort());
        let param = rule.params.iter().find(|param| is_member(param))?;
        match param.binder.target {
            Target::Scalar(slot) => Some(label.args[slot.index() - rule.args.start] as usize),
            Target::Wide(_) => unreachable!("a member is a scalar"),
        }
    }

    /// The steps of a state, with their members, and whether one of them faults.
    fn steps(&mut self, state: &[u64]) -> Vec<(Option<usize>, Option<Vec<u64>>)> {
        let mut steps: Vec<(Vec<u64>, burnside_ts::RuleId, Option<Vec<u64>>)> = Vec::new();
        let words = self.layout.state_words();
        self.machine.successors(&state[..words], &mut |label: Label<'_>, outcome: Outcome<'_>| {
            poll();
            let next = match outcome {
                Outcome::State(next) => Some(padded(next)),
                Outcome::Fault(_) => None,
            };
            steps.push((label.args.to_vec(), label.rule, next));
            ControlFlow::Continue(())
        });
        let member = |(args, rule, next): (Vec<u64>, burnside_ts::RuleId, Option<Vec<u64>>)| {
            (self.member(Label { rule, args: &args }), next)
        };
        steps.into_iter().map(member).collect()
    }
}

struct RowClosure<'n, 'o> {
    needs: &'n RingNeeds,
    k: usize,
    globals: Vec<Vec<u64>>,
    words: Vec<Vec<u64>>,
    numbers: HashMap<(bool, Vec<u64>), u32>,
    /// By globals.
    windows: BTreeMap<u32, BTreeSet<Row>>,
    /// What is wanted and not refuted so far.
    open: BTreeSet<String>,
    /// How many rows may still be run.
    left: u64,
    limit: u64,
    meter: Meter<'o>,
}

impl RowClosure<'_, '_> {
    fn number(&mut self, is_word: bool, bits: &[u64]) -> u32 {
        let all = if is_word { &mut self.words } else { &mut self.globals };
        *self.numbers.entry((is_word, bits.to_vec())).or_insert_with(|| {
            all.push(bits.to_vec());
            all.len() as u32 - 1
        })
    }

    /// The globals and the words of a state.
    fn read(&mut self, circle: &Circle<'_>, state: &[u64]) -> (u32, Row) {
        let mut parts = Parts::default();
        circle.layout.read(state, &mut parts);
        let globals = self.number(false, &parts.globals);
        (globals, parts.words.iter().map(|word| self.number(true, word)).collect())
    }

    fn write(&self, circle: &Circle<'_>, globals: u32, row: &[u32]) -> Option<Vec<u64>> {
        let words: Vec<&[u64]> = row.iter().map(|&word| &*self.words[word as usize]).collect();
        let mut state = Vec::new();
        circle.layout.write(&self.globals[globals as usize], &words, &mut state).then_some(state)
    }

    fn run_one(&mut self) -> Result<(), Failure> {
        poll();
        self.meter.count(0);
        self.left = self.left.checked_sub(1).ok_or(Failure::States(self.limit))?;
        Ok(())
    }

    /// The windows of initial states. Members start independently of each other, so a circle of `k` has all.
    fn initial(&mut self, circle: &mut Circle<'_>) -> Result<(), Failure> {
        let mut states = Vec::new();
        let mut faults = false;
        circle.machine.initial(&mut |outcome| {
            poll();
            match outcome {
                Outcome::State(state) => states.push(padded(state)),
                Outcome::Fault(_) => faults = true,
            }
            ControlFlow::Continue(())
        });
        if faults {
            self.open.remove(FAULTS);
        }
        for state in states {
            self.run_one()?;
            let (globals, row) = self.read(circle, &state);
            self.windows.entry(globals).or_default().insert(row);
        }
        Ok(())
    }

    /// All rows of a length, with some globals, that have known windows only.
    fn rows(&self, globals: u32, length: usize) -> Result<Vec<Row>, Failure> {
        let Some(windows) = self.windows.get(&globals) else { return Ok(Vec::new()) };
        let mut rows: Vec<Row> = windows.iter().cloned().collect();
        for _ in self.k..length {
            let mut longer = Vec::new();
            for row in &rows {
                poll();
                let tail = &row[row.len() + 1 - self.k..];
                let from = tail.to_vec();
                // Windows are in order, so those that begin like this are in a row.
                for window in windows.range(from..).take_while(|it| it.starts_with(tail)) {
                    longer.push([&row[..], &window[self.k - 1..]].concat());
                }
                if longer.len() as u64 > self.left {
                    return Err(Failure::States(self.limit));
                }
            }
            rows = longer;
        }
        Ok(rows)
    }

    /// Runs all rows; whether something is new.
    fn pass(&mut self, circle: &mut Circle<'_>) -> Result<bool, Failure> {
        let acts = self.k - 1 + self.needs.rules.0 as usize;
        let mut new: Vec<(u32, Row)> = Vec::new();
        for globals in self.windows.keys().copied().collect::<Vec<_>>() {
            for row in self.rows(globals, circle.size())? {
                self.run_one()?;
                let Some(state) = self.write(circle, globals, &row) else { continue };
                for (member, next) in circle.steps(&state) {
                    if member.is_some_and(|member| member != acts) {
                        continue;
                    }
                    let Some(next) = next else {
                        self.open.remove(FAULTS);
                        continue;
                    };
                    let (after, row) = self.read(circle, &next);
                    new.extend(row.windows(self.k).map(|window| (after, window.to_vec())));
                    if after != globals {
                        // The globals of all others change as well.
                        new.extend(self.windows[&globals].iter().map(|window| (after, window.clone())));
                    }
                }
            }
            // Not all at once: they are many, and most of them are known.
            new.sort_unstable();
            new.dedup();
        }
        let mut changed = false;
        for (globals, window) in new {
            changed |= self.windows.entry(globals).or_default().insert(window);
        }
        Ok(changed)
    }

    /// Whether an invariant that looks back so far is true of all rows.
    fn judge(&mut self, circle: &mut Circle<'_>, name: &str, back: u32) -> Result<(), Failure> {
        let unfit = || Failure::Unfit(format!("`{name}` is not said of each member"));
        let condition = invariant(circle.system, name).ok_or_else(unfit)?;
        for globals in self.windows.keys().copied().collect::<Vec<_>>() {
            for row in self.rows(globals, circle.size())? {
                self.run_one()?;
                let Some(state) = self.write(circle, globals, &row) else { continue };
                let state = &state[..circle.layout.state_words()];
                let holds = match each(circle.system, condition, &circle.layout) {
                    Some((binder, filter, body)) => {
                        circle.machine.bind(binder, u64::from(back));
                        let applies =
                            filter.is_none_or(|filter| circle.machine.holds(filter, state) != Ok(false));
                        circle.machine.bind(binder, u64::from(back));
                        !applies || circle.machine.holds(body, state) == Ok(true)
                    }
                    None => circle.machine.holds(condition, state) == Ok(true),
                };
                if !holds {
                    self.open.remove(name);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Runs all circles of a size that have known windows only: they step to such circles, and violate
    /// nothing that is claimed.
    fn whole(&mut self, circle: &mut Circle<'_>) -> Result<u64, Failure> {
        let wrong = |what: &str| Failure::Unfit(format!("internal error: windows {what}"));
        let mut states = 0;
        for globals in self.windows.keys().copied().collect::<Vec<_>>() {
            for row in self.rows(globals, circle.size())? {
                self.run_one()?;
                if !self.is_known(globals, &row) {
                    continue;
                }
                let Some(state) = self.write(circle, globals, &row) else { continue };
                states += 1;
                for name in self.open.iter().filter(|name| *name != FAULTS) {
                    let condition =
                        invariant(circle.system, name).ok_or_else(|| wrong("miss an invariant"))?;
                    if circle.machine.holds(condition, &state[..circle.layout.state_words()]) != Ok(true) {
                        return Err(wrong("allow a violation"));
                    }
                }
                for (_, next) in circle.steps(&state) {
                    match next {
                        Some(next) => {
                            let (globals, row) = self.read(circle, &next);
                            if !self.is_known(globals, &row) {
                                return Err(wrong("are left by a step"));
                            }
                        }
                        None if self.open.contains(FAULTS) => return Err(wrong("allow a fault")),
                        None => {}
                    }
                }
            }
        }
        Ok(states)
    }

    /// Whether all windows of a circle are known.
    fn is_known(&self, globals: u32, row: &[u32]) -> bool {
        let Some(windows) = self.windows.get(&globals) else { return false };
        let around: Row = row.iter().chain(row).copied().take(row.len() + self.k - 1).collect();
        around.windows(self.k).all(|window| windows.contains(window))
    }
}

fn invariant<'s>(system: &'s System, name: &str) -> Option<&'s Expr> {
    let property = system.properties.iter().find(|property| property.name == name)?;
    match &property.question {
        Question::Invariant(condition) => Some(condition),
        _ => None,
    }
}

/// The name, the filter and the body of a condition that is said of each member.
fn each<'s>(
    system: &System,
    condition: &'s Expr,
    layout: &Layout,
) -> Option<(&'s burnside_ts::Binder, Option<&'s Expr>, &'s Expr)> {
    let Expr::Quantify(quantify) = condition else { return None };
    let [binder] = &quantify.binders[..] else { return None };
    let is_member = matches!(system.types.get(binder.ty), Type::Sort(id) if *id == layout.sort());
    let is_each = quantify.quantifier == Quantifier::Forall && binder.domain == Domain::Type && is_member;
    is_each.then_some((binder, quantify.filter.as_ref(), &quantify.body))
}
