//! The handler under generated streams, and in the cases that the rules name.

mod cases;
mod properties;
mod recording;
