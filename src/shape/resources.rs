//! The resources of a deployment: the shapes that it declares, and which projects have them.

use std::rc::Rc;

use super::rights::RuleTexts;
use super::schema::Refused;
use super::shape::Shape;
use crate::contract::limits;
use crate::util::json::canonical;
use crate::util::text::concat;

/// The shapes of a deployment by project. A project that no row names has the shape of the interface.
#[derive(Debug)]
pub struct Resources {
    built_in: Rc<Shape>,
    declared: Vec<Declaration>,
    projects: Vec<Row>,
}

/// A resource that the deployment declares.
#[derive(Debug)]
pub struct Declaration {
    pub name: String,
    /// Its JSON Schema, as `resources.json` has it.
    pub schema: String,
    /// The key of a project that has it, for examples.
    pub project: String,
    pub shape: Rc<Shape>,
    /// The rules of its users. `None` if only tokens with a scope give access.
    pub rules: Option<RuleTexts>,
}

/// The projects of a shape: a key, or a pattern with one `*`.
#[derive(Debug)]
struct Row {
    before: String,
    /// What follows `*`; `None` if the row is a key.
    after: Option<String>,
    /// The place of the shape in the declarations.
    shape: usize,
}

impl Row {
    fn fits(&self, project: &str) -> bool {
        match &self.after {
            None => self.before == project,
            Some(after) => {
                let rest = project.strip_prefix(self.before.as_str());
                rest.is_some_and(|rest| rest.ends_with(after.as_str()))
            }
        }
    }

    /// Returns how specific the row is: a key is more so than a pattern, and a longer fixed part more than a shorter.
    fn weight(&self) -> (bool, usize) {
        (self.after.is_none(), self.before.len() + self.after.as_ref().map_or(0, String::len))
    }
}

impl Default for Resources {
    fn default() -> Self {
        Self { built_in: Rc::new(Shape::built_in()), declared: Vec::new(), projects: Vec::new() }
    }
}

impl From<Rc<Shape>> for Resources {
    /// Returns resources of which every project has this shape.
    fn from(shape: Rc<Shape>) -> Self {
        Self { built_in: shape, ..Self::default() }
    }
}

impl Resources {
    /// Reads the content of `resources.json`, as `JSON.stringify` writes it.
    pub fn read(text: &str) -> Result<Self, Refused> {
        let mut resources = Self::default();
        let mut projects = None;
        let mut rules = None;
        let mut members = canonical::members(text);
        for (name, value) in &mut members {
            match name {
                "$schema" => {}
                "resources" => resources.declare(value)?,
                "projects" => projects = Some(value),
                "rules" => rules = Some(value),
                _ => return Err(refuse(&["/", name], EXPECTED)),
            }
        }
        if !members.ended() || resources.declared.is_empty() {
            return Err(refuse(&[], EXPECTED));
        }
        if let Some(rules) = rules {
            resources.limit(rules)?;
        }
        match (projects, resources.declared.len()) {
            (Some(rows), _) => resources.assign(rows)?,
            // With one shape, every project has it.
            (None, 1) => {
                let all = Row { before: String::new(), after: Some(String::new()), shape: 0 };
                resources.projects.push(all);
            }
            (None, _) => return Err(refuse(&[], SEVERAL)),
        }
        Ok(resources)
    }

    fn declare(&mut self, declarations: &str) -> Result<(), Refused> {
        for (name, schema) in canonical::members(declarations) {
            let is_name =
                name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
            if !is_name || !(1..=limits::SHAPE_NAME_CHARS).contains(&name.len()) {
                return Err(refuse(&["/resources/", name], NAME));
            }
            let shape = Shape::of_schema(schema).map_err(|Refused { at, message }| {
                let at = concat(&["/resources/", name, &at]);
                Refused { at, message }
            })?;
            self.declared.push(Declaration {
                name: name.to_owned(),
                schema: schema.to_owned(),
                project: EXAMPLE.to_owned(),
                shape: Rc::new(shape),
                rules: None,
            });
        }
        Ok(())
    }

    /// Reads the rules of users.
    fn limit(&mut self, rules: &str) -> Result<(), Refused> {
        let mut members = canonical::members(rules);
        for (name, value) in &mut members {
            let at = concat(&["/rules/", name]);
            let Some(declared) = self.declared.iter_mut().find(|declared| declared.name == name) else {
                return Err(refuse(&[&at], &self.expected_name()));
            };
            declared.rules = Some(RuleTexts::read(&declared.shape, value, &at)?);
        }
        if members.ended() { Ok(()) } else { Err(refuse(&["/rules"], RULES)) }
    }

    fn expected_name(&self) -> String {
        let names: Vec<&str> = self.declared.iter().map(|declared| declared.name.as_str()).collect();
        concat(&["Expected the name of a resource: ", &names.join(", "), "."])
    }

