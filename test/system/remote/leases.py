# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""One compile in the fleet: agents as machines, on one redis-server that runs, hangs, dies and forgets."""
import select
import signal
import tempfile
import threading
import time

from agent_client import ABSENT, ANSWER, FOUND, LEASED, WAIT, Agent, expect, name_of, stop, wait_until
from servers import Redis

NAMES = [name_of(f"kernel {i}") for i in range(50)]
TAKE_OVER_LIMIT = 5.0  # seconds; docs/design/remote.md says 1.4, and the machine may be busy


class Rank(threading.Thread):
    """A session that wants all names, and compiles those that it has the lease of."""

    def __init__(self, session, names, compile_seconds):
        super().__init__(daemon=True)
        self.session, self.names, self.compile_seconds = session, names, compile_seconds
        self.compiled, self.alone, self.got = [], [], {}
        self.start()

    def run(self):
        for name in self.names:
            self.session.start_get([name], limit_ms=200, wants_lease=True)  # a session waits for 50 ms
            _, _, outcome, _, data = self.session.receive_answer()
            if outcome == FOUND:
                self.got[name] = data
                continue
            (self.compiled if outcome == LEASED else self.alone).append(name)
            time.sleep(self.compile_seconds)
            self.got[name] = b"code of " + name
            self.session.put([(name, self.got[name])])


def finish(ranks, names):
    for rank in ranks:
        rank.join(60)
    expect(all(not rank.is_alive() and rank.got == {name: b"code of " + name for name in names} for rank in ranks), f"{len(ranks)} sessions have all {len(names)} entries")
    return sum((rank.compiled for rank in ranks), []), sum((rank.alone for rank in ranks), [])


def leases_of(agent, url):
    return agent.session(url).remote()["leases"]


def ask(session, name, **more):
    session.start_get([name], wants_lease=True, **more)
    return session


def answer(session):
    _, _, outcome, _, data = session.receive_answer()
    return outcome, data


def take_over(first, waiters, name, end, what):
    """The first session holds the lease; `end` ends its machine. One of the waiters compiles, and the others get its entry."""
    expect(answer(ask(first, name))[0] == LEASED, "a session has the lease")
    for waiter in waiters:
        ask(waiter, name)
    time.sleep(0.6)
    ready, _, _ = select.select([waiter.socket for waiter in waiters], [], [], 0)
    answered = [waiter for waiter in waiters if waiter.socket in ready and waiter.receive()[0] != WAIT]
    expect(not answered, "others wait for it, also after its first beat")
    end()
    began = time.monotonic()
    holders = []
    while not holders:
        ready, _, _ = select.select([waiter.socket for waiter in waiters], [], [], TAKE_OVER_LIMIT)
        expect(bool(ready), f"{what}: another one has the lease within {TAKE_OVER_LIMIT} s")
        for waiter in waiters:
            if waiter.socket in ready:
                kind, payload = waiter.receive()
                if kind == ANSWER:
                    expect(payload[12] == LEASED, "a waiter has the lease")
                    holders.append(waiter)
    print(f"        after {time.monotonic() - began:.2f} s")
    expect(len(holders) == 1, "one of them")
    holders[0].put([(name, b"made by the second")])
    expect([answer(waiter) for waiter in waiters if waiter is not holders[0]] == [(FOUND, b"made by the second")] * (len(waiters) - 1), "the others get its entry")
    return holders[0]


def test_fleet(program):
    """Two machines, twenty sessions each."""
    with Redis() as server, Agent(program) as one, Agent(program) as two:
        agents = (one, two)
        ranks = [Rank(agent.session(server.url), NAMES if i % 2 else NAMES[::-1], 0.02) for i in range(20) for agent in agents]
        compiled, alone = finish(ranks, NAMES)
        expect(sorted(compiled) == sorted(NAMES) and not alone, f"{len(compiled)} grants for {len(NAMES)} names")
        counters = [leases_of(agent, server.url) for agent in agents]
        expect(sum(each["granted"] for each in counters) == len(NAMES), "and so the agents report")
        expect(all(each["in_fleet"] and each["node_only"] == each["failed"] == each["expired"] == each["compiled"] == 0 for each in counters), "without a failure")
        wait_until(lambda: server.call("KEYS", "kiln:1:lease:*") == "", "no lease stays")

        # A late publisher does not replace the entry.
        late = two.session(server.url)
        late.put([(NAMES[0], b"other code")])
        late.wait_for_uploads()
        expect(one.session(server.url).get_one(NAMES[0]) == (FOUND, b"code of " + NAMES[0]), "the first entry stays")


