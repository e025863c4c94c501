//! Closed sets of views as an invariant in TLA+.
//!
//! Entry point: [`module`]. Variables of the model are variables of the module; what there is for each member
//! is a function over the set of members, which is a constant. Values of enums and of other symmetric types
//! are strings, and so is `none`. For each proof there is a formula that is true of a state if its views are
//! in the set. What a context counts is not translated: it is a constant operator, with its text beside it.

use crate::Needs;
use crate::attribute::{Attribute, Kind, Path, Step, attributes};
use crate::certificate::Proof;
use crate::clause::orders;
use crate::layout::{Layout, Unfit};
use burnside_limits::poll;
use burnside_ts::{System, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The names of the members of a view.
const NAMES: [&str; 3] = ["one", "two", "three"];
/// Names that mean something in TLA+, or in the modules that are extended.
const TAKEN: [&str; 52] = [
    "ASSUME",
    "ASSUMPTION",
    "AXIOM",
    "BOOLEAN",
    "CASE",
    "CHOOSE",
    "CONSTANT",
    "CONSTANTS",
    "DOMAIN",
    "ELSE",
    "ENABLED",
    "EXCEPT",
    "EXTENDS",
    "FALSE",
    "IF",
    "IN",
    "INSTANCE",
    "LAMBDA",
    "LET",
    "LOCAL",
    "MODULE",
    "NEW",
    "OTHER",
    "PROOF",
    "SF_",
    "STRING",
    "SUBSET",
    "THEN",
    "THEOREM",
    "TRUE",
    "UNCHANGED",
    "UNION",
    "VARIABLE",
    "VARIABLES",
    "WF_",
    "WITH",
    "Nat",
    "Int",
    "Len",
    "Head",
    "Tail",
    "Seq",
    "Append",
    "Cardinality",
    "Globals",
    "Word",
    "Invariant",
    "member",
    "number",
    "one",
    "two",
    "three",
];

/// What a proof is about: the instances may have more variables than the model.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    /// One of the instances.
    pub system: &'a System,
    /// What matters to them.
    pub needs: &'a Needs,
}

/// A module with an invariant for each of some proofs, and their conjunction. The model itself comes first.
pub fn module(model: About<'_>, constant: &str, proofs: &[(&Proof, About<'_>)]) -> Result<String, Unfit> {
    let listed = |about: About<'_>| {
        let layout = Layout::new(about.system, &about.needs.sort)?;
        Ok(attributes(about.system, &layout, about.needs))
    };
    let (sort, mut variables) = (identifier(&model.needs.sort), BTreeSet::new());
    let mut lists = Vec::new();
    for about in [model].into_iter().chain(proofs.iter().map(|(_, about)| *about)) {
        let list = listed(about)?;
        variables.extend(list.iter().map(|it| identifier(&it.path.root)));
        lists.push(list);
    }
    let mut out = String::from("---- MODULE ForEvery ----\n");
    let mut line = |text: String| writeln!(out, "{text}").expect("a text takes all");
    line(format!("\\* What holds for every value of {constant}, the number of members."));
    line(String::from("EXTENDS Integers, Sequences, FiniteSets"));
    line(format!("CONSTANT {sort}"));
    if !variables.is_empty() {
        line(format!("VARIABLES {}", variables.into_iter().collect::<Vec<_>>().join(", ")));
    }
    let mut names = Vec::new();
    for (i, ((proof, about), all)) in proofs.iter().zip(&lists[1..]).enumerate() {
        let writer = Writer { system: about.system, sort: sort.clone(), all, number: i + 1, proof };
        line(writer.text());
        names.push(format!("Invariant{}", i + 1));
    }
    let conjunction = if names.is_empty() { String::from("TRUE") } else { names.join(" /\\ ") };
    line(format!("\nInvariant == {conjunction}\n===="));
    Ok(out)
}

/// A name that is one in TLA+ too.
fn identifier(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    let text: String = name.chars().map(plain).collect();
    if TAKEN.contains(&text.as_str()) { format!("{text}_") } else { text }
}

struct Writer<'a> {
    system: &'a System,
    sort: String,
    all: &'a [Attribute],
    number: usize,
    proof: &'a Proof,
}

