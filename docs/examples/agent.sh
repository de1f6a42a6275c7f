#!/usr/bin/env bash
# A test of an agent, as a shell script: the restaurant service fails twice, the agent tries again.
# CAREEM_MCP names the program, such as ./careem-mcp.sh; AGENT is what is tested.
set -euo pipefail

folder=$(mktemp -d)
export CAREEM_MCP_OVERRIDES=$folder/overrides.json CAREEM_MCP_CALLS=$folder/calls.jsonl
"$CAREEM_MCP" start --port 0 --log json 2>"$folder/log" &
server=$!
trap 'kill "$server"; wait "$server" || true; rm -r "$folder"' EXIT

# The first line of the log says where the server listens.
until grep -q '"event":"listening"' "$folder/log"; do sleep 0.05; done
url=$(sed -n 's/.*"event":"listening".*"url":"\([^"]*\)".*/\1/p' "$folder/log")

"$CAREEM_MCP" fault food_merchant_search 503 --times 2

# Any client will do; this one tries three times.
agent=${AGENT:-'for try in 1 2 3; do
  "$CAREEM_MCP" call food_merchant_search query=sushi latitude=25.0866 longitude=55.1474 --url "$url" && break
done'}
eval "$agent"

"$CAREEM_MCP" verify food_merchant_search --times 3 --args query=~sushi
"$CAREEM_MCP" verify checkout_place_order --at-most 0
echo "the agent tried again, and ordered nothing"
