//! The messages that JavaScript writes into the buffer for one call into Rust, and their one layout:
//!
//! | part | bytes |
//! |---|---|
//! | numbers | 8 each: little-endian `f64` in the order of the definition; a flag is 0 or 1, an absent number is NaN |
//! | count of texts | 4: little-endian `u32` |
//! | length of each text in bytes | 4 each: little-endian `u32` |
//! | texts | UTF-8, with nothing between them: first those of the definition, then its list |
//!
//! `message!` defines a message once: as a struct with a decoder, and as a [`Layout`], from which `.ci/generator`
//! generates the writer in `pkg/src/generated/messages.ts`. This form costs a third of passing strings, and a call
//! sends all its data in one piece.

use super::operation::{ClientOperation, OPERATIONS};
use crate::util::time::Millis;

/// The names of a message's parts, in order.
#[derive(Debug)]
pub struct Layout {
    pub name: &'static str,
    pub numbers: &'static [&'static str],
    pub texts: &'static [&'static str],
    /// The list of texts at its end, if it has one.
    pub list: &'static [&'static str],
}

/// Defines a message: its numbers with their types, its texts, and optionally a list of texts at its end.
macro_rules! message {
    (
        $(#[$about:meta])* $name:ident {
            numbers { $($(#[$number_about:meta])* $number:ident: $type:ty,)* }
            texts { $($(#[$text_about:meta])* $text:ident,)* }
            $(list { $(#[$list_about:meta])* $list:ident })?
        }
    ) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, Default)]
        pub struct $name<'a> {
            $($(#[$number_about])* pub $number: $type,)*
            $($(#[$text_about])* pub $text: &'a str,)*
            $($(#[$list_about])* pub $list: $crate::client::message::TextList<'a>,)?
        }

        impl<'a> $name<'a> {
            /// The names of its parts.
            pub const LAYOUT: $crate::client::message::Layout = $crate::client::message::Layout {
                name: stringify!($name),
                numbers: &[$(stringify!($number)),*],
                texts: &[$(stringify!($text)),*],
                list: &[$(stringify!($list))?],
            };

            /// Decodes the message. Parts that are missing at its end are absent or empty.
            pub fn decode(bytes: &'a [u8]) -> Self {
                let mut rest = bytes;
                $(let $number = $crate::client::message::Number::of($crate::client::message::take_number(&mut rest));)*
                let mut texts = $crate::client::message::TextList::decode(rest);
                $(let $text = texts.take().unwrap_or_default();)*
                Self { $($number,)* $($text,)* $($list: texts)? }
            }
        }
    };
}
pub(super) use message;

/// A number of a message as its type.
pub(super) trait Number {
    /// Converts it. A value outside the type's range becomes the nearest value, or `None`.
    fn of(number: f64) -> Self;
}

impl Number for bool {
    fn of(number: f64) -> Self {
        number > 0.0
    }
}

impl Number for u32 {
    fn of(number: f64) -> Self {
        number as Self
    }
}

impl Number for Millis {
    /// Converts milliseconds. `f64::INFINITY` saturates to `Millis::MAX`.
    fn of(number: f64) -> Self {
        number as Self
    }
}

impl Number for Option<Millis> {
    fn of(number: f64) -> Self {
        const MAX: f64 = 9_007_199_254_740_991.0;
        (0.0..=MAX).contains(&number).then_some(number as Millis)
    }
}

impl Number for Option<&'static ClientOperation> {
    /// Converts the operation's index in the table.
    fn of(number: f64) -> Self {
        OPERATIONS.get(Option::<Millis>::of(number)? as usize)
    }
}

/// Removes and returns the first number; NaN if there is none.
#[inline(never)]
pub(super) fn take_number(bytes: &mut &[u8]) -> f64 {
    let Some((number, rest)) = bytes.split_first_chunk() else { return f64::NAN };
    *bytes = rest;
    f64::from_le_bytes(*number)
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TextList<'a> {
    lengths: &'a [[u8; 4]],
    text: &'a str,
}

impl<'a> TextList<'a> {
    /// Decodes a list: a message without numbers.
    #[inline(never)]
    pub fn decode(bytes: &'a [u8]) -> Self {
        let (lengths, text) = bytes
            .split_first_chunk()
            .and_then(|(count, rest)| {
                rest.split_at_checked((u32::from_le_bytes(*count) as usize).checked_mul(4)?)
            })
            .unwrap_or_default();
        Self { lengths: lengths.as_chunks().0, text: core::str::from_utf8(text).unwrap_or_default() }
    }

    /// Removes and returns the next text.
    #[inline(never)]
    pub(super) fn take(&mut self) -> Option<&'a str> {
        let (length, lengths) = self.lengths.split_first()?;
        let (text, rest) = self.text.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        *self = Self { lengths, text: rest };
        Some(text)
    }

    /// Removes and returns the next two texts.
    pub(super) fn take_pair(&mut self) -> Option<(&'a str, &'a str)> {
        Some((self.take()?, self.take()?))
    }
}

/// Encodes a message as `putMessage` in `pkg/src/core/instance.ts` does.
pub fn encode(numbers: &[f64], texts: &[&str]) -> Vec<u8> {
    let mut bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
    bytes.extend((texts.len() as u32).to_le_bytes());
    bytes.extend(texts.iter().flat_map(|text| (text.len() as u32).to_le_bytes()));
    bytes.extend(texts.iter().flat_map(|text| text.bytes()));
    bytes
}

#[cfg(test)]
mod tests {
    #![allow(unreachable_pub, reason = "the macro defines messages for every layer")]

    use super::*;
    use crate::test;

    message! {
        /// A message of the tests.
        Sample {
            numbers {
                /// A flag.
                flag: bool,
                /// An instant.
                instant: Millis,
                /// A number that may be absent.
                maybe: Option<Millis>,
            }
            texts {
                /// The first text.
                one,
                /// The second text.
                two,
            }
            list {
                /// The others.
                others
            }
        }
    }

    #[test]
    fn parts_are_decoded_in_the_order_of_the_definition() {
        let bytes = encode(&[1.0, 1e12, 7.0], &["ä", "", "c\0d", "€"]);
        let sample = Sample::decode(&bytes);
        assert_eq!((sample.flag, sample.instant, sample.maybe), (true, 1_000_000_000_000, Some(7)));
        assert_eq!((sample.one, sample.two), ("ä", ""));
        let mut others = sample.others;
        assert_eq!((others.take_pair(), others.take()), (Some(("c\0d", "€")), None));
        assert_eq!(Sample::LAYOUT.numbers, ["flag", "instant", "maybe"]);
        assert_eq!((Sample::LAYOUT.texts, Sample::LAYOUT.list), (&["one", "two"][..], &["others"][..]));
    }

    #[test]
    fn a_message_that_is_cut_anywhere_is_decoded_without_a_panic() {
        let bytes = encode(&[0.0, f64::INFINITY, f64::NAN], &["äöü", "b"]);
        for end in 0..bytes.len() {
            let sample = Sample::decode(&bytes[..end]);
            assert!(!sample.flag && sample.maybe.is_none() && sample.two.is_empty(), "{end}");
        }
        assert_eq!(Sample::decode(&bytes).instant, Millis::MAX);
        assert_eq!(TextList::decode(&u32::MAX.to_le_bytes()).take(), None);
    }

    #[test]
    fn a_number_that_is_no_revision_is_absent() {
        for bad in [f64::NAN, -1.0, f64::INFINITY, 1e19] {
            assert_eq!(Option::<Millis>::of(bad), None, "{bad}");
        }
        assert_eq!(Option::<Millis>::of(0.0), Some(0));
    }
}
