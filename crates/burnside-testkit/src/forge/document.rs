//! Forged trace files: documents are altered at random, and what is accepted is judged by what the documents
//! say.
//!
//! Entry points: [`alter`] and [`judge`]. Nothing of the program that reads such files is used here: the
//! texts of states and steps are looked up among those of the oracle.

use crate::generate::Rng;
use crate::graph::{StepLabel, state_text};
use crate::oracle::{Exploration, Finding, PathClaim, PathEnd, Setting, Shown, ShownPath, Texts};
use burnside_lang::hir::{Model, PropertyKind};
use burnside_trace::{End, Evidence, Step, Tree};
use burnside_ts::RuleId;
use serde_json::{Map, Value};
use std::cell::RefCell;

/// What the verdicts are about if nothing else is said.
const USUAL: Setting = Setting { fair: true, maximal: false };

/// Says the opposite of what a tree shows, and that nothing can show it.
fn pretend(rng: &mut Rng, document: &mut Value) {
    let traces = document.get("traces").and_then(Value::as_array).map_or(0, Vec::len);
    let Some(trace) = document.pointer_mut(&format!("/traces/{}", rng.below(traces.max(1)))) else { return };
    let Some(root) = trace.pointer_mut("/evidence/tree").and_then(Value::as_object_mut) else { return };
    let Some(truth) = root.get("truth").and_then(Value::as_bool) else { return };
    root.insert("truth".into(), (!truth).into());
    root.insert("shown_by".into(), if rng.chance(70) { "everywhere" } else { "omitted" }.into());
    ["number", "run", "children"].iter().for_each(|key| drop(root.shift_remove(*key)));
    if let Some(verdict) = trace.pointer_mut("/verdict") {
        *verdict = if *verdict == "holds" { "violated" } else { "holds" }.into();
    }
}

/// Alters a document somewhere.
pub fn alter(rng: &mut Rng, document: &mut Value) {
    if rng.chance(5) {
        return pretend(rng, document);
    }
    let mut ways = Vec::new();
    collect(document, String::new(), &mut ways);
    let (way, from) = (rng.pick(&ways).clone(), rng.pick(&ways).clone());
    let other = document.pointer(&from).cloned().unwrap_or_default();
    let Some(value) = document.pointer_mut(&way) else { return };
    match (rng.below(8), value) {
        (0, value) => *value = other,
        (1, Value::Object(members)) if !members.is_empty() => {
            let key = rng.pick(&members.keys().cloned().collect::<Vec<_>>()).clone();
            members.shift_remove(&key);
        }
        (1 | 2, Value::Array(items)) if !items.is_empty() => drop(items.remove(rng.below(items.len()))),
        (3, Value::Array(items)) if !items.is_empty() => {
            let at = rng.below(items.len());
            items.insert(at, items[at].clone());
        }
        (4, Value::Array(items)) if !items.is_empty() => {
            let (one, two) = (rng.below(items.len()), rng.below(items.len()));
            items.swap(one, two);
        }
        (_, Value::Object(members)) if !members.is_empty() => {
            // Exchanges two members.
            let keys: Vec<_> = members.keys().cloned().collect();
            let (one, two) = (rng.pick(&keys).clone(), rng.pick(&keys).clone());
            let (a, b) = (members[&one].clone(), members[&two].clone());
            (members[&one], members[&two]) = (b, a);
        }
        (_, Value::Array(items)) if !items.is_empty() => items.truncate(rng.below(items.len() + 1)),
        (_, value) => alter_leaf(rng, value, other),
    }
}

fn alter_leaf(rng: &mut Rng, value: &mut Value, other: Value) {
    const WORDS: [&str; 10] = [
        "holds",
        "violated",
        "none",
        "model",
        "everywhere",
        "omitted",
        "condition",
        "neglected",
        "executed",
        "0",
    ];
    *value = match &*value {
        Value::Bool(value) => (!value).into(),
        Value::Number(number) => (number.as_i64().unwrap_or(0) + rng.between(-1, 1)).into(),
        Value::Null => rng.below(3).into(),
        _ if rng.chance(50) => (*rng.pick(&WORDS)).into(),
        _ => other,
    };
}

fn collect(value: &Value, way: String, ways: &mut Vec<String>) {
    match value {
        Value::Object(members) => members.iter().for_each(|(key, member)| {
            collect(member, format!("{way}/{}", key.replace('~', "~0").replace('/', "~1")), ways);
        }),
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(i, item)| collect(item, format!("{way}/{i}"), ways));
        }
        _ => {}
    }
    ways.push(way);
}

/// Whether everything that a document claims of a model is so. The names are those of the cells of its
/// states.
pub fn judge(
    model: &Model,
    exploration: &Exploration,
    names: &[String],
    document: &Value,
) -> Result<(), String> {
    let traces = document["traces"].as_array().ok_or("no traces")?;
    traces.iter().try_for_each(|trace| Reader { model, exploration, names }.trace(trace))
}

