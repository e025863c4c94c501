//! Statements, and bodies of functions. Entry points: [`Translator::sequence`],
//! [`Translator::function_body`].

use crate::Put;
use crate::ast::{BinaryOp, Domain, Expr, ExprKind, Function, Name, PutKind, Quantifier, Stmt, StmtKind};
use crate::expr::{Bound, Val, level};
use crate::marks::mark;
use crate::translate::{
    Binding, MAX_VALUES, MOST_SAID, Path, Place, Returns, Root, Signature, Step, Translator, clean,
};
use crate::types::Ty;
use burnside_lang::diagnostic::Span;
use std::collections::BTreeSet;

/// So often the body of a `while` is run, as in CMurphi; more is an error.
pub const MAX_TURNS: u32 = 1000;

impl Translator<'_> {
    /// Statements one after the other.
    pub fn sequence(&mut self, statements: &[Stmt]) -> String {
        let mut code = String::new();
        for (at, statement) in statements.iter().enumerate() {
            code.push_str(&self.statement(statement));
            let flag = self.returns.as_ref().and_then(|returns| returns.flag.clone());
            let ends = may_return(statement) || self.dropped;
            if let Some(flag) = flag.filter(|_| ends && at + 1 < statements.len()) {
                let rest = self.sequence(&statements[at + 1..]);
                code.push_str(&format!("if !{flag} {{ {rest} }}\n"));
                return code;
            }
        }
        code
    }

    fn statement(&mut self, statement: &Stmt) -> String {
        let (outer, unsure) = (std::mem::take(&mut self.before), std::mem::take(&mut self.unsure));
        let comments = self.comments(statement.span);
        let code = self.plain(statement).unwrap_or_default();
        let before = std::mem::replace(&mut self.before, outer).concat();
        let code = self.surely(code);
        self.unsure = unsure;
        format!("{comments}{}", mark(statement.span, &format!("{before}{code}")))
    }

    fn plain(&mut self, statement: &Stmt) -> Option<String> {
        match &statement.kind {
            StmtKind::Assign(target, value) => self.assign(target, value),
            StmtKind::Clear(target) => {
                let place = self.target(target)?;
                let code = self.fill(&place.code, &place.ty, &|this, ty| match ty {
                    Ty::Simple(base, _) => this.least(base),
                    _ => String::new(),
                });
                Some(self.written(&place, code))
            }
            StmtKind::Undefine(target) => {
                let place = self.target(target)?;
                Some(self.undefine(&place))
            }
            StmtKind::If(cases, otherwise) => self.cases(cases, otherwise),
            StmtKind::Switch(value, cases, otherwise) => self.switch(value, cases, otherwise),
            StmtKind::For(quantifier, body) => self.for_loop(quantifier, body),
            StmtKind::While(condition, body) => self.while_loop(statement.span, condition, body),
            StmtKind::Alias(aliases, body) => Some(self.scoped(|this| {
                let lets = this.aliases(aliases, true);
                let body = this.sequence(body);
                format!("if true {{ {lets}{body} }}\n")
            })),
            StmtKind::Assert(condition, message) => {
                let condition = self.condition(condition)?;
                Some(format!("assert {}{};\n", condition.code, text(message.as_deref())))
            }
            StmtKind::Drop => Some(self.drop_state()),
            StmtKind::Assume(condition) => {
                let condition = self.condition(condition)?;
                Some(format!("assume {};\n", condition.code))
            }
            StmtKind::Cover(condition, message) => {
                let condition = self.condition(condition)?;
                let name = self.cover_variable(statement.span, message.as_ref());
                self.changes(Root::State);
                Some(format!("if {} {{ {name} = true; }}\n", condition.code))
            }
            StmtKind::Error(message) => Some(format!("assert false{};\n", text(message.as_deref()))),
            StmtKind::Put(put) => self.put(put),
            StmtKind::Return(value) => self.returned(statement.span, value.as_ref()),
            StmtKind::Call(name, arguments) => self.call_statement(name, arguments),
            StmtKind::Add(element, bag) => {
                let place = self.bag(bag)?;
                let Ty::Bag(_, ty) = place.ty.clone() else { return None };
                let value = self.stored(element, &ty)?;
                Some(format!("{}.add({});\n", place.code, value.code))
            }
            StmtKind::Remove(element, bag) => {
                let place = self.bag(bag)?;
                match self.named(element) {
                    Some(Binding::Element { code, .. }) => Some(format!("{}.remove({code});\n", place.code)),
                    _ => self.wrong(element.span, "only an element that `choose` gives can be removed"),
                }
            }
            StmtKind::RemoveIf(name, bag, condition) => self.remove_if(name, bag, condition),
        }
    }

    /// What is said on the way: nothing, unless that is what the translation is for.
    fn put(&mut self, put: &PutKind) -> Option<String> {
        let (mut code, put) = match put {
            PutKind::Text(text) => (String::new(), Put::Text(text.replace("\\n", "\n"))),
            PutKind::Value(value) => {
                let place = self.place(value)?;
                let Ty::Simple(base, _) = &place.ty else { return Some(String::new()) };
                let text = match base.bounds() {
                    Some((lo, hi)) if hi.saturating_sub(lo) > MAX_VALUES => return Some(String::new()),
                    _ => base.text(),
                };
                let (said, name) = (self.said_values.len(), self.global("said_value"));
                self.said_values.push(format!("var {name}: {text}?;\n"));
                (format!("{name} = {};\n", place.code), Put::Value(said))
            }
        };
        let computes = self.returns.as_ref().is_some_and(|returns| returns.result.is_some());
        let Some(said) = self.telling.clone().filter(|_| !computes) else { return Some(String::new()) };
        code.push_str(&format!("if {said}.size() < {MOST_SAID} {{ {said}.push({}); }}\n", self.puts.len()));
        self.puts.push(put);
        Some(code)
    }

    /// An assumption is wrong: nothing more is done, and the state that this leads to does not count.
    fn drop_state(&mut self) -> String {
        let outside = match self.outside.clone() {
            Some(outside) => outside,
            None => self.global("outside"),
        };
        let mut code = format!("{outside} = true;\n");
        self.outside = Some(outside);
        self.facts.dropping.extend(self.current.clone());
        self.changes(Root::State);
        let Some(Returns { result, flag }) = self.returns.clone() else { return code };
        if let Some((local, ty)) = result {
            code.push_str(&format!("{local} = {};\n", self.literal(&ty.defined())));
        }
        code.extend(flag.map(|flag| format!("{flag} = true;\n")));
        code
    }

    /// A call of a function in which an assumption may be wrong: then what follows is not done.
    fn dropping(&mut self, name: &str, call: String) -> String {
        let flag = self.returns.as_ref().and_then(|returns| returns.flag.clone());
        let (true, Some(flag)) = (self.facts.dropping.contains(name), flag) else {
            return self.surely(call);
        };
        self.facts.dropping.extend(self.current.clone());
        let outside = self.outside.clone().unwrap_or_default();
        let call = self.surely(format!("{call}if {outside} {{ {flag} = true; }}\n"));
        (self.dropped, self.unsure) = (true, true);
        call
    }

    /// The rest of a statement, which is not done if an assumption was wrong before.
    fn surely(&mut self, code: String) -> String {
        match self.returns.as_ref().and_then(|returns| returns.flag.clone()) {
            Some(flag) if self.unsure && !code.is_empty() => format!("if !{flag} {{ {code} }}\n"),
            _ => code,
        }
    }

    /// Refuses calls of such functions where the rest of the statement is not all that must be left out.
    pub fn needs_certainty(&mut self, span: Span) {
        if self.unsure {
            self.error(span, "a function with `assume` cannot be called here");
        }
    }

    // Writing.

    /// A place that is written to.
    fn target(&mut self, target: &Expr) -> Option<Place> {
        let place = self.place(target)?;
        if place.root == Root::ReadOnly {
            return self.wrong(target.span, "this cannot be assigned to");
        }
        self.changes(place.root);
        Some(place)
    }

    /// The function at hand changes the state, if it is written to.
    fn changes(&mut self, root: Root) {
        if let (Root::State | Root::Reference, Some(current)) = (root, self.current.clone()) {
            self.facts.changing.insert(current);
        }
    }

    fn assign(&mut self, target: &Expr, value: &Expr) -> Option<String> {
        let place = self.target(target)?;
        if self.is_undefined(value) {
            return Some(self.undefine(&place));
        }
        let ty = place.ty.clone();
        let value = if self.facts.copying { self.passed(value, &ty)? } else { self.stored(value, &ty)?.code };
        let code = format!("{} = {value};\n", place.code);
        Some(self.written(&place, code))
    }

    /// Whether it is the word of CMurphi for no value.
    fn is_undefined(&mut self, value: &Expr) -> bool {
        let found = matches!(&value.kind, ExprKind::Name(name)
            if name.eq_ignore_ascii_case("undefined") && self.lookup(name).is_none());
        self.facts.copying |= found;
        found
    }

    fn undefine(&mut self, place: &Place) -> String {
        self.facts.undefine(&place.ty);
        let code = self.fill(&place.code, &place.ty, &|_, _| "none".to_string());
        let code = self.written(place, code);
        self.forget(place);
        code
    }

    /// A value that is kept as one of a type.
    fn stored(&mut self, value: &Expr, ty: &Ty) -> Option<Val> {
        let found = self.value(value)?;
        self.kept(value.span, found, ty)
    }

    fn kept(&mut self, span: Span, found: Val, ty: &Ty) -> Option<Val> {
        let found = self.narrowed(ty, found);
        if !self.fits(ty, &found.ty) {
            let (wanted, found) = (ty.describe(), found.ty.describe());
            return self.wrong(span, format!("expected {wanted}, found {found}"));
        }
        self.facts.join(ty, &found.ty);
        Some(found)
    }

    /// A value that may be undefined if it is a variable: an argument, and what CMurphi assigns.
    fn passed(&mut self, argument: &Expr, ty: &Ty) -> Option<String> {
        if self.is_undefined(argument) && matches!(ty, Ty::Simple(..)) {
            self.facts.undefine(ty);
            return Some("none".to_string());
        }
        if !matches!(argument.kind, ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..)) {
            return Some(self.stored(argument, ty)?.code);
        }
        let place = self.place(argument)?;
        self.needs_definition(&place);
        match (&place.ty, ty) {
            (Ty::Simple(base, node), Ty::Simple(wanted, _)) if self.facts.is_optional(*node) => {
                let name = self.fresh("known");
                let value = Val::atom(name.clone(), place.ty.defined());
                let value = self.kept(argument.span, value, ty)?.code;
                self.facts.undefine(ty);
                let code = format!("match {} {{ none => none, some({name}) => {value} }}", place.code);
                Some(mark(argument.span, if base == wanted { &place.code } else { &code }))
            }
            _ => {
                let mut value = self.value_at(place);
                value.code = mark(argument.span, &value.code);
                Some(self.kept(argument.span, value, ty)?.code)
            }
        }
    }

    /// The code of a write, with what else it means.
    fn written(&mut self, place: &Place, code: String) -> String {
        self.assigned.extend(place.path.clone());
        match &place.element {
            // An element of a multiset is changed by taking it out and putting it in again.
            Some((bag, element)) => format!("{bag}.remove({element});\n{code}{bag}.add({element});\n"),
            None => code,
        }
    }

    fn forget(&mut self, place: &Place) {
        match &place.path {
            Some((var, steps)) => self
                .assigned
                .retain(|(it, known)| it != var || !known.starts_with(steps) && !steps.starts_with(known)),
            None => self.assigned.clear(),
        }
    }

    /// Gives every simple value inside of something a value.
    fn fill(&mut self, code: &str, ty: &Ty, value: &dyn Fn(&Self, &Ty) -> String) -> String {
        match ty {
            Ty::Simple(..) => format!("{code} = {};\n", value(self, ty)),
            Ty::Record(record) => {
                let fields = record.fields.iter();
                fields.map(|(_, name, ty)| self.fill(&format!("{code}.{name}"), ty, value)).collect()
            }
            Ty::Array(index, element) => self.scoped(|this| {
                let name = this.fresh("each");
                let inside = this.fill(&format!("{code}[{name}]"), element, value);
                format!("for {name}: {} {{ {inside} }}\n", index.text())
            }),
            Ty::Bag(..) => format!("{code}.clear();\n"),
        }
    }

    fn bag(&mut self, bag: &Expr) -> Option<Place> {
        let place = self.target(bag)?;
        if !matches!(place.ty, Ty::Bag(..)) {
            return self.wrong(bag.span, "this is no multiset");
        }
        Some(place)
    }

    fn remove_if(&mut self, name: &Name, bag: &Expr, condition: &Expr) -> Option<String> {
        let place = self.bag(bag)?;
        let Ty::Bag(_, ty) = place.ty.clone() else { return None };
        self.scoped(|this| {
            let code = this.fresh(&name.text);
            let (bag, ty) = (place.code.clone(), (*ty).clone());
            this.bind(name, Binding::Element { bag, code: code.clone(), ty });
            let condition = this.pure(condition)?;
            let bag = &place.code;
            Some(format!("for {code} in {bag} {{ if {} {{ {bag}.remove({code}); }} }}\n", condition.code))
        })
    }

    // Branches.

    /// Several ways to go on; what is defined after all of them is defined afterwards.
    fn cases(&mut self, cases: &[(Expr, Vec<Stmt>)], otherwise: &[Stmt]) -> Option<String> {
        let Some(((condition, body), rest)) = cases.split_first() else {
            return Some(self.sequence(otherwise));
        };
        let condition = self.condition(condition);
        let start = self.assigned.clone();
        let then = self.scoped(|this| this.sequence(body));
        let after = std::mem::replace(&mut self.assigned, start);
        let outer = std::mem::take(&mut self.before);
        let other = self.cases(rest, otherwise);
        let late = std::mem::replace(&mut self.before, outer).concat();
        if let Some((next, _)) = rest.first().filter(|_| !late.is_empty()) {
            self.needs_certainty(next.span);
        }
        self.meet(after, always_returns(body));
        let other = other?;
        let other = match rest.is_empty() || !late.is_empty() {
            true if late.is_empty() && other.is_empty() => String::new(),
            true => format!(" else {{ {late}{other} }}"),
            false => format!(" else {}", other.trim_end()),
        };
        Some(format!("if {} {{ {then} }}{other}\n", condition?.code))
    }

    /// What is surely defined, if also this branch is possible.
    fn meet(&mut self, branch: BTreeSet<Path>, ended: bool) {
        if ended {
            return;
        }
        let mine = std::mem::take(&mut self.assigned);
        let covers = |set: &BTreeSet<Path>, path: &Path| {
            set.iter().any(|it| it.0 == path.0 && path.1.starts_with(&it.1))
        };
        let both = mine
            .iter()
            .filter(|path| covers(&branch, path))
            .chain(branch.iter().filter(|path| covers(&mine, path)));
        self.assigned = both.cloned().collect();
    }

    fn switch(&mut self, value: &Expr, cases: &[(Vec<Expr>, Vec<Stmt>)], last: &[Stmt]) -> Option<String> {
        let found = self.value(value)?;
        let name = self.fresh("switched");
        self.before.push(format!("let {name} = {};\n", found.code));
        let switched = self.hidden(value.span, name, found.ty);
        let binary = |op, left: &Expr, right: &Expr| Expr {
            span: right.span,
            kind: ExprKind::Binary(op, Box::new(left.clone()), Box::new(right.clone())),
        };
        let chosen = |(values, body): &(Vec<Expr>, Vec<Stmt>)| {
            let equal = values.iter().map(|value| binary(BinaryOp::Equal, &switched, value));
            Some((equal.reduce(|one, other| binary(BinaryOp::Or, &one, &other))?, body.clone()))
        };
        self.cases(&cases.iter().filter_map(chosen).collect::<Vec<_>>(), last)
    }

    /// Something in the translation, as an expression; Murphi has no such names, so nothing is hidden.
    fn hidden(&mut self, span: Span, name: String, ty: Ty) -> Expr {
        let scope = self.scopes.last_mut().expect("there is a scope");
        scope.insert(format!("%{name}"), Binding::Value(name.clone(), ty));
        Expr { span, kind: ExprKind::Name(format!("%{name}")) }
    }

    // Loops.

    fn for_loop(&mut self, quantifier: &Quantifier, body: &[Stmt]) -> Option<String> {
        let mut lets = String::new();
        let quantifier = self.settled_bounds(quantifier, &mut lets)?;
        if let Domain::Steps { from, to, by: Some(by) } = &quantifier.domain
            && self.number(by)?.0.constant.is_none_or(|step| step < 0)
        {
            let code = self.counted(&quantifier.name, from, to, by, body)?;
            return Some(format!("{lets}{code}"));
        }
        self.scoped(|this| {
            let bound = this.quantifier(&quantifier)?;
            this.bind_bound(&quantifier.name, &bound);
            let inside = this.loop_body(body, &bound);
            let filter = bound.filter.map_or_else(String::new, |filter| format!(" where {filter}"));
            Some(format!("{lets}for {}: {}{filter} {{ {inside} }}\n", bound.code, bound.domain))
        })
    }

    /// The body of a loop; what it defines for all values is defined afterwards.
    fn loop_body(&mut self, body: &[Stmt], bound: &Bound) -> String {
        let start = self.assigned.clone();
        let inside = self.turn(body);
        if bound.whole {
            let all = |step: Step| if step == Step::At(bound.code.clone()) { Step::All } else { step };
            let paths = std::mem::take(&mut self.assigned).into_iter();
            self.assigned = paths.map(|(var, steps)| (var, steps.into_iter().map(all).collect())).collect();
        } else {
            self.assigned = start;
        }
        inside
    }

    /// One turn of a loop, which does nothing after a `return`.
    fn turn(&mut self, body: &[Stmt]) -> String {
        let inside = self.sequence(body);
        match self.returns.as_ref().and_then(|returns| returns.flag.clone()) {
            Some(flag) if self.dropped || body.iter().any(may_return) => {
                format!("if !{flag} {{ {inside} }}\n")
            }
            _ => inside,
        }
    }

    /// Bounds that are not constant are evaluated once, before the loop: they get names.
    fn settled_bounds(&mut self, quantifier: &Quantifier, lets: &mut String) -> Option<Quantifier> {
        let mut settled = quantifier.clone();
        if let Domain::Steps { from, to, by } = &mut settled.domain {
            for bound in [Some(from), Some(to), by.as_mut()].into_iter().flatten() {
                let (value, _) = self.number(bound)?;
                if value.constant.is_none() {
                    let name = self.fresh("bound");
                    lets.push_str(&format!("let {name} = {};\n", value.code));
                    *bound = self.hidden(bound.span, name, value.ty);
                }
            }
        }
        Some(settled)
    }

    /// A loop down, or with a step that is not constant: the turns are counted. A step that is computed is an
    /// error if it is 0 or leads away, as in Rumur.
    fn counted(&mut self, name: &Name, from: &Expr, to: &Expr, by: &Expr, body: &[Stmt]) -> Option<String> {
        let (from, (lo, hi)) = self.number(from)?;
        let (to, (least, most)) = self.number(to)?;
        let by = self.number(by)?.0;
        let extent = hi.saturating_sub(least).max(most.saturating_sub(lo)).max(0);
        let turns = extent / by.constant.map_or(1, i64::saturating_abs);
        if turns > i64::from(u32::MAX) {
            return self.wrong(name.span, "this loop takes too many values");
        }
        self.scoped(|this| {
            let (turn, code) = (this.fresh("turn"), this.fresh(&name.text));
            let ty = Ty::int(lo.min(least), hi.max(most));
            let (own, domain) = (code.clone(), String::new());
            let bound = Bound { code: own, domain, filter: None, ty, whole: false, falls: true };
            this.bind_bound(name, &bound);
            let inside = this.loop_body(body, &bound);
            let (from, to) = (from.at(level::ADD), to.at(level::ADD));
            let value = format!("{from} + {turn} * {}", by.at(level::ATOM));
            let (mut check, mut filter) = (String::new(), format!("{value} >= {to}"));
            if by.constant.is_none() {
                let by = by.at(level::ADD);
                check = format!("assert {by} > 0 && {from} <= {to} || {by} < 0 && {from} >= {to}, \"the step is 0 or leads away\";\n");
                filter = format!("(if {by} > 0 {{ {value} <= {to} }} else {{ {filter} }})");
            }
            let check = mark(name.span, &check);
            Some(format!(
                "{check}for {turn}: 0..{turns} where {filter} {{ let {code} = {value};\n{inside} }}\n"
            ))
        })
    }

    fn while_loop(&mut self, span: Span, condition: &Expr, body: &[Stmt]) -> Option<String> {
        let (going, turn) = (self.fresh("going"), self.fresh("turn"));
        let start = self.assigned.clone();
        let outer = std::mem::take(&mut self.before);
        let value = self.condition(condition);
        self.needs_certainty(condition.span);
        let before = std::mem::replace(&mut self.before, outer).concat();
        let inside = self.scoped(|this| this.turn(body));
        self.assigned = start;
        let stop = match self.returns.as_ref().and_then(|returns| returns.flag.clone()) {
            Some(flag) if self.dropped || body.iter().any(may_return) => {
                format!("if {flag} {{ {going} = false; }}\n")
            }
            _ => String::new(),
        };
        let limit = mark(span, &format!("assert !{going}, \"more than {MAX_TURNS} turns\";\n"));
        Some(format!(
            "var {going}: bool = true;\nfor {turn}: 0..{MAX_TURNS} where {going} {{ {before}if {} {{ {inside}{stop} }} else {{ {going} = false; }} }}\n{limit}",
            value?.code
        ))
    }

    /// Gives names to places and values: in a body their indices are evaluated once, by these statements.
    pub fn aliases(&mut self, aliases: &[(Name, Expr)], settle: bool) -> String {
        let mut lets = String::new();
        for (name, expr) in aliases {
            let is_place = matches!(expr.kind, ExprKind::Name(_) | ExprKind::Field(..) | ExprKind::Index(..));
            let constant = matches!(&expr.kind, ExprKind::Name(it) if !matches!(self.lookup(it), Some(Binding::Place(_))));
            if is_place && !constant {
                self.settled = settle.then(Vec::new);
                let place = self.place(expr);
                lets.push_str(&self.settled.take().unwrap_or_default().concat());
                if let Some(place) = place {
                    self.bind(name, Binding::Place(place));
                }
                continue;
            }
            if let ExprKind::Name(it) = &expr.kind
                && let Some(binding) = self.lookup(it).cloned()
            {
                self.bind(name, binding);
                continue;
            }
            let Some(value) = (if settle { self.value(expr) } else { self.pure(expr) }) else { continue };
            let mut code = value.at(level::ATOM);
            if settle {
                let before = std::mem::take(&mut self.before).concat();
                let local = self.fresh(&name.text);
                lets.push_str(&format!("{before}let {local} = {code};\n"));
                code = local;
            }
            self.bind(name, Binding::Value(code, value.ty));
        }
        lets
    }

    // Calls.

    /// The arguments of a call; nothing if one is wrong.
    fn arguments(&mut self, name: &Name, arguments: &[Expr]) -> Option<(Signature, Vec<String>)> {
        let Some(&Binding::Function(index)) = self.lookup(&name.text) else {
            return self.wrong(name.span, format!("there is no function `{}`", name.text));
        };
        let signature = self.functions[index].clone();
        if !signature.finished {
            self.facts.recursive.insert(signature.name.clone());
        }
        if signature.params.len() != arguments.len() {
            let (wanted, found) = (signature.params.len(), arguments.len());
            return self.wrong(name.span, format!("`{}` takes {wanted} arguments, not {found}", name.text));
        }
        let changing = signature.result.is_none() || self.facts.changing.contains(&signature.name);
        let mut codes = Vec::new();
        for ((by_reference, ty), argument) in signature.params.iter().zip(arguments) {
            if !by_reference {
                codes.push(self.passed(argument, ty)?);
                continue;
            }
            let place = if changing { self.target(argument)? } else { self.place(argument)? };
            if let (Ty::Simple(one, _), Ty::Simple(other, _)) = (ty, &place.ty)
                && one != other
                && one.same(other)
            {
                self.facts.plain.extend([one.text(), other.text()]);
            }
            let same = ty.bounds() == place.ty.bounds();
            if !same || !self.fits(ty, &place.ty) || !self.fits(&place.ty, ty) {
                let (wanted, found) = (ty.describe(), place.ty.describe());
                return self.wrong(argument.span, format!("expected {wanted}, found {found}"));
            }
            self.needs_definition(&place);
            self.facts.join(ty, &place.ty);
            self.assigned.extend(place.path.clone());
            codes.push(place.code);
        }
        if self.facts.changing.contains(&signature.name) {
            self.changes(Root::State);
        }
        if self.starting {
            self.leave_all_undefined();
        }
        Some((signature, codes))
    }

    pub fn call_value(&mut self, name: &Name, arguments: &[Expr]) -> Option<Val> {
        let (signature, mut codes) = self.arguments(name, arguments)?;
        let Some(result) = signature.result else {
            return self.wrong(name.span, format!("`{}` has no result", name.text));
        };
        if !self.facts.changing.contains(&signature.name) {
            return Some(Val::atom(format!("{}({})", signature.called, codes.join(", ")), result.defined()));
        }
        let (local, text) = (self.fresh("result"), self.result_type(&result));
        codes.push(local.clone());
        let call = self.dropping(&signature.name, format!("{}({});\n", signature.called, codes.join(", ")));
        self.before.extend([format!("var {local}: {text};\n"), call]);
        let unwrap = if matches!(result, Ty::Simple(..)) { "!" } else { "" };
        Some(Val::atom(format!("{local}{unwrap}"), result.defined()))
    }

    fn result_type(&mut self, result: &Ty) -> String {
        match result {
            Ty::Simple(base, _) => format!("{}?", base.text()),
            other => {
                self.facts.undefine(other);
                self.type_text(other)
            }
        }
    }

    fn call_statement(&mut self, name: &Name, arguments: &[Expr]) -> Option<String> {
        if let Some(&Binding::Function(index)) = self.lookup(&name.text)
            && self.functions[index].result.is_some()
        {
            // Its result is not looked at, but there must be one.
            let value = self.call_value(name, arguments)?;
            return Some(format!("let {} = {};\n", self.fresh("unused"), value.code));
        }
        let (signature, codes) = self.arguments(name, arguments)?;
        let call = format!("{}({});\n", signature.called, codes.join(", "));
        Some(self.dropping(&signature.name, call))
    }

    fn returned(&mut self, span: Span, value: Option<&Expr>) -> Option<String> {
        let Some(returns) = self.returns.clone() else {
            return self.wrong(span, "nothing returns from here");
        };
        let mut code = String::new();
        match (&returns.result, value) {
            (Some((local, ty)), Some(value)) => {
                let value = self.stored(value, &ty.clone())?;
                code = format!("{local} = {};\n", value.code);
            }
            (None, None) => {}
            (Some(_), None) => self.error(span, "a function returns a value"),
            (None, Some(value)) => self.error(value.span, "a procedure returns no value"),
        }
        if let Some(flag) = returns.flag {
            code.push_str(&format!("{flag} = true;\n"));
        }
        Some(code)
    }

    // Functions.

    /// A function in the translation: a function proper if it only computes, else a procedure.
    pub fn function_body(
        &mut self,
        function: &Function,
        code: &str,
        mut params: Vec<String>,
        result: Option<Ty>,
        changing: bool,
    ) -> String {
        let body = early(&function.body);
        if let (Some(ty), false, true) = (&result, changing, function.decls.is_empty()) {
            let (facts, told) = (self.facts.clone(), self.diagnostics.len());
            if let Some(value) = self.body_value(&body, ty) {
                let ty = self.type_text(&ty.defined());
                return format!("fn {code}({}): {ty} = {value};\n", params.join(", "));
            }
            (self.facts, _) = (facts, self.diagnostics.truncate(told));
        }
        let outer = std::mem::take(&mut self.before);
        let mut declared = String::new();
        let local = result.as_ref().map(|ty| {
            let local = self.fresh("result");
            let text = self.result_type(ty);
            match changing {
                true => params.push(format!("inout {local}: {text}")),
                false => declared = format!("var {local}: {text};\n"),
            }
            (local, ty.clone())
        });
        let may_end = returns_early(&body, true) || !self.facts.dropping.is_empty();
        let flag = may_end.then(|| self.fresh("returned"));
        if let Some(flag) = &flag {
            declared.push_str(&format!("var {flag}: bool = false;\n"));
        }
        self.returns = Some(Returns { result: local.clone(), flag });
        self.dropped = false;
        self.assigned.clear();
        function.decls.iter().for_each(|decl| self.declaration(decl, false));
        let declared = format!("{declared}{}", std::mem::replace(&mut self.before, outer).concat());
        let inside = self.sequence(&body);
        self.returns = None;
        let params = params.join(", ");
        match (result, changing, local) {
            (Some(ty), false, Some((local, _))) => {
                let unwrap = if matches!(ty, Ty::Simple(..)) { "!" } else { "" };
                let text = self.type_text(&ty.defined());
                let value = mark(function.name.span, &format!("{local}{unwrap}"));
                format!("fn {code}({params}): {text} {{\n{declared}{inside}{value} }}\n")
            }
            _ => format!("proc {code}({params}) {{\n{declared}{inside} }}\n"),
        }
    }

    /// A body that only chooses between values, as an expression.
    fn body_value(&mut self, body: &[Stmt], ty: &Ty) -> Option<String> {
        let [only] = body else { return None };
        match &only.kind {
            StmtKind::Return(Some(value)) => {
                let before = self.before.len();
                let value = self.stored(value, ty)?;
                (self.before.len() == before).then_some(value.code)
            }
            StmtKind::If(cases, otherwise) => {
                let mut code = String::new();
                for (condition, body) in cases {
                    let condition = self.condition(condition)?;
                    let value = self.body_value(&early(body), ty)?;
                    code.push_str(&format!("if {} {{ {value} }} else ", condition.code));
                }
                let last = self.body_value(&early(otherwise), ty)?;
                Some(format!("{code}{{ {last} }}"))
            }
            _ => None,
        }
    }

    /// Whether a part of a variable is surely defined.
    pub fn covered(&self, (var, steps): &Path) -> bool {
        self.assigned.iter().any(|(it, known)| {
            let fits = |(known, step): (&Step, &Step)| known == step || *known == Step::All;
            it == var && known.len() <= steps.len() && known.iter().zip(steps).all(fits)
        })
    }

    /// Marks what is not surely defined of all variables.
    pub fn leave_all_undefined(&mut self) {
        for (var, ty) in self.vars.clone() {
            self.leave_undefined(&var, &mut Vec::new(), &ty);
        }
    }

    /// Marks what is not surely defined of a part of a variable.
    pub fn leave_undefined(&mut self, var: &str, steps: &mut Vec<Step>, ty: &Ty) {
        if self.covered(&(var.to_string(), steps.clone())) {
            return;
        }
        match ty {
            Ty::Simple(..) => self.facts.undefine(ty),
            Ty::Record(record) => {
                for (at, (_, _, ty)) in record.fields.iter().enumerate() {
                    steps.push(Step::Field(at));
                    self.leave_undefined(var, steps, ty);
                    steps.pop();
                }
            }
            Ty::Array(_, element) => {
                steps.push(Step::All);
                self.leave_undefined(var, steps, element);
                steps.pop();
            }
            Ty::Bag(..) => {}
        }
    }
}

