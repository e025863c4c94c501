//! Systems built by names: for front ends and tests, without a bit offset or a frame slot by hand.
//!
//! Entry point: [`SystemBuilder`]. Everything is declared and said in terms of handles; nothing fails before
//! [`SystemBuilder::build`], which checks types, lays out the state and the frame, and finds what symmetry is
//! left (`uses`). The system means what the interpreter makes of it. Functions, hints and permutations of
//! rules are not built here: the fields of [`System`] are open.

mod act;
mod formula;
mod lower;
mod place;
mod show;
mod term;
mod uses;

pub use term::{
    Act, Operators, Pattern, Term, any, assert, assume, branch, count, delete, each, exists, finally, first,
    forall, globally, greatest, insert, least, next, none, on_all_paths, on_some_path, pop, push, put,
    release, set, strong_release, sum, take, until, weak_until,
};

use crate::code::{Root, Stmt};
use crate::symmetry::Symmetry;
use crate::system::{
    Conjunct, Fair, Param, Process, ProcessId, Property, Question, Rule, RuleId, Strength, System,
    UnitFamily, UnitId, Var,
};
use crate::types::{SortKind, Type, TypeError, TypeId, Types};
use lower::{Lowering, Result, Shared, error};
use std::fmt;
use term::{Join, Node};
use uses::Uses;

/// A variable of a system that is built.
#[derive(Clone, Copy, Debug)]
pub struct Variable(usize);

/// A name that takes the values of a type: an index of a process, a parameter of a rule, or what a quantifier
/// or a loop binds.
#[derive(Clone, Copy, Debug)]
pub struct Name(usize);

/// Why a system cannot be built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BuildError {
    message: String,
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BuildError {}

/// Builds a [`System`].
///
/// A mutex: each client tries, and enters if nobody is inside.
///
/// ```
/// use burnside_ts::builder::{Operators, SystemBuilder, exists, finally, forall, globally, set};
/// use burnside_ts::{SortGroup, Strength};
///
/// let mut b = SystemBuilder::new();
/// let client = b.symmetric("Client", 3);
/// let phase = b.enumeration("Phase", &["idle", "trying", "inside"]);
/// let phases = b.array(client, phase);
/// let pc = b.var("pc", phases, "idle");
/// let (c, d) = (b.name("c", client), b.name("d", client));
///
/// let worker = b.process("Worker", &[c]);
/// b.fair(worker, Strength::Weak);
/// let free = exists([d], pc.at(d).eq("inside")).not();
/// b.rule(worker, "try").when(pc.at(c).eq("idle")).then(set(pc.at(c), "trying"));
/// b.rule(worker, "enter").when(pc.at(c).eq("trying").and(free)).then(set(pc.at(c), "inside"));
/// b.rule(worker, "leave").when(pc.at(c).eq("inside")).then(set(pc.at(c), "idle"));
///
/// let both = pc.at(c).eq("inside").and(pc.at(d).eq("inside"));
/// b.invariant("exclusion", forall([c, d], both.implies(c.eq(d))));
/// b.linear("access", forall([c], globally(pc.at(c).eq("trying").implies(finally(pc.at(c).eq("inside"))))));
/// b.reachable("first", pc.at(0).eq("inside"));
///
/// let system = b.build()?;
/// assert_eq!(system.symmetry.sorts, [SortGroup::full(vec![0, 1, 2])]);
/// // This one names an element, so that the others are free to move.
/// assert_eq!(system.properties[2].symmetry.sorts, [SortGroup::full(vec![1, 2])]);
/// # Ok::<(), burnside_ts::builder::BuildError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SystemBuilder {
    types: Types,
    truth: TypeId,
    variables: Vec<Declared>,
    width: u64,
    names: Vec<(String, TypeId)>,
    processes: Vec<(String, Vec<Name>)>,
    rules: Vec<RuleDraft>,
    init: Vec<Act>,
    fair: Vec<(ProcessId, Strength)>,
    asked: Vec<(String, QuestionDraft)>,
    deadlock_free: bool,
    /// The first thing that went wrong.
    failed: Option<BuildError>,
}

