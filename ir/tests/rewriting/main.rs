//! The rewriting drivers and the pass manager on a small dialect of their own: text in, text out.

mod analyses;
mod conversion;
mod dialect;
mod dynamic;
mod greedy;
mod passes;
mod printing;
mod rules;
mod schedule;
