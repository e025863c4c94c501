//! Start states, rules and properties, with the rulesets, aliases and choices around them. Entry point:
//! [`Translator::top_rule`].

use crate::ast::{Decl, Expr, Name, PropertyKind, Quantifier, Rule, RuleKind, Stmt};
use crate::expr::{Val, all_of, level};
use crate::marks::mark;
use crate::stmt::{early, returns_early, writes_element};
use crate::translate::{Binding, MOST_SAID, Returns, RuleText, Translator};
use crate::types::Ty;
use burnside_lang::diagnostic::Span;

/// What stands around a rule, outermost first.
#[derive(Clone, Copy)]
enum Around<'r> {
    Quantifier(&'r Quantifier),
    Alias(&'r Name, &'r Expr),
    Choose(&'r Name, &'r Expr),
}

/// What stands around a rule, in the translation.
#[derive(Default)]
struct Outside {
    /// Parameters: names and what they range over.
    params: Vec<(String, String)>,
    filters: Vec<String>,
    /// Chosen elements: names, types, and what they are called in Murphi.
    chosen: Vec<(String, Ty, Name)>,
    aliases: Vec<(Name, Expr)>,
    wrong: bool,
}

impl Outside {
    /// The parameters, as they are declared.
    fn bound(&self) -> String {
        let params = self.params.iter().map(|(name, domain)| format!("{name}{domain}"));
        params.collect::<Vec<_>>().join(", ")
    }
}