    fn assign(&mut self, rows: &str) -> Result<(), Refused> {
        for (pattern, value) in canonical::members(rows) {
            let name = canonical::text(value).unwrap_or_default();
            let Some(shape) = self.declared.iter().position(|declared| declared.name == name) else {
                return Err(refuse(&["/projects/", pattern], &self.expected_name()));
            };
            let mut parts = pattern.split('*').map(str::to_owned);
            let row = Row { before: parts.next().unwrap_or_default(), after: parts.next(), shape };
            if parts.next().is_some() {
                return Err(refuse(
                    &["/projects/", pattern],
                    "Expected a project key, or a pattern with one *.",
                ));
            }
            if let Some(declared) = self.declared.get_mut(shape) {
                declared.project = pattern.replace('*', EXAMPLE);
            }
            self.projects.push(row);
        }
        Ok(())
    }

    pub fn shape(&self, project: &str) -> &Rc<Shape> {
        self.declaration(project).map_or(&self.built_in, |declared| &declared.shape)
    }

    /// Returns the resource that the deployment declares for a project. `None` if it has that of the interface.
    pub fn declaration(&self, project: &str) -> Option<&Declaration> {
        let rows = self.projects.iter().filter(|row| row.fits(project));
        rows.max_by_key(|row| row.weight()).and_then(|row| self.declared.get(row.shape))
    }

    /// Returns the shape of the interface.
    pub fn built_in(&self) -> &Rc<Shape> {
        &self.built_in
    }

    /// Returns the resources that the deployment declares.
    pub fn declarations(&self) -> &[Declaration] {
        &self.declared
    }

    /// Returns the shapes that the deployment declares, by name.
    pub fn declared(&self) -> impl Iterator<Item = (&str, &Rc<Shape>)> {
        self.declared.iter().map(|declared| (declared.name.as_str(), &declared.shape))
    }
}

/// What replaces `*` in a project key of examples.
const EXAMPLE: &str = "demo";

const EXPECTED: &str = "Expected { \"resources\": { \"product\": { \"type\": \"object\", \"properties\": { … } } } }, and \
                        \"projects\" if there are several.";
const SEVERAL: &str = "There are several resources. Say which projects have which: \"projects\": { \"products\": \
                       \"product\", \"suppliers-*\": \"supplier\" }.";
const RULES: &str = "Expected the rules of each resource: { \"product\": { \"read\": \"owner = :sub\" } }.";
const NAME: &str = "The name of a resource has 1 to 64 letters, digits, underscores, and hyphens.";

fn refuse(at: &[&str], message: &str) -> Refused {
    Refused { at: concat(at), message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;
    use serde_json::{Value, json};

    fn read(resources: &Value) -> Result<Resources, Refused> {
        Resources::read(&resources.to_string())
    }

    fn with_property(name: &str) -> Value {
        json!({ "type": "object", "properties": { name: { "type": "string" } } })
    }

    #[test]
    fn the_row_with_the_longest_fixed_part_names_the_shape_of_a_project() {
        let resources = json!({
            "resources": { "a": with_property("a"), "b": with_property("b"), "c": with_property("c") },
            "projects": { "*": "a", "shop-*": "b", "*-test": "c", "shop-1": "c" },
        });
        let resources = read(&resources).unwrap();
        for (project, name) in
            [("x", "a"), ("shop-2", "b"), ("shop-1", "c"), ("x-test", "c"), ("shop-test", "c"), ("shop", "a")]
        {
            let shape = resources.shape(project);
            assert_eq!(shape.content().next().unwrap().name, name, "{project}");
        }
    }

    #[test]
    fn one_resource_needs_no_rows_and_none_means_the_interface() {
        let one = read(&json!({ "resources": { "product": with_property("title") } })).unwrap();
        assert!(one.shape("any").is_declared());
        let some = json!({ "resources": { "product": with_property("title") }, "projects": { "products": "product" } });
        let some = read(&some).unwrap();
        assert!(some.shape("products").is_declared() && !some.shape("product").is_declared());
        assert!(!Resources::default().shape("any").is_declared());
    }

    #[test]
    fn what_is_wrong_has_its_place() {
        let product = json!({ "product": with_property("title") });
        for (resources, at, part) in [
            (json!([]), "", "Expected { \"resources\""),
            (json!({}), "", "Expected { \"resources\""),
            (json!({ "resources": {} }), "", "Expected { \"resources\""),
            (json!({ "resources": product, "fields": [] }), "/fields", "Expected { \"resources\""),
            (json!({ "resources": { "a b": {} } }), "/resources/a b", "1 to 64 letters"),
            (json!({ "resources": { "a": with_property("a-b") } }), "/resources/a/properties/a-b", "letters"),
            (json!({ "resources": { "a": with_property("a"), "b": with_property("b") } }), "", "several"),
            (json!({ "resources": product, "projects": { "*": "x" } }), "/projects/*", "resource: product."),
            (
                json!({ "resources": product, "projects": { "*a*": "product" } }),
                "/projects/*a*",
                "with one *",
            ),
        ] {
            let refused = read(&resources).map(|_| ()).unwrap_err();
            assert_eq!(refused.at, at, "{resources}");
            assert!(refused.message.contains(part), "{resources}: {}", refused.message);
        }
    }
}
