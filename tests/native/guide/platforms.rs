//! What the configurations of platforms repeat of the code: the paths for which Cloudflare never looks for a file
//! (`run_worker_first` in wrangler.toml; plain workerd has the same list).

use resource_edge::contract::api::endpoint::ENDPOINTS;
use resource_edge::contract::api::path;

use crate::support::json::like;

#[test]
fn the_worker_comes_before_files_on_exactly_the_paths_of_the_api() {
    let configuration = include_str!("../../../wrangler.toml");
    let list = configuration.lines().find_map(|line| line.strip_prefix("run_worker_first = ")).unwrap();
    let patterns: Vec<String> = serde_json::from_str(list).unwrap();
    let paths: Vec<String> = ENDPOINTS.iter().map(|row| path::template(row.path)).collect();
    for path in &paths {
        assert!(patterns.iter().any(|pattern| like(pattern, path)), "{path} is not in run_worker_first");
    }
    for pattern in &patterns {
        assert!(paths.iter().any(|path| like(pattern, path)), "{pattern} matches no path of the API");
    }
    for file in ["/", "/index.html", "/pkg/index.js", "/styles/console.css"] {
        assert!(!patterns.iter().any(|pattern| like(pattern, file)), "{file} is a file");
    }
}
