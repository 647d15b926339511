#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A server that is slow, or lies: proxy.py HOST PORT BACKEND_PORT slow SECONDS | lying SEED

slow: each part of a reply comes SECONDS later. lying: each part of a reply is replaced by garbage, by bytes that look like an entry,
by a part of itself, or comes with some bits changed."""
import asyncio
import random
import sys

HOST, PORT, BACKEND, KIND, VALUE = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4], float(sys.argv[5])
RANDOM = random.Random(VALUE)


def lie(data):
    kind = RANDOM.randrange(5)
    if kind == 0:
        return RANDOM.randbytes(RANDOM.randrange(1, 400))
    if kind == 1:
        size = RANDOM.randrange(1, 2000)
        return b"$%d\r\n%s\r\n" % (size, RANDOM.randbytes(size))
    if kind == 2:
        return data[: RANDOM.randrange(1, len(data) + 1)]
    if kind == 3:
        changed = bytearray(data)
        changed[RANDOM.randrange(len(changed))] ^= 1 << RANDOM.randrange(8)
        return bytes(changed)
    return RANDOM.choice([b"$-1\r\n", b":1\r\n", b"+OK\r\n", b"*3\r\n:1\r\n:2\r\n:3\r\n", b"-ERR no\r\n"])


async def forward(reader, writer, is_reply):
    late = asyncio.Queue()

    async def send():
        while (item := await late.get()) is not None:
            moment, data = item
            await asyncio.sleep(max(0.0, moment - asyncio.get_running_loop().time()))
            writer.write(data)
            await writer.drain()

    task = asyncio.ensure_future(send())
    try:
        while data := await reader.read(1 << 16):
            delay = VALUE if is_reply and KIND == "slow" else 0.0
            late.put_nowait((asyncio.get_running_loop().time() + delay, lie(data) if is_reply and KIND == "lying" else data))
        late.put_nowait(None)
        await task
    except OSError:
        task.cancel()
    finally:
        writer.close()


async def serve(reader, writer):
    try:
        backend_reader, backend_writer = await asyncio.open_connection(HOST, BACKEND)
    except OSError:
        writer.close()
        return
    await asyncio.gather(forward(reader, backend_writer, False), forward(backend_reader, writer, True))


async def main():
    server = await asyncio.start_server(serve, HOST, PORT)
    async with server:
        await server.serve_forever()


asyncio.run(main())
