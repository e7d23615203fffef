//! Random resources with rules, and users.

use std::rc::Rc;

use resource_edge::predicate::Typed;
use resource_edge::rights;
use resource_edge::shape::Resources;
use resource_edge::validate::read_resources;
use serde_json::{Value, json};

use crate::support::random::Random;
use crate::support::schemas::{self, Design, values};
use crate::world::simulation::workload::{Condition, meaning};

pub(super) const OWNERS: [&str; 3] = ["alice", "bob", "carol"];
pub(super) const TEAMS: [&str; 3] = ["red", "blue", "green"];
const DUES: [&str; 2] = ["2026-01-31T00:00:00.000Z", "1999-12-31T23:59:59.999Z"];
/// A rule that everything satisfies, and that is not known to be one.
const ALL: &str = "version >= 1";

/// Who reads: a user with these claims, or a caller without a token.
#[derive(Debug, Clone)]
pub(super) struct Reader {
    pub(super) claims: Option<Value>,
}

/// What a seed is about.
#[derive(Debug)]
pub(super) struct Plan {
    pub(super) design: Design,
    /// The properties that are not those of the rules.
    pub(super) drawn: Value,
    pub(super) rules: Value,
    readers: Vec<Reader>,
}

impl Plan {
    pub(super) fn draw(random: &Random) -> Self {
        let drawn = schemas::draw(random);
        let mut schema = drawn.clone();
        for (name, property) in [
            ("owner", json!({ "type": "string", "enum": OWNERS })),
            ("teams", json!({ "type": "array", "items": { "type": "string", "enum": TEAMS } })),
            ("rank", json!({ "type": "integer", "minimum": 0, "maximum": 3 })),
            ("open", json!({ "type": "boolean" })),
            ("due", json!({ "type": "string", "format": "date-time" })),
            ("memo", json!({ "type": "string" })),
            ("slug", json!({ "type": "string", "x-unique": true, "enum": ["s1", "s2", "s3", "s4"] })),
        ] {
            schema["properties"][name] = property;
        }
        let design = Design::of(schema);
        let mut rules = json!({ "read": rule(random, &design) });
        for name in ["create", "update", "delete"] {
            if random.chance(850) {
                let text = if random.chance(500) { ALL.to_owned() } else { rule(random, &design) };
                rules[name] = json!(text);
            }
        }
        if random.chance(400) {
            rules["fixed"] = json!(["owner", "rank"]);
        }
        if random.chance(700) {
            rules["anonymous"] = json!(plain(random, &design));
        }
        // One of them has two tokens.
        let mut readers: Vec<Reader> =
            ["alice", "bob", "alice"].map(|sub| Reader { claims: Some(claims(random, sub)) }).into();
        if rules["anonymous"].is_string() {
            readers.push(Reader { claims: None });
        }
        Self { design, drawn, rules, readers }
    }

    /// Returns a random value of a property.
    pub(super) fn value(&self, random: &Random, name: &str) -> Value {
        match name {
            "owner" => json!(random.pick(&OWNERS)),
            "teams" => TEAMS.iter().filter(|_| random.chance(400)).map(|team| json!(team)).collect(),
            "rank" => json!(random.below(4)),
            "open" => json!(random.chance(500)),
            "due" => json!(random.pick(&DUES)),
            // Words that occur often, so that their number matters for relevance.
            "memo" => {
                let words: Vec<&str> = (0..random.below(7)).map(|_| *random.pick(&TEAMS)).collect();
                json!(words.join(" "))
            }
            "slug" => json!(random.pick(&["s1", "s2", "s3", "s4"])),
            _ => values::draw(&self.drawn["properties"][name], random),
        }
    }

    pub(super) fn readers(&self) -> impl Iterator<Item = Reader> {
        self.readers.iter().cloned()
    }

    pub(super) fn users(&self) -> impl Iterator<Item = Reader> {
        self.readers().filter(|reader| reader.claims.is_some())
    }

    pub(super) fn resources(&self) -> Rc<Resources> {
        self.resources_with(&self.rules)
    }

