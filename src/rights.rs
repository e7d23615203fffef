//! What users may do (D44): the rules of a resource with the claims of a token become conditions on its records.
//! Imports the shapes and the query language.

use serde::{Deserialize, Serialize};

use crate::contract::limits;
use crate::predicate::{self, Ast, Literal, Operand, Operands, Operator, Typed, Variables};
use crate::shape::{Declaration, Refused, Resources, RuleName, RuleTexts, Shape};
use crate::syntax::{self, Language};
use crate::util::strict_json::{Json, JsonMembers};
use crate::util::text::concat;

/// What a user may do with the records of a project. It travels with the user's calls.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Rights {
    /// The records that exist for the user.
    pub read: Typed,
    /// What holds for a record that the user creates.
    pub create: Typed,
    /// What holds for a record before and after the user changes it.
    pub update: Typed,
    /// What holds for a record that the user deletes.
    pub delete: Typed,
    /// The fields that the user cannot change after the creation.
    pub fixed: Vec<String>,
}

impl Rights {
    /// Returns whether a write may be permitted.
    pub fn may_write(&self) -> bool {
        [&self.create, &self.update, &self.delete].iter().any(|rule| **rule != Typed::False)
    }
}

/// The rules of a resource, ready for the claims of tokens.
#[derive(Debug, Default)]
pub struct UserRules {
    predicates: Vec<(RuleName, Ast)>,
    fixed: Vec<String>,
}

impl UserRules {
    /// Reads the rules that [`check`] accepts. A rule that it refuses permits nobody.
    pub fn read(texts: &RuleTexts) -> Self {
        let parsed = |(name, text): &(RuleName, String)| Some((*name, predicate::parse_rule(text).ok()?));
        Self { predicates: texts.predicates.iter().filter_map(parsed).collect(), fixed: texts.fixed.clone() }
    }

    pub fn of_user(&self, shape: &Shape, claims: &JsonMembers) -> Rights {
        let bound = |name| self.bound(shape, name, claims).unwrap_or(Typed::False);
        Rights {
            read: bound(RuleName::Read),
            create: bound(RuleName::Create),
            update: bound(RuleName::Update),
            delete: bound(RuleName::Delete),
            fixed: self.fixed.clone(),
        }
    }

    /// Returns the rights of a caller without a token. `None` if such a caller has none.
    pub fn of_anonymous(&self, shape: &Shape) -> Option<Rights> {
        let read = self.bound(shape, RuleName::Anonymous, &JsonMembers::default())?;
        let [create, update, delete] = [Typed::False, Typed::False, Typed::False];
        Some(Rights { read, create, update, delete, fixed: Vec::new() })
    }

    /// Returns a rule with the claims. `None` without the rule, and if a claim is absent or does not fit: then nothing
    /// satisfies the rule, whatever its other parts are.
    fn bound(&self, shape: &Shape, name: RuleName, claims: &JsonMembers) -> Option<Typed> {
        let (_, rule) = self.predicates.iter().find(|(other, _)| *other == name)?;
        let mut rule = rule.clone();
        Claims { members: claims, left: limits::PREDICATE_VARIABLE_BYTES }.replace(&mut rule)?;
        predicate::check(shape, &rule, &Variables::default()).ok()
    }
}

/// Returns what is wrong with the rules of the resources.
pub fn check(resources: &Resources) -> Result<(), Refused> {
    for declaration in resources.declarations() {
        let Some(rules) = &declaration.rules else { continue };
        for (rule, text) in &rules.predicates {
            if let Some(message) = fault(declaration, *rule, text) {
                let at = concat(&["/rules/", &declaration.name, "/", rule.wire()]);
                return Err(Refused { at, message });
            }
        }
    }
    Ok(())
}

fn fault(declaration: &Declaration, rule: RuleName, text: &str) -> Option<String> {
    if let Some(error) = syntax::check(&declaration.shape, Language::Rule, text) {
        return Some(error.message);
    }
    let mut ast = predicate::parse_rule(text).ok()?;
    let mut claims = Claims { members: &JsonMembers::default(), left: 0 };
    let has_claims = rule == RuleName::Anonymous && claims.replace(&mut ast).is_none();
    has_claims
        .then(|| "A caller without a token has no claims: expected a predicate without variables.".to_owned())
}

/// The claims that replace the variables of a rule.
struct Claims<'c> {
    members: &'c JsonMembers,
    /// The remaining size for the values of further variables.
    left: usize,
}

impl<'c> Claims<'c> {
    /// Replaces the variables by the claims. `None` if a claim is absent, has no value that a predicate can have, or is
    /// too large.
    fn replace(&mut self, ast: &mut Ast) -> Option<()> {
        match ast {
            Ast::Or(parts) | Ast::And(parts) => parts.iter_mut().try_for_each(|part| self.replace(part)),
            Ast::Not(inner) | Ast::Nested { condition: inner, .. } => self.replace(inner),
            Ast::Simple { operator, .. } => match operator {
                Operator::Compare(_, operand) | Operator::MatchesIgnoreCase(operand) => self.operand(operand),
                Operator::In { values, .. } | Operator::Contains { values, .. } => self.operands(values),
                Operator::IsEmpty { .. } | Operator::IsDefined { .. } | Operator::WithinCircle { .. } => {
                    Some(())
                }
            },
        }
    }

    fn operand(&mut self, operand: &mut Operand) -> Option<()> {
        if let Literal::Variable(name) = &operand.literal {
            operand.literal = self.literal(self.claim(name)?)?;
        }
        Some(())
    }

    fn operands(&mut self, operands: &mut Operands) -> Option<()> {
        match operands {
            Operands::List(listed) => listed.iter_mut().try_for_each(|operand| self.operand(operand)),
            Operands::Variable(name, at) => {
                let claim = self.claim(name)?;
                // Some issuers write a list of one value as that value.
                let values = claim.array().unwrap_or(core::slice::from_ref(claim));
                let literals =
                    values.iter().map(|value| Some(Operand { literal: self.literal(value)?, at: *at }));
                *operands = Operands::List(literals.collect::<Option<_>>()?);
                Some(())
            }
        }
    }

    /// Returns the claim of a name; if there is none, what the dots in the name lead to.
    fn claim(&self, name: &str) -> Option<&'c Json> {
        let mut names = name.split('.');
        self.members.get(name).or_else(|| {
            let first = self.members.get(names.next()?)?;
            names.try_fold(first, |outer, name| outer.object()?.get(name))
        })
    }

    fn literal(&mut self, value: &Json) -> Option<Literal> {
        let literal = match value {
            Json::Text(text) if !text.contains('\0') => Literal::Text(text.clone()),
            Json::Number(number) if number.is_finite() => Literal::Number(*number),
            Json::Boolean(truth) => Literal::Boolean(*truth),
            Json::Text(_) | Json::Number(_) | Json::Null | Json::Array(_) | Json::Object(_) => return None,
        };
        let bytes = value.text().map_or(0, str::len) + limits::PREDICATE_VALUE_COST;
        self.left = self.left.checked_sub(bytes)?;
        Some(literal)
    }
}
