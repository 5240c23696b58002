#!/bin/sh
# Builds the release, both programs or the named one: release.sh [helix]
# The Swift and C++ runtimes, SQLite and the hashes of OpenSSL are linked in, at a fixed address and without symbols. Each
# saves half a millisecond or more at every start; docs/architecture.md lists the costs. Without exported symbols, and with a
# section for each function, the linker leaves out more, and it keeps one of functions with the same code. Generic types are named
# by their parts instead of by mangled names: for each of these the runtime walks all conformances of the program.
set -eu
swift=${SWIFT:-swift}
products=${1:-helix helix-gateway}
build=.build
cxx=$build/cxx
mkdir -p "$cxx"
# Links a library's archive, if there is one, into a folder of its own: the linker uses an archive only from a folder without
# a shared library of the same name.
archive() {
    for compiler in clang gcc cc; do
        found=$("$compiler" -print-file-name="$1" 2>/dev/null) && [ -f "$found" ] && break
        found=
    done
    if [ -n "$found" ]; then ln -sf "$found" "$cxx/$1"; fi
}
archive libstdc++.a
archive libsqlite3.a
archive libcrypto.a
set -- build -c release --static-swift-stdlib \
    -Xswiftc -Xclang-linker -Xswiftc -no-pie -Xlinker -s -Xlinker --no-export-dynamic -Xlinker --gc-sections -Xlinker --icf=safe \
    -Xswiftc -Xfrontend -Xswiftc -function-sections \
    -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors -Xcc -ffunction-sections -Xcc -fdata-sections
if command -v ld.gold > /dev/null && command -v objcopy > /dev/null; then
    set -- "$@" -Xswiftc -Xclang-linker -Xswiftc "--ld-path=$PWD/Tools/link.sh"
fi
if [ -e "$cxx/libstdc++.a" ]; then
    set -- "$@" -Xswiftc "-L$cxx" -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
fi
for product in $products; do
    $swift "$@" --product "$product"
    # The linker writes a program in pieces all over, and the system then keeps it in small ones, too: a copy, as an
    # installation makes it, starts a millisecond sooner.
    cp -p "$build/release/$product" "$build/release/$product.copy"
    mv "$build/release/$product.copy" "$build/release/$product"
done
