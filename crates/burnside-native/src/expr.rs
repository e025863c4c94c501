//! Expressions.
//!
//! Entry point: [`Emitter::expr`]. What is known when the code is made is computed then. The second side of a
//! conjunction is evaluated even if the first is false where that is short and cannot fault: a jump that is
//! not there cannot be mispredicted.

use crate::domain::Each;
use crate::emitter::{Emitted, Emitter, Scalar, Unsupported};
use burnside_ts::{
    Arith, Body, Compare, Expr, FunctionId, Place, Quantifier, Quantify, Record, Root, Type, TypeId,
};
use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// Longer expressions are not evaluated in advance.
const SHORT: u32 = 24;

impl Emitter<'_, '_> {
    pub fn expr(&mut self, expr: &Expr) -> Emitted<Scalar> {
        self.spend()?;
        match expr {
            Expr::Const(value) => Ok(Scalar::Const(*value)),
            Expr::Local(slot) => Ok(self.local(*slot)),
            Expr::Cell(cell) => {
                let at = crate::place::Location::fixed(Root::State, cell.offset);
                let code = self.read(&at, cell.width);
                Ok(self.shifted(code, cell.bias))
            }
            Expr::Load(place) => {
                let at = self.locate(place)?;
                let code = self.read(&at, place.width);
                Ok(self.shifted(code, place.bias))
            }
            Expr::Not(inner) => {
                let inner = self.expr(inner)?;
                Ok(self.not(inner))
            }
            Expr::Compare(op, sides) => {
                let (left, right) = (self.expr(&sides[0])?, self.expr(&sides[1])?);
                Ok(self.compare(*op, left, right))
            }
            Expr::And(sides) => self.junction(sides, false),
            Expr::Or(sides) => self.junction(sides, true),
            Expr::If(parts) => self.choice(parts),
            Expr::Offset(inner, by) => {
                let inner = self.expr(inner)?;
                Ok(self.shifted(inner, *by))
            }
            Expr::Let(slot, parts) => {
                let value = self.expr(&parts[0])?;
                self.set_local(*slot, value);
                self.expr(&parts[1])
            }
            Expr::Arith(op, sides, _) => {
                let (left, right) = (self.expr(&sides[0])?, self.expr(&sides[1])?);
                self.arith(*op, left, right)
            }
            Expr::Quantify(quantify) => self.quantify(quantify),
            Expr::Do(statements, value) => {
                self.block(statements)?;
                self.expr(value)
            }
            Expr::Call(function) => self.scalar_function(*function),
            Expr::Check(check) => {
                let value = self.expr(&check.value)?;
                Ok(self.checked(value, check.lo, check.hi))
            }
            _ => self.expr_other(expr),
        }
    }

    fn expr_other(&mut self, expr: &Expr) -> Emitted<Scalar> {
        match expr {
            Expr::Bound(parts, _) => {
                let (value, limit) = (self.expr(&parts[0])?, self.expr(&parts[1])?);
                let (number, most) = (self.int(value), self.int(limit));
                let outside = self.b.ins().icmp(IntCC::UnsignedGreaterThanOrEqual, number, most);
                self.bail_if(Scalar::Bool(outside));
                Ok(Scalar::Int(number, 0, limit.range().1.max(1) - 1))
            }
            Expr::Unwrap(inner, bias, _) => {
                let code = self.expr(inner)?;
                let none = self.not(code);
                self.bail_if(none);
                Ok(self.shifted(code, bias - 1))
            }
            Expr::Same(places, width) => {
                let (a, b) = (self.locate(&places[0])?, self.locate(&places[1])?);
                self.all_chunks((&a, &b), *width, &mut |emitter, left, right| {
                    emitter.b.ins().icmp(IntCC::Equal, left, right)
                })
            }
            Expr::Subset(places, width) => {
                let (a, b) = (self.locate(&places[0])?, self.locate(&places[1])?);
                self.all_chunks((&a, &b), *width, &mut |emitter, left, right| {
                    let more = emitter.b.ins().band_not(left, right);
                    emitter.b.ins().icmp_imm(IntCC::Equal, more, 0)
                })
            }
            Expr::Rank(place, ty) => {
                let at = self.locate(place)?;
                self.rank(*ty, &at)
            }
            Expr::Contains(place, element) => self.contains(place, element),
            Expr::Size(place, ty) => self.size(place, *ty),
            Expr::Count(place, ty, element) => self.occurrences(place, *ty, element),
            _ => Err(Unsupported("a condition in Rust")),
        }
    }

