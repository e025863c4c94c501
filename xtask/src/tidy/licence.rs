//! Which licences we may build on: expressions in the manner of SPDX, with `AND`, `OR` and parentheses, and
//! the older `/` for `OR`.

/// What asks for no more than to be named.
pub const ALLOWED: [&str; 4] = ["Apache-2.0", "MIT", "Unicode-3.0", "Zlib"];

/// Whether an expression can be met by licences of the list; an error if it is not an expression.
pub fn is_allowed(expression: &str) -> Result<bool, String> {
    let spaced = expression.replace('(', " ( ").replace(')', " ) ").replace('/', " OR ");
    let words: Vec<&str> = spaced.split_whitespace().collect();
    let mut parser = Parser { words: &words };
    let allowed = parser.either()?;
    match parser.words.first() {
        None => Ok(allowed),
        Some(word) => Err(format!("`{word}` is not expected in the licence `{expression}`")),
    }
}

struct Parser<'w> {
    /// What is still to be read.
    words: &'w [&'w str],
}

impl<'w> Parser<'w> {
    fn take(&mut self, expected: &str) -> bool {
        let found = self.words.first() == Some(&expected);
        if found {
            self.words = &self.words[1..];
        }
        found
    }

    fn next(&mut self) -> Result<&'w str, String> {
        let (first, rest) = self.words.split_first().ok_or("a licence ends too soon")?;
        self.words = rest;
        Ok(first)
    }

    fn either(&mut self) -> Result<bool, String> {
        let mut allowed = self.both()?;
        while self.take("OR") {
            allowed |= self.both()?;
        }
        Ok(allowed)
    }

    fn both(&mut self) -> Result<bool, String> {
        let mut allowed = self.one()?;
        while self.take("AND") {
            allowed &= self.one()?;
        }
        Ok(allowed)
    }

    fn one(&mut self) -> Result<bool, String> {
        if self.take("(") {
            let allowed = self.either()?;
            return if self.take(")") {
                Ok(allowed)
            } else {
                Err("a parenthesis is not closed in a licence".into())
            };
        }
        let name = self.next()?;
        // An exception only ever permits more.
        if self.take("WITH") {
            self.next()?;
        }
        Ok(ALLOWED.contains(&name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions() {
        for good in [
            "MIT",
            "GPL-3.0 OR MIT",
            "(MIT OR GPL-3.0) AND Zlib",
            "MIT/GPL-2.0",
            "Apache-2.0 WITH LLVM-exception",
        ] {
            assert_eq!(is_allowed(good), Ok(true), "{good}");
        }
        for bad in ["GPL-3.0", "MIT AND GPL-3.0", "(MIT OR Zlib) AND AGPL-3.0", "mit", "LicenseRef-ours"] {
            assert_eq!(is_allowed(bad), Ok(false), "{bad}");
        }
        for wrong in ["", "MIT OR", "(MIT", "MIT)", "MIT Zlib", "MIT WITH"] {
            assert!(is_allowed(wrong).is_err(), "{wrong}");
        }
    }
}
