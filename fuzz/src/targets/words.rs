//! The words of texts and the distances between them, compared with a slow and simple distance.

use resource_edge::search::{Matcher, fold, words};

use super::input::{Input, lossy};

pub fn run(data: &[u8]) {
    let mut input = Input(data);
    let text = input.text_line();
    for word in words(&text) {
        assert!(!word.is_empty() && !word.contains(|char: char| char == ' ' || char.is_ascii_control()));
        assert_eq!(fold(&word), word, "{text:?}");
        near(&word, &lossy(input.0));
    }
    near(&text, &lossy(input.0));
}

fn near(one: &str, other: &str) {
    // The time of the slow distance is the product of both lengths.
    let (one, other): (String, String) = (one.chars().take(40).collect(), other.chars().take(40).collect());
    let expected = distance(&one.chars().collect::<Vec<_>>(), &other.chars().collect::<Vec<_>>());
    for level in 0..=3 {
        let within = usize::from(level.min(2));
        let found = Matcher::new(&one, level).distance(&other).map(usize::from);
        assert_eq!(found, Some(expected).filter(|distance| *distance <= within), "{one:?} {other:?} {level}");
    }
}

/// Returns the optimal string alignment distance, by the whole matrix.
fn distance(one: &[char], other: &[char]) -> usize {
    let mut cells = vec![vec![0; other.len() + 1]; one.len() + 1];
    for i in 0..=one.len() {
        for j in 0..=other.len() {
            cells[i][j] = match (i, j) {
                (0, _) => j,
                (_, 0) => i,
                _ => {
                    let replaced = cells[i - 1][j - 1] + usize::from(one[i - 1] != other[j - 1]);
                    let smallest = replaced.min(cells[i - 1][j] + 1).min(cells[i][j - 1] + 1);
                    let swapped = i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1];
                    if swapped { smallest.min(cells[i - 2][j - 2] + 1) } else { smallest }
                }
            };
        }
    }
    cells[one.len()][other.len()]
}
