//! Calls of functions. The results of those that make many other calls are kept until the state changes.
//!
//! Entry points: [`Interpreter::call`] and [`Interpreter::call_wide`]. `f = g + g`, `g = h + h` and so on is
//! short text that takes exponential time if every call is evaluated anew; so is `exists x: bool { g }`. What
//! is kept is the result, or the fault, for each combination of arguments. [`Function::kept`] says which
//! functions are worth it; of an ordinary model there is none, so an ordinary call costs one test more.

use super::{Cause, Halt, Interpreter};
use crate::bits;
use crate::code::{Body, Function, FunctionId, Place, Target};
use crate::fault::Fault;
use std::collections::HashMap;

/// With so many results the memory begins anew.
const MOST: usize = 1 << 14;

/// The results of calls in the present state.
#[derive(Clone, Debug, Default)]
pub(super) struct Memo {
    results: HashMap<Call, Result<Kept, Fault>>,
    /// Whether the state has changed since they were computed.
    stale: bool,
}

/// A function and its arguments.
type Call = (FunctionId, Box<[u64]>);

#[derive(Clone, Debug)]
enum Kept {
    Scalar(i64),
    Wide(Box<[u64]>),
}

impl Memo {
    /// To be said before the state changes.
    #[inline]
    pub fn state_changes(&mut self) {
        self.stale = true;
    }
}

impl<'s> Interpreter<'s> {
    /// The value of a function with a scalar result, whose parameters are in place.
    #[inline]
    pub(super) fn call(&mut self, id: FunctionId) -> Result<i64, Halt> {
        let function = &self.system.functions[id.index()];
        let Body::Scalar(body) = &function.body else {
            unreachable!("a wide function is called by a statement")
        };
        if !function.kept {
            return self.eval(body);
        }
        let kept = self.recall(id, |machine| machine.eval(body).map(Kept::Scalar))?;
        let Kept::Scalar(value) = kept else { unreachable!("a scalar was kept") };
        Ok(value)
    }

    /// Runs a function with a wide result.
    pub(super) fn call_wide(&mut self, id: FunctionId) -> Result<(), Halt> {
        let function = &self.system.functions[id.index()];
        let Body::Wide(body, result) = &function.body else {
            unreachable!("a scalar function is called by an expression")
        };
        if !function.kept {
            return self.block(body);
        }
        let kept = self.recall(id, |machine| {
            machine.block(body)?;
            Ok(Kept::Wide(machine.result(result)))
        })?;
        let Kept::Wide(words) = kept else { unreachable!("a wide value was kept") };
        bits::copy(&mut self.frame, result.offset, &words, 0, result.width);
        Ok(())
    }

    /// What is known of this call, or else what evaluating it gives.
    #[inline(never)]
    fn recall(
        &mut self,
        id: FunctionId,
        evaluate: impl FnOnce(&mut Self) -> Result<Kept, Halt>,
    ) -> Result<Kept, Halt> {
        if std::mem::take(&mut self.memo.stale) || self.memo.results.len() >= MOST {
            self.memo.results.clear();
        }
        let key = (id, self.arguments(&self.system.functions[id.index()]));
        let result = match self.memo.results.get(&key) {
            Some(known) => known.clone(),
            None => {
                // Arguments of calls inside may be where these were, so the key is made before.
                let result = match (evaluate(self), self.cause) {
                    (Ok(value), _) => Ok(value),
                    (Err(Halt), Cause::Fault(fault)) => Err(fault),
                    (Err(Halt), _) => return Err(Halt),
                };
                self.memo.results.insert(key, result.clone());
                result
            }
        };
        result.map_err(|Fault { site, kind }| self.fault(site, kind))
    }

    /// The values of the parameters.
    fn arguments(&self, function: &Function) -> Box<[u64]> {
        let mut words = Vec::new();
        for param in &function.params {
            match param.target {
                Target::Scalar(slot) => words.push(self.frame[slot.index()]),
                Target::Wide(bit) => words.extend(
                    bits::chunks(param.width).map(|(at, width)| bits::read(&self.frame, bit + at, width)),
                ),
            }
        }
        words.into()
    }

    /// The wide value at a place of the frame.
    fn result(&self, place: &Place) -> Box<[u64]> {
        let mut words = vec![0; (place.width as usize).div_ceil(64) + bits::SPARE];
        bits::copy(&mut words, 0, &self.frame, place.offset, place.width);
        words.into()
    }
}
