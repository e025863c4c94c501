//! The waist of Burnside: what a transition system is, whatever language it was written in and whatever
//! engine explores it.
//!
//! [`System`] is data: finite [`Types`], variables laid out in packed states, processes with rules, fairness
//! units and properties. [`Interpreter`] interprets it, and thereby defines its meaning. There is no syntax
//! here and no state space.

mod action;
pub mod bits;
pub mod builder;
mod code;
mod fault;
mod faultless;
mod formula;
mod ids;
mod interpreter;
mod machine;
mod memory;
mod mentions;
mod show;
mod symmetry;
mod system;
mod types;
mod units;
mod value;
mod visible;
mod walk;

pub use action::{Action, Permutation, SparsePermutation};
pub use burnside_logic::Automaton;
pub use code::{
    Arith, Binder, Body, Cell, Check, Collection, Compare, Domain, Expr, Function, FunctionId, Index,
    Operand, Parameter, Place, Quantifier, Quantify, Root, SetOp, SiteId, Slot, Stmt, Target,
};
pub use fault::{Fault, FaultKind};
pub use formula::{Formula, Path, Remembered, Sequence, StepCondition, Temporal};
pub use interpreter::{
    CachingInterpreter, Dependency, Goal, Interpreter, SeenValues, StateBits, StepSelector, rank,
    settle_slot, unrank,
};
pub use machine::{
    Accelerator, AnyMachine, Foreign, InitialSink, Machine, Maker, Outcome, Sink, Undefined, Walk,
};
pub use memory::Memory;
pub use mentions::Mentions;
pub use show::{Leaf, show_value};
pub use symmetry::{Classes, SortGroup, StepFilter, Symmetry};
pub use system::{
    Conjunct, Constraint, Fair, FairSet, FairSetId, Hint, Kind, Label, Named, Param, Process, ProcessId,
    Property, PropertyId, Question, Rule, RuleId, SetMember, Site, Strength, System, UnitFamily, UnitId, Var,
    VarId,
};
pub use types::{
    Enum, EnumId, Field, Record, RecordId, Slots, Sort, SortId, SortKind, Type, TypeError, TypeId, Types,
    UnionCase, UnionPart, bits_for,
};
pub use units::{Executed, Units};
pub use value::Value;
pub use visible::{is_hidden, visible, visible_lines};
pub use walk::{Access, Part};
