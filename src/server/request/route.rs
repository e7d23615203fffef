//! Finds the endpoint of a method and a path (D3).

use crate::contract::api::endpoint::{self, ENDPOINTS, Endpoint, Method};
use crate::contract::api::path::{self, Variable};
use crate::contract::error::ApiError;

use crate::server::response::respond;

pub(crate) const PREFLIGHT: &str = "OPTIONS";

#[derive(Debug)]
pub(crate) struct Route<'p> {
    pub(crate) endpoint: &'static Endpoint,
    /// The path variables, still percent-encoded.
    pub(crate) variables: Vec<(Variable, &'p str)>,
}

impl<'p> Route<'p> {
    /// Returns the project that the path names, still percent-encoded; empty if it names none.
    pub(crate) fn project(&self) -> &'p str {
        let mut named = self.variables.iter().filter(|(variable, _)| *variable == Variable::ProjectKey);
        named.next().map_or("", |(_, raw)| *raw)
    }
}

/// Returns the route of a request, or 404 or 405. The most specific path is chosen before the method is compared, so
/// that a method that a literal path does not have is never treated as one of `{id}`.
pub(crate) fn find<'p>(method: &str, path: &'p str) -> Result<Route<'p>, ApiError> {
    let parts = path::parts(path);
    let best = ENDPOINTS
        .iter()
        .filter(|row| path::matches(row.path, &parts))
        .min_by_key(|row| path::specificity(row.path));
    let Some(best) = best else { return Err(respond::unknown_path(path)) };
    let variables: Vec<(Variable, &str)> = path::variables(best.path, &parts).collect();
    if variables.iter().any(|(variable, raw)| *variable == Variable::Id && endpoint::is_reserved_id(raw)) {
        return Err(respond::unknown_path(path));
    }
    let rows = || ENDPOINTS.iter().filter(|row| row.path == best.path);
    let of_method = |method: &str| rows().find(|row| row.method.name() == method);
    // HEAD on any other GET path is that GET without its body (D24).
    let without_body = || of_method(Method::Get.name()).filter(|_| method == Method::Head.name());
    if let Some(endpoint) = of_method(method).or_else(without_body) {
        return Ok(Route { endpoint, variables });
    }
    let mut allow: Vec<&str> = rows().map(|row| row.method.name()).collect();
    if allow.contains(&Method::Get.name()) && !allow.contains(&Method::Head.name()) {
        allow.push(Method::Head.name());
    }
    Err(respond::wrong_method(allow.join(", ")))
}

/// Returns the methods of the path, as `Allow` lists them. Returns `None` if there is no such path.
pub(crate) fn allow(path: &str) -> Option<String> {
    // No path has the method OPTIONS, so a known path is found with the methods that it has.
    find(PREFLIGHT, path).err()?.allow
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    fn name(method: &str, path: &str) -> String {
        match find(method, path) {
            Ok(Route { endpoint, .. }) => endpoint.name.to_owned(),
            Err(error) => {
                format!("{} {}", error.status(), error.allow.unwrap_or_default()).trim_end().to_owned()
            }
        }
    }

    #[test]
    fn every_endpoint_is_found_by_its_rendered_path() {
        for row in &ENDPOINTS {
            let mut rendered = String::new();
            path::render(&mut rendered, row.path, |_| "a b/c=%");
            let Route { endpoint, variables } = find(row.method.name(), &rendered).unwrap();
            assert_eq!(endpoint.name, row.name, "{rendered}");
            assert!(variables.iter().all(|(_, raw)| *raw == "a%20b%2Fc%3D%25"), "{variables:?}");
        }
    }

    #[test]
    fn the_error_of_an_unknown_path_has_a_hint_for_a_likely_mistake() {
        for (path, hint) in [
            ("/p/resource/", " Remove the slash at the end."),
            ("/p/resource/a/", " Remove the slash at the end."),
            ("/resource", " The path begins with a project key."),
            ("/resource/a/b/c", " The path begins with a project key."),
            ("/p/p/resource/a", " The project key occurs twice."),
            ("/p/resource/key/a", " The path of a key is /{projectKey}/resource/key={key}."),
            ("/p/q/resource", ""),
            ("/", ""),
            ("", ""),
        ] {
            let message = find("GET", path).unwrap_err().message().to_owned();
            assert_eq!(
                message,
                format!("Unknown path. Operations are under /{{projectKey}}/resource.{hint}"),
                "{path}"
            );
        }
    }

    #[test]
    fn literal_parts_go_before_prefixed_ones_and_those_before_variables() {
        for (method, path, want) in [
            ("GET", "/p/resource", "query"),
            ("HEAD", "/p/resource", "exists"),
            ("HEAD", "/p/resource/a", "getById"),
            ("GET", "/p/resource/key=a", "getByKey"),
            ("GET", "/p/resource/key%3Da", "getById"),
            ("GET", "/p/resource/key=", "404"),
            ("GET", "/p/resource/artificially-complex", "404"),
            ("GET", "/p/resource/", "404"),
            ("GET", "/p/resource/a/", "404"),
            ("GET", "/p/Resource", "404"),
            ("GET", "//resource", "404"),
            ("GET", "p/resource", "404"),
            ("GET", "/p/status", "status"),
            ("GET", "/status/status", "status"),
            ("GET", "/oauth/status", "status"),
            ("GET", "/%70/status", "status"),
            ("GET", "//status", "404"),
            ("GET", "/status", "404"),
            ("GET", "/p/status/", "404"),
            ("GET", "/p/statusx", "404"),
            ("GET", "/openapi.json", "document"),
            ("GET", "/p/openapi.json", "projectDocument"),
            ("GET", "/p/resource/openapi.json", "getById"),
            ("HEAD", "/health", "health"),
            ("GET", "/oauth/token", "405 POST"),
            ("DELETE", "/p/export", "405 GET, HEAD"),
            ("GET", "/p/data", "405 DELETE"),
            ("GET", "/", "404"),
            ("POST", "/p/resource/searchApiPattern", "405 GET, HEAD"),
            ("DELETE", "/p/resource/key=a", "405 GET, HEAD"),
            ("PUT", "/p/resource/a", "405 GET, POST, DELETE, HEAD"),
            ("DELETE", "/p/resource", "405 GET, HEAD, POST, PATCH, PUT"),
            ("get", "/p/resource", "405 GET, HEAD, POST, PATCH, PUT"),
            ("GET", "/p/resource/description-with-urn-links", "405 POST"),
        ] {
            assert_eq!(name(method, path), want, "{method} {path}");
        }
    }
}