#[derive(Clone, Debug)]
struct Declared {
    name: String,
    ty: TypeId,
    offset: u32,
    start: Term,
}

/// A rule that is built.
#[derive(Clone, Debug)]
pub struct RuleDraft {
    name: String,
    process: ProcessId,
    params: Vec<Name>,
    guard: Vec<Term>,
    acts: Vec<Act>,
    fair: Option<Strength>,
}

#[derive(Clone, Debug)]
enum QuestionDraft {
    Invariant(Term),
    Reachable(Term),
    Bound(Term),
    Never(Pattern),
    Linear(Term),
    Branching(Term),
}

impl RuleDraft {
    /// It has a parameter.
    pub fn with(&mut self, name: Name) -> &mut Self {
        self.params.push(name);
        self
    }

    /// It needs a condition, besides those before.
    pub fn when(&mut self, condition: impl Into<Term>) -> &mut Self {
        self.guard.push(condition.into());
        self
    }

    /// It does something, after what it did before.
    pub fn then(&mut self, act: Act) -> &mut Self {
        self.acts.push(act);
        self
    }

    /// Each of its instances is fair.
    pub fn fair(&mut self, strength: Strength) -> &mut Self {
        self.fair = Some(strength);
        self
    }
}

impl Default for SystemBuilder {
    fn default() -> Self {
        Self::new()
    }
}

/// Types.
impl SystemBuilder {
    /// A system without anything.
    pub fn new() -> Self {
        let mut types = Types::new();
        let truth = types.intern(Type::Bool).expect("truth values are a type");
        Self {
            types,
            truth,
            variables: Vec::new(),
            width: 0,
            names: Vec::new(),
            processes: Vec::new(),
            rules: Vec::new(),
            init: Vec::new(),
            fair: Vec::new(),
            asked: Vec::new(),
            deadlock_free: true,
            failed: None,
        }
    }

    /// The type, or a complaint when the system is built.
    fn declared(&mut self, what: &str, made: std::result::Result<TypeId, TypeError>) -> TypeId {
        made.unwrap_or_else(|problem| {
            self.fail(format!("{what}: {problem}"));
            self.truth
        })
    }

    fn fail(&mut self, message: String) {
        self.failed.get_or_insert(BuildError { message });
    }

    /// A type of this builder.
    fn known(&mut self, ty: TypeId) -> TypeId {
        if ty.index() < self.types.iter().count() {
            return ty;
        }
        self.fail("a type of another builder".to_string());
        self.truth
    }

    fn made(&mut self, what: &str, ty: Type) -> TypeId {
        let made = self.types.intern(ty);
        self.declared(what, made)
    }

    /// Truth values.
    pub fn truth(&self) -> TypeId {
        self.truth
    }

    /// Integers from `lo` to `hi`.
    pub fn range(&mut self, lo: i64, hi: i64) -> TypeId {
        self.made(&format!("{lo}..{hi}"), Type::Range { lo, hi })
    }

    /// One of some constants.
    pub fn enumeration(&mut self, name: &str, constants: &[&str]) -> TypeId {
        let made = self.types.declare_enum(name, strings(constants));
        self.declared(name, made)
    }

    /// So many elements that are alike.
    pub fn symmetric(&mut self, name: &str, size: u32) -> TypeId {
        let made = self.types.declare_sort(name, size, SortKind::Symmetric);
        self.declared(name, made)
    }

    /// So many elements in a circle, alike up to rotation.
    pub fn ring(&mut self, name: &str, size: u32) -> TypeId {
        let made = self.types.declare_sort(name, size, SortKind::Ring);
        self.declared(name, made)
    }

    /// Elements that are alike but have names of their own.
    pub fn labelled(&mut self, name: &str, labels: &[&str]) -> TypeId {
        let made = self.types.declare_named_sort(name, strings(labels), SortKind::Symmetric);
        self.declared(name, made)
    }

