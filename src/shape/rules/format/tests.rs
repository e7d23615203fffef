//! Texts that have a format, and texts that lack it.

use super::TextFormat::{Date, DateTime, Email, Hostname, Ipv4, Ipv6, Time, Uri, Uuid};
use super::*;
use crate::test;

/// Checks texts that have a format, and texts that lack it: spaces separate them, and `{SP}` means a space inside.
#[track_caller]
fn check(format: TextFormat, valid: &str, invalid: &str) {
    let texts =
        |list: &str| -> Vec<String> { list.split(' ').map(|text| text.replace("{SP}", " ")).collect() };
    let valid = texts(valid);
    for text in &valid {
        assert!(format.fits(text), "{} must fit {text:?}", format.name());
    }
    // No format accepts a part of a text, or other characters than those of ASCII.
    let around =
        valid.iter().flat_map(|text| [format!(" {text}"), format!("{text}\n"), format!("{text}\u{ff11}")]);
    for text in texts(invalid).into_iter().chain(around).chain([String::new()]) {
        assert!(!format.fits(&text), "{} must not fit {text:?}", format.name());
    }
}

#[test]
fn formats_have_the_names_of_json_schema() {
    for format in TextFormat::ALL {
        assert_eq!(TextFormat::from_name(format.name()), Some(*format));
    }
    assert_eq!(TextFormat::from_name("date-time"), Some(DateTime));
    assert_eq!(TextFormat::from_name("Email"), None);
    assert_eq!(TextFormat::from_name("duration"), None);
}

#[test]
fn a_date_is_a_real_day() {
    check(
        Date,
        "2024-02-29 2000-02-29 1900-02-28 0000-01-01 9999-12-31 2023-04-30",
        "2023-02-29 1900-02-29 2023-04-31 2023-12-32 2023-13-01 2023-00-10 2023-10-00 2023-1-1 23-01-01 \
         2023/01/01 20230101 -023-01-01 2023-01 2023-01-+1 2024-02-29T 2024-02-2\u{664}",
    );
}

#[test]
fn a_time_has_an_offset_and_a_leap_second_only_at_midnight_in_utc() {
    check(
        Time,
        "00:00:00Z 23:59:59.1z 12:30:00.123456789012-11:30 12:30:00-00:00 23:59:60Z 00:59:60.5+01:00 \
         18:59:60-05:00",
        "12:30:00 12:30Z 24:00:00Z 12:60:00Z 12:30:61Z 12:30:60Z 23:59:60-01:00 12:30:00.Z 12:30:00,5Z \
         12:30:00+1:00 12:30:00+24:00 12:30:00+01:60 12:30:00+0100 1:30:00Z T12:30:00Z 12:30:00Z+01:00",
    );
}

#[test]
fn a_date_time_has_both_parts_and_an_offset() {
    check(
        DateTime,
        "2024-02-29T12:00:00Z 2024-02-29t12:00:00.5z 2024-02-29T12:00:00+05:45 2024-12-31T23:59:60Z \
         2025-01-01T08:59:60.999+09:00",
        "2024-02-29 12:00:00Z 2024-02-29{SP}12:00:00Z 2024-02-29T12:00:00 2024-02-30T12:00:00Z \
         2024-02-29T12:00Z 2024-02-29T12:00:60Z 2024-02-29TT12:00:00Z 2024-02-2\u{664}T12:00:00Z",
    );
}

#[test]
fn an_email_address_has_a_local_part_and_a_host() {
    check(
        Email,
        "ada@example.com ada.b+tag@mail.example.com ADA@localhost !#$%&'*/=?^_`{|}~-@example.com \
         \"\"@example.com \"a{SP}b\\\"c\\\\d..@\"@example.com ada@[192.0.2.1] ada@[ipv6:2001:db8::1]",
        "ada @ ada@ @example.com ada@@example.com a.@example.com .a@example.com a..b@example.com \
         a{SP}b@example.com \"a\"b@example.com \"a\"b\"@example.com \"a\\\"@example.com \"@example.com \
         \"a\u{7f}\"@example.com ada@-example.com ada@example..com ada@example.com. ada@ex_ample.com \
         ada@[192.0.2] ada@[192.0.2.1 ada@[2001:db8::1] ada@[IPv6:192.0.2.1] ada@[tag:text] ada@[] \
         \u{e9}@example.com ada@ex\u{e4}mple.com Ada{SP}<ada@example.com> a@example.com,b@example.com",
    );
    for (length, expected) in [(64, true), (65, false)] {
        assert_eq!(Email.fits(&format!("{}@example.com", "a".repeat(length))), expected, "{length}");
    }
}