    /// A scalar plus a constant, without a look at overflows.
    pub fn shifted(&mut self, scalar: Scalar, by: i64) -> Scalar {
        match scalar {
            Scalar::Const(value) => Scalar::Const(value.wrapping_add(by)),
            _ if by == 0 => scalar,
            _ => {
                let (low, high) = scalar.range();
                let value = self.int(scalar);
                let value = self.b.ins().iadd_imm(value, by);
                match low.checked_add(by).zip(high.checked_add(by)) {
                    Some((low, high)) => Scalar::Int(value, low, high),
                    None => Scalar::Int(value, i64::MIN, i64::MAX),
                }
            }
        }
    }

    pub fn not(&mut self, scalar: Scalar) -> Scalar {
        match scalar {
            Scalar::Const(value) => Scalar::Const(i64::from(value == 0)),
            Scalar::Int(value, ..) => Scalar::Bool(self.b.ins().icmp_imm(IntCC::Equal, value, 0)),
            Scalar::Bool(value) => Scalar::Bool(self.b.ins().bxor_imm(value, 1)),
        }
    }

    /// Whether two truth values are both true.
    pub fn both(&mut self, left: Scalar, right: Scalar) -> Scalar {
        match (self.truth(left), self.truth(right)) {
            (Scalar::Const(0), _) | (_, Scalar::Const(0)) => Scalar::Const(0),
            (Scalar::Const(_), other) | (other, Scalar::Const(_)) => other,
            (left, right) => {
                let (left, right) = (self.flag(left), self.flag(right));
                Scalar::Bool(self.b.ins().band(left, right))
            }
        }
    }

    /// Whether one of two truth values is true.
    pub fn one_of(&mut self, left: Scalar, right: Scalar) -> Scalar {
        match (self.truth(left), self.truth(right)) {
            (Scalar::Const(0), other) | (other, Scalar::Const(0)) => other,
            (Scalar::Const(_), _) | (_, Scalar::Const(_)) => Scalar::Const(1),
            (left, right) => {
                let (left, right) = (self.flag(left), self.flag(right));
                Scalar::Bool(self.b.ins().bor(left, right))
            }
        }
    }

    pub fn compare(&mut self, op: Compare, left: Scalar, right: Scalar) -> Scalar {
        let ((a, b), (c, d)) = (left.range(), right.range());
        let known = match op {
            Compare::Lt if b < c => Some(true),
            Compare::Lt if a >= d => Some(false),
            Compare::Le if b <= c => Some(true),
            Compare::Le if a > d => Some(false),
            Compare::Eq | Compare::Ne if b < c || d < a => Some(op == Compare::Ne),
            Compare::Eq | Compare::Ne if a == b && c == d && a == c => Some(op == Compare::Eq),
            _ => None,
        };
        if let Some(known) = known {
            return Scalar::Const(i64::from(known));
        }
        let code = match op {
            Compare::Eq => IntCC::Equal,
            Compare::Ne => IntCC::NotEqual,
            Compare::Lt => IntCC::SignedLessThan,
            Compare::Le => IntCC::SignedLessThanOrEqual,
        };
        Scalar::Bool(match (left, right) {
            (left, Scalar::Const(right)) => {
                let left = self.int(left);
                self.b.ins().icmp_imm(code, left, right)
            }
            (Scalar::Const(left), right) => {
                let right = self.int(right);
                self.b.ins().icmp_imm(code.swap_args(), right, left)
            }
            (left, right) => {
                let (left, right) = (self.int(left), self.int(right));
                self.b.ins().icmp(code, left, right)
            }
        })
    }

