//! Values as bytes that another version of the code can read. They are messages between the Worker and a project's
//! object, whose versions may differ during a deploy, and the responses that an object stores for replays (D18). A
//! format number precedes postcard bytes; an unknown format is rejected.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The format of messages, stored responses, and replies. It rises whenever one of their types changes. A call that is
/// added at the end changes no other: code without the call rejects it.
pub const FORMAT: u8 = 1;

/// The reply of an object that does not support the message's format, or cannot read the message.
pub const UNKNOWN_FORMAT: [u8; 1] = [0];

/// Encodes the value after the format number.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, String> {
    postcard::to_extend(value, vec![FORMAT]).map_err(|error| error.to_string())
}

/// Decodes the value if the format is known and the bytes are valid.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match bytes.split_first() {
        Some((&FORMAT, value)) => postcard::from_bytes(value).map_err(|error| error.to_string()),
        Some((other, _)) => Err(format!("unknown format {other}, expected {FORMAT}")),
        None => Err("no bytes".to_owned()),
    }
}
