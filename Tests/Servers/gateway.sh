#!/bin/sh
# A helix gateway: gateway.sh FOLDER PORT PROGRAM [OPTION…]; its store lies in FOLDER/gateway.
folder=$1
port=$2
program=$3
shift 3
exec "$program" --folder "$folder/gateway" --host 127.0.0.1 --port "$port" "$@"