    /// A conjunction, or a disjunction, whose second side counts only if the first does not decide.
    fn junction(&mut self, sides: &[Expr; 2], decides: bool) -> Emitted<Scalar> {
        let left = self.expr(&sides[0])?;
        let left = self.truth(left);
        match left {
            Scalar::Const(value) if (value != 0) == decides => return Ok(left),
            Scalar::Const(_) => return self.expr(&sides[1]),
            _ => {}
        }
        if self.is_harmless(&sides[1], &mut SHORT.clone()) {
            let right = self.expr(&sides[1])?;
            return Ok(if decides { self.one_of(left, right) } else { self.both(left, right) });
        }
        let condition = self.flag(left);
        let mut known = |_: &mut Self| Ok(Scalar::Const(i64::from(decides)));
        let mut other = |emitter: &mut Self| emitter.expr(&sides[1]);
        match decides {
            true => self.either(condition, &mut known, &mut other),
            false => self.either(condition, &mut other, &mut known),
        }
    }

    fn choice(&mut self, parts: &[Expr; 3]) -> Emitted<Scalar> {
        let condition = self.expr(&parts[0])?;
        match self.truth(condition) {
            Scalar::Const(0) => self.expr(&parts[2]),
            Scalar::Const(_) => self.expr(&parts[1]),
            Scalar::Int(condition, ..) | Scalar::Bool(condition) => {
                let arms = [&parts[1], &parts[2]];
                if arms.iter().all(|arm| self.is_harmless(arm, &mut SHORT.clone())) {
                    let (yes, no) = (self.expr(arms[0])?, self.expr(arms[1])?);
                    let ((a, b), (c, d)) = (yes.range(), no.range());
                    let (yes, no) = (self.int(yes), self.int(no));
                    let value = self.b.ins().select(condition, yes, no);
                    return Ok(Scalar::Int(value, a.min(c), b.max(d)));
                }
                self.either(condition, &mut |it| it.expr(arms[0]), &mut |it| it.expr(arms[1]))
            }
        }
    }

    /// The value of an expression, if it is known when the code is made.
    fn known(&self, expr: &Expr) -> Option<i64> {
        match expr {
            Expr::Const(value) => Some(*value),
            Expr::Local(slot) if !self.scan.is_wide(slot.0) => {
                self.facts.get(&slot.0).filter(|(low, high)| low == high).map(|fact| fact.0)
            }
            Expr::Offset(inner, by) => Some(self.known(inner)?.wrapping_add(*by)),
            _ => None,
        }
    }

    fn is_known(&self, place: &Place) -> bool {
        place.indices.iter().all(|index| {
            let number = self.known(&index.value).map(|value| value.wrapping_sub(index.low) as u64);
            number.is_some_and(|number| number < index.size)
        })
    }

    /// Whether an expression is short and cannot fault.
    fn is_harmless(&self, expr: &Expr, budget: &mut u32) -> bool {
        *budget = budget.saturating_sub(1);
        if *budget == 0 {
            return false;
        }
        match expr {
            Expr::Const(_) | Expr::Local(_) | Expr::Cell(_) => true,
            Expr::Load(place) => self.is_known(place),
            Expr::Not(inner) | Expr::Offset(inner, _) => self.is_harmless(inner, budget),
            Expr::Compare(_, sides) | Expr::And(sides) | Expr::Or(sides) => {
                sides.iter().all(|side| self.is_harmless(side, budget))
            }
            Expr::Same(places, width) => *width <= 128 && places.iter().all(|place| self.is_known(place)),
            Expr::Contains(place, element) => self.is_known(place) && self.known(element).is_some(),
            Expr::Size(place, _) => place.width <= 64 && self.is_known(place),
            _ => false,
        }
    }

