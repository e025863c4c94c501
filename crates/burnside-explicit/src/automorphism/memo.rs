//! Calls of functions on all states at once. The results of those that make many other calls are kept until
//! the state changes, as the interpreter keeps them.
//!
//! Entry points: [`Symbolic::call`] and [`Symbolic::call_wide`]. A result is good where it was needed, so
//! where it is needed is part of what it is known by; but a function without parameters is evaluated
//! everywhere.

use super::diagram::{Diagrams, Node, Out, TooLarge};
use super::symbolic::Symbolic;
use burnside_ts::{Body, Function, FunctionId, Place, Root, Target};
use std::collections::HashMap;

/// What is known of calls: the value, or for a wide result how the statements end; and the bits of a wide
/// result.
type Known = (Node, Vec<Node>);

/// Results by function, by where they are needed and by arguments.
pub(super) type Memo = HashMap<(FunctionId, Node, Vec<Node>), Known>;

impl<'s> Symbolic<'s> {
    /// The value of a function with a scalar result.
    pub(super) fn call(&mut self, id: FunctionId, path: Node) -> Out {
        let function = &self.system.functions[id.index()];
        let Body::Scalar(body) = &function.body else {
            unreachable!("a wide function is called by a statement")
        };
        if !function.kept {
            return self.eval(body, path);
        }
        let key = self.key(id, function, path)?;
        if let Some(&(value, _)) = self.memo.get(&key) {
            return Ok(value);
        }
        let value = self.eval(body, key.1)?;
        self.memo.insert(key, (value, Vec::new()));
        Ok(value)
    }

    /// Runs a function with a wide result.
    pub(super) fn call_wide(&mut self, id: FunctionId, path: Node) -> Out {
        let function = &self.system.functions[id.index()];
        let Body::Wide(body, result) = &function.body else {
            unreachable!("a scalar function is called by an expression")
        };
        if !function.kept {
            return self.block(body, path);
        }
        let key = self.key(id, function, path)?;
        if let Some((status, bits)) = self.memo.get(&key).cloned() {
            self.write_bits(result, &bits)?;
            return Ok(status);
        }
        let status = self.block(body, key.1)?;
        let bits = (0..result.width).map(|j| self.bit(result.root, result.offset + j));
        let bits = bits.collect::<Result<_, TooLarge>>()?;
        self.memo.insert(key, (status, bits));
        Ok(status)
    }

    fn write_bits(&mut self, to: &Place, bits: &[Node]) -> Result<(), TooLarge> {
        let at = self.d.leaf(i128::from(to.offset));
        self.put(to.root, at, bits, Diagrams::TRUE)
    }

    /// What a call is known by. What parameters hold where the call is not needed does not count.
    fn key(
        &mut self,
        id: FunctionId,
        function: &Function,
        path: Node,
    ) -> Result<(FunctionId, Node, Vec<Node>), TooLarge> {
        let path = if function.params.is_empty() { Diagrams::TRUE } else { path };
        let mut arguments = Vec::new();
        for param in &function.params {
            match param.target {
                Target::Scalar(slot) => arguments.push(self.slot(slot.index())?),
                Target::Wide(at) => {
                    for j in 0..param.width {
                        arguments.push(self.bit(Root::Frame, at + j)?);
                    }
                }
            }
        }
        for argument in &mut arguments {
            *argument = self.d.select(path, *argument, Diagrams::FALSE)?;
        }
        Ok((id, path, arguments))
    }
}
