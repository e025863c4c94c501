//! The table of all diagnostics: what each is called, how serious it is, what it is in a line, and its page
//! in the book.
//!
//! Entry point: [`Code`], the only thing that a diagnostic can be made with; so none can be without a row
//! here, and a row without a page (`docs/src/errors/NAME.md`) does not compile. The names are part of the
//! JSON format and never change. The rows are in the order of the names.

use crate::diagnostic::Severity;
use std::fmt;

macro_rules! codes {
    ($($code:ident $name:literal $severity:ident $title:literal)*) => {
        /// What a diagnostic is about: a stable name in kebab case, for example `unknown-name`.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Code {
            $(#[doc = $title] $code,)*
        }

        impl Code {
            /// All of them, in the order of their names.
            pub const ALL: &'static [Code] = &[$(Code::$code),*];

            /// What it is called, everywhere and for ever.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Code::$code => $name,)*
                }
            }

            /// How serious it is, unless an option says otherwise.
            pub const fn severity(self) -> Severity {
                match self {
                    $(Code::$code => Severity::$severity,)*
                }
            }

            /// What it is, in a line without a full stop.
            pub const fn title(self) -> &'static str {
                match self {
                    $(Code::$code => $title,)*
                }
            }

            /// What it means, why it is so, and what to write instead: a page in Markdown.
            pub const fn page(self) -> &'static str {
                match self {
                    $(Code::$code => include_str!(concat!("../../../docs/src/errors/", $name, ".md")),)*
                }
            }
        }
    };
}

