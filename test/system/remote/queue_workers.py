#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""kiln precompile --queue: workers with cache folders and agents of their own share a list: queue_workers.py --kiln KILN --agent KILN_AGENT --folder SCRATCH.

How many jobs each worker compiled is read from its report. The independent count is that of the entries at Redis: as many as one worker alone leaves there."""
import argparse
import contextlib
import json
import os
import re
import shutil
import signal
import subprocess
import tempfile

from agent_client import Session, expect, stop, wait_until
from servers import Redis

JOBS = 60
SOURCE = """
function work(y, ::Val{N}) where N
    i = threadIdx().x
    if i <= length(y)
        a = y[i]
        for k in 1:N
            a = sin(a) * cos(a + k) + exp(-a) / (1f0 + a * a)
            a = k % 3 == 0 ? sqrt(abs(a)) : a * a
        end
        y[i] = a
    end
    return
end
wrong(y) = (y[1] = nowhere(y[1]); nothing)
"""
REPORT = re.compile(r"(\d+) jobs: (\d+) were there, (\d+) compiled, (\d+) failed, (\d+) by other workers, (\d+) taken over from workers that ended")


class Worker:
    """A machine with a worker: its folder, its agent, its process."""

    def __init__(self, test, url, queue, options=(), source=None, **variables):
        self.test, self.url = test, url
        self.folder = tempfile.mkdtemp(prefix="worker-", dir=test.folder)
        self.agent_folder = tempfile.mkdtemp(prefix="kiln-agent-")  # a socket's path has at most 107 bytes
        self.socket = os.path.join(self.agent_folder, "agent.sock")
        self.environment = {"PATH": os.environ["PATH"], "HOME": self.folder, "KILN_CACHE_DIR": os.path.join(self.folder, "cache"), "KILN_AGENT": self.socket}
        self.environment.update(variables or {"KILN_REMOTE_TRUST": "none"})
        self.process = self.start([*(["--remote", url] if url else []), "--queue", queue, "--jobs", "2", *options], source or test.list)

    def start(self, options, source):
        return subprocess.Popen([self.test.kiln, "precompile", source, *options], env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def end(self, status=0):
        """(were there, compiled, failed, by others, taken over), and what was written beside it"""
        out, log = self.process.communicate(timeout=300)
        assert self.process.returncode == status, (self.process.returncode, out, log)
        found = REPORT.search(out)
        return tuple(map(int, found.groups()[1:])) if found else None, log

    def held_here(self):
        """Jobs that the node's agent reports as held."""
        return Session(self.socket, [self.url]).remote()["jobs"]["held"]

    def check_agent(self):
        Session(self.socket, [self.url]).statistics()  # checks the laws

    def stop(self):
        with contextlib.suppress(ProcessLookupError):
            if self.process.poll() is None:
                self.process.kill()
                self.process.wait()
        subprocess.run([self.test.agent, "stop", "--socket", self.socket], capture_output=True, timeout=60, check=False)
        shutil.rmtree(self.agent_folder, ignore_errors=True)


class Test:
    def __init__(self, kiln, agent, folder):
        self.kiln, self.agent, self.folder = os.path.abspath(kiln), os.path.abspath(agent), os.path.abspath(folder)
        shutil.rmtree(self.folder, ignore_errors=True)
        os.makedirs(self.folder)
        with open(os.path.join(self.folder, "kernels.jl"), "w", encoding="utf-8") as file:
            file.write(SOURCE)
        self.list = self.write_list("list.json", JOBS)

    def write_list(self, name, count, more=()):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"files": ["kernels.jl"], "jobs": ["work(CuDeviceVector{Float32,1}, Val{$N})", *more], "candidates": {"N": {"from": 1, "to": count}}}, file)
        return path

    @contextlib.contextmanager
    def workers(self):
        """A function that makes workers, which end with the block."""
        made = []

        def make(*arguments, **more):
            made.append(Worker(self, *arguments, **more))
            return made[-1]

        try:
            yield make
        finally:
            for worker in made:
                worker.stop()


def entries(server, database=0):
    """Names of entries, as redis-cli sees them."""
    return sorted(key for key in server.call("-n", str(database), "KEYS", "kiln:1:*").split() if re.fullmatch("kiln:1:[0-9a-f]{64}", key))


