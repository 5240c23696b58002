#!/bin/sh
# Builds for debugging: build.sh [arguments of swift build]
# The tests run commands tens of thousands of times, so the argument parser is optimized, in which two thirds of the processor time
# of a command went, and the program contains the libraries of Swift, as the released one does: finding their symbols at each start
# took a third of the rest. A package can set neither, so the compiler is a script that adds options; the libraries of the toolchain
# are expected beside it.
set -eu
swift=${SWIFT:-swift}
lib=$("$swift" -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/swift".*|\1|p')
if [ -x "${lib%/lib}/bin/swiftc" ]; then
    toolchain=$PWD/.build/toolchain
    mkdir -p "$toolchain/bin"
    ln -sfn "$lib" "$toolchain/lib"
    static=
    if [ -d "$lib/swift_static" ]; then
        static='-static-stdlib -l_FoundationCShims -l_FoundationCollections -Xclang-linker -no-pie -Xlinker --gc-sections'
    fi
    cat > "$toolchain/bin/swiftc.new" << END
#!/bin/sh
case " \$* " in
*' -module-name ArgumentParser '*) set -- "\$@" -O ;;
*' -module-name helix -emit-executable '* | *' -module-name helix_gateway -emit-executable '*) set -- "\$@" $static -Xlinker --no-export-dynamic ;;
esac
exec "${lib%/lib}/bin/swiftc" "\$@"
END
    chmod +x "$toolchain/bin/swiftc.new"
    mv "$toolchain/bin/swiftc.new" "$toolchain/bin/swiftc"
    export SWIFT_EXEC="$toolchain/bin/swiftc"
fi
exec "$swift" build "$@"