struct Reader<'m> {
    model: &'m Model,
    exploration: &'m Exploration,
    names: &'m [String],
}

impl Reader<'_> {
    fn trace(&self, trace: &Value) -> Result<(), String> {
        let text = |key: &str| trace[key].as_str().ok_or(format!("no {key}"));
        let (property, kind, verdict) = (text("property")?, text("kind")?, text("verdict")?);
        self.verdict(property, kind, verdict)?;
        let evidence = &trace["evidence"];
        match evidence["kind"].as_str() {
            Some("tree") => self.tree(property, verdict == "holds", evidence),
            Some("lasso") => self.lasso(property, evidence),
            _ => self.path(property, kind, evidence),
        }
    }

    /// The verdict is that of the oracle.
    fn verdict(&self, property: &str, kind: &str, verdict: &str) -> Result<(), String> {
        let finding = match kind {
            "faults" | "deadlock" if property != kind => return Err(format!("{property} is no {kind}")),
            "faults" => self.exploration.faults,
            "deadlock" => self.exploration.deadlock,
            _ => {
                let known = self.model.properties.iter().find(|known| known.name == property);
                let is = match known.map(|known| &known.kind).ok_or("no such property")? {
                    PropertyKind::Invariant(_) => "invariant",
                    PropertyKind::Reachable(_) => "reachable",
                    PropertyKind::Never(_) => "never",
                    PropertyKind::Ltl(_) => "ltl",
                    PropertyKind::Ctl(_) => "ctl",
                };
                if is != kind {
                    return Err(format!("{property} is {is}, not {kind}"));
                }
                let judged = self.exploration.properties.iter().find(|judged| judged.name == property);
                judged.ok_or("no such property")?.finding
            }
        };
        let is = match finding {
            Finding::Holds(_) => "holds",
            Finding::Violated(_) | Finding::Undefined(_) => "violated",
            Finding::NoStates => "unknown",
            Finding::Unaffordable => return Ok(()),
        };
        if is == verdict { Ok(()) } else { Err(format!("{property} is {is}, not {verdict}")) }
    }

    fn state(&self, state: &Value) -> Result<String, String> {
        let state = state.as_object().ok_or("a state is no object")?;
        let cell = |name: &String| Some((name.clone(), state.get(name)?.as_str()?.to_string()));
        let cells = self.names.iter().map(cell).collect::<Option<Vec<_>>>();
        match cells.filter(|cells| cells.len() == state.len()) {
            Some(cells) => Ok(joined(&cells)),
            None => Err(format!("not the cells of a state: {state:?}")),
        }
    }

    /// The states and steps of a run. What the steps are said to change is what changes.
    fn run(&self, run: &Value) -> Result<(Vec<String>, Vec<StepLabel>), String> {
        let (states, steps) = (list(run, "states")?, list(run, "steps")?);
        for (i, step) in steps.iter().enumerate() {
            let after = states.get(i + 1).or_else(|| states.get(run["loop_start"].as_u64()? as usize));
            let (Some(before), Some(after)) = (states.get(i), after) else { return Err("no states".into()) };
            let changes: Option<Map<String, Value>> = after.as_object().map(|after| {
                let changed = after.iter().filter(|(cell, value)| before[cell.as_str()] != **value);
                changed.map(|(cell, value)| (cell.clone(), value.clone())).collect()
            });
            if step["changes"].as_object() != changes.as_ref() {
                return Err(format!("step {i} changes {changes:?}"));
            }
        }
        let states = states.iter().map(|state| self.state(state)).collect::<Result<_, _>>()?;
        let steps = steps.iter().map(label).collect::<Result<_, _>>()?;
        Ok((states, steps))
    }

    fn lasso(&self, property: &str, evidence: &Value) -> Result<(), String> {
        let (states, steps) = self.run(evidence)?;
        let back = match evidence["stutter"].as_bool() {
            Some(false) => Some(evidence["loop_start"].as_u64().ok_or("no start")? as usize),
            Some(true) => None,
            None => return Err("stutter is not said".into()),
        };
        let neglected = |unit: &Value| unit["how"] == "neglected";
        if list(evidence, "fairness")?.iter().any(neglected) {
            return Err("a unit is neglected".into());
        }
        self.exploration.check_witness(property, &Shown { states, steps, back }, USUAL.fair)
    }

    fn path(&self, property: &str, kind: &str, evidence: &Value) -> Result<(), String> {
        let (states, steps) = self.run(evidence)?;
        let fault = &evidence["fault"];
        let place = || {
            let text = fault["expression"].as_str().unwrap_or_default();
            format!(" at {}:{} in `{text}`", fault["line"], fault["column"])
        };
        let end = match fault["during"].as_str() {
            _ if fault.is_null() => PathEnd::State,
            Some("property") => PathEnd::Undefined,
            Some("step") => PathEnd::Fault(Some(label(&fault["step"])?), place()),
            Some("initialisation") => PathEnd::Fault(None, place()),
            _ => return Err("no such fault".into()),
        };
        let claim = match kind {
            "faults" => PathClaim::Faults,
            "deadlock" => PathClaim::Deadlock,
            _ => PathClaim::Property(property),
        };
        self.exploration.check_path(claim, &ShownPath { states, steps, end })
    }

    fn tree(&self, property: &str, verdict: bool, evidence: &Value) -> Result<(), String> {
        let tables = Tables { reader: self, states: RefCell::default(), steps: RefCell::default() };
        let state = tables.state(&evidence["state"])?;
        let tree = tables.tree(&evidence["tree"])?;
        let (states, steps) = (tables.states.into_inner(), tables.steps.into_inner());
        let texts = Texts {
            state: &|state| states[state[0] as usize].clone(),
            step: &|step| steps[step.rule.index()].clone(),
        };
        self.exploration.check_tree(property, verdict, (&state, &tree), USUAL, &texts).map(drop)
    }
}

