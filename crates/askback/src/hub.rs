//! The hub of this machine as a process: where it lives, how it is found, started and stopped.

pub(crate) mod background;
pub(crate) mod commands;
pub(crate) mod credentials;
pub(crate) mod data_dir;
pub(crate) mod descriptors;
mod groups;
mod permissions;
pub(crate) mod store;