impl Writer<'_> {
    fn text(&self) -> String {
        let (number, proof, sort) = (self.number, self.proof, &self.sort);
        let mut out = format!("\n\\* This proves: {}.\n", proof.properties.join(", "));
        for (i, context) in proof.contexts.iter().enumerate() {
            let name = format!("{number}_{}", i + 1);
            let text = &context.text;
            out += &format!("\\* Counted{name}(member) is meant to say that it counts for this: {text}\n");
            out += &format!("CONSTANT Counted{name}(_)\n");
            out += &format!(
                "Number{name} == LET number == Cardinality({{member \\in {sort} : Counted{name}(member)}})\n"
            );
            out += &format!("    IN IF number > {0} THEN {0} ELSE number\n", context.most);
        }
        let counts = (1..=proof.contexts.len()).map(|i| format!("Number{number}_{i}"));
        let globals = self.all.iter().filter(|it| !it.of_member).map(|it| self.expression(it));
        let globals: Vec<String> = globals.chain(counts).collect();
        let word = self.all.iter().filter(|it| it.of_member).map(|it| self.expression(it));
        out += &format!("Globals{number} == <<{}>>\n", globals.join(", "));
        out += &format!("Word{number}(member) == <<{}>>\n", word.collect::<Vec<_>>().join(", "));
        out += &self.invariant();
        out
    }

    fn invariant(&self) -> String {
        let (number, proof) = (self.number, self.proof);
        let mut views: BTreeMap<u32, BTreeSet<String>> = BTreeMap::new();
        for (globals, words) in &proof.views {
            poll();
            for order in orders(words.len()) {
                let members = order.iter().map(|&i| self.values(true, &proof.words[words[i] as usize]));
                let members: Vec<String> = members.collect();
                views.entry(*globals).or_default().insert(format!("<<{}>>", members.join(", ")));
            }
        }
        let names = &NAMES[..proof.k as usize];
        let words: Vec<String> = names.iter().map(|name| format!("Word{number}({name})")).collect();
        let differ: Vec<String> = (0..names.len())
            .flat_map(|i| names[i + 1..].iter().map(move |other| format!("{} # {other}", names[i])))
            .collect();
        let condition =
            if differ.is_empty() { String::new() } else { format!("{} => ", differ.join(" /\\ ")) };
        let mut out = format!("Invariant{number} ==\n");
        for (globals, words_of) in views {
            let (plain, counts) = {
                let all = &proof.globals[globals as usize];
                all.split_at(all.len() - proof.contexts.len())
            };
            let mut values = self.list(false, plain);
            values.extend(counts.iter().map(u64::to_string));
            out += &format!("    \\/ /\\ Globals{number} = <<{}>>\n", values.join(", "));
            out += &format!(
                "       /\\ \\A {} \\in {} : {condition}<<{}>> \\in {{\n            {}}}\n",
                names.join(", "),
                self.sort,
                words.join(", "),
                words_of.into_iter().collect::<Vec<_>>().join(",\n            ")
            );
        }
        if proof.views.is_empty() {
            out += "    FALSE\n";
        }
        out
    }

    fn list(&self, of_member: bool, bits: &[u64]) -> Vec<String> {
        let mine = self.all.iter().filter(|it| it.of_member == of_member);
        mine.map(|it| value(&it.value(&self.system.types, bits))).collect()
    }

    fn values(&self, of_member: bool, bits: &[u64]) -> String {
        format!("<<{}>>", self.list(of_member, bits).join(", "))
    }

    /// An attribute of a state, with `member` for the member.
    fn expression(&self, attribute: &Attribute) -> String {
        let (guards, place) = place(&attribute.path);
        let plain = match attribute.kind {
            Kind::Value(_) => place,
            Kind::In => format!("(member \\in {place})"),
            Kind::Is => format!("({place} = member)"),
            Kind::Some => format!("({place} # \"none\")"),
            Kind::Majority => format!("(2 * Cardinality({place}) > Cardinality({}))", self.sort),
            Kind::Length(_) => format!("Len({place})"),
        };
        match guards.is_empty() {
            true => plain,
            false => {
                let otherwise = value(&attribute.absent(&self.system.types));
                format!("(IF {} THEN {plain} ELSE {otherwise})", guards.join(" /\\ "))
            }
        }
    }
}

/// A place, and what must be true for it to be there.
fn place(path: &Path) -> (Vec<String>, String) {
    let (mut guards, mut text) = (Vec::new(), identifier(&path.root));
    for step in &path.steps {
        match step {
            Step::Field(name) => text += &format!(".{}", identifier(name)),
            Step::Index(index) => text += &format!("[{}]", value(index)),
            Step::Slot(slot) => {
                guards.push(format!("Len({text}) > {slot}"));
                text += &format!("[{}]", slot + 1);
            }
            Step::Inner => guards.push(format!("{text} # \"none\"")),
            Step::Member => text += "[member]",
        }
    }
    (guards, text)
}

/// A value as an expression.
fn value(it: &Value) -> String {
    let list = |parts: &[Value]| parts.iter().map(value).collect::<Vec<_>>().join(", ");
    match it {
        Value::Bool(true) => String::from("TRUE"),
        Value::Bool(false) => String::from("FALSE"),
        Value::Int(number) => number.to_string(),
        Value::Constant(name) => format!("\"{}\"", name.replace(['"', '\\'], "_")),
        Value::Element(sort, number) => format!("\"{}_{number}\"", identifier(sort)),
        Value::None => String::from("\"none\""),
        Value::Record(_, fields) if fields.is_empty() => String::from("<<>>"),
        Value::Record(_, fields) => {
            let field = |(name, it): &(String, Value)| format!("{} |-> {}", identifier(name), value(it));
            format!("[{}]", fields.iter().map(field).collect::<Vec<_>>().join(", "))
        }
        Value::Set(parts) => format!("{{{}}}", list(parts)),
        Value::Array(parts) | Value::Queue(parts) | Value::Bag(parts) => format!("<<{}>>", list(parts)),
    }
}
