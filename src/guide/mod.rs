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
    specification "use/specification.md",
    http "use/http.md",
    agents "use/agents.md",
    resources "use/resources.md",
    rights "use/rights.md",
    client "use/client.md",
    validation "use/validation.md",
    predicates "use/predicates.md",
    live "use/live.md",
    generated_clients "use/generated-clients.md",
    language "use/language.md",
    built_in_resource "use/built-in-resource.md",
    recipes "use/recipes.md",
    tools "use/tools.md",
    testing "use/testing.md",
    guarantees "use/guarantees.md",
    operations "operate/operations.md",
    limits "operate/limits.md",
    cost "evaluate/cost.md",
    command_line "operate/command-line.md",
    security "operate/security.md",
    reliability "evaluate/reliability.md",
    architecture "change/architecture.md",
    boundaries "change/boundaries.md",
    long_tests "change/long-tests.md",
    performance "evaluate/performance.md",
    comparison "evaluate/comparison.md",
    make_it_yours "change/make-it-yours.md",
}
