#!/bin/sh
# Runs a test binary for `cargo xtask test`. These mostly wait, for windows to rest and time to be up, so that more of their
# tests run at once than the machine has cores.
case "$1" in
*/deps/hook-* | */deps/hub-* | */deps/plain-* | */deps/terminal-* | */deps/webhooks-*)
    export RUST_TEST_THREADS="${RUST_TEST_THREADS:-6}"
    ;;
esac
exec "$@"
