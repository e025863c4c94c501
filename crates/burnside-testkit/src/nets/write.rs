//! A net as PNML.

use burnside_petri::{Arc, Class, Comparison, Guard, Net, Operand, PlaceId, Term, Transition};
use burnside_ts::Compare;
use std::fmt::Write;

/// The text of a net.
pub fn write_pnml(net: &Net) -> String {
    let kind = if net.coloured { "symmetricnet" } else { "ptnet" };
    let mut out = format!(
        "<?xml version=\"1.0\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/grammar/pnml\">\n<net id=\"{}\" \
         type=\"http://www.pnml.org/version-2009/grammar/{kind}\">\n",
        net.name
    );
    if net.coloured {
        declarations(net, &mut out);
    }
    out.push_str("<page id=\"page\">\n");
    for (place, it) in net.places.iter().enumerate() {
        write_place(net, PlaceId(place as u32), &it.id, &mut out);
    }
    let mut arcs = 0;
    for transition in &net.transitions {
        write_transition(net, transition, &mut arcs, &mut out);
    }
    out.push_str("</page>\n</net>\n</pnml>\n");
    out
}

fn element_id(class: &Class, element: u32) -> String {
    format!("{}_{}", class.name, class.elements[element as usize])
}

fn declarations(net: &Net, out: &mut String) {
    let mut text = String::from("<namedsort id=\"dot\" name=\"dot\"><dot/></namedsort>\n");
    for class in &net.classes {
        let elements: String = (0..class.elements.len() as u32)
            .map(|e| {
                format!(
                    "<feconstant id=\"{}\" name=\"{}\"/>",
                    element_id(class, e),
                    class.elements[e as usize]
                )
            })
            .collect();
        let sort = format!("<cyclicenumeration>{elements}</cyclicenumeration>");
        let _ = writeln!(text, "<namedsort id=\"{0}\" name=\"{0}\">{sort}</namedsort>", class.name);
    }
    for (place, it) in net.places.iter().enumerate().filter(|(_, it)| it.domain.len() > 1) {
        let parts: String = it.domain.iter().map(|&class| user_sort(&net.class(class).name)).collect();
        let sort = format!("<productsort>{parts}</productsort>");
        let _ = writeln!(text, "<namedsort id=\"D{place}\" name=\"D{place}\">{sort}</namedsort>");
    }
    for partition in &net.partitions {
        let class = net.class(partition.class);
        let blocks = partition.blocks.iter().enumerate().map(|(block, name)| {
            let members =
                (0..class.elements.len() as u32).filter(|&e| partition.block[e as usize] == block as u32);
            let members: String = members.map(|element| operator(&element_id(class, element))).collect();
            format!("<partitionelement id=\"{name}\" name=\"{name}\">{members}</partitionelement>")
        });
        let blocks: String = blocks.collect();
        let sort = user_sort(&class.name);
        let _ =
            writeln!(text, "<partition id=\"{0}\" name=\"{0}\">{sort}{blocks}</partition>", partition.name);
    }
    for variable in &net.variables {
        let sort = user_sort(&net.class(variable.class).name);
        let _ = writeln!(text, "<variabledecl id=\"{0}\" name=\"{0}\">{sort}</variabledecl>", variable.name);
    }
    let _ = writeln!(
        out,
        "<declaration><structure><declarations>\n{text}</declarations></structure></declaration>"
    );
}

fn user_sort(id: &str) -> String {
    format!("<usersort declaration=\"{id}\"/>")
}

fn operator(id: &str) -> String {
    format!("<useroperator declaration=\"{id}\"/>")
}

fn sort_of(net: &Net, place: PlaceId) -> String {
    match net.place(place).domain[..] {
        [] => user_sort("dot"),
        [class] => user_sort(&net.class(class).name),
        _ => user_sort(&format!("D{}", place.0)),
    }
}

fn write_place(net: &Net, place: PlaceId, id: &str, out: &mut String) {
    let it = net.place(place);
    let _ = write!(out, "<place id=\"{id}\">");
    if !net.coloured {
        let _ = writeln!(out, "<initialMarking><text>{}</text></initialMarking></place>", it.initial[0]);
        return;
    }
    let _ = write!(out, "<type><structure>{}</structure></type>", sort_of(net, place));
    let marked = it.initial.iter().enumerate().filter(|(_, count)| **count > 0);
    let parts: Vec<String> = marked
        .map(|(number, &count)| {
            let colour: Vec<Term> = net.colour(&it.domain, number).into_iter().map(Term::Constant).collect();
            number_of(count as i64, &tuple(net, place, &colour))
        })
        .collect();
    if !parts.is_empty() {
        let _ = write!(out, "<hlinitialMarking><structure>{}</structure></hlinitialMarking>", add(&parts));
    }
    out.push_str("</place>\n");
}

fn add(parts: &[String]) -> String {
    match parts {
        [one] => one.clone(),
        _ => format!("<add>{}</add>", parts.iter().map(|part| subterm(part)).collect::<String>()),
    }
}

fn subterm(text: &str) -> String {
    format!("<subterm>{text}</subterm>")
}

fn number_of(count: i64, term: &str) -> String {
    let number = format!("<numberconstant value=\"{count}\"><positive/></numberconstant>");
    format!("<numberof>{}{}</numberof>", subterm(&number), subterm(term))
}

