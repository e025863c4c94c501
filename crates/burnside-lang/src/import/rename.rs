//! Gives the names in the tree of a file those that the model has for them.
//!
//! Entry point: [`Renamer`], for the declarations of a file or a single formula. It knows which names are
//! bound where, since they hide what the file declares and imports.

use super::table::{Module, Table};
use crate::check::nearest;
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::syntax::ast::*;

/// Walks over the tree of one file.
pub(super) struct Renamer<'a> {
    table: &'a Table,
    number: usize,
    /// The names that are bound here, the innermost last.
    bound: Vec<String>,
    diagnostics: &'a mut Vec<Diagnostic>,
}

/// What a name behind the name of an import is.
enum Found {
    /// Something with this name in the model.
    Named(String),
    /// A constant of the enum with this name.
    Constant(Option<String>),
    /// Nothing; that is reported.
    Nothing,
}

impl<'a> Renamer<'a> {
    pub fn new(table: &'a Table, number: usize, diagnostics: &'a mut Vec<Diagnostic>) -> Self {
        Self { table, number, bound: Vec::new(), diagnostics }
    }

    fn module(&self) -> &'a Module {
        &self.table.modules[self.number]
    }

    fn is_bound(&self, name: &str) -> bool {
        self.bound.iter().any(|known| known == name)
    }

    fn bind(&mut self, name: &Name) {
        self.bound.push(name.text.clone());
    }

    /// Runs `work`; the names it binds are gone afterwards.
    fn scoped(&mut self, work: impl FnOnce(&mut Self)) {
        let mark = self.bound.len();
        work(self);
        self.bound.truncate(mark);
    }

    // Names.

    /// The file that some names with dots between them lead to.
    fn file<'n>(&self, mut names: impl Iterator<Item = &'n str>) -> Option<Option<usize>> {
        let first = names.next().filter(|first| !self.is_bound(first))?;
        let mut file = *self.module().aliases.get(first)?;
        for name in names {
            let Some(number) = file else { return Some(None) };
            file = *self.table.modules[number].aliases.get(name)?;
        }
        Some(file)
    }

    /// The file that an expression stands for.
    fn file_of(&self, expr: &Expr) -> Option<Option<usize>> {
        match &expr.kind {
            ExprKind::Name(name) => self.file(std::iter::once(name.as_str())),
            ExprKind::Field(base, name) => match self.file_of(base)? {
                Some(number) => self.table.modules[number].aliases.get(&name.text).copied(),
                None => Some(None),
            },
            _ => None,
        }
    }

    /// What a name is in a file.
    fn found(&mut self, file: Option<usize>, name: &Name) -> Found {
        let Some(number) = file else { return Found::Nothing };
        let module = &self.table.modules[number];
        if module.own.places.contains_key(&name.text) {
            return Found::Named(module.full(&name.text));
        }
        if module.own.constants.contains_key(&name.text) {
            return Found::Constant(module.own.enum_of(&name.text).map(|ty| module.full(ty)));
        }
        if !name.text.is_empty() {
            let known = module.own.places.keys().chain(module.own.constants.keys());
            let near = nearest(&name.text, known.map(String::as_str));
            let help = near.map(|near| format!("did you mean `{near}`?"));
            let message = format!("the imported file has no `{}`", name.text);
            self.report(Diagnostic { help, ..Diagnostic::error(Code::UnknownName, name.span, message) });
        }
        Found::Nothing
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.diagnostics.push(diagnostic);
    }

    /// A plain name, or one with dots, of a type or of something that is called.
    fn name(&mut self, name: &mut Name) {
        let Some((before, last)) = name.text.rsplit_once('.') else { return self.plain(name) };
        let last = Name { text: last.to_string(), span: name.span };
        let file = self.file(before.split('.'));
        match file.map(|file| self.found(file, &last)) {
            Some(Found::Named(full)) => name.text = full,
            // The checker finds the enum.
            Some(Found::Constant(_)) => name.text = last.text,
            Some(Found::Nothing) => name.text.clear(),
            None => {
                let message = format!("nothing is imported as `{before}`");
                self.report(Diagnostic::error(Code::UnknownName, name.span, message));
                name.text.clear();
            }
        }
    }

    /// A name without dots that is not bound.
    fn plain(&mut self, name: &mut Name) {
        let module = self.module();
        if module.own.places.contains_key(&name.text) {
            name.text = module.full(&name.text);
        } else if self.is_foreign(&name.text) {
            self.foreign(&name.text, name.span);
            name.text.clear();
        }
    }

    /// Whether only the model knows a name, and not this file that it imports.
    fn is_foreign(&self, name: &str) -> bool {
        let model = &self.table.modules[0].own;
        self.number > 0
            && !self.module().own.has(name)
            && (model.has(name) || model.of_processes.contains(name))
            && !self.module().aliases.values().flatten().any(|&to| self.table.modules[to].own.has(name))
    }

    fn foreign(&mut self, name: &str, span: Span) {
        let message = format!("unknown name `{name}`");
        let help = "it is declared in the model that imports this file: a parameter can hand it over";
        self.report(Diagnostic::error(Code::UnknownName, span, message).help(help));
    }

    /// Whether a plain constant of an enum must say which one, since another file has one of that name.
    fn needs_enum(&self, name: &str) -> Option<String> {
        let module = self.module();
        let of = module.own.enum_of(name)?;
        let others = self.table.modules.iter().enumerate().filter(|(number, _)| *number != self.number);
        let mut others = others.map(|(_, other)| &other.own);
        let shared = others.any(|own| own.has(name) || own.of_processes.contains(name));
        shared.then(|| module.full(of))
    }

    // Declarations.

    pub fn items(&mut self, items: &mut [Item]) {
        items.iter_mut().for_each(|item| self.scoped(|it| it.item(&mut item.kind)));
    }

    fn declare(&self, name: &mut Name) {
        if !name.text.is_empty() {
            name.text = self.module().full(&name.text);
        }
    }

    fn item(&mut self, item: &mut ItemKind) {
        match item {
            ItemKind::Import { .. } => {}
            ItemKind::Const { name, ty, value } => {
                self.declare(name);
                ty.iter_mut().for_each(|ty| self.ty(ty));
                value.iter_mut().for_each(|value| self.expr(value));
            }
            ItemKind::Type { name, ty } => {
                self.declare(name);
                self.ty(ty);
            }
            ItemKind::Sort { name, size, .. } => {
                self.declare(name);
                self.expr(size);
            }
            ItemKind::Enum { name, .. } => self.declare(name),
            ItemKind::Union { name, variants } => {
                self.declare(name);
                variants.iter_mut().flat_map(|case| &mut case.fields).for_each(|it| self.ty(&mut it.ty));
            }
            ItemKind::Record { name, fields } => {
                self.declare(name);
                fields.iter_mut().for_each(|field| self.ty(&mut field.ty));
            }
            ItemKind::Var(var) => {
                self.declare(&mut var.name);
                self.var(var);
            }
            ItemKind::Function { name, params, result, body } => {
                self.declare(name);
                params.iter_mut().for_each(|param| self.ty(&mut param.ty));
                self.ty(result);
                params.iter().for_each(|param| self.bind(&param.name));
                self.expr(body);
            }
            ItemKind::Proc { name, params, body } => {
                self.declare(name);
                params.iter_mut().for_each(|param| self.ty(&mut param.field.ty));
                params.iter().for_each(|param| self.bind(&param.field.name));
                self.block(body);
            }
            ItemKind::Init(block) => self.block(block),
            ItemKind::Process(process) => self.process(process),
            ItemKind::Fair(set) => self.fair_set(set),
            ItemKind::Symmetry(generators) => {
                let parts = generators.iter_mut().flat_map(|generator| &mut generator.parts);
                parts.for_each(|part| self.name(&mut part.ty));
            }
            ItemKind::Property(property) => self.property(property),
            ItemKind::Hint { body, .. } | ItemKind::Constraint(body) => self.expr(body),
            ItemKind::Check(entries) => {
                let dotted = entries.iter_mut().filter(|entry| entry.key.text.contains('.'));
                dotted.for_each(|entry| self.name(&mut entry.key));
            }
        }
    }

    fn var(&mut self, var: &mut Var) {
        self.ty(&mut var.ty);
        var.value.iter_mut().for_each(|value| self.initial(value));
    }

    fn initial(&mut self, value: &mut Initial) {
        match value {
            Initial::Any(_) => {}
            Initial::Expr(e) | Initial::AnyIn(_, e) => self.expr(e),
        }
    }

    fn process(&mut self, process: &mut Process) {
        for index in &mut process.indices {
            index.ty.iter_mut().for_each(|ty| self.ty(ty));
        }
        process.indices.iter().for_each(|index| self.bind(&index.name));
        for member in &process.members {
            if let MemberKind::Var(var) = &member.kind {
                self.bind(&var.name);
            }
        }
        for member in &mut process.members {
            match &mut member.kind {
                MemberKind::Var(var) => self.var(var),
                MemberKind::Locations(_) => {}
                MemberKind::Rule(rule) => self.scoped(|it| it.rule(rule)),
                MemberKind::Fair(set) => self.fair_set(set),
                MemberKind::At(_, rules) => rules.iter_mut().for_each(|rule| self.scoped(|it| it.rule(rule))),
            }
        }
    }

    fn fair_set(&mut self, set: &mut FairSet) {
        set.params.iter_mut().for_each(|param| self.ty(&mut param.ty));
    }

    fn rule(&mut self, rule: &mut Rule) {
        self.binders(&mut rule.params);
        rule.priority.iter_mut().chain(&mut rule.guard).for_each(|e| self.expr(e));
        self.block(&mut rule.body);
    }

    fn property(&mut self, property: &mut Property) {
        match property {
            Property::Invariant { body, .. }
            | Property::Reachable { body, .. }
            | Property::Ltl { body, .. }
            | Property::Ctl { body, .. } => self.expr(body),
            Property::Never { body, .. } => self.sequence(body),
            Property::Deadlock { .. } => {}
        }
    }

    fn sequence(&mut self, sequence: &mut Sequence) {
        match &mut sequence.kind {
            SequenceKind::State(e) => self.expr(e),
            SequenceKind::Then(parts) | SequenceKind::Or(parts) => {
                parts.iter_mut().for_each(|part| self.sequence(part));
            }
            SequenceKind::Repeat { body, .. } | SequenceKind::Group(body) => self.sequence(body),
        }
    }

    fn ty(&mut self, ty: &mut Type) {
        match &mut ty.kind {
            TypeKind::Bool | TypeKind::Int | TypeKind::Error => {}
            TypeKind::Range(low, high) => [low, high].into_iter().for_each(|e| self.expr(e)),
            TypeKind::Name(name) => {
                self.name(name);
                if name.text.is_empty() {
                    ty.kind = TypeKind::Error;
                }
            }
            TypeKind::Union(names) => names.iter_mut().for_each(|name| self.name(name)),
            TypeKind::Optional(inner) | TypeKind::Set(inner) => self.ty(inner),
            TypeKind::Array(indices, element) => {
                indices.iter_mut().for_each(|index| self.ty(index));
                self.ty(element);
            }
            TypeKind::Queue(size, element) | TypeKind::Bag(size, element) => {
                self.expr(size);
                self.ty(element);
            }
        }
    }

    /// Binds the names from here to the end of the scope.
    fn binders(&mut self, binders: &mut [Binder]) {
        for binder in binders {
            match &mut binder.domain {
                Domain::Type(ty) => self.ty(ty),
                Domain::Collection(e) => self.expr(e),
            }
            binder.names.iter().for_each(|name| self.bind(name));
        }
    }

    // Statements.

    fn block(&mut self, block: &mut Block) {
        self.scoped(|it| block.statements.iter_mut().for_each(|statement| it.stmt(&mut statement.kind)));
    }

    fn stmt(&mut self, stmt: &mut StmtKind) {
        match stmt {
            StmtKind::Assign { target, value } => {
                self.expr(target);
                self.initial(value);
            }
            StmtKind::Let { name, ty, value } => {
                ty.iter_mut().for_each(|ty| self.ty(ty));
                self.initial(value);
                self.bind(name);
            }
            StmtKind::Var(var) => {
                self.var(var);
                self.bind(&var.name);
            }
            StmtKind::If { condition, then, otherwise } => {
                self.expr(condition);
                self.block(then);
                otherwise.iter_mut().for_each(|block| self.block(block));
            }
            StmtKind::Match { value, arms } => {
                self.expr(value);
                arms.iter_mut().for_each(|arm| self.arm(arm, Self::block));
            }
            StmtKind::For { binders, filter, body } => self.scoped(|it| {
                it.binders(binders);
                filter.iter_mut().for_each(|e| it.expr(e));
                it.block(body);
            }),
            StmtKind::Assert { condition, .. } | StmtKind::Assume(condition) => self.expr(condition),
            StmtKind::Goto(_) | StmtKind::Error => {}
            StmtKind::Call { name, args } => {
                self.plain(name);
                args.iter_mut().for_each(|e| self.expr(e));
                if name.text.is_empty() {
                    *stmt = StmtKind::Error;
                }
            }
            StmtKind::Method { .. } => self.method(stmt),
        }
    }

    /// `lib.p(x);` is a call, `lib.q.push(x);` is none.
    fn method(&mut self, stmt: &mut StmtKind) {
        let StmtKind::Method { target, method, args } = stmt else { return };
        args.iter_mut().for_each(|e| self.expr(e));
        let Some(file) = self.file_of(target) else { return self.expr(target) };
        *stmt = match self.found(file, method) {
            Found::Named(text) => {
                let name = Name { text, span: method.span };
                StmtKind::Call { name, args: std::mem::take(args) }
            }
            Found::Constant(_) | Found::Nothing => StmtKind::Error,
        };
    }

    fn arm<B>(&mut self, arm: &mut Arm<B>, body: fn(&mut Self, &mut B)) {
        self.scoped(|it| {
            for pattern in &mut arm.patterns {
                if let PatternKind::Case { of, name, parts } = &mut pattern.kind {
                    it.case(of, name);
                    parts.iter().flatten().for_each(|part| it.bind(&part.name));
                }
            }
            body(it, &mut arm.body);
        });
    }

    /// `idle`, `Client(c)`, `lib.Client(c)`, `lib.Phase.idle`
    fn case(&mut self, of: &mut Option<Name>, name: &mut Name) {
        let own = &self.module().own;
        let Some(ty) = of else {
            if own.types.contains(&name.text) && !own.constants.contains_key(&name.text) {
                name.text = self.module().full(&name.text);
            }
            return;
        };
        match self.file(ty.text.split('.')) {
            Some(file) => {
                if let Found::Named(full) = self.found(file, name) {
                    name.text = full;
                }
                *of = None;
            }
            None => self.name(ty),
        }
    }

    // Expressions.

    fn exprs(&mut self, exprs: &mut [Expr]) {
        exprs.iter_mut().for_each(|e| self.expr(e));
    }

    pub fn expr(&mut self, expr: &mut Expr) {
        match &mut expr.kind {
            ExprKind::Name(_) => self.named(expr),
            ExprKind::Field(..) => self.field(expr),
            ExprKind::Method(..) => self.call_or_method(expr),
            ExprKind::Call(name, args) => {
                let constant = self.needs_enum(&name.text).filter(|_| !name.text.contains('.'));
                args.iter_mut().for_each(|e| self.expr(e));
                if let Some(of) = constant {
                    let of = Expr { span: name.span, kind: ExprKind::Name(of) };
                    expr.kind = ExprKind::Method(Box::new(of), name.clone(), std::mem::take(args));
                    return;
                }
                self.name(name);
                self.unless_empty(expr);
            }
            ExprKind::Record(name, fields) => {
                fields.iter_mut().for_each(|(_, e)| self.expr(e));
                self.name(name);
                self.unless_empty(expr);
            }
            ExprKind::Element(name, number) => {
                self.expr(number);
                self.name(name);
                self.unless_empty(expr);
            }
            kind => self.inside(kind),
        }
    }

    /// What names something that is not there is an error that has been reported.
    fn unless_empty(&mut self, expr: &mut Expr) {
        if let ExprKind::Call(name, _) | ExprKind::Record(name, _) | ExprKind::Element(name, _) = &expr.kind
            && name.text.is_empty()
        {
            expr.kind = ExprKind::Error;
        }
    }

    fn named(&mut self, expr: &mut Expr) {
        let ExprKind::Name(text) = &mut expr.kind else { return };
        if self.is_bound(text) {
            return;
        }
        if self.module().aliases.contains_key(text) {
            let message = format!("`{text}` is an imported file, not a value");
            let help = format!("what it declares is written `{text}.name`");
            self.report(Diagnostic::error(Code::UnknownName, expr.span, message).help(help));
            expr.kind = ExprKind::Error;
        } else if let Some(of) = self.needs_enum(text) {
            let constant = Name { text: std::mem::take(text), span: expr.span };
            let of = Expr { span: expr.span, kind: ExprKind::Name(of) };
            expr.kind = ExprKind::Field(Box::new(of), constant);
        } else if self.module().own.places.contains_key(text) {
            *text = self.module().full(text);
        } else if self.is_foreign(text) {
            let text = text.clone();
            self.foreign(&text, expr.span);
            expr.kind = ExprKind::Error;
        }
    }

    /// `lib.x`, `lib.idle`, or a field.
    fn field(&mut self, expr: &mut Expr) {
        let ExprKind::Field(base, name) = &mut expr.kind else { return };
        let Some(file) = self.file_of(base) else { return self.expr(base) };
        let (name, at) = (name.clone(), base.span);
        expr.kind = match self.found(file, &name) {
            Found::Named(full) => {
                expr.span = name.span;
                ExprKind::Name(full)
            }
            Found::Constant(Some(of)) => {
                ExprKind::Field(Box::new(Expr { span: at, kind: ExprKind::Name(of) }), name)
            }
            Found::Constant(None) => ExprKind::Name(name.text),
            Found::Nothing => ExprKind::Error,
        };
    }

    /// `lib.f(x)`, `lib.grant(x)`, or a method.
    fn call_or_method(&mut self, expr: &mut Expr) {
        let ExprKind::Method(base, name, args) = &mut expr.kind else { return };
        args.iter_mut().for_each(|e| self.expr(e));
        let Some(file) = self.file_of(base) else { return self.expr(base) };
        let (name, args, at) = (name.clone(), std::mem::take(args), base.span);
        expr.kind = match self.found(file, &name) {
            Found::Named(text) => ExprKind::Call(Name { text, span: name.span }, args),
            Found::Constant(Some(of)) => {
                let of = Expr { span: at, kind: ExprKind::Name(of) };
                ExprKind::Method(Box::new(of), name, args)
            }
            Found::Constant(None) => ExprKind::Call(name, args),
            Found::Nothing => ExprKind::Error,
        };
    }

    fn inside(&mut self, kind: &mut ExprKind) {
        match kind {
            ExprKind::Int(_) | ExprKind::Bool(_) | ExprKind::None | ExprKind::Error => {}
            // What a rule is called is no name of a value.
            ExprKind::Enabled(target) => self.target(target),
            ExprKind::Paren(e)
            | ExprKind::Unary(_, e)
            | ExprKind::Unwrap(e)
            | ExprKind::Next(e)
            | ExprKind::Temporal(_, e)
            | ExprKind::Path { body: e, .. } => self.expr(e),
            ExprKind::Binary(_, a, b) | ExprKind::Until(_, a, b) | ExprKind::LeadsTo(a, b) => {
                [a, b].into_iter().for_each(|e| self.expr(e));
            }
            ExprKind::At(process, _) => process.iter_mut().for_each(|e| self.target(e)),
            ExprKind::If(a, b, c) | ExprKind::Slice(a, b, c) => {
                [a, b, c].into_iter().for_each(|e| self.expr(e));
            }
            ExprKind::Match(value, arms) => {
                self.expr(value);
                arms.iter_mut().for_each(|arm| self.arm(arm, Self::expr));
            }
            ExprKind::Index(base, rest) => {
                self.expr(base);
                self.exprs(rest);
            }
            ExprKind::Array(all) | ExprKind::Set(all) | ExprKind::Chain(all, _) => self.exprs(all),
            ExprKind::Block(statements, value) => self.scoped(|it| {
                statements.iter_mut().for_each(|statement| it.stmt(&mut statement.kind));
                it.expr(value);
            }),
            ExprKind::Let { name, ty, value, body } => self.scoped(|it| {
                ty.iter_mut().for_each(|ty| it.ty(ty));
                it.expr(value);
                it.bind(name);
                it.expr(body);
            }),
            ExprKind::Quantify { binders, filter, body, .. }
            | ExprKind::SetMap { value: body, binders, filter } => self.scoped(|it| {
                it.binders(binders);
                filter.iter_mut().for_each(|e| it.expr(e));
                it.expr(body);
            }),
            ExprKind::ArrayOf { binders, body } => self.scoped(|it| {
                it.binders(binders);
                it.expr(body);
            }),
            ExprKind::Choose { binder, filter } => self.scoped(|it| {
                it.binders(std::slice::from_mut(binder));
                filter.iter_mut().for_each(|e| it.expr(e));
            }),
            ExprKind::SetOf { binder, filter } => self.scoped(|it| {
                it.binders(std::slice::from_mut(binder));
                it.expr(filter);
            }),
            ExprKind::Name(_)
            | ExprKind::Field(..)
            | ExprKind::Method(..)
            | ExprKind::Call(..)
            | ExprKind::Record(..)
            | ExprKind::Element(..) => unreachable!("names are looked at before"),
        }
    }

    /// A process or a rule, whose arguments are values.
    fn target(&mut self, target: &mut Expr) {
        match &mut target.kind {
            ExprKind::Paren(e) | ExprKind::Field(e, _) => self.target(e),
            ExprKind::Index(e, args) | ExprKind::Method(e, _, args) => {
                self.target(e);
                self.exprs(args);
            }
            ExprKind::Call(_, args) => self.exprs(args),
            _ => {}
        }
    }
}
