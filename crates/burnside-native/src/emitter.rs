//! What all of the code generator shares: values with what is known of them, names in the frame, and the way
//! out.
//!
//! Entry point: [`Emitter`]. A fault never has code of its own: whatever goes wrong jumps to one place, the
//! *bail*, which gives the work at hand back to the interpreter. It does it again from the start, and says
//! what went wrong and where. So the order in which parts of an expression are evaluated does not matter
//! here, as long as all of them are that the interpreter would evaluate.
//!
//! Scalars in the frame are variables of the function. Of each it is known between which numbers it lies; if
//! these are the same, no code is needed for it: that is how arguments of rule instances and the values of
//! short loops become constants.

use crate::scan::{Scan, Weights};
use crate::steps::StepOutput;
use burnside_ts::{Slot, System};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AliasRegion, Block, InstBuilder, MemFlags, Signature, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use std::collections::HashMap;

/// Why something is left to the interpreter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unsupported(pub &'static str);

pub(crate) type Emitted<T> = Result<T, Unsupported>;

/// A scalar.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Scalar {
    Const(i64),
    /// A 64-bit number between two others.
    Int(Value, i64, i64),
    /// 0 or 1, in 8 bits.
    Bool(Value),
}

impl Scalar {
    pub fn range(self) -> (i64, i64) {
        match self {
            Scalar::Const(value) => (value, value),
            Scalar::Int(_, low, high) => (low, high),
            Scalar::Bool(_) => (0, 1),
        }
    }
}

/// Where the words of a state or of a frame are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Base {
    pub pointer: Value,
    /// Bytes from there to the first word.
    pub distance: i32,
    pub flags: MemFlags,
}

/// What is known of names in the frame: the numbers between which they lie.
pub(crate) type Facts = HashMap<u32, (i64, i64)>;

/// States of so many words are kept in registers.
const FEW_WORDS: usize = 8;
/// How much code there may be in one function, counted in parts of the source.
pub(crate) const MOST_PARTS: u32 = 1 << 14;

/// Generates code of one function.
pub(crate) struct Emitter<'e, 'f> {
    pub b: FunctionBuilder<'f>,
    pub system: &'e System,
    pub scan: &'e Scan,
    /// The state that expressions read and statements write.
    pub state: Base,
    pub frame: Base,
    /// The words of the state that expressions read, if it is the source and short.
    pub words: Vec<Value>,
    pub facts: Facts,
    variables: HashMap<u32, Variable>,
    /// Where faults lead.
    pub bail: Block,
    /// The context of steps, and how many choices were made; none where nothing may be chosen.
    pub choices: Option<(Value, Variable)>,
    /// How many parts may still be emitted.
    pub parts: u32,
    pub weights: Weights,
    /// How many loops that are not written out are around the place at hand.
    pub loops: u32,
    /// Where steps go.
    pub steps: Option<StepOutput>,
}

/// The flags of memory that nothing else is an alias of.
pub(crate) fn region(region: AliasRegion) -> MemFlags {
    MemFlags::trusted().with_alias_region(Some(region))
}

impl<'e, 'f> Emitter<'e, 'f> {
    pub fn new(
        mut b: FunctionBuilder<'f>,
        system: &'e System,
        scan: &'e Scan,
        (source, frame): (Value, Value),
    ) -> Self {
        let bail = b.create_block();
        let flags = region(AliasRegion::Vmctx).with_readonly();
        let frame = Base { pointer: frame, distance: 0, flags: region(AliasRegion::Table) };
        let state = Base { pointer: source, distance: 0, flags };
        let (facts, variables, words) = (Facts::new(), HashMap::new(), Vec::new());
        let mut emitter = Self {
            b,
            system,
            scan,
            state,
            frame,
            words,
            facts,
            variables,
            bail,
            choices: None,
            parts: MOST_PARTS,
            weights: Weights::default(),
            loops: 0,
            steps: None,
        };
        for slot in scan.free() {
            let value = emitter.b.ins().load(types::I64, emitter.frame.flags, frame.pointer, 8 * slot as i32);
            let variable = emitter.variable(slot);
            emitter.b.def_var(variable, value);
        }
        emitter
    }

