//! The last line of a complete export (D32).

use crate::contract::position::ProjectPosition;
use crate::util::json::ObjectWriter;

/// What a project has at a position: its resources, and the last deletion of each ID, also of one that was created
/// again. Two projects with the same ones have equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct States {
    /// The number of resources and deletions.
    pub lines: u64,
    /// The lower 32 bits of the sum of the revisions of their states. It differs if a state is an older one.
    pub checksum: u64,
}

/// The last line of a complete export: the position that it reached, and what the project has there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportEnd {
    pub position: ProjectPosition,
    pub states: States,
}

const END: &str = "end";
const LINES: &str = "lines";
const CHECKSUM: &str = "checksum";

impl ExportEnd {
    pub const BEGINNING: &str = "{\"end\":";

    /// The longest such line, in bytes.
    pub const BYTES: usize = 128;

    pub fn write(&self, out: &mut String) {
        let mut object = ObjectWriter::open(out);
        object.text(END, &self.position.to_string());
        // Both are below 2^53.
        object.integer(LINES, self.states.lines as i64);
        object.integer(CHECKSUM, self.states.checksum as i64);
        object.close();
    }

    /// Parses a line that [`Self::write`] wrote; `None` for any other text.
    pub fn parse(line: &str) -> Option<Self> {
        let rest = line.strip_prefix(Self::BEGINNING)?.strip_prefix('"')?;
        let (position, rest) = rest.split_once('"')?;
        let (lines, checksum) = rest.strip_prefix(",\"lines\":")?.split_once(",\"checksum\":")?;
        let states =
            States { lines: lines.parse().ok()?, checksum: checksum.strip_suffix('}')?.parse().ok()? };
        let end = Self { position: ProjectPosition::parse(position)?, states };
        // The numbers may have other forms, such as `+2`.
        let mut written = String::new();
        end.write(&mut written);
        (written == line).then_some(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::limits;
    use crate::test;

    #[test]
    fn the_end_of_an_export_is_parsed_from_its_line() {
        let longest = ProjectPosition { history: "f".repeat(32), revision: limits::INTEGER_MAX as u64 };
        for (position, lines, checksum) in [
            (ProjectPosition { history: "a0".to_owned(), revision: 0 }, 0, 0),
            (longest, 1 << 52, 0xffff_ffff),
        ] {
            let end = ExportEnd { position, states: States { lines, checksum } };
            let mut line = String::new();
            end.write(&mut line);
            assert!(line.len() <= ExportEnd::BYTES, "{line}");
            assert_eq!(ExportEnd::parse(&line), Some(end));
        }
    }

    #[test]
    fn other_lines_are_no_end() {
        let good = "{\"end\":\"a.1\",\"lines\":2,\"checksum\":3}";
        assert!(ExportEnd::parse(good).is_some());
        for (part, other) in [
            ("a.1", "a"),
            ("a.1", "1"),
            (":2", ":-2"),
            (":2", ":\"2\""),
            (":2", ":+2"),
            (":3", ":x"),
            (":3", ":03"),
            (":3", ":18446744073709551615"),
            ("}", ""),
            ("}", "} "),
            ("end", "End"),
        ] {
            assert_eq!(ExportEnd::parse(&good.replace(part, other)), None, "{part} {other}");
        }
        assert_eq!(ExportEnd::parse(good.strip_suffix(",\"checksum\":3}").unwrap()), None);
    }
}
