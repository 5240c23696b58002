#!/bin/sh
# Builds the release: with the Swift and C++ runtimes inside it, at a fixed address and without symbols. Each of the
# three is worth about a millisecond at every start; docs/architecture.md says what they cost.
set -eu
swift=${SWIFT:-swift}
build=.build
cxx=$build/cxx
mkdir -p "$cxx"
# The linker takes the archive only from a folder that has no shared library of the same name.
archive=
for compiler in clang gcc cc; do
    archive=$("$compiler" -print-file-name=libstdc++.a 2>/dev/null) && [ -f "$archive" ] && break
    archive=
done
set -- build -c release --static-swift-stdlib --product helix \
    -Xswiftc -Xclang-linker -Xswiftc -no-pie -Xlinker -s
if [ -n "$archive" ]; then
    ln -sf "$archive" "$cxx/libstdc++.a"
    set -- "$@" -Xswiftc "-L$cxx" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
fi
exec $swift "$@"