impl Translator<'_> {
    /// A rule at the top of a model.
    pub fn top_rule(&mut self, rule: &Rule) {
        self.rule(rule, &mut Vec::new());
    }

    fn rule<'r>(&mut self, rule: &'r Rule, around: &mut Vec<Around<'r>>) {
        let before = around.len();
        let inner = match &rule.kind {
            RuleKind::Ruleset(quantifiers, rules) => {
                around.extend(quantifiers.iter().map(Around::Quantifier));
                rules
            }
            RuleKind::Alias(aliases, rules) => {
                around.extend(aliases.iter().map(|(name, expr)| Around::Alias(name, expr)));
                rules
            }
            RuleKind::Choose(name, bag, rules) => {
                around.push(Around::Choose(name, bag));
                rules
            }
            RuleKind::Start { decls, body } => {
                let comments = self.comments(rule.span);
                self.scoped(|this| this.start(decls, body, around, comments));
                return;
            }
            RuleKind::Simple { name, guard, priority, decls, body } => {
                let comments = self.comments(rule.span);
                let title = self.title(name.as_ref());
                let code = self.global(&title);
                let head = format!("{}rule {code}", self.fairness_of(name.as_ref()));
                let heading = if code == title { String::new() } else { format!("// {title}\n") };
                self.titles.rules.push(title);
                let text = self.scoped(|this| this.simple(&head, guard.as_ref(), decls, body, around));
                self.out.rules.push(RuleText {
                    head: format!("{comments}{heading}{}", text.head),
                    span: rule.span,
                    priority: *priority,
                    ..text
                });
                return;
            }
            RuleKind::Property { kind, name, body } => {
                let comments = self.comments(rule.span);
                let number = self.out.properties.len();
                self.scoped(|this| this.property(*kind, name.as_ref(), body, around));
                if let Some([head, ..]) = self.out.properties.get_mut(number) {
                    head.insert_str(0, &comments);
                }
                return;
            }
        };
        for rule in inner {
            self.rule(rule, around);
        }
        around.truncate(before);
    }

    /// A name that no other rule has, for people.
    fn title(&mut self, name: Option<&Name>) -> String {
        let number = self.titles.rules.len() + 1;
        let wanted =
            name.map_or_else(|| format!("rule {number}"), |name| crate::translate::clean(&name.text));
        let others = (2..).map(|number: u32| format!("{wanted} {number}"));
        let mut all = std::iter::once(wanted.clone()).chain(others);
        all.find(|title| !self.titles.rules.contains(title)).expect("there are more numbers than rules")
    }

    /// A name that stays in use.
    pub fn global(&mut self, wanted: &str) -> String {
        let name = self.fresh(wanted);
        self.used[0].insert(name.clone());
        name
    }

    /// Opens the names of what stands around a rule.
    fn open(&mut self, around: &[Around<'_>]) -> Outside {
        let mut outside = Outside::default();
        for one in around {
            match one {
                Around::Quantifier(quantifier) => match self.quantifier(quantifier) {
                    Some(bound) => {
                        self.rebind(&quantifier.name, Binding::Value(bound.code.clone(), bound.ty.clone()));
                        outside.params.push((bound.code, format!(": {}", bound.domain)));
                        outside.filters.extend(bound.filter);
                    }
                    None => outside.wrong = true,
                },
                Around::Alias(name, expr) => {
                    let alias = ((*name).clone(), (*expr).clone());
                    self.scopes.last_mut().expect("there is a scope").remove(&name.text);
                    self.aliases(std::slice::from_ref(&alias), false);
                    outside.aliases.push(alias);
                }
                Around::Choose(name, bag) => {
                    let place = self.place(bag);
                    match place.as_ref().map(|place| (&place.code, &place.ty)) {
                        Some((bag, Ty::Bag(_, ty))) => {
                            let code = self.fresh(&name.text);
                            let ty = (**ty).clone();
                            outside.params.push((code.clone(), format!(" in {bag}")));
                            outside.chosen.push((code.clone(), ty.clone(), (*name).clone()));
                            let element = Binding::Element { bag: bag.clone(), code, ty };
                            self.rebind(name, element);
                        }
                        Some(_) => self.error(bag.span, "this is no multiset"),
                        None => outside.wrong = true,
                    }
                }
            }
        }
        outside
    }

    /// A name that may hide another one around the same rule.
    fn rebind(&mut self, name: &Name, binding: Binding) {
        self.scopes.last_mut().expect("there is a scope").insert(name.text.clone(), binding);
    }

    /// The locals of a body and its statements.
    fn body(&mut self, decls: &[Decl], body: &[Stmt], outside: &Outside) -> String {
        let mut code = String::new();
        self.scopes.push(Default::default());
        for (element, ty, name) in &outside.chosen {
            if writes_element(body, &name.text) {
                let copy = self.fresh(element);
                code.push_str(&format!("var {copy}: {} = {element};\n", self.type_text(ty)));
                if let Some(Binding::Element { bag, ty, .. }) = self.lookup(&name.text).cloned() {
                    self.rebind(name, Binding::Element { bag, code: copy, ty });
                }
            }
        }
        code.push_str(&self.aliases(&outside.aliases, true));
        let outer = std::mem::take(&mut self.before);
        let body = early(body);
        let may_end = returns_early(&body, true) || !self.facts.dropping.is_empty();
        let flag = may_end.then(|| self.fresh("returned"));
        code.extend(flag.iter().map(|flag| format!("var {flag}: bool = false;\n")));
        self.returns = Some(Returns { result: None, flag });
        self.dropped = false;
        decls.iter().for_each(|decl| self.declaration(decl, false));
        code.push_str(&std::mem::replace(&mut self.before, outer).concat());
        code.push_str(&self.sequence(&body));
        self.returns = None;
        self.scopes.pop();
        code
    }

    fn start(&mut self, decls: &[Decl], body: &[Stmt], around: &[Around<'_>], comments: String) {
        let outside = self.open(around);
        let mut code = comments;
        for (name, domain) in &outside.params {
            code.push_str(&format!("let {name}{domain} = any;\n"));
        }
        for filter in &outside.filters {
            code.push_str(&format!("assume {filter};\n"));
        }
        self.assigned.clear();
        self.starting = true;
        code.push_str(&self.body(decls, body, &outside));
        self.starting = false;
        if let Some(outside) = self.outside.iter().find(|_| self.dropped) {
            code.push_str(&format!("assume !{outside};\n"));
        }
        self.leave_all_undefined();
        self.out.starts.push(code);
    }

    /// The statements that make the initial states.
    pub fn initialisation(&self) -> String {
        let starts = &self.out.starts;
        if let [only] = &starts[..] {
            return format!("\ninit {{\n{only}}}\n");
        }
        let mut code = format!("let start_state: 0..{} = any;\n", starts.len().saturating_sub(1));
        for (number, start) in starts.iter().enumerate() {
            let otherwise = if number == 0 { "" } else { "else " };
            code.push_str(&format!("{otherwise}if start_state == {number} {{\n{start} }} "));
        }
        format!("\ninit {{\n{code}}}\n")
    }

    fn simple(
        &mut self,
        head: &str,
        guard: Option<&Expr>,
        decls: &[Decl],
        body: &[Stmt],
        around: &[Around<'_>],
    ) -> RuleText {
        let outside = self.open(around);
        let guard = guard.map(|guard| (guard.span, self.pure(guard)));
        let filters = outside.filters.iter();
        let filter = |code: &String| Val { level: level::AND, ..Val::atom(code.clone(), Ty::bool()) };
        let mut conditions: Vec<Val> = filters.map(filter).collect();
        if let Some((at, Some(value))) = guard {
            if value.ty != Ty::bool() {
                self.error(at, "a guard is a condition");
            }
            conditions.push(value);
        }
        let enabled = if conditions.is_empty() { "true".to_string() } else { all_of(&conditions) };
        let (params, enabled) = match outside.bound().as_str() {
            "" => (String::new(), enabled),
            bound => (format!("({bound})"), format!("exists {bound} {{ {enabled} }}")),
        };
        self.assigned.clear();
        let said = self.telling.iter().map(|said| format!("{said}.clear();\n")).collect::<String>();
        let body = said + &self.body(decls, body, &outside);
        RuleText {
            head: format!("{head}{params}"),
            conditions,
            body,
            enabled: (String::new(), enabled),
            ..RuleText::default()
        }
    }

    fn property(&mut self, kind: PropertyKind, name: Option<&Name>, body: &Expr, around: &[Around<'_>]) {
        if kind == PropertyKind::Assume {
            let Some(value) = self.claim(kind, body, around) else { return };
            return self.out.assumptions.push(format!("({})", mark(body.span, &value.code)));
        }
        let word = word(kind);
        let title = self.property_title(word, name);
        let Some(value) = self.claim(kind, body, around) else { return };
        let code = self.global(&title);
        self.titles.properties.push(title);
        let claim = mark(body.span, &value.code);
        self.out.properties.push([format!("{word} {code}"), word.to_string(), claim]);
    }

    /// A name that no other property has.
    fn property_title(&self, word: &str, name: Option<&Name>) -> String {
        let number = self.titles.properties.len() + 1;
        let title =
            name.map_or_else(|| format!("{word} {number}"), |name| crate::translate::clean(&name.text));
        let others = (2..).map(|number: u32| format!("{title} {number}"));
        let taken = |title: &String| {
            self.titles.properties.contains(title) || ["faults", "deadlock"].contains(&title.as_str())
        };
        let mut all = std::iter::once(title.clone()).chain(others);
        all.find(|title| !taken(title)).expect("there are more numbers than properties")
    }

    /// The variable that says whether the last step made the condition of a `cover` statement true. It makes
    /// states differ that do not otherwise, which changes nothing that is said of them.
    pub fn cover_variable(&mut self, at: Span, name: Option<&Name>) -> String {
        if let Some(known) = self.covers.get(&at.start) {
            return known.clone();
        }
        let title = self.property_title(word(PropertyKind::Cover), name);
        let variable = self.global(&format!("covered {title}"));
        self.out.vars.push(format!("var {variable}: bool;\n"));
        let code = self.global(&title);
        self.titles.properties.push(title);
        let head = format!("reachable {code}");
        self.out.properties.push([head, "reachable".to_string(), mark(at, &variable)]);
        self.covers.insert(at.start, variable.clone());
        variable
    }

    /// What a property claims, for all values of what stands around it.
    fn claim(&mut self, kind: PropertyKind, body: &Expr, around: &[Around<'_>]) -> Option<Val> {
        let outside = self.open(around);
        let mut value = self.pure(body)?;
        if value.ty != Ty::bool() {
            return self.wrong(body.span, "a property is a condition");
        }
        if kind == PropertyKind::Liveness {
            value = Val { code: format!("AG EF ({})", value.code), level: level::PREFIX, ..value };
        }
        let word = if kind == PropertyKind::Cover { "exists" } else { "forall" };
        let filter = if outside.filters.is_empty() {
            String::new()
        } else {
            format!(" where {}", outside.filters.join(" && "))
        };
        if !outside.params.is_empty() {
            value.code = format!("{word} {}{filter} {{ {} }}", outside.bound(), value.code);
        }
        (!outside.wrong).then_some(value)
    }

    /// What is said when everything is translated.
    pub fn finish(&mut self) {
        for at in 0..self.out.rules.len() {
            self.out.rules[at].enabled.0 = self.fresh("is_enabled");
        }
        if let Some(outside) = &self.outside {
            self.out.vars.push(format!("var {outside}: bool;\n"));
        }
        if let Some(said) = &self.telling {
            let last = self.puts.len().saturating_sub(1);
            self.out.vars.push(format!("var {said}: queue[{MOST_SAID}] of 0..{last};\n"));
            self.out.vars.append(&mut self.said_values);
        }
        self.check_fairness();
        if self.out.starts.is_empty() && self.diagnostics.is_empty() {
            self.error(Span::default(), "there is no start state");
        }
    }
}

/// What a property is in the translation.
fn word(kind: PropertyKind) -> &'static str {
    match kind {
        PropertyKind::Cover => "reachable",
        PropertyKind::Liveness => "ctl",
        _ => "invariant",
    }
}
