//! Expressions. Entry points: [`Translator::value`] for what they are, [`Translator::place`] for where they
//! are kept.

use crate::ast::{BinaryOp, Domain, Expr, ExprKind, Name, Quantifier, UnaryOp};
use crate::marks::mark;
use crate::translate::{Binding, MAX_VALUES, Place, Root, Step, Translator};
use crate::types::{Base, DEFINED, Ty};
use burnside_lang::diagnostic::Span;

const EFFECTS: &str = "a function that changes the state, or with `assume` or `cover`, cannot be called here";

/// How tight things bind in the translation.
pub mod level {
    pub const IFF: u8 = 0;
    pub const IMPLIES: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const COMPARE: u8 = 4;
    pub const ADD: u8 = 5;
    pub const MUL: u8 = 6;
    pub const PREFIX: u8 = 7;
    pub const ATOM: u8 = 8;
}

/// An expression in the translation.
#[derive(Clone, Debug)]
pub struct Val {
    pub code: String,
    pub level: u8,
    pub ty: Ty,
    pub constant: Option<i64>,
}

impl Val {
    pub fn atom(code: impl Into<String>, ty: Ty) -> Self {
        Self { code: code.into(), level: level::ATOM, ty, constant: None }
    }

    /// A condition of a level.
    pub fn bool(level: u8, code: String) -> Self {
        Self { code, level, ty: Ty::bool(), constant: None }
    }

    /// With parentheses, unless it binds tight enough.
    pub fn at(&self, least: u8) -> String {
        if self.level >= least { self.code.clone() } else { format!("({})", self.code) }
    }
}

/// A quantifier in the translation: its name, what it ranges over, and what must hold of it.
pub struct Bound {
    pub code: String,
    pub domain: String,
    pub filter: Option<String>,
    pub ty: Ty,
    /// Whether it takes every value of its type.
    pub whole: bool,
    /// Whether it goes down, which the translation does not.
    pub falls: bool,
}

