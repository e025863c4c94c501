//! What a closed set of views says, as clauses that people can read.
//!
//! Entry point: [`explain`]. A clause says which values of one part of a view go with a value of another
//! part; clauses that follow from others by one more part in between are left out. All of them are true of
//! all views. Whether no other view satisfies them is counted ([`Explained::exact`]); if some do, the set
//! says more than its clauses. Nothing is proved with clauses.

use crate::Needs;
use crate::attribute::{Attribute, Kind, attributes};
use crate::certificate::Proof;
use crate::layout::{Layout, Unfit};
use burnside_limits::poll;
use burnside_ts::{System, Types, Value};
use std::collections::{BTreeSet, HashMap};

/// What a proof says of all reachable states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// The clauses.
    pub clauses: Vec<String>,
    /// Whether the views are just those that satisfy the clauses.
    pub exact: bool,
}

/// The names of members in clauses.
pub const NAMES: [&str; 3] = ["a", "b", "c"];
/// So many parts of views are related to each other at most.
const COLUMNS: usize = 120;
/// So many views are counted at most.
const COUNTED: u64 = 2_000_000;

/// The clauses of a proof, with an instance of its model.
pub fn explain(system: &System, needs: &Needs, proof: &Proof) -> Result<Explained, Unfit> {
    let (layout, sort) = (Layout::new(system, &needs.sort)?, needs.sort.as_str());
    let table = Table::new(system, &layout, needs, proof);
    // Nothing can be said of the parts of no view.
    if table.columns.len() > COLUMNS || proof.views.is_empty() {
        return Ok(Explained { clauses: Vec::new(), exact: false });
    }
    let mut relation = Relation::new(&table);
    let exact = relation.count(&table, table.rows.len() as u64) == Some(table.rows.len() as u64);
    let mut clauses = table.ranges(&system.types, sort);
    relation.reduce();
    clauses.extend(relation.clauses(&table, sort));
    Ok(Explained { clauses, exact })
}

/// A part of views, with its values.
struct Column {
    /// Which attribute; none for a count.
    attribute: Option<Attribute>,
    /// What is counted.
    count: String,
    most: u32,
    /// Which member of the view it belongs to.
    member: Option<usize>,
    values: Vec<Value>,
    /// What must be true so that it is there, and its value where it is not.
    presence: Vec<String>,
    absent: Option<Value>,
}

/// Views as rows, each in all orders of its members.
struct Table {
    columns: Vec<Column>,
    rows: BTreeSet<Vec<u16>>,
}

impl Table {
    fn new(system: &System, layout: &Layout, needs: &Needs, proof: &Proof) -> Self {
        let all = attributes(system, layout, needs);
        let mut columns: Vec<Column> = Vec::new();
        let column = |attribute: &Attribute, member: Option<usize>| Column {
            attribute: Some(attribute.clone()),
            count: String::new(),
            most: 0,
            member,
            values: Vec::new(),
            presence: attribute.path.presence(NAMES[member.unwrap_or(0)]),
            absent: Some(attribute.absent(&system.types)),
        };
        columns.extend(all.iter().filter(|it| !it.of_member).map(|it| column(it, None)));
        let plain = columns.len();
        columns.extend(proof.contexts.iter().map(|context| Column {
            attribute: None,
            count: context.text.clone(),
            most: context.most,
            member: None,
            values: Vec::new(),
            presence: Vec::new(),
            absent: None,
        }));
        for member in 0..proof.k as usize {
            columns.extend(all.iter().filter(|it| it.of_member).map(|it| column(it, Some(member))));
        }
        let mut table = Self { columns, rows: BTreeSet::new() };
        for (globals, words) in &proof.views {
            poll();
            let globals = &proof.globals[*globals as usize];
            let (bits, counts) = globals.split_at(globals.len() - proof.contexts.len());
            for order in orders(words.len()) {
                let mut row = Vec::with_capacity(table.columns.len());
                for (i, column) in table.columns.iter_mut().enumerate() {
                    let value = match (&column.attribute, column.member) {
                        (Some(it), None) => it.value(&system.types, bits),
                        (Some(it), Some(member)) => {
                            it.value(&system.types, &proof.words[words[order[member]] as usize])
                        }
                        (None, _) => Value::Int(counts[i - plain] as i64),
                    };
                    row.push(column.number(value));
                }
                table.rows.insert(row);
            }
        }
        table
    }

    /// Whether a clause from one column to another is about the first member, or the first two.
    fn is_first(&self, from: usize, to: usize) -> bool {
        match (self.columns[from].member, self.columns[to].member) {
            (None | Some(0), None | Some(0)) => true,
            (from, to) => (from, to) == (Some(0), Some(1)),
        }
    }

