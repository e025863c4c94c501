//! Short ways to write long nets.

use burnside_petri::{Net, Transition, read_pnml};

/// A document with one net of a type.
pub fn document(kind: &str, content: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n\
         <net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/{kind}\">\n{content}\n</net>\n</pnml>\n"
    )
}

/// A place/transition net on one page.
pub fn black(page: &str) -> String {
    document("ptnet", &format!("<page id=\"g\">{page}</page>"))
}

/// A symmetric net with declarations and one page.
pub fn coloured(declarations: &str, page: &str) -> String {
    let label = format!(
        "<declaration><structure><declarations>{declarations}</declarations></structure></declaration>"
    );
    document("symmetricnet", &format!("{label}<page id=\"g\">{page}</page>"))
}

/// The declarations most tests use: a circle C of four, an enumeration E of two, a range R from 3 to 5, pairs
/// CE and triples CEC, and variables x, y of C, e of E, r of R and p of CE.
pub const DECLARATIONS: &str = r#"
<namedsort id="dot" name="dot"><dot/></namedsort>
<namedsort id="C" name="Circle"><cyclicenumeration>
  <feconstant id="c0" name="0"/><feconstant id="c1" name="1"/><feconstant id="c2" name="2"/><feconstant id="c3" name="3"/>
</cyclicenumeration></namedsort>
<namedsort id="E" name="E"><finiteenumeration><feconstant id="a" name="a"/><feconstant id="b" name="b"/></finiteenumeration></namedsort>
<namedsort id="R" name="R"><finiteintrange start="3" end="5"/></namedsort>
<namedsort id="CE" name="CE"><productsort><usersort declaration="C"/><usersort declaration="E"/></productsort></namedsort>
<namedsort id="CEC" name="CEC"><productsort><usersort declaration="CE"/><usersort declaration="C"/></productsort></namedsort>
<partition id="H" name="Halves"><usersort declaration="C"/>
  <partitionelement id="low" name="low"><useroperator declaration="c0"/><useroperator declaration="c1"/></partitionelement>
  <partitionelement id="high" name="high"><useroperator declaration="c3"/><useroperator declaration="c2"/></partitionelement>
</partition>
<variabledecl id="x" name="x"><usersort declaration="C"/></variabledecl>
<variabledecl id="y" name="y"><usersort declaration="C"/></variabledecl>
<variabledecl id="e" name="e"><usersort declaration="E"/></variabledecl>
<variabledecl id="r" name="r"><usersort declaration="R"/></variabledecl>
<variabledecl id="p" name="p"><usersort declaration="CE"/></variabledecl>
"#;

/// A term: `op(arguments)`.
pub fn op(name: &str, arguments: &[&str]) -> String {
    let arguments: String = arguments.iter().map(|it| format!("<subterm>{it}</subterm>")).collect();
    format!("<{name}>{arguments}</{name}>")
}

/// A variable.
pub fn var(name: &str) -> String {
    format!("<variable refvariable=\"{name}\"/>")
}

/// A constant.
pub fn con(name: &str) -> String {
    format!("<useroperator declaration=\"{name}\"/>")
}

/// A number of the range R.
pub fn num(value: i64) -> String {
    format!(
        "<finiteintrangeconstant value=\"{value}\"><finiteintrange start=\"3\" end=\"5\"/></finiteintrangeconstant>"
    )
}

/// All elements of a sort.
pub fn all(sort: &str) -> String {
    format!("<all><usersort declaration=\"{sort}\"/></all>")
}

/// So many of a colour.
pub fn times(count: &str, term: &str) -> String {
    let number = format!("<numberconstant value=\"{count}\"><positive/></numberconstant>");
    op("numberof", &[&number, term])
}

/// A place of a sort, with an initial marking if the term is not empty.
pub fn place(id: &str, sort: &str, marking: &str) -> String {
    let marking = match marking {
        "" => String::new(),
        term => format!("<hlinitialMarking><structure>{term}</structure></hlinitialMarking>"),
    };
    format!(
        "<place id=\"{id}\"><type><structure><usersort declaration=\"{sort}\"/></structure></type>{marking}</place>"
    )
}

/// A coloured arc.
pub fn arc(id: &str, source: &str, target: &str, term: &str) -> String {
    format!(
        "<arc id=\"{id}\" source=\"{source}\" target=\"{target}\"><hlinscription><structure>{term}</structure></hlinscription></arc>"
    )
}

/// A net with one place `s` of a sort and one transition `t` that takes what a term says.
pub fn taking(sort: &str, term: &str) -> String {
    let page = format!("{}<transition id=\"t\"/>{}", place("s", sort, ""), arc("i", "s", "t", term));
    coloured(DECLARATIONS, &page)
}

/// A net with one place `s` of a sort and its initial marking.
pub fn marked(sort: &str, term: &str) -> String {
    coloured(DECLARATIONS, &place("s", sort, term))
}

/// A net with one transition `t` under a condition.
pub fn guarded(term: &str) -> String {
    let page =
        format!("<transition id=\"t\"><condition><structure>{term}</structure></condition></transition>");
    coloured(DECLARATIONS, &page)
}

/// The net of a text that is right.
pub fn net(text: &str) -> Net {
    read_pnml(text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The only transition of a net that is right.
pub fn transition(text: &str) -> Transition {
    net(text).transitions.swap_remove(0)
}

/// The messages of a text that is wrong.
pub fn messages(text: &str) -> Vec<String> {
    let errors = read_pnml(text).expect_err("the text should be wrong");
    for error in &errors {
        assert!(error.span.start <= error.span.end && error.span.end <= text.len(), "{error:?}");
        assert!(text.get(error.span.clone()).is_some(), "{error:?}");
    }
    errors.into_iter().map(|error| error.message).collect()
}