    /// A value of a type, or none.
    pub fn optional(&mut self, of: TypeId) -> TypeId {
        let of = self.known(of);
        self.made("an optional", Type::Option(of))
    }

    /// One element for each value of the index.
    pub fn array(&mut self, index: TypeId, element: TypeId) -> TypeId {
        let (index, element) = (self.known(index), self.known(element));
        self.made("an array", Type::Array { index, element })
    }

    /// A set of values.
    pub fn set(&mut self, of: TypeId) -> TypeId {
        let of = self.known(of);
        self.made("a set", Type::Set(of))
    }

    /// A sequence of at most so many values.
    pub fn queue(&mut self, capacity: u32, element: TypeId) -> TypeId {
        let element = self.known(element);
        self.made("a queue", Type::Queue { capacity, element })
    }

    /// A multiset of at most so many values.
    pub fn bag(&mut self, capacity: u32, element: TypeId) -> TypeId {
        let element = self.known(element);
        self.made("a bag", Type::Bag { capacity, element })
    }

    /// One value per field. A record without a name is shown as a tuple.
    pub fn record(&mut self, name: &str, fields: &[(&str, TypeId)]) -> TypeId {
        let fields = fields.iter().map(|&(name, ty)| (name.to_string(), self.known(ty))).collect();
        let made = self.types.declare_record(name, fields);
        self.declared(name, made)
    }
}

/// Everything else.
impl SystemBuilder {
    /// A variable and what it starts with: a value (which every cell of an array gets), [`first`], or
    /// [`any`].
    pub fn var(&mut self, name: &str, ty: TypeId, start: impl Into<Term>) -> Variable {
        let ty = self.known(ty);
        let offset = self.width as u32;
        self.width += u64::from(self.types.width(ty));
        if self.width > Types::MAX_WIDTH {
            self.fail(format!("`{name}`: {}", TypeError::TooWide(self.width)));
            self.width = 0;
        }
        if !name.is_empty() && self.variables.iter().any(|other| other.name == name) {
            self.fail(format!("there are two variables `{name}`"));
        }
        self.variables.push(Declared { name: name.to_string(), ty, offset, start: start.into() });
        Variable(self.variables.len() - 1)
    }

    /// A name for any value of a type. It can be bound in many places, but not inside itself.
    pub fn name(&mut self, name: &str, ty: TypeId) -> Name {
        let ty = self.known(ty);
        self.names.push((name.to_string(), ty));
        Name(self.names.len() - 1)
    }

    /// A process, or with indices a family of processes.
    pub fn process(&mut self, name: &str, indices: &[Name]) -> ProcessId {
        self.processes.push((name.to_string(), indices.to_vec()));
        ProcessId(self.processes.len() as u32 - 1)
    }

    /// A rule of a process, whose indices it knows. It can be said more about what is returned. Without a
    /// name it is called like its process.
    pub fn rule(&mut self, process: ProcessId, name: &str) -> &mut RuleDraft {
        let (params, guard, acts) = (Vec::new(), Vec::new(), Vec::new());
        self.rules.push(RuleDraft { name: name.to_string(), process, params, guard, acts, fair: None });
        self.rules.last_mut().expect("it was just put there")
    }

    /// Each member of a process is fair.
    pub fn fair(&mut self, process: ProcessId, strength: Strength) {
        self.fair.push((process, strength));
    }

    /// Does something to initial states, after the variables have got what they start with.
    pub fn init(&mut self, act: Act) {
        self.init.push(act);
    }

    /// It is no error if nothing can be done.
    pub fn allow_deadlock(&mut self) {
        self.deadlock_free = false;
    }

    /// Asks whether something is true in every reachable state.
    pub fn invariant(&mut self, name: &str, condition: impl Into<Term>) {
        self.asked.push((name.to_string(), QuestionDraft::Invariant(condition.into())));
    }

