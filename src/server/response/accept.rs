//! The form of errors that a caller prefers (RFC 9110, 12.5.1).

use crate::contract::api::media;
use crate::util::number;

use super::respond::ErrorForm;

/// Returns the form of errors for the value of an `Accept` header: problem details, if the caller names them and does
/// not prefer `application/json`.
pub(crate) fn error_form(accept: &str) -> ErrorForm {
    let problem = weight(accept, media::PROBLEM);
    if problem > 0.0 && problem >= weight(accept, media::JSON) {
        ErrorForm::Problem
    } else {
        ErrorForm::Contract
    }
}

/// Returns whether the value of an `Accept` header names a media type.
pub(crate) fn names(accept: &str, media_type: &str) -> bool {
    weight(accept, media_type) > 0.0
}

/// Returns the weight of a media type that the header names, 0 if it does not. Ranges such as `*/*` name none.
fn weight(accept: &str, media_type: &str) -> f64 {
    let named = accept.split(',').find_map(|range| {
        let mut parts = range.split(';').map(str::trim);
        let is_named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(media_type));
        is_named.then(|| parts.find_map(quality).unwrap_or(1.0))
    });
    named.unwrap_or(0.0)
}

/// Returns the value of the parameter `q`; `None` for other parameters and for malformed values.
fn quality(parameter: &str) -> Option<f64> {
    let (name, value) = parameter.split_once('=')?;
    if name.eq_ignore_ascii_case("q") { number::decimal(value) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn problems_are_for_callers_that_name_and_do_not_refuse_them() {
        for accept in [
            "application/problem+json",
            "Application/Problem+JSON; charset=utf-8",
            "text/html, application/problem+json;q=0.1",
            "application/json, application/problem+json",
            "application/json;q=0.5, application/problem+json; q=0.5, */*",
            "application/problem+json;q=x",
            "application/problem+json ; Q=1.000",
        ] {
            assert_eq!(error_form(accept), ErrorForm::Problem, "{accept}");
        }
        for accept in [
            "",
            "*/*",
            "application/json",
            "application/problem+json;q=0",
            "application/problem+json; charset=utf-8; q=0.000",
            "application/problem+json;q=0.4, application/json;q=0.5",
            "application/problem+json;q=0.9, application/json",
            "application/problem+jsonp",
            "x-application/problem+json",
            "text/html; about=application/problem+json",
        ] {
            assert_eq!(error_form(accept), ErrorForm::Contract, "{accept}");
        }
    }
}