def test_shared(test):
    with Redis() as server, test.workers() as make:
        alone, _ = make(f"{server.url}/1", "alone").end()
        expect(alone == (0, JOBS, 0, 0, 0), f"a worker alone compiles all: {alone}")
        workers = [make(server.url, "fleet") for _ in range(4)]
        reports = [worker.end()[0] for worker in workers]
        expect(sum(report[1] for report in reports) == JOBS and all(report[0] == report[2] == report[4] == 0 for report in reports), f"four workers compile each of {JOBS} jobs once: {[report[1] for report in reports]}")
        expect(all(report[1] + report[3] == JOBS for report in reports), "each reports the others' part")
        wait_until(lambda: len(entries(server)) >= JOBS and entries(server) == entries(server, 1), "the entries are at the server")  # agents upload later
        expect(entries(server) == entries(server, 1), f"the server has the {len(entries(server))} entries that one worker leaves")
        for worker in workers:
            worker.check_agent()
        again, _ = make(server.url, "again").end()
        expect(again == (JOBS, 0, 0, 0, 0), "what is at the server is there for a worker of another queue")
        late, _ = make(server.url, "fleet").end()
        expect(late == (0, 0, 0, JOBS, 0), "a worker that comes late finds all done")
        other = test.write_list("other.json", JOBS - 1)
        _, log = make(server.url, "fleet", source=other).end(2)
        expect("the queue `fleet` has another list of jobs" in log, f"a queue has one list: {log.strip()}")


def test_warm_folder(test):
    """What a worker has in its folder comes to the store, too."""
    with Redis() as server, test.workers() as make:
        first = make(f"{server.url}/1", "first")
        first.end()
        subprocess.run([test.agent, "stop", "--socket", first.socket], check=True, timeout=60)
        second = first.start(["--remote", server.url, "--queue", "q"], test.list)
        out, log = second.communicate(timeout=300)
        expect(f"{JOBS} jobs: {JOBS} were there" in out, f"a worker has all jobs in its folder {log}")
        wait_until(lambda: len(entries(server)) >= JOBS, "it publishes them")
        found, _ = make(server.url, "other").end()
        expect(found == (JOBS, 0, 0, 0, 0), f"and another machine finds them: {found}, {len(entries(server))} entries")


def test_failures(test):
    """A wrong job is reported by one worker, with its diagnostic."""
    source = test.write_list("wrong.json", 10, ["wrong(CuDeviceVector{Float32,1})"])
    with Redis() as server, test.workers() as make:
        workers = [make(server.url, "q", source=source) for _ in range(3)]
        ends = [(worker.process.wait(300), worker) for worker in workers]
        reports = [worker.end(status) for status, worker in ends]
        expect(sorted(status for status, _ in ends) == [0, 0, 1], "one of three workers fails")
        logs = "".join(log for _, log in reports)
        expect(logs.count("nowhere") >= 1 and sum("nowhere" in log for _, log in reports) == 1, "and shows the diagnostic")
        expect(sum(report[2] for report, _ in reports) == 1 and sum(report[1] for report, _ in reports) == 10, "one job failed, ten were compiled")


def stop_in_mid_job(worker):
    """Stops the worker's process at a time when it holds a job."""
    for _ in range(200):
        wait_until(lambda: os.path.exists(worker.socket) and worker.held_here() > 0 or worker.process.poll() is not None, "the worker holds a job")
        stop(worker.process)
        if worker.held_here() > 0 and worker.process.poll() is None:
            return
        worker.process.send_signal(signal.SIGCONT)
    raise SystemExit("the worker could not be stopped in a job")


def test_killed(test):
    source = test.write_list("many.json", 150)
    with Redis() as server, test.workers() as make:
        first = make(server.url, "q", source=source)
        stop_in_mid_job(first)
        others = [make(server.url, "q", source=source) for _ in range(3)]
        wait_until(lambda: server.call("HLEN", "kiln:1:queue:q") == "151", "the others have taken all jobs", 120)
        first.process.kill()
        reports = [worker.end()[0] for worker in others]
        taken_over = sum(report[4] for report in reports)
        expect(taken_over >= 1, f"a killed worker's jobs come back: {taken_over}")
        marks = server.call("HVALS", "kiln:1:queue:q").split()
        expect(marks.count("d") == 150, "all jobs are done")
        done_first = 150 - sum(report[0] + report[1] for report in reports)
        expect(all(report[0] + report[1] + report[3] == 150 and report[2] == 0 for report in reports) and done_first >= 0, f"by the others, and {done_first} by the first")
        for worker in others:
            worker.check_agent()


