//! Which operation a method and a path name (D3).

use crate::contract::operation::{self, Method, OPERATIONS, Operation};
use crate::contract::path::{Segment, Variable};
use crate::contract::service::SERVICES;

/// What a method and a path lead to.
#[derive(Debug)]
pub(super) enum Route<'p> {
    /// An operation, its path variables still encoded.
    Operation { row: &'static Operation, variables: Vec<(Variable, &'p str)> },
    /// The path is known, the method is not: the methods that it has.
    WrongMethod(String),
    /// The path is unknown.
    Unknown,
}

/// The route of a request. The most specific path is chosen before the method is looked at, so that a method which a
/// literal path does not have is never taken for `{id}`.
pub(super) fn find<'p>(method: &str, path: &'p str) -> Route<'p> {
    let parts: Vec<&str> = path.strip_prefix('/').unwrap_or(path).split('/').collect();
    let best = OPERATIONS
        .iter()
        .filter(|row| matches(row.path, &parts))
        .min_by_key(|row| row.path.iter().map(|segment| segment.rank()).collect::<Vec<_>>());
    let Some(best) = best else { return Route::Unknown };
    let variables: Vec<(Variable, &str)> = best
        .path
        .iter()
        .zip(&parts)
        .filter_map(|(segment, part)| Some((segment.variable()?, segment.take(part)?)))
        .collect();
    if variables.iter().any(|(variable, raw)| *variable == Variable::Id && operation::hides_id(raw)) {
        return Route::Unknown;
    }
    let rows = || OPERATIONS.iter().filter(|row| row.path == best.path);
    if let Some(row) = rows().find(|row| row.method.name() == method) {
        return Route::Operation { row, variables };
    }
    // HEAD on any other GET path is that GET without its body (D24).
    if method == Method::Head.name()
        && let Some(row) = rows().find(|row| row.method == Method::Get)
    {
        return Route::Operation { row, variables };
    }
    let mut allow: Vec<&str> = rows().map(|row| row.method.name()).collect();
    if allow.contains(&Method::Get.name()) && !allow.contains(&Method::Head.name()) {
        allow.push(Method::Head.name());
    }
    Route::WrongMethod(allow.join(", "))
}

/// The methods that the path has, as `Allow` lists them; `None` where there is no such path.
pub(super) fn allow(path: &str) -> Option<String> {
    if let Some(row) = SERVICES.iter().find(|row| row.path == path) {
        return Some(row.allow());
    }
    // No path has it, so that it is answered with those that the path has.
    match find("OPTIONS", path) {
        Route::WrongMethod(allow) => Some(allow),
        Route::Operation { .. } | Route::Unknown => None,
    }
}

fn matches(template: &[Segment], parts: &[&str]) -> bool {
    template.len() == parts.len()
        && template.iter().zip(parts).all(|(segment, part)| segment.take(part).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::path;

    fn name(method: &str, path: &str) -> String {
        match find(method, path) {
            Route::Operation { row, .. } => row.name.to_owned(),
            Route::WrongMethod(allow) => format!("405 {allow}"),
            Route::Unknown => "404".to_owned(),
        }
    }

    #[test]
    fn every_operation_is_found_by_what_the_client_renders() {
        for row in &OPERATIONS {
            let mut rendered = String::new();
            path::render(&mut rendered, row.path, |_| "a b/c=%");
            let Route::Operation { row: found, variables } = find(row.method.name(), &rendered) else {
                panic!("{} {rendered}", row.name);
            };
            assert_eq!(found.id, row.id, "{rendered}");
            assert!(variables.iter().all(|(_, raw)| *raw == "a%20b%2Fc%3D%25"), "{variables:?}");
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
