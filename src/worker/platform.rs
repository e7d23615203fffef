//! The platform functions that the edge and the objects share: the KV binding and its lists, the clock, and randomness.

use js_sys::Array;
use wasm_bindgen::prelude::*;
use worker::Env;

use crate::contract::kv::Metadata;
use crate::project::Listed;
use crate::util::time::Millis;

use super::glue;

/// The maximum number of bytes that `crypto.getRandomValues` fills at once.
const RANDOM_BYTES: usize = 65_536;

#[wasm_bindgen]
extern "C" {
    /// The metadata of an entry: `contract::kv::Metadata` as the object that KV parses from its JSON.
    type FoundMetadata;
    #[wasm_bindgen(method, getter, structural)]
    fn version(this: &FoundMetadata) -> Option<f64>;
    #[wasm_bindgen(method, getter, structural)]
    fn revision(this: &FoundMetadata) -> Option<f64>;
    #[wasm_bindgen(method, getter, structural)]
    fn key(this: &FoundMetadata) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    fn id(this: &FoundMetadata) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    fn deleted(this: &FoundMetadata) -> JsValue;

    /// A page of KV's list, as `glue.ts` returns it.
    pub(super) type Page;
    #[wasm_bindgen(method, getter, structural)]
    fn keys(this: &Page) -> Array;
    #[wasm_bindgen(method, getter, structural)]
    fn cursor(this: &Page) -> JsValue;

    /// A key of a page.
    type PageKey;
    #[wasm_bindgen(method, getter, structural)]
    fn name(this: &PageKey) -> String;
    #[wasm_bindgen(method, getter, structural, js_name = metadata)]
    fn listed_metadata(this: &PageKey) -> JsValue;
}

/// Returns the variable or secret of the environment. `[vars]` may have values of other types than text, which count as
/// their JSON: `600` is "600". So none is ignored.
pub(super) fn setting(env: &Env, name: &str) -> Option<String> {
    let value = binding(env, name);
    if value.is_undefined() {
        return None;
    }
    let json = || js_sys::JSON::stringify(&value).ok().and_then(|json| json.as_string());
    // No setting accepts an empty text.
    Some(value.as_string().or_else(json).unwrap_or_default())
}

/// Returns the binding; `undefined` if the environment does not have it, and then every use of it fails.
pub(super) fn binding(env: &Env, name: &str) -> JsValue {
    js_sys::Reflect::get(env, &name.into()).unwrap_or_default()
}

/// Returns the time in milliseconds since 1970. It does not advance between two events.
pub(super) fn now() -> Millis {
    js_sys::Date::now() as Millis
}

/// Fills the bytes with random ones.
pub(super) fn random(bytes: &mut [u8]) {
    bytes.chunks_mut(RANDOM_BYTES).for_each(glue::random);
}

/// Returns the entries of a page of KV's list, and the cursor of the next page.
pub(super) fn listed(page: &Page) -> (Vec<Listed>, Option<String>) {
    let entry = |key: JsValue| {
        let key: PageKey = key.unchecked_into();
        Listed { entry: key.name(), metadata: metadata(key.listed_metadata()) }
    };
    (page.keys().iter().map(entry).collect(), page.cursor().as_string())
}

/// Returns an entry's metadata; `None` if it does not have the form that the object writes.
fn metadata(found: JsValue) -> Option<Metadata> {
    if !found.is_object() {
        return None;
    }
    let found: FoundMetadata = found.unchecked_into();
    let revision = found.revision().filter(|revision| revision.is_finite())?;
    Some(Metadata {
        // Both are integers below 2^53.
        version: found.version().map(|version| version as u64),
        revision: revision as Millis,
        key: found.key().as_string(),
        id: found.id().as_string(),
        deleted: found.deleted().is_truthy(),
    })
}
