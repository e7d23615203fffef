//! What the contract says about the resource of every project: its objects, and the fields that the service itself
//! uses. The fields that clients choose are those of the project's [`crate::shape`].

mod object;
mod system;

pub use self::object::ObjectId;
pub use self::system::{BODY, FIRST_NAME, LAST_NAME, OPERATION, System, WRITES};
