#!/usr/bin/env bash
# Runs careem-mcp from a checkout or a release folder: the executable beside this script if there
# is one, else the sources on Deno, else the sources on Deno from npm.
# Beyond the program's own commands it takes `test` and `compile`.
#
# DENO names the Deno command to use, such as DENO="npx --yes deno@2.9.6". DENORT_BIN names the
# executable that `compile` builds on, where Deno's download site is out of reach.
set -euo pipefail

DENO_VERSION=2.9.6

# The folder of the real file, also when started through symbolic links.
script=${BASH_SOURCE[0]}
while [ -L "$script" ]; do
  folder=$(cd -P "$(dirname "$script")" && pwd)
  script=$(readlink "$script")
  case $script in /*) ;; *) script=$folder/$script ;; esac
done
here=$(cd -P "$(dirname "$script")" && pwd)

fail() {
  printf 'careem-mcp: %s\n' "$@" >&2
  exit 1
}

# Sets `deno` to the command and its first arguments.
find_deno() {
  if [ -n "${DENO:-}" ]; then
    read -ra deno <<<"$DENO"
  elif command -v deno >/dev/null 2>&1; then
    deno=(deno)
  elif command -v npx >/dev/null 2>&1; then
    local path
    path=$(deno_from_npm)
    deno=("$path")
  else
    fail "neither Deno nor Node.js is installed." \
      "Get Deno from https://deno.com, Node.js 20 or newer, or the careem-mcp executable."
  fi
}

# Prints the path of Deno's own executable: npx starts it through two more processes, which would
# keep signals from it. The path is remembered, since asking npx takes a second.
deno_from_npm() {
  local memo=$here/.run/deno-$DENO_VERSION path
  if [ -r "$memo" ] && path=$(<"$memo") && [ -x "$path" ]; then
    printf '%s' "$path"
    return
  fi
  path=$(npx --yes "deno@$DENO_VERSION" eval 'console.log(Deno.execPath())') ||
    fail "Deno could not be had from npm. Check the network, or install Deno from https://deno.com."
  { mkdir -p "$here/.run" && printf '%s' "$path" >"$memo"; } 2>/dev/null || true
  printf '%s' "$path"
}

if [ "${1:-}" = test ]; then
  [ -f "$here/tests/run.ts" ] || fail "\`test\` needs a checkout of the sources."
  find_deno
  cd "$here"
  exec "${deno[@]}" run --quiet --frozen --allow-all tests/run.ts "${@:2}"
fi

if [ "${1:-}" = compile ]; then
  [ -f "$here/packaging/compile.ts" ] || fail "\`compile\` needs a checkout of the sources."
  find_deno
  exec "${deno[@]}" run --quiet --frozen --config "$here/deno.json" --allow-all \
    "$here/packaging/compile.ts" "${@:2}"
fi

if [ -x "$here/careem-mcp" ] && [ ! -d "$here/careem-mcp" ]; then
  exec "$here/careem-mcp" "$@"
fi
[ -f "$here/main.ts" ] || fail "there is no executable \`careem-mcp\` in $here."
find_deno
exec "${deno[@]}" run --quiet --no-prompt --frozen --config "$here/deno.json" --permission-set \
  "$here/main.ts" "$@"
