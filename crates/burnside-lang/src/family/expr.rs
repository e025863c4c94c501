//! Expressions: how many witnesses keep their values when a state is cut down to some members.
//!
//! Members themselves are never lost: they come from parameters, choices and pointers, all of which stay. So
//! only what looks at all members needs witnesses: one tuple for a quantifier that finds or misses something,
//! as many as a count is compared with, one member for sets that differ. Nothing of this may be done for each
//! member.

use super::{Refusal, Summary, Variable, WitnessCount, Witnesses, times_of, within};
use crate::diagnostic::Span;
use crate::hir::{Binder, Domain, Expr, ExprKind, Function, LocalId, Quantifier, Stored, Ty};
use burnside_limits::poll;
use burnside_ts::{Type, TypeId};

/// Something that counts members.
#[derive(Clone, Copy, Debug)]
pub(super) struct Counter {
    /// How many members one counted thing consists of.
    tuple: u32,
    /// The witnesses of its parts.
    witnesses: u32,
    /// Whether it counts members, each at most once, so that the size of the family can be reached.
    single: bool,
}

/// What a count is compared with.
enum Threshold {
    /// A number not greater than this.
    Number(i64),
    /// The size of the family.
    All(Span),
}

impl<'m> WitnessCount<'m> {
    pub(super) fn function(&mut self, function: &'m Function) -> Summary {
        self.binds = false;
        let counted = match function.result {
            Stored::Int => self.counter(&function.body),
            Stored::Type(_) => Ok(None),
        };
        let summary = match counted {
            Ok(Some(counter)) => Ok(Summary::Counter(counter)),
            Ok(None) => self.expr(&function.body).map(|witnesses| Summary::Value(witnesses, self.binds)),
            Err(refusal) => Err(refusal),
        };
        self.binds = false;
        summary.unwrap_or_else(Summary::Refused)
    }

    pub(super) fn all(&mut self, parts: &'m [Expr]) -> Witnesses {
        parts.iter().try_fold(0, |all, part| Ok(all + self.expr(part)?))
    }

    fn both(&mut self, a: &'m Expr, b: &'m Expr) -> Witnesses {
        Ok(self.expr(a)? + self.expr(b)?)
    }

