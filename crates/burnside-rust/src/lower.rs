//! From a model in Rust to a transition system.
//!
//! Entry point: [`lower`]. The fields of the state become variables, the variants of the action rules, the
//! closures of properties conditions with numbers. All of it is symmetric if the initial states are; what the
//! closures do is watched while they run (`equivariance`).

use crate::action::{Action, RuleSpec};
use crate::data::{Data, Fields, Layout, Reader, Schema, Writer};
use crate::equivariance;
use crate::formula::{Binary, Formula, Node, Operator};
use crate::machine::{Code, Condition};
use crate::model::{FairTarget, Fairness, Measure, ModelQuestion, Property, RustModel, Sorts};
use burnside_ts::{
    Binder, Conjunct, Domain, Expr, Fair, Fault, Formula as SystemFormula, Param, Process, ProcessId,
    Property as SystemProperty, Question, Rule, RuleId, Site, SiteId, Slot, SortId, Symmetry, System, Target,
    Temporal, Type, TypeError, TypeId, Types, UnitFamily, UnitId, Var, bits,
};
use std::collections::HashSet;
use std::fmt;
use std::sync::Arc;

/// Quantifiers of a formula may have so many combinations of members.
const MOST_INSTANCES: usize = 1 << 16;

/// What is wrong with a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RustError(String);

impl fmt::Display for RustError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for RustError {}

fn error<T>(message: impl Into<String>) -> Result<T, RustError> {
    Err(RustError(message.into()))
}

/// A model and the system that it became.
#[derive(Debug)]
pub struct Lowered<M: RustModel> {
    /// The system.
    pub system: System,
    code: Arc<Code<M>>,
}

impl<M: RustModel> Lowered<M> {
    /// A packed state as the model's own.
    pub fn state(&self, packed: &[u64]) -> M::State {
        self.decoder().state(packed)
    }

    /// What unpacks states, also when the system is elsewhere.
    pub fn decoder(&self) -> Decoder<M> {
        Decoder { code: Arc::clone(&self.code) }
    }
}

/// Unpacks the states of a model.
#[derive(Debug)]
pub struct Decoder<M: RustModel> {
    code: Arc<Code<M>>,
}

impl<M: RustModel> Decoder<M> {
    /// A packed state as the model's own.
    pub fn state(&self, packed: &[u64]) -> M::State {
        let words = [packed, &[0; bits::SPARE]].concat();
        M::State::read(&mut Reader::new(&words, &self.code.layout))
    }
}

/// Makes a transition system of a model.
pub fn lower<M: RustModel>(model: M) -> Result<Lowered<M>, RustError> {
    let mut types = Types::new();
    let (layout, fields, rules) = declare::<M>(&model, &mut types)?;
    let (conditions, property) = (Vec::new(), String::new());
    let mut lowering = Lowering::<M::State> { layout: &layout, conditions, property, frame: 0 };
    let mut vars: Vec<Var> = Vec::new();
    let mut width = 0;
    for (name, ty) in fields {
        vars.push(Var { name, process: None, qualified: false, ty, offset: width });
        width += types.width(ty);
    }
    let (processes, rules) = lowering.rules(rules)?;
    let fairness = fairness(&model.fairness(), &processes, &rules, &types)?;
    let symmetry = Symmetry::declared(&types);
    let properties = model.properties();
    let properties = lowering.properties(&properties, &types, &symmetry)?;
    let initial = initial(&model, &layout, width)?;
    let names = rules.iter().map(|rule| rule.name_of(&processes[rule.process.index()].name));
    let site = |text| Site { text, origin: 0, line: 0, column: 0, message: None };
    let blamed = SiteId(rules.len() as u32 + 1);
    let asked = lowering.conditions.iter().map(|it| format!("a condition of `{}`", it.property));
    let sites = ["the initial states".to_string()].into_iter().chain(names);
    let sites = sites.chain(["the actions".to_string()]).chain(asked).map(site).collect();
    let (conditions, frame) = (lowering.conditions, lowering.frame);
    let deadlock_free = model.is_deadlock_free();
    let code = Arc::new(Code::new(model, layout, conditions, initial, blamed));
    let system = System {
        types,
        vars,
        width,
        original: None,
        frame: frame + 1,
        processes,
        rules,
        functions: Vec::new(),
        init: Box::new([]),
        fairness,
        fair_sets: Vec::new(),
        properties,
        hints: Vec::new(),
        deadlock_free,
        constraint: None,
        symmetry,
        rule_sort: None,
        sites,
        foreign: Some(Arc::clone(&code) as Arc<dyn burnside_ts::Foreign>),
        accelerator: None,
    };
    equivariance::initial(&system, &code.initial).map_err(RustError)?;
    Ok(Lowered { system, code })
}

