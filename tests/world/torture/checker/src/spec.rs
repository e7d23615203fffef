//! The contract of a group of resources, performed one operation after the other: the behavior of a linearizable
//! service.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;

use stateright::semantics::SequentialSpec;

use crate::history::{Kind, Operation};

/// An operation alone, or the writes of a batch.
pub type Call = Vec<Step>;

/// An operation, and what the service decides for it.
#[derive(Debug, Clone)]
pub struct Step {
    pub operation: Operation,
    /// The ID that the service generates if the operation creates a resource by key.
    pub generated: String,
}

/// A record without its time.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Shown {
    pub id: String,
    pub version: u64,
    pub key: Option<String>,
    pub value: String,
    pub data: u64,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// A record, and whether it was created.
    Record(Shown, Option<bool>),
    /// The write was performed and created this version of this ID. Only known from later reads.
    Performed(String, u64),
    /// The write was performed. Only known from the other writes of its batch.
    Done,
    /// The write was not performed, because another write of its batch was refused.
    Undone,
    NotFound,
    /// 409 with the current version.
    Conflict(u64),
    /// 400 for a key in use.
    Duplicate,
    /// Every record of the group, by ID.
    Page(Vec<Shown>),
}

#[derive(Debug, Clone, Default)]
struct Slot {
    /// The last version, which remains when the resource is deleted.
    version: u64,
    content: Option<Content>,
}

#[derive(Debug, Clone)]
struct Content {
    key: Option<String>,
    value: String,
    data: u64,
}

/// The number of steps that remain.
pub type Budget = Rc<Cell<u64>>;

#[derive(Debug, Clone)]
pub struct Group {
    slots: BTreeMap<String, Slot>,
    budget: Budget,
}

impl Group {
    /// Creates a group without resources.
    pub fn new(budget: Budget) -> Self {
        Self { slots: BTreeMap::new(), budget }
    }

    fn holder(&self, key: &str) -> Option<String> {
        let has =
            |slot: &Slot| slot.content.as_ref().is_some_and(|content| content.key.as_deref() == Some(key));
        self.slots.iter().find(|(_, slot)| has(slot)).map(|(id, _)| id.clone())
    }

    fn shown(&self, id: &str) -> Option<Shown> {
        let slot = self.slots.get(id)?;
        let Content { key, value, data } = slot.content.clone()?;
        Some(Shown { id: id.to_owned(), version: slot.version, key, value, data })
    }

    fn read(&self, id: Option<&str>) -> Answer {
        id.and_then(|id| self.shown(id)).map_or(Answer::NotFound, |shown| Answer::Record(shown, None))
    }

    /// Performs all writes of a batch, or nothing.
    fn all(&mut self, call: &[Step]) -> Vec<Answer> {
        let before = self.slots.clone();
        let mut answers = vec![Answer::Undone; call.len()];
        for (at, step) in call.iter().enumerate() {
            let answer = self.one(step);
            if matches!(answer, Answer::NotFound | Answer::Conflict(_) | Answer::Duplicate) {
                self.slots = before;
                answers.fill(Answer::Undone);
                answers[at] = answer;
                break;
            }
            answers[at] = answer;
        }
        answers
    }

    fn one(&mut self, step: &Step) -> Answer {
        let operation = &step.operation;
        match operation.kind {
            Kind::ReadId => self.read(operation.id.as_deref()),
            Kind::ReadKey => self.read(operation.key.as_deref().and_then(|key| self.holder(key)).as_deref()),
            Kind::Query => Answer::Page(self.slots.keys().filter_map(|id| self.shown(id)).collect()),
            _ => self.write(step),
        }
    }

    fn write(&mut self, Step { operation, generated }: &Step) -> Answer {
        let by_key = operation.key.as_deref().and_then(|key| self.holder(key));
        let id = by_key.or_else(|| operation.id.clone()).unwrap_or_else(|| generated.clone());
        let slot = self.slots.get(&id).cloned().unwrap_or_default();
        let exists = slot.content.is_some();
        if !exists && matches!(operation.kind, Kind::Patch | Kind::Update | Kind::Delete) {
            return Answer::NotFound;
        }
        if exists && operation.version.is_some_and(|version| version != slot.version) {
            return Answer::Conflict(slot.version);
        }
        if operation.kind == Kind::Delete {
            let last = self.read(Some(&id));
            self.slots.insert(id, Slot { content: None, ..slot });
            return last;
        }
        let before = slot.content;
        let named =
            if exists { operation.set.as_ref() } else { operation.set.as_ref().or(operation.key.as_ref()) };
        if named.and_then(|key| self.holder(key)).is_some_and(|holder| holder != id) {
            return Answer::Duplicate;
        }
        let key = named.cloned().or_else(|| before.as_ref().and_then(|content| content.key.clone()));
        let kept = before.map(|content| content.data).filter(|_| operation.kind == Kind::Update);
        let content = Content { key, value: operation.value.clone(), data: kept.unwrap_or(operation.data) };
        self.slots.insert(id.clone(), Slot { version: slot.version + 1, content: Some(content) });
        let created = (operation.kind != Kind::Delete).then_some(!exists);
        self.shown(&id).map_or(Answer::NotFound, |shown| Answer::Record(shown, created))
    }
}

impl SequentialSpec for Group {
    type Op = Rc<Call>;
    type Ret = Rc<Vec<Answer>>;

    fn invoke(&mut self, call: &Rc<Call>) -> Rc<Vec<Answer>> {
        Rc::new(self.all(call))
    }

    fn is_valid_step(&mut self, call: &Rc<Call>, actual: &Rc<Vec<Answer>>) -> bool {
        let Some(left) = self.budget.get().checked_sub(1) else { return false };
        self.budget.set(left);
        let expected = self.invoke(call);
        expected.iter().zip(actual.iter()).all(|answers| match answers {
            (Answer::Record(shown, _), Answer::Performed(id, version)) => {
                shown.id == *id && shown.version == *version
            }
            (Answer::Record(..), Answer::Done) => true,
            (expected, actual) => expected == actual,
        })
    }
}
