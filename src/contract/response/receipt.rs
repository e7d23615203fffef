//! The receipt: the body of a 202 (D15).

use crate::util::time::{self, Millis};

/// Returns the date and time sample object (`interface.md`, Resources; D15): one instant in its six formats, as JSON.
pub fn json(instant: Millis) -> String {
    let full = time::format(instant);
    let date = full.get(..10).unwrap_or_default();
    let clock = full.get(11..19).unwrap_or_default();
    format!(
        "{{\"dateOnlyExample\":\"{date}\",\"timeOnlyExample\":\"{clock}\",\
         \"dateTimeOnlyExample\":\"{date}T{clock}\",\"dateTimeExample\":\"{full}\",\
         \"dateTimeExampleDefaultFormat\":\"{full}\",\
         \"dateTimeExampleRfc\":\"{}\"}}",
        time::http_date(instant)
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn the_sample_object_shows_one_instant_in_six_formats() {
        assert_eq!(
            json(951_827_696_789),
            "{\"dateOnlyExample\":\"2000-02-29\",\"timeOnlyExample\":\"12:34:56\",\
             \"dateTimeOnlyExample\":\"2000-02-29T12:34:56\",\"dateTimeExample\":\"2000-02-29T12:34:56.789Z\",\
             \"dateTimeExampleDefaultFormat\":\"2000-02-29T12:34:56.789Z\",\
             \"dateTimeExampleRfc\":\"Tue, 29 Feb 2000 12:34:56 GMT\"}"
        );
    }
}
