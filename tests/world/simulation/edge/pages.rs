//! Pages of an allowed age (D45): each is a reply of the object to an equal query, and none is too old, or older than
//! the minimum revision of its request. Equal queries at one moment share a call.

use resource_edge::call::Reply;

use super::*;
use crate::support::schemas::values::INSTANTS;
use crate::world::simulation::oracle::need;

/// Returns parameters with one spelling of each instant: equal queries have equal values, whatever their texts are.
fn spell_once(params: &[(&'static str, String)]) -> Vec<(&'static str, String)> {
    let spell =
        |text: &str| INSTANTS.iter().fold(text.to_owned(), |text, (one, other)| text.replace(other, one));
    params.iter().map(|(name, value)| (*name, spell(value))).collect()
}

/// A reply of the object to a query of a location.
pub(crate) struct ObjectPage {
    location: usize,
    at: Millis,
    /// When the request arrived that called the object.
    began: Millis,
    name: &'static str,
    params: Vec<(&'static str, String)>,
    newest: Option<Millis>,
    /// The page, or whether anything matches.
    body: Option<String>,
    exists: bool,
}

/// A call of the object whose reply other requests may get.
pub(crate) struct SharedCall {
    location: usize,
    /// Of several equal calls, others wait for the one that began last.
    order: u64,
    message: Vec<u8>,
    waiting: Vec<u64>,
}

impl World {
    /// Begins the call of a request that others may share, or waits for that of another. Returns whether it waits.
    pub(super) fn joins(&mut self, number: u64, message: &[u8], joins: bool) -> bool {
        let Some(location) = self.requests.get(&number).map(|request| request.location) else { return true };
        let is_equal = |shared: &&mut SharedCall| shared.location == location && shared.message == message;
        let newest = self.shared.values_mut().filter(is_equal).max_by_key(|shared| shared.order);
        if joins && let Some(shared) = newest {
            shared.waiting.push(number);
            self.report.count("a query joins a call");
            return true;
        }
        let (order, message) = (self.events, message.to_vec());
        self.shared.insert(number, SharedCall { location, order, message, waiting: Vec::new() });
        false
    }

    /// Returns the requests that wait for the call of this one.
    pub(super) fn waiting_for(&mut self, number: u64) -> Vec<u64> {
        self.shared.remove(&number).map(|shared| shared.waiting).unwrap_or_default()
    }

    /// Notes what the object replied to a query.
    pub(crate) fn note_page(&mut self, request: Option<u64>, operation: &Operation, reply: &Reply<String>) {
        let request = request.and_then(|request| self.requests.get(&request));
        if let Some(Request { location, arrived, .. }) = request
            && operation.is_query()
            && reply.head.newest.is_some()
        {
            self.pages.push(ObjectPage {
                at: self.now(),
                location: *location,
                began: *arrived,
                name: operation.name,
                params: spell_once(&operation.params),
                newest: reply.head.newest,
                body: reply.body.clone(),
                exists: reply.head.result != CallResult::Exists(false),
            });
        }
    }

    /// Checks the response to a query.
    pub(super) fn check_page(&mut self, request: &Request, got: &Got) {
        let Request { operation, location, arrived, minimum, asks, .. } = request;
        let is_result = got.status == 200 || got.status == 404 && operation.name == "exists";
        if !operation.is_query() || !is_result {
            return;
        }
        if !asks {
            self.report.count("a page is remembered");
        }
        let newest = got.header("Resource-Revision").and_then(|revision| revision.parse().ok());
        let max_age = operation.max_age * 1_000;
        let params = spell_once(&operation.params);
        // A jump of the clock hides the age of what was read before.
        let jumped = self.locations[*location].jumped.get();
        let is_shown = |page: &&ObjectPage| {
            (page.location, page.name, page.newest) == (*location, operation.name, newest)
                && page.exists == (got.status == 200)
                && page.params == params
                && page.body.as_deref().unwrap_or_default() == got.body
        };
        let is_young = |page: &ObjectPage| page.at + max_age >= *arrived || page.began <= jumped;
        let shown: Vec<&ObjectPage> = self.pages.iter().filter(is_shown).collect();
        let is_right = shown.iter().any(|page| is_young(page)) && newest >= Some(*minimum);
        let last = shown.last().map(|page| page.at);
        self.report.check(need(is_right, || {
            format!("a page that is too old, or older than {minimum}: {operation:?} got {got:?} of {last:?}")
        }));
    }
}