    /// Asks whether something is true in some reachable state.
    pub fn reachable(&mut self, name: &str, condition: impl Into<Term>) {
        self.asked.push((name.to_string(), QuestionDraft::Reachable(condition.into())));
    }

    /// Asks how great an integer becomes.
    pub fn bound(&mut self, name: &str, integer: impl Into<Term>) {
        self.asked.push((name.to_string(), QuestionDraft::Bound(integer.into())));
    }

    /// Asks whether no run has consecutive states that match.
    pub fn never(&mut self, name: &str, pattern: Pattern) {
        self.asked.push((name.to_string(), QuestionDraft::Never(pattern)));
    }

    /// Asks whether something is true of every fair run: operators over time have no paths.
    pub fn linear(&mut self, name: &str, formula: impl Into<Term>) {
        self.asked.push((name.to_string(), QuestionDraft::Linear(formula.into())));
    }

    /// Asks whether something is true in every initial state: operators over time have paths.
    pub fn branching(&mut self, name: &str, formula: impl Into<Term>) {
        self.asked.push((name.to_string(), QuestionDraft::Branching(formula.into())));
    }

    /// The system, or what was wrong first.
    pub fn build(&self) -> std::result::Result<System, BuildError> {
        if let Some(failed) = &self.failed {
            return Err(failed.clone());
        }
        let (mut shared, mut uses) = (Shared::default(), Uses::default());
        let processes = self.processes.iter().map(|it| self.built_process(it)).collect::<Result<_>>()?;
        let rules = self.rules.iter().map(|rule| {
            let built = self.built_rule(rule, &mut shared, &mut uses);
            built.map_err(|problem| problem.within(&format!("rule `{}`", rule.name)))
        });
        let rules = rules.collect::<Result<Vec<_>>>()?;
        let init = self.built_init(&mut shared, &mut uses)?;
        let properties = self.asked.iter().map(|(name, asked)| {
            let built = self.built_property(name, asked, &mut shared);
            built.map_err(|problem| problem.within(&format!("property `{name}`")))
        });
        let properties = properties.collect::<Result<_>>()?;
        let var = |it: &Declared| Var {
            name: it.name.clone(),
            process: None,
            qualified: false,
            ty: it.ty,
            offset: it.offset,
        };
        let mut system = System {
            types: self.types.clone(),
            vars: self.variables.iter().map(var).collect(),
            width: self.width as u32,
            original: None,
            frame: shared.frame + 1,
            processes,
            fairness: self.fairness(&rules)?,
            fair_sets: Vec::new(),
            rules,
            functions: Vec::new(),
            init,
            properties,
            hints: Vec::new(),
            deadlock_free: self.deadlock_free,
            constraint: None,
            symmetry: uses.symmetry(&self.types),
            rule_sort: None,
            foreign: None,
            accelerator: None,
            sites: shared.sites,
        };
        system.meet_properties();
        Ok(system)
    }

    fn built_process(&self, (name, indices): &(String, Vec<Name>)) -> Result<Process> {
        let ty = |index: &Name| match self.names.get(index.0) {
            Some((_, ty)) => Ok(*ty),
            None => error(format!("process `{name}`: no such name")),
        };
        Ok(Process { name: name.clone(), indices: indices.iter().map(ty).collect::<Result<_>>()? })
    }

    fn built_rule(&self, draft: &RuleDraft, shared: &mut Shared, uses: &mut Uses) -> Result<Rule> {
        let Some((_, indices)) = self.processes.get(draft.process.index()) else {
            return error("no such process");
        };
        let start = shared.frame;
        let mut lowering = Lowering::new(self, shared);
        let params = indices.iter().chain(&draft.params).map(|&name| {
            let binder = lowering.bind(name)?;
            Ok(Param { name: self.names[name.0].0.clone(), binder })
        });
        let params = params.collect::<Result<Vec<_>>>()?;
        let args = start..lowering.shared.frame;
        let mut guard = Vec::new();
        for part in draft.guard.iter().flat_map(conjuncts) {
            // What comes before it needs its parameters too.
            let condition = lowering.condition(part)?;
            guard.push(Conjunct { level: lowering.level, condition });
        }
        let body = lowering.acts(&draft.acts)?;
        uses.join(lowering.uses);
        Ok(Rule { name: draft.name.clone(), process: draft.process, params, args, guard, body })
    }

