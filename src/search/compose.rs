//! Composes a letter and the marks that follow it: macOS names files with `e` and an accent, keyboards send `é`.
//!
//! Ours instead of a crate, because those have all characters, and this table is 2 kB of compressed wasm. It has the
//! letters of living languages that stay when folded, without scripts in which all programs write the same form.

/// Appends a folded character to a folded text, or combines it with the last one.
pub(super) fn push(text: &mut String, c: char) {
    let composed =
        if c < '\u{300}' { None } else { text.chars().next_back().and_then(|last| compose(last, c)) };
    if composed.is_some() {
        text.pop();
    }
    text.push(composed.unwrap_or(c));
}

fn compose(letter: char, mark: char) -> Option<char> {
    if let Ok(at) = PAIRS.binary_search_by_key(&mark, |(mark, _)| *mark) {
        let (pairs, _) = PAIRS.get(at)?.1.as_chunks::<2>();
        let at = pairs.binary_search_by_key(&letter, |[letter, _]| *letter).ok()?;
        return pairs.get(at).map(|[_, composed]| *composed);
    }
    // A syllable of Hangul: 19 leads, 21 vowels, and 27 tails or none.
    let (first, second) = (u32::from(letter), u32::from(mark));
    char::from_u32(match (first, second) {
        (0x1100..=0x1112, 0x1161..=0x1175) => 0xac00 + ((first - 0x1100) * 21 + second - 0x1161) * 28,
        (0xac00..=0xd7a3, 0x11a8..=0x11c2) if (first - 0xac00).is_multiple_of(28) => first + second - 0x11a7,
        _ => return None,
    })
}

