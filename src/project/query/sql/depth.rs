//! Chains of conditions as binary trees of least depth, and the cuts of conditions that are still too deep. SQLite
//! accepts a depth of 100 in all.

use crate::predicate::Typed;

/// The deepest condition that is not cut. Around it are the selects of the statement, and it may be around the items
/// of an array, whose condition is counted separately.
const MAX: u32 = 32;
/// The depth that the select of an array's items adds.
const ITEMS: u32 = 5;

/// Returns the SQL depth of a condition, without the depth of the deepest test.
pub(crate) fn height(condition: &Typed) -> u32 {
    Cuts::default().height(condition)
}

/// The parts of a condition that are columns of a table in FROM. SQLite adds the depths of nested expressions, but not
/// those of tables in FROM. A part is after the parts inside it.
#[derive(Debug, Default)]
pub(crate) struct Cuts<'t>(Vec<&'t Typed>);

impl<'t> Cuts<'t> {
    /// Cuts a chain until it is at most [`MAX`] deep.
    pub(crate) fn of(parts: &[&'t Typed]) -> Self {
        let mut cuts = Self::default();
        cuts.cut_chain(parts.iter().copied());
        cuts
    }

    pub(crate) fn parts(&self) -> &[&'t Typed] {
        &self.0
    }

    /// Returns the place of a condition among the parts.
    pub(crate) fn place(&self, condition: &Typed) -> Option<usize> {
        self.0.iter().position(|part| core::ptr::eq(*part, condition))
    }

    /// Builds the tree of least depth of a chain.
    pub(crate) fn tree<'p>(&self, parts: impl Iterator<Item = &'p Typed>) -> Option<Tree<&'p Typed>> {
        tree(parts.map(|part| (part, self.height(part))))
    }

    fn height(&self, condition: &Typed) -> u32 {
        if self.place(condition).is_some() {
            return 0;
        }
        match condition {
            Typed::And(parts) | Typed::Or(parts) => self.tree(parts.iter()).map_or(0, |tree| tree.height()),
            Typed::Not(inner) => self.height(inner) + 1,
            Typed::Element { condition, .. } => self.height(condition) + ITEMS,
            Typed::True | Typed::False | Typed::Test { .. } => 0,
        }
    }

    /// Cuts parts off a condition until it is at most [`MAX`] deep. Returns its depth without them.
    fn cut(&mut self, condition: &'t Typed) -> u32 {
        match condition {
            Typed::And(parts) | Typed::Or(parts) => self.cut_chain(parts.iter()),
            Typed::Not(inner) => match self.cut(inner) + 1 {
                height if height > MAX => {
                    self.0.push(inner);
                    1
                }
                height => height,
            },
            // `condition` cuts the condition of the items when it appends it.
            Typed::Element { condition, .. } => Self::default().cut(condition) + ITEMS,
            Typed::True | Typed::False | Typed::Test { .. } => 0,
        }
    }

    fn cut_chain(&mut self, parts: impl Iterator<Item = &'t Typed>) -> u32 {
        let mut heights: Vec<(&Typed, u32)> = parts.map(|part| (part, self.cut(part))).collect();
        loop {
            let height = tree(heights.iter().copied()).map_or(0, |tree| tree.height());
            let Some((part, deepest)) = heights.iter_mut().max_by_key(|(_, height)| *height) else {
                return 0;
            };
            if height <= MAX || *deepest == 0 {
                return height;
            }
            self.0.push(part);
            *deepest = 0;
        }
    }
}

pub(crate) enum Tree<T> {
    Leaf(T, u32),
    Pair(Box<(Self, Self)>, u32),
}

impl<T> Tree<T> {
    pub(crate) fn height(&self) -> u32 {
        match self {
            Self::Leaf(_, height) | Self::Pair(_, height) => *height,
        }
    }
}

/// Builds the tree of least depth from parts with their depths: joins the two lowest trees until one is left.
pub(crate) fn tree<T>(parts: impl Iterator<Item = (T, u32)>) -> Option<Tree<T>> {
    // The lowest trees are last. There are few depths, so most parts are added at an end; a sort would be more code.
    let mut trees: Vec<Tree<T>> = Vec::new();
    let add = |trees: &mut Vec<Tree<T>>, tree: Tree<T>| {
        let at = trees.partition_point(|other| other.height() >= tree.height());
        trees.insert(at, tree);
    };
    parts.for_each(|(part, height)| add(&mut trees, Tree::Leaf(part, height)));
    while let Some(one) = trees.pop() {
        let Some(other) = trees.pop() else { return Some(one) };
        let height = other.height() + 1;
        add(&mut trees, Tree::Pair(Box::new((one, other)), height));
    }
    None
}