    /// The witnesses of an expression; a refusal if there are never enough.
    pub(super) fn expr(&mut self, e: &'m Expr) -> Witnesses {
        poll();
        if let Ty::Of(ty) = e.ty {
            self.shape(ty, e.span)?;
        }
        match &e.kind {
            ExprKind::Const(_) => self.constant(e),
            ExprKind::Var(..) | ExprKind::Local(_) | ExprKind::Index(..) => self.read(e),
            ExprKind::Field(..) | ExprKind::Unwrap(_) if e.is_place() => self.read(e),
            ExprKind::None | ExprKind::Empty => Ok(0),
            ExprKind::Field(a, _)
            | ExprKind::Unwrap(a)
            | ExprKind::Some(a)
            | ExprKind::Not(a)
            | ExprKind::Neg(a)
            | ExprKind::Abs(a)
            | ExprKind::Full(a)
            | ExprKind::End(_, a) => self.expr(a),
            ExprKind::Ord(a) => match self.is_member(a) {
                true => Err(Refusal::new(e.span, "this uses the number of a member")
                    .help("members may only be compared for equality")),
                false => self.expr(a),
            },
            ExprKind::Element(a) | ExprKind::Rotate { element: a, .. } if self.is_member(e) => {
                Err(Refusal::new(a.span, "this makes a member from a number")
                    .help("take it as a parameter of the rule, or choose it with `any`"))
            }
            ExprKind::Element(a) => self.expr(a),
            ExprKind::Rotate { element: a, steps: b, .. }
            | ExprKind::Arith(_, a, b)
            | ExprKind::And(a, b)
            | ExprKind::Or(a, b)
            | ExprKind::Implies(a, b)
            | ExprKind::Iff(a, b)
            | ExprKind::Extremum(_, a, b)
            | ExprKind::SetOp(_, a, b)
            | ExprKind::Concat(a, b) => self.both(a, b),
            ExprKind::Count(s, x) => {
                self.is_simple(x)?;
                self.both(s, x)
            }
            ExprKind::Slice(a, b, c) => Ok(self.both(a, b)? + self.expr(c)?),
            ExprKind::If(c, a, b) => Ok(self.expr(c)? + self.expr(a)?.max(self.expr(b)?)),
            ExprKind::Let(_, a, b) => self.both(a, b),
            ExprKind::Equal(_, a, b) => self.equal(e, a, b),
            ExprKind::Less { left, right, .. } => self.less(e, left, right),
            ExprKind::Subset(a, b) => Ok(self.both(a, b)? + self.looks_at_all(e, a)?),
            ExprKind::In(x, s) => self.contains(x, s),
            ExprKind::Quantify { .. } => self.quantify(e),
            ExprKind::Size(s) if self.is_family_set(s) => self.as_a_value(e),
            ExprKind::Majority(s) if self.is_family_set(s) => {
                let message = "a majority is only known of sets that are variables";
                Err(Refusal::new(e.span, message).help("keep the set in a variable of its own"))
            }
            ExprKind::Majority(s) => self.expr(s),
            ExprKind::Size(s) => self.expr(s),
            ExprKind::Call(function, args) => self.call(e, function.index(), args),
            ExprKind::Record(parts) | ExprKind::Set(parts) => self.all(parts),
            ExprKind::Array(parts) => self.all(parts),
            ExprKind::ArrayOf(index, value) => self.array_of(e, *index, value),
            ExprKind::SetOf(binder, filter) => self.set_of(e, binder, filter),
            ExprKind::Enabled { .. } => {
                Err(Refusal::new(e.span, "`enabled` is not judged for every size")
                    .help("write the guard out"))
            }
            ExprKind::Temporal(..) | ExprKind::Until(..) | ExprKind::Path { .. } | ExprKind::Next(_) => {
                Err(Refusal::new(e.span, "temporal operators are not judged for every size"))
            }
            ExprKind::Block(..) => {
                Err(Refusal::new(e.span, "statements inside an expression are not judged for every size")
                    .help("put them into the rule; choose a member with `any in` there"))
            }
        }
    }

    fn constant(&self, e: &Expr) -> Witnesses {
        if self.is_member(e) {
            return Err(Refusal::new(e.span, "this names a member").help("members are interchangeable"));
        }
        match self.uses.inside(e.span).next() {
            Some(at) => Err(Refusal::new(at, "this depends on how many members there are")
                .help("only the number of members that something is true of may be compared with it")),
            None => Ok(0),
        }
    }

    fn is_member(&self, e: &Expr) -> bool {
        e.ty == Ty::Of(self.ty)
    }

    fn is_family_set(&self, e: &Expr) -> bool {
        matches!(e.ty, Ty::Of(ty) if matches!(self.model.types.get(ty), Type::Set(of) if *of == self.ty))
    }

    /// One more look at all members, which needs a witness, if it is one: not for each member.
    fn looks_at_all(&mut self, e: &Expr, side: &Expr) -> Witnesses {
        let Ty::Of(ty) = side.ty else { return Ok(0) };
        if !self.holds_cells(ty) {
            return Ok(0);
        }
        self.bind(e.span)?;
        Ok(1)
    }

    /// Whether a value has something for each member: a bit of a set, an element of an array.
    fn holds_cells(&self, ty: TypeId) -> bool {
        let types = &self.model.types;
        match *types.get(ty) {
            Type::Set(element) | Type::Array { index: element, .. } if element == self.ty => true,
            Type::Option(inner) => self.holds_cells(inner),
            Type::Record(record) => types.record(record).fields.iter().any(|it| self.holds_cells(it.ty)),
            Type::Array { element, .. } | Type::Queue { element, .. } | Type::Bag { element, .. } => {
                self.holds_cells(element)
            }
            Type::Bool | Type::Range { .. } | Type::Enum(_) | Type::Sort(_) | Type::Set(_) => false,
        }
    }