/// A rule with the types of its parameters.
type TypedRule = (RuleSpec, Vec<TypeId>);

/// The types of a model, the variables and the rules.
#[allow(clippy::type_complexity)]
fn declare<M: RustModel>(
    model: &M,
    types: &mut Types,
) -> Result<(Layout, Vec<(String, TypeId)>, Vec<TypedRule>), RustError> {
    let (mut sorts, mut layout) = (Sorts::default(), Layout::default());
    model.sorts(&mut sorts);
    let mut schema = Schema::new(types);
    let mut names = HashSet::new();
    for sort in sorts.declared {
        let named = |reason: TypeError| RustError(format!("the symmetric type `{}`: {reason}", sort.name));
        let ty = schema.types.declare_sort(sort.name, sort.size, sort.kind).map_err(named)?;
        if schema.sorts.insert(sort.key, ty).is_some() {
            return error(format!("the symmetric type `{}` is declared twice", sort.name));
        }
        if !names.insert(sort.name) {
            return error(format!("there is another symmetric type `{}`", sort.name));
        }
        layout.set(sort.key, sort.size);
    }
    let fields = M::State::fields(&mut schema);
    let fields = fields.map_err(|reason| unknown(&schema, reason))?;
    let mut rules = Vec::new();
    for rule in M::Action::rules() {
        if let Some(wide) = rule.parameters.iter().find(|parameter| !parameter.scalar) {
            let (rule, parameter) = (rule.name, wide.name);
            return error(format!(
                "the field `{parameter}` of the action `{rule}` is no member, number, constant or truth value"
            ));
        }
        let described: Result<Vec<TypeId>, TypeError> =
            rule.parameters.iter().map(|parameter| (parameter.describe)(&mut schema)).collect();
        let described = described.map_err(|reason| unknown(&schema, reason))?;
        rules.push((rule, described));
    }
    Ok((layout, fields, rules))
}

fn unknown(schema: &Schema<'_>, reason: TypeError) -> RustError {
    RustError(match schema.unknown {
        Some(name) => format!("nothing says how many members `{name}` has: add it in `sorts`"),
        None => reason.to_string(),
    })
}

/// The initial states, packed, each once.
fn initial<M: RustModel>(model: &M, layout: &Layout, width: u32) -> Result<Vec<Initial>, RustError> {
    let words = (width as usize).div_ceil(64);
    let mut seen = HashSet::new();
    let mut states = Vec::new();
    for state in model.initial() {
        let mut packed = vec![0; words + bits::SPARE];
        let written = state.write(&mut Writer::new(&mut packed, layout));
        packed.truncate(words);
        let outcome = written.map(|()| packed).map_err(|kind| Fault { kind, site: SiteId(0) });
        match outcome {
            Ok(packed) => {
                if seen.insert(packed.clone()) {
                    states.push(Ok(packed.into()));
                }
            }
            Err(fault) => states.push(Err(fault)),
        }
    }
    Ok(states)
}

/// An initial state, or what is wrong with it.
pub(crate) type Initial = Result<Box<[u64]>, Fault>;

