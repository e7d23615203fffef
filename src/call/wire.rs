//! Values as bytes that another version of the code can read. They are messages between the Worker and a project's
//! object, whose versions may differ during a deploy, and the responses that an object stores for replays (D18). A
//! format number precedes postcard bytes; an unknown format is rejected.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::contract::resource::OwnFields;

/// The format of messages, stored responses, and replies. It rises whenever one of their types changes. A call that is
/// added at the end changes no other: code without the call rejects it.
pub const FORMAT: u8 = 1;

/// The format of a value that names own fields: the count up to the last of them, and their
/// [`OwnFields::fingerprint`], precede the value. So instances whose tables differ understand each other as far as they
/// can, during a deploy that adds a field.
const WITH_OWN_FIELDS: u8 = FORMAT | 0x80;

/// The reply of an object that does not support the message's format, or cannot read the message.
pub const UNKNOWN_FORMAT: [u8; 1] = [0];

/// Encodes the value after the format number.
pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, String> {
    let (encoded, named) = OwnFields::count_named(|| postcard::to_extend(value, vec![FORMAT]));
    let mut bytes = encoded.map_err(|error| error.to_string())?;
    if let (Ok(count @ 1..), Some(fingerprint)) =
        (u8::try_from(named), OwnFields::current().fingerprint(named))
    {
        let head = [WITH_OWN_FIELDS, count].into_iter().chain(fingerprint.to_be_bytes());
        bytes.splice(..1, head);
    }
    Ok(bytes)
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
    use crate::contract::resource::{Content, FieldPath, FieldValues, Sort};
    use crate::test;

    #[test]
    fn a_value_is_read_only_if_the_own_fields_that_it_names_are_known() {
        let none = OwnFields::current();
        let table = |text| OwnFields::parse(text).unwrap();
        let one = table("a text");
        let two = table("a text\nb text");
        two.install();
        // A value as messages have it: an order, and the content of a body.
        let value = |named: usize| {
            let own = || two.fields.iter().take(named);
            let sort =
                own().map(|field| Sort { path: FieldPath::of(field.id), descending: true }).next_back();
            let content = own()
                .fold(Content::default(), |content, field| content.with(field.id, FieldValues::text("x")));
            (sort, content)
        };
        let values = [0, 1, 2].map(value);
        let sent = values.each_ref().map(|value| encode(value).unwrap());
        assert_eq!(sent.each_ref().map(|bytes| bytes[..2].to_vec()), [[FORMAT, 0], [0x81, 1], [0x81, 2]]);
        for (reader, accepted) in [
            (none, [true, false, false]),
            (one, [true, true, false]),
            (two, [true, true, true]),
            (table("b text\na text"), [true, false, false]),
            (table("a number\nb text"), [true, false, false]),
        ] {
            reader.install();
            for ((bytes, value), accepted) in sent.iter().zip(&values).zip(accepted) {
                let read = decode(bytes).ok();
                assert_eq!(read.as_ref(), accepted.then_some(value), "{}", reader.to_text());
            }
        }
        assert!(decode::<u8>(&sent[2][..5]).is_err());
        none.install();
    }
}