fn tuple(net: &Net, place: PlaceId, pattern: &[Term]) -> String {
    let domain = &net.place(place).domain;
    let parts: Vec<String> =
        domain.iter().zip(pattern).map(|(&class, &term)| show_term(net, net.class(class), term)).collect();
    match &parts[..] {
        [] => "<dotconstant/>".to_string(),
        [one] => one.clone(),
        _ => format!("<tuple>{}</tuple>", parts.iter().map(|part| subterm(part)).collect::<String>()),
    }
}

fn show_term(net: &Net, class: &Class, term: Term) -> String {
    match term {
        Term::All => format!("<all>{}</all>", user_sort(&class.name)),
        Term::Constant(element) => operator(&element_id(class, element)),
        Term::Variable(variable, shift) => {
            let name = format!("<variable refvariable=\"{}\"/>", net.variable(variable).name);
            (0..shift).fold(name, |inner, _| format!("<successor>{}</successor>", subterm(&inner)))
        }
    }
}

fn write_transition(net: &Net, transition: &Transition, arcs: &mut u32, out: &mut String) {
    let id = &transition.id;
    let _ = write!(out, "<transition id=\"{id}\">");
    if transition.guard != Guard::True {
        let _ = write!(
            out,
            "<condition><structure>{}</structure></condition>",
            show_guard(net, &transition.guard)
        );
    }
    out.push_str("</transition>\n");
    let mut arc = |from: &str, to: &str, arc: &Arc, kind: &str| {
        *arcs += 1;
        let _ = write!(out, "<arc id=\"arc{arcs}\" source=\"{from}\" target=\"{to}\">");
        if !kind.is_empty() {
            let _ = write!(out, "<type value=\"{kind}\"/>");
        }
        if kind != "reset" {
            out.push_str(&inscription(net, arc));
        }
        out.push_str("</arc>\n");
    };
    let name = |place: PlaceId| net.place(place).id.clone();
    transition.inputs.iter().for_each(|it| arc(&name(it.place), id, it, ""));
    transition.outputs.iter().for_each(|it| arc(id, &name(it.place), it, ""));
    transition.reads.iter().for_each(|it| arc(&name(it.place), id, it, "test"));
    transition.inhibitors.iter().for_each(|it| arc(&name(it.place), id, it, "inhibitor"));
    for &place in &transition.resets {
        arc(&name(place), id, &Arc { place, inscription: Vec::new() }, "reset");
    }
}

fn inscription(net: &Net, arc: &Arc) -> String {
    if !net.coloured {
        let weight: i64 = arc.inscription.iter().map(|(weight, _)| weight).sum();
        return format!("<inscription><text>{weight}</text></inscription>");
    }
    let (plus, minus): (Vec<_>, Vec<_>) = arc.inscription.iter().partition(|(weight, _)| *weight > 0);
    let show = |parts: Vec<&(i64, Vec<Term>)>| {
        let parts =
            parts.iter().map(|(weight, pattern)| number_of(weight.abs(), &tuple(net, arc.place, pattern)));
        add(&parts.collect::<Vec<_>>())
    };
    let text = match minus.is_empty() {
        true => show(plus),
        false => format!("<subtract>{}{}</subtract>", subterm(&show(plus)), subterm(&show(minus))),
    };
    format!("<hlinscription><structure>{text}</structure></hlinscription>")
}

fn show_guard(net: &Net, guard: &Guard) -> String {
    let many = |name: &str, parts: &[Guard]| {
        let parts: String = parts.iter().map(|part| subterm(&show_guard(net, part))).collect();
        format!("<{name}>{parts}</{name}>")
    };
    match guard {
        Guard::True => "<booleanconstant value=\"true\"/>".to_string(),
        Guard::False => "<booleanconstant value=\"false\"/>".to_string(),
        Guard::Not(inner) => format!("<not>{}</not>", subterm(&show_guard(net, inner))),
        Guard::And(parts) => many("and", parts),
        Guard::Or(parts) => many("or", parts),
        Guard::Compare(comparison) => show_comparison(net, comparison),
    }
}

fn show_comparison(net: &Net, comparison: &Comparison) -> String {
    let class = net.class(comparison.class);
    let side = |operand: Operand| match (operand, comparison.partition) {
        (Operand::Element(term), None) => show_term(net, class, term),
        (Operand::Element(term), Some(partition)) => {
            let name = &net.partitions[partition.index()].name;
            let inner = subterm(&show_term(net, class, term));
            format!("<partitionelementof refpartition=\"{name}\">{inner}</partitionelementof>")
        }
        (Operand::Block(block), Some(partition)) => {
            operator(&net.partitions[partition.index()].blocks[block as usize])
        }
        (Operand::Block(_), None) => unreachable!("blocks are of a partition"),
    };
    let name = match (comparison.op, comparison.partition) {
        (Compare::Eq, _) => "equality",
        (Compare::Ne, _) => "inequality",
        (Compare::Lt, None) => "lessthan",
        (Compare::Lt, Some(_)) => "ltp",
        (Compare::Le, _) => "lessthanorequal",
    };
    let sides: String =
        [comparison.left, comparison.right].into_iter().map(|it| subterm(&side(it))).collect();
    format!("<{name}>{sides}</{name}>")
}
