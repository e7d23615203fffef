//! The values that a request passes for a predicate's variables.

use crate::util::sorted::SortedMap;

/// Variables by name, each with its values in the order of the request.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Variables(SortedMap<String, Vec<String>>);

impl Variables {
    /// Returns the values of a variable; `None` if the request passed none.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&[String]> {
        self.0.get(name).map(Vec::as_slice)
    }

    /// Adds a value: `x` and `5` for `var.x=5`.
    pub fn insert(&mut self, name: impl Into<String>, value: impl Into<String>) {
        if let Some(values) = self.0.get_or_insert_with(name.into(), Vec::new) {
            values.push(value.into());
        }
    }
}

impl<N: Into<String>, V: Into<String>> FromIterator<(N, V)> for Variables {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(pairs: I) -> Self {
        let mut variables = Self::default();
        for (name, value) in pairs {
            variables.insert(name, value);
        }
        variables
    }
}