    /// Reads the words of the source, if they are few: they stay in registers.
    pub fn keep_words(&mut self) {
        let (count, Base { pointer, flags, .. }) = (self.system.words(), self.state);
        if count <= FEW_WORDS {
            let load = |word| self.b.ins().load(types::I64, flags, pointer, 8 * word as i32);
            self.words = (0..count).map(load).collect();
        }
    }

    /// Counts a part of the source.
    pub fn spend(&mut self) -> Emitted<()> {
        self.parts = self.parts.checked_sub(1).ok_or(Unsupported("too much code"))?;
        Ok(())
    }

    pub fn constant(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }

    /// A scalar as a 64-bit number.
    pub fn int(&mut self, scalar: Scalar) -> Value {
        match scalar {
            Scalar::Const(value) => self.constant(value),
            Scalar::Int(value, ..) => value,
            Scalar::Bool(value) => self.b.ins().uextend(types::I64, value),
        }
    }

    /// Whether a scalar is not zero.
    pub fn truth(&mut self, scalar: Scalar) -> Scalar {
        match scalar {
            Scalar::Const(value) => Scalar::Const(i64::from(value != 0)),
            Scalar::Int(value, ..) => Scalar::Bool(self.b.ins().icmp_imm(IntCC::NotEqual, value, 0)),
            Scalar::Bool(_) => scalar,
        }
    }

    /// A truth value in 8 bits.
    pub fn flag(&mut self, scalar: Scalar) -> Value {
        match self.truth(scalar) {
            Scalar::Const(value) => self.b.ins().iconst(types::I8, value),
            Scalar::Int(value, ..) | Scalar::Bool(value) => value,
        }
    }

    /// A new block to which one jump leads, which must be there already.
    pub fn enter(&mut self, block: Block) {
        self.b.seal_block(block);
        self.b.switch_to_block(block);
    }

    /// Goes on in a block that only this jump leads to, if the truth value is as wanted; else elsewhere.
    pub fn go_on_if(&mut self, scalar: Scalar, wanted: bool, elsewhere: Block) {
        match self.truth(scalar) {
            Scalar::Const(value) if (value != 0) == wanted => {}
            Scalar::Const(_) => {
                self.b.ins().jump(elsewhere, &[]);
                self.unreachable();
            }
            Scalar::Int(value, ..) | Scalar::Bool(value) => {
                let next = self.b.create_block();
                let (yes, no) = if wanted { (next, elsewhere) } else { (elsewhere, next) };
                self.b.ins().brif(value, yes, &[], no, &[]);
                self.enter(next);
            }
        }
    }

    /// Gives up if a truth value is true.
    pub fn bail_if(&mut self, scalar: Scalar) {
        let bail = self.bail;
        self.go_on_if(scalar, false, bail);
    }

    /// After a jump: what follows is never executed.
    pub fn unreachable(&mut self) {
        let block = self.b.create_block();
        self.enter(block);
    }

    /// Gives up: what follows is never executed.
    pub fn bail_always(&mut self) -> Scalar {
        self.b.ins().jump(self.bail, &[]);
        self.unreachable();
        Scalar::Const(0)
    }

    /// Calls a function of ours. It must have this signature, and must not unwind.
    pub fn call(&mut self, signature: Signature, function: *const u8, args: &[Value]) -> Option<Value> {
        let signature = self.b.import_signature(signature);
        let callee = self.constant(function as i64);
        let call = self.b.ins().call_indirect(signature, callee, args);
        self.b.inst_results(call).first().copied()
    }

    fn variable(&mut self, slot: u32) -> Variable {
        let b = &mut self.b;
        *self.variables.entry(slot).or_insert_with(|| b.declare_var(types::I64))
    }

    /// The scalar in a slot.
    pub fn local(&mut self, slot: Slot) -> Scalar {
        if self.scan.is_wide(slot.0) {
            let Base { pointer, flags, .. } = self.frame;
            let value = self.b.ins().load(types::I64, flags, pointer, 8 * slot.0 as i32);
            return Scalar::Int(value, i64::MIN, i64::MAX);
        }
        match self.facts.get(&slot.0) {
            Some(&(low, high)) if low == high => Scalar::Const(low),
            fact => {
                let (low, high) = fact.copied().unwrap_or((i64::MIN, i64::MAX));
                let variable = self.variable(slot.0);
                Scalar::Int(self.b.use_var(variable), low, high)
            }
        }
    }

