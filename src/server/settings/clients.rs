//! `API_CLIENTS`: the API clients that may request tokens, and their scopes.

use core::fmt;

use sha2::{Digest as _, Sha256};

use super::scope::Scope;
use crate::util::strict_json::{self, JsonMembers};
use crate::util::text::is_printable;

/// The longest client ID, in characters.
pub(in crate::server) const ID_CHARS: usize = 256;

pub(crate) struct ApiClient {
    pub(crate) id: String,
    /// The SHA-256 of its ID, so that IDs of any length are compared in constant time.
    pub(crate) id_hash: [u8; 32],
    pub(crate) secret_hash: [u8; 32],
    pub(crate) scopes: Vec<Scope>,
}

impl fmt::Debug for ApiClient {
    /// Omits the hashes, which must not be printed.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("ApiClient")
            .field("id", &self.id)
            .field("scopes", &self.scopes)
            .finish_non_exhaustive()
    }
}

/// Parses the API clients of a JSON text. The error says what is expected, and never contains the text.
pub(super) fn parse(text: &str) -> Result<Vec<ApiClient>, String> {
    let value = strict_json::value(text.as_bytes());
    let items = value.as_ref().and_then(strict_json::Json::array).filter(|items| !items.is_empty()).ok_or(
        "expected a JSON array of at least one {\"id\", \"secretHash\", \"scopes\"}, without duplicate members",
    )?;
    let mut clients: Vec<ApiClient> = Vec::with_capacity(items.len());
    for (at, item) in items.iter().enumerate() {
        let fail = |reason: &str| format!("client {}: {reason}", at + 1);
        let client = item.object().ok_or("expected an object").and_then(client).map_err(fail)?;
        if clients.iter().any(|before| before.id == client.id) {
            return Err(fail("another client has its ID"));
        }
        clients.push(client);
    }
    Ok(clients)
}

fn client(members: &JsonMembers) -> Result<ApiClient, &'static str> {
    if members.keys().any(|name| !matches!(name.as_str(), "id" | "secretHash" | "scopes")) {
        return Err("expected no members other than id, secretHash and scopes");
    }
    let id = strict_json::text_of(members, "id")
        .filter(|id| (1..=ID_CHARS).contains(&id.len()) && is_printable(id))
        .ok_or("id: expected 1 to 256 printable ASCII characters")?;
    let secret_hash = strict_json::text_of(members, "secretHash")
        .and_then(hash)
        .ok_or("secretHash: expected the secret's SHA-256 in 64 hexadecimal digits")?;
    let scopes: Vec<Scope> = members
        .get("scopes")
        .and_then(strict_json::Json::texts)
        .filter(|texts| !texts.is_empty())
        .and_then(|texts| texts.into_iter().map(Scope::of_client).collect())
        .ok_or("scopes: expected an array of manage_test:{projectKey} or view_test:{projectKey}, * for any project")?;
    Ok(ApiClient { id: id.to_owned(), id_hash: Sha256::digest(id).into(), secret_hash, scopes })
}

fn hash(text: &str) -> Option<[u8; 32]> {
    let digits: Vec<u8> =
        text.chars().map(|digit| u8::try_from(digit.to_digit(16)?).ok()).collect::<Option<_>>()?;
    let (pairs, []) = digits.as_chunks() else { return None };
    let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high * 16 + low).collect();
    bytes.try_into().ok()
}