    /// Notes that something looks at all members.
    fn bind(&mut self, span: Span) -> Result<(), Refusal> {
        if self.each {
            let message = "this looks at all members, and is done for each member";
            return Err(Refusal::new(span, message).help("compute it once, before"));
        }
        self.binds = true;
        Ok(())
    }

    fn as_a_value(&self, e: &Expr) -> Witnesses {
        let message = "how many members there are is only known up to a constant";
        Err(Refusal::new(e.span, message).help("compare the number with a constant, right here"))
    }

    fn equal(&mut self, e: &'m Expr, a: &'m Expr, b: &'m Expr) -> Witnesses {
        match self.counted(e, a, b)? {
            Some(witnesses) => Ok(witnesses),
            None => Ok(self.both(a, b)? + self.looks_at_all(e, a)?),
        }
    }

    fn less(&mut self, e: &'m Expr, left: &'m Expr, right: &'m Expr) -> Witnesses {
        if self.is_member(left) {
            return Err(Refusal::new(e.span, "this compares members by order")
                .help("members may only be compared for equality"));
        }
        match self.counted(e, left, right)? {
            Some(witnesses) => Ok(witnesses),
            None => self.both(left, right),
        }
    }

    /// A comparison of a count with something; nothing if it is another one.
    fn counted(&mut self, e: &'m Expr, a: &'m Expr, b: &'m Expr) -> Result<Option<u32>, Refusal> {
        if a.ty != Ty::Int {
            return Ok(None);
        }
        let (counter, other) = match (self.counter(a)?, self.counter(b)?) {
            (None, None) => return Ok(None),
            (Some(_), Some(_)) => {
                return Err(Refusal::new(e.span, "this compares two numbers of members")
                    .help("compare each with a constant, or ask whether one set is part of the other"));
            }
            (Some(counter), None) => (counter, b),
            (None, Some(counter)) => (counter, a),
        };
        self.bind(e.span)?;
        let (threshold, witnesses) = self.threshold(other)?;
        let counted = match threshold {
            Threshold::Number(number) => {
                let number = u64::try_from(number.saturating_add(1)).unwrap_or(0).max(1);
                times_of(counter.tuple, number, e.span)?
            }
            Threshold::All(span) if counter.single => {
                self.claimed.insert(span);
                1
            }
            Threshold::All(span) => {
                return Err(Refusal::new(span, "this counts something else than the members, one by one")
                    .help("count members of the type: `count c: C { … }`"));
            }
        };
        Ok(Some(counted + witnesses + counter.witnesses))
    }

    /// What counts members; nothing if the expression is something else.
    fn counter(&mut self, e: &'m Expr) -> Result<Option<Counter>, Refusal> {
        match &e.kind {
            ExprKind::Size(set) if self.is_family_set(set) => {
                let witnesses = self.expr(set)?;
                Ok(Some(Counter { tuple: 1, witnesses, single: true }))
            }
            ExprKind::Quantify { quantifier: Quantifier::Count, binders, filter, body } => {
                let (tuple, plain) = self.tuple(binders, e.span)?;
                if tuple == 0 {
                    return Ok(None);
                }
                let witnesses = self.collections(binders)?;
                self.for_each_member(filter.as_deref().into_iter().chain([&**body]))?;
                let over_type = binders.iter().all(|it| matches!(it.domain, Domain::Type));
                let single = tuple == 1 && plain == 0 && over_type;
                Ok(Some(Counter { tuple, witnesses, single }))
            }
            ExprKind::Call(function, args) => match self.functions[function.index()].clone() {
                Summary::Counter(counter) => {
                    self.called(function.index(), e.span)?;
                    let witnesses = counter.witnesses + self.all(args)?;
                    Ok(Some(Counter { witnesses, ..counter }))
                }
                Summary::Value(..) | Summary::Refused(_) => Ok(None),
            },
            _ => Ok(None),
        }
    }