def test_holder_ends(program):
    with Redis() as server, Agent(program) as two:
        url = server.url
        with Agent(program) as one:
            waiters = [two.session(url) for _ in range(3)]
            first = one.session(url)
            take_over(first, waiters, name_of("session ends"), first.socket.close, "the session with the lease ends")
            first = one.session(url)
            take_over(first, waiters, name_of("given back"), lambda: first.release([name_of("given back")]), "the lease is given back")
            first = one.session(url)
            take_over(first, waiters, name_of("agent stops"), lambda: stop(one.process), "the holder's agent is stopped")
            one.process.send_signal(signal.SIGCONT)
            wait_until(lambda: leases_of(one, url)["expired"] == 1, "the agent hears that its lease expired")
            first.put([(name_of("agent stops"), b"made by the first")])
            first.wait_for_uploads()
            expect(first.get_one(name_of("agent stops")) == (FOUND, b"made by the second"), "the session publishes too late, and changes nothing")
            take_over(one.session(url), waiters, name_of("agent dies"), one.process.kill, "the holder's agent is killed")
        expect(leases_of(two, url)["taken_over"] == 4, "four leases were taken over")


def test_neighbours(program):
    """Sessions of one node pass a lease on."""
    with Redis() as server, tempfile.TemporaryDirectory() as folder, Agent(program) as agent:
        for url in (server.url, f"file://{folder}"):
            sessions = [agent.session(url) for _ in range(4)]
            for session in sessions:
                ask(session, NAMES[0])
                time.sleep(0.05)
            expect(answer(sessions[0])[0] == LEASED, "the first of a node's sessions has the lease")
            sessions[0].socket.close()
            expect(answer(sessions[1])[0] == LEASED, "the next one when it ends")
            sessions[1].release([NAMES[0]])
            expect(answer(sessions[2])[0] == LEASED, "and when it gives it back")
            sessions[2].put([(NAMES[0], b"code")])
            expect(answer(sessions[3]) == (FOUND, b"code"), "the last one gets the entry")
            impatient = agent.session(url)
            expect(answer(ask(impatient, name_of("short"), cost_us=1)) == (ABSENT, b""), "nobody waits for a compile of a microsecond")
            counters = sessions[3].remote()["leases"]
            expect((counters["granted"], counters["given_back"], counters["published"], counters["compiled"]) == (3, 2, 1, 1), "the counters are exact")
            expect(counters["in_fleet"] == url.startswith("redis"), "a folder has no leases for the fleet")


def test_elsewhere(program):
    """Leases in Redis for a folder."""
    with Redis() as server, tempfile.TemporaryDirectory() as folder:
        url = f"file://{folder}"
        with Agent(program, ["--lease", server.url]) as one, Agent(program, environment={"KILN_REMOTE_LEASE": server.url}) as two:
            ranks = [Rank(agent.session(url), NAMES[:10], 0.02) for _ in range(3) for agent in (one, two)]
            compiled, alone = finish(ranks, NAMES[:10])
            expect(sorted(compiled) == sorted(NAMES[:10]) and not alone, "--lease and KILN_REMOTE_LEASE: one grant for each name")
    with tempfile.TemporaryDirectory() as folder, Agent(program, ["--lease", f"file://{folder}"]) as agent:
        refusal = agent.session(f"file://{folder}", refused=True).refusal
        expect("has no leases" in refusal and "redis://" in refusal, "a folder is no server for leases")


def test_sick_server(program):
    """Whatever happens to the server, each machine compiles each name at most once more, and at once."""
    for what, fault in (("killed", Redis.kill), ("hung", lambda server: stop(server.process)), ("flushed", lambda server: server.call("FLUSHALL"))):
        with Redis() as server, Agent(program) as one, Agent(program) as two:
            ranks = [Rank(agent.session(server.url), NAMES[:20], 0.05) for _ in range(5) for agent in (one, two)]
            time.sleep(0.3)
            fault(server)
            began = time.monotonic()
            compiled, alone = finish(ranks, NAMES[:20])
            expect(len(compiled) <= 42, "each machine compiles each name once, and those under way once more")
            print(f"        {what}: {len(compiled)} grants and {len(alone)} others for 20 names, the last after {time.monotonic() - began:.2f} s")
            if what != "hung":  # where a get is late, its session goes on by itself
                expect(not alone, "and no session goes without a lease")
            leases_of(one, server.url)  # checks the laws
    with Redis() as server, Agent(program) as one, Agent(program) as two:
        first, second = one.session(server.url), two.session(server.url)
        expect(answer(ask(first, NAMES[0]))[0] == LEASED, "a session has the lease")
        ask(second, NAMES[0])
        time.sleep(0.3)
        server.kill()
        began = time.monotonic()
        expect(answer(second)[0] == LEASED and time.monotonic() - began < 2, "where the server dies, a waiter compiles at once")
        print(f"        after {time.monotonic() - began:.3f} s")


def test_leases(program):
    for test in (test_fleet, test_holder_ends, test_neighbours, test_elsewhere, test_sick_server):
        print(test.__name__)
        test(program)


GROUPS = {"leases": test_leases}