/// States and steps of a tree by number: the oracle looks at their texts only.
struct Tables<'r> {
    reader: &'r Reader<'r>,
    states: RefCell<Vec<String>>,
    steps: RefCell<Vec<StepLabel>>,
}

impl Tables<'_> {
    fn state(&self, state: &Value) -> Result<Box<[u64]>, String> {
        self.add_state(self.reader.state(state)?)
    }

    fn add_state(&self, text: String) -> Result<Box<[u64]>, String> {
        self.states.borrow_mut().push(text);
        Ok(Box::new([self.states.borrow().len() as u64 - 1]))
    }

    fn tree(&self, node: &Value) -> Result<Tree, String> {
        let child = |i: usize| self.tree(&node["children"][i]);
        Ok(match node["shown_by"].as_str() {
            Some("condition") => Tree::Condition,
            Some("everywhere") => Tree::Everywhere,
            Some("omitted") => Tree::Omitted,
            Some("value") => Tree::Value(node["number"].as_u64().ok_or("no number")?, Box::new(child(0)?)),
            Some("sides") => match list(node, "children")? {
                [one] => Tree::Side(one["side"].as_u64().ok_or("no side")? as usize, Box::new(child(0)?)),
                [one, two] if (&one["side"], &two["side"]) == (&0.into(), &1.into()) => {
                    Tree::Both(Box::new([child(0)?, child(1)?]))
                }
                _ => return Err("no sides".into()),
            },
            Some("run") => {
                let marks = list(node, "children")?.iter().map(|child| {
                    let position = child["position"].as_u64().ok_or("no position")?;
                    Ok((position as usize, self.tree(child)?))
                });
                let marks = marks.collect::<Result<_, String>>()?;
                Tree::Run(Box::new(self.run(&node["run"])?), marks)
            }
            _ => return Err("shown by nothing".into()),
        })
    }

    fn run(&self, run: &Value) -> Result<Evidence, String> {
        let (states, steps) = self.reader.run(run)?;
        let end = match (&run["loop_start"], run["stutter"] == true) {
            (Value::Null, _) => End::State,
            (_, true) => End::Stutter,
            (start, false) => End::Loop(start.as_u64().ok_or("no start")? as usize),
        };
        let states = states.into_iter().map(|text| self.add_state(text)).collect::<Result<_, _>>()?;
        let steps = steps.into_iter().map(|label| {
            self.steps.borrow_mut().push(label);
            Step { rule: RuleId(self.steps.borrow().len() as u32 - 1), args: Box::new([]) }
        });
        Ok(Evidence { states, steps: steps.collect(), end })
    }
}

fn list<'v>(value: &'v Value, key: &str) -> Result<&'v [Value], String> {
    value[key].as_array().map(Vec::as_slice).ok_or(format!("{key} is no list"))
}

fn label(step: &Value) -> Result<StepLabel, String> {
    let (Some(process), Some(rule), Some(arguments)) =
        (step["process"].as_str(), step["rule"].as_str(), step["arguments"].as_object())
    else {
        return Err("a step is incomplete".into());
    };
    let arguments = arguments.iter().map(|(name, value)| Some((name.clone(), value.as_str()?.to_string())));
    let arguments = arguments.collect::<Option<Vec<_>>>().ok_or("an argument is no text")?;
    Ok(StepLabel { rule: format!("{process}.{rule}"), args: Some(joined(&arguments)) })
}

fn joined(pairs: &[(String, String)]) -> String {
    state_text(pairs.iter().map(|(name, value)| (name.as_str(), value.as_str())))
}
