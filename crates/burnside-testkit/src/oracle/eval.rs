//! The meaning of expressions.

use super::value::{Members, Value};
use super::{Eval, Faults, Oracle, World, all, both};
use burnside_lang::diagnostic::Span;
use burnside_lang::hir::{ArithOp, Binder, Domain, Expr, ExprKind, LocalId, Quantifier, SetOp, Stored, Ty};
use burnside_ts::{FaultKind, Type, TypeId};

impl Oracle<'_> {
    /// The value of an expression.
    pub(super) fn eval(&self, world: &mut World, expr: &Expr) -> Eval<Value> {
        let blame = expr.span;
        match &expr.kind {
            ExprKind::Const(number) => Ok(self.constant(*number, expr.ty)),
            ExprKind::Var(..) | ExprKind::Local(_) => {
                let place = self.place(world, expr)?;
                Ok(self.read(world, &place))
            }
            ExprKind::Index(base, index) => {
                let (base_value, index_value) = both(self.eval(world, base), self.eval(world, index))?;
                let position = self.position(base.ty, &base_value, &index_value, index.span)?;
                match base_value {
                    Value::Array(list) | Value::Queue(list) => Ok(list[position].clone()),
                    other => panic!("no elements: {other:?}"),
                }
            }
            ExprKind::Field(base, field) => match self.eval(world, base)? {
                Value::Record(fields) => Ok(fields[*field as usize].clone()),
                other => panic!("no fields: {other:?}"),
            },
            ExprKind::Unwrap(base) => match self.eval(world, base)? {
                Value::Some(value) => Ok(*value),
                _ => Err(self.fault(FaultKind::NoValue, blame)),
            },
            ExprKind::Next(inner) => {
                let next = world.next.take().expect("a condition on a step has a next state");
                let here = std::mem::replace(&mut world.state, next);
                let value = self.eval(world, inner);
                world.next = Some(std::mem::replace(&mut world.state, here));
                value
            }
            ExprKind::None => Ok(Value::None),
            ExprKind::Some(inner) => {
                let Type::Option(held) = *self.type_of(expr) else { panic!("not an optional") };
                Ok(Value::Some(Box::new(self.eval_as(world, inner, Stored::Type(held))?)))
            }
            ExprKind::Not(inner) => Ok(Value::Bool(!self.truth(world, inner)?)),
            ExprKind::And(a, b) => Ok(Value::Bool(self.truth(world, a)? && self.truth(world, b)?)),
            ExprKind::Or(a, b) => Ok(Value::Bool(self.truth(world, a)? || self.truth(world, b)?)),
            ExprKind::Implies(a, b) => Ok(Value::Bool(!self.truth(world, a)? || self.truth(world, b)?)),
            ExprKind::Iff(a, b) => self.pair(world, a, b, |a, b| a.truth() == b.truth()),
            ExprKind::If(condition, a, b) => {
                if self.truth(world, condition)? {
                    self.eval(world, a)
                } else {
                    self.eval(world, b)
                }
            }
            ExprKind::Equal(differ, a, b) => self.pair(world, a, b, |a, b| (a == b) != *differ),
            ExprKind::Less { left, right, or_equal } => {
                self.pair(world, left, right, |a, b| a < b || (*or_equal && a == b))
            }
            ExprKind::Neg(inner) => {
                let value = self.int(world, inner)?;
                self.narrow(-value, blame)
            }
            ExprKind::Abs(inner) => {
                let value = self.int(world, inner)?;
                self.narrow(value.abs(), blame)
            }
            ExprKind::Arith(op, a, b) => {
                let (a, b) = both(self.int(world, a), self.int(world, b))?;
                self.arith(*op, a, b, blame)
            }
            ExprKind::Extremum(greatest, a, b) => {
                let (a, b) = both(self.int(world, a), self.int(world, b))?;
                self.narrow(if *greatest { a.max(b) } else { a.min(b) }, blame)
            }
            ExprKind::Rotate { element, steps, backwards } => {
                let (element, steps) = both(self.eval(world, element), self.int(world, steps))?;
                let Value::Element(number) = element else { panic!("not an element") };
                let size = self.size_of(expr) as i128;
                let steps = if *backwards { -steps } else { steps };
                Ok(Value::Element((i128::from(number) + steps).rem_euclid(size) as u32))
            }
            ExprKind::Ord(inner) => Ok(Value::Int(match self.eval(world, inner)? {
                Value::Bool(value) => i64::from(value),
                Value::Enum(number) | Value::Element(number) => i64::from(number),
                other => panic!("no number: {other:?}"),
            })),
            ExprKind::Element(number) => {
                let value = self.int(world, number)? as i64;
                let hi = self.size_of(expr) as i64 - 1;
                match (0..=hi).contains(&value) {
                    true => Ok(Value::Element(value as u32)),
                    false => Err(self.fault(FaultKind::OutOfRange { value, lo: 0, hi }, blame)),
                }
            }
            ExprKind::Let(id, value, body) => {
                let value = self.eval_as(world, value, self.local_type(*id))?;
                self.with(world, vec![(*id, value)], |oracle, world| oracle.eval(world, body))
            }
            ExprKind::Block(statements, value) => match self.block(world.clone(), statements).pop() {
                Some(super::exec::End::World(mut inside)) => self.eval(&mut inside, value),
                Some(super::exec::End::Fault(faults)) => Err(faults),
                _ => panic!("a function assumes nothing and chooses nothing"),
            },
            ExprKind::Quantify { quantifier, binders, filter, body } => {
                self.quantify(world, *quantifier, binders, filter.as_deref(), body, blame)
            }
            ExprKind::Call(function, args) => {
                let function = &self.model.functions[function.index()];
                let pairs = function.params.iter().zip(args);
                let args = all(pairs.map(|(param, arg)| self.eval_as(world, arg, self.local_type(*param))))?;
                let outer = std::mem::take(&mut world.locals);
                world.locals = function.params.iter().copied().zip(args).collect();
                let result = self.eval_as(world, &function.body, function.result);
                world.locals = outer;
                result
            }
            ExprKind::Enabled { rules, member, args } => {
                self.some_enabled(world, rules, member.as_deref(), args.as_deref())
            }
            ExprKind::Temporal(..) | ExprKind::Until(..) | ExprKind::Path { .. } => {
                panic!("a temporal formula has no value in a state")
            }
            _ => self.collection(world, expr),
        }
    }

    /// Expressions that make or ask about records, arrays, sets, queues and bags.
    fn collection(&self, world: &mut World, expr: &Expr) -> Eval<Value> {
        match &expr.kind {
            ExprKind::Record(fields) => {
                let Type::Record(id) = *self.type_of(expr) else { panic!("not a record") };
                let types: Vec<TypeId> = self.model.types.record(id).fields.iter().map(|f| f.ty).collect();
                let fields = fields.iter().zip(types).map(|(f, ty)| self.eval_as(world, f, Stored::Type(ty)));
                Ok(Value::Record(all(fields)?))
            }
            ExprKind::Array(elements) => {
                let Type::Array { element, .. } = *self.type_of(expr) else { panic!("not an array") };
                let elements = elements.iter().map(|e| self.eval_as(world, e, Stored::Type(element)));
                Ok(Value::Array(all(elements)?))
            }
            ExprKind::ArrayOf(index, body) => {
                let Type::Array { element, .. } = *self.type_of(expr) else { panic!("not an array") };
                let indices = self.local_values(*index);
                let element_at = |value: &Value| {
                    self.with(world, vec![(*index, value.clone())], |oracle, world| {
                        oracle.eval_as(world, body, Stored::Type(element))
                    })
                };
                Ok(Value::Array(all(indices.iter().map(element_at))?))
            }
            ExprKind::Empty => Ok(match self.type_of(expr) {
                Type::Queue { .. } => Value::Queue(Vec::new()),
                Type::Bag { .. } => Value::Bag(Vec::new()),
                _ => Value::Set(Members::default()),
            }),
            ExprKind::Set(elements) => {
                let Type::Set(element) = *self.type_of(expr) else { panic!("not a set") };
                let elements = elements.iter().map(|e| self.eval_as(world, e, Stored::Type(element)));
                Ok(Value::Set(Members(all(elements)?.into_iter().collect())))
            }
            ExprKind::SetOf(binder, filter) => {
                let (candidates, mut faults) = self.combinations(world, std::slice::from_ref(binder));
                let mut members = Members::default();
                for names in candidates {
                    let value = names[0].1.clone();
                    match self.with(world, names, |oracle, world| oracle.truth(world, filter)) {
                        Ok(true) => drop(members.0.insert(value)),
                        Ok(false) => {}
                        Err(more) => faults.extend(more),
                    }
                }
                if faults.is_empty() { Ok(Value::Set(members)) } else { Err(faults) }
            }
            ExprKind::SetOp(op, a, b) => {
                let (a, b) = both(self.eval(world, a), self.eval(world, b))?;
                let (Value::Set(Members(a)), Value::Set(Members(b))) = (a, b) else { panic!("not sets") };
                Ok(Value::Set(Members(match op {
                    SetOp::Union => &a | &b,
                    SetOp::Intersection => &a & &b,
                    SetOp::Difference => &a - &b,
                })))
            }
            ExprKind::Subset(a, b) => {
                self.pair(world, a, b, |a, b| a.elements().iter().all(|x| b.count(x) > 0))
            }
            ExprKind::In(x, s) => self.pair(world, x, s, |x, s| s.count(x) > 0),
            ExprKind::Size(s) => Ok(Value::Int(self.eval(world, s)?.size() as i64)),
            ExprKind::Majority(s) => {
                let Type::Set(element) = *self.type_of(s) else { panic!("not a set") };
                let all = self.model.types.size(element).expect("elements have numbers");
                Ok(Value::Bool(2 * self.eval(world, s)?.size() as u64 > all))
            }
            ExprKind::Full(s) => {
                let (Type::Queue { capacity, .. } | Type::Bag { capacity, .. }) = *self.type_of(s) else {
                    panic!("never full")
                };
                Ok(Value::Bool(self.eval(world, s)?.size() == capacity as usize))
            }
            ExprKind::End(back, queue) => {
                let Value::Queue(list) = self.eval(world, queue)? else { panic!("not a queue") };
                let end = if *back { list.last() } else { list.first() };
                end.cloned().ok_or_else(|| self.fault(FaultKind::Empty, expr.span))
            }
            ExprKind::Concat(a, b) => {
                let (a, b) = both(self.eval(world, a), self.eval(world, b))?;
                self.holding(expr, [a.elements(), b.elements()].concat())
            }
            ExprKind::Slice(queue, from, to) => {
                let value = self.eval(world, queue);
                let (value, ends) = both(value, both(self.eval(world, from), self.eval(world, to)))?;
                let (first, last) = (ends.0.int(), ends.1.int());
                if first > last {
                    return self.holding(expr, Vec::new());
                }
                let first = self.position(queue.ty, &value, &ends.0, from.span);
                let (first, last) = both(first, self.position(queue.ty, &value, &ends.1, to.span))?;
                self.holding(expr, value.elements()[first..=last].to_vec())
            }
            ExprKind::Count(bag, x) => {
                let (bag, x) = both(self.eval(world, bag), self.eval(world, x))?;
                Ok(Value::Int(bag.count(&x) as i64))
            }
            other => panic!("not a collection: {other:?}"),
        }
    }

    /// A queue or bag of the type of an expression.
    fn holding(&self, expr: &Expr, mut elements: Vec<Value>) -> Eval<Value> {
        let (Type::Queue { capacity, .. } | Type::Bag { capacity, .. }) = *self.type_of(expr) else {
            panic!("not a queue or bag")
        };
        if elements.len() > capacity as usize {
            return Err(self.fault(FaultKind::Full { capacity }, expr.span));
        }
        Ok(match self.type_of(expr) {
            Type::Queue { .. } => Value::Queue(elements),
            _ => {
                elements.sort();
                Value::Bag(elements)
            }
        })
    }

    /// The value where one of the type is stored.
    pub(super) fn eval_as(&self, world: &mut World, expr: &Expr, ty: Stored) -> Eval<Value> {
        let value = self.eval(world, expr)?;
        self.fit(value, ty, expr.span)
    }

    pub(super) fn truth(&self, world: &mut World, expr: &Expr) -> Eval<bool> {
        Ok(self.eval(world, expr)?.truth())
    }

    fn int(&self, world: &mut World, expr: &Expr) -> Eval<i128> {
        Ok(self.eval(world, expr)?.int().into())
    }

    fn pair(
        &self,
        world: &mut World,
        a: &Expr,
        b: &Expr,
        test: impl FnOnce(&Value, &Value) -> bool,
    ) -> Eval<Value> {
        let (a, b) = both(self.eval(world, a), self.eval(world, b))?;
        Ok(Value::Bool(test(&a, &b)))
    }

    fn type_of(&self, expr: &Expr) -> &Type {
        match expr.ty {
            Ty::Of(ty) => self.model.types.get(ty),
            Ty::Int => panic!("an integer has no finite type"),
        }
    }

    fn size_of(&self, expr: &Expr) -> u64 {
        match expr.ty {
            Ty::Of(ty) => self.model.types.size(ty).expect("a sort is numbered"),
            Ty::Int => panic!("an integer has no finite type"),
        }
    }

    fn constant(&self, number: i64, ty: Ty) -> Value {
        let Ty::Of(ty) = ty else { return Value::Int(number) };
        match self.model.types.get(ty) {
            Type::Bool => Value::Bool(number != 0),
            Type::Enum(_) => Value::Enum(number as u32),
            Type::Sort(_) => Value::Element(number as u32),
            other => panic!("no constants of this type: {other:?}"),
        }
    }

    fn narrow(&self, value: i128, blame: Span) -> Eval<Value> {
        i64::try_from(value).map(Value::Int).map_err(|_| self.fault(FaultKind::Overflow, blame))
    }

    fn arith(&self, op: ArithOp, a: i128, b: i128, blame: Span) -> Eval<Value> {
        let value = match op {
            ArithOp::Add => a + b,
            ArithOp::Sub => a - b,
            ArithOp::Mul => a * b,
            ArithOp::Div | ArithOp::Rem if b == 0 => return Err(self.fault(FaultKind::DivisionByZero, blame)),
            ArithOp::Div => (a - a.rem_euclid(b)) / b,
            ArithOp::Rem => a.rem_euclid(b),
        };
        self.narrow(value, blame)
    }

    /// Which element of an array or queue an index means.
    pub(super) fn position(&self, base: Ty, value: &Value, index: &Value, blame: Span) -> Eval<usize> {
        let Ty::Of(ty) = base else { panic!("an integer has no elements") };
        match (self.model.types.get(ty), value) {
            (Type::Array { index: ty, .. }, _) => self.number(*ty, index, blame),
            (Type::Queue { .. }, Value::Queue(list)) => {
                let (index, length) = (index.int(), list.len() as i64);
                let outside = FaultKind::IndexOutOfRange { index, lo: 0, hi: length - 1 };
                match (0..length).contains(&index) {
                    true => Ok(index as usize),
                    false if length == 0 => Err(self.fault(FaultKind::Empty, blame)),
                    false => Err(self.fault(outside, blame)),
                }
            }
            (other, _) => panic!("no elements: {other:?}"),
        }
    }

    /// Which value of an index type it is.
    pub(super) fn number(&self, ty: TypeId, index: &Value, blame: Span) -> Eval<usize> {
        if let Type::Range { lo, hi } = *self.model.types.get(ty)
            && !(lo..=hi).contains(&index.int())
        {
            return Err(self.fault(FaultKind::IndexOutOfRange { index: index.int(), lo, hi }, blame));
        }
        let values = self.values(ty);
        Ok(values.iter().position(|value| value == index).expect("a value of the index type"))
    }

    /// Does something with more names bound.
    pub(super) fn with<T>(
        &self,
        world: &mut World,
        names: Vec<(LocalId, Value)>,
        work: impl FnOnce(&Self, &mut World) -> T,
    ) -> T {
        let before = world.locals.len();
        world.locals.extend(names);
        let result = work(self, world);
        world.locals.truncate(before);
        result
    }

    /// What a binder runs through.
    pub(super) fn domain(&self, world: &mut World, binder: &Binder) -> Eval<Vec<Value>> {
        match &binder.domain {
            Domain::Type => Ok(self.local_values(binder.local).to_vec()),
            Domain::Collection(collection) => Ok(self.eval(world, collection)?.elements()),
        }
    }

    /// All combinations of values of the names, and the faults of collections on the way.
    fn combinations(&self, world: &mut World, binders: &[Binder]) -> (Vec<Vec<(LocalId, Value)>>, Faults) {
        let (mut found, mut faults) = (vec![Vec::new()], Faults::new());
        for binder in binders {
            let mut longer = Vec::new();
            for names in found {
                let domain = self.with(world, names.clone(), |oracle, world| oracle.domain(world, binder));
                match domain {
                    Ok(values) => longer.extend(values.into_iter().map(|value| {
                        let mut names = names.clone();
                        names.push((binder.local, value));
                        names
                    })),
                    Err(more) => faults.extend(more),
                }
            }
            found = longer;
        }
        (found, faults)
    }

    fn quantify(
        &self,
        world: &mut World,
        quantifier: Quantifier,
        binders: &[Binder],
        filter: Option<&Expr>,
        body: &Expr,
        blame: Span,
    ) -> Eval<Value> {
        let (combinations, mut faults) = self.combinations(world, binders);
        let mut values = Vec::new();
        for names in combinations {
            let value = self.with(world, names, |oracle, world| match filter {
                Some(filter) if !oracle.truth(world, filter)? => Ok(None),
                _ => oracle.eval(world, body).map(Some),
            });
            match value {
                Ok(value) => values.extend(value),
                Err(more) => faults.extend(more),
            }
        }
        let decided = match quantifier {
            Quantifier::Forall => values.contains(&Value::Bool(false)).then_some(false),
            Quantifier::Exists => values.contains(&Value::Bool(true)).then_some(true),
            _ => None,
        };
        if let Some(value) = decided {
            return Ok(Value::Bool(value));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        match quantifier {
            Quantifier::Forall => Ok(Value::Bool(true)),
            Quantifier::Exists => Ok(Value::Bool(false)),
            Quantifier::Count => Ok(Value::Int(values.iter().filter(|value| value.truth()).count() as i64)),
            Quantifier::Sum => self.narrow(values.iter().map(|value| i128::from(value.int())).sum(), blame),
            Quantifier::Min => {
                values.into_iter().min().ok_or_else(|| self.fault(FaultKind::NothingToCompare, blame))
            }
            Quantifier::Max => {
                values.into_iter().max().ok_or_else(|| self.fault(FaultKind::NothingToCompare, blame))
            }
        }
    }
}
