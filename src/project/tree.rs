//! Chains of conditions as binary trees of least depth. SQLite accepts a depth of 100 in all.

use crate::predicate::Typed;

/// Returns the SQL depth of a condition, without the depth of the deepest test. SQLite accepts a depth of 100 in all.
pub(super) fn height(condition: &Typed) -> u32 {
    match condition {
        Typed::And(parts) | Typed::Or(parts) => tree(parts.iter()).map_or(0, |tree| tree.height()),
        Typed::Not(inner) => height(inner) + 1,
        Typed::Element { condition, .. } => height(condition) + 5,
        Typed::True | Typed::False | Typed::Test { .. } => 0,
    }
}

/// The parts of a chain as a binary tree, with its depth.
pub(super) enum Tree<'t> {
    Leaf(&'t Typed, u32),
    Pair(Box<(Self, Self)>, u32),
}

impl Tree<'_> {
    /// Returns its depth.
    pub(super) fn height(&self) -> u32 {
        match self {
            Self::Leaf(_, height) | Self::Pair(_, height) => *height,
        }
    }
}

/// Builds the tree of least depth: joins the two lowest trees until one is left.
pub(super) fn tree<'t>(parts: impl Iterator<Item = &'t Typed>) -> Option<Tree<'t>> {
    // The lowest trees are last. There are few depths, so most parts are added at an end; a sort would be more code.
    let mut trees: Vec<Tree<'_>> = Vec::new();
    let add = |trees: &mut Vec<Tree<'t>>, tree: Tree<'t>| {
        let at = trees.partition_point(|other| other.height() >= tree.height());
        trees.insert(at, tree);
    };
    parts.for_each(|part| add(&mut trees, Tree::Leaf(part, height(part))));
    while let Some(one) = trees.pop() {
        let Some(other) = trees.pop() else { return Some(one) };
        let height = other.height() + 1;
        add(&mut trees, Tree::Pair(Box::new((one, other)), height));
    }
    None
}
