//! What the service does, what callers may rely on, and how to run it. The texts are Markdown files, so that they read
//! the same in the repository; here their links are checked with the rest of the documentation.

/// Declares the pages. A link between them is defined twice: here, where the first definition counts, as a path of this
/// crate, and at the end of the file as a file.
macro_rules! pages {
    ($($name:ident $file:literal,)*) => {$(
        /// [agents]: crate::guide::agents
        /// [benchmark]: crate::guide::performance
        /// [command line]: crate::guide::command_line
        /// [cost]: crate::guide::cost
        /// [guarantees]: crate::guide::guarantees
        /// [http]: crate::guide::http
        /// [language]: crate::guide::language
        /// [limits]: crate::guide::limits
        /// [operations]: crate::guide::operations
        /// [performance]: crate::guide::performance
        /// [reliability]: crate::guide::reliability
        /// [security]: crate::guide::security
        /// [specification]: crate::guide::specification
        #[doc = include_str!($file)]
        pub mod $name {}
    )*};
}

pages! {
    specification "specification.md",
    http "http.md",
    agents "agents.md",
    clients "clients.md",
    language "language.md",
    guarantees "guarantees.md",
    operations "operations.md",
    limits "limits.md",
    cost "cost.md",
    command_line "command-line.md",
    security "security.md",
    reliability "reliability.md",
    architecture "architecture.md",
    performance "performance.md",
    comparison "comparison.md",
    make_it_yours "make-it-yours.md",
    faq "faq.md",
}