    /// Returns the resources with rules for a project that has only what this reader reads.
    pub(super) fn resources_of(&self, reader: &Reader) -> Rc<Resources> {
        let mut rules = self.rules.clone();
        // A rule that is known to select everything leaves searches in the order of relevance.
        let all = if self.condition(reader) == Some(Typed::True) { "id is defined" } else { ALL };
        rules["read"] = json!(all);
        if rules["anonymous"].is_string() {
            rules["anonymous"] = json!(all);
        }
        self.resources_with(&rules)
    }

    fn resources_with(&self, rules: &Value) -> Rc<Resources> {
        let schema = self.design.schema.as_deref();
        let content = json!({ "resources": { "thing": schema }, "rules": { "thing": rules } }).to_string();
        let resources = read_resources(&content).unwrap_or_else(|refused| panic!("{content}: {refused:?}"));
        rights::check(&resources).unwrap_or_else(|refused| panic!("{content}: {refused:?}"));
        Rc::new(resources)
    }

    /// Returns what a reader's resources satisfy; `None` if a claim is absent, so that none does. The claims are read
    /// here as values in the text of the rule.
    pub(super) fn condition(&self, reader: &Reader) -> Option<Typed> {
        self.rule(reader, if reader.claims.is_some() { "read" } else { "anonymous" })
    }

    /// Returns what a rule means for a reader; `None` if it permits nothing.
    pub(super) fn rule(&self, reader: &Reader, name: &str) -> Option<Typed> {
        let mut text = self.rules[name].as_str()?.to_owned();
        let claims = reader.claims.as_ref().unwrap_or(&Value::Null);
        for (name, value) in [
            (":org.rank", &claims["org"]["rank"]),
            (":teams", &claims["teams"]),
            (":sub", &claims["sub"]),
            (":open", &claims["open"]),
            (":due", &claims["due"]),
        ] {
            if text.contains(name) {
                let value = match value {
                    Value::Null => return None,
                    Value::Array(items) => {
                        let items: Vec<String> = items.iter().map(Value::to_string).collect();
                        format!("({})", items.join(", "))
                    }
                    value => value.to_string(),
                };
                text = text.replace(name, &value);
            }
        }
        Some(meaning(&self.design, &text).unwrap_or_else(|| panic!("{text}")))
    }
}

fn claims(random: &Random, sub: &str) -> Value {
    let mut claims = json!({ "sub": sub });
    let teams: Vec<&str> = TEAMS.into_iter().filter(|_| random.chance(500)).collect();
    for (name, value) in [
        ("teams", json!(teams)),
        ("org", json!({ "rank": random.below(4) })),
        ("open", json!(random.chance(500))),
        ("due", json!(random.pick(&DUES))),
    ] {
        if random.chance(985) {
            claims[name] = value;
        }
    }
    claims
}

/// Returns a random rule, with claims.
fn rule(random: &Random, design: &Design) -> String {
    let part = || match random.below(8) {
        0 | 1 => "owner = :sub".to_owned(),
        2 => "teams contains any :teams".to_owned(),
        3 => "rank >= :org.rank".to_owned(),
        4 => "not (open = :open)".to_owned(),
        5 => "due < :due".to_owned(),
        6 => "slug is not defined".to_owned(),
        _ => format!("({})", Condition::of_content(random, design)),
    };
    match random.below(6) {
        0 => part(),
        1 => format!("{} and not ({})", part(), part()),
        2 => format!("{} or {}", part(), part()),
        _ => format!("owner = :sub or {}", part()),
    }
}

/// Returns a random condition without claims.
pub(super) fn plain(random: &Random, design: &Design) -> String {
    match random.below(6) {
        0 => format!("owner = \"{}\"", random.pick(&OWNERS)),
        1 => format!("teams contains any (\"{}\")", random.pick(&TEAMS)),
        2 => format!("rank < {}", random.below(4)),
        3 => "id in (\"i1\", \"i2\", \"i3\", \"i4\") or key = \"k1\"".to_owned(),
        _ => Condition::of_content(random, design),
    }
}
