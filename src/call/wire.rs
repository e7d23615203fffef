//! Values as bytes that another version of the code can read. They are messages between the Worker and a project's
//! object, whose versions may differ during a deploy, and the responses that an object stores for replays (D18). A
//! format number precedes postcard bytes; an unknown format is rejected.

use serde::Serialize;
use serde::de::DeserializeOwned;

/// The format of messages, stored responses, and replies. It rises whenever one of their types changes. A call that is
/// added at the end changes no other: code without the call rejects it.
pub const FORMAT: u8 = 3;

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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::{Content, FieldPath, Shape, Sort};
    use crate::test;

    #[test]
    fn a_value_names_its_fields_and_is_read_whatever_fields_the_reader_has() {
        let schema =
            r#"{"type":"object","properties":{"moments":{"type":"array","items":{"type":"string"}}}}"#;
        let shape = Shape::of_schema(schema).unwrap();
        let mut path = shape.field_of(None, "moments").and_then(|field| field.path).unwrap();
        path.number = 7;
        let content = Content::from_iter([("moments", "[]"), ("gone", "1")]);
        let bytes = encode(&(Sort { path: path.clone(), descending: true }, &content)).unwrap();
        let (sort, read): (Sort, Content) = decode(&bytes).unwrap();
        assert_eq!((&sort.path, sort.descending, read), (&path, true, content));
        // Each project has its own numbers.
        let FieldPath { number, .. } = sort.path;
        assert_eq!(number, 0);
    }

    #[test]
    fn other_formats_and_broken_bytes_are_refused() {
        let bytes = encode(&"text").unwrap();
        assert_eq!(decode::<String>(&bytes), Ok("text".to_owned()));
        let other = [&[FORMAT + 1], &bytes[1..]].concat();
        for wrong in [&[][..], &bytes[..3], &other] {
            assert!(decode::<String>(wrong).is_err(), "{wrong:?}");
        }
    }
}
