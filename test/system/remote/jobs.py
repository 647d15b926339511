# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Queues of jobs: agents as machines, sessions as workers, on one redis-server."""
import hashlib
import signal
import tempfile
import threading
import time

from agent_client import DONE, NO_ANSWER, OTHER_LIST, RETRY, UNUSABLE, WRONG, Agent, expect, name_of, stop, wait_until
from servers import Redis, Script, http, http_reply

LIST = hashlib.md5(b"the list").digest()
JOBS = [hashlib.md5(f"job {i}".encode()).digest() for i in range(60)]
ATTEMPTS = 3  # docs/design/remote.md


class Worker(threading.Thread):
    """Takes jobs one by one, each after the other, from a place of its own in the list."""

    def __init__(self, session, begin):
        super().__init__(daemon=True)
        self.session, self.jobs, self.taken = session, JOBS[begin:] + JOBS[:begin], []
        self.start()

    def run(self):
        left = list(self.jobs)
        while left:
            states = self.session.take("fleet", LIST, left)
            job = left[states.index("t")] if "t" in states else None
            left = [each for each, state in zip(left, states) if state not in "dt"]
            if job is None:
                time.sleep(0.01)
                continue
            self.taken.append(job)
            time.sleep(0.005)
            self.session.finish("fleet", job, DONE)


def counters(agent, url):
    return agent.session(url).remote()["jobs"]


def test_shared(program):
    with Redis() as server, Agent(program) as one, Agent(program) as two:
        workers = [Worker((one, two)[i % 2].session(server.url), 15 * i) for i in range(4)]
        for worker in workers:
            worker.join(60)
        taken = [job for worker in workers for job in worker.taken]
        expect(sorted(taken) == sorted(JOBS), f"four workers take {len(taken)} of {len(JOBS)} jobs, each once")
        expect(all(worker.taken for worker in workers), "and each has a part of them: " + ", ".join(str(len(worker.taken)) for worker in workers))
        sums = [sum(values) for values in zip(*([counters(agent, server.url)[key] for key in ("taken", "done", "held", "errors")] for agent in (one, two)))]
        expect(sums == [60, 60, 0, 0], "and so the agents report")
        expect(server.call("HLEN", "kiln:1:queue:fleet") == "61" and server.call("KEYS", "kiln:1:queue:fleet:*") == "", "Redis has a mark for each job, and no job is held")
        expect(0 < int(server.call("TTL", "kiln:1:queue:fleet")) <= 3600, "the queue is forgotten within an hour")


def test_lost_workers(program):
    """Sessions and agents that end while they hold a job."""
    with Redis() as server, Agent(program) as two:
        other = two.session(server.url)
        with Agent(program) as one:
            first = one.session(server.url)
            expect(first.take("q", LIST, JOBS[:3], wanted=2) == "ttn", "a worker takes two of three jobs")
            expect(other.take("q", LIST, JOBS[:3]) == "bbt", "another one the third")
            time.sleep(7)  # the lease is renewed
            expect(other.take("q", LIST, JOBS[:2]) == "bb", "the first worker keeps its jobs for as long as it lives")
            first.socket.close()
            wait_until(lambda: counters(one, server.url)["given_back"] == 2, "the agent gives back what an ended session held")
            expect(other.take("q", LIST, JOBS[:1]) == "r", "another worker takes over")
            last = one.session(server.url)
            expect(last.take("q", LIST, JOBS[1:2]) == "r", "so does one of the same machine")
            one.process.kill()
            began = time.monotonic()
            wait_until(lambda: other.take("q", LIST, JOBS[1:2]) == "R", "the agent is killed: its job comes back")
            print(f"        after {time.monotonic() - began:.1f} s")
        other.finish("q", JOBS[1], DONE)
        other.finish("q", JOBS[0], DONE)
        other.finish("q", JOBS[2], WRONG)
        wait_until(lambda: other.take("q", LIST, JOBS[:3]) == "ddf", "all jobs have ended")
        expect(counters(two, server.url)["returned"] == 2, "two came back")


def test_attempts(program):
    with Redis() as server, Agent(program) as agent:
        last = agent.session(server.url)
        for attempt in range(ATTEMPTS):
            session = agent.session(server.url)
            expect(session.take("deaths", LIST, JOBS[:1]) == "trR"[attempt], f"attempt {attempt + 1}")
            session.socket.close()
            wait_until(lambda: counters(agent, server.url)["held"] == 0, "the worker dies")
        expect(last.take("deaths", LIST, JOBS[:1]) == "x" and last.take("deaths", LIST, JOBS[:1]) == "f", "the job has failed, and one worker hears it first")
        for attempt in range(ATTEMPTS):
            expect(last.take("lacks", LIST, JOBS[:1]) == "teE"[attempt], f"attempt {attempt + 1} after machines that lacked something")
            last.finish("lacks", JOBS[0], RETRY if attempt + 1 < ATTEMPTS else WRONG)
        expect(last.take("lacks", LIST, JOBS[:1]) == "f", "the job has failed")


