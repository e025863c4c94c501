//! Values of options, with their names and what they mean: declared once, for the library and for whatever
//! reads them as text.

/// A value of an option.
pub trait Choice: Copy + PartialEq + Send + Sync + 'static {
    /// All values, in the order in which they are listed.
    const ALL: &'static [Self];

    /// Its name, as it is typed and printed.
    fn name(self) -> &'static str;

    /// What it means, in one line.
    fn help(self) -> &'static str;

    /// The value of a name.
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|choice| choice.name() == name)
    }
}

/// Declares an enum whose values are [`Choice`]s: after each value its name and what it means.
#[macro_export]
macro_rules! choices {
    ($(#[$meta:meta])* pub enum $Name:ident { $($(#[$value:meta])* $Value:ident = $name:literal: $help:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
        pub enum $Name {
            $(#[doc = $help] $(#[$value])* $Value,)*
        }

        impl $crate::Choice for $Name {
            const ALL: &'static [Self] = &[$($Name::$Value,)*];

            fn name(self) -> &'static str {
                match self { $($Name::$Value => $name,)* }
            }

            fn help(self) -> &'static str {
                match self { $($Name::$Value => $help,)* }
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::Choice::name(*self))
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Choice;

    choices! {
        /// How to go.
        pub enum Pace {
            #[default]
            Slow = "slow": "Step by step",
            Fast = "very-fast": "In leaps",
        }
    }

    #[test]
    fn names_and_values() {
        assert_eq!(Pace::ALL, [Pace::Slow, Pace::Fast]);
        assert_eq!((Pace::default(), Pace::named("very-fast")), (Pace::Slow, Some(Pace::Fast)));
        assert_eq!((Pace::named("fast"), Pace::Fast.to_string().as_str()), (None, "very-fast"));
        assert_eq!(Pace::Fast.help(), "In leaps");
    }
}
