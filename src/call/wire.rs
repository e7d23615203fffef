//! Values as bytes that another version of the code can read. They are messages between the Worker and a project's
//! object, whose versions may differ during a deploy, and the responses that an object stores for replays (D18). A
//! format number precedes postcard bytes; an unknown format is rejected.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::contract::resource::own::OwnFields;

/// The format of messages, stored responses, and replies. It rises whenever one of their types changes. A call that is
/// added at the end changes no other: code without the call rejects it.
pub const FORMAT: u8 = 1;

/// The format of a value from an instance with own fields: their count and their [`OwnFields::fingerprint`] precede the
/// value.
const WITH_OWN_FIELDS: u8 = FORMAT | 0x80;

/// The reply of an object that does not support the message's format, or cannot read the message.
pub const UNKNOWN_FORMAT: [u8; 1] = [0];

/// Encodes the value after the format number.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, String> {
    postcard::to_extend(value, head()).map_err(|error| error.to_string())
}

/// Decodes the value if the format is known and the bytes are valid.
pub fn decode<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, String> {
    match bytes.split_first() {
        Some((&FORMAT, value)) => postcard::from_bytes(value).map_err(|error| error.to_string()),
        Some((&WITH_OWN_FIELDS, rest)) => {
            let value = after_own_fields(rest)
                .ok_or("the own fields of the sender are not those of this instance")?;
            postcard::from_bytes(value).map_err(|error| error.to_string())
        }
        Some((other, _)) => Err(format!("unknown format {other}, expected {FORMAT}")),
        None => Err("no bytes".to_owned()),
    }
}

fn head() -> Vec<u8> {
    let own = OwnFields::current();
    let count = own.fields.len();
    match (u8::try_from(count), own.fingerprint(count)) {
        (Ok(count @ 1..), Some(fingerprint)) => {
            [&[WITH_OWN_FIELDS, count][..], &fingerprint.to_be_bytes()].concat()
        }
        _ => vec![FORMAT],
    }
}

/// Returns the value if the fields of this instance begin with those of the sender. A field is its number in the value.
fn after_own_fields(bytes: &[u8]) -> Option<&[u8]> {
    let (count, bytes) = bytes.split_first()?;
    let (fingerprint, value) = bytes.split_first_chunk()?;
    let own = OwnFields::current().fingerprint(usize::from(*count))?;
    (own == u32::from_be_bytes(*fingerprint)).then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn a_value_is_read_only_if_its_own_fields_are_known() {
        let none = OwnFields::current();
        let table = |text| OwnFields::parse(text).unwrap();
        let one = table("a text");
        let two = table("a text\nb text");
        let [plain, of_one, of_two] = [none, one, two].map(|table| {
            table.install();
            encode(&7_u8).unwrap()
        });
        assert_eq!((plain.as_slice(), of_one.len()), (&[FORMAT, 7][..], 7));
        for (reader, accepted) in [
            (none, [true, false, false]),
            (one, [true, true, false]),
            (two, [true, true, true]),
            (table("b text\na text"), [true, false, false]),
            (table("a number\nb text"), [true, false, false]),
        ] {
            reader.install();
            for (bytes, accepted) in [&plain, &of_one, &of_two].into_iter().zip(accepted) {
                assert_eq!(decode::<u8>(bytes).ok(), accepted.then_some(7), "{}", reader.to_text());
            }
        }
        assert!(decode::<u8>(&of_two[..5]).is_err());
        none.install();
    }
}
