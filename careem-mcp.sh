#!/usr/bin/env bash
# Runs careem-mcp from a checkout or a release folder: the executable beside this script if there
# is one, else the sources on Deno, else the sources on Deno from npm.
# Beyond the program's own commands it takes `test` and `compile`.
#
# DENO names the Deno command to use: a path, or words such as DENO="npx --yes deno@2.8.2".
# DENORT_BIN names the executable that `compile` builds on, where Deno's download site is out of
# reach.

# Started as `sh careem-mcp.sh`, it goes on in bash, which the rest is written for.
if [ -z "${BASH_VERSION:-}" ]; then
  command -v bash >/dev/null 2>&1 && exec bash "$0" "$@"
  echo "careem-mcp: this script needs bash. Install it, or use the careem-mcp executable." >&2
  exit 1
fi
set -euo pipefail

# The newest Deno whose HTTP server passes over `Connection: Upgrade` as production's does
# (docs/ARCHITECTURE.md, "Rough edges").
DENO_VERSION=2.8.2
# The least version that runs the sources with their permissions.
DENO_LEAST=2.8

# Whatever runs in a folder that is not there any more fails in words of its own.
if ! /bin/pwd -P >/dev/null 2>&1; then
  echo "careem-mcp: the folder that this was started in has been deleted. Go to another: cd" >&2
  exit 1
fi

# With it, cd may go elsewhere and print where.
unset CDPATH

# Deno heeds these of Node.js, too: an editor that debugs Node.js has each of its programs load a
# script, which may write into the answers, and a parent in Node.js hands on its own channel.
unset NODE_OPTIONS NODE_CHANNEL_FD

# The folder of the real file, also when started through symbolic links.
script=${BASH_SOURCE[0]}
while [ -L "$script" ]; do
  folder=$(cd -P "$(dirname "$script")" && pwd)
  script=$(readlink "$script")
  case $script in /*) ;; *) script=$folder/$script ;; esac
done
here=$(cd -P "$(dirname "$script")" && pwd)

fail() {
  printf 'careem-mcp: %s\n' "$1" >&2
  shift
  if [ $# -gt 0 ]; then printf '%s\n' "$@" >&2; fi
  exit 1
}

# Sets `deno` to the command and its first arguments.
find_deno() {
  local remembered=$here/.run/deno-$DENO_VERSION
  if [ -n "${DENO:-}" ]; then
    # A path may have spaces in it, and a command words.
    if [ -x "$DENO" ] && [ ! -d "$DENO" ]; then deno=("$DENO"); else read -ra deno <<<"$DENO"; fi
    command -v "${deno[0]:-}" >/dev/null 2>&1 || fail "DENO names $DENO, which cannot be run."
  elif deno_is_new_enough; then
    deno=(deno)
  elif [ -r "$remembered" ] && [ -x "$(<"$remembered")" ]; then
    deno=("$(<"$remembered")")
  elif command -v npx >/dev/null 2>&1; then
    local path
    path=$(deno_from_npm "$remembered")
    deno=("$path")
  elif command -v deno >/dev/null 2>&1; then
    fail "the Deno that is installed is too old; $DENO_LEAST or newer is needed." \
      "Run: deno upgrade, or get the careem-mcp executable."
  else
    fail "neither Deno nor Node.js is installed." \
      "Get Deno from https://deno.com, Node.js 20 or newer, or the careem-mcp executable."
  fi
}

# Whether there is a Deno on the PATH that can run the sources.
deno_is_new_enough() {
  local version pattern='^deno ([0-9]+)\.([0-9]+)'
  version=$(deno --version 2>/dev/null) || return 1
  [[ $version =~ $pattern ]] || return 1
  local major=${BASH_REMATCH[1]} minor=${BASH_REMATCH[2]}
  ((major > ${DENO_LEAST%.*} || (major == ${DENO_LEAST%.*} && minor >= ${DENO_LEAST#*.})))
}

# Prints the path of Deno's own executable: npx starts it through two more processes, which would
# keep signals from it. The path is remembered in the file named, since asking npx takes a second
# and a desktop client may start the script where npx is not on the PATH.
deno_from_npm() {
  local path
  path=$(npx --yes "deno@$DENO_VERSION" eval 'console.log(Deno.execPath())') ||
    fail "Deno could not be had from npm. Check the network, or install Deno from https://deno.com."
  { mkdir -p "$here/.run" && printf '%s' "$path" >"$1"; } 2>/dev/null || true
  printf '%s' "$path"
}

if [ "${1:-}" = test ]; then
  [ -f "$here/tests/run.ts" ] || fail "\`test\` needs a checkout of the sources."
  find_deno
  cd "$here"
  exec "${deno[@]}" run --quiet --config tests/deno.json --frozen --allow-all tests/run.ts "${@:2}"
fi

if [ "${1:-}" = compile ]; then
  [ -f "$here/packaging/compile.ts" ] || fail "\`compile\` needs a checkout of the sources."
  find_deno
  exec "${deno[@]}" run --quiet --frozen --config "$here/deno.json" --allow-all \
    "$here/packaging/compile.ts" "${@:2}"
fi

# The program tells people what to type next, which is what they typed now.
case $0 in */*) CAREEM_MCP_LAUNCHER=$0 ;; *) CAREEM_MCP_LAUNCHER=./$0 ;; esac
export CAREEM_MCP_LAUNCHER

# A link of the executable's name to this script is this script.
if [ -x "$here/careem-mcp" ] && [ ! -d "$here/careem-mcp" ] &&
  ! [ "$here/careem-mcp" -ef "$script" ]; then
  exec "$here/careem-mcp" "$@"
fi
[ -f "$here/main.ts" ] || fail "there is no executable \`careem-mcp\` in $here."
find_deno
exec "${deno[@]}" run --quiet --no-prompt --frozen --config "$here/deno.json" --permission-set \
  "$here/main.ts" "$@"
