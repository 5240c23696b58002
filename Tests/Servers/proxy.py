"""A proxy that breaks connections: proxy.py DIR PORT TARGET_PORT

DIR/fault sets the fault of the next connections: 'none', 'cut N' after N bytes from the server, 'send N' after N bytes
from the client, 'flip N' flips a bit of byte N from the server, 'slow' passes few bytes at a time. 'cut N K' and
the like apply to connection K only, counted from when the file was written.
"""

import asyncio
import os
import sys

folder, port, target = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])


counted = {}


def fault():
    try:
        with open(folder + "/fault") as file:
            kind, *numbers = file.read().split()
            key = os.fstat(file.fileno()).st_mtime_ns
    except OSError:
        return "none", 0
    count = counted[key] = counted.get(key, 0) + 1
    if len(numbers) > 1 and int(numbers[1]) != count:
        return "none", 0
    return kind, int(numbers[0]) if numbers else 0


async def pump(reader, writer, close, kind, number, mine):
    count = 0
    try:
        while data := await reader.read(4 if kind == "slow" and mine else 65536):
            if kind in ("cut", "send") and mine and count + len(data) >= number:
                writer.write(data[: max(0, number - count)])
                await writer.drain()
                break
            if kind == "flip" and mine and count <= number < count + len(data):
                place = number - count
                data = data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :]
            count += len(data)
            writer.write(data)
            await writer.drain()
    except (OSError, asyncio.CancelledError):
        pass
    close()


async def serve(reader, writer):
    kind, number = fault()
    try:
        other_reader, other_writer = await asyncio.open_connection("127.0.0.1", target)
    except OSError:
        writer.close()
        return

    def close():
        for one in (writer, other_writer):
            if one.transport and not one.transport.is_closing():
                one.transport.abort()

    await asyncio.gather(
        pump(reader, other_writer, close, kind, number, kind == "send"),
        pump(other_reader, writer, close, kind, number, kind != "send"),
    )


async def main():
    server = await asyncio.start_server(serve, "127.0.0.1", port)
    await server.serve_forever()


asyncio.run(main())
