# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""How the agent starts and ends, and sessions that behave badly."""
import os
import resource
import signal
import socket
import struct
import subprocess
import tempfile
import time

from agent_client import ABSENT, CANCEL, FAILED, FINISH, FOUND, GET, HELLO, PROTOCOL, PUT, RELEASE, STATISTICS, STOP, TAKE, Agent, Session, envelope, expect, frame, get_request, hello, name_of, stop, text, wait_until
from faults import field
from servers import Script, http, http_reply


def start(agent, *options):
    return subprocess.Popen([agent.program, "serve", "--socket", agent.path, "--log", "info", *options], env=agent.environment, stderr=subprocess.PIPE, text=True)


def test_life(program):
    with tempfile.TemporaryDirectory() as scratch:
        folder = os.path.join(scratch, "open")
        os.mkdir(folder)
        os.chmod(folder, 0o777)
        done = subprocess.run([program, "serve", "--socket", folder + "/agent.sock"], capture_output=True, text=True, timeout=20, check=False)
        expect(done.returncode == 1 and "can be entered by other users" in done.stderr and "hint" in done.stderr, "a folder with mode 0777 is refused")
        os.symlink(scratch, os.path.join(scratch, "link"))
        done = subprocess.run([program, "serve", "--socket", scratch + "/link/agent.sock"], capture_output=True, text=True, timeout=20, check=False)
        expect(done.returncode == 1, "a link in place of the folder is refused")
        done = subprocess.run([program, "serve", "--socket", f"{scratch}/{'x' * 200}/agent.sock"], capture_output=True, text=True, timeout=20, check=False)
        expect(done.returncode == 2, "a path that is too long is a wrong usage")
        for words in (["bad"], ["serve", "--idle", "x"], ["stat", "--idle", "3"], ["serve", "--log", "all"], ["--bad"], ["serve", "--trust", "some"], ["verify"], ["keygen"]):
            done = subprocess.run([program, *words], capture_output=True, text=True, timeout=20, check=False)
            expect(done.returncode == 2 and done.stderr, f"wrong usage: {' '.join(words)}")
        done = subprocess.run([program, "serve", "--socket", scratch + "/a/agent.sock"], env={**os.environ, "KILN_REMOTE_EXPIRY": "soon"}, capture_output=True, text=True, timeout=20, check=False)
        expect(done.returncode == 2 and "KILN_REMOTE_EXPIRY" in done.stderr, "wrong usage: KILN_REMOTE_EXPIRY=soon")
        os.mkdir(scratch + "/b", 0o700)
        with open(scratch + "/b/agent.sock", "w", encoding="utf-8") as file:
            file.write("mine")
        done = subprocess.run([program, "serve", "--socket", scratch + "/b/agent.sock"], capture_output=True, text=True, timeout=20, check=False)
        expect(done.returncode == 1 and os.path.getsize(scratch + "/b/agent.sock") == 4, "a file in the socket's place stays")

    with Agent(program) as agent:
        expect(os.stat(agent.folder).st_mode & 0o777 == 0o700 and os.stat(agent.path).st_mode & 0o777 == 0o600, "folder and socket are the user's alone")
        second = start(agent)
        expect(second.wait(20) == 0 and "another agent serves" in second.stderr.read(), "a second agent ends with 0")
        agent.process.kill()
        agent.process.wait()
        expect(os.path.exists(agent.path), "a killed agent leaves its socket")
        done = agent.command("stat")
        expect(done.returncode == 1 and "no agent listens" in done.stderr, "nobody listens there")
        agent.start()
        expect(agent.session().statistics()["remotes"] == [], "a new agent replaces it")
        expect(agent.command("stop").returncode == 0, "stop")
        expect(agent.process.wait(5) == 0 and not os.path.exists(agent.path), "ends the agent, and its socket is gone")
        expect(agent.command("stop").returncode == 0, "to stop none is no failure")

    with Agent(program) as agent:
        agent.end()
        several = [start(agent) for _ in range(8)]
        wait_until(lambda: sum(each.poll() is not None for each in several) == 7, "of eight that start at once, seven end")
        expect(sorted(each.poll() or 0 for each in several) == [0] * 8, "with 0")
        agent.process = next(each for each in several if each.poll() is None)
        expect(agent.session().statistics()["process"] == agent.process.pid, "and one serves")
        os.unlink(agent.path)
        listener = socket.socket(socket.AF_UNIX)
        listener.bind(agent.path)
        expect(agent.end() == 0 and os.path.exists(agent.path), "it does not remove another's socket")

    with tempfile.TemporaryDirectory() as folder, Agent(program) as agent:
        report = agent.session(f"file://{folder}").statistics()
        with open(os.path.join(os.path.dirname(__file__), "../../../docs/design/remote.md"), encoding="utf-8") as page:
            documented = page.read().partition("| field | meaning |")[2]
        missing = [field for field in (*report, *report["remotes"][0]) if f"`{field}`" not in documented]
        expect(not missing, f"docs/design/remote.md explains each field of the report {missing}")
        os.unlink(agent.path)
        expect(agent.process.wait(30) == 0, "an agent whose socket was removed ends: nobody can reach it")

    with tempfile.TemporaryDirectory() as scratch:
        # The first session's folder and its relative paths.
        os.mkdir(scratch + "/a", 0o700)
        subprocess.run([program, "keygen", scratch + "/writer"], check=True, capture_output=True, timeout=20)
        environment = {**os.environ, "KILN_REMOTE_SIGN_KEY": "writer", "KILN_REMOTE_TRUST_KEYS": "writer.pub", "KILN_REMOTE_TRUST": ""}
        started = subprocess.run([program, "serve", "--background", "--socket", "a/agent.sock"], cwd=scratch, env=environment, capture_output=True, timeout=20, check=False)
        expect(started.returncode == 0, "an agent starts with relative paths")
        session = Session(scratch + "/a/agent.sock", [f"file://{scratch}"])
        process = session.statistics()["process"]
        expect(os.readlink(f"/proc/{process}/cwd") == "/", "it leaves the folder in which it was started")
        expect(session.put([(name_of("x"), b"x")]) == 1, "and finds the keys that were named there")
        session.send(STOP)
        wait_until(lambda: not os.path.exists(f"/proc/{process}"), "it ends")

    with Agent(program, ["--idle", "1"]) as agent:
        session = agent.session()
        time.sleep(1.5)
        expect(agent.process.poll() is None, "with a session the agent is not idle")
        session.socket.close()
        expect(agent.process.wait(10) == 0 and not os.path.exists(agent.path), "without one it ends")


