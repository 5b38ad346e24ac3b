//! The codec of Yjs updates and of the y protocol. Its files still belong to the hub's module `room`.