    fn built_init(&self, shared: &mut Shared, uses: &mut Uses) -> Result<Box<[Stmt]>> {
        let mut lowering = Lowering::new(self, shared);
        lowering.initial = true;
        let mut statements = Vec::new();
        for variable in &self.variables {
            let place = lowering.whole(Root::State, variable.offset, variable.ty);
            let set = lowering.set(place, variable.ty, &variable.start, &mut statements);
            set.map_err(|problem| problem.within(&format!("variable `{}`", variable.name)))?;
        }
        statements.extend(lowering.acts(&self.init)?);
        uses.join(lowering.uses);
        Ok(statements.into())
    }

    fn built_property(&self, name: &str, asked: &QuestionDraft, shared: &mut Shared) -> Result<Property> {
        let mut lowering = Lowering::new(self, shared);
        let (question, text) = match asked {
            QuestionDraft::Invariant(term) => {
                (Question::Invariant(lowering.condition(term)?), self.show(term))
            }
            QuestionDraft::Reachable(term) => {
                (Question::Reachable(lowering.condition(term)?), self.show(term))
            }
            QuestionDraft::Bound(term) => (Question::Bound(lowering.integer(term)?), self.show(term)),
            QuestionDraft::Never(pattern) => (Question::Sequence(lowering.sequence(pattern)?), String::new()),
            QuestionDraft::Linear(term) => {
                (Question::Linear(lowering.formula(term, false)?), self.show(term))
            }
            QuestionDraft::Branching(term) => {
                (Question::Branching(lowering.formula(term, true)?), self.show(term))
            }
        };
        let symmetry: Symmetry = lowering.uses.symmetry(&self.types);
        Ok(Property { name: name.to_string(), text, question, symmetry, named: None })
    }

    fn fairness(&self, rules: &[Rule]) -> Result<Vec<UnitFamily>> {
        let of_processes = self.fair.iter().map(|&(process, strength)| {
            let Some((_, indices)) = self.processes.get(process.index()) else {
                return error("no such process is fair");
            };
            Ok((Fair::Process(process), strength, indices.iter().map(|name| self.names[name.0].1).collect()))
        });
        let of_rules = self.rules.iter().enumerate().filter_map(|(i, draft)| {
            let types = rules[i].params.iter().map(|param| param.binder.ty);
            Some(Ok((Fair::Rule(RuleId(i as u32)), draft.fair?, types.collect::<Vec<_>>())))
        });
        let (mut families, mut first) = (Vec::new(), 0u32);
        for family in of_processes.chain(of_rules) {
            let (target, strength, types) = family?;
            let product = types.iter().try_fold(1u64, |all, &ty| all.checked_mul(self.types.size(ty)?));
            let count = product.and_then(|count| u32::try_from(count).ok());
            let next = count.and_then(|count| first.checked_add(count));
            let (Some(count), Some(next)) = (count, next) else {
                return error("too many processes and rules are fair");
            };
            families.push(UnitFamily { target, strength, changing: false, first: UnitId(first), count });
            first = next;
        }
        Ok(families)
    }
}

impl BuildError {
    fn within(self, what: &str) -> Self {
        Self { message: format!("{what}: {}", self.message) }
    }
}

/// The parts of a conjunction.
fn conjuncts(term: &Term) -> Vec<&Term> {
    match &*term.0 {
        Node::Join(Join::And, sides) => sides.iter().flat_map(conjuncts).collect(),
        _ => vec![term],
    }
}

fn strings(all: &[&str]) -> Vec<String> {
    all.iter().map(|text| text.to_string()).collect()
}