fn text(message: Option<&str>) -> String {
    message.map_or_else(String::new, |message| format!(", \"{}\"", clean(&message.replace(['"', '\\'], "'"))))
}

/// The blocks inside of a statement.
fn blocks(statement: &Stmt) -> Vec<&[Stmt]> {
    match &statement.kind {
        StmtKind::If(cases, otherwise) => {
            cases.iter().map(|(_, body)| body.as_slice()).chain([otherwise.as_slice()]).collect()
        }
        StmtKind::Switch(_, cases, otherwise) => {
            cases.iter().map(|(_, body)| body.as_slice()).chain([otherwise.as_slice()]).collect()
        }
        StmtKind::For(_, body) | StmtKind::While(_, body) | StmtKind::Alias(_, body) => vec![body],
        _ => Vec::new(),
    }
}

/// Whether some statement satisfies a condition, also one inside of another.
pub fn some_statement(body: &[Stmt], is: &dyn Fn(&Stmt) -> bool) -> bool {
    body.iter().any(|it| is(it) || blocks(it).into_iter().any(|block| some_statement(block, is)))
}

fn may_return(statement: &Stmt) -> bool {
    some_statement(std::slice::from_ref(statement), &|it| {
        matches!(it.kind, StmtKind::Return(_) | StmtKind::Drop)
    })
}

