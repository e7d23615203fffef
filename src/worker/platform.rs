//! Where the handler runs: KV, the projects' objects, outside issuers, the clock and randomness of a Worker.

use core::cell::RefCell;

use js_sys::{Array, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use worker::Env;

use crate::call::Message;
use crate::contract::error::ApiError;
use crate::contract::kv::Metadata;
use crate::contract::reply::{Answer, Reply};
use crate::contract::time::Millis;
use crate::project::Listed;
use crate::server::platform::{Algorithm, Entry, Platform, PublicKey, Unreachable};

use super::glue;
use crate::wire;

/// The binding of the KV namespace.
const RESOURCES: &str = "RESOURCES";
/// The binding of the projects' objects.
const PROJECTS: &str = "PROJECTS";
/// How long an outside issuer may take, in milliseconds.
const FETCH_MS: u32 = 5_000;
/// The most bytes taken from an outside issuer.
const FETCH_BYTES: usize = 64 * 1024;
/// How many imported keys of outside issuers are kept.
const KEYS: usize = 16;
/// The most bytes that `crypto.getRandomValues` fills at once.
const RANDOM_BYTES: usize = 65_536;

#[wasm_bindgen]
extern "C" {
    /// What KV's `getWithMetadata` gives.
    type Found;
    #[wasm_bindgen(method, getter, structural)]
    fn value(this: &Found) -> JsValue;
    #[wasm_bindgen(method, getter, structural)]
    fn metadata(this: &Found) -> JsValue;

    /// The metadata of an entry: `contract::kv::Metadata` as the object that KV makes of its JSON.
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

    /// A page of KV's list, as `glue.mjs` gives it.
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

/// An isolate's bindings, and the keys that it has imported.
pub(super) struct Edge {
    kv: JsValue,
    projects: JsValue,
    keys: RefCell<Vec<(PublicKey, JsValue)>>,
}

impl Edge {
    /// The bindings of the environment.
    pub(super) fn new(env: &Env) -> Self {
        Self { kv: resources(env), projects: binding(env, PROJECTS), keys: RefCell::default() }
    }

    /// The imported key, from the cache where it is there.
    async fn key(&self, key: &PublicKey) -> Result<JsValue, JsValue> {
        let known = self.keys.borrow().iter().find(|(known, _)| known == key).map(|(_, js)| js.clone());
        if let Some(js) = known {
            return Ok(js);
        }
        let promise = glue::import_key(&key.jwk, key.algorithm == Algorithm::Es256)?;
        let js = JsFuture::from(promise).await?;
        let mut keys = self.keys.borrow_mut();
        if keys.len() >= KEYS {
            keys.remove(0);
        }
        keys.push((key.clone(), js.clone()));
        Ok(js)
    }
}

impl Platform for Edge {
    type Raw = JsValue;

    fn now(&self) -> Millis {
        now()
    }

    fn random(&self, bytes: &mut [u8]) {
        random(bytes);
    }

    fn log(&self, line: &str) {
        worker::console_log!("{line}");
    }

    async fn kv_raw(&self, entry: &str) -> Result<Option<Entry<JsValue>>, Unreachable> {
        found(glue::kv_raw(&self.kv, entry)).await
    }

    async fn kv_text(&self, entry: &str) -> Result<Option<Entry<String>>, Unreachable> {
        let Some(Entry { value, metadata }) = found(glue::kv_text(&self.kv, entry)).await? else {
            return Ok(None);
        };
        Ok(value.as_string().map(|value| Entry { value, metadata }))
    }

    async fn object(&self, message: &Message) -> Result<Answer, Unreachable> {
        let bytes = wire::encode(message).map_err(Unreachable)?;
        let name = format!("v1/{}", message.project);
        let reply = settled(glue::perform(&self.projects, &name, &bytes)).await?;
        let bytes = reply.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec).unwrap_or_default();
        // An object that trapped has logged why and answers no bytes.
        if bytes.is_empty() {
            return Ok(Answer { reply: Reply::Error(ApiError::general()), replayed: false, query: None });
        }
        wire::decode(&bytes).map_err(|error| Unreachable(format!("object: {error}")))
    }

    async fn fetch_text(&self, url: &str) -> Result<String, Unreachable> {
        let text = settled(glue::fetch_text(url, FETCH_MS, FETCH_BYTES)).await;
        text.map(|text| text.as_string().unwrap_or_default())
            .map_err(|Unreachable(reason)| Unreachable(format!("{url}: {reason}")))
    }

    async fn verify(&self, key: &PublicKey, data: &[u8], signature: &[u8]) -> Result<bool, Unreachable> {
        let es256 = key.algorithm == Algorithm::Es256;
        let js = self.key(key).await.map_err(|thrown| unreachable(&thrown))?;
        let good = settled(glue::verify_signature(&js, es256, signature, data)).await?;
        Ok(good.is_truthy())
    }
}

/// The KV namespace of the environment; `undefined` where it is not bound, and then every use of it fails.
pub(super) fn resources(env: &Env) -> JsValue {
    binding(env, RESOURCES)
}

fn binding(env: &Env, name: &str) -> JsValue {
    js_sys::Reflect::get(env, &name.into()).unwrap_or_default()
}

/// The time in milliseconds since 1970; it stands still between two events.
pub(super) fn now() -> Millis {
    js_sys::Date::now() as Millis
}

/// Fills the bytes with unpredictable ones.
pub(super) fn random(bytes: &mut [u8]) {
    bytes.chunks_mut(RANDOM_BYTES).for_each(glue::random);
}

async fn settled(promise: Result<Promise, JsValue>) -> Result<JsValue, Unreachable> {
    match promise {
        Ok(promise) => JsFuture::from(promise).await.map_err(|thrown| unreachable(&thrown)),
        Err(thrown) => Err(unreachable(&thrown)),
    }
}

/// The entry that KV found; one without metadata that can be read is none, since the object knows the truth.
async fn found(promise: Result<Promise, JsValue>) -> Result<Option<Entry<JsValue>>, Unreachable> {
    let found: Found = settled(promise).await?.unchecked_into();
    let value = found.value();
    if value.is_null() {
        return Ok(None);
    }
    Ok(metadata(found.metadata()).map(|metadata| Entry { value, metadata }))
}

/// The entries of a page of KV's list, and where the next begins.
pub(super) fn listed(page: &Page) -> (Vec<Listed>, Option<String>) {
    let entry = |key: JsValue| {
        let key: PageKey = key.unchecked_into();
        Listed { entry: key.name(), metadata: metadata(key.listed_metadata()) }
    };
    (page.keys().iter().map(entry).collect(), page.cursor().as_string())
}

/// An entry's metadata; `None` where it is not what the object writes.
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

fn unreachable(thrown: &JsValue) -> Unreachable {
    Unreachable(glue::reason(thrown))
}