def test_stop(program):
    """Uploads at the end: up to a second for them."""
    def slow(line):
        if line.startswith("PUT"):
            time.sleep(0.3)
        return http(b"", "201 Created" if line.startswith("PUT") else "404 Not Found")

    with Script(http_reply(slow)) as server, Agent(program) as agent:
        session = agent.session(f"http://127.0.0.1:{server.port}")
        session.put([(name_of(f"{i}"), b"x") for i in range(4)])
        session.send(STOP)
        expect(agent.process.wait(5) == 0 and sum(line.startswith("PUT") for line, _ in server.requests) == 4, "uploads are done before the end")
    with Script(lambda server, connection: time.sleep(30)) as server, Agent(program) as agent:
        session = agent.session(f"http://127.0.0.1:{server.port}")
        session.put([(name_of("x"), b"x")])
        began = time.monotonic()
        session.send(STOP)
        expect(agent.process.wait(10) == 0 and time.monotonic() - began < 5, "a server that hangs does not hold the agent")
        expect("1 entries that are not uploaded" in agent.log_text(), "which says what is lost")


def test_late_reading(program):
    """Sessions that have ended before a stopped agent reads their uploads."""
    with Script(http_reply(lambda line: http(b"", "201 Created" if line.startswith("PUT") else "404 Not Found"))) as server, Agent(program) as agent:
        url = f"http://127.0.0.1:{server.port}"
        agent.session(url)
        stop(agent.process)
        for i in range(20):
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(20)
                connection.connect(agent.path)
                connection.sendall(frame(HELLO, hello([url])))
                for part in range(3):
                    connection.sendall(frame(PUT, struct.pack("<QI", part + 1, 1) + name_of(f"{i} {part}") + text(b"x" * 10_000)))
        agent.process.send_signal(signal.SIGCONT)
        wait_until(lambda: sum(line.startswith("PUT") for line, _ in server.requests) == 60, "the server has the entries of 20 ended sessions")
        print("ok      an agent reads what sessions sent before they ended")


