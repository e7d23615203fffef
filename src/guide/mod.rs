//! What the service does, what callers may rely on, and how to run it. The texts are Markdown files, so that they read
//! the same in the repository; here their links are checked with the rest of the documentation.
//!
//! A link between them is defined twice: here, where the first definition counts, as a path of this crate, and at the
//! end of the file as a file.

/// [http]: crate::guide::http
/// [language]: crate::guide::language
/// [operations]: crate::guide::operations
#[doc = include_str!("specification.md")]
pub mod specification {}

/// [agents]: crate::guide::agents
/// [language]: crate::guide::language
/// [specification]: crate::guide::specification
#[doc = include_str!("http.md")]
pub mod http {}

#[doc = include_str!("agents.md")]
pub mod agents {}

#[doc = include_str!("clients.md")]
pub mod clients {}

/// [operations]: crate::guide::operations
#[doc = include_str!("language.md")]
pub mod language {}

/// [operations]: crate::guide::operations
/// [specification]: crate::guide::specification
#[doc = include_str!("guarantees.md")]
pub mod guarantees {}

/// [command line]: crate::guide::command_line
/// [guarantees]: crate::guide::guarantees
#[doc = include_str!("operations.md")]
pub mod operations {}

/// [operations]: crate::guide::operations
#[doc = include_str!("command-line.md")]
pub mod command_line {}

/// [operations]: crate::guide::operations
#[doc = include_str!("security.md")]
pub mod security {}

/// [guarantees]: crate::guide::guarantees
/// [security]: crate::guide::security
#[doc = include_str!("reliability.md")]
pub mod reliability {}

/// [operations]: crate::guide::operations
#[doc = include_str!("architecture.md")]
pub mod architecture {}

/// [operations]: crate::guide::operations
#[doc = include_str!("performance.md")]
pub mod performance {}

/// [guarantees]: crate::guide::guarantees
/// [benchmark]: crate::guide::performance
#[doc = include_str!("comparison.md")]
pub mod comparison {}

/// [operations]: crate::guide::operations
#[doc = include_str!("make-it-yours.md")]
pub mod make_it_yours {}

/// [guarantees]: crate::guide::guarantees
/// [http]: crate::guide::http
/// [make it yours]: crate::guide::make_it_yours
/// [operations]: crate::guide::operations
/// [performance]: crate::guide::performance
/// [reliability]: crate::guide::reliability
#[doc = include_str!("faq.md")]
pub mod faq {}
