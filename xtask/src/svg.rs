//! Curves as a picture: the axis up is logarithmic, the one across too unless it is one of small numbers;
//! readable on light and dark pages.
//!
//! Entry point: [`draw`]. The text is written by hand and needs nothing but a browser.

use std::fmt::Write;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 420.0;
/// What is left free around the curves: for numbers on the left and below, for names on the right.
const LEFT: f64 = 64.0;
const RIGHT: f64 = 190.0;
const TOP: f64 = 36.0;
const BOTTOM: f64 = 48.0;
/// Told apart on white and on black, and by most who do not see all colours.
const COLOURS: [&str; 8] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#888888", "#8a5cd0"];

/// A name and its points. Both numbers of a point are above zero.
pub struct Curve {
    pub name: String,
    pub points: Vec<(f64, f64)>,
}

/// Beyond so many decades only these have numbers, not what is between.
const DECADES: f64 = 3.0;
/// Beyond so many whole numbers some are left out.
const NUMBERS: f64 = 12.0;

/// What equal distances on an axis mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Equal factors.
    Logarithmic,
    /// Equal differences of whole numbers.
    Whole,
}

/// Where the numbers of an axis are on the picture.
struct Axis {
    scale: Scale,
    /// The least and the greatest number, or their logarithms.
    from: f64,
    to: f64,
    /// Where these two are.
    at: (f64, f64),
}

impl Axis {
    /// From the least to the greatest number; of logarithms from the last 1, 2 or 5 of a decade before all
    /// numbers to the first one after them.
    fn around(scale: Scale, numbers: impl Iterator<Item = f64> + Clone, at: (f64, f64)) -> Self {
        let least = numbers.clone().fold(f64::INFINITY, f64::min);
        let greatest = numbers.fold(f64::NEG_INFINITY, f64::max);
        if scale == Scale::Whole {
            return Axis { scale, from: least.floor(), to: greatest.ceil().max(least.floor() + 1.0), at };
        }
        let ticks = steps(least.log10().floor() as i32, greatest.log10().ceil() as i32);
        let from = ticks.iter().rev().find(|it| it.0 <= least * (1.0 + 1e-9)).map_or(least, |it| it.0);
        let to = ticks.iter().find(|it| it.0 >= greatest * (1.0 - 1e-9) && it.0 > from);
        let to = to.map_or(from * 10.0, |it| it.0);
        Axis { scale, from: from.log10(), to: to.log10(), at }
    }

    fn place(&self, number: f64) -> f64 {
        let number = if self.scale == Scale::Whole { number } else { number.log10() };
        let part = (number - self.from) / (self.to - self.from);
        self.at.0 + part * (self.at.1 - self.at.0)
    }

    /// The numbers with a line; whether it is that of a decade; whether there is room for the number.
    fn ticks(&self) -> Vec<(f64, bool, bool)> {
        if self.scale == Scale::Whole {
            let step = ((self.to - self.from) / NUMBERS).ceil().max(1.0);
            let count = ((self.to - self.from) / step).floor() as u32;
            return (0..=count).map(|i| (self.from + f64::from(i) * step, false, true)).collect();
        }
        let few = self.to - self.from <= DECADES;
        let all = steps(self.from.floor() as i32, self.to.ceil() as i32);
        let inside = |number: f64| (self.from - 1e-9..=self.to + 1e-9).contains(&number.log10());
        all.into_iter().filter(|it| inside(it.0)).map(|it| (it.0, it.1, it.1 || few)).collect()
    }
}

/// 1, 2 and 5 of each decade, and whether it is the 1.
fn steps(from: i32, to: i32) -> Vec<(f64, bool)> {
    let decade = |exponent| [1.0, 2.0, 5.0].map(|k| (k * 10f64.powi(exponent), k == 1.0));
    (from..=to).flat_map(decade).collect()
}

/// A number as people write it, without the dust of binary fractions.
fn number(value: f64) -> String {
    if value < 1.0 { format!("{value:.4}").trim_end_matches('0').to_string() } else { format!("{value:.0}") }
}

