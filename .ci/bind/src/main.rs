//! Generates the JavaScript of a WebAssembly module. See the crate's manifest for why it exists.
//!
//! ```text
//! bind MODULE OUT [--omit-default-module-path] [--reset-state] [--without=CLASS]…
//! ```
//!
//! `--without` leaves out what the module exports for a class of a dependency. An export is never dead code: a crate's
//! classes, and all that they call, are in every module that uses the crate.

use std::env;
use std::process::ExitCode;

use walrus::{FunctionKind, Module, ModuleConfig};
use wasm_bindgen_cli_support::Bindgen;

const USAGE: &str = "usage: bind MODULE OUT [--omit-default-module-path] [--reset-state] [--without=CLASS]…";

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
    let [path, out, flags @ ..] = arguments else { return Err(USAGE.to_owned()) };
    // As wasm-bindgen itself reads it: what LLVM wrote needs no validation.
    let mut module = ModuleConfig::new()
        .strict_validate(false)
        .generate_producers_section(false)
        .parse_file(path)
        .map_err(|error| format!("{path}: {error:#}"))?;
    let mut bindgen = Bindgen::new();
    bindgen.typescript(false).omit_default_module_path(false);
    for flag in flags {
        match flag.split_once('=') {
            None if flag == "--omit-default-module-path" => drop(bindgen.omit_default_module_path(true)),
            None if flag == "--reset-state" => drop(bindgen.reset_state_function(true)),
            Some(("--without", class)) => remove_class(&mut module, class)?,
            _ => return Err(format!("unknown flag {flag}. {USAGE}")),
        }
    }
    empty_panic_hook(&mut module);
    // Functions that only those exports called need no JavaScript.
    walrus::passes::gc::run(&mut module);
    let file = path.rsplit('/').next().unwrap_or(path);
    bindgen.input_module(file.trim_end_matches(".wasm"), module);
    bindgen.web(true).map_err(|error| error.to_string())?;
    bindgen.generate(out).map_err(|error| format!("{path}: {error:#}"))
}

/// Removes the exports of a class. wasm-bindgen generates nothing for a function that is not described.
fn remove_class(module: &mut Module, class: &str) -> Result<(), String> {
    let prefix = format!("{}_", class.to_lowercase());
    let is_of_class = |mut name: &str| {
        for part in ["__wbindgen_describe_", "__wbg_", "get_", "set_"] {
            name = name.strip_prefix(part).unwrap_or(name);
        }
        name.starts_with(&prefix)
    };
    let exports: Vec<_> =
        module.exports.iter().filter(|export| is_of_class(&export.name)).map(|export| export.id()).collect();
    if exports.is_empty() {
        return Err(format!("there is no class {class}"));
    }
    for export in exports {
        module.exports.delete(export);
    }
    Ok(())
}

/// Empties the standard library's panic hook, because WebAssembly has no standard error to print to.
fn empty_panic_hook(module: &mut Module) {
    for function in module.funcs.iter_mut() {
        let is_hook = function.name.as_deref().is_some_and(|name| name.ends_with("9panicking12default_hook"));
        if let FunctionKind::Local(function) = &mut function.kind
            && is_hook
        {
            function.builder_mut().func_body().instrs_mut().clear();
        }
    }
}
