//! What the two servers have in common: clients come in by a door, and somebody writes.

use crate::socket::Door;
use crate::writer::Writer;
use crate::{Done, usage};
use std::time::Duration;

/// A server that is measured.
pub(crate) trait Contender {
    fn pid(&self) -> u32;

    /// Where one of a room's clients comes in.
    fn door(&self, room: usize, client: usize) -> Door;

    /// Who writes requests into all rooms in turn.
    fn writer(&self) -> Writer;

    /// How many are told of a request besides the clients of its room.
    fn others_told(&self) -> usize;

    fn processor(&self) -> Done<Duration> {
        usage::processor(self.pid())
    }
}

/// How many rooms there are, and how many clients in each.
#[derive(Clone, Copy)]
pub(crate) struct Size {
    pub(crate) rooms: usize,
    pub(crate) clients: usize,
}

impl Size {
    pub(crate) fn all_clients(self) -> usize {
        self.rooms * self.clients
    }
}

pub(crate) fn room_name(room: usize) -> String {
    format!("project-{room:03}")
}