fn fairness(
    asked: &[Fairness],
    processes: &[Process],
    rules: &[Rule],
    types: &Types,
) -> Result<Vec<UnitFamily>, RustError> {
    let mut first = 0u32;
    let mut families: Vec<UnitFamily> = Vec::new();
    for Fairness { target, strength } in asked {
        let (target, indices): (Fair, Vec<TypeId>) = match target {
            FairTarget::Process(name) => {
                let Some(id) = processes.iter().position(|process| process.name == *name) else {
                    let known: Vec<&str> = processes.iter().map(|process| process.name.as_str()).collect();
                    return error(format!("there is no process `{name}`; there are {}", known.join(", ")));
                };
                (Fair::Process(ProcessId(id as u32)), processes[id].indices.clone())
            }
            FairTarget::Rule(name) => {
                let Some(id) = rules.iter().position(|rule| rule.name == *name) else {
                    let known: Vec<&str> = rules.iter().map(|rule| rule.name.as_str()).collect();
                    return error(format!("there is no action `{name}`; there are {}", known.join(", ")));
                };
                (
                    Fair::Rule(RuleId(id as u32)),
                    rules[id].params.iter().map(|param| param.binder.ty).collect(),
                )
            }
        };
        if families.iter().any(|family| family.target == target) {
            return error("something is said to be fair twice");
        }
        let sizes = indices.iter().map(|&ty| types.size(ty).unwrap_or(u64::MAX));
        let count = sizes.fold(1u64, u64::saturating_mul);
        let next = u32::try_from(count).ok().and_then(|count| first.checked_add(count));
        let Some(next) = next else { return error("there are too many fairness units") };
        families.push(UnitFamily {
            target,
            strength: *strength,
            changing: false,
            first: UnitId(first),
            count: next - first,
        });
        first = next;
    }
    Ok(families)
}

/// What is numbered on the way.
struct Lowering<'l, S> {
    layout: &'l Layout,
    conditions: Vec<Condition<S>>,
    /// The property at hand.
    property: String,
    /// Words of the frame in use.
    frame: usize,
}

/// The names that quantifiers around a formula bind: where they are, how many values each has, and its sort.
type Scope = Vec<(Binder, usize, SortId)>;

