// React Native's engine, Hermes, has no WebAssembly. Without this file, its bundler fails on the syntax of another
// entry point.

throw new Error("resource-edge needs WebAssembly, which React Native does not have.");
