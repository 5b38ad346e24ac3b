#!/bin/sh
# An agent in shell: askback chat --agent "process:sh examples/agents/agent.sh"
# Every line on standard input is one message; every line on standard output is one event.

while read -r line; do
  case "$line" in
  *'"type":"user"'*)
    echo '{"type": "text_delta", "text": "I would like to tidy up. "}'
    echo '{"type": "input_request", "id": "1", "prompt": "Empty the cache?", "choices": ["Empty it", "Keep it"]}'
    read -r reply
    case "$reply" in
    *'"status":"answered"'*) echo '{"type": "text_delta", "text": "Done: it is empty."}' ;;
    esac
    echo '{"type": "done"}'
    ;;
  esac
done