def test_clients(program):
    with Script(http_reply(lambda line: http(field(5, envelope(bytes.fromhex(line.split("/ac/")[1][:64]), b"x" * 200_000)) if line.startswith("GET") else b""))) as server, Agent(program) as agent:
        url = f"http://127.0.0.1:{server.port}"
        for protocol in (0, PROTOCOL - 1, PROTOCOL + 1, 4_000_000_000):
            session = Session(agent.path, [url], protocol, refused=True)
            expect("kiln-agent stop" in session.refusal and session.is_closed(), f"version {protocol} of the protocol is refused, with what to do")
        for remote, why in (("ftp://host/x", "unknown scheme"), ("rediss://host", "stunnel"), ("nothing", "no URL"), ("http://:secret-1@/", "no host"), ("redis://h:70000", "port"),
                            ("redis://h/x", "database"), ("file://relative", "absolute"), ("http://h/a b", "blank"), ("http://h/?x", "query"), ("http://u:%zz@h/", "%")):
            session = Session(agent.path, [remote], refused=True)
            expect(why in session.refusal and "secret-1" not in session.refusal, f"{remote}: {session.refusal}")
        healthy = agent.session(url)

        def raw(*parts):
            connection = socket.socket(socket.AF_UNIX)
            connection.settimeout(20)
            connection.connect(agent.path)
            for part in parts:
                try:
                    connection.sendall(part)
                except BrokenPipeError:
                    break
            return connection

        def is_dropped(connection):
            try:
                while connection.recv(1 << 16):
                    pass
            except ConnectionResetError:
                pass
            return True

        greeting = frame(HELLO, hello([]))
        name = name_of("x")
        for parts, what in [
            ((b"GET / HTTP/1.1\r\n" + b"x" * 100,), "HTTP"),
            ((os.urandom(4096),), "random bytes"),
            ((frame(HELLO, hello([]), version=2),), "another version of the frames"),
            ((frame(HELLO, hello([]))[:-1] + b"?",), "a damaged payload"),
            ((frame(STATISTICS, b""),), "no greeting"),
            ((frame(HELLO, hello([])[:-3]),), "a greeting that ends too early"),
            ((frame(HELLO, struct.pack("<III", PROTOCOL, 0, 0xFFFFFFFF)),), "a greeting that announces 2^32 URLs"),
            ((frame(HELLO, hello(["http://h/" + "x" * 100_000])),), "a greeting that is too large"),
            ((greeting, frame(3, b"")), "a message of worker processes"),
            ((greeting, greeting), "a second greeting"),
            ((greeting, frame(GET, b"x")), "a request that ends too early"),
            ((greeting, frame(GET, get_request(1, 100, 0x7FFFFFFF))), "a request that announces 2^31 names"),
            ((greeting, frame(GET, get_request(1, 100, 1) + name + b"x")), "a request with bytes after its end"),
            ((greeting, frame(GET, get_request(7, 100, 1) + name), frame(CANCEL, struct.pack("<Q", 7)), frame(GET, get_request(7, 100, 1) + name)), "a request with the number of a cancelled one"),
            ((greeting, frame(CANCEL, b"1234")), "a damaged cancellation"),
            ((greeting, frame(RELEASE, struct.pack("<I", 2) + name)), "a release that ends too early"),
            ((greeting, frame(TAKE, b"x")), "a request for jobs that ends too early"),
            ((greeting, frame(TAKE, struct.pack("<QI", 1, 1) + b"q" + bytes(16) + struct.pack("<III", 1, 1, 0))), "a request for jobs without a remote"),
            ((greeting, frame(FINISH, struct.pack("<I", 1) + b"q" + bytes(16) + b"\3")), "an unknown end of a job"),
            ((greeting, frame(PUT, struct.pack("<QI", 1, 1) + name + struct.pack("<I", 100) + b"short")), "an upload that ends too early"),
            ((greeting, frame(PUT, b"", magic=b"KILNWERK")), "another magic"),
        ]:  # fmt: skip
            expect(is_dropped(raw(*parts)), f"dropped: {what}")
            expect(healthy.get_one(name, 20_000)[0] == FOUND, "        and others are served")

        # A client that does not read: the agent stops to fetch for it, and serves others.
        slow = raw(frame(HELLO, hello([url])), frame(GET, get_request(1, 20_000, 1000) + b"".join(name_of(f"slow {i}") for i in range(1000))))
        time.sleep(1)
        fetched = healthy.remote()["hits"]
        time.sleep(1)
        counters = healthy.remote()
        expect(counters["hits"] - fetched < 300 and counters["hits"] < 700, f"a client that does not read its answers stops its fetches ({counters['hits']} of 1000)")
        expect(healthy.get_one(name_of("beside"))[0] == FOUND, "others are served beside it")
        with open(f"/proc/{agent.process.pid}/status", encoding="utf-8") as file:
            resident = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        print(f"        the agent holds {resident / 1024:.0f} MiB")
        expect(resident < 1024 * 1024, "in bounded memory")
        slow.close()
        questions = frame(HELLO, hello([])) + frame(STATISTICS, b"") * 1_000_000
        greedy = raw()
        greedy.settimeout(2)
        try:
            greedy.sendall(questions)
            expect(False, "a client that only asks is not read for ever")
        except TimeoutError:
            expect(healthy.get_one(name_of("beside"))[0] == FOUND, "a client that only asks, and reads nothing, has to wait")
        greedy.close()

        silent = [raw() for _ in range(50)]
        expect(healthy.get_one(name_of("silent"))[0] == FOUND, "silent connections harm nobody")
        for each in silent:
            each.close()
        wait_until(lambda: healthy.statistics()["connections"] == 1, "all of them are forgotten")

        # More connections than the agent may have descriptors.
        resource.prlimit(agent.process.pid, resource.RLIMIT_NOFILE, (60, 60))
        many = [raw() for _ in range(100)]
        wait_until(lambda: "cannot accept a connection" in agent.log_text(), "the descriptors run out")
        expect(healthy.get_one(name_of("crowd"))[0] == FOUND, "sessions that are there are served when no descriptors are left")
        for each in many:
            each.close()
        expect(agent.session(url).get_one(name_of("after the crowd"))[0] == FOUND, "and new ones later")

        # Many gets at once, cancelled ones among them.
        numbers = [healthy.start_get([name_of(f"n {i}")]) for i in range(50)]
        for number in numbers[::2]:
            healthy.send(CANCEL, struct.pack("<Q", number))
        answered = set()
        while not set(numbers[1::2]) <= answered:
            answered.add(healthy.receive_answer()[0])
        last = healthy.start_get([name_of("last")])
        while healthy.receive_answer()[0] != last:
            pass
        expect(agent.process.poll() is None, "cancelled requests are forgotten")

    # Equal gets of several sessions are one request.
    def late(line):
        time.sleep(1)
        return http(b"", "404 Not Found")

    with Script(http_reply(late)) as server, Agent(program) as agent:
        sessions = [agent.session(f"http://127.0.0.1:{server.port}") for _ in range(8)]
        for session in sessions:
            session.start_get([name_of("shared")])
        expect([session.receive_answer()[2] for session in sessions] == [ABSENT] * 8, "eight sessions get an answer")
        counters = sessions[0].remote()
        expect((counters["requests"], counters["joined"], len(server.requests)) == (1, 7, 1), "to one request")
        session = sessions[0]
        began = time.monotonic()
        expect(session.get([name_of("a"), name_of("b")], limit_ms=50) == [(FAILED, b"")] * 2 and time.monotonic() - began < 0.9, "an answer at the session's deadline")
        wait_until(lambda: session.remote()["misses"] == 3, "late replies are counted as what they are")
        expect(agent.session().get_one(name_of("x")) == (ABSENT, b"") and agent.session().put([(name_of("x"), b"x")]) == 0, "without a remote all is absent")


GROUPS = {"life": test_life, "stop": test_stop, "late_reading": test_late_reading, "clients": test_clients}
