//! What the parser says about mistakes: one snapshot per kind of mistake. Each mistake gives one message, and
//! what follows it is still read.

use crate::syntax_support;

use syntax_support::errors;

#[test]
fn missing_semicolon() {
    let source = r"const A = 1
const B = 2;
init { x = 1
  y = 2; z = 3 }";
    insta::assert_snapshot!(errors(source), @r"
    missing-semicolon:1:12: missing `;` before the keyword `const`
    missing-semicolon:3:13: missing `;` before the name `y`
    missing-semicolon:4:15: missing `;` before `}`
    ");
}

#[test]
fn missing_semicolon_on_the_same_line() {
    let source = r"init { x = 1 y = 2; z = 3; }";
    insta::assert_snapshot!(errors(source), @"unexpected-token:1:14: expected `;`, found the name `y`");
}

#[test]
fn equals_sign_in_conditions() {
    let source = r"process P { rule a when x = 1 { if y = 2 { z = 3; } } }
invariant p = a = b;";
    insta::assert_snapshot!(errors(source), @r"
    wrong-operator:1:27: `=` is not an operator here [did you mean `==`?]
    wrong-operator:1:38: `=` is not an operator here [did you mean `==`?]
    wrong-operator:2:17: `=` is not an operator here [did you mean `==`?]
    ");
}

#[test]
fn assignment_signs_of_other_languages() {
    let source = r"const A := 1;
init { x := 2; let y == 3; x += 1; x++; }";
    insta::assert_snapshot!(errors(source), @r"
    wrong-operator:1:9: expected `=`, found `:=` [did you mean `=`?]
    wrong-operator:2:10: expected `=`, found `:=` [did you mean `=`?]
    wrong-operator:2:22: expected `=`, found `==` [did you mean `=`?]
    unexpected-token:2:31: expected an expression, found `=` [there is no such assignment; write `x = x + …`]
    unexpected-token:2:38: expected an expression, found `+` [there is no `++`; write `x = x + 1`]
    ");
}

#[test]
fn implication_signs_of_other_languages() {
    let source = r"invariant p = a => b;
invariant q = a ==> b;
invariant r = a <=> b;
invariant s = a <> b;";
    insta::assert_snapshot!(errors(source), @r"
    wrong-operator:1:17: `=>` is not an operator here [did you mean `->`?]
    wrong-operator:2:17: `==>` is not an operator here [did you mean `->`?]
    wrong-operator:3:17: `<=>` is not an operator here [did you mean `<->`?]
    wrong-operator:4:17: `<>` is not an operator here [did you mean `!=`?]
    ");
}

#[test]
fn word_operators() {
    let source = r"invariant p = a and b or not c;
invariant q = a implies b;
const N = 7 mod 2;";
    insta::assert_snapshot!(errors(source), @r"
    wrong-operator:1:17: `and` is not an operator here [did you mean `&&`?]
    wrong-operator:1:23: `or` is not an operator here [did you mean `||`?]
    wrong-operator:1:26: `not` is not an operator [did you mean `!`?]
    wrong-operator:2:17: `implies` is not an operator here [did you mean `->`?]
    wrong-operator:3:13: `mod` is not an operator here [did you mean `%`?]
    ");
}

#[test]
fn single_ampersand() {
    let source = r"invariant p = a == b & c == d;
invariant q = a == b | c == d;";
    insta::assert_snapshot!(errors(source), @r#"
    chained-comparison:1:26: comparisons cannot be chained [`&` is the intersection of sets; for "and" write `&&`]
    chained-comparison:2:26: comparisons cannot be chained [`|` is the union of sets; for "or" write `||`]
    "#);
}

#[test]
fn chained_comparisons() {
    let source = r"invariant p = 0 <= x < 3;
invariant q = a == b == c == d;";
    insta::assert_snapshot!(errors(source), @r"
    chained-comparison:1:22: comparisons cannot be chained [write `0 <= x && x < …`, or use parentheses]
    chained-comparison:2:22: comparisons cannot be chained [write `a == b && b == …`, or use parentheses]
    ");
}

#[test]
fn rule_at_the_top_level() {
    let source = r"rule a { x = 1; }
fair rule b { }
var x: bool;";
    insta::assert_snapshot!(errors(source), @r"
    misplaced-member:1:1: `rule` cannot stand at the top level [put it into a process: `process P { … }`; or is there a `}` too many above?]
    misplaced-member:2:6: `rule` cannot stand at the top level [put it into a process: `process P { … }`; or is there a `}` too many above?]
    ");
}

#[test]
fn closing_brace_too_many() {
    let source = r"process P { rule a { x = 1; } }
 rule b { y = 2; }
}
var x: bool;";
    insta::assert_snapshot!(errors(source), @"misplaced-member:2:2: `rule` cannot stand at the top level [put it into a process: `process P { … }`; or is there a `}` too many above?]");
}

#[test]
fn stray_closing_brace() {
    let source = r"var x: bool;
}
var y bool;";
    insta::assert_snapshot!(errors(source), @r"
    unmatched-brace:2:1: this `}` closes nothing
    unexpected-token:3:7: expected `:` and a type, found the keyword `bool`
    ");
}

#[test]
fn unclosed_rule() {
    let source = r"process P {
  rule a { x = 1;
  rule b { y = 2; }
}
invariant p = x;";
    insta::assert_snapshot!(errors(source), @"unexpected-token:3:3: expected `}`, found the keyword `rule` (2:10: opened here)");
}

#[test]
fn unclosed_process() {
    let source = r"process P {
  rule a { x = 1; }
invariant p = x;
var y: ;";
    insta::assert_snapshot!(errors(source), @r"
    unclosed-delimiter:3:1: expected `}`, found the keyword `invariant` (1:11: this is not closed)
    unexpected-token:4:8: expected a type, found `;`
    ");
}

#[test]
fn unclosed_at_the_end() {
    let source = r"process P {
  rule a {
    if x { y = 1;";
    insta::assert_snapshot!(errors(source), @"unclosed-delimiter:3:18: expected `}`, found the end of the text (3:10: this is not closed)");
}

#[test]
fn unclosed_parenthesis() {
    let source = r"init { x = (1 + 2; y = f(3, 4; z = [1, 2; }
var x: ;";
    insta::assert_snapshot!(errors(source), @r"
    unclosed-delimiter:1:18: expected `)`, found `;` (1:12: this is not closed)
    unclosed-delimiter:1:30: expected `,` or `)`, found `;` (1:25: this is not closed)
    unclosed-delimiter:1:41: expected `,` or `]`, found `;` (1:36: this is not closed)
    unexpected-token:2:8: expected a type, found `;`
    ");
}

#[test]
fn wrong_closing_bracket() {
    let source = r"init { x = (1 + 2]; y = a[1); z = 3 }";
    insta::assert_snapshot!(errors(source), @r"
    unclosed-delimiter:1:18: expected `)`, found `]` (1:12: this is not closed)
    unclosed-delimiter:1:28: expected `,` or `]`, found `)` (1:26: this is not closed)
    missing-semicolon:1:36: missing `;` before `}`
    ");
}

#[test]
fn record_with_braces() {
    let source = r"init { m = Msg{kind: get, to: n}; q.push(Msg{kind: put}); }
process P { rule a when m == Msg{kind: get} { x = 1; } }";
    insta::assert_snapshot!(errors(source), @r"
    record-braces:1:15: records are written with parentheses [write `Msg(kind: …)`]
    record-braces:1:45: records are written with parentheses [write `Msg(kind: …)`]
    record-braces:2:33: records are written with parentheses [write `Msg(kind: …)`]
    ");
}

#[test]
fn record_with_equals() {
    let source = r"init { m = Msg(kind = get, to = n); }";
    insta::assert_snapshot!(errors(source), @r"
    wrong-operator:1:21: a field is given with `:` [write `kind: …`; a comparison is written `==`]
    wrong-operator:1:31: a field is given with `:` [write `to: …`; a comparison is written `==`]
    ");
}

#[test]
fn keywords_as_names() {
    let source = r"var set: bool;
const ring = 3;
enum E { a, queue, b }
process rule { }
init { let in = 2; x = array; }
fn enum(at: int): int = 3;";
    insta::assert_snapshot!(errors(source), @r"
    keyword-as-name:1:5: `set` is a keyword and cannot be used as a name [choose another name, for example `set_`]
    keyword-as-name:2:7: `ring` is a keyword and cannot be used as a name [choose another name, for example `ring_`]
    keyword-as-name:3:13: `queue` is a keyword and cannot be used as a name [choose another name, for example `queue_`]
    keyword-as-name:4:9: `rule` is a keyword and cannot be used as a name [choose another name, for example `rule_`]
    keyword-as-name:5:12: `in` is a keyword and cannot be used as a name [choose another name, for example `in_`]
    unexpected-token:5:24: expected an expression, found the keyword `array` [`array` is a keyword and cannot be a name]
    keyword-as-name:6:4: `enum` is a keyword and cannot be used as a name [choose another name, for example `enum_`]
    keyword-as-name:6:9: `at` is a keyword and cannot be used as a name [choose another name, for example `at_`]
    ");
}

#[test]
fn contextual_words_are_names() {
    let source = r"enum Lock { free, allowed, count }
var min: bool;
init { max = sum; b.count(free); }";
    insta::assert_snapshot!(errors(source), @"");
}

#[test]
fn misspelt_declarations() {
    let source = r"proces P { rule a { } }
vra x: bool;
invarient p = x;
let y = 2;
x = 3;";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:1:1: expected a declaration, found the name `proces` [did you mean `process`?]
    unexpected-token:2:1: expected a declaration, found the name `vra` [did you mean `var`?]
    unexpected-token:3:1: expected a declaration, found the name `invarient` [did you mean `invariant`?]
    unexpected-token:4:1: expected a declaration, found the keyword `let` [use `const` for a constant, `var` for a variable]
    unexpected-token:5:1: expected a declaration, found the name `x`
    ");
}

#[test]
fn missing_parts_of_declarations() {
    let source = r"const;
const A;
var x;
var y = 2;
type T;
symmetric S;
ring R[];
enum;
enum E
record R { x }
fn f() = 2;
fn g(): int;
process { }
process P";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:1:6: expected the name of a constant, found `;`
    unexpected-token:3:6: expected `:` and a type, found `;`
    unexpected-token:4:7: expected `:` and a type, found `=`
    unexpected-token:5:7: expected `=`, found `;`
    unexpected-token:6:12: expected `[`, found `;`
    unexpected-token:7:8: expected an expression, found `]`
    unexpected-token:8:5: expected the name of an enum, found `;`
    unexpected-token:10:1: expected `{`, found the keyword `record`
    unexpected-token:10:14: expected `:`, found `}`
    unexpected-token:11:8: expected `:` and the type of the result, found `=`
    unexpected-token:12:12: expected `= …;` or `{ … }`, found `;`
    unexpected-token:13:9: expected the name of a process, found `{`
    unexpected-token:14:10: expected `{`, found the end of the text
    ");
}

#[test]
fn several_variables() {
    let source = r"var a, b: bool;
process P { var c, d: bool; }";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:1:6: expected `:` and a type, found `,` [declare one variable at a time]
    unexpected-token:2:18: expected `:` and a type, found `,` [declare one variable at a time]
    ");
}

#[test]
fn stray_semicolons() {
    let source = r"enum E { a, b };;
process P { rule a { x = 1;; };; }; ;
fn f(): int { 2; }
;";
    insta::assert_snapshot!(errors(source), @r"
    stray-semicolon:1:17: this `;` ends nothing [remove it]
    stray-semicolon:2:28: this `;` ends nothing [remove it]
    stray-semicolon:2:32: this `;` ends nothing [remove it]
    stray-semicolon:2:37: this `;` ends nothing [remove it]
    stray-semicolon:3:16: this block ends with a value, not with a statement [remove the `;` after the last expression]
    ");
}

#[test]
fn types() {
    let source = r"var a: T??;
var b: array of T;
var c: queue of T;
var d: set T;
var e: 1;
var f: array[] of T;
var g: ;
var h: 0..;
var i: {a};";
    insta::assert_snapshot!(errors(source), @r"
    double-optional:1:10: a type cannot be optional twice [one `?` is enough]
    unexpected-token:2:14: expected `[`, found the keyword `of`
    unexpected-token:3:14: expected `[`, found the keyword `of` [say how many values it holds at most: `queue[4] of …`]
    unexpected-token:4:12: expected `of`, found the name `T`
    unexpected-token:5:9: expected `..` and the upper bound of a range, found `;`
    unexpected-token:6:14: expected the type of the index, found `]`
    unexpected-token:7:8: expected a type, found `;`
    unexpected-token:8:11: expected an expression, found `;`
    unexpected-token:9:8: expected a type, found `{`
    ");
}

#[test]
fn rules() {
    let source = r"process P {
  rule { }
  rule a when { }
  rule b when x at L { }
  rule c
  rule d(x) { }
  rule e(a, b in s) { }
  rule f() { }
  fair strong rule g { }
  strong rule h { }
  x = 1;
}";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:2:8: expected the name of a rule, found `{`
    unexpected-token:3:15: expected an expression, found `{`
    unexpected-token:4:17: `at` stands before `when`
    unexpected-token:6:3: expected `{`, found the keyword `rule`
    unexpected-token:6:11: expected `:` and a type, or `in` and a collection, found `)`
    several-names:7:15: `in` takes one name [repeat it: `a in s, b in s`]
    unexpected-token:9:8: `strong` stands before `fair` [write `strong fair`]
    unexpected-token:10:10: expected `fair`, found the keyword `rule` [write `strong fair`]
    unexpected-token:11:3: expected `var`, `locations`, `at` or `rule`, found the name `x`
    ");
}

#[test]
fn members() {
    let source = r"process P {
  locations;
  at L { var x: bool; rule a { } }
  invariant p = x;
  const N = 2;
  fair process Q { }
  rule b { goto; }
}";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:2:12: expected the name of a location, found `;`
    unexpected-token:3:10: expected `rule` or `}`, found the keyword `var`
    misplaced-item:4:3: `invariant` cannot stand inside a process [move it out of the process; or is a `}` missing above?]
    misplaced-item:5:3: `const` cannot stand inside a process [move it out of the process; or is a `}` missing above?]
    misplaced-item:6:3: `fair` cannot stand inside a process [move it out of the process; or is a `}` missing above?]
    unexpected-token:7:16: expected the name of a location, found `;`
    ");
}

#[test]
fn statements() {
    let source = r"init {
  x;
  x == 1;
  owner!=c;
  push(q, 1);
  f(x);
  3 = x;
  f(x) = 2;
  (x) = 2;
  else { }
  assert;
  assert x, y;
  goto 3;
  if x y = 1;
  for i { }
  x y = 2;
  q.push(1;
  return x;
}";
    insta::assert_snapshot!(errors(source), @r"
    not-a-statement:2:3: this is an expression, not a statement
    not-a-statement:3:3: this is an expression, not a statement [an assignment is written with `=`]
    not-a-statement:4:3: this is an expression, not a statement [to assign through `!` write a space: `x! = …`]
    not-assignable:7:3: this cannot be assigned to [the left side is a variable with indices, fields or `!`]
    not-assignable:8:3: this cannot be assigned to [the left side is a variable with indices, fields or `!`]
    not-assignable:9:3: this cannot be assigned to [the left side is a variable with indices, fields or `!`]
    unexpected-token:10:3: expected a statement, found the keyword `else`
    unexpected-token:11:9: expected an expression, found `;`
    unexpected-token:12:13: expected a string, found the name `y`
    unexpected-token:13:8: expected the name of a location, found the number `3`
    unexpected-token:14:8: expected `{`, found the name `y`
    unexpected-token:15:9: expected `:` and a type, or `in` and a collection, found `{`
    unexpected-token:16:5: expected `=`, `.`, `[` or another part of a statement, found the name `y`
    unclosed-delimiter:17:11: expected `,` or `)`, found `;` (17:9: this is not closed)
    unexpected-token:18:10: expected `=`, `.`, `[` or another part of a statement, found the name `x`
    ");
}

#[test]
fn expressions() {
    let source = r#"const A = ;
const B = 1 + ;
const C = * 2;
const D = f(,);
const E = a[];
const F = a.1;
const G = if a { 1 };
const H = "text";
const I = any;
const J = a ? b : c;
const K = S#x;
const L = forall { a };
const M = forall x { a };
const N = {a: T};
const O = x union y;
const P = enabled(a && b);
const Q = a @ ;
const R = 1.5;
const S = +1;"#;
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:1:11: expected an expression, found `;`
    unexpected-token:2:15: expected an expression, found `;`
    unexpected-token:3:11: expected an expression, found `*`
    unexpected-token:4:13: expected an expression, found `,`
    missing-index:5:12: there is no index in these brackets
    unexpected-token:6:13: expected the name of a field or method, found the number `1` [fields have names; indices are written `x[0]`, and there are no fractions]
    missing-else:7:21: an `if` in an expression needs an `else`
    unexpected-token:8:11: expected an expression, found a string [strings are only for the messages of `assert`]
    misplaced-any:9:11: `any` cannot be a part of an expression [it stands alone: `x = any;`, `x = any in s;`]
    unexpected-token:10:13: expected an operator, found `?` [there is no `? :`; write `if c { a } else { b }`, and `x == none` to ask for `none`]
    wrong-operator:11:12: `#` is not an operator here [did you mean `!=`?]
    unexpected-token:12:18: expected a name, found `{`
    unexpected-token:13:20: expected `:` and a type, or `in` and a collection, found `{`
    unexpected-token:14:16: expected `where`, found `}`
    wrong-operator:15:13: `union` is not an operator here [the union of sets is written `|`]
    enabled-target:16:19: `enabled` takes a rule or a process [for example `enabled(r)`, `enabled(r(a, b))`, `enabled(P[i].r(a))` or `enabled(P[i])`]
    unexpected-token:17:15: expected the name of a location, found `;`
    unexpected-token:18:13: expected the name of a field or method, found the number `5` [fields have names; indices are written `x[0]`, and there are no fractions]
    unexpected-token:19:11: expected an expression, found `+`
    ");
}

#[test]
fn ltl_operators() {
    let source = r"ltl p = AG a;
ltl q = A[a U b];
ltl r = c == R;
ltl s = forall X: T { G a };
ltl t = G;
ltl u = a U ;
ltl v = G a b;";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:3:14: expected an expression, found the name `R` [inside `ltl` and `ctl` the name `R` is an operator; an enum constant can be written `Enum.R`]
    operator-as-name:4:16: `X` is an operator in formulas and cannot be used as a name here
    unexpected-token:5:10: expected an expression, found `;`
    unexpected-token:6:13: expected an expression, found `;`
    unexpected-token:7:13: expected `;`, found the name `b`
    ");
}

#[test]
fn ctl_operators() {
    let source = r"ctl p = G a;
ctl q = a U b;
ctl r = A[a];
ctl s = A G a;
ctl t = a M b;
ctl u = A (a U b);
ctl v = [] a;
ctl w = <> a;
ctl x = A[a U b U c];";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:2:11: expected `;`, found the name `U` [in `ctl` write `A[p U q]` or `E[p U q]`]
    unexpected-token:3:12: expected `U`, `R`, `W` or `M`, found `]`
    unexpected-token:4:11: expected `[`, found the name `G` [write `A[p U q]`, or `AG p`, `AF p`, `AX p` in one word]
    unexpected-token:5:11: expected `;`, found the name `M` [in `ctl` write `A[p M q]` or `E[p M q]`]
    unexpected-token:6:11: expected `[`, found `(` [write `A[p U q]`, or `AG p`, `AF p`, `AX p` in one word]
    unexpected-token:9:17: expected `]`, found the name `U` (9:10: opened here)
    ");
}

#[test]
fn properties() {
    let source = r"invariant = x;
invariant p x;
deadlock;
deadlock none;
never n = { a };
never m { };
never o { a; ; b };
never p { a[*2..1] };
never q { a[*x] };
never r { a[*99999999999] };
reachable r { x };";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:1:11: expected the name of the property, found `=`
    unexpected-token:2:13: expected `=`, found the name `x`
    unexpected-token:3:9: expected `free` or `allowed`, found `;`
    unexpected-token:4:10: expected `free` or `allowed`, found the keyword `none`
    unexpected-token:5:9: expected `{`, found `=`
    unexpected-token:6:11: expected an expression, found `}`
    unexpected-token:7:14: expected an expression, found `;`
    empty-repetition:8:14: the upper bound of this repetition is less than the lower one
    unexpected-token:9:14: expected `]`, found the name `x` (9:12: opened here)
    number-too-large:10:14: this bound is too large
    unexpected-token:11:13: expected `=`, found `{`
    ");
}

#[test]
fn lexical_errors() {
    let source = r#"const A = 99999999999999999999;
const B = 1__0;
const C = 12abc;
var größe: bool;
const D = 1 ≠ 2;
const E = $$$;
invariant p = a ∧ b;
init { assert x, "open;
}
const F = 'a';"#;
    insta::assert_snapshot!(errors(source), @r#"
    number-too-large:1:11: the number `99999999999999999999` does not fit into 64 bits [the largest is 9223372036854775807]
    malformed-number:2:11: `_` in a number must stand between two digits
    malformed-number:3:11: `12abc` is neither a number nor a name [a name cannot start with a digit, and numbers are decimal]
    malformed-name:4:5: `größe` is not a name [names are made of the letters a to z and A to Z, digits and `_`]
    unexpected-character:5:13: unexpected character `≠` [write `!=`]
    unexpected-character:6:11: unexpected characters `$$$`
    unexpected-character:7:17: unexpected character `∧` [write `&&`]
    unterminated-string:8:18: this string is not closed [close it with `"` on the same line]
    unexpected-character:10:11: unexpected characters `'a'` [write `"`]
    "#);
}

/// Names and strings are copied many times, so they have a greatest length. What follows is read.
#[test]
fn names_and_strings_without_measure() {
    let name = |bytes: usize| format!("var {}: bool; var y: 1;", "x".repeat(bytes));
    assert!(!errors(&name(1024)).contains("name-too-long"));
    let wrong = errors(&name(1025));
    let first =
        format!("name-too-long:1:5: the name `{}…` has 1025 bytes [a name has at most 1024]", "x".repeat(40));
    assert!(wrong.starts_with(&first) && wrong.lines().count() == 2, "{wrong}");
    let foreign = errors(&format!("var {}: bool;", "ü".repeat(1000)));
    assert!(foreign.starts_with("malformed-name:1:5") && foreign.lines().count() == 1, "{foreign}");
    let string = |bytes: usize| errors(&format!("init {{ assert true, \"{}\"; }}", "s".repeat(bytes - 2)));
    assert_eq!(string(1 << 16), "");
    let wrong = "string-too-long:1:21: this string has 65537 bytes [a string has at most 65536]";
    assert_eq!(string((1 << 16) + 1), wrong);
}

#[test]
fn unterminated_comment() {
    let source = r"const A = 1;
/* one /* two */
const B = 2;";
    insta::assert_snapshot!(errors(source), @"unterminated-comment:2:1: this comment is not closed [close it with `*/`; comments nest, so each `/*` needs its own]");
}

#[test]
fn empty_brackets_everywhere() {
    let source = r"process P[] { }
const A = ();
fn f(a:): int = 2;";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:1:11: expected the name of an index, found `]`
    unexpected-token:2:12: expected an expression, found `)`
    unexpected-token:3:8: expected a type, found `)`
    ");
}

#[test]
fn independent_errors_stay_independent() {
    let source = r"const A = ;
process P {
  rule a when x = { y = 1; }
  rule b { z = ; w = 2; v = ); }
}
invariant p = (a;
var x: bool = true;
ltl q = G;
fn f( : int = 1;
var y: T
var z: 3;";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:1:11: expected an expression, found `;`
    wrong-operator:3:17: `=` is not an operator here [did you mean `==`?]
    unexpected-token:3:19: expected an expression, found `{`
    unexpected-token:4:16: expected an expression, found `;`
    unexpected-token:4:29: expected an expression, found `)`
    unclosed-delimiter:6:17: expected `)`, found `;` (6:15: this is not closed)
    unexpected-token:8:10: expected an expression, found `;`
    unexpected-token:9:7: expected the name of a parameter, found `:`
    missing-semicolon:10:9: missing `;` before the keyword `var`
    unexpected-token:11:9: expected `..` and the upper bound of a range, found `;`
    ");
}

#[test]
fn generators() {
    let source = r"symmetry { Node (1 2) Node (2 3); Node; (1 2); Node (1 +); Node (); Node (1 2 }
symmetry Node (1 2);
symmetry { Node (1 2), ; ; Fine (a b); }
const A = 1;
symmetry { Node (1 2);
const B = 1;";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:1:23: expected `;`, found the name `Node`
    unexpected-token:1:39: expected `(` and a cycle of values, found `;`
    unexpected-token:1:41: expected the name of a type, found `(`
    unexpected-token:1:56: expected a number or a constant, found `+`
    unexpected-token:1:66: expected a number or a constant, found `)`
    unexpected-token:1:79: expected a number or a constant, found `}`
    unexpected-token:2:10: expected `{`, found the name `Node`
    unexpected-token:3:24: expected the name of a type, found `;`
    stray-semicolon:3:26: this `;` ends nothing [remove it]
    unclosed-delimiter:6:1: expected the name of a type or `}`, found the keyword `const` (5:10: this is not closed)
    ");
}

#[test]
fn hints() {
    let source = r"hint a x;
hint = y;
hint b = ;
hint c = G x;
hint d = x
hint e = y
const A = 1;
hints f = x;
hint g := x = y;
process P { hint h = x; rule r { x = 1; } }
init { x = }
hint fine = hint;";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:1:8: expected `=`, found the name `x`
    unexpected-token:2:6: expected the name of the hint, found `=`
    unexpected-token:3:10: expected an expression, found `;`
    missing-semicolon:5:11: missing `;` before the keyword `hint`
    missing-semicolon:6:11: missing `;` before the keyword `const`
    unexpected-token:8:1: expected a declaration, found the name `hints` [did you mean `hint`?]
    wrong-operator:9:8: expected `=`, found `:=` [did you mean `=`?]
    wrong-operator:9:13: `=` is not an operator here [did you mean `==`?]
    misplaced-item:10:13: `hint` cannot stand inside a process [move it out of the process; or is a `}` missing above?]
    unexpected-token:11:12: expected an expression, found `}`
    ");
}

#[test]
fn expectations() {
    let source = r"invariant a = x expect;
invariant b = x expect holding;
ltl c = G x expect violated
const A = 1;
never d { x } expect violated
check { N 2; = 3; states = ; p := holds; N = x + 1; ; N = 3 }
check N = 2;
check { N = 2
check { N = 3; }
deadlock free expects holds;
chek { N = 2; }
process P { check { N = 2; } rule r { x = 1; } }
check { deadlock = holds; invariant e = x;
check { fine = holds; }";
    insta::assert_snapshot!(errors(source), @r"
    unexpected-token:1:23: expected `holds`, `violated` or `unknown`, found `;`
    unexpected-token:2:24: expected `holds`, `violated` or `unknown`, found the name `holding`
    missing-semicolon:3:28: missing `;` before the keyword `const`
    missing-semicolon:5:30: missing `;` before the keyword `check`
    unexpected-token:6:11: expected `=`, found the number `2`
    unexpected-token:6:14: expected the name of a constant, a property or a figure, found `=`
    unexpected-token:6:28: expected a number, `true`, `false` or a verdict, found `;`
    wrong-operator:6:32: expected `=`, found `:=` [did you mean `=`?]
    unexpected-token:6:48: expected `;`, found `+`
    stray-semicolon:6:53: this `;` ends nothing [remove it]
    missing-semicolon:6:60: missing `;` before `}`
    unexpected-token:7:7: expected `{`, found the name `N`
    missing-semicolon:8:14: missing `;` before the keyword `check`
    unexpected-token:10:15: expected `;`, found the name `expects`
    unexpected-token:11:1: expected a declaration, found the name `chek` [did you mean `check`?]
    unexpected-token:12:13: expected `var`, `locations`, `at` or `rule`, found the keyword `check`
    unclosed-delimiter:13:27: expected the name of a constant, a property or a figure, or `}`, found the keyword `invariant` (13:7: this is not closed)
    ");
}

/// What people write who come from other languages: one error each, which names the right spelling.
#[test]
fn people_from_elsewhere() {
    let cases = [
        "process P { rule r { x' = x + 1; } }",
        "process P { rule r { a[i]' = x' + 1; } }",
        "invariant p = x ~> y;",
        "ctl p = x ~> y;",
        "invariant p = x /= y;",
        "process P { rule r { x /= 2; } }",
        "invariant p = x # y;",
        "invariant p = a[i] # y && b;",
        "invariant p = a /\\ b;",
        "invariant p = /\\ a\n   && b;",
        "invariant p = a \\/ b;",
        "process P { rule r { x := 1; } }",
        "process P { rule r { while x > 0 { x = x - 1; } y = 1; } }",
        "process P { rule r { while (x > 0) { x = x - 1; } y = 1; } }",
        "process P { rule r { switch x { case 1: y = 2; case 2: { y = 3; } } y = 1; } }",
        "process P { rule r { switch (x) { 1 => y = 2; } } } invariant p = x;",
        "process P { rule r { for i in 0..3 { x = 1; } } }",
        "invariant p = forall i in 0..N - 1 { a[i] };",
        "invariant p = x in 0..3 && y;",
        "process P { rule r { x == 1; } }",
        "process P { rule r { if x = 1 { y = 2; } } }",
        "record M { type: bool, to: C } var m: M; process P { rule r when m.type && m.to { m.type = true; m = M(type: x, to: y); } }",
        "record M { to: C, from: C, at: T } invariant p = f.at + 1 < m.at;",
        "invariant p = a union b;",
    ];
    let found: Vec<String> = cases.iter().map(|source| errors(source)).collect();
    insta::assert_snapshot!(found.join("\n"), @r#"
    misplaced-prime:1:23: a value after a step is for `ltl` properties [a rule assigns: `x = x + 1;` gives the next value, and what is not assigned stays as it is; what must be true of all steps is said by `ltl p = G (x' >= x);`]
    misplaced-prime:1:26: a value after a step is for `ltl` properties [a rule assigns: `x = x + 1;` gives the next value, and what is not assigned stays as it is; what must be true of all steps is said by `ltl p = G (x' >= x);`]
    misplaced-prime:1:31: a value after a step is for `ltl` properties [a rule assigns: `x = x + 1;` gives the next value, and what is not assigned stays as it is; what must be true of all steps is said by `ltl p = G (x' >= x);`]
    wrong-operator:1:17: `~>` is not an operator here [`p ~> q` is for `ltl` properties; implication is written `->`]
    wrong-operator:1:11: `~>` is not an operator here [in `ctl` write `AG (p -> AF q)`]
    wrong-operator:1:17: `/=` is not an operator here ["not equal" is written `!=`; to divide write `x = x / …`]
    wrong-operator:1:24: `/=` is not an operator here ["not equal" is written `!=`; to divide write `x = x / …`]
    wrong-operator:1:17: `#` is not an operator here [did you mean `!=`?]
    wrong-operator:1:20: `#` is not an operator here [did you mean `!=`?]
    wrong-operator:1:17: `/\` is not an operator here [did you mean `&&`?]
    wrong-operator:1:15: `/\` is not an operator here [write `&&` between the conditions, and nothing before the first]
    wrong-operator:1:17: `\/` is not an operator here [did you mean `||`?]
    wrong-operator:1:24: expected `=`, found `:=` [did you mean `=`?]
    not-a-statement:1:22: there is no `while` [a rule is one step: let it fire again as long as its guard is true, or write `for x: T { … }`]
    not-a-statement:1:22: there is no `while` [a rule is one step: let it fire again as long as its guard is true, or write `for x: T { … }`]
    not-a-statement:1:22: there is no `switch` [write `match e { a => { … } b => { … } _ => { … } }`]
    not-a-statement:1:22: there is no `switch` [write `match e { a => { … } b => { … } _ => { … } }`]
    wrong-operator:1:32: `in` takes a set, a queue or a bag, and `..` is for types [write `i: 0..…`]
    wrong-operator:1:28: `in` takes a set, a queue or a bag, and `..` is for types [write `i: 0..…`]
    wrong-operator:1:21: `in` takes a set, a queue or a bag, and `..` is for types [write `0 <= x && x <= …`]
    not-a-statement:1:22: this is an expression, not a statement [an assignment is written with `=`]
    wrong-operator:1:27: `=` is not an operator here [did you mean `==`?]
    keyword-as-name:1:12: `type` is a keyword and cannot be used as a name [choose another name, for example `type_`]
    keyword-as-name:1:28: `at` is a keyword and cannot be used as a name [choose another name, for example `at_`]
    wrong-operator:1:17: `union` is not an operator here [the union of sets is written `|`]
    "#);
}

/// Words of other languages are names like any other.
#[test]
fn foreign_words_are_names() {
    let source = "var while: bool; init { while = true; switch[0] = 1; loop.add(x); do = while; }";
    assert_eq!(errors(source), "");
}

/// One message each, however much of the other language follows.
#[test]
fn words_in_place_of_braces() {
    let cases = [
        ("if b then x = 1; end if;", "write `if c { … } else { … }`"),
        ("if b then x := 1; elsif c then x := 3; else x := 2; endif;", "write `if c { … } else { … }`"),
        ("if b then if c then x := 1; end; end;", "write `if c { … } else { … }`"),
        ("if :: x < 3 -> x = x + 1 :: else -> skip fi", "write `if c { … } else { … }`"),
        ("if b { x = 1; } elsif c { x = 2; } elif d { x = 3; } else { x = 4; }", "write `else if`"),
        ("while (x < 3) do x := x + 1; od", "there is no `while`"),
        ("do :: x < 3 -> x = x + 1; :: else -> skip; od", "there is no `do`"),
        ("repeat x = 1; until x == 3;", "there is no `repeat`"),
        ("case p of idle: x = 1; end", "write `match e"),
        ("for i : 0..2 do x := 1; endfor;", "write `for x: T { … }`"),
        ("for (i = 0; i < 3; i++) { x = 1; }", "write `for x: T { … }`"),
        ("skip;", "an empty block"),
        ("x = b ? 1 : 2;", "write `if c { a } else { b }`"),
        ("if ~b { x = 1; }", "did you mean `!`?"),
        ("if x ~= y { x = 1; }", "did you mean `!=`?"),
        ("if x \\in s { x = 1; }", "did you mean `in`?"),
        ("if x \\notin s \\cup {} { x = 1; }", "did you mean `not in`?"),
        ("if [](x) { x = 1; }", "`[]` is an operator of `ltl`"),
        ("x = x'' + 1;", "a rule assigns"),
    ];
    for (body, wanted) in cases {
        let found = errors(&format!("process P {{ rule r {{ {body} y = 1; }} }} invariant p = x;"));
        let own = if body.contains("elif") || body.contains("\\cup") { 2 } else { 1 };
        assert_eq!(found.lines().count(), own, "{body}: {found}");
        assert!(found.contains(wanted), "{body}: {found}");
    }
}

/// The value after a step is for `ltl`, and there only once.
#[test]
fn primes() {
    assert_eq!(errors("ltl p = G (x' >= x && a[i]' == f(y)' && o!' == (x + y)' && m'.f == q'[0]);"), "");
    assert!(errors("ltl p = x'' == 1;").contains("there is only one next state"));
    assert!(errors("ctl p = AG x' == 1;").contains("write `AX` or `EX`"));
    assert!(errors("invariant p = 'a' == x;").contains("unexpected"));
}