impl<S: Data> Lowering<'_, S> {
    fn slot(&mut self) -> Slot {
        self.frame += 1;
        Slot(self.frame as u32 - 1)
    }

    fn rules(&mut self, specs: Vec<TypedRule>) -> Result<(Vec<Process>, Vec<Rule>), RustError> {
        let (mut processes, mut rules): (Vec<Process>, Vec<Rule>) = Default::default();
        for (spec, types) in specs {
            let indices: Vec<TypeId> = types.get(..spec.indices).map(<[_]>::to_vec).unwrap_or_default();
            if indices.len() < spec.indices {
                return error(format!("the action `{}` has too few fields for its process", spec.name));
            }
            let known = processes.iter().position(|process| process.name == spec.process);
            let process = known.unwrap_or_else(|| {
                processes.push(Process { name: spec.process.to_string(), indices: indices.clone() });
                processes.len() - 1
            });
            if processes[process].indices != indices {
                return error(format!("the actions of `{}` have different members", spec.process));
            }
            let start = self.frame;
            let params: Vec<Param> = spec
                .parameters
                .iter()
                .zip(&types)
                .map(|(parameter, &ty)| {
                    let target = Target::Scalar(self.slot());
                    let binder = Binder { target, ty, domain: Domain::Type };
                    Param { name: parameter.name.to_string(), binder }
                })
                .collect();
            let (process, args) = (ProcessId(process as u32), start..self.frame);
            let guard: Vec<Conjunct> = Vec::new();
            let name = spec.name.to_string();
            rules.push(Rule { name, process, params, args, guard, body: Box::new([]) });
        }
        Ok((processes, rules))
    }

    fn properties(
        &mut self,
        asked: &[Property<S>],
        types: &Types,
        symmetry: &Symmetry,
    ) -> Result<Vec<SystemProperty>, RustError> {
        let mut names = HashSet::new();
        let mut properties = Vec::new();
        for Property { name, asked } in asked {
            if !names.insert(name) || ["faults", "deadlock"].contains(&name.as_str()) {
                return error(format!("there is another property `{name}`"));
            }
            self.property.clone_from(name);
            let named = |RustError(message)| RustError(format!("property `{name}`: {message}"));
            let (question, text) = match asked {
                ModelQuestion::Invariant(it) => (Question::Invariant(self.condition(it)), String::new()),
                ModelQuestion::Reachable(it) => (Question::Reachable(self.condition(it)), String::new()),
                ModelQuestion::Bound(it) => (Question::Bound(self.condition(it)), String::new()),
                ModelQuestion::Ltl(it) | ModelQuestion::Ctl(it) => {
                    let is_linear = matches!(asked, ModelQuestion::Ltl(_));
                    let mut scope = Scope::new();
                    let (formula, text) = self
                        .formula(std::slice::from_ref(it), &mut scope, (types, is_linear))
                        .map_err(named)?;
                    match is_linear {
                        true => (Question::Linear(formula), text),
                        false => (Question::Branching(formula), text),
                    }
                }
            };
            let symmetry = symmetry.clone();
            properties.push(SystemProperty { name: name.clone(), text, question, symmetry, named: None });
        }
        Ok(properties)
    }

    /// A condition without arguments.
    fn condition(&mut self, measure: &Measure<S>) -> Expr {
        self.conditions.push(Condition {
            instances: vec![Arc::clone(measure)],
            sizes: Vec::new(),
            sorts: Vec::new(),
            property: self.property.clone(),
        });
        Expr::Foreign(self.conditions.len() as u32 - 1, Box::new([]))
    }

    /// One formula for all combinations of members of the quantifiers around it, the last one running
    /// fastest; and its text.
    fn formula(
        &mut self,
        instances: &[Formula<S>],
        scope: &mut Scope,
        kind: (&Types, bool),
    ) -> Result<(SystemFormula, String), RustError> {
        let shape = || error("a quantifier gives formulas of different shapes for different members");
        let first = &*instances[0].0;
        match first {
            Node::Atom(name, _) => {
                let mut closures = Vec::with_capacity(instances.len());
                for instance in instances {
                    let Node::Atom(_, closure) = &*instance.0 else { return shape() };
                    closures.push(Arc::clone(closure));
                }
                let sizes = scope.iter().map(|(_, size, _)| *size).collect();
                let sorts = scope.iter().map(|(_, _, sort)| *sort).collect();
                let property = self.property.clone();
                self.conditions.push(Condition { instances: closures, sizes, sorts, property });
                let args = scope.iter().map(|(binder, ..)| match binder.target {
                    Target::Scalar(slot) => Expr::Local(slot),
                    Target::Wide(_) => unreachable!("a member is a scalar"),
                });
                let condition = Expr::Foreign(self.conditions.len() as u32 - 1, args.collect());
                Ok((SystemFormula::Atom(condition, name.clone()), name.clone()))
            }
            Node::Not(_) => {
                let parts = parts(instances, |node| match node {
                    Node::Not(inner) => Some(vec![inner]),
                    _ => None,
                });
                let Some(mut parts) = parts else { return shape() };
                let (inner, text) = self.formula(&parts.remove(0), scope, kind)?;
                Ok((SystemFormula::Not(Box::new(inner)), format!("!({text})")))
            }
            Node::Binary(connective, ..) => {
                let parts = parts(instances, |node| match node {
                    Node::Binary(other, left, right) if other == connective => Some(vec![left, right]),
                    _ => None,
                });
                let Some(parts) = parts else { return shape() };
                let (left, left_text) = self.formula(&parts[0], scope, kind)?;
                let (right, right_text) = self.formula(&parts[1], scope, kind)?;
                let sides = Box::new([left, right]);
                let (formula, sign) = match connective {
                    Binary::And => (SystemFormula::And(sides), "&&"),
                    Binary::Or => (SystemFormula::Or(sides), "||"),
                    Binary::Implies => (SystemFormula::Implies(sides), "->"),
                    Binary::Iff => (SystemFormula::Iff(sides), "<->"),
                };
                Ok((formula, format!("({left_text} {sign} {right_text})")))
            }
            Node::Temporal(path, operator, operands) => {
                if path.is_none() != kind.1 {
                    return error(match kind.1 {
                        true => "an operator of branching time in a formula of linear time",
                        false => "an operator of linear time in a formula of branching time",
                    });
                }
                let parts = parts(instances, |node| match node {
                    Node::Temporal(its, other, operands) if (its, other) == (path, operator) => {
                        Some(operands.iter().collect())
                    }
                    _ => None,
                });
                let Some(parts) = parts else { return shape() };
                debug_assert_eq!(parts.len(), operands.len());
                let lowered: Result<Vec<(SystemFormula, String)>, RustError> =
                    parts.iter().map(|part| self.formula(part, scope, kind)).collect();
                Ok(temporal(*path, *operator, lowered?))
            }
            Node::Quantified(_) => self.quantified(instances, scope, kind),
        }
    }

    fn quantified(
        &mut self,
        instances: &[Formula<S>],
        scope: &mut Scope,
        kind: (&Types, bool),
    ) -> Result<(SystemFormula, String), RustError> {
        let Node::Quantified(first) = &*instances[0].0 else { unreachable!("it was looked at") };
        let count = self.layout.try_members(first.key);
        let Some(count) = count else {
            return error(format!("nothing says how many members `{}` has: add it in `sorts`", first.sort));
        };
        if instances.len().saturating_mul(count as usize) > MOST_INSTANCES {
            return error("its quantifiers have too many combinations of members");
        }
        let mut bodies = Vec::with_capacity(instances.len() * count as usize);
        for instance in instances {
            match &*instance.0 {
                Node::Quantified(it) if (it.forall, it.key) == (first.forall, first.key) => {
                    bodies.extend((0..count).map(|member| (it.body)(member)));
                }
                _ => return error("a quantifier gives formulas of different shapes for different members"),
            }
        }
        let declared = kind.0.iter().find_map(|(id, ty)| match ty {
            Type::Sort(sort) if kind.0.sort(*sort).name == first.sort => Some((id, *sort)),
            _ => None,
        });
        let (ty, sort) = declared.expect("a type with members is declared");
        let binder = Binder { target: Target::Scalar(self.slot()), ty, domain: Domain::Type };
        let letter = char::from(b'a' + (scope.len() % 26) as u8);
        scope.push((binder.clone(), count as usize, sort));
        let lowered = self.formula(&bodies, scope, kind);
        scope.pop();
        let (body, text) = lowered?;
        let body = Box::new(body);
        Ok(match first.forall {
            true => {
                (SystemFormula::Forall(binder, body), format!("forall {letter}: {} {{ {text} }}", first.sort))
            }
            false => {
                (SystemFormula::Exists(binder, body), format!("exists {letter}: {} {{ {text} }}", first.sort))
            }
        })
    }
}

