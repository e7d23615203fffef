//! Parameters of the token endpoint, from the form body and the query (RFC 6749, 3.2 and appendix B).

use crate::contract::api::endpoint::FormField;
use crate::contract::api::header::RequestHeader;
use crate::contract::api::media;
use crate::contract::error::{ApiError, Code};
use crate::server::http::{Headers, Request};
use crate::server::platform::{Host, Port};
use crate::server::request::body;
use crate::util::percent;

/// The known parameters of a request, each once. None is empty.
#[derive(Debug)]
pub(crate) struct Parameters(Vec<(&'static str, String)>);

impl Parameters {
    /// Parses the parameters of a request, those of the query first.
    pub(crate) async fn read<H: Host>(
        platform: &Port<H>,
        request: &Request,
        known: &'static [FormField],
    ) -> Result<Self, ApiError> {
        let mut parameters = Self(Vec::new());
        parameters.add(request.query(), known, true)?;
        let form = body::read_form(platform).await?;
        if !form.is_empty() {
            check_media_type(request.headers.as_ref())?;
        }
        let form = core::str::from_utf8(&form);
        let form = form.map_err(|_| invalid("The request body is not valid UTF-8.".to_owned()))?;
        parameters.add(form, known, false)?;
        Ok(parameters)
    }

    /// Returns the parameter's value. A parameter without a value is absent (RFC 6749, 3.2).
    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| value.as_str())
    }

    fn add(&mut self, text: &str, known: &'static [FormField], query: bool) -> Result<(), ApiError> {
        for pair in text.split('&') {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let name = decode(name)?;
            let Some(FormField { name, in_query, .. }) = known.iter().find(|known| known.name == name) else {
                continue;
            };
            let value = decode(value)?;
            if value.is_empty() {
                continue;
            }
            if query && !in_query {
                return Err(invalid(format!("The parameter {name} is not allowed in the query.")));
            }
            if self.get(name).is_some() {
                return Err(invalid(format!("The parameter {name} occurs twice.")));
            }
            self.0.push((name, value));
        }
        Ok(())
    }
}

fn check_media_type(headers: &dyn Headers) -> Result<(), ApiError> {
    let media_type = headers.get(RequestHeader::ContentType).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim_matches([' ', '\t']);
    if essence.eq_ignore_ascii_case(media::FORM) && headers.get(RequestHeader::ContentEncoding).is_none() {
        return Ok(());
    }
    Err(invalid(format!("The request body must be {}, without Content-Encoding.", media::FORM)))
}

fn decode(text: &str) -> Result<String, ApiError> {
    percent::decode_form(text)
        .map_err(|error| invalid(format!("A parameter is malformed: {}.", error.reason())))
}

pub(crate) fn invalid(message: String) -> ApiError {
    ApiError::new(Code::InvalidRequest, message)
}
