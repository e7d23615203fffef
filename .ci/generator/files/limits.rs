//! The limits that callers can exceed, and the name of the built-in issuer, as constants for JavaScript.

use std::fmt::Write as _;

use resource_edge::contract::limits::{self, LimitKind};
use resource_edge::server::settings::BUILT_IN_ISSUER;

use super::head;
use super::names::from_snake;

/// Returns the text of `limits.ts`.
pub(super) fn typescript() -> String {
    let mut out =
        head("the limits (src/contract/limits.rs) and the built-in issuer (src/server/settings.rs)");
    out.push_str(
        "\n/** The limits of the service. */\nexport const limits = /* @__PURE__ */ Object.freeze({\n",
    );
    for limit in limits::ALL.iter().filter(|limit| limit.kind == LimitKind::Exported) {
        writeln!(out, "  /** {} */\n  {}: {},", about(limit.about), from_snake(limit.name), limit.value)
            .unwrap();
    }
    out.push_str("});\n\n/** The issuer and the audience of tokens that `TOKEN_SECRET` signs. */\n");
    writeln!(out, "export const ISSUER = \"{BUILT_IN_ISSUER}\";").unwrap();
    out
}

/// Returns what a limit means without the sources in parentheses, and with the names of other limits in JavaScript.
fn about(text: &str) -> String {
    let mut text = text.to_owned();
    for source in [" (D", " (contract, "] {
        while let Some((before, rest)) = text.split_once(source) {
            let (_, after) = rest.split_once(')').unwrap();
            text = format!("{before}{after}");
        }
    }
    while let Some((before, rest)) = text.split_once("[`") {
        let (other, after) = rest.split_once("`]").unwrap();
        text = format!("{before}`{}`{after}", from_snake(other));
    }
    text
}