impl Translator<'_> {
    /// An expression as a value.
    pub fn value(&mut self, expr: &Expr) -> Option<Val> {
        let mut value = self.unmarked(expr)?;
        value.code = mark(expr.span, &value.code);
        Some(value)
    }

    /// An expression of type boolean.
    pub fn condition(&mut self, expr: &Expr) -> Option<Val> {
        let value = self.value(expr)?;
        self.decides(expr.span, value)
    }

    fn decides(&mut self, span: Span, value: Val) -> Option<Val> {
        if matches!(value.ty, Ty::Simple(Base::Bool, _)) {
            return Some(value);
        }
        self.wrong(span, format!("expected a condition, found {}", value.ty.describe()))
    }

    /// An expression of an integer type, with its bounds.
    pub fn number(&mut self, expr: &Expr) -> Option<(Val, (i64, i64))> {
        let value = self.value(expr)?;
        self.counts(expr.span, value)
    }

    fn counts(&mut self, span: Span, value: Val) -> Option<(Val, (i64, i64))> {
        match value.ty.bounds() {
            Some(bounds) => Some((value, bounds)),
            None => self.wrong(span, format!("expected a number, found {}", value.ty.describe())),
        }
    }

    /// A number that is known, and how it is written.
    pub fn constant(&mut self, expr: &Expr) -> Option<(i64, String)> {
        let (value, _) = self.number(expr)?;
        match value.constant {
            Some(constant) => Some((constant, value.at(level::ADD))),
            None => self.wrong(expr.span, "this is not constant"),
        }
    }

    fn unmarked(&mut self, expr: &Expr) -> Option<Val> {
        match &expr.kind {
            ExprKind::Int(number) => Some(number_value(*number)),
            ExprKind::Bool(value) => {
                Some(Val { constant: Some(i64::from(*value)), ..Val::atom(value.to_string(), Ty::bool()) })
            }
            ExprKind::Name(name) => match self.lookup(name).cloned() {
                Some(Binding::Const(ty, constant, code)) => {
                    let level = if code.starts_with('-') { level::PREFIX } else { level::ATOM };
                    Some(Val { code, level, ty, constant: Some(constant) })
                }
                Some(Binding::Value(code, ty)) => Some(Val::atom(code, ty)),
                _ => self.read(expr),
            },
            ExprKind::Field(..) | ExprKind::Index(..) => self.read(expr),
            ExprKind::Unary(op, inner) => self.unary(*op, inner),
            ExprKind::Binary(op, left, right) => self.binary(expr.span, *op, left, right),
            ExprKind::Conditional(parts) => self.conditional(parts),
            ExprKind::Quantified { all, quantifier, body } => self.quantified(*all, quantifier, body),
            ExprKind::IsUndefined(inner) => {
                let place = self.place(inner)?;
                match &place.ty {
                    Ty::Simple(_, node) if self.facts.is_optional(*node) => {
                        Some(Val::bool(level::COMPARE, format!("{} == none", place.code)))
                    }
                    Ty::Simple(..) => {
                        self.needs_definition(&place);
                        Some(Val::atom("false", Ty::bool()))
                    }
                    other => {
                        self.wrong(inner.span, format!("{} is defined or not in its parts", other.describe()))
                    }
                }
            }
            ExprKind::IsMember(inner, ty) => {
                let value = self.value(inner)?;
                match self.resolve(ty, None)? {
                    Ty::Simple(base, _) if matches!(value.ty, Ty::Simple(Base::Union(_), _)) => {
                        let code = format!("{} is {}", value.at(level::ADD), base.text());
                        Some(Val::bool(level::COMPARE, code))
                    }
                    Ty::Simple(base, _) => {
                        let same = matches!(&value.ty, Ty::Simple(it, _) if *it == base);
                        Some(Val::atom(same.to_string(), Ty::bool()))
                    }
                    _ => self.wrong(ty.span, "expected a part of a union"),
                }
            }
            ExprKind::Call(name, arguments) => self.call_value(name, arguments),
            ExprKind::Count(name, bag, condition) => self.count(name, bag, condition),
            ExprKind::Temporal(word, inner) => {
                let inner = self.condition(inner)?;
                Some(Val::bool(level::PREFIX, format!("{word} {}", inner.at(level::ATOM))))
            }
            ExprKind::Until(word, left, right) => {
                let (left, right) = (self.condition(left)?, self.condition(right)?);
                let code = format!("({} {word} {})", left.at(level::ATOM), right.at(level::ATOM));
                Some(Val::atom(code, Ty::bool()))
            }
            ExprKind::Path(word, inner) => {
                let inner = self.condition(inner)?;
                Some(Val::atom(format!("{word}[{}]", inner.code), Ty::bool()))
            }
        }
    }

    /// What is at a place; reading what is undefined is a fault.
    fn read(&mut self, expr: &Expr) -> Option<Val> {
        let place = self.place(expr)?;
        self.needs_definition(&place);
        Some(self.value_at(place))
    }

    /// The value at a place.
    pub fn value_at(&self, place: Place) -> Val {
        let code = match &place.ty {
            Ty::Simple(_, node) if self.facts.is_optional(*node) => format!("{}!", place.code),
            _ => place.code,
        };
        Val::atom(code, place.ty.defined())
    }

    /// A value of a union where one of its parts is wanted: a fault if it is of another one.
    pub fn narrowed(&mut self, wanted: &Ty, value: Val) -> Val {
        let (Ty::Simple(part, _), Ty::Simple(Base::Union(union), _)) = (wanted, &value.ty) else {
            return value;
        };
        if !self.unions.get(union).is_some_and(|parts| parts.contains(part)) {
            return value;
        }
        let (part_text, name) = (part.text(), format!("{union}_as_{}", part.text()));
        self.helpers.insert(format!(
            "fn {name}(x: {union}): {part_text}? = match x {{ {part_text}(y) => y, _ => none }};\n"
        ));
        Val::atom(format!("{name}({})!", value.code), Ty::Simple(part.clone(), DEFINED))
    }

    /// What is read before it surely has a value may be undefined: locals, and in start states all variables.
    pub fn needs_definition(&mut self, place: &Place) {
        let begins_undefined = match place.root {
            Root::Local => true,
            Root::State => self.starting,
            Root::Reference | Root::ReadOnly => false,
        };
        match &place.path {
            _ if !begins_undefined => {}
            Some((var, steps)) => self.leave_undefined(var, &mut steps.clone(), &place.ty),
            None => self.facts.undefine(&place.ty),
        }
    }

    /// Where something is kept.
    pub fn place(&mut self, expr: &Expr) -> Option<Place> {
        match &expr.kind {
            ExprKind::Name(name) => match self.lookup(name).cloned() {
                Some(Binding::Place(place)) => Some(place),
                Some(Binding::Value(code, ty) | Binding::Const(ty, _, code)) => Some(Place::value(code, ty)),
                Some(Binding::Type(_) | Binding::Function(_) | Binding::Element { .. }) => {
                    self.wrong(expr.span, format!("`{name}` is no variable"))
                }
                None => self.wrong(expr.span, format!("there is no `{name}`")),
            },
            ExprKind::Field(base, field) => {
                let base = self.place(base)?;
                let Ty::Record(record) = &base.ty else {
                    return self.wrong(expr.span, format!("{} has no fields", base.ty.describe()));
                };
                let Some(at) = record.fields.iter().position(|(name, _, _)| *name == field.text) else {
                    let said = format!("record `{}` has no field `{}`", record.name, field.text);
                    return self.wrong(field.span, said);
                };
                let (_, code, ty) = &record.fields[at];
                let code = mark(expr.span, &format!("{}.{code}", base.code));
                let path = base.path.map(|(var, steps)| (var, [steps, vec![Step::Field(at)]].concat()));
                Some(Place { code, ty: ty.clone(), path, ..base })
            }
            ExprKind::Index(base, index) => self.indexed(expr.span, base, index),
            _ => {
                let value = self.value(expr)?;
                Some(Place::value(value.at(level::ATOM), value.ty))
            }
        }
    }

    fn indexed(&mut self, span: Span, base: &Expr, index: &Expr) -> Option<Place> {
        let base = self.place(base)?;
        let Ty::Array(of_index, element) = base.ty.clone() else {
            return self.element(span, base, index);
        };
        let (value, wanted) = (self.value(index)?, Ty::Simple(of_index.clone(), DEFINED));
        let value = self.narrowed(&wanted, value);
        if !self.fits(&wanted, &value.ty) {
            let (found, wanted) = (value.ty.describe(), of_index.describe());
            return self.wrong(index.span, format!("expected an index of type {wanted}, found {found}"));
        }
        let step = match (&index.kind, &value.ty) {
            (ExprKind::Name(_), Ty::Simple(base, _)) if base.same(&of_index) => {
                Some(Step::At(bare(&value.code)))
            }
            _ => None,
        };
        let path = base.path.and_then(|(var, steps)| Some((var, [steps, vec![step?]].concat())));
        let stays = matches!(&index.kind, ExprKind::Name(name) if self.stays(name));
        let mut index = value.code;
        if self.settled.is_some() && value.constant.is_none() && !stays {
            let name = self.fresh("index");
            self.settled.iter_mut().for_each(|lets| lets.push(format!("let {name} = {index};\n")));
            index = name;
        }
        let code = mark(span, &format!("{}[{index}]", base.code));
        Some(Place { code, ty: (*element).clone(), path, ..base })
    }

    /// Whether a name always stands for the same value: that of a quantifier.
    fn stays(&self, name: &str) -> bool {
        let is_word = |code: &str| code.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        matches!(self.lookup(name), Some(Binding::Value(code, _)) if is_word(code))
    }

    /// What a name means.
    pub fn named(&self, expr: &Expr) -> Option<Binding> {
        if let ExprKind::Name(name) = &expr.kind { self.lookup(name).cloned() } else { None }
    }

    /// An element of a multiset, by the name that stands for it.
    fn element(&mut self, span: Span, base: Place, index: &Expr) -> Option<Place> {
        match (&base.ty, self.named(index)) {
            (Ty::Bag(..), Some(Binding::Element { bag, code, ty })) if bare(&bag) == bare(&base.code) => {
                let element = Some((base.code, code.clone()));
                Some(Place { code, ty, root: base.root, path: None, element })
            }
            (Ty::Bag(..), _) => self.wrong(span, "only `choose` and the like name elements of a multiset"),
            (other, _) => self.wrong(span, format!("{} has no elements", other.describe())),
        }
    }

    fn unary(&mut self, op: UnaryOp, inner: &Expr) -> Option<Val> {
        if op == UnaryOp::Not {
            let value = self.condition(inner)?;
            let constant = value.constant.map(|it| 1 - it);
            let code = format!("!{}", value.at(level::ATOM));
            return Some(Val { constant, ..Val::bool(level::PREFIX, code) });
        }
        let (value, (lo, hi)) = self.number(inner)?;
        let (code, least, most) = match op {
            UnaryOp::Minus => (format!("-{}", value.at(level::ATOM)), hi.checked_neg(), lo.checked_neg()),
            _ => (format!("(-{} - 1)", value.at(level::ATOM)), Some(!hi), Some(!lo)),
        };
        let constant = value.constant.map(|it| if op == UnaryOp::Minus { it.wrapping_neg() } else { !it });
        let ty = Ty::int(least.unwrap_or(i64::MIN), most.unwrap_or(i64::MAX));
        Some(Val { code, level: level::PREFIX, ty, constant })
    }

    fn binary(&mut self, span: Span, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Val> {
        match op {
            BinaryOp::Equal | BinaryOp::Unequal => return self.equality(span, op, left, right),
            BinaryOp::Implies | BinaryOp::Iff => {
                let (left, at) = (self.value(left), left.span);
                return self.logical(op, at, left?, right);
            }
            _ => {}
        }
        let found = self.value(left)?;
        if matches!(op, BinaryOp::And | BinaryOp::Or) && found.ty.bounds().is_none() {
            return self.logical(op, left.span, found, right);
        }
        let (left, right) = (self.counts(left.span, found), self.number(right));
        let ((left, from), (right, to)) = (left?, right?);
        let sign = match op {
            BinaryOp::Less => "<",
            BinaryOp::AtMost => "<=",
            BinaryOp::Greater => ">",
            BinaryOp::AtLeast => ">=",
            _ => return self.arithmetic(span, op, (left, from), (right, to)),
        };
        let code = format!("{} {sign} {}", left.at(level::ADD), right.at(level::ADD));
        let constant = left.constant.zip(right.constant).map(|(a, b)| {
            i64::from(match op {
                BinaryOp::Less => a < b,
                BinaryOp::AtMost => a <= b,
                BinaryOp::Greater => a > b,
                _ => a >= b,
            })
        });
        Some(Val { code, level: level::COMPARE, ty: Ty::bool(), constant })
    }

    fn equality(&mut self, span: Span, op: BinaryOp, left: &Expr, right: &Expr) -> Option<Val> {
        let (left, right) = (self.value(left), self.value(right));
        let (left, right) = (left?, right?);
        if !self.fits(&left.ty, &right.ty) && !self.fits(&right.ty, &left.ty) {
            let (one, other) = (left.ty.describe(), right.ty.describe());
            return self.wrong(span, format!("{one} and {other} cannot be compared"));
        }
        self.facts.join(&left.ty, &right.ty);
        let sign = if op == BinaryOp::Equal { "==" } else { "!=" };
        let code = format!("{} {sign} {}", left.at(level::ADD), right.at(level::ADD));
        let constant =
            left.constant.zip(right.constant).map(|(a, b)| i64::from((a == b) == (op == BinaryOp::Equal)));
        Some(Val { code, level: level::COMPARE, ty: Ty::bool(), constant })
    }

    fn logical(&mut self, op: BinaryOp, from: Span, left: Val, right: &Expr) -> Option<Val> {
        let (left, at) = (self.decides(from, left), right.span);
        let before = std::mem::take(&mut self.before);
        let right = self.condition(right);
        let late = std::mem::replace(&mut self.before, before);
        let (left, right) = (left?, right?);
        if !late.is_empty() {
            self.needs_certainty(at);
            return Some(self.late(op, &left, &late, &right));
        }
        let (sign, this, next) = match op {
            BinaryOp::Implies => ("->", level::IMPLIES, level::OR),
            BinaryOp::Iff => ("<->", level::IFF, level::IMPLIES),
            BinaryOp::Or => ("||", level::OR, level::OR),
            _ => ("&&", level::AND, level::AND),
        };
        let code = format!(
            "{} {sign} {}",
            left.at(next),
            right.at(if op == BinaryOp::Implies { this } else { next + u8::from(next == this) })
        );
        let constant = left.constant.zip(right.constant).map(|(a, b)| match op {
            BinaryOp::Implies => i64::from(a == 0 || b != 0),
            BinaryOp::Iff => i64::from(a == b),
            BinaryOp::Or => a | b,
            _ => a & b,
        });
        Some(Val { code, level: this, ty: Ty::bool(), constant })
    }

    /// The right side has statements of its own, which are run only if it counts.
    fn late(&mut self, op: BinaryOp, left: &Val, late: &[String], right: &Val) -> Val {
        let name = self.fresh("so_far");
        let (start, runs) = match op {
            BinaryOp::And => (left.code.clone(), name.clone()),
            BinaryOp::Or => (left.code.clone(), format!("!{name}")),
            BinaryOp::Implies => (format!("!{}", left.at(level::ATOM)), format!("!{name}")),
            _ => (left.code.clone(), "true".to_string()),
        };
        let last = if op == BinaryOp::Iff {
            format!("{name} == {}", right.at(level::ADD))
        } else {
            right.code.clone()
        };
        self.before.push(format!(
            "var {name}: bool = {start};\nif {runs} {{ {}{name} = {last}; }}\n",
            late.concat()
        ));
        Val::atom(name, Ty::bool())
    }

    fn conditional(&mut self, parts: &[Expr; 3]) -> Option<Val> {
        let condition = self.condition(&parts[0]);
        let ((then, first), (otherwise, second)) = (self.with_before(&parts[1]), self.with_before(&parts[2]));
        let (condition, then, otherwise) = (condition?, then?, otherwise?);
        if !self.fits(&then.ty, &otherwise.ty) {
            let (one, other) = (then.ty.describe(), otherwise.ty.describe());
            return self.wrong(parts[2].span, format!("one branch is {one}, the other {other}"));
        }
        let ty = match (then.ty.bounds(), otherwise.ty.bounds()) {
            (Some((a, b)), Some((c, d))) => Ty::int(a.min(c), b.max(d)),
            _ => then.ty,
        };
        if let (false, Ty::Simple(base, _)) = (first.is_empty() && second.is_empty(), &ty) {
            let (name, base) = (self.fresh("picked"), base.text());
            self.before.push(format!(
                "var {name}: {base}?;\nif {} {{ {first}{name} = {}; }} else {{ {second}{name} = {}; }}\n",
                condition.code, then.code, otherwise.code
            ));
            return Some(Val::atom(format!("{name}!"), ty));
        }
        if !first.is_empty() || !second.is_empty() {
            self.error(parts[1].span, EFFECTS);
        }
        let code = format!("(if {} {{ {} }} else {{ {} }})", condition.code, then.code, otherwise.code);
        Some(Val::atom(code, ty))
    }

    /// A value, and the statements that must come before it.
    fn with_before(&mut self, expr: &Expr) -> (Option<Val>, String) {
        let before = std::mem::take(&mut self.before);
        let value = self.value(expr);
        let own = std::mem::replace(&mut self.before, before).concat();
        if !own.is_empty() {
            self.needs_certainty(expr.span);
        }
        (value, own)
    }

    /// A value that needs no statements before it.
    pub fn pure(&mut self, expr: &Expr) -> Option<Val> {
        let (value, late) = self.with_before(expr);
        if !late.is_empty() {
            return self.wrong(expr.span, EFFECTS);
        }
        value
    }

    fn quantified(&mut self, all: bool, quantifier: &Quantifier, body: &Expr) -> Option<Val> {
        self.scoped(|this| {
            let bound = this.quantifier(quantifier)?;
            this.bind_bound(&quantifier.name, &bound);
            let (at, (body, late)) = (body.span, this.with_before(body));
            let body = body?;
            if body.ty != Ty::bool() {
                return this.wrong(quantifier.name.span, "the body of a quantifier is a condition");
            }
            if !late.is_empty() {
                return this.looked_for(at, all, &bound, &late, &body);
            }
            let filter = bound.filter.map_or_else(String::new, |filter| format!(" where {filter}"));
            let word = if all { "forall" } else { "exists" };
            let code = format!("{word} {}: {}{filter} {{ {} }}", bound.code, bound.domain, body.code);
            Some(Val::bool(level::PREFIX, code))
        })
    }

    /// A quantifier whose body has statements of its own: a loop that ends when it is decided.
    fn looked_for(&mut self, at: Span, all: bool, bound: &Bound, late: &str, body: &Val) -> Option<Val> {
        if bound.falls {
            return self.wrong(at, EFFECTS);
        }
        let name = self.fresh("decided");
        // It is used outside of the quantifier.
        let outer = self.used.len().saturating_sub(2);
        self.used[outer].insert(name.clone());
        let filter = bound.filter.iter().map(|filter| format!(" && ({filter})")).collect::<String>();
        let (negated, found) = if all { ("!", format!("!({})", body.code)) } else { ("", body.code.clone()) };
        self.before.push(format!(
            "var {name}: bool = false;\nfor {}: {} where !{name}{filter} {{ {late}{name} = {found}; }}\n",
            bound.code, bound.domain
        ));
        Some(Val::bool(level::PREFIX, format!("{negated}{name}")))
    }

    fn count(&mut self, name: &Name, bag: &Expr, condition: &Expr) -> Option<Val> {
        let place = self.place(bag)?;
        let Ty::Bag(size, ty) = place.ty.clone() else {
            return self.wrong(bag.span, "this is no multiset");
        };
        self.scoped(|this| {
            let code = this.fresh(&name.text);
            let (bag, ty) = (place.code.clone(), (*ty).clone());
            this.bind(name, Binding::Element { bag, code: code.clone(), ty });
            let condition = this.pure(condition)?;
            let code = format!("(count {code} in {} {{ {} }})", place.code, condition.code);
            Some(Val::atom(code, Ty::int(0, size)))
        })
    }

    /// What a quantifier ranges over. Its bounds are evaluated once, before.
    pub fn quantifier(&mut self, quantifier: &Quantifier) -> Option<Bound> {
        match &quantifier.domain {
            Domain::Type(ty) => {
                let resolved = self.resolve(ty, None)?;
                let Ty::Simple(base, _) = resolved else {
                    return self.wrong(ty.span, format!("nothing ranges over {}", resolved.describe()));
                };
                if matches!(base, Base::Int { lo, hi, .. } if hi.saturating_sub(lo) > MAX_VALUES) {
                    return self.wrong(ty.span, "this type has too many values");
                }
                let code = self.fresh(&quantifier.name.text);
                let ty = Ty::Simple(base.clone(), DEFINED);
                Some(Bound { code, domain: base.text(), filter: None, ty, whole: true, falls: false })
            }
            Domain::Steps { from, to, by } => {
                let step = match by {
                    Some(by) => self.constant(by)?.0,
                    None => 1,
                };
                let (first, last) = (self.number(from), self.number(to));
                let (first, last) = (first?, last?);
                if step == 0 {
                    return self.wrong(quantifier.name.span, "a step is not 0");
                }
                let falls = step < 0;
                let ((from, (lo, _)), (to, (_, hi))) = if falls { (last, first) } else { (first, last) };
                if hi.saturating_sub(lo) > MAX_VALUES {
                    return self.wrong(quantifier.name.span, "this takes too many values");
                }
                let code = self.fresh(&quantifier.name.text);
                let whole = step == 1 && from.constant.is_some() && to.constant.is_some() && lo <= hi;
                let mut filters = Vec::new();
                if from.constant.is_none() || to.constant.is_none() || lo > hi {
                    filters.push(format!(
                        "{} <= {code} && {code} <= {}",
                        from.at(level::ADD),
                        to.at(level::ADD)
                    ));
                }
                if step != 1 {
                    let (start, step) = (if falls { &to } else { &from }, step.saturating_abs());
                    filters.push(format!("({code} - {}) % {step} == 0", start.at(level::ATOM)));
                }
                let filter = if filters.is_empty() { None } else { Some(filters.join(" && ")) };
                let domain = format!("{lo}..{}", hi.max(lo));
                Some(Bound { code, domain, filter, ty: Ty::int(lo, hi.max(lo)), whole, falls })
            }
        }
    }

    /// Gives the name of a quantifier its meaning.
    pub fn bind_bound(&mut self, name: &Name, bound: &Bound) {
        self.bind(name, Binding::Value(bound.code.clone(), bound.ty.clone()));
    }

    /// Whether a value of the second type may stand where one of the first is wanted.
    pub fn fits(&self, wanted: &Ty, found: &Ty) -> bool {
        match (wanted, found) {
            (Ty::Simple(Base::Int { .. }, _), Ty::Simple(Base::Int { .. }, _)) => true,
            (Ty::Simple(Base::Union(union), _), Ty::Simple(base, _)) => {
                matches!(base, Base::Union(it) if it == union)
                    || self.unions.get(union).is_some_and(|parts| parts.contains(base))
            }
            (Ty::Simple(one, _), Ty::Simple(other, _)) => one == other,
            (Ty::Record(one), Ty::Record(other)) => one.name == other.name,
            (Ty::Array(index, element), Ty::Array(other, found)) => {
                index == other && self.equal(element, found)
            }
            (Ty::Bag(size, element), Ty::Bag(other, found)) => size == other && self.equal(element, found),
            _ => false,
        }
    }

    /// Whether two types are the same, but for what may be undefined.
    fn equal(&self, one: &Ty, other: &Ty) -> bool {
        match (one, other) {
            (Ty::Simple(one, _), Ty::Simple(other, _)) => one == other,
            _ => self.fits(one, other),
        }
    }
}

/// Conditions that must hold together.
pub fn all_of(conditions: &[Val]) -> String {
    match conditions {
        [only] => only.code.clone(),
        _ => conditions.iter().map(|it| it.at(level::AND)).collect::<Vec<_>>().join(" && "),
    }
}

/// A code without its marks.
pub fn bare(code: &str) -> String {
    crate::marks::settle(code).0
}

/// A number that is known.
pub fn number_value(number: i64) -> Val {
    let level = if number < 0 { level::PREFIX } else { level::ATOM };
    Val { code: number.to_string(), level, ty: Ty::int(number, number), constant: Some(number) }
}
