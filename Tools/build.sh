#!/bin/sh
# Builds for debugging: build.sh [arguments of swift build]
# The argument parser is optimized: the tests run commands tens of thousands of times, and two thirds of the processor time of a
# command went there. A package cannot set options of a package that it needs, so the compiler is a script that adds one; the
# libraries of the toolchain are expected beside it.
set -eu
swift=${SWIFT:-swift}
lib=$("$swift" -print-target-info | sed -n 's|.*"runtimeResourcePath": "\(.*\)/swift".*|\1|p')
if [ -x "${lib%/lib}/bin/swiftc" ]; then
    toolchain=$PWD/.build/toolchain
    mkdir -p "$toolchain/bin"
    ln -sfn "$lib" "$toolchain/lib"
    cat > "$toolchain/bin/swiftc.new" << END
#!/bin/sh
case " \$* " in *' -module-name ArgumentParser '*) set -- "\$@" -O ;; esac
exec "${lib%/lib}/bin/swiftc" "\$@"
END
    chmod +x "$toolchain/bin/swiftc.new"
    mv "$toolchain/bin/swiftc.new" "$toolchain/bin/swiftc"
    export SWIFT_EXEC="$toolchain/bin/swiftc"
fi
exec "$swift" build "$@"
