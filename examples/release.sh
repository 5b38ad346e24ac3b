#!/usr/bin/env bash
# Asks for everything that a release needs, and prints the plan. A no, Esc or Ctrl+C, anywhere, ends it with the status of the
# question that was not answered.
set -euo pipefail

branch=$(printf '%s\n' main feature/cache feature/search fix/login release/2.3 |
    askback dropdown "Release which branch?" --header Branch)
checks=$(askback choice "What has to pass before?" --header Checks --multi Tests Linter "Load test")
day=$(askback date "Ship on which day?" --header Day --min 2026-01-01)
share=$(askback number "How many percent get it first?" --header Share --min 5 --max 100 --step 5 --initial 10)
tell=$(askback email "Whom to tell?" --header Tell --domain example.com)
askback confirm "Release $branch on $day?" --header Sure > /dev/null

echo "$branch goes to $share % on $day, after: $checks. $tell is told."
