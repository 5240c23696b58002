#!/bin/sh
# Builds the release: with the Swift and C++ runtimes and SQLite inside it, at a fixed address and without symbols. Each
# is worth half a millisecond or more at every start; docs/architecture.md says what they cost.
set -eu
swift=${SWIFT:-swift}
build=.build
cxx=$build/cxx
mkdir -p "$cxx"
# Where the linker finds a library's archive; empty if there is none. It takes the archive only from a folder that has no
# shared library of the same name.
archive() {
    for compiler in clang gcc cc; do
        found=$("$compiler" -print-file-name="$1" 2>/dev/null) && [ -f "$found" ] && break
        found=
    done
    if [ -n "$found" ]; then ln -sf "$found" "$cxx/$1"; fi
}
archive libstdc++.a
archive libsqlite3.a
set -- build -c release --static-swift-stdlib \
    -Xswiftc -Xclang-linker -Xswiftc -no-pie -Xlinker -s
if [ -e "$cxx/libstdc++.a" ]; then
    set -- "$@" -Xswiftc "-L$cxx" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
fi
$swift "$@" --product helix
exec $swift "$@" --product helix-gateway
