//! The generators of `symmetry` blocks: those that are proved become part of the symmetry, and what is to be
//! said about the others.

use crate::stack::on_large_stack;
use burnside_lang::diagnostic::{Code, Diagnostic};
use burnside_lang::hir;
use burnside_lang::lower::permutations;
use burnside_symbolic::symmetry::proof::{self, GeneratorStatus};
use burnside_ts::{Permutation, System};

/// Checks the generators of a model and adds those that are proved to the symmetry of its system. One that is
/// refuted is an error, one that is left open a warning: the check then goes on without it. If they are to be
/// kept, refuted ones are warnings too, and the answer has both kinds.
pub(crate) fn adopt(
    model: &hir::Model,
    system: &mut System,
    keep: bool,
) -> (Vec<Diagnostic>, Vec<Permutation>) {
    let permutations = permutations(model, system);
    let statuses = match permutations.is_empty() {
        true => Vec::new(),
        false => on_large_stack(|| proof::adopt(system, &permutations), || ()),
    };
    let (mut diagnostics, mut kept) = (Vec::new(), Vec::new());
    for ((generator, status), permutation) in model.generators.iter().zip(statuses).zip(permutations) {
        let span = generator.span;
        if keep && matches!(status, GeneratorStatus::Refuted(_) | GeneratorStatus::Open(_)) {
            kept.push(permutation);
        }
        match status {
            GeneratorStatus::Proved { .. } => {}
            GeneratorStatus::Implied => {
                let message = "this symmetry is there without being said";
                diagnostics.push(
                    Diagnostic::warning(Code::ImpliedGenerator, span, message)
                        .label("the types it moves are symmetric already")
                        .help("remove it"),
                );
            }
            GeneratorStatus::Refuted(refutation) => {
                let error = |message: String| {
                    let diagnostic = match keep {
                        true => Diagnostic::warning(Code::NotASymmetry, span, message),
                        false => Diagnostic::error(Code::NotASymmetry, span, message),
                    };
                    diagnostic.label(refutation.example.clone())
                };
                diagnostics.push(match refutation.rule {
                    Some(rule) => {
                        let rule = &model.rules[rule.index()];
                        let process = &model.processes[rule.process.index()].name;
                        error(format!("this is not a symmetry: it breaks the rule `{process}.{}`", rule.name))
                            .note(rule.span, "this rule")
                    }
                    None => error("this is not a symmetry: it moves an initial state elsewhere".to_string()),
                });
            }
            GeneratorStatus::Open(what) => {
                let message = "this is not used: it could not be shown that it is a symmetry";
                let warning = Diagnostic::warning(Code::UnverifiedGenerator, span, message);
                diagnostics.push(warning.label(format!("too much to look at: {what}")));
            }
        }
    }
    (diagnostics, kept)
}
