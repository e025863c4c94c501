//! Places: their colours and how many tokens there are at first.
//!
//! An initial marking is a closed term, evaluated here to a number for each colour. Limits keep a short text
//! from asking for more memory than there is: on the colours of a place, on those of all places, and on the
//! work of evaluating the terms.

use super::label;
use super::scope::{Scope, Sort};
use super::xml::{self, Errors, Node, child, describe, only, tag};
use crate::{Class, ClassId, Error, Inscription, MOST_TOKENS, Place, Term};
use burnside_limits::poll;

/// The most colours of a place.
const COLOURS: usize = 1 << 22;

/// The most colours of all places.
const ALL_COLOURS: usize = 1 << 24;

/// The most times that a term of an initial marking may meet a colour.
const WORK: usize = 1 << 26;

/// Reads all places.
pub(super) fn read(scope: &Scope, nodes: &[Node], coloured: bool, errors: &mut Errors) -> Vec<Place> {
    let names: Vec<_> = nodes.iter().map(|it| (label::id(*it), label::name(*it))).collect();
    let mut reader = MarkingReader { scope, colours: ALL_COLOURS, work: WORK };
    let mut places = Vec::new();
    for (&node, name) in nodes.iter().zip(label::unique(&names)) {
        let place = if coloured { reader.coloured(node) } else { black(node) };
        if let Some((domain, initial)) = errors.take(place) {
            places.push(Place { id: label::id(node).into(), name, domain, initial });
        }
    }
    places
}

fn black(node: Node) -> Result<(Sort, Vec<u64>), Error> {
    xml::attributes(node, &["id"])?;
    label::labels(node, &["initialMarking"])?;
    let marking = child(node, "initialMarking").map_or(Ok(0), label::number);
    let marking = marking.and_then(|marking| room(node, vec![marking]));
    Ok((Sort::new(), marking.map_err(|error| xml::within(error, node))?))
}

/// The tokens of all colours, if a place can hold them.
fn room(node: Node, initial: Vec<u64>) -> Result<Vec<u64>, Error> {
    let all: u128 = initial.iter().map(|&tokens| u128::from(tokens)).sum();
    if all > u128::from(MOST_TOKENS) {
        return Err(super::bags::overflow(node));
    }
    Ok(initial)
}

struct MarkingReader<'a> {
    scope: &'a Scope<'a>,
    colours: usize,
    work: usize,
}

impl MarkingReader<'_> {
    fn coloured(&mut self, node: Node) -> Result<(Sort, Vec<u64>), Error> {
        xml::attributes(node, &["id"])?;
        label::labels(node, &["type", "hlinitialMarking"])?;
        let sort = label::term(node, "type")?;
        let sort = if tag(sort) == "multisetsort" { only(sort) } else { Ok(sort) };
        let domain = sort.and_then(|sort| self.scope.sort(sort)).map_err(|error| xml::within(error, node))?;
        let count = self.count(node, &domain)?;
        let initial = self.initial(node, &domain, count).map_err(|error| xml::within(error, node))?;
        Ok((domain, initial))
    }

    fn count(&mut self, node: Node, domain: &[ClassId]) -> Result<usize, Error> {
        let sizes = domain.iter().map(|class| self.scope.size(*class));
        let count = sizes.fold(1usize, usize::saturating_mul);
        let wrong = |what: String| Error::new(node.range(), format!("{what}: not supported"));
        if count > COLOURS {
            return Err(wrong(format!("{} has more than {COLOURS} colours", describe(node))));
        }
        self.colours = self
            .colours
            .checked_sub(count)
            .ok_or_else(|| wrong(format!("the places have more than {ALL_COLOURS} colours together")))?;
        Ok(count)
    }

    fn initial(&mut self, node: Node, domain: &[ClassId], count: usize) -> Result<Vec<u64>, Error> {
        let mut tokens = vec![0i64; count];
        let Some(label) = child(node, "hlinitialMarking") else { return Ok(vec![0; count]) };
        if let Some(term) = label::structure(label)? {
            let bag = self.scope.bag(term, domain)?;
            self.evaluate(label, domain, &bag.sum, &mut tokens)?;
        }
        let whole = tokens.iter().enumerate().map(|(colour, &tokens)| {
            u64::try_from(tokens).map_err(|_| {
                let colour = self.show(domain, colour);
                Error::new(label.range(), format!("the initial marking has {tokens} tokens {colour}"))
            })
        });
        room(label, whole.collect::<Result<_, Error>>()?)
    }

    fn evaluate(
        &mut self,
        label: Node,
        domain: &[ClassId],
        sum: &Inscription,
        tokens: &mut [i64],
    ) -> Result<(), Error> {
        for (weight, pattern) in sum {
            for colour in self.matching(label, domain, pattern)? {
                let total = tokens[colour].checked_add(*weight);
                tokens[colour] = total.ok_or_else(|| super::bags::overflow(label))?;
            }
        }
        Ok(())
    }

    /// The numbers of the colours that a pattern matches.
    fn matching(&mut self, label: Node, domain: &[ClassId], pattern: &[Term]) -> Result<Vec<usize>, Error> {
        poll();
        let mut numbers = vec![0];
        for (&class, term) in domain.iter().zip(pattern) {
            let size = self.scope.size(class);
            let digits = match *term {
                Term::All => 0..size,
                Term::Constant(element) => element as usize..element as usize + 1,
                Term::Variable(id, _) => {
                    let name = &self.scope.variables[id.index()].name;
                    let message = format!("the initial marking uses the variable `{name}`");
                    return Err(Error::new(label.range(), message));
                }
            };
            numbers =
                numbers.iter().flat_map(|number| digits.clone().map(move |it| number * size + it)).collect();
        }
        let left = self.work.checked_sub(numbers.len());
        self.work = left.ok_or_else(|| Error::new(label.range(), "the initial markings are too large"))?;
        Ok(numbers)
    }

    fn show(&self, domain: &[ClassId], number: usize) -> String {
        let mut rest = number;
        let mut names = Vec::new();
        for class in domain.iter().rev() {
            let Class { elements, .. } = &self.scope.classes[class.index()];
            names.push(elements[rest % elements.len()].as_str());
            rest /= elements.len();
        }
        names.reverse();
        if names.is_empty() {
            String::from("in all")
        } else {
            format!("of the colour ({})", names.join(", "))
        }
    }
}