    /// The value, which must be from `low` to `high`.
    fn checked(&mut self, value: Scalar, low: i64, high: i64) -> Scalar {
        let (least, most) = value.range();
        if least >= low && most <= high {
            return value;
        }
        if most < low || least > high {
            return self.bail_always();
        }
        let number = self.int(value);
        let outside = match (least < low, most > high) {
            (true, false) => self.b.ins().icmp_imm(IntCC::SignedLessThan, number, low),
            (false, _) => self.b.ins().icmp_imm(IntCC::SignedGreaterThan, number, high),
            (true, true) => {
                let below = self.b.ins().icmp_imm(IntCC::SignedLessThan, number, low);
                let above = self.b.ins().icmp_imm(IntCC::SignedGreaterThan, number, high);
                self.b.ins().bor(below, above)
            }
        };
        self.bail_if(Scalar::Bool(outside));
        Scalar::Int(number, least.max(low), most.min(high))
    }

    pub fn arith(&mut self, op: Arith, left: Scalar, right: Scalar) -> Emitted<Scalar> {
        let ((a, b), (c, d)) = (left.range(), right.range());
        let wide = |a: i64, b: i64, op: fn(i64, i64) -> Option<i64>| op(a, b);
        match op {
            Arith::Add => {
                let range = wide(a, c, i64::checked_add).zip(wide(b, d, i64::checked_add));
                Ok(self.sum(left, right, range, false))
            }
            Arith::Sub => {
                let range = wide(a, d, i64::checked_sub).zip(wide(b, c, i64::checked_sub));
                Ok(self.sum(left, right, range, true))
            }
            Arith::Mul => Ok(self.product(left, right)),
            Arith::Min | Arith::Max => {
                let (x, y) = (self.int(left), self.int(right));
                Ok(match op {
                    Arith::Min => Scalar::Int(self.b.ins().smin(x, y), a.min(c), b.min(d)),
                    _ => Scalar::Int(self.b.ins().smax(x, y), a.max(c), b.max(d)),
                })
            }
            Arith::Div | Arith::Rem => self.quotient(op, left, right),
            Arith::Rotate(size) => self.rotate(left, right, size, false),
            Arith::RotateBack(size) => self.rotate(left, right, size, true),
        }
    }

    fn sum(&mut self, left: Scalar, right: Scalar, range: Option<(i64, i64)>, minus: bool) -> Scalar {
        if let Some((low, high)) = range {
            if low == high {
                return Scalar::Const(low);
            }
            let (x, y) = (self.int(left), self.int(right));
            let value = if minus { self.b.ins().isub(x, y) } else { self.b.ins().iadd(x, y) };
            return Scalar::Int(value, low, high);
        }
        let (x, y) = (self.int(left), self.int(right));
        let (value, over) =
            if minus { self.b.ins().ssub_overflow(x, y) } else { self.b.ins().sadd_overflow(x, y) };
        self.bail_if(Scalar::Bool(over));
        Scalar::Int(value, i64::MIN, i64::MAX)
    }

