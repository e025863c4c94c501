//! Reading by precedence climbing, for every language that has formulas.
//!
//! Entry point: [`Climb::climb`]. A language says what its operands and operators are, which trees it makes
//! of them, how deep it goes, and whether a mistake stops it; which operand belongs to which operator is
//! decided here, by the levels of [`crate::operator`].

use crate::operator::right;

/// Something that reads a text, token by token.
pub trait Climb: Sized {
    /// What it makes of a text.
    type Tree;
    /// An infix operator.
    type Operator: Copy;
    /// Why it stops.
    type Stop;

    /// An operand, with what stands before and behind it.
    fn operand(&mut self) -> Result<Self::Tree, Self::Stop>;

    /// The infix operator at the current token, and its level.
    fn operator(&self) -> Option<(u8, Self::Operator)>;

    /// Takes the operator at the current token. In a chain, the one before was of the same level, with no
    /// parentheses between.
    fn take(&mut self, operator: Self::Operator, left: &Self::Tree, chain: bool) -> Result<(), Self::Stop>;

    /// An operator with both sides; `chain` is as in [`Climb::take`].
    fn join(
        &mut self,
        operator: Self::Operator,
        left: Self::Tree,
        right: Self::Tree,
        chain: bool,
    ) -> Result<Self::Tree, Self::Stop>;

    /// Reads something one level further down.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Self::Stop>) -> Result<T, Self::Stop>;

    /// A formula whose operators outside brackets are at least as tight as `least`.
    fn climb(&mut self, least: u8) -> Result<Self::Tree, Self::Stop> {
        self.nested(|reader| {
            let first = reader.operand()?;
            reader.links(first, least)
        })
    }

    /// The same, where the first operand was already read. Only inside [`Climb::nested`].
    fn links(&mut self, mut left: Self::Tree, least: u8) -> Result<Self::Tree, Self::Stop> {
        let mut last = None;
        while let Some((level, operator)) = self.operator().filter(|(level, _)| *level >= least) {
            let chain = last == Some(level);
            self.take(operator, &left, chain)?;
            let right = self.climb(right(level))?;
            left = self.join(operator, left, right, chain)?;
            last = Some(level);
        }
        Ok(left)
    }
}
