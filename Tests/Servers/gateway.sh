#!/bin/sh
# A helix gateway: gateway.sh FOLDER PORT PROGRAM [--file-limit=N] [OPTION…]; its store lies in FOLDER/gateway.
folder=$1
port=$2
program=$3
shift 3
# A limit on the size of files, in 512 bytes, stands for a full disk.
case "${1:-}" in --file-limit=*) ulimit -f "${1#*=}"; shift ;; esac
exec "$program" --folder "$folder/gateway" --host 127.0.0.1 --port "$port" "$@"
