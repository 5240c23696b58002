#!/bin/sh
# The linker of the release. It leaves out the unwind tables of Swift and C code, 5 MB of 40, which nothing reads: a crash is
# traced by frame pointers, and exceptions are thrown and caught within C++, whose tables stay.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/lib"
without_tables() { objcopy --remove-section .eh_frame --remove-section .rela.eh_frame --remove-section .swift_modhash "$1" "$2"; }
# The compiler gives long lists of arguments in a file, each in quotes.
case ${1:-} in
@*) tr '\n' ' ' < "${1#@}" | xargs -n 1 printf '%s\n' > "$folder/given" ;;
*) printf '%s\n' "$@" > "$folder/given" ;;
esac
archives="swiftCore swift_Concurrency swift_StringProcessing FoundationEssentials _FoundationCollections dispatch sqlite3 crypto"
count=0
while IFS= read -r argument; do
    case $argument in
    *.swift.o | *.c.o)
        count=$((count + 1))
        without_tables "$argument" "$folder/$count.o"
        argument=$folder/$count.o ;;
    -L*/swift_static/* | -L.build/cxx)
        for archive in $archives; do
            file=${argument#-L}/lib$archive.a
            [ ! -f "$file" ] || without_tables "$file" "$folder/lib/lib$archive.a"
        done
        printf '"-L%s/lib"\n' "$folder" ;;
    esac
    printf '"%s"\n' "$argument"
done < "$folder/given" > "$folder/arguments"
ld.gold "@$folder/arguments"
