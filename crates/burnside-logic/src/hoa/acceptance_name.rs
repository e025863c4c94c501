//! Names of acceptance conditions.
//!
//! Entry points: [`Reader::acceptance_name`], and [`Reader::agrees`] once the condition is known too. The
//! format defines for each name how many sets there are and what must be true of them. The conditions that
//! can be read are conjunctions of `Inf`, so of each name only that much matters: is it such a conjunction,
//! and of all its sets? Names that the format does not define say nothing.

use super::HoaError;
use super::lex::HoaToken;
use super::read::{Acceptance, Reader};

/// A name with what follows it.
pub(super) struct Named {
    pub(super) name: String,
    /// Where it is, as a token.
    at: usize,
    values: Vec<HoaToken>,
}

/// What a name stands for.
#[derive(Clone, Copy)]
struct Meaning {
    sets: u128,
    condition: Condition,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Condition {
    /// Every set is met infinitely often; without sets, every run is accepted.
    Every,
    /// No run is accepted.
    Never,
    /// Something that no conjunction of `Inf` says.
    Other,
}

impl Reader<'_> {
    pub(super) fn acceptance_name(&mut self) -> Result<(), HoaError> {
        let at = self.at;
        let Some(HoaToken::Identifier(name)) = self.peek().cloned() else {
            return self.error("expected the name of an acceptance condition");
        };
        self.at += 1;
        let start = self.at;
        self.skip_values();
        let values = self.tokens[start..self.at].iter().map(|(token, _)| token.clone()).collect();
        self.header.acceptance_name = Some(Named { name, at, values });
        Ok(())
    }

    /// Whether a name is one of the condition.
    pub(super) fn agrees(&self, named: &Named, acceptance: &Acceptance) -> Result<(), HoaError> {
        let Named { name, at, .. } = named;
        let meaning = match meaning(named) {
            None => return Ok(()),
            Some(Ok(meaning)) => meaning,
            Some(Err(form)) => return self.error_at(*at, format!("`acc-name: {name}` must be `{form}`")),
        };
        let condition = match &acceptance.needed {
            None => Condition::Never,
            Some(needed) if needed.len() as u64 == acceptance.sets => Condition::Every,
            Some(_) => Condition::Other,
        };
        let same = meaning.condition == condition && condition != Condition::Other;
        if same && meaning.sets == u128::from(acceptance.sets) {
            return Ok(());
        }
        let message = format!("`acc-name: {name}` contradicts `Acceptance:`, which says another condition");
        self.error_at(*at, message)
    }
}

/// What a name stands for; none if the format does not define it, and how it is written if that is wrong.
fn meaning(named: &Named) -> Option<Result<Meaning, &'static str>> {
    use Condition::{Every, Never, Other};
    let values = &named.values[..];
    let of = |sets: u64, condition| Some(Meaning { sets: u128::from(sets), condition });
    let plain = |sets, condition| of(sets, condition).filter(|_| values.is_empty());
    // Pairs of sets: one condition if there are any, another if there are none.
    let pairs = |none| match values {
        [HoaToken::Number(0)] => of(0, none),
        [HoaToken::Number(pairs)] => Some(Meaning { sets: 2 * u128::from(*pairs), condition: Other }),
        _ => None,
    };
    let (form, meaning) = match named.name.as_str() {
        "all" => ("all", plain(0, Every)),
        "none" => ("none", plain(0, Never)),
        "Buchi" => ("Buchi", plain(1, Every)),
        "co-Buchi" => ("co-Buchi", plain(1, Other)),
        "generalized-Buchi" => match values {
            [HoaToken::Number(sets)] => ("", of(*sets, Every)),
            _ => ("generalized-Buchi SETS", None),
        },
        "generalized-co-Buchi" => match values {
            [HoaToken::Number(0)] => ("", of(0, Never)),
            [HoaToken::Number(sets)] => ("", of(*sets, Other)),
            _ => ("generalized-co-Buchi SETS", None),
        },
        "Streett" => ("Streett PAIRS", pairs(Every)),
        "Rabin" => ("Rabin PAIRS", pairs(Never)),
        "generalized-Rabin" => ("generalized-Rabin PAIRS SETS…", generalized_rabin(values)),
        "parity" => ("parity min|max even|odd SETS", parity(values)),
        _ => return None,
    };
    Some(meaning.ok_or(form))
}

/// A disjunction of pairs, each of a `Fin` and some `Inf`.
fn generalized_rabin(values: &[HoaToken]) -> Option<Meaning> {
    let numbers = values.iter().map(|value| match value {
        HoaToken::Number(number) => Some(u128::from(*number)),
        _ => None,
    });
    let numbers: Vec<u128> = numbers.collect::<Option<_>>()?;
    let (&pairs, sets) = numbers.split_first()?;
    let condition = if pairs == 0 { Condition::Never } else { Condition::Other };
    (pairs == sets.len() as u128).then(|| Meaning { sets: pairs + sets.iter().sum::<u128>(), condition })
}

/// Whether the least, or the greatest, set that is met infinitely often has an even, or an odd, number. Only
/// of one set that can be a conjunction of `Inf`; of none, it is what is left of the longer ones when their
/// sets are taken away from the inside out: the greatest even or least odd of nothing is never there.
fn parity(values: &[HoaToken]) -> Option<Meaning> {
    let [HoaToken::Identifier(end), HoaToken::Identifier(kind), HoaToken::Number(sets)] = values else {
        return None;
    };
    let greatest = ["min", "max"].iter().position(|word| word == end)? == 1;
    let odd = ["even", "odd"].iter().position(|word| word == kind)? == 1;
    let condition = match (sets, odd) {
        (0, odd) if odd == greatest => Condition::Every,
        (0, _) => Condition::Never,
        (1, false) => Condition::Every,
        _ => Condition::Other,
    };
    Some(Meaning { sets: u128::from(*sets), condition })
}
