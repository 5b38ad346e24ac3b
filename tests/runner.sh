#!/bin/sh
# Runs a test binary for `cargo xtask test`. These mostly wait, for windows to rest and time to be up, so that more of their
# tests run at once than the machine has cores.
case "$1" in
*/hook-* | */hub-* | */plain-* | */terminal-* | */webhooks-*) export RUST_TEST_THREADS=6 ;;
esac
exec "$@"
