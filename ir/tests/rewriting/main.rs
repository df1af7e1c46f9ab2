//! The rewriting drivers and the pass manager on a small dialect of their own: text in, text out.

mod conversion;
mod dialect;
mod greedy;
mod passes;