    /// Puts a scalar into a slot.
    pub fn set_local(&mut self, slot: Slot, scalar: Scalar) {
        let value = self.int(scalar);
        if self.scan.is_wide(slot.0) {
            let Base { pointer, flags, .. } = self.frame;
            self.b.ins().store(flags, value, pointer, 8 * slot.0 as i32);
            return;
        }
        let variable = self.variable(slot.0);
        self.b.def_var(variable, value);
        self.facts.insert(slot.0, scalar.range());
    }

    /// Keeps of what is known only what is also known on another way to this place.
    pub fn meet(&mut self, others: &Facts) {
        self.facts.retain(|slot, (low, high)| match others.get(slot) {
            Some(&(least, most)) => {
                (*low, *high) = ((*low).min(least), (*high).max(most));
                true
            }
            None => false,
        });
    }

    /// Leaves the scope of some names: of what was known before, keeps what still is.
    pub fn leave(&mut self, mut before: Facts) {
        before.retain(|slot, fact| self.facts.get(slot) == Some(fact));
        self.facts = before;
    }

    /// One of two scalars, each computed on a way of its own.
    pub fn either(
        &mut self,
        condition: Value,
        yes: &mut dyn FnMut(&mut Self) -> Emitted<Scalar>,
        no: &mut dyn FnMut(&mut Self) -> Emitted<Scalar>,
    ) -> Emitted<Scalar> {
        let [then, otherwise, after] = [(); 3].map(|()| self.b.create_block());
        let result = self.b.declare_var(types::I64);
        self.b.ins().brif(condition, then, &[], otherwise, &[]);
        let before = self.facts.clone();
        self.enter(then);
        let scalar = yes(self)?;
        let value = self.int(scalar);
        self.b.def_var(result, value);
        self.b.ins().jump(after, &[]);
        let (first, known) = (scalar.range(), std::mem::replace(&mut self.facts, before));
        self.enter(otherwise);
        let scalar = no(self)?;
        let value = self.int(scalar);
        self.b.def_var(result, value);
        self.b.ins().jump(after, &[]);
        self.enter(after);
        self.meet(&known);
        let second = scalar.range();
        Ok(Scalar::Int(self.b.use_var(result), first.0.min(second.0), first.1.max(second.1)))
    }

    /// Does something only if a condition is true.
    pub fn perhaps(
        &mut self,
        condition: Scalar,
        inside: &mut dyn FnMut(&mut Self) -> Emitted<()>,
    ) -> Emitted<()> {
        match self.truth(condition) {
            Scalar::Const(0) => Ok(()),
            Scalar::Const(_) => inside(self),
            Scalar::Int(..) | Scalar::Bool(_) => {
                let after = self.b.create_block();
                let before = self.facts.clone();
                self.go_on_if(condition, true, after);
                inside(self)?;
                self.b.ins().jump(after, &[]);
                self.enter(after);
                self.meet(&before);
                Ok(())
            }
        }
    }

    /// A loop over the numbers below a limit.
    pub fn count_up(
        &mut self,
        limit: u64,
        inside: &mut dyn FnMut(&mut Self, Value) -> Emitted<()>,
    ) -> Emitted<()> {
        let [head, body, after] = [(); 3].map(|()| self.b.create_block());
        let counter = self.b.declare_var(types::I64);
        let zero = self.constant(0);
        self.b.def_var(counter, zero);
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        // What a round says of a name is not known in the first one.
        let scan = self.scan;
        self.facts.retain(|slot, _| !scan.is_assigned(*slot));
        let before = self.facts.clone();
        let number = self.b.use_var(counter);
        let more = self.b.ins().icmp_imm(IntCC::UnsignedLessThan, number, limit as i64);
        self.b.ins().brif(more, body, &[], after, &[]);
        self.enter(body);
        inside(self, number)?;
        let next = self.b.ins().iadd_imm(number, 1);
        self.b.def_var(counter, next);
        self.b.ins().jump(head, &[]);
        self.b.seal_block(head);
        self.enter(after);
        self.facts = before;
        Ok(())
    }
}
