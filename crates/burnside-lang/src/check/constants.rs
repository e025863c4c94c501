//! Constants and constant expressions. A constant is worked out when it is first needed; coming back to one
//! that is being worked out is a cycle.

use super::Checker;
use super::collect::ConstDecl;
use super::expr::TypeHint;
use super::fold::{NotConstant, fold};
use super::scope::{Context, Env, Slot};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::hir::{ConstantValue, Expr, Stored, Ty};
use crate::syntax::ast;
use burnside_ts::Type;

/// How many declarations may wait for each other, and how deep inside expressions and types they may be
/// together. Only cycles and names that are hidden in odd ways come near: see [`order`](super::order).
const MAX_BUSY: usize = 60;
const MAX_DEPTH: u32 = 200;

impl Checker<'_> {
    /// The value of a constant.
    pub(super) fn constant_value(&mut self, index: usize, used_at: Span) -> Option<ConstantValue> {
        match self.names.constants[index] {
            Slot::Done(value) => return value,
            Slot::Busy => {
                let name = self.decls.constants[index].name;
                self.report_cycle(
                    Code::ConstantCycle,
                    &name.text,
                    used_at,
                    "the constant",
                    "depends on itself",
                );
                return None;
            }
            Slot::Todo => {}
        }
        let decl = self.decls.constants[index];
        self.names.constants[index] = Slot::Busy;
        let value = self.busy_with(&decl.name.text, used_at, |checker| {
            checker.within(Env::new(Context::Constant, None), |checker| checker.compute_constant(decl)).0
        });
        self.names.constants[index] = Slot::Done(value);
        value
    }

    /// Works on something that others may wait for.
    pub(super) fn busy_with<T>(
        &mut self,
        name: &str,
        span: Span,
        work: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.busy.len() >= MAX_BUSY || self.depth > MAX_DEPTH {
            self.error(Code::TooDeep, span, format!("too many declarations wait for `{name}`"));
            return None;
        }
        self.busy.push(name.to_string());
        let result = work(self);
        self.busy.pop();
        result
    }

    pub(super) fn report_cycle(&mut self, code: Code, name: &str, span: Span, what: &str, does: &str) {
        let start = self.busy.iter().rposition(|busy| busy == name).unwrap_or(0);
        let mut path: Vec<String> = self.busy[start..].iter().map(|name| format!("`{name}`")).collect();
        let direct = path.len() == 1;
        path.push(format!("`{name}`"));
        let diagnostic = Diagnostic::error(code, span, format!("{what} `{name}` {does}"));
        self.report(if direct { diagnostic } else { diagnostic.label(path.join(" → ")) });
    }

    fn compute_constant(&mut self, decl: ConstDecl<'_>) -> Option<ConstantValue> {
        let declared = decl.ty.map(|ty| self.constant_type(ty));
        let Some(given) = decl.value else { return self.unset_constant(decl, declared) };
        let value = self.infer(given, declared.flatten().map_or(TypeHint::None, TypeHint::Is));
        if declared == Some(None) {
            return None;
        }
        let value = value?;
        let kind = declared.flatten().unwrap_or(match value.ty {
            Ty::Int => Stored::Int,
            Ty::Of(ty) => Stored::Type(ty),
        });
        if !self.is_constant_type(kind) {
            let message = format!("a constant is an integer or a truth value, not {}", self.a_stored(kind));
            self.error(Code::ConstantType, given.span, message);
            return None;
        }
        if let Some(text) = self.setting(&decl.name.text) {
            return self.set_value(&decl.name.text, &text, kind);
        }
        let value = self.coerce(value, kind)?;
        let number = self.fold_or_report(&value)?;
        self.in_range(number, kind, given.span)?;
        Some(match value.ty {
            Ty::Int => ConstantValue::Int(number),
            Ty::Of(_) => ConstantValue::Bool(number != 0),
        })
    }

    /// A constant that has its value from outside: `None` as its type if that is not declared.
    fn unset_constant(
        &mut self,
        decl: ConstDecl<'_>,
        declared: Option<Option<Stored>>,
    ) -> Option<ConstantValue> {
        let (name, setting) = (&decl.name.text, self.setting(&decl.name.text));
        match (setting, declared) {
            (_, Some(None)) => None,
            (Some(text), Some(Some(kind))) => self.set_value(name, &text, kind),
            (Some(text), None) => {
                let is_truth = matches!(text.trim(), "true" | "false");
                let kind = if is_truth { Stored::Type(self.boolean) } else { Stored::Int };
                self.set_value(name, &text, kind)
            }
            (None, kind) => {
                let example = match kind.flatten() {
                    Some(Stored::Type(ty)) => match *self.types.get(ty) {
                        Type::Range { lo, .. } => lo.to_string(),
                        _ => String::from("true"),
                    },
                    _ => String::from("3"),
                };
                let message = format!("`{name}` has no value");
                let help = format!(
                    "give it one from outside, `--set {name}={example}`, or in a block `check {{ {name} = {example}; }}` of the model; or here: `= {example}`"
                );
                self.report(Diagnostic::error(Code::UnsetConstant, decl.name.span, message).help(help));
                None
            }
        }
    }

    fn constant_type(&mut self, ty: &ast::Type) -> Option<Stored> {
        let stored = self.stored(ty)?;
        if self.is_constant_type(stored) {
            return Some(stored);
        }
        let message = format!("a constant is an integer or a truth value, not {}", self.a_stored(stored));
        self.error(Code::ConstantType, ty.span, message);
        None
    }

    fn is_constant_type(&self, kind: Stored) -> bool {
        match kind {
            Stored::Int => true,
            Stored::Type(ty) => matches!(self.types.get(ty), Type::Bool | Type::Range { .. }),
        }
    }

    /// The value of an integer expression that must be constant.
    pub(super) fn constant_int(&mut self, e: &ast::Expr) -> Option<i64> {
        let outer = std::mem::replace(&mut self.env.constant, true);
        let checked = self.check(e, Stored::Int);
        self.env.constant = outer;
        self.fold_or_report(&checked?)
    }

    /// The value of a checked expression that must be constant.
    pub(super) fn fold_or_report(&mut self, e: &Expr) -> Option<i64> {
        match fold(e) {
            Ok(value) => return Some(value),
            Err(NotConstant::Unknown(span)) => {
                self.error(Code::NotConstant, span, "this is not a constant expression");
            }
            Err(NotConstant::Overflow(span)) => {
                self.error(Code::ConstantOverflow, span, "this does not fit into a 64 bit integer");
            }
            Err(NotConstant::ZeroDivision(span)) => {
                self.error(Code::DivisionByZero, span, "this divides by zero");
            }
        }
        None
    }

    /// Reports a constant that is outside the range it is stored in.
    pub(super) fn in_range(&mut self, value: i64, target: Stored, span: Span) -> Option<()> {
        let Stored::Type(ty) = target else { return Some(()) };
        let Type::Range { lo, hi } = *self.types.get(ty) else { return Some(()) };
        if (lo..=hi).contains(&value) {
            return Some(());
        }
        self.error(Code::OutOfRangeConstant, span, format!("{value} is outside the range {lo}..{hi}"));
        None
    }
}
