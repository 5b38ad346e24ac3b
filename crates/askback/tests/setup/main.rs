//! `askback setup` through the binary: what it shows, what it writes, and what it leaves alone.

#![expect(clippy::unwrap_used, reason = "helpers of tests fail by panicking")]

mod claude_code;
mod codex;
mod files;
mod home;
mod qwen;