/// The picture of some curves.
pub fn draw(title: &str, (across, scale): (&str, Scale), up: &str, curves: &[&Curve]) -> String {
    let points = || curves.iter().flat_map(|curve| curve.points.iter().copied());
    let mut text = head(title);
    if points().next().is_some() {
        let x = Axis::around(scale, points().map(|it| it.0), (LEFT, WIDTH - RIGHT));
        let y = Axis::around(Scale::Logarithmic, points().map(|it| it.1), (HEIGHT - BOTTOM, TOP));
        grid(&mut text, &x, &y);
        for (i, curve) in curves.iter().enumerate() {
            draw_curve(&mut text, curve, i, &x, &y);
        }
    }
    let (middle, bottom) = (f64::midpoint(LEFT, WIDTH - RIGHT), HEIGHT - 10.0);
    let _ =
        writeln!(text, r#"<text x="{middle}" y="{bottom}" text-anchor="middle">{}</text>"#, escape(across));
    let _ = writeln!(text, r#"<text x="8" y="20">{}</text>"#, escape(up));
    text + "</svg>\n"
}

fn head(title: &str) -> String {
    let title = escape(title);
    let middle = f64::midpoint(LEFT, WIDTH - RIGHT);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{title}\">
<style>
svg {{ background: #ffffff; font: 13px sans-serif; }}
text {{ fill: #222222; }}
.grid {{ stroke: #e4e4e4; }}
.decade {{ stroke: #b0b0b0; }}
@media (prefers-color-scheme: dark) {{
svg {{ background: #1a1a1a; }}
text {{ fill: #dddddd; }}
.grid {{ stroke: #333333; }}
.decade {{ stroke: #666666; }}
}}
</style>
<text x=\"{middle}\" y=\"20\" text-anchor=\"middle\" font-weight=\"bold\">{title}</text>
"
    )
}

fn grid(text: &mut String, x: &Axis, y: &Axis) {
    let class = |decade| if decade { "decade" } else { "grid" };
    for (value, decade, labelled) in x.ticks() {
        let (at, class, (bottom, top)) = (x.place(value), class(decade), y.at);
        let _ =
            writeln!(text, r#"<line class="{class}" x1="{at:.1}" y1="{top}" x2="{at:.1}" y2="{bottom}"/>"#);
        if labelled {
            let (below, value) = (bottom + 16.0, number(value));
            let _ = writeln!(text, r#"<text x="{at:.1}" y="{below}" text-anchor="middle">{value}</text>"#);
        }
    }
    for (value, decade, labelled) in y.ticks() {
        let (at, class, (left, right)) = (y.place(value), class(decade), x.at);
        let _ =
            writeln!(text, r#"<line class="{class}" x1="{left}" y1="{at:.1}" x2="{right}" y2="{at:.1}"/>"#);
        if labelled {
            let (left, below, value) = (left - 6.0, at + 4.0, number(value));
            let _ = writeln!(text, r#"<text x="{left}" y="{below:.1}" text-anchor="end">{value}</text>"#);
        }
    }
}

fn draw_curve(text: &mut String, curve: &Curve, i: usize, x: &Axis, y: &Axis) {
    let colour = COLOURS[i % COLOURS.len()];
    let places: Vec<_> = curve.points.iter().map(|&(a, b)| (x.place(a), y.place(b))).collect();
    let line: Vec<_> = places.iter().map(|(a, b)| format!("{a:.1},{b:.1}")).collect();
    let _ = writeln!(
        text,
        r#"<polyline fill="none" stroke="{colour}" stroke-width="2" points="{}"/>"#,
        line.join(" ")
    );
    for (a, b) in places {
        let _ = writeln!(text, r#"<circle cx="{a:.1}" cy="{b:.1}" r="3.5" fill="{colour}"/>"#);
    }
    let (left, height) = (WIDTH - RIGHT + 16.0, TOP + 12.0 + 22.0 * i as f64);
    let (sign, word) = (left + 6.0, left + 18.0);
    let _ = writeln!(
        text,
        r#"<circle cx="{sign}" cy="{}" r="5" fill="{colour}"/><text x="{word}" y="{height}">{}</text>"#,
        height - 4.0,
        escape(&curve.name)
    );
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every element is closed, in order, and what is between is no markup.
    fn well_formed(text: &str) -> bool {
        let mut open: Vec<&str> = Vec::new();
        for part in text.split('<').skip(1) {
            let Some((tag, between)) = part.split_once('>') else { return false };
            let quotes = tag.matches('"').count();
            let name = tag.split_whitespace().next().unwrap_or("");
            match tag.strip_prefix('/') {
                Some(name) if open.pop() != Some(name) => return false,
                None if !tag.ends_with('/') => open.push(name),
                _ => {}
            }
            let entities = ["&amp;", "&lt;", "&gt;", "&quot;"];
            let known: usize = entities.iter().map(|it| between.matches(it).count()).sum();
            if quotes % 2 != 0 || between.contains('>') || between.matches('&').count() != known {
                return false;
            }
        }
        open.is_empty()
    }

    #[test]
    fn pictures_are_well_formed() {
        let curves = [
            Curve { name: "a < b & c".into(), points: vec![(8.0, 0.004), (100.0, 12.0)] },
            Curve { name: "no points".into(), points: Vec::new() },
            Curve { name: "one".into(), points: vec![(10.0, 0.01)] },
        ];
        let text = draw("\"x\" > 1", ("nodes", Scale::Logarithmic), "seconds", &curves.each_ref());
        assert!(well_formed(&text), "{text}");
        assert_eq!(text.matches("<polyline").count(), 3);
        assert!(!text.contains("NaN") && !text.contains("inf"), "{text}");
        assert!(well_formed(&draw("empty", ("nodes", Scale::Whole), "seconds", &[])));
        assert!(!well_formed("<svg><text>a</svg></text>"));
    }

    #[test]
    fn axes_are_logarithmic() {
        let around = |numbers: &[f64], at| Axis::around(Scale::Logarithmic, numbers.iter().copied(), at);
        let axis = around(&[1.0, 70.0], (0.0, 200.0));
        assert_eq!((axis.place(1.0), axis.place(10.0), axis.place(100.0)), (0.0, 100.0, 200.0));
        let numbers = |axis: &Axis| axis.ticks().iter().map(|it| number(it.0)).collect::<Vec<_>>().join(" ");
        assert_eq!(numbers(&axis), "1 2 5 10 20 50 100");
        assert_eq!(numbers(&around(&[0.004, 0.03], (0.0, 1.0))), "0.002 0.005 0.01 0.02 0.05");
        assert_eq!(numbers(&around(&[5.0], (0.0, 1.0))), "5 10");
    }

    #[test]
    fn axes_of_whole_numbers() {
        let around = |numbers: &[f64]| Axis::around(Scale::Whole, numbers.iter().copied(), (0.0, 100.0));
        let numbers = |axis: &Axis| axis.ticks().iter().map(|it| it.0).collect::<Vec<_>>();
        let axis = around(&[12.0, 16.0, 14.0]);
        assert_eq!((axis.place(12.0), axis.place(13.0), axis.place(16.0)), (0.0, 25.0, 100.0));
        assert_eq!(numbers(&axis), [12.0, 13.0, 14.0, 15.0, 16.0]);
        assert_eq!(numbers(&around(&[3.0])), [3.0, 4.0]);
        assert_eq!(numbers(&around(&[1.0, 25.0])).len(), 13);
    }
}