/// Marks, each with pairs of a letter and what the mark makes of it. A dot above makes no other letter of an `i`, so
/// that `İ`, which folds to both, is also an `i`.
#[rustfmt::skip]
const PAIRS: &[(char, &[char])] = &[
    ('\u{300}', &['a','à', 'e','è', 'i','ì', 'n','ǹ', 'o','ò', 'u','ù', 'w','ẁ', 'y','ỳ', 'â','ầ', 'ê','ề', 'ô','ồ',
    'ü','ǜ', 'ă','ằ', 'ē','ḕ', 'ō','ṑ', 'ơ','ờ', 'ư','ừ', 'е','ѐ', 'и','ѝ']), ('\u{301}', &['a','á', 'c','ć', 'e','é',
    'g','ǵ', 'i','í', 'k','ḱ', 'l','ĺ', 'm','ḿ', 'n','ń', 'o','ó', 'p','ṕ', 'r','ŕ', 's','ś', 'u','ú', 'w','ẃ',
    'y','ý', 'z','ź', 'â','ấ', 'å','ǻ', 'æ','ǽ', 'ç','ḉ', 'ê','ế', 'ï','ḯ', 'ô','ố', 'õ','ṍ', 'ø','ǿ', 'ü','ǘ',
    'ă','ắ', 'ē','ḗ', 'ō','ṓ', 'ũ','ṹ', 'ơ','ớ', 'ư','ứ', 'α','ά', 'ε','έ', 'η','ή', 'ι','ί', 'ο','ό', 'υ','ύ',
    'ω','ώ', 'ϒ','ϓ', 'г','ѓ', 'к','ќ']), ('\u{302}', &['a','â', 'c','ĉ', 'e','ê', 'g','ĝ', 'h','ĥ', 'i','î', 'j','ĵ',
    'o','ô', 's','ŝ', 'u','û', 'w','ŵ', 'y','ŷ', 'z','ẑ', 'ạ','ậ', 'ẹ','ệ', 'ọ','ộ']), ('\u{303}', &['a','ã', 'e','ẽ',
    'i','ĩ', 'n','ñ', 'o','õ', 'u','ũ', 'v','ṽ', 'y','ỹ', 'â','ẫ', 'ê','ễ', 'ô','ỗ', 'ă','ẵ', 'ơ','ỡ', 'ư','ữ']),
     ('\u{304}', &['a','ā', 'e','ē', 'g','ḡ', 'i','ī', 'o','ō', 'u','ū', 'y','ȳ', 'ä','ǟ', 'æ','ǣ', 'õ','ȭ', 'ö','ȫ',
    'ü','ǖ', 'ǫ','ǭ', 'ȧ','ǡ', 'ȯ','ȱ', 'и','ӣ', 'у','ӯ', 'ḷ','ḹ', 'ṛ','ṝ']), ('\u{306}', &['a','ă', 'e','ĕ', 'g','ğ',
    'i','ĭ', 'o','ŏ', 'u','ŭ', 'ȩ','ḝ', 'а','ӑ', 'е','ӗ', 'ж','ӂ', 'и','й', 'у','ў', 'ạ','ặ']), ('\u{307}', &['a','ȧ',
    'b','ḃ', 'c','ċ', 'd','ḋ', 'e','ė', 'f','ḟ', 'g','ġ', 'h','ḣ', 'i','i', 'm','ṁ', 'n','ṅ', 'o','ȯ', 'p','ṗ',
    'r','ṙ', 's','ṡ', 't','ṫ', 'w','ẇ', 'x','ẋ', 'y','ẏ', 'z','ż', 'ś','ṥ', 'š','ṧ', 'ṣ','ṩ']), ('\u{308}', &['a','ä',
    'e','ë', 'h','ḧ', 'i','ï', 'o','ö', 'u','ü', 'w','ẅ', 'x','ẍ', 'y','ÿ', 'õ','ṏ', 'ū','ṻ', 'ι','ϊ', 'υ','ϋ',
    'ϒ','ϔ', 'а','ӓ', 'е','ё', 'ж','ӝ', 'з','ӟ', 'и','ӥ', 'о','ӧ', 'у','ӱ', 'ч','ӵ', 'ы','ӹ', 'э','ӭ', 'і','ї',
    'ә','ӛ', 'ө','ӫ']), ('\u{309}', &['a','ả', 'e','ẻ', 'i','ỉ', 'o','ỏ', 'u','ủ', 'y','ỷ', 'â','ẩ', 'ê','ể', 'ô','ổ',
    'ă','ẳ', 'ơ','ở', 'ư','ử']), ('\u{30a}', &['a','å', 'u','ů']), ('\u{30b}', &['o','ő', 'u','ű', 'у','ӳ']),
     ('\u{30c}', &['a','ǎ', 'c','č', 'd','ď', 'e','ě', 'g','ǧ', 'h','ȟ', 'i','ǐ', 'k','ǩ', 'l','ľ', 'n','ň', 'o','ǒ',
    'r','ř', 's','š', 't','ť', 'u','ǔ', 'z','ž', 'ü','ǚ', 'ʒ','ǯ']), ('\u{31b}', &['o','ơ', 'u','ư', 'ò','ờ', 'ó','ớ',
    'õ','ỡ', 'ù','ừ', 'ú','ứ', 'ũ','ữ', 'ọ','ợ', 'ỏ','ở', 'ụ','ự', 'ủ','ử']), ('\u{323}', &['a','ạ', 'b','ḅ', 'd','ḍ',
    'e','ẹ', 'h','ḥ', 'i','ị', 'k','ḳ', 'l','ḷ', 'm','ṃ', 'n','ṇ', 'o','ọ', 'r','ṛ', 's','ṣ', 't','ṭ', 'u','ụ',
    'v','ṿ', 'w','ẉ', 'y','ỵ', 'z','ẓ', 'â','ậ', 'ê','ệ', 'ô','ộ', 'ă','ặ', 'ơ','ợ', 'ư','ự', 'ṡ','ṩ']), ('\u{326}', &[
    's','ș', 't','ț']), ('\u{327}', &['c','ç', 'd','ḑ', 'e','ȩ', 'g','ģ', 'h','ḩ', 'k','ķ', 'l','ļ', 'n','ņ', 'r','ŗ',
    's','ş', 't','ţ', 'ć','ḉ', 'ĕ','ḝ']), ('\u{328}', &['a','ą', 'e','ę', 'i','į', 'o','ǫ', 'u','ų', 'ō','ǭ']),
     ('\u{331}', &['b','ḇ', 'd','ḏ', 'k','ḵ', 'l','ḻ', 'n','ṉ', 'r','ṟ', 't','ṯ', 'z','ẕ']), ('\u{653}', &['ا','آ']),
     ('\u{654}', &['ا','أ', 'و','ؤ', 'ي','ئ', 'ہ','ۂ', 'ے','ۓ', 'ە','ۀ']), ('\u{655}', &['ا','إ']), ('\u{93c}', &[
    'क','\u{958}', 'ख','\u{959}', 'ग','\u{95a}', 'ज','\u{95b}', 'ड','\u{95c}', 'ढ','\u{95d}', 'न','ऩ', 'फ','\u{95e}',
    'य','\u{95f}', 'र','ऱ', 'ळ','ऴ']), ('\u{9bc}', &['ড','\u{9dc}', 'ঢ','\u{9dd}', 'য','\u{9df}']), ('\u{9be}', &[
    '\u{9c7}','\u{9cb}']), ('\u{9d7}', &['\u{9c7}','\u{9cc}']), ('\u{a3c}', &['ਖ','\u{a59}', 'ਗ','\u{a5a}',
    'ਜ','\u{a5b}', 'ਫ','\u{a5e}', 'ਲ','\u{a33}', 'ਸ','\u{a36}']), ('\u{b3c}', &['ଡ','\u{b5c}', 'ଢ','\u{b5d}']),
     ('\u{b3e}', &['\u{b47}','\u{b4b}']), ('\u{b56}', &['\u{b47}','\u{b48}']), ('\u{b57}', &['\u{b47}','\u{b4c}']),
     ('\u{bbe}', &['\u{bc6}','\u{bca}', '\u{bc7}','\u{bcb}']), ('\u{bd7}', &['ஒ','ஔ', '\u{bc6}','\u{bcc}']),
     ('\u{c56}', &['\u{c46}','\u{c48}']), ('\u{cc2}', &['\u{cc6}','\u{cca}']), ('\u{cd5}', &['\u{cbf}','\u{cc0}',
    '\u{cc6}','\u{cc7}', '\u{cca}','\u{ccb}']), ('\u{cd6}', &['\u{cc6}','\u{cc8}']), ('\u{d3e}', &[
    '\u{d46}','\u{d4a}', '\u{d47}','\u{d4b}']), ('\u{d57}', &['\u{d46}','\u{d4c}']), ('\u{dca}', &[
    '\u{dd9}','\u{dda}', '\u{ddc}','\u{ddd}']), ('\u{dcf}', &['\u{dd9}','\u{ddc}']), ('\u{ddf}', &[
    '\u{dd9}','\u{dde}']), ('\u{102e}', &['ဥ','ဦ']), ('\u{3099}', &['う','ゔ', 'か','が', 'き','ぎ', 'く','ぐ', 'け','げ',
    'こ','ご', 'さ','ざ', 'し','じ', 'す','ず', 'せ','ぜ', 'そ','ぞ', 'た','だ', 'ち','ぢ', 'つ','づ', 'て','で', 'と','ど', 'は','ば',
    'ひ','び', 'ふ','ぶ', 'へ','べ', 'ほ','ぼ', 'ゝ','ゞ', 'ウ','ヴ', 'カ','ガ', 'キ','ギ', 'ク','グ', 'ケ','ゲ', 'コ','ゴ', 'サ','ザ',
    'シ','ジ', 'ス','ズ', 'セ','ゼ', 'ソ','ゾ', 'タ','ダ', 'チ','ヂ', 'ツ','ヅ', 'テ','デ', 'ト','ド', 'ハ','バ', 'ヒ','ビ', 'フ','ブ',
    'ヘ','ベ', 'ホ','ボ', 'ワ','ヷ', 'ヰ','ヸ', 'ヱ','ヹ', 'ヲ','ヺ', 'ヽ','ヾ']), ('\u{309a}', &['は','ぱ', 'ひ','ぴ', 'ふ','ぷ',
    'へ','ぺ', 'ほ','ぽ', 'ハ','パ', 'ヒ','ピ', 'フ','プ', 'ヘ','ペ', 'ホ','ポ']),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::fold;
    use crate::test;

    fn pairs() -> impl Iterator<Item = (char, char, char)> {
        let of =
            |(mark, pairs): &'static (char, &[char])| pairs.chunks(2).map(|pair| (pair[0], *mark, pair[1]));
        PAIRS.iter().flat_map(of)
    }

    #[test]
    fn every_pair_is_canonically_equivalent_to_its_letter_and_stays_when_folded() {
        assert!(PAIRS.is_sorted_by_key(|(mark, _)| *mark));
        assert!(PAIRS.iter().all(|(_, pairs)| pairs.as_chunks::<2>().0.is_sorted() && pairs.len() % 2 == 0));
        for (letter, mark, composed) in pairs().filter(|(letter, ..)| *letter != 'i') {
            let (two, one) = (format!("{letter}{mark}"), composed.to_string());
            assert!(caseless::canonical_caseless_match_str(&two, &one), "{two:?} {one:?}");
            assert_eq!(fold(&one), one);
            assert_eq!(fold(&two), one);
            assert!(
                PAIRS.iter().all(|(mark, _)| *mark != composed),
                "{composed:?} would have to compose again"
            );
        }
    }

    #[test]
    fn every_syllable_of_hangul_is_composed_of_its_letters() {
        let leads = '\u{1100}'..='\u{1112}';
        let all = leads.flat_map(|lead| ('\u{1161}'..='\u{1175}').map(move |vowel| format!("{lead}{vowel}")));
        let all = all.flat_map(|open| {
            let tails = ('\u{11a8}'..='\u{11c2}').map(|tail| format!("{open}{tail}")).collect::<Vec<_>>();
            [open].into_iter().chain(tails)
        });
        assert!(all.map(|letters| fold(&letters)).eq(('\u{ac00}'..='\u{d7a3}').map(String::from)));
    }
}