    /// What a count may be compared with: constants, of which conditions may choose one.
    fn threshold(&mut self, e: &'m Expr) -> Result<(Threshold, u32), Refusal> {
        match &e.kind {
            ExprKind::Const(value) => match self.uses.inside(e.span).next() {
                None => Ok((Threshold::Number(*value), 0)),
                Some(at) if within(e.span, at) => Ok((Threshold::All(at), 0)),
                Some(_) => self.constant(e).map(|_| unreachable!("it depends on the size")),
            },
            ExprKind::If(condition, a, b) => {
                let witnesses = self.expr(condition)?;
                let ((a, more), (b, most)) = (self.threshold(a)?, self.threshold(b)?);
                match (a, b) {
                    (Threshold::Number(a), Threshold::Number(b)) => {
                        Ok((Threshold::Number(a.max(b)), witnesses + more.max(most)))
                    }
                    (Threshold::All(at), _) | (_, Threshold::All(at)) => {
                        Err(Refusal::new(at, "this depends on how many members there are")
                            .help("compare with it outside of the `if`"))
                    }
                }
            }
            _ => {
                let message = "a number of members is compared with something that is no constant";
                Err(Refusal::new(e.span, message).help("write one case for each number that it can be"))
            }
        }
    }

    /// How many of some names are members, and how many are not.
    fn tuple(&mut self, binders: &[Binder], span: Span) -> Result<(u32, u32), Refusal> {
        let mut found = (0, 0);
        for binder in binders {
            match self.is_member_name(binder.local, span)? {
                true => found.0 += 1,
                false => found.1 += 1,
            }
        }
        Ok(found)
    }

    /// The witnesses of what some names run through. Each is evaluated once for every value of those before.
    fn collections(&mut self, binders: &'m [Binder]) -> Witnesses {
        let mut all = 0;
        for (i, binder) in binders.iter().enumerate() {
            if let Domain::Collection(collection) = &binder.domain {
                let each = self.each;
                self.each |= i > 0;
                let witnesses = self.expr(collection);
                self.each = each;
                all += witnesses?;
            }
        }
        Ok(all)
    }

    /// Parts that are evaluated for each member: they have no witnesses.
    fn for_each_member(&mut self, parts: impl IntoIterator<Item = &'m Expr>) -> Result<(), Refusal> {
        let each = std::mem::replace(&mut self.each, true);
        let result = parts.into_iter().try_for_each(|part| self.expr(part).map(drop));
        self.each = each;
        result
    }

    fn quantify(&mut self, e: &'m Expr) -> Witnesses {
        let ExprKind::Quantify { quantifier, binders, filter, body } = &e.kind else {
            unreachable!("asked for quantifiers only")
        };
        let (tuple, _) = self.tuple(binders, e.span)?;
        if tuple == 0 {
            return self.plain(e.span, binders, filter.as_deref().into_iter().chain([&**body]));
        }
        match quantifier {
            Quantifier::Forall | Quantifier::Exists => {
                self.bind(e.span)?;
                let witnesses = self.collections(binders)?;
                self.for_each_member(filter.as_deref())?;
                Ok(witnesses + tuple + self.inner(*quantifier, body)?)
            }
            Quantifier::Count => self.as_a_value(e),
            Quantifier::Sum | Quantifier::Min | Quantifier::Max => {
                Err(Refusal::new(e.span, "this combines a number of each member")
                    .help("ask with `exists` or `forall` which numbers there are"))
            }
        }
    }

