//! Arithmetic on numbers of tokens while a formula is read: sums with factors, nothing else.
//!
//! Intermediate results are wide, so that only what a formula says in the end must fit: [`Number::sum`].

use crate::query::{Sum, Tokens};

/// A sum in the making.
#[derive(Clone, Debug, Default)]
pub(crate) struct Number {
    constant: i128,
    tokens: Vec<(i128, Tokens)>,
}

/// Why there is no product.
pub(crate) enum NoProduct {
    /// Both sides depend on the marking.
    NotLinear,
    /// It is too great.
    TooGreat,
}

impl Number {
    /// A constant.
    pub(crate) fn constant(constant: i128) -> Self {
        Self { constant, tokens: Vec::new() }
    }

    /// A number of tokens.
    pub(crate) fn tokens(tokens: Tokens) -> Self {
        Self { constant: 0, tokens: vec![(1, tokens)] }
    }

    /// The tokens, if it is the number of them and nothing else.
    pub(crate) fn only(&self) -> Option<&Tokens> {
        match (&self.tokens[..], self.constant) {
            ([(1, tokens)], 0) => Some(tokens),
            _ => None,
        }
    }

    /// Whether it is the same in every marking.
    pub(crate) fn is_constant(&self) -> bool {
        self.tokens.is_empty()
    }

    /// The sum, if it is not too great.
    pub(crate) fn plus(mut self, other: Self) -> Option<Self> {
        self.constant = self.constant.checked_add(other.constant)?;
        self.tokens.extend(other.tokens);
        Some(self)
    }

    /// The difference, if it is not too great.
    pub(crate) fn minus(self, other: Self) -> Option<Self> {
        self.plus(other.scaled(-1)?)
    }

    /// Times a factor, if it is not too great.
    pub(crate) fn scaled(mut self, factor: i128) -> Option<Self> {
        self.constant = self.constant.checked_mul(factor)?;
        for (weight, _) in &mut self.tokens {
            *weight = weight.checked_mul(factor)?;
        }
        Some(self)
    }

    /// The product; one side must be a constant.
    pub(crate) fn times(self, other: Self) -> Result<Self, NoProduct> {
        let (factor, number) = match (self.is_constant(), other.is_constant()) {
            (true, _) => (self.constant, other),
            (_, true) => (other.constant, self),
            _ => return Err(NoProduct::NotLinear),
        };
        number.scaled(factor).ok_or(NoProduct::TooGreat)
    }

    /// What it says, if every number in it fits.
    pub(crate) fn sum(self) -> Option<Sum> {
        let constant = i64::try_from(self.constant).ok()?;
        let tokens =
            self.tokens.into_iter().map(|(factor, tokens)| Some((i64::try_from(factor).ok()?, tokens)));
        Some(Sum { constant, tokens: tokens.collect::<Option<_>>()? })
    }
}
