//! The objects of a shape: bodies, records, and what is inside them.

names! {
    /// An object of a shape. Its name is that of its component in the OpenAPI document.
    #[derive(PartialOrd, Ord)]
    pub enum ObjectId name:
    /// The body that creates or updates a resource (operation 6).
    Draft = "ResourceDraft",
    /// The body that overwrites a resource (operations 7 and 8).
    Overwrite = "ResourceOverwrite",
    /// An expected version and the actions to perform in order (operation 10).
    Update = "ResourceUpdate",
    /// The body of the two operations with path-structured addressing (operations 9 and 13).
    Complex = "ComplexBody",
    /// A resource in a response. You can send it back as the body of an overwrite.
    Record = "Resource",
    /// The seven arrays of a resource.
    Arrays = "ObjectTestType",
    /// The seven arrays in a response. Each is present, and empty by default.
    StoredArrays = "Arrays",
    /// A line of an export for an ID that was deleted: its last version.
    Deleted = "DeletedResource",
    /// Several writes, all or nothing: 1 to 100, in their order. A later one sees the earlier ones.
    Batch = "WriteBatch",
}

impl ObjectId {
    /// The five bodies that a client may send, in the order in which the npm package numbers them.
    pub const BODIES: [Self; 5] = [Self::Draft, Self::Overwrite, Self::Update, Self::Complex, Self::Batch];
}