    /// The body of `forall` or `exists`: the same quantifier in it, alone or behind a condition, makes longer
    /// tuples.
    fn inner(&mut self, outer: Quantifier, body: &'m Expr) -> Witnesses {
        match &body.kind {
            ExprKind::Quantify { quantifier, binders, filter, body: inner } if *quantifier == outer => {
                let (tuple, _) = self.tuple(binders, body.span)?;
                let each = std::mem::replace(&mut self.each, true);
                let collections = self.collections(binders);
                self.each = each;
                self.for_each_member(filter.as_deref())?;
                Ok(collections? + tuple + self.inner(outer, inner)?)
            }
            ExprKind::Implies(condition, rest) if outer == Quantifier::Forall => {
                self.for_each_member([&**condition])?;
                self.inner(outer, rest)
            }
            ExprKind::And(condition, rest) if outer == Quantifier::Exists => {
                self.for_each_member([&**condition])?;
                self.inner(outer, rest)
            }
            _ => self.for_each_member([body]).map(|()| 0),
        }
    }

    /// Over values that are no members: everything as often as there are values.
    fn plain(
        &mut self,
        span: Span,
        binders: &'m [Binder],
        parts: impl IntoIterator<Item = &'m Expr>,
    ) -> Witnesses {
        let mut witnesses = 0;
        for binder in binders {
            if let Domain::Collection(collection) = &binder.domain {
                witnesses += self.expr(collection)?;
            }
        }
        for part in parts {
            witnesses += self.expr(part)?;
        }
        let times: u64 = binders.iter().map(|it| self.often(it)).fold(1, u64::saturating_mul);
        times_of(witnesses, times, span)
    }

    /// How often a name that is no member is bound at most.
    pub(super) fn often(&self, binder: &Binder) -> u64 {
        match &binder.domain {
            Domain::Type => self.plain_size(binder.local).unwrap_or(u64::MAX),
            Domain::Collection(collection) => match collection.ty {
                Ty::Of(ty) => u64::from(self.model.types.capacity(ty)),
                Ty::Int => u64::MAX,
            },
        }
    }

    fn contains(&mut self, x: &'m Expr, s: &'m Expr) -> Witnesses {
        if let (Some((member, written)), ExprKind::Local(local)) = (&self.loop_, &x.kind)
            && local == member
            && let Some((root, indices)) = self.path(s)
            && written.contains(&root)
        {
            // The member's own bit, which the loop may write.
            return indices.into_iter().try_fold(0, |all, index| Ok(all + self.expr(index)?));
        }
        self.is_simple(x)?;
        self.both(x, s)
    }

    /// What is compared with several elements at once has nothing for each member.
    fn is_simple(&self, x: &Expr) -> Result<(), Refusal> {
        match x.ty {
            Ty::Of(ty) if self.holds_cells(ty) => {
                Err(Refusal::new(x.span, "this compares something for all members with several others")
                    .help("compare it with one at a time"))
            }
            Ty::Of(_) | Ty::Int => Ok(()),
        }
    }

    fn call(&mut self, e: &'m Expr, function: usize, args: &'m [Expr]) -> Witnesses {
        self.called(function, e.span)?;
        let witnesses = self.all(args)?;
        match self.functions[function].clone() {
            Summary::Value(own, binds) => {
                if binds {
                    self.bind(e.span)?;
                }
                Ok(witnesses + own)
            }
            Summary::Counter(_) => self.as_a_value(e),
            Summary::Refused(refusal) => Err(refusal),
        }
    }

    /// A function is called: it may read what nobody may read here.
    fn called(&mut self, function: usize, span: Span) -> Result<(), Refusal> {
        let reads = self.reads[function].clone();
        if let Some((_, written)) = &self.loop_
            && reads.iter().any(|&var| written.contains(&Variable::Var(var)))
        {
            return Err(Refusal::new(span, "this function reads what the loop writes")
                .help("write out what it says of the member of the loop"));
        }
        reads.iter().try_for_each(|&var| self.is_ready(var.index(), span))
    }