fn always_returns(body: &[Stmt]) -> bool {
    body.last().is_some_and(|last| match &last.kind {
        StmtKind::Return(_) | StmtKind::Drop | StmtKind::Error(_) => true,
        StmtKind::If(cases, otherwise) => {
            cases.iter().all(|(_, body)| always_returns(body)) && always_returns(otherwise)
        }
        _ => false,
    })
}

/// Whether a body returns elsewhere than where it ends.
pub fn returns_early(body: &[Stmt], at_end: bool) -> bool {
    body.iter().enumerate().any(|(at, statement)| {
        let at_end = at_end && at + 1 == body.len();
        match &statement.kind {
            StmtKind::Return(_) | StmtKind::Drop => !at_end,
            StmtKind::For(_, body) | StmtKind::While(_, body) => returns_early(body, false),
            _ => blocks(statement).into_iter().any(|block| returns_early(block, at_end)),
        }
    })
}

/// A loop that does nothing but return something that does not depend on its turn, as a condition.
fn search(statement: &Stmt) -> Option<Stmt> {
    let StmtKind::For(quantifier, body) = &statement.kind else { return None };
    let [inner] = body.as_slice() else { return None };
    let found = search(inner);
    let StmtKind::If(cases, otherwise) = &found.as_ref().unwrap_or(inner).kind else { return None };
    let [(condition, returned)] = cases.as_slice() else { return None };
    let [Stmt { kind: StmtKind::Return(value), .. }] = returned.as_slice() else { return None };
    if !otherwise.is_empty()
        || value.as_ref().is_some_and(|value| !matches!(value.kind, ExprKind::Bool(_) | ExprKind::Int(_)))
    {
        return None;
    }
    let (quantifier, body) = (Box::new(quantifier.clone()), Box::new(condition.clone()));
    let exists = Expr { span: condition.span, kind: ExprKind::Quantified { all: false, quantifier, body } };
    let kind = StmtKind::If(vec![(exists, returned.clone())], Vec::new());
    Some(Stmt { span: statement.span, kind })
}

