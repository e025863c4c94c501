//! Values of constants from outside (`--set NAME=VALUE`).

use super::suggest::{list, nearest};
use super::{Checker, SettingError};
use crate::hir::{ConstantValue, Stored};
use burnside_ts::Type;

impl Checker<'_> {
    /// The text that a constant is set to; the last one counts.
    pub(super) fn setting(&self, name: &str) -> Option<String> {
        self.settings.iter().rev().find(|(known, _)| known == name).map(|(_, text)| text.clone())
    }

    /// Reports settings of constants that do not exist.
    pub(super) fn check_setting_names(&mut self) {
        let known: Vec<&str> =
            self.decls.constants.iter().map(|constant| constant.name.text.as_str()).collect();
        for (name, _) in self.settings {
            if known.contains(&name.as_str()) {
                continue;
            }
            let help = match nearest(name, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None if known.is_empty() => String::from("the model has no constants"),
                None => format!("the constants are {}", list(&known)),
            };
            let message = format!("the model has no constant `{name}`");
            self.setting_errors.push(SettingError { name: name.clone(), message, help: Some(help) });
        }
    }

    /// The value of a setting, for a constant of type `kind` (`int`, a range or `bool`).
    pub(super) fn set_value(&mut self, name: &str, text: &str, kind: Stored) -> Option<ConstantValue> {
        match self.parse_setting(text, kind) {
            Ok(value) => Some(value),
            Err((message, help)) => {
                self.setting_errors.push(SettingError { name: name.to_string(), message, help });
                None
            }
        }
    }

    fn parse_setting(&self, text: &str, kind: Stored) -> Result<ConstantValue, (String, Option<String>)> {
        if kind == Stored::Type(self.boolean) {
            return match text.trim() {
                "true" => Ok(ConstantValue::Bool(true)),
                "false" => Ok(ConstantValue::Bool(false)),
                _ => Err((format!("`{text}` is not a truth value"), Some("write `true` or `false`".into()))),
            };
        }
        let digits = text.trim().replace('_', "");
        let Ok(value) = digits.parse::<i64>() else {
            let help =
                if digits.is_empty() || !digits.trim_start_matches('-').chars().all(|c| c.is_ascii_digit()) {
                    "write an integer"
                } else {
                    "integers have 64 bits"
                };
            return Err((format!("`{text}` is not an integer"), Some(help.into())));
        };
        if let Stored::Type(ty) = kind
            && let Type::Range { lo, hi } = *self.types.get(ty)
            && !(lo..=hi).contains(&value)
        {
            return Err((format!("{value} is outside the declared range {lo}..{hi}"), None));
        }
        Ok(ConstantValue::Int(value))
    }
}