    fn product(&mut self, left: Scalar, right: Scalar) -> Scalar {
        let ((a, b), (c, d)) = (left.range(), right.range());
        let corners = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.checked_mul(y));
        let (x, y) = (self.int(left), self.int(right));
        match corners {
            [Some(p), Some(q), Some(r), Some(s)] => {
                let (low, high) = (p.min(q).min(r).min(s), p.max(q).max(r).max(s));
                if low == high { Scalar::Const(low) } else { Scalar::Int(self.b.ins().imul(x, y), low, high) }
            }
            _ => {
                let (value, over) = self.b.ins().smul_overflow(x, y);
                self.bail_if(Scalar::Bool(over));
                Scalar::Int(value, i64::MIN, i64::MAX)
            }
        }
    }

    /// Division of what is not negative by what is positive; the rest is left to the interpreter when it
    /// happens.
    fn quotient(&mut self, op: Arith, left: Scalar, right: Scalar) -> Emitted<Scalar> {
        let left = self.checked(left, 0, i64::MAX);
        let right = self.checked(right, 1, i64::MAX);
        let ((_, most), (_, divisor)) = (left.range(), right.range());
        let (x, y) = (self.int(left), self.int(right));
        Ok(match op {
            Arith::Div => Scalar::Int(self.b.ins().udiv(x, y), 0, most),
            _ => Scalar::Int(self.b.ins().urem(x, y), 0, most.min(divisor.max(1) - 1).max(0)),
        })
    }

    fn rotate(&mut self, left: Scalar, right: Scalar, size: u32, back: bool) -> Emitted<Scalar> {
        let (size, right) = (
            i64::from(size),
            match right {
                Scalar::Const(by) => Scalar::Const(by.rem_euclid(i64::from(size))),
                other => self.checked(other, 0, i64::from(size) - 1),
            },
        );
        let left = self.checked(left, 0, size - 1);
        let moved = match back {
            false => self.arith(Arith::Add, left, right)?,
            true => {
                let by = self.arith(Arith::Sub, Scalar::Const(size), right)?;
                self.arith(Arith::Add, left, by)?
            }
        };
        if let Scalar::Const(value) = moved {
            return Ok(Scalar::Const(value % size));
        }
        let value = self.int(moved);
        let around = self.b.ins().iadd_imm(value, -size);
        let over = self.b.ins().icmp_imm(IntCC::SignedGreaterThanOrEqual, value, size);
        Ok(Scalar::Int(self.b.ins().select(over, around, value), 0, size - 1))
    }

    fn scalar_function(&mut self, id: FunctionId) -> Emitted<Scalar> {
        let system = self.system;
        let function = &system.functions[id.index()];
        match &function.body {
            Body::Scalar(body) if !function.kept => self.expr(body),
            _ => Err(Unsupported("a function that is remembered")),
        }
    }

    fn contains(&mut self, place: &Place, element: &Expr) -> Emitted<Scalar> {
        let at = self.locate(place)?;
        let element = self.expr(element)?;
        let width = i64::from(place.width);
        match element {
            Scalar::Const(number) if number < 0 || number >= width => Ok(Scalar::Const(0)),
            Scalar::Const(number) => Ok(self.read(&at.plus(number as u32), 1)),
            _ => {
                let (low, high) = element.range();
                let number = self.int(element);
                if low >= 0 && high < width {
                    let bit = self.further(&at, number, place.width.into(), 1);
                    return Ok(self.read(&bit, 1));
                }
                let inside = self.b.ins().icmp_imm(IntCC::UnsignedLessThan, number, width);
                // Where there is no such bit, the first one is read.
                let zero = self.constant(0);
                let number = self.b.ins().select(inside, number, zero);
                let bit = self.further(&at, number, place.width.max(1).into(), 1);
                let found = self.read(&bit, 1);
                Ok(self.both(Scalar::Bool(inside), found))
            }
        }
    }

    /// The number of the value at a place, of a type whose values are numbered.
    pub fn rank(&mut self, ty: TypeId, at: &crate::place::Location) -> Emitted<Scalar> {
        self.spend()?;
        let types = &self.system.types;
        let size = |ty| types.size(ty).ok_or(Unsupported("a type without numbers"));
        match *types.get(ty) {
            Type::Option(inner) if !types.is_scalar(ty) => {
                let some = self.read(at, 1);
                let condition = self.flag(some);
                let inside = at.plus(1);
                let mut yes = |emitter: &mut Self| {
                    let number = emitter.rank(inner, &inside)?;
                    Ok(emitter.shifted(number, 1))
                };
                self.either(condition, &mut yes, &mut |_| Ok(Scalar::Const(0)))
            }
            Type::Record(id) if !types.record(id).cases.is_empty() => {
                let record = types.record(id);
                let tag = self.read(at, types.width(record.fields[0].ty));
                self.rank_case(record, tag, at, 0, 0)
            }
            Type::Record(id) => {
                let mut number = Scalar::Const(0);
                for field in &types.record(id).fields {
                    let digit = self.rank(field.ty, &at.plus(field.offset))?;
                    number = self.digit(number, size(field.ty)?, digit);
                }
                Ok(number)
            }
            Type::Array { index, element } => {
                let mut number = Scalar::Const(0);
                for i in 0..size(index)? as u32 {
                    let digit = self.rank(element, &at.plus(i * types.width(element)))?;
                    number = self.digit(number, size(element)?, digit);
                }
                Ok(number)
            }
            Type::Queue { .. } | Type::Bag { .. } => Err(Unsupported("a type without numbers")),
            _ => match types.width(ty) {
                width if width > 64 => Err(Unsupported("a wide value")),
                width => Ok(self.read(at, width)),
            },
        }
    }

    /// The number of a value of a union that is this case or one after it; those before have so many values.
    fn rank_case(
        &mut self,
        record: &Record,
        tag: Scalar,
        at: &crate::place::Location,
        case: usize,
        before: u64,
    ) -> Emitted<Scalar> {
        self.spend()?;
        let types = &self.system.types;
        let unnumbered = || Unsupported("a type without numbers");
        let size = types.case_size(&record.cases[case]).ok_or_else(unnumbered)?;
        let mut here = |emitter: &mut Self| {
            let mut number = Scalar::Const(0);
            for part in &record.cases[case].parts {
                let field = &record.fields[part.field as usize];
                let digit = emitter.rank(field.ty, &at.plus(field.offset))?;
                let digit = emitter.shifted(digit, -i64::from(part.optional));
                number = emitter.digit(number, types.size(part.ty).ok_or_else(unnumbered)?, digit);
            }
            Ok(emitter.shifted(number, before as i64))
        };
        if case + 1 == record.cases.len() {
            return here(self);
        }
        let is = self.compare(Compare::Eq, tag, Scalar::Const(case as i64));
        let condition = self.flag(is);
        let mut later = |emitter: &mut Self| emitter.rank_case(record, tag, at, case + 1, before + size);
        self.either(condition, &mut here, &mut later)
    }

    /// A number with one more digit.
    fn digit(&mut self, number: Scalar, size: u64, digit: Scalar) -> Scalar {
        let (a, b) = (self.int(number), self.int(digit));
        let number = self.b.ins().imul_imm(a, size as i64);
        Scalar::Int(self.b.ins().iadd(number, b), i64::MIN, i64::MAX)
    }

    fn quantify(&mut self, quantify: &Quantify) -> Emitted<Scalar> {
        match quantify.quantifier {
            Quantifier::Forall => {
                let found = self.search(quantify, false)?;
                Ok(self.not(found))
            }
            Quantifier::Exists => self.search(quantify, true),
            Quantifier::Count | Quantifier::Sum => self.total(quantify),
            Quantifier::Min | Quantifier::Max => self.extreme(quantify),
        }
    }

    /// Whether the body has the wanted truth value for some combination.
    fn search(&mut self, quantify: &Quantify, wanted: bool) -> Emitted<Scalar> {
        let [found, after] = [(); 2].map(|()| self.b.create_block());
        let result = self.b.declare_var(types::I8);
        // Of what can be looked at without jumps, whether it was found so far.
        let mut pending = Scalar::Const(0);
        let inner = self.quantified_weight(quantify);
        let loops = !self.is_straight(quantify, inner);
        let before = self.facts.clone();
        self.each_of(&quantify.binders, Each::Different, inner, &mut |emitter| {
            let value = emitter.expr(&quantify.body)?;
            let hit = if wanted { emitter.truth(value) } else { emitter.not(value) };
            match hit {
                _ if loops => emitter.go_on_if(hit, false, found),
                Scalar::Const(0) => {}
                _ => pending = emitter.one_of(pending, hit),
            }
            Ok(())
        })?;
        self.leave(before);
        if !loops {
            // No jump leads there.
            let value = self.truth(pending);
            self.b.ins().jump(after, &[]);
            self.enter(found);
            self.b.ins().jump(after, &[]);
            self.enter(after);
            return Ok(value);
        }
        let no = self.b.ins().iconst(types::I8, 0);
        self.b.def_var(result, no);
        self.b.ins().jump(after, &[]);
        self.enter(found);
        let yes = self.b.ins().iconst(types::I8, 1);
        self.b.def_var(result, yes);
        self.b.ins().jump(after, &[]);
        self.enter(after);
        Ok(Scalar::Bool(self.b.use_var(result)))
    }

    /// How often the body is true, or the sum of its values.
    fn total(&mut self, quantify: &Quantify) -> Emitted<Scalar> {
        let sum = self.b.declare_var(types::I64);
        let zero = self.constant(0);
        self.b.def_var(sum, zero);
        let mut known = Scalar::Const(0);
        let inner = self.quantified_weight(quantify);
        let loops = !self.is_straight(quantify, inner);
        let before = self.facts.clone();
        self.each_of(&quantify.binders, Each::Occurrence, inner, &mut |emitter| {
            let mut filter = Scalar::Const(1);
            if let Some(condition) = &quantify.filter {
                filter = emitter.expr(condition)?;
            }
            let mut add = |emitter: &mut Self| {
                let value = emitter.expr(&quantify.body)?;
                let sofar = match loops {
                    false => known,
                    true => Scalar::Int(emitter.b.use_var(sum), i64::MIN, i64::MAX),
                };
                known = emitter.arith(Arith::Add, sofar, value)?;
                if loops {
                    let value = emitter.int(known);
                    emitter.b.def_var(sum, value);
                }
                Ok(())
            };
            emitter.perhaps(filter, &mut add)
        })?;
        self.leave(before);
        Ok(match loops {
            false => known,
            true => Scalar::Int(self.b.use_var(sum), i64::MIN, i64::MAX),
        })
    }

    /// The least or greatest value of the body.
    fn extreme(&mut self, quantify: &Quantify) -> Emitted<Scalar> {
        let [best, any] = [types::I64, types::I64].map(|ty| self.b.declare_var(ty));
        let zero = self.constant(0);
        self.b.def_var(best, zero);
        self.b.def_var(any, zero);
        let inner = self.quantified_weight(quantify);
        let before = self.facts.clone();
        self.each_of(&quantify.binders, Each::Occurrence, inner, &mut |emitter| {
            let mut filter = Scalar::Const(1);
            if let Some(condition) = &quantify.filter {
                filter = emitter.expr(condition)?;
            }
            emitter.perhaps(filter, &mut |emitter: &mut Self| {
                let value = emitter.expr(&quantify.body)?;
                let (value, old) = (emitter.int(value), emitter.b.use_var(best));
                let better = match quantify.quantifier {
                    Quantifier::Min => emitter.b.ins().smin(value, old),
                    _ => emitter.b.ins().smax(value, old),
                };
                let had: Value = emitter.b.use_var(any);
                let new = emitter.b.ins().select(had, better, value);
                emitter.b.def_var(best, new);
                let one = emitter.constant(1);
                emitter.b.def_var(any, one);
                Ok(())
            })
        })?;
        self.leave(before);
        let had = self.b.use_var(any);
        let nothing = self.b.ins().icmp_imm(IntCC::Equal, had, 0);
        self.bail_if(Scalar::Bool(nothing));
        Ok(Scalar::Int(self.b.use_var(best), i64::MIN, i64::MAX))
    }
}