    /// The column with the first two members swapped.
    fn swapped(&self, column: usize) -> usize {
        let first = self.columns.iter().position(|it| it.member == Some(0)).unwrap_or(0);
        let second = self.columns.iter().position(|it| it.member == Some(1)).unwrap_or(first);
        match self.columns[column].member {
            Some(0) => column + (second - first),
            Some(1) => column - (second - first),
            _ => column,
        }
    }

    /// Parts that have fewer values than they could have.
    fn ranges(&self, types: &Types, sort: &str) -> Vec<String> {
        let mut clauses = Vec::new();
        for column in self.columns.iter().filter(|column| column.member.is_none_or(|member| member == 0)) {
            let Some(attribute) = &column.attribute else { continue };
            let all = match attribute.kind {
                Kind::Value(ty) => types.size(ty).unwrap_or(u64::MAX),
                Kind::In | Kind::Is | Kind::Some | Kind::Majority => 2,
                Kind::Length(_) => u64::MAX,
            };
            if (column.values.len() as u64) < all && column.values.len() < 6 {
                let seen: Vec<usize> = (0..column.values.len()).collect();
                clauses.push(quantified(sort, usize::from(column.member.is_some()), column.is_in(&seen)));
            }
        }
        clauses
    }
}

impl Column {
    fn number(&mut self, value: Value) -> u16 {
        let at = self.values.iter().position(|it| *it == value).unwrap_or_else(|| {
            self.values.push(value);
            self.values.len() - 1
        });
        at as u16
    }

    /// That it has one of some values, as a condition that does not fault where it is not there.
    fn is_in(&self, values: &[usize]) -> String {
        let text = self.is_one_of(values);
        if self.presence.is_empty() {
            return text;
        }
        let is_there = self.presence.join(" && ");
        match values.iter().any(|&value| Some(&self.values[value]) == self.absent.as_ref()) {
            true => format!("({is_there} -> {text})"),
            false => format!("({is_there} && {text})"),
        }
    }

    fn is_one_of(&self, values: &[usize]) -> String {
        let others: Vec<usize> = (0..self.values.len()).filter(|value| !values.contains(value)).collect();
        match (values, &others[..]) {
            ([only], _) => self.literal(*only, true),
            (_, [only]) => self.literal(*only, false),
            _ => {
                let list: Vec<String> = values.iter().map(|&it| self.values[it].to_string()).collect();
                format!("{} in {{{}}}", self.name(), list.join(", "))
            }
        }
    }

    fn name(&self) -> String {
        let member = NAMES[self.member.unwrap_or(0)];
        match &self.attribute {
            Some(it) if it.kind == Kind::Majority => format!("{}.majority()", it.path.text(member)),
            Some(it) if matches!(it.kind, Kind::Length(_)) => format!("{}.size()", it.path.text(member)),
            Some(it) => it.path.text(member),
            None => format!("number of `{}`", self.count),
        }
    }

    fn literal(&self, value: usize, positive: bool) -> String {
        let name = self.name();
        let member = NAMES[self.member.unwrap_or(0)];
        let value = &self.values[value];
        let equals = if positive { "==" } else { "!=" };
        let kind = self.attribute.as_ref().map(|it| it.kind);
        match (kind, value.as_bool()) {
            (Some(Kind::In), Some(truth)) if truth == positive => format!("{member} in {name}"),
            (Some(Kind::In), Some(_)) => format!("!({member} in {name})"),
            (Some(Kind::Is), Some(truth)) if truth == positive => format!("{name} == {member}"),
            (Some(Kind::Is), Some(_)) => format!("{name} != {member}"),
            (Some(Kind::Some), Some(truth)) if truth == positive => format!("{name} != none"),
            (Some(Kind::Some), Some(_)) => format!("{name} == none"),
            (Some(Kind::Value(_) | Kind::Majority), Some(truth)) if truth == positive => name,
            (Some(Kind::Value(_) | Kind::Majority), Some(_)) => format!("!{name}"),
            (None, _) if value.as_int() == Some(i64::from(self.most)) => match positive {
                true => format!("{name} >= {value}"),
                false => format!("{name} < {value}"),
            },
            // Of bags the language has no value but this.
            _ if matches!(value, Value::Bag(parts) if parts.is_empty()) => format!("{name} {equals} {{}}"),
            _ => format!("{name} {equals} {value}"),
        }
    }
}

/// A clause about so many members.
fn quantified(sort: &str, members: usize, clause: String) -> String {
    match members {
        0 => clause,
        1 => format!("forall a: {sort} {{ {clause} }}"),
        _ => format!("forall a, b: {sort} where a != b {{ {clause} }}"),
    }
}

/// The orders of some members.
pub(crate) fn orders(count: usize) -> Vec<Vec<usize>> {
    match count {
        0 | 1 => vec![(0..count).collect()],
        2 => vec![vec![0, 1], vec![1, 0]],
        _ => vec![vec![0, 1, 2], vec![0, 2, 1], vec![1, 0, 2], vec![1, 2, 0], vec![2, 0, 1], vec![2, 1, 0]],
    }
}