/// The operands of formulas of one shape, operand by operand; none if they have different shapes.
fn parts<S>(
    instances: &[Formula<S>],
    operands: impl Fn(&Node<S>) -> Option<Vec<&Formula<S>>>,
) -> Option<Vec<Vec<Formula<S>>>> {
    let mut parts: Vec<Vec<Formula<S>>> = Vec::new();
    for instance in instances {
        for (i, operand) in operands(&instance.0)?.into_iter().enumerate() {
            if parts.len() <= i {
                parts.push(Vec::with_capacity(instances.len()));
            }
            parts[i].push(operand.clone());
        }
    }
    Some(parts)
}

fn temporal(
    path: Option<burnside_ts::Path>,
    operator: Operator,
    operands: Vec<(SystemFormula, String)>,
) -> (SystemFormula, String) {
    let prefix = match path {
        None => "",
        Some(burnside_ts::Path::All) => "A",
        Some(burnside_ts::Path::Some) => "E",
    };
    let mut operands = operands.into_iter();
    let mut operand = || operands.next().expect("an operator has its operands");
    let (left, text) = operand();
    let unary = |sign: &str| format!("{prefix}{sign} ({text})");
    let (formula, text) = match operator {
        Operator::Next => (Temporal::Next(Box::new(left)), unary("X")),
        Operator::Finally => (Temporal::Finally(Box::new(left)), unary("F")),
        Operator::Globally => (Temporal::Globally(Box::new(left)), unary("G")),
        Operator::Until | Operator::Release | Operator::WeakUntil => {
            let (right, right_text) = operand();
            let sides = Box::new([left, right]);
            let (formula, sign) = match operator {
                Operator::Until => (Temporal::Until(sides), "U"),
                Operator::Release => (Temporal::Release(sides), "R"),
                _ => (Temporal::WeakUntil(sides), "W"),
            };
            (formula, format!("{prefix}[({text}) {sign} ({right_text})]"))
        }
    };
    let text = if path.is_none() { text.replace('[', "(").replace(']', ")") } else { text };
    (SystemFormula::Temporal(path, formula), text)
}
