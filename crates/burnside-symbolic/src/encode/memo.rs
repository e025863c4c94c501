//! Calls of functions on all states at once. The results of those that make many other calls are kept until
//! the state changes, as the interpreter keeps them.
//!
//! Entry points: [`Executor::call`] and [`Executor::call_wide`]. Expressions are evaluated everywhere, so a
//! result is good for all who ask.

use super::{Executor, Flow, Value};
use crate::store::{Out, Set};
use crate::vector::Int;
use burnside_ts::{Body, Function, FunctionId, Root, Stmt, Target};
use foldhash::HashMap;

/// With so many results the memory begins anew: each keeps diagrams alive.
const MOST: usize = 1 << 12;

/// The results of calls in the present state, by function and arguments.
#[derive(Debug, Default)]
pub(super) struct Memo {
    scalars: HashMap<(FunctionId, Vec<MemoArgument>), Value>,
    /// The bits, and where there are none.
    wide: HashMap<(FunctionId, Vec<MemoArgument>), (Vec<Set>, Set)>,
}

#[derive(Debug, PartialEq, Eq, Hash)]
enum MemoArgument {
    Scalar(Int),
    Wide(Vec<Set>),
}

impl Memo {
    pub fn clear(&mut self) {
        self.scalars.clear();
        self.wide.clear();
    }

    fn make_room(&mut self) {
        if self.scalars.len() + self.wide.len() >= MOST {
            self.clear();
        }
    }
}

impl<'s> Executor<'s, '_> {
    /// The value of a function with a scalar result.
    pub(super) fn call(&mut self, id: FunctionId) -> Out<Value> {
        let function = &self.system.functions[id.index()];
        let Body::Scalar(body) = &function.body else {
            unreachable!("a wide function is called by a statement")
        };
        if !function.kept {
            return self.eval(body);
        }
        let key = (id, self.arguments(function));
        if let Some(known) = self.memo.scalars.get(&key) {
            return Ok(known.clone());
        }
        let value = self.eval(body)?;
        self.memo.make_room();
        self.memo.scalars.insert(key, value.clone());
        Ok(value)
    }

    /// Runs a function with a wide result, where the path is true.
    pub(super) fn call_wide(&mut self, id: FunctionId, path: &Set) -> Out<()> {
        let function = &self.system.functions[id.index()];
        let Body::Wide(body, result) = &function.body else {
            unreachable!("a scalar function is called by an expression")
        };
        if !function.kept {
            return self.block(body, path);
        }
        let key = (id, self.arguments(function));
        let (bits, fault) = match self.memo.wide.get(&key) {
            Some(known) => known.clone(),
            None => {
                let fault = self.everywhere(body)?;
                let bits: Vec<Set> =
                    (0..result.width).map(|i| self.bit(result.root, result.offset + i)).collect();
                self.memo.make_room();
                self.memo.wide.insert(key, (bits.clone(), fault.clone()));
                (bits, fault)
            }
        };
        for (i, bit) in bits.into_iter().enumerate() {
            self.set_bit(result.root, result.offset + i as u32, bit);
        }
        self.fault_where(&path.and(&fault)?)
    }

    /// Runs statements that write only to the frame: where they fault.
    pub(super) fn everywhere(&mut self, statements: &'s [Stmt]) -> Out<Set> {
        let fresh = Flow::start(self.store.all(), self.store);
        let outer = std::mem::replace(&mut self.flow, fresh);
        self.block(statements, &self.store.all())?;
        Ok(std::mem::replace(&mut self.flow, outer).fault)
    }

    /// The values of the parameters.
    fn arguments(&self, function: &Function) -> Vec<MemoArgument> {
        let argument = |param: &burnside_ts::Parameter| match param.target {
            Target::Scalar(slot) => {
                let known = self.slots.get(&slot.index()).cloned();
                MemoArgument::Scalar(known.unwrap_or_else(|| self.constant(0)))
            }
            Target::Wide(at) => {
                MemoArgument::Wide((0..param.width).map(|i| self.bit(Root::Frame, at + i)).collect())
            }
        };
        function.params.iter().map(argument).collect()
    }
}
