//! Strict decoding of a query string (D26).

use super::id::{Param, ParamId};
use super::refusal::Refusal;
use super::scalar::{self, ParamValue};
use crate::contract::error::{ErrorItem, Member, MemberList, Reason, quoted};
use crate::util::nearest::nearest;
use crate::util::percent;
use crate::util::text::{append, concat};

#[derive(Debug, Clone, PartialEq)]
pub struct Passed {
    pub id: ParamId,
    /// The variable part of its name, empty for a fixed name.
    pub open: String,
    pub value: ParamValue,
}

/// Decodes a query string. Returns its parameters in their order, or all its problems (D26).
pub fn decode(params: &[&[Param]], query: &str) -> Result<Vec<Passed>, Vec<ErrorItem>> {
    let mut passed: Vec<Passed> = Vec::new();
    let mut errors = Vec::new();
    for pair in query.split('&').filter(|pair| !pair.is_empty()) {
        let (raw_name, raw_value) = pair.split_once('=').unwrap_or((pair, ""));
        match decode_pair(params, &passed, raw_name, raw_value) {
            Ok(one) => passed.push(one),
            Err(error) => errors.push(error),
        }
    }
    if errors.is_empty() { Ok(passed) } else { Err(errors) }
}

fn decode_pair(
    params: &[&[Param]],
    before: &[Passed],
    raw_name: &str,
    raw_value: &str,
) -> Result<Passed, ErrorItem> {
    let name = percent::decode_form(raw_name)
        .map_err(|error| Refusal::new(Reason::Encoding, error.reason().to_owned()).of(raw_name))?;
    let fail = |reason: Reason, sentence: String| Refusal::new(reason, sentence).of(&name);
    let all = || params.iter().copied().flatten();
    let (param, open) = all().find_map(|param| Some((param, param.id.matches(&name)?))).ok_or_else(|| {
        let mut error = fail(Reason::UnknownParameter, unknown_name(all().map(|param| param.id), &name));
        suggest(params, &name, &mut error.members);
        error
    })?;
    let rule = param.id.rule();
    if !rule.repeatable && before.iter().any(|one| one.id == param.id && one.open == open) {
        return Err(fail(Reason::Duplicate, ONCE.to_owned()));
    }
    let text =
        percent::decode_form(raw_value).map_err(|error| fail(Reason::Encoding, error.reason().to_owned()))?;
    let value = rule.ty.parse(&text);
    let value = value.map_err(|sentence| scalar::refusal(rule.ty, &text, sentence).of(&name))?;
    Ok(Passed { id: param.id, open: open.to_owned(), value })
}

/// The problem of a parameter that occurs twice but may occur once, as the end of a sentence.
pub const ONCE: &str = "it may be passed only once";

fn suggest(params: &[&[Param]], name: &str, members: &mut MemberList) {
    let names: Vec<&'static str> = params.iter().copied().flatten().map(|param| param.id.name()).collect();
    if !names.is_empty() {
        members.push((Member::AllowedValues, names.as_slice().into()));
    }
    let mut names = names.into_iter();
    if let Some(near) = nearest(name, &mut || names.next()) {
        members.push((Member::Suggestion, near.into()));
    }
}

/// Returns the problem of an unknown name, as the end of a sentence.
pub fn unknown_name(params: impl Iterator<Item = ParamId>, name: &str) -> String {
    let mut reason = concat(&["'", quoted(name), "' is unknown; this operation accepts "]);
    let mut comma = "";
    for param in params {
        append(&mut reason, &[comma, param.name()]);
        comma = ", ";
    }
    if comma.is_empty() {
        append(&mut reason, &["no parameters"]);
    }
    reason
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::error::MemberValue;
    use crate::contract::param::{PAGE, QUERY_PARAMS};
    use crate::test;

    fn wrong(params: &[&[Param]], query: &str) -> Vec<String> {
        let errors = decode(params, query).unwrap_err();
        errors.iter().map(|error| error.message.split(": ").nth(1).unwrap().to_owned()).collect()
    }

    #[test]
    fn repeated_and_patterned_names_are_distinguished() {
        let passed = decode(&[PAGE], "var.a=1&var.a=2&limit=5.0&sort=id+desc").unwrap();
        let names: Vec<(&str, &str)> = passed.iter().map(|one| (one.id.name(), one.open.as_str())).collect();
        assert_eq!(names, [("var.<name>", "a"), ("var.<name>", "a"), ("limit", ""), ("sort", "")]);
        assert_eq!(passed[2].value, ParamValue::Whole(5));
        assert_eq!(passed[3].value, ParamValue::Text("id desc".to_owned()));
    }

    #[test]
    fn every_bad_parameter_is_named() {
        let query = "limit=501&offset=-1&withTotal=yes&nope=1&sort=%zz&var.=1&var.a_b=1&limit=2.5&where=%00";
        assert_eq!(
            wrong(&[PAGE], query),
            ["limit", "offset", "withTotal", "nope", "sort", "var.", "var.a_b", "limit", "where"]
        );
        let members = decode(&[QUERY_PARAMS], "floatParametre=1").unwrap_err().remove(0).members;
        let [_, _, (Member::AllowedValues, MemberValue::Texts(names)), (Member::Suggestion, near)] =
            &members[..]
        else {
            panic!("{members:?}")
        };
        assert!(names.iter().any(|name| name == "floatParameter"), "{names:?}");
        assert_eq!(*near, MemberValue::Text("floatParameter".to_owned()));
        assert_eq!(wrong(&[PAGE], "limit=1&limit=1"), ["limit"]);
        for value in ["NaN", "inf", "Infinity", "-inf", "1e999", "", "0x1", "1,5"] {
            assert_eq!(
                wrong(&[QUERY_PARAMS], &format!("floatParameter={value}")),
                ["floatParameter"],
                "{value}"
            );
        }
    }
}
