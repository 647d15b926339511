# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Servers that lie, send garbage, stop in the middle, or say nothing."""
import hashlib
import time

from agent_client import ABSENT, FAILED, FOUND, Agent, envelope, expect, name_of, wait_until
from servers import Script, http, http_reply

NAME = name_of("entry")


def field(number, data):
    """A field of bytes in protobuf's wire format."""
    size, length = len(data), b""
    while size >= 0x80:
        length += bytes([size & 0x7F | 0x80])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + data


def output_file(payload, size=None):
    """An ActionResult that names a payload in /cas."""
    size, text = len(payload) if size is None else size, b""
    while size >= 0x80:
        text += bytes([size & 0x7F | 0x80])
        size >>= 7
    digest = field(1, hashlib.sha256(payload).hexdigest().encode()) + b"\x10" + text + bytes([size])
    return field(2, field(1, b"out") + field(2, digest))


def one_get(program, behaviour, scheme, expected, what, limit_ms=5000):
    with Script(behaviour) as server, Agent(program) as agent:
        session = agent.session(f"{scheme}://127.0.0.1:{server.port}")
        began = time.monotonic()
        answer = session.get_one(NAME, limit_ms)
        expect(answer == expected, f"{scheme}: {what}: {['found', 'absent', 'failed', 'refused'][answer[0]]} after {1000 * (time.monotonic() - began):.0f} ms")
        counters = wait_until(lambda: (c := session.remote())["requests"] == 1 and c, "the request is counted")
        kind = {FOUND: "hits", ABSENT: "misses", FAILED: "errors"}[expected[0]]
        expect(counters[kind] == 1, f"        it is counted under {kind}")


def http_faults(program):
    entry = b"x" * 100_000
    payload = envelope(NAME, entry)

    def with_cas(result, reply):
        return http_reply(lambda line: http(result) if "/ac/" in line else reply)

    failed, absent = (FAILED, b""), (ABSENT, b"")
    cases = [
        (http_reply(lambda line: http(b"<html>error</html>")), failed, "an error page with the status 200"),
        (http_reply(lambda line: http(b"")), failed, "an empty result"),
        (http_reply(lambda line: http(field(5, b"abc")[:-1])), failed, "a result that ends too early"),
        (http_reply(lambda line: http(field(5, b"abc") + b"\x20\x01")), failed, "the result of a failed action"),
        (http_reply(lambda line: http(field(5, b"abc") + output_file(payload))), failed, "a result with two payloads"),
        (http_reply(lambda line: http(field(9, b"\x0a\x02me") + field(5, envelope(NAME, b"abc")) + b"\x20\x00")), (FOUND, b"abc"), "metadata that a server added"),
        (http_reply(lambda line: http(b"x", "500 Internal Server Error")), failed, "the status 500"),
        (http_reply(lambda line: http(b"", "204 No Content")), failed, "the status 204"),
        (http_reply(lambda line: http(b"x", "404 Not Found")), absent, "the status 404"),
        (http_reply(lambda line: b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\nConnection: close\r\n\r\nten bytes."), failed, "a body that ends too early"),
        (http_reply(lambda line: b"SSH-2.0-OpenSSH_9.2\r\n\r\nConnection: close"), failed, "another protocol"),
        (http_reply(lambda line: None), failed, "a connection that is closed at once"),
        (http_reply(lambda line: b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999\r\n\r\n" + b"x" * 2_000_000), failed, "a reply that is too large"),
        (with_cas(output_file(payload), http(payload)), (FOUND, entry), "a payload in /cas"),
        (with_cas(output_file(payload), http(b"y" * len(payload))), failed, "a payload with another digest"),
        (with_cas(output_file(payload), http(payload + b"more")), failed, "a payload that is too long"),
        (with_cas(output_file(payload), http(b"", "404 Not Found")), absent, "a payload that the server has dropped"),
        (with_cas(output_file(payload, 1 << 60), http(payload)), failed, "a result that announces 2^60 bytes"),
        (lambda server, connection: time.sleep(30), failed, "a server that says nothing"),
        (lambda server, connection: drip(connection, b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n"), failed, "a byte from time to time"),
    ]
    for behaviour, expected, what in cases:
        one_get(program, behaviour, "http", expected, what)


def drip(connection, begin):
    connection.sendall(begin)
    for _ in range(300):
        connection.sendall(b"x")
        time.sleep(0.1)


def redis_faults(program):
    def reply(data, wait=0.0):
        def behaviour(server, connection):
            connection.recv(1 << 16)
            connection.sendall(data)
            time.sleep(wait)

        return behaviour

    failed = (FAILED, b"")
    small = envelope(NAME, b"abc")
    small = b"$%d\r\n%s\r\n" % (len(small), small)
    for data, wait, expected, what in [
        (small, 1, (FOUND, b"abc"), "an entry"),
        (b"$-1\r\n", 1, (ABSENT, b""), "no entry"),
        (b"$0\r\n\r\n", 1, failed, "an empty entry"),
        (b"+OK\r\n", 1, failed, "a reply to another command"),
        (b":12\r\n", 1, failed, "a number"),
        (b"-LOADING Redis is loading the dataset in memory\r\n", 1, failed, "a server that is not ready"),
        (b"*2147483647\r\n", 30, failed, "a list of 2^31 elements"),
        (b"*1\r\n*1\r\n$1\r\na\r\n", 30, failed, "lists in lists"),
        (b"$99999999999999\r\n", 30, failed, "an entry of 10^14 bytes"),
        (b"$100\r\nten bytes.", 0, failed, "an entry that ends too early"),
        (b"HTTP/1.1 400 Bad Request\r\n\r\n", 1, failed, "another protocol"),
        (small + small, 1, (FOUND, b"abc"), "a reply that nobody asked for, after the entry"),
        (b"", 0, failed, "a connection that is closed at once"),
        (b"", 30, failed, "a server that says nothing"),
        (b"$70000000\r\n" + b"x" * 70_000_000, 1, failed, "an entry above the bound"),
    ]:
        one_get(program, reply(data, wait), "redis", expected, what)


def no_server(program):
    """Nobody listens, and a host that does not exist."""
    with Agent(program) as agent:
        for url in ("http://127.0.0.1:1", "redis://127.0.0.1:1", "http://no-such-host.invalid", "redis://no-such-host.invalid", "redis://[::1]:1/2", "http://[::1]:1/x"):
            session = agent.session(url)
            expect(session.get_one(NAME, 20_000)[0] == FAILED, f"{url} fails")
        for remote in agent.session().statistics()["remotes"]:
            expect(remote["errors"] == 1, f"{remote['url']}: one error")


def test_faults(program):
    http_faults(program)
    redis_faults(program)
    no_server(program)


GROUPS = {"faults": test_faults}