codes! {
    AmbiguousName "ambiguous-name" Error "a name that could mean several things"
    ArrayOverCollection "array-over-collection" Error "an array cannot be made over a set, queue or bag"
    AssumeOutsideInit "assume-outside-init" Error "`assume` stands outside of `init`"
    BadCapacity "bad-capacity" Error "a queue or bag without room"
    BadExpectation "bad-expectation" Error "an expectation that makes no sense here"
    BadImport "bad-import" Error "an import that leads to nothing that can be used"
    BadPathFormula "bad-path-formula" Error "`A[…]` or `E[…]` without `U`, `R`, `W` or `M` inside"
    BrokenSymmetry "broken-symmetry" Warning "a symmetric type whose elements are told apart"
    CallsTooDeep "calls-too-deep" Error "functions call each other too many levels deep"
    ChainedComparison "chained-comparison" Error "comparisons are chained, as in `a < b < c`"
    ConstantCycle "constant-cycle" Error "a constant depends on itself"
    ConstantOverflow "constant-overflow" Error "a constant expression does not fit into 64 bits"
    ConstantType "constant-type" Error "a constant is neither an integer nor a truth value"
    CtlOperatorInLtl "ctl-operator-in-ltl" Error "an operator of `ctl` in an `ltl` property"
    DeadlockConflict "deadlock-conflict" Error "`deadlock free` and `deadlock allowed` in one model"
    DivisionByZero "division-by-zero" Error "a constant expression divides by zero"
    DoubleOptional "double-optional" Error "a type ends with `??`"
    DuplicateExpectation "duplicate-expectation" Error "the same is expected twice"
    DuplicateLocations "duplicate-locations" Error "a process lists its locations twice"
    DuplicateName "duplicate-name" Error "two things have the same name"
    EmptyModel "empty-model" Error "a model without variables or without rules"
    EmptyRepetition "empty-repetition" Error "a repetition that has no length"
    EmptySequence "empty-sequence" Error "a sequence of `never` that matches no state at all"
    EmptyType "empty-type" Error "a type without values"
    EnabledCycle "enabled-cycle" Error "a guard that asks for itself"
    EnabledOutsideProperty "enabled-outside-property" Error "`enabled` stands outside of a property or a guard"
    EnabledTarget "enabled-target" Error "`enabled` of something that is no rule or process"
    FairSet "fair-set" Error "a set of rules that cannot be fair together"
    FileTooLarge "file-too-large" Error "a text of more than 4 GB"
    Formula "formula" Error "a formula from outside of a model that has no meaning there"
    Formulas "formulas" Error "a file of formulas about a Petri net that has no meaning"
    GotoOutsideProcess "goto-outside-process" Error "`goto` stands outside of a process"
    Hoa "hoa" Error "an automaton that cannot be read"
    IdentityGenerator "identity-generator" Warning "a generator of a `symmetry` block moves nothing"
    ImpliedGenerator "implied-generator" Warning "a generator of a `symmetry` block says what is known"
    IndexOutOfRange "index-out-of-range" Error "a constant index outside of its array"
    KeywordAsName "keyword-as-name" Error "a keyword is used as a name"
    LtlOperatorInCtl "ltl-operator-in-ctl" Error "an operator of `ltl` in a `ctl` property"
    MalformedName "malformed-name" Error "a name with letters that names do not have"
    MalformedNumber "malformed-number" Error "something that is neither a number nor a name"
    MisplacedAny "misplaced-any" Error "`any` as a part of an expression"
    MisplacedItem "misplaced-item" Error "a declaration of the top level inside a process"
    MisplacedMember "misplaced-member" Error "a part of a process at the top level"
    MisplacedPrime "misplaced-prime" Error "`x'`, a value after a step, where no step is spoken of"
    MissingCase "missing-case" Error "a `match` without some of the cases"
    MissingElse "missing-else" Error "an `if` expression without `else`"
    MissingField "missing-field" Error "a record without some of its fields"
    MissingIndex "missing-index" Error "a member of a family or an array element without an index"
    MissingInitialValue "missing-initial-value" Error "a variable without an initial value whose type has none to offer"
    MissingSemicolon "missing-semicolon" Error "a `;` is missing"
    MovedTwice "moved-twice" Error "a generator of a `symmetry` block moves a value twice"
    MurphiModel "murphi-model" Error "a Murphi model that cannot be used"
    NameTooLong "name-too-long" Error "a name of more than 1,024 bytes"
    NeedsType "needs-type" Error "a value whose type cannot be known"
    NestedOptional "nested-optional" Error "an optional of an optional"
    NestingTooDeep "nesting-too-deep" Error "expressions or blocks inside each other too many levels deep"
    NetTooLarge "net-too-large" Error "a Petri net that is too large to be translated"
    NeverEnabled "never-enabled" Warning "a rule that can never fire"
    NeverWritten "never-written" Warning "a variable that never changes"
    NextOfComparison "next-of-comparison" Warning "`X` before a comparison of variables with each other"
    NoConstants "no-constants" Error "constants are set of something that has none"
    NoFairness "no-fairness" Warning "something must happen, and nothing has to move"
    NoHints "no-hints" Error "hints for a Petri net"
    NoInitialState "no-initial-state" Error "the assumptions exclude every initial state"
    NoNames "no-names" Error "properties from outside for a system that was built"
    NotACollection "not-a-collection" Error "a set, queue or bag was expected"
    NotANet "not-a-net" Error "a question for Petri nets, asked about another model"
    NotAProcess "not-a-process" Error "a process was expected"
    NotAStatement "not-a-statement" Error "an expression where a statement was expected"
    NotASymmetry "not-a-symmetry" Error "a generator of a `symmetry` block is no symmetry"
    NotAValue "not-a-value" Error "a function or process where a value was expected"
    NotAssignable "not-assignable" Error "something that cannot be assigned to"
    NotConstant "not-constant" Error "a constant was expected"
    NotIndexable "not-indexable" Error "an index on something that has no elements"
    NotNumbered "not-numbered" Error "a type whose values cannot be numbered"
    NotPermutable "not-permutable" Error "a `symmetry` block moves values that cannot be permuted"
    NumberTooLarge "number-too-large" Error "a number that is too large"
    OperatorAsName "operator-as-name" Error "an operator of formulas is used as a name"
    OperatorName "operator-name" Warning "a name that is an operator in formulas"
    OutOfRangeConstant "out-of-range-constant" Error "a constant outside of the range it is stored in"
    Pnml "pnml" Error "a Petri net that cannot be read"
    RecordBraces "record-braces" Error "a record written with braces"
    RecursiveFunction "recursive-function" Error "a function calls itself"
    RecursiveType "recursive-type" Error "a type contains itself"
    ReservedName "reserved-name" Error "a name that is taken"
    Setting "setting" Error "a `--set` that does not fit the model"
    SeveralNames "several-names" Error "several names before one `in`"
    ShadowedName "shadowed-name" Warning "a name hides another"
    StateTooWide "state-too-wide" Error "states that are too large"
    StraySemicolon "stray-semicolon" Error "a `;` that ends nothing"
    StringTooLong "string-too-long" Error "a string of more than 65,536 bytes"
    Syntax "syntax" Error "a formula for `burnside translate` that cannot be read"
    TemporalInsideExpression "temporal-inside-expression" Error "a temporal operator where only a value can stand"
    TemporalOutsideProperty "temporal-outside-property" Error "a temporal operator outside of `ltl` and `ctl` properties"
    TooDeep "too-deep" Error "a long circle of declarations that need each other"
    TooManyErrors "too-many-errors" Error "more errors than are shown"
    TooManyNames "too-many-names" Error "too many names at once"
    TooManyUnits "too-many-units" Error "too many fairness units"
    TrivialProperty "trivial-property" Warning "a property that holds or fails whatever the model does"
    TypeMismatch "type-mismatch" Error "a value of another type was expected"
    TypeTooDeep "type-too-deep" Error "types inside each other too many levels deep"
    TypeTooLarge "type-too-large" Error "a type with too many parts"
    TypeTooWide "type-too-wide" Error "values that are too large"
    UnboundedType "unbounded-type" Error "`int` where something is stored"
    UnclosedDelimiter "unclosed-delimiter" Error "a bracket that is never closed"
    UnderscoreRead "underscore-read" Error "`_` is read"
    UnexpectedCharacter "unexpected-character" Error "a character that means nothing here"
    UnexpectedToken "unexpected-token" Error "something else was expected here"
    UnknownElement "unknown-element" Error "a `symmetry` block names a value that its type does not have"
    UnknownField "unknown-field" Error "a field that the record does not have"
    UnknownFunction "unknown-function" Error "a function that does not exist"
    UnknownGlobal "unknown-global" Error "a general property of nets that does not exist"
    UnknownLocation "unknown-location" Error "a location that the process does not have"
    UnknownMethod "unknown-method" Error "a method that the value does not have"
    UnknownName "unknown-name" Error "a name that does not exist"
    UnknownRule "unknown-rule" Error "a rule that does not exist"
    UnknownType "unknown-type" Error "a type that does not exist"
    UnmatchedBrace "unmatched-brace" Error "a `}` that closes nothing"
    UnreachableCase "unreachable-case" Warning "a case of a `match` that never happens"
    UnreachedLocation "unreached-location" Warning "a location that no rule goes to"
    Unreadable "unreadable" Error "a file that cannot be read"
    UnsetConstant "unset-constant" Error "a constant without a value"
    UnterminatedComment "unterminated-comment" Error "a comment that is never closed"
    UnterminatedString "unterminated-string" Error "a string that is never closed"
    UnusedConstant "unused-constant" Warning "a constant that is never used"
    UnusedFunction "unused-function" Warning "a function that is never called"
    UnusedName "unused-name" Warning "a parameter or local name that is never used"
    UnusedType "unused-type" Warning "a type that is never used"
    UnusedVariable "unused-variable" Warning "a variable that is never read"
    UnverifiedGenerator "unverified-generator" Warning "a generator of a `symmetry` block that could not be proved"
    UsedBeforeDeclaration "used-before-declaration" Error "an initial value that uses a variable without a value yet"
    WrongArgumentCount "wrong-argument-count" Error "too few or too many arguments"
    WrongElementCount "wrong-element-count" Error "an array literal with too few or too many elements"
    WrongOperator "wrong-operator" Error "an operator of another language"
}

impl Code {
    /// The code of a name, in any case.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|code| code.name().eq_ignore_ascii_case(name))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl PartialEq<str> for Code {
    fn eq(&self, name: &str) -> bool {
        self.name() == name
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, name: &&str) -> bool {
        self.name() == *name
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_in_order_and_well_made() {
        assert!(Code::ALL.is_sorted_by(|a, b| a < b && a.name() < b.name()));
        for code in Code::ALL {
            let (name, title) = (code.name(), code.title());
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-'), "{name}");
            let variant: String = name.split('-').map(capitalised).collect();
            assert_eq!(format!("{code:?}"), variant, "the variant is the name in another spelling");
            assert!(title.len() <= 80 && !title.ends_with('.'), "{name}: {title}");
            assert_eq!(Code::named(&name.to_uppercase()), Some(*code));
        }
        assert_eq!(Code::named("nonsense"), None);
    }

    fn capitalised(part: &str) -> String {
        let (first, rest) = part.split_at(1);
        first.to_uppercase() + rest
    }
}