#[test]
fn a_uri_has_a_scheme_and_only_the_characters_of_its_parts() {
    check(
        Uri,
        "https://example.com https://example.com/a/b;c=1/@:?d=/?#e?/ HTTP://user:pass@EXAMPLE.com:8080/ \
         http://example.com:/ http://[2001:db8::1]:80/a http://[::] http://[v1F.a:b]/ file:///etc/hosts \
         a+b-c.1: mailto:ada@example.com urn:isbn:0451450523 x:/a//b http://%41:%7e@%42/%43?%44#%45 \
         data:text/plain,hi",
        "example.com /a //example.com ?a:b :a 1a:b a_b:c \u{e9}:a http://exa{SP}mple.com http://example.com/[a] \
         http://example.com/a#b#c http://example.com/%4 http://example.com/%zz http://example.com/\u{e9} \
         http://a@b@c/ http://example.com:8a/ http://a:1:2/ http://[::1 http://[::1]a/ http://[::1]a:1/ \
         http://[::1]:a/ http://[1.2.3.4]/ http://[v.a]/ http://[v1.]/ http://[vg.a]/ http://[v1.%41]/ \
         http://[fe80::1%25en0]/ http://us[er@example.com/ http://::1/ a:\"b\" a:\\b http://example.com/{id}",
    );
}

#[test]
fn a_uuid_has_hyphens_at_four_places() {
    check(
        Uuid,
        "0190b0f2-7c3e-7d4a-9b1c-2d3e4f5a6b7c FFFFFFFF-ffff-FFFF-ffff-FFFFFFFFFFFF",
        "0190b0f27c3e7d4a9b1c2d3e4f5a6b7c {0190b0f2-7c3e-7d4a-9b1c-2d3e4f5a6b7c} \
         0190b0f2-7c3e-7d4a-9b1c-2d3e4f5a6b7 0190b0f27-c3e-7d4a-9b1c-2d3e4f5a6b7c \
         0190b0f2-7c3e-7d4a-9b1c-2d3e4f5a6b7g 0190b0f2+7c3e-7d4a-9b1c-2d3e4f5a6b7c",
    );
}

#[test]
fn a_hostname_has_labels_of_letters_digits_and_hyphens() {
    check(
        Hostname,
        "localhost a 3com 192.0.2.1 r4---sn-a.example EXAMPLE.com",
        ". a. .a a..b -a a- a.-b a_b a{SP}b a/b ex\u{e4}mple a\u{3002}b a:80",
    );
    let label = |length| "a".repeat(length);
    for (last, expected) in [(61, true), (62, false)] {
        assert_eq!(
            Hostname.fits(&[label(63), label(63), label(63), label(last)].join(".")),
            expected,
            "{last}"
        );
    }
    assert!(!Hostname.fits(&label(64)));
}

#[test]
fn an_encoded_label_is_decoded() {
    check(
        Hostname,
        // German in any case, Chinese, Russian, Persian with a non-joiner, Hindi with marks, Japanese.
        "xn--bcher-kva.example XN--BCHER-KVA.example xn--mnchen-3ya.xn--fiqs8s xn--strae-oqa \
         xn--e1afmkfd.xn--p1ai xn--mgba3gch31f060k xn--11b5bs3a9aj6g xn--eckwd4c7c.xn--zckzah \
         xn--n8jok5ay5dzabd5bym9f0cm5685rrjetr6pdxa",
        // A number without an end, nothing that needs the encoding, a number that is too large, a symbol.
        "xn-- xn--z xn--abc- xn--abc xn--99999999 xn--zzzzzzzz99999 xn--\u{e9} xn--ls8h \
         xn--bcher-kva.xn--abc xn--Bcher-kva.xn--ls8h",
    );
}

#[test]
fn an_ipv4_address_has_four_numbers() {
    check(
        Ipv4,
        "0.0.0.0 192.0.2.1 255.255.255.255 10.0.100.99",
        "1.2.3 1.2.3.4.5 1.2.3.256 1.2.3.04 1.2.3. 1..3.4 00.1.2.3 1.2.3.1000 0x1.2.3.4 1.2.3.4/8 1.2.3.4:80",
    );
}

#[test]
fn an_ipv6_address_has_eight_groups_or_a_gap() {
    check(
        Ipv6,
        ":: ::1 1:: 2001:DB8::1 1:2:3:4:5:6:7:8 1:2:3:4:5:6:7:: ::2:3:4:5:6:7:8 ::192.0.2.1 64:ff9b::192.0.2.1 \
         1:2:3:4:5:6:192.0.2.1",
        ": ::: 1: :1 1::2::3 1:2:3:4:5:6:7 1:2:3:4:5:6:7:8:9 1::2:3:4:5:6:7:8 12345:: ::g ::192.0.2 192.0.2.1:: \
         ::192.0.2.1:1 192.0.2.1 ::192.0.2.01 1:2:3:4:5:6:7:192.0.2.1 fe80::1%en0 [::1] ::/64",
    );
}
