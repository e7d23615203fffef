//! The length of a text in code points, as `minLength` and `maxLength` count it. A long text is not read to its end.

/// Returns whether a text has at least `count` code points.
pub fn has_at_least(text: &str, count: usize) -> bool {
    // A code point has one to four bytes, so most texts need no counting.
    if text.len() < count {
        return false;
    }
    if text.len() / 4 >= count {
        return true;
    }
    let mut starts = text.bytes().filter(|byte| byte & 0b1100_0000 != 0b1000_0000);
    count.checked_sub(1).is_none_or(|before| starts.nth(before).is_some())
}

/// Returns whether a text has at most `count` code points.
pub fn has_at_most(text: &str, count: usize) -> bool {
    count.checked_add(1).is_none_or(|more| !has_at_least(text, more))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test;

    #[test]
    fn both_bounds_count_code_points() {
        for text in [
            "",
            "a",
            "lamp",
            "\u{e9}t\u{e9}",
            "\u{6f22}\u{5b57}",
            "\u{1f4a1}",
            "a\u{1f4a1}b\u{1f4a1}",
            "e\u{301}",
        ] {
            let length = text.chars().count();
            for count in (0..12).chain([usize::MAX]) {
                assert_eq!(has_at_least(text, count), length >= count, "{text:?} {count}");
                assert_eq!(has_at_most(text, count), length <= count, "{text:?} {count}");
            }
        }
    }
}
