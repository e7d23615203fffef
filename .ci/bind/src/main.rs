//! Generates the JavaScript of a WebAssembly module. See the crate's manifest for why it exists.
//!
//! ```text
//! bind MODULE OUT [--omit-default-module-path] [--reset-state]
//! ```

use std::env;
use std::process::ExitCode;

use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage: bind MODULE OUT [--omit-default-module-path] [--reset-state]";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<(), String> {
    let [module, out, flags @ ..] = arguments else { return Err(USAGE.to_owned()) };
    let known = ["--omit-default-module-path", "--reset-state"];
    if let Some(flag) = flags.iter().find(|flag| !known.contains(&flag.as_str())) {
        return Err(format!("unknown flag {flag}. {USAGE}"));
    }
    let has = |flag: &str| flags.iter().any(|one| one == flag);
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .typescript(false)
        .remove_producers_section(true)
        .omit_default_module_path(has("--omit-default-module-path"))
        .reset_state_function(has("--reset-state"));
    bindgen.web(true).map_err(|error| error.to_string())?;
    bindgen.generate(out).map_err(|error| format!("{module}: {error:#}"))
}