def test_killed_agent(test):
    """A worker whose agent dies starts another one, and the jobs that the agent held are repeated."""
    source = test.write_list("agent.json", 150)
    with Redis() as server, test.workers() as make:
        first, second = workers = [make(server.url, "q", source=source) for _ in range(2)]
        wait_until(lambda: os.path.exists(first.socket) and first.held_here() > 0 and int(server.call("HLEN", "kiln:1:queue:q") or 0) > 20, "the first worker holds a job", 120)
        killed = Session(first.socket).statistics()["process"]
        os.kill(killed, signal.SIGKILL)
        reports = [worker.end()[0] for worker in workers]
        made = sum(report[0] + report[1] for report in reports)
        expect(150 <= made <= 160 and all(report[2] == 0 for report in reports), f"all jobs are done, {made - 150} of them twice: {reports}")
        expect(Session(first.socket).statistics()["process"] != killed, "the worker has another agent")
        wait_until(lambda: server.call("HVALS", "kiln:1:queue:q").split().count("d") == 150, "and Redis knows all jobs as done")
        second.check_agent()


def test_stopped(test):
    """A worker that hangs keeps nobody for longer than the limit."""
    with Redis() as server, test.workers() as make:
        first = make(server.url, "q")
        stop_in_mid_job(first)
        report, _ = make(server.url, "q", ["--queue-limit", "3"]).end()
        expect(report[4] >= 1 and report[2] == 0, f"a stopped worker's job is repeated after the limit: {report}")
        first.process.send_signal(signal.SIGCONT)
        first.end()


def test_lost_server(test):
    source = test.write_list("lost.json", 150)
    with Redis() as server, test.workers() as make:
        workers = [make(server.url, "q", source=source) for _ in range(3)]
        wait_until(lambda: int(server.call("HLEN", "kiln:1:queue:q") or 0) > 30, "some jobs are done", 120)
        server.kill()
        for worker in workers:
            report, log = worker.end()
            expect(report[0] + report[1] == 150 and report[2] == report[3] == 0, f"without the server, a worker compiles all jobs: {report}")
            expect(log.count("the queue q was lost") == 1, "and warns once")
            check = worker.start([], source)
            out, _ = check.communicate(timeout=300)
            expect("150 jobs: 150 were there, 0 compiled" in out, "its folder holds all of them")
            worker.check_agent()


def test_signed_folder(test):
    """A store of files, with a Redis for the queue, and workers with a key."""
    store, key = os.path.join(test.folder, "signed"), os.path.join(test.folder, "keys", "writer")
    os.makedirs(store)
    os.makedirs(os.path.dirname(key))
    subprocess.run([test.agent, "keygen", key, "--name", "writer"], check=True, capture_output=True, timeout=60)
    with Redis() as server, test.workers() as make:
        workers = [make(f"file://{store}", "q", KILN_REMOTE_LEASE=server.url, KILN_REMOTE_SIGN_KEY=key) for _ in range(2)]
        reports = [worker.end()[0] for worker in workers]
        expect(sum(report[1] for report in reports) == JOBS and all(report[0] == report[2] == report[4] == 0 for report in reports), f"two workers share a list through a folder and a Redis: {reports}")
        expect(sum(len(files) for _, _, files in os.walk(store)) >= JOBS and not entries(server), "the entries are in the folder")
        _, log = make(f"file://{store}", "q", KILN_REMOTE_LEASE=server.url, KILN_REMOTE_TRUST_KEYS=key + ".pub").end(2)
        expect("this machine has no key to sign with" in log and "KILN_REMOTE_SIGN_KEY" in log, "a worker without a key is a usage error")


def test_usage(test):
    store = os.path.join(test.folder, "store")
    os.makedirs(store)
    with Redis() as server, test.workers() as make:
        _, log = make("", "q").end(2)
        expect("a queue needs a remote store" in log, "a queue without a store is a usage error")
        _, log = make(f"file://{store}", "q").end(2)
        expect("has no leases, which a queue needs" in log and "--lease redis://HOST" in log, "so is a store without leases")
        _, log = make(server.url, "a:b").end(2)
        expect("is no name of a queue" in log, "and a name with other characters")
        _, log = make(server.url, "q", ["--shard", "1/2"]).end(2)
        expect("--queue and --shard exclude each other" in log, "and a shard")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kiln", required=True)
    parser.add_argument("--agent", required=True)
    parser.add_argument("--folder", required=True)
    options = parser.parse_args()
    test = Test(options.kiln, options.agent, options.folder)
    for each in (test_shared, test_warm_folder, test_failures, test_killed, test_killed_agent, test_stopped, test_lost_server, test_signed_folder, test_usage):
        print(each.__name__)
        each(test)


main()
