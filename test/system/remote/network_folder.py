#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Folders of a network file system without locks (stale_folder.c), as the agent's store and as a session's cache.

    network_folder.py --kiln KILN --agent KILN_AGENT --library STALE_FOLDER.so --folder SCRATCH

A fault may cost a hit, and nothing else: each compile succeeds with the bytes of a session without a cache, and says at most one warning."""
import argparse
import concurrent.futures
import glob
import os
import subprocess
import tempfile
import time

from agent_client import ABSENT, FAILED, FOUND, Agent, expect, name_of, wait_until
from sessions import KERNELS, Machine, Test

SEED = int(os.environ.get("KILN_TEST_SEED", "1"))


def faults(library, folder, rate, hide_ms, seed=SEED):
    return {"LD_PRELOAD": library, "STALE_FOLDER": folder, "STALE_SEED": str(seed), "STALE_RATE": str(rate), "STALE_HIDE_MS": str(hide_ms)}


def payload(name):
    return name * 700  # 22 kB


def check_store(program, library, rate, hide_ms, rounds=4, count=30):
    """Three agents share a folder."""
    names = [name_of(f"entry {i}") for i in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        agents = [Agent(program, environment=faults(library, folder, rate, hide_ms, SEED + i)) for i in range(3)]
        try:
            outcomes = {FOUND: 0, ABSENT: 0, FAILED: 0}
            for _ in range(rounds):
                for agent in agents:
                    session = agent.session(f"file://{folder}")
                    for name, (outcome, data) in zip(names, session.get(names)):
                        assert outcome in outcomes and (outcome != FOUND or data == payload(name)), (name.hex(), outcome, len(data))
                        outcomes[outcome] += 1
                    session.put([(name, payload(name)) for name in names])
            print(f"        {rate} faults in 1,000 calls: {outcomes[FOUND]} found, {outcomes[ABSENT]} absent, {outcomes[FAILED]} failed")
            expect(True, "each entry that was found is the right one")
            if rate <= 20:
                left = set(names)

                def all_found():
                    asked = sorted(left)
                    answers = agents[0].session(f"file://{folder}").get(asked)
                    left.difference_update(name for name, (outcome, _) in zip(asked, answers) if outcome == FOUND)
                    return not left

                wait_until(all_found, "each entry is found in the end", 30)
                expect(all(agent.log_text().count("warning") == 0 for agent in agents), "single faults are no reason to leave the folder out, or to warn")
        finally:
            for agent in agents:
                expect(agent.end() == 0, "an agent ends")
        with Agent(program) as healthy:
            session = healthy.session(f"file://{folder}")
            there = [bytes.fromhex(os.path.basename(path)) for path in glob.glob(f"{folder}/*/*") if not path.endswith(".tmp")]
            expect([data for _, data in session.get(there)] == [payload(name) for name in there], f"all {len(there)} files of the folder are whole")


def test_network_folder(program):
    library = os.environ["KILN_TEST_STALE_FOLDER"]
    check_store(program, library, 0, 1500)
    check_store(program, library, 20, 300)
    check_store(program, library, 400, 300)


# ---- sessions


class NetworkMachine(Machine):
    def __init__(self, test, name, remotes, cache, environment):
        super().__init__(test, name, remotes)
        self.cache, self.faults = cache, environment

    def environment(self):
        return {**super().environment(), "KILN_CACHE_DIR": self.cache, **self.faults}


def check_sessions(test, library, made, rate, hide_ms, with_store):
    """Four machines whose cache folder is one network folder, and that may share a store beside it."""
    network = os.path.join(test.folder, f"network-{rate}-{with_store}")
    os.makedirs(os.path.join(network, "store"))
    remotes = ["file://" + os.path.join(network, "store")] if with_store else []
    machines = [NetworkMachine(test, f"machine-{rate}-{with_store}-{i}", remotes, os.path.join(network, "cache"), faults(library, network, rate, hide_ms, SEED + i)) for i in range(4)]

    def run(machine):
        found = {"made": 0, "folder": 0, "remote": 0}
        for _ in range(2):
            for n in range(KERNELS):
                answers, bytes_, log, _ = machine.run(f"kernel{n}")
                assert bytes_ == made[n], (machine.folder, n)
                assert log.count("warning") <= 1, log
                for answer, count in answers.items():
                    found[answer] += count
        return found

    try:
        with concurrent.futures.ThreadPoolExecutor(len(machines)) as pool:
            found = list(pool.map(run, machines))
        total = {answer: sum(each[answer] for each in found) for answer in found[0]}
        expect(sum(total.values()) == 8 * KERNELS, f"sessions with {rate} faults in 1,000 calls{' and a store' if with_store else ''}: {total}")
        if rate == 0:
            time.sleep(hide_ms / 1000)
            answers, _, log, _ = machines[0].run("kernel0")
            expect(answers == {"folder": 1} and not log, "without faults, the folder serves in the end")
            swept = subprocess.run([test.kiln, "cache", "gc"], env=machines[0].environment(), capture_output=True, text=True, timeout=60, check=False)
            expect(swept.returncode == 0, f"a folder without locks is swept: {swept.stdout.strip()}{swept.stderr}")
    finally:
        for machine in machines:
            machine.faults = {}
            machine.stop()


def main():
    parser = argparse.ArgumentParser()
    for name in ("kiln", "agent", "library", "folder"):
        parser.add_argument(f"--{name}", required=True)
    options = parser.parse_args()
    test = Test(options.kiln, options.agent, options.folder)
    with test.machines(1, name="alone") as (alone,):
        made = [alone.run(f"kernel{n}")[1] for n in range(KERNELS)]
    for rate, hide_ms, with_store in ((0, 1000, False), (30, 300, False), (300, 300, False), (30, 300, True)):
        check_sessions(test, os.path.abspath(options.library), made, rate, hide_ms, with_store)


GROUPS = {"network_folder": test_network_folder}

if __name__ == "__main__":
    main()
