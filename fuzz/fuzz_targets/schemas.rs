#![no_main]
libfuzzer_sys::fuzz_target!(|data: &[u8]| resource_edge_fuzz::targets::schemas::run(data));
