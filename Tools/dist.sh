#!/bin/sh
# Makes the source tarball of the current commit with its checksums and its bill of materials: dist.sh [folder]
# The same commit gives the same bytes on every machine.
set -eu
out=${1:-.build/dist}
version=$(sed -n 's/.*static let version = "\(.*\)".*/\1/p' Sources/HelixCommands/Helix.swift | head -n 1)
name=helix-suite-$version
mkdir -p "$out"
if [ -n "$(git status --porcelain)" ]; then
    echo "Changes that are not committed are not in the tarball." >&2
fi
git -c core.autocrlf=false -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD | gzip -9n >"$out/$name.tar.gz"
"${SWIFT:-swift}" package show-dependencies --format json 2>/dev/null >"$out/dependencies.json"
python3 Tools/sbom.py "$version" "$(git log -1 --format=%cI)" "$(git rev-parse HEAD)" <"$out/dependencies.json" >"$out/$name.spdx.json"
rm -f "$out/dependencies.json"
(cd "$out" && sha256sum "$name.tar.gz" "$name.spdx.json" >SHA256SUMS)
ls "$out/$name.tar.gz" "$out/$name.spdx.json" "$out/SHA256SUMS"