/// The same, with what follows after `if … return … end` as its `else`.
pub fn early(body: &[Stmt]) -> Vec<Stmt> {
    for (at, statement) in body.iter().enumerate() {
        let found = search(statement);
        let statement = found.as_ref().unwrap_or(statement);
        if let StmtKind::If(cases, otherwise) = &statement.kind
            && otherwise.is_empty()
            && at + 1 < body.len()
            && cases.iter().all(|(_, body)| always_returns(body))
        {
            let rest = early(&body[at + 1..]);
            let kind = StmtKind::If(cases.clone(), rest);
            return [&body[..at], &[Stmt { span: statement.span, kind }]].concat();
        }
    }
    body.to_vec()
}

/// Whether a body writes to the element of a multiset that a name stands for.
pub fn writes_element(body: &[Stmt], name: &str) -> bool {
    fn is_inside(target: &Expr, name: &str) -> bool {
        match &target.kind {
            ExprKind::Field(base, _) => is_inside(base, name),
            ExprKind::Index(base, index) => {
                matches!(&index.kind, ExprKind::Name(it) if it == name) || is_inside(base, name)
            }
            ExprKind::Name(it) => it == name,
            _ => false,
        }
    }
    some_statement(body, &|statement| match &statement.kind {
        StmtKind::Assign(target, _) | StmtKind::Clear(target) | StmtKind::Undefine(target) => {
            is_inside(target, name)
        }
        StmtKind::Alias(aliases, _) => aliases.iter().any(|(_, expr)| is_inside(expr, name)),
        StmtKind::Call(_, arguments) => arguments.iter().any(|argument| is_inside(argument, name)),
        _ => false,
    })
}
