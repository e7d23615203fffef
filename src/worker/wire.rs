//! The bytes between the worker and a project's object: a format number, then postcard. Both versions of the code run
//! side by side during a deploy, so a format that is not known is refused, never guessed at.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The format of messages and replies; it rises whenever a type that crosses changes.
const FORMAT: u8 = 1;

/// What an object answers when it does not know the message's format, or cannot read it.
pub(super) const UNKNOWN_FORMAT: [u8; 1] = [0];

/// The value with its format number.
pub(super) fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, String> {
    postcard::to_extend(value, vec![FORMAT]).map_err(|error| error.to_string())
}

/// The value, where the format is known and the bytes hold one.
pub(super) fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match bytes.split_first() {
        Some((&FORMAT, value)) => postcard::from_bytes(value).map_err(|error| error.to_string()),
        Some((other, _)) => Err(format!("format {other} is not known, {FORMAT} is")),
        None => Err("no bytes".to_owned()),
    }
}
