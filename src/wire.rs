//! Values as bytes that another version of the code may read: between the worker and a project's object, where both run
//! side by side during a deploy, and the answers that an object remembers for repeats (D18). A format number, then
//! postcard; a format that is not known is refused, never guessed at.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The format of messages, answers and replies; it rises whenever one of their types changes. A call that is added at the end
/// changes no other: code that does not know it refuses it.
pub const FORMAT: u8 = 3;

/// What an object answers when it does not know the message's format, or cannot read it.
pub const UNKNOWN_FORMAT: [u8; 1] = [0];

/// The value with its format number.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, String> {
    postcard::to_extend(value, vec![FORMAT]).map_err(|error| error.to_string())
}

/// The value, where the format is known and the bytes hold one.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match bytes.split_first() {
        Some((&FORMAT, value)) => postcard::from_bytes(value).map_err(|error| error.to_string()),
        Some((other, _)) => Err(format!("format {other} is not known, {FORMAT} is")),
        None => Err("no bytes".to_owned()),
    }
}
