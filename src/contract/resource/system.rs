//! The fields that the service itself uses.

names! {
    /// A field that the service itself uses, or that only messages about a resource have.
    pub enum System name:
    Id = "id",
    Version = "version",
    Key = "key",
    CreatedAt = "createdAt",
    CreatedBy = "createdBy",
    LastModifiedAt = "lastModifiedAt",
    LastModifiedBy = "lastModifiedBy",
    /// When an ID was deleted.
    DeletedAt = "deletedAt",
    /// The actions of an update.
    Actions = "actions",
    /// The member that names an action.
    Action = "action",
}

/// The members of a batch, and of its writes.
pub const WRITES: &str = "writes";
pub const OPERATION: &str = "operation";
pub const BODY: &str = "body";

/// The members of a person.
pub const FIRST_NAME: &str = "firstName";
pub const LAST_NAME: &str = "lastName";