def test_hung_worker(program):
    """A worker that holds a job for longer than the limit of another one."""
    with Redis() as server, Agent(program) as one, Agent(program) as two:
        hung, other = one.session(server.url), two.session(server.url)
        expect(hung.take("q", LIST, JOBS[:1]) == "t" and other.take("q", LIST, JOBS[:1], limit_s=2) == "b", "a worker holds a job")
        wait_until(lambda: other.take("q", LIST, JOBS[:1], limit_s=2) == "r", "another one takes it after its limit")
        wait_until(lambda: counters(one, server.url)["expired"] == 1, "the first agent hears it")
        other.finish("q", JOBS[0], DONE)
        hung.finish("q", JOBS[0], DONE)
        wait_until(lambda: counters(one, server.url)["done"] == 1, "both end it")
        expect(other.take("q", LIST, JOBS[:1]) == "d", "and it is done")


def test_uploads(program):
    """A job is done when its entries are at the server."""
    with Redis() as server, Agent(program) as one, Agent(program) as two:
        worker, other = one.session(server.url), two.session(server.url)
        expect(worker.take("q", LIST, JOBS[:1]) == "t", "a worker takes a job")
        entries = [(name_of(f"entry {i}"), bytes(100_000)) for i in range(50)]
        expect(worker.put(entries) == 50, "it puts 50 entries")
        worker.finish("q", JOBS[0], DONE)
        worker.socket.close()
        wait_until(lambda: other.take("q", LIST, JOBS[:1]) == "d", "the job is done")
        expect(server.call("DBSIZE") == "51", "and all its entries are at the server")


def test_lost_uploads(program):
    """A job whose entries do not arrive goes to another attempt."""
    lost = Script(http_reply(lambda line: http(b"", "404 Not Found" if line.startswith("GET") else "500 Internal Server Error")))
    with Redis() as server, lost as store, Agent(program, ["--lease", server.url]) as agent:
        url = f"http://127.0.0.1:{store.port}"
        worker, other = agent.session(url), agent.session(url)
        expect(worker.take("q", LIST, JOBS[:1]) == "t" and worker.put([(name_of("entry"), b"x")]) == 1, "a worker takes a job, and the agent its entry")
        worker.finish("q", JOBS[0], DONE)
        wait_until(lambda: other.take("q", LIST, JOBS[:1]) == "e", "the server refuses the entry: another worker gets the job")
        of_jobs = counters(agent, url)
        expect((of_jobs["done"], of_jobs["given_back"], of_jobs["held"]) == (0, 1, 1), f"and no job is done: {of_jobs}")


def test_refusals(program):
    with Redis() as server, tempfile.TemporaryDirectory() as folder, Agent(program) as agent:
        session = agent.session(server.url)
        session.take("q", LIST, JOBS)
        session.start_take("q", JOBS[0], JOBS)
        expect(session.receive_tasks()[0] == OTHER_LIST, "another list under the same name is refused")
        store = agent.session(f"file://{folder}")
        store.start_take("q", LIST, JOBS)
        outcome, _, why, help_ = store.receive_tasks()
        expect(outcome == UNUSABLE and "has no leases" in why and "--lease redis://" in help_, "a folder has no queues")
        for what, queue, jobs, wanted in (("a name with a colon", "a:b", JOBS, 1), ("too many jobs at a time", "q", JOBS * 5, 1), ("too many jobs in all", "q", JOBS, 5000)):
            bad = agent.session(server.url)
            bad.start_take(queue, LIST, jobs, wanted)
            expect(bad.is_closed(), f"{what} ends the connection")
        bad = agent.session(server.url)
        stop(agent.process)  # or it might answer the first before it reads the second
        bad.start_take("q", LIST, JOBS)
        bad.start_take("q", LIST, JOBS)
        agent.process.send_signal(signal.SIGCONT)
        wait_until(bad.is_closed, "two requests at a time end the connection")
        expect(len(session.take("q", LIST, JOBS)) == len(JOBS), "others notice nothing")
    with Redis() as server, tempfile.TemporaryDirectory() as folder, Agent(program, ["--lease", server.url]) as agent:
        expect(agent.session(f"file://{folder}").take("q", LIST, JOBS[:1]) == "t", "--lease gives a folder queues")


def test_sick_server(program):
    with Redis() as server, Agent(program) as agent:
        session = agent.session(server.url)
        session.take("q", LIST, JOBS)
        stop(server.process)
        session.start_take("q", LIST, JOBS)
        began = time.monotonic()
        expect(session.receive_tasks()[0] == NO_ANSWER and time.monotonic() - began < 5, "a hung server: no answer, and soon")
        server.signal(signal.SIGCONT)
        server.call("FLUSHALL")
        wait_until(lambda: session.take("q", LIST, JOBS[:1]) == "t", "a server that has forgotten everything begins again")
        server.kill()
        session.start_take("q", LIST, JOBS)
        expect(session.receive_tasks()[0] == NO_ANSWER, "a killed server: no answer")
        expect(counters(agent, server.url)["errors"] >= 2, "the agent counts them")


def test_jobs(program):
    for test in (test_shared, test_lost_workers, test_attempts, test_hung_worker, test_uploads, test_lost_uploads, test_refusals, test_sick_server):
        print(test.__name__)
        test(program)


GROUPS = {"jobs": test_jobs}
