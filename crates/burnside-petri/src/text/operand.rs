//! Operands: numbers, places and their colours, what can fire, parentheses.

use super::lexer::{TokenKind, unquote};
use super::parser::{Parsed, Parser};
use super::types::ParsedPart;
use crate::error::Error;
use crate::net::{ClassId, PlaceId, TransitionId};
use crate::number::Number;
use crate::query::{Atom, Tokens};
use std::ops::Range;

impl Parser<'_> {
    pub(super) fn atom(&mut self) -> Parsed<ParsedPart> {
        match self.peek() {
            TokenKind::Symbol("(") => self.parentheses(),
            TokenKind::Int => self.integer(),
            TokenKind::Quoted => self.place(),
            TokenKind::Word => self.word_operand(),
            _ => Err(self.unexpected("a condition or a number")),
        }
    }

    fn parentheses(&mut self) -> Parsed<ParsedPart> {
        let open = self.bump();
        let node = self.expr()?;
        let close = self.expect(")")?;
        Ok(ParsedPart { span: open.start..close.end, ..node })
    }

    fn integer(&mut self) -> Parsed<ParsedPart> {
        let parsed: Result<i128, _> = self.word().parse();
        let span = self.bump();
        match parsed {
            Ok(value) => Ok(ParsedPart::number(span, Number::constant(value))),
            Err(_) => Err(self.out_of_range(span)),
        }
    }

    fn word_operand(&mut self) -> Parsed<ParsedPart> {
        let atom = match self.word() {
            "true" => Atom::Constant(true),
            "false" => Atom::Constant(false),
            "deadlock" => Atom::Deadlock,
            "fireable" | "enabled" => return self.fireable(),
            word if super::operator::is_reserved(word) => {
                return Err(self.unexpected("a condition or a number"));
            }
            _ => return self.place(),
        };
        Ok(ParsedPart::atom(self.bump(), atom))
    }

    fn fireable(&mut self) -> Parsed<ParsedPart> {
        let start = self.bump().start;
        self.expect("(")?;
        let mut transitions: Vec<TransitionId> = Vec::new();
        loop {
            let (name, span) = self.name("the name of a transition")?;
            match self.names.transition(&name, span) {
                Ok(transition) => transitions.push(transition),
                Err(error) => self.errors.push(error),
            }
            if !self.eat(",") {
                break;
            }
        }
        let close = self.expect(")")?;
        Ok(ParsedPart::atom(start..close.end, Atom::Fireable(transitions)))
    }

    fn place(&mut self) -> Parsed<ParsedPart> {
        let (name, span) = self.name("the name of a place")?;
        let place = match self.names.place(&name, span.clone()) {
            Ok(place) => Some(place),
            Err(error) => {
                self.no_place(&name, error);
                None
            }
        };
        if self.peek() == TokenKind::Symbol("[") {
            return self.colour(place, span);
        }
        Ok(match place {
            Some(place) => ParsedPart::number(span, Number::tokens(Tokens { place, colour: None })),
            None => ParsedPart::wrong(span),
        })
    }

    fn no_place(&mut self, name: &str, error: Error) {
        if !self.names.has_transition(name) {
            return self.errors.push(error);
        }
        let written = self.excerpt(&error.span);
        let error = error.with_help(format!("it is a transition: write `fireable({written})`"));
        self.errors.push(error);
    }

    /// The elements in brackets after a place.
    fn colour(&mut self, place: Option<PlaceId>, name: Range<usize>) -> Parsed<ParsedPart> {
        self.bump();
        let mut elements: Vec<(String, Range<usize>)> = Vec::new();
        loop {
            elements.push(self.element()?);
            if !self.eat(",") {
                break;
            }
        }
        let span = name.start..self.expect("]")?.end;
        let Some(place) = place else { return Ok(ParsedPart::wrong(span)) };
        Ok(match self.components(place, &elements, &span) {
            Some(colour) => ParsedPart::number(span, Number::tokens(Tokens { place, colour: Some(colour) })),
            None => ParsedPart::wrong(span),
        })
    }

    fn element(&mut self) -> Parsed<(String, Range<usize>)> {
        let sign = self.span();
        if !self.eat("-") {
            return self.name("an element of a class");
        }
        let (name, span) = self.name("a number")?;
        Ok((format!("-{name}"), sign.start..span.end))
    }

    /// The positions of the elements in their classes.
    fn components(
        &mut self,
        place: PlaceId,
        elements: &[(String, Range<usize>)],
        span: &Range<usize>,
    ) -> Option<Vec<u32>> {
        let domain = &self.net.place(place).domain;
        if domain.len() != elements.len() {
            let message = match domain.len() {
                0 => "the tokens of this place have no colours".into(),
                count => format!("the colours of this place have {count} components, not {}", elements.len()),
            };
            self.errors.push(Error::new(span.clone(), message));
            return None;
        }
        let found: Vec<Option<u32>> =
            domain.iter().zip(elements).map(|(&class, element)| self.component(class, element)).collect();
        found.into_iter().collect()
    }

    fn component(&mut self, class: ClassId, (name, span): &(String, Range<usize>)) -> Option<u32> {
        let class = self.net.class(class);
        let found = class.elements.iter().position(|element| element == name);
        if found.is_none() {
            let message = format!("the class `{}` has no element `{name}`", class.name);
            self.errors.push(Error::new(span.clone(), message));
        }
        found.map(|position| position as u32)
    }

    /// A name, in quotes or not. Numbers can be the names of elements.
    fn name(&mut self, expected: &str) -> Parsed<(String, Range<usize>)> {
        let name = match self.peek() {
            TokenKind::Quoted => unquote(self.word()),
            TokenKind::Word | TokenKind::Int => self.word().into(),
            _ => return Err(self.unexpected(expected)),
        };
        Ok((name, self.bump()))
    }
}
