//! What is asked about a net, as it is gathered.
//!
//! Entry points: [`Questions::formula`], [`Questions::contest`], [`Questions::global`] and
//! [`Questions::watch`]. Invariant: no two questions have the same name.

use crate::{Error, Formula, Global, Net, NetQuestion, Query, Watched, global, parse_query, read_properties};
use burnside_logic::Hoa;
use burnside_ts::Kind;
use std::collections::HashSet;
use std::ops::Range;

/// What is asked about a net.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Conditions, formulas and bounds.
    pub queries: Vec<Query>,
    /// Automata from outside.
    pub watched: Vec<Watched>,
}

impl Questions {
    /// The names that are taken.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        let queries = self.queries.iter().map(|query| query.name.as_str());
        queries.chain(self.watched.iter().map(|watched| watched.name.as_str()))
    }

    /// Asks a condition, a formula or a bound, under a name that is not taken.
    pub fn formula(&mut self, net: &Net, kind: Kind, text: &str, name: &str) -> Result<(), Vec<Error>> {
        self.queries.push(parse_query(text, kind, name, net)?);
        Ok(())
    }

    /// Asks all formulas of a text in the contest's XML. Names that are taken get a number.
    pub fn contest(&mut self, net: &Net, text: &str) -> Result<(), Vec<Error>> {
        let queries = self.renamed(read_properties(text, net)?);
        self.queries.extend(queries);
        Ok(())
    }

    /// Asks a general property by its name; gives the name of the question.
    pub fn global(&mut self, net: &Net, text: &str) -> Result<String, Error> {
        let Some(which) = Global::ALL.into_iter().find(|which| which.name() == text) else {
            let names: Vec<&str> = Global::ALL.iter().map(|which| which.name()).collect();
            let error = Error::new(0..text.len(), "there is no general property of this name");
            return Err(error.with_help(format!("there are {}", names.join(", "))));
        };
        let queries = self.renamed(vec![global(net, which)]);
        let name = queries[0].name.clone();
        self.queries.extend(queries);
        Ok(name)
    }

    /// Asks that no run is one of an automaton, whose propositions are conditions on markings. What is wrong
    /// is said with the place of the proposition, and inside it.
    pub fn watch(&mut self, net: &Net, name: String, text: String, hoa: Hoa) -> Vec<(Range<usize>, Error)> {
        let (mut conditions, mut wrong): (Vec<Formula>, Vec<_>) = Default::default();
        for (proposition, inside) in hoa.names.iter().zip(hoa.spans) {
            match parse_query(proposition, Kind::Invariant, &name, net) {
                Ok(Query { asked: NetQuestion::Invariant(condition), .. }) => conditions.push(condition),
                Ok(_) => unreachable!("a condition was asked for"),
                Err(errors) => wrong.extend(errors.into_iter().map(|error| (inside.clone(), error))),
            }
        }
        self.watched.push(Watched { name, text, conditions, automaton: hoa.automaton });
        wrong
    }

    /// The same questions, with names that are not taken.
    fn renamed(&self, mut queries: Vec<Query>) -> Vec<Query> {
        let mut taken: HashSet<String> = self.names().map(str::to_string).collect();
        for query in &mut queries {
            let mut numbered = (2u32..).map(|number| format!("{}-{number}", query.name));
            let plain = std::iter::once(query.name.clone());
            let free = plain.chain(&mut numbered).find(|name| !taken.contains(name));
            query.name = free.expect("there are more numbers than names");
            taken.insert(query.name.clone());
        }
        queries
    }
}