    fn array_of(&mut self, e: &'m Expr, index: LocalId, value: &'m Expr) -> Witnesses {
        if self.is_member_name(index, e.span)? {
            self.bind(e.span)?;
            self.for_each_member([value])?;
            // For a member that faults.
            return Ok(1);
        }
        times_of(self.expr(value)?, self.plain_size(index).unwrap_or(u64::MAX), e.span)
    }

    fn set_of(&mut self, e: &'m Expr, binder: &'m Binder, filter: &'m Expr) -> Witnesses {
        if self.is_member_name(binder.local, e.span)? {
            let witnesses = match &binder.domain {
                Domain::Type => 0,
                Domain::Collection(collection) => self.expr(collection)?,
            };
            self.bind(e.span)?;
            self.for_each_member([filter])?;
            // For a member that faults.
            return Ok(witnesses + 1);
        }
        self.plain(e.span, std::slice::from_ref(binder), [filter])
    }

    /// The type of the elements of a collection.
    pub(super) fn element(&self, collection: &Expr) -> Result<TypeId, Refusal> {
        match collection.ty {
            Ty::Of(ty) => match *self.model.types.get(ty) {
                Type::Set(element) | Type::Queue { element, .. } | Type::Bag { element, .. } => Ok(element),
                _ => Err(Refusal::new(collection.span, "this is no collection")),
            },
            Ty::Int => Err(Refusal::new(collection.span, "this is no collection")),
        }
    }

    /// The root of a place and the indices from the root on.
    pub(super) fn path(&self, place: &'m Expr) -> Option<(Variable, Vec<&'m Expr>)> {
        match &place.kind {
            ExprKind::Var(var, member) => Some((Variable::Var(*var), member.iter().collect())),
            ExprKind::Local(local) => Some((Variable::Local(*local), Vec::new())),
            ExprKind::Index(base, index) => {
                let (root, mut indices) = self.path(base)?;
                indices.push(index);
                Some((root, indices))
            }
            ExprKind::Field(base, _) | ExprKind::Unwrap(base) => self.path(base),
            _ => None,
        }
    }

    /// Whether one of the indices is the member of the loop.
    pub(super) fn is_own(&self, indices: &[&Expr], member: LocalId) -> bool {
        indices.iter().any(|index| matches!(index.kind, ExprKind::Local(local) if local == member))
    }

    /// Something that is read, a place or an element of a value.
    fn read(&mut self, e: &'m Expr) -> Witnesses {
        if let Some((root, indices)) = self.path(e) {
            if let Some((member, written)) = &self.loop_
                && written.contains(&root)
                && !self.is_own(&indices, *member)
            {
                let message = "the loop over the members writes this, and reads it elsewhere";
                return Err(Refusal::new(e.span, message).help("read it before the loop, into a name"));
            }
            if let Variable::Var(var) = root {
                self.is_ready(var.index(), e.span)?;
            }
            return self.place(e);
        }
        match &e.kind {
            ExprKind::Index(base, index) => self.both(base, index),
            _ => Ok(0),
        }
    }

    /// The indices of a place.
    pub(super) fn place(&mut self, e: &'m Expr) -> Witnesses {
        match self.path(e) {
            Some((_, indices)) => indices.into_iter().try_fold(0, |all, index| Ok(all + self.expr(index)?)),
            None => self.expr(e),
        }
    }

    /// In the value that a variable starts with: whether another one can be read there.
    fn is_ready(&self, var: usize, span: Span) -> Result<(), Refusal> {
        let Some(starting) = self.starting else { return Ok(()) };
        if var >= self.flags {
            let message = "a majority is asked for before all variables have a value";
            return Err(Refusal::new(span, message).help("ask for it in `init`"));
        }
        let pointers = self.shape(self.model.vars[var].ty, span)?;
        if var == starting || var > starting && pointers > 0 {
            return Err(Refusal::new(span, "this is read before it has a value").help("declare it earlier"));
        }
        Ok(())
    }
}
