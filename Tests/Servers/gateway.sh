#!/bin/sh
# A helix gateway: gateway.sh FOLDER PORT PROGRAM [--file-limit=N] [OPTION…]; its store is FOLDER/gateway.
folder=$1
port=$2
program=$3
shift 3
# A file size limit, in units of 512 bytes, simulates a full disk.
case "${1:-}" in --file-limit=*) ulimit -f "${1#*=}"; shift ;; esac
exec "$program" --folder "$folder/gateway" --host 127.0.0.1 --port "$port" "$@"
