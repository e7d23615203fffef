//! The validator as built for the npm package, in a JavaScript runtime, where the host parses numbers.
#![cfg(all(target_arch = "wasm32", feature = "client"))]

use js_sys::{Uint8Array, WebAssembly};
use resource_edge::bindings::validate::{invalid, too_large};
use resource_edge::bindings::{reserve, result};
use resource_edge::shape::{ObjectId, Shape};
use resource_edge::validate::{Verdict, arrays_input, validate};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;

/// Returns the text that a function returned by its length.
fn text(length: usize) -> String {
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    let bytes = Uint8Array::new_with_byte_offset_and_length(&memory.buffer(), result() as u32, length as u32);
    String::from_utf8(bytes.to_vec()).unwrap_or_default()
}

#[wasm_bindgen_test]
fn numbers_in_webassembly_are_parsed_as_in_the_standard_library() {
    let shape = Shape::built_in();
    let arrays = shape.object(ObjectId::Arrays);
    for (text, expected) in [
        ("0.1", 0.1),
        ("0.30000000000000004", 0.1 + 0.2),
        ("123456789012345678901234567890", 123_456_789_012_345_678_901_234_567_890.0),
        ("9007199254740993", 9_007_199_254_740_992.0),
        ("-1.7976931348623157e308", f64::MIN),
        ("1.7976931348623158e308", f64::MAX),
        ("5e-324", 5e-324),
        ("2.4703282292062327e-324", 0.0),
        ("2.4703282292062328e-324", 5e-324),
        ("-1e-400", 0.0),
        ("14286.142857142857", 100_003.0 / 7.0),
    ] {
        let body = ["{\"arrayOfFloatExample\":[", text, "]}"].concat();
        let content = arrays_input(&shape, body.as_bytes()).unwrap_or_default();
        let list = content.get("arrayOfFloatExample").unwrap_or_default();
        let number = list.trim_matches(['[', ']']).parse::<f64>();
        assert_eq!(number.map(f64::to_bits), Ok(expected.to_bits()), "{text}");
    }
    assert!(validate(arrays, b"{\"arrayOfFloatExample\":[1e309]}", &mut Verdict).is_err());
}

#[wasm_bindgen_test]
fn a_smaller_reservation_returns_the_same_address() {
    let place = reserve(1000);
    assert_ne!(place, 0);
    assert_eq!(reserve(10), place);
    // The buffer contains zeros, which are not JSON.
    for object in [false, true] {
        let result = text(invalid(0, 0, 1000, object));
        assert!(result.contains("\"code\":\"InvalidJsonInput\""), "{result}");
    }
    assert_eq!(
        text(too_large()),
        "{\"valid\":false,\"issues\":[{\"path\":[],\"pointer\":\"\",\"code\":\"ContentTooLarge\",\"message\":\"The body is \
         too large. The limit is 1048576 bytes.\",\"reason\":\"size\",\"maximum\":1048576}]}"
    );
}

#[wasm_bindgen_test]
fn a_length_beyond_the_reservation_and_an_unknown_kind_are_rejected() {
    assert!(invalid(0, 0, usize::MAX, false) > 0);
    assert!(invalid(99, 99, 0, false) > 0);
}