/// Two parts with a value each.
type Pair = ((usize, u16), (usize, u16));

/// Which values of two parts never come together.
struct Relation {
    apart: BTreeSet<Pair>,
    /// How many values each column has.
    values: Vec<u16>,
}

impl Relation {
    fn new(table: &Table) -> Self {
        let mut together: BTreeSet<Pair> = BTreeSet::new();
        for row in &table.rows {
            poll();
            for (i, &a) in row.iter().enumerate() {
                together.extend(row.iter().enumerate().skip(i + 1).map(|(j, &b)| ((i, a), (j, b))));
            }
        }
        let values: Vec<u16> = table.columns.iter().map(|column| column.values.len() as u16).collect();
        let mut apart = BTreeSet::new();
        for (i, &all) in values.iter().enumerate() {
            for a in 0..all {
                for (j, &others) in values.iter().enumerate().skip(i + 1) {
                    let never = (0..others).map(|b| ((i, a), (j, b))).filter(|it| !together.contains(it));
                    apart.extend(never);
                }
            }
        }
        Self { apart, values }
    }

    fn are_apart(&self, one: (usize, u16), other: (usize, u16)) -> bool {
        self.apart.contains(&(one.min(other), one.max(other)))
    }

    /// How many rows there are in which nothing is apart; nothing if it takes too long, or if there are more
    /// than so many.
    fn count(&self, table: &Table, most: u64) -> Option<u64> {
        let mut row: Vec<u16> = Vec::new();
        let (mut found, mut looked_at) = (0, 0);
        self.extend(table.columns.len(), &mut row, &mut found, &mut looked_at, most);
        (found <= most && looked_at < COUNTED).then_some(found)
    }

    fn extend(&self, columns: usize, row: &mut Vec<u16>, found: &mut u64, looked_at: &mut u64, most: u64) {
        poll();
        if row.len() == columns {
            *found += 1;
            return;
        }
        let column = row.len();
        for value in 0..self.values[column] {
            *looked_at += 1;
            if *found > most || *looked_at >= COUNTED {
                return;
            }
            if row.iter().enumerate().all(|(i, &it)| !self.are_apart((i, it), (column, value))) {
                row.push(value);
                self.extend(columns, row, found, looked_at, most);
                row.pop();
            }
        }
    }

    /// Leaves out what follows from others by one part in between.
    fn reduce(&mut self) {
        for pair in self.apart.clone() {
            poll();
            let (one, other) = pair;
            let follows = |between: usize| {
                between != one.0
                    && between != other.0
                    && (0..self.values[between]).all(|value| {
                        self.are_apart(one, (between, value)) || self.are_apart((between, value), other)
                    })
            };
            if (0..self.values.len()).any(follows) {
                self.apart.remove(&pair);
            }
        }
    }

    /// The clauses: the largest first, until all pairs are covered. What is said of a member need not be said
    /// of another one, nor what is said of two the other way around.
    fn clauses(&self, table: &Table, sort: &str) -> Vec<String> {
        let mut groups: HashMap<((usize, u16), usize), Vec<u16>> = HashMap::new();
        for &(one, other) in &self.apart {
            for (from, to) in [(one, other), (other, one)] {
                if table.is_first(from.0, to.0) {
                    groups.entry((from, to.0)).or_default().push(to.1);
                }
            }
        }
        let mut groups: Vec<_> = groups.into_iter().collect();
        groups.sort_by_key(|(of, never)| (std::cmp::Reverse(never.len()), *of));
        let mut covered: BTreeSet<Pair> = BTreeSet::new();
        let mut clauses: Vec<((usize, u16), String)> = Vec::new();
        for ((one, other), never) in groups {
            let pair = |a: (usize, u16), b: (usize, u16)| (a.min(b), a.max(b));
            if never.iter().all(|&it| covered.contains(&pair(one, (other, it)))) {
                continue;
            }
            for &it in &never {
                covered.insert(pair(one, (other, it)));
                covered.insert(pair((table.swapped(one.0), one.1), (table.swapped(other), it)));
            }
            let (left, right) = (&table.columns[one.0], &table.columns[other]);
            let allowed: Vec<usize> =
                (0..right.values.len()).filter(|it| !never.contains(&(*it as u16))).collect();
            let members = left.member.max(right.member).map_or(0, |member| member + 1);
            let clause = format!("{} -> {}", left.is_in(&[one.1.into()]), right.is_in(&allowed));
            clauses.push((one, quantified(sort, members, clause)));
        }
        clauses.sort();
        clauses.into_iter().map(|(_, clause)| clause).collect()
    }
}
