#!/usr/bin/env bash
# Packs the executables of a release: packaging/pack.sh <executables> <release>
# <executables> has a folder executable-<target> for each target. <release> gets, for each, an
# archive and a bundle for Claude Desktop (.mcpb), and SHA256SUMS over all of them.
set -euo pipefail

MCPB=@anthropic-ai/mcpb@2.1.2
read -ra deno <<<"${DENO:-deno}"

executables=$(cd "$1" && pwd)
mkdir -p "$2"
release=$(cd "$2" && pwd)
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"${deno[@]}" run --quiet --allow-all "$root/packaging/licenses.ts" >"$work/THIRD_PARTY_LICENSES"
version=$(sed -n 's/^  "version": "\(.*\)",$/\1/p' "$root/deno.json")

for folder in "$executables"/executable-*; do
  target=${folder##*/executable-}
  name=careem-mcp-$version-$target
  case $target in
    *windows*) program=careem-mcp.exe launcher=careem-mcp.cmd ;;
    *) program=careem-mcp launcher=careem-mcp.sh ;;
  esac
  # Artifacts come without their permissions.
  chmod 755 "$folder/$program"

  mkdir "$work/$name"
  # Without tools/README.md, to which the README refers as well: a folder tools/ beside the
  # executable would be served instead of the copy in it. `eject` writes it there.
  cp -R "$folder/$program" "$root/$launcher" "$root/README.md" "$root/LICENSE" \
    "$root/CHANGELOG.md" "$root/CONTRIBUTING.md" "$root/SECURITY.md" "$root/docs" "$work/THIRD_PARTY_LICENSES" \
    "$work/$name/"
  case $target in
    *windows*) (cd "$work" && zip --quiet --recurse-paths "$release/$name.zip" "$name") ;;
    *) tar -C "$work" --owner=0 --group=0 -czf "$release/$name.tar.gz" "$name" ;;
  esac

  mkdir -p "$work/mcpb-$target/server"
  cp "$folder/$program" "$work/mcpb-$target/server/"
  cp "$root/LICENSE" "$work/THIRD_PARTY_LICENSES" "$work/mcpb-$target/"
  "${deno[@]}" run --quiet --allow-read "$root/packaging/manifest.ts" "$target" \
    >"$work/mcpb-$target/manifest.json"
  npx --yes "$MCPB" validate "$work/mcpb-$target/manifest.json"
  npx --yes "$MCPB" pack "$work/mcpb-$target" "$release/$name.mcpb"
done

cd "$release"
sha256sum careem-mcp-* >SHA256SUMS
