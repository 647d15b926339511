#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reports of a fleet: reports.py --kiln KILN --agent KILN_AGENT --folder SCRATCH.

Who waited for whom in the timing report, merged reports of real processes, spans in files and by the agent, the agent's metrics.
"""
import argparse
import concurrent.futures
import contextlib
import http.server
import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time

import laws
import otlp
import prometheus
from agent_client import LEASED, Session, expect, wait_until
from servers import Redis, find
from sessions import TYPES, Test

SECRET = "a secret, 1+1"
HOST = socket.gethostname()


def kiln(machine, *words, **environment):
    return subprocess.run([machine.test.kiln, *words], env={**machine.environment(), **environment}, capture_output=True, text=True, timeout=120, check=False)


def compile_words(machine, kernel, timings):
    return ["compile", machine.test.source, f"{kernel}({TYPES})", "--target", "ptx", "--arch", "sm_90", "-o", os.path.join(machine.folder, "out"), "--remote", machine.remotes[0],
            f"--timings={timings}"]


# ---- who waited for whom


def hold_and_wait(server, maker, near, far, kernel):
    """Reports of two processes that asked for an artifact whose lease this test held for a second. None: one of them did not wait."""
    for machine in (maker, far):
        machine.wait_for_uploads()  # of an earlier kernel: they would arrive in the emptied server
    server.call("-n", "1", "FLUSHDB")
    _, _, _, told = maker.run(kernel)
    [product] = laws.products(told)
    expect(product["found"] == "compiled" and product["compile_ns"] > 0, "a first process compiles")
    maker.wait_for_uploads()
    names = [bytes.fromhex(key.removeprefix("kiln:1:")) for key in server.call("-n", "1", "KEYS", "kiln:1:*").splitlines() if re.fullmatch("kiln:1:[0-9a-f]{64}", key)]
    server.call("-n", "1", "FLUSHDB")
    holder = Session(maker.socket, (maker.remotes[0],))
    number = holder.start_get(names, wants_lease=True)
    for _ in names:
        answered, _, outcome, _, _ = holder.receive_answer()
        assert answered == number and outcome == LEASED, outcome
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(each.run, kernel) for each in (near, far)]
        time.sleep(1.0)
        have_waited = not any(each.done() for each in waiting)
        holder.release(names)
        waiters = [each.result()[3] for each in waiting]
    return waiters if have_waited and all(laws.products(each)[0]["wait_ns"] > 0 for each in waiters) else None


def check_holder(test, server):
    """A session of this test holds the lease of an artifact; a process of the same machine and one of another wait for it."""
    with test.machines(3, server.url + "/1", name="holder") as (maker, near, far):
        for machine in (maker, far):
            machine.run("kernel4")  # an agent runs, and has met its server
        near.socket = maker.socket
        for number in range(20):
            for machine in (maker, near, far) if number else ():
                shutil.rmtree(os.path.join(machine.folder, "cache"))
            waiters = hold_and_wait(server, maker, near, far, f"kernel{number % 4}")
            if waiters:
                break
            print("a busy machine: a process did not wait for the agent or the server; once more", flush=True)
        expect(waiters, "two processes wait")
        me = f"{HOST}:{os.getpid()}"
        found = [laws.products(each)[0]["found"] for each in waiters]
        expect("folder" not in found and "remote" not in found, f"one compiles then, or both: {found}")
        for each in waiters:
            [product] = laws.products(each)
            others = [me, *(f"{HOST}:{other['process']['process']}" for other in waiters if other is not each)]
            expect(product["waited_for"] in others, f"{product['found']} after {product['wait_ns'] / 1e9:.2f} s for {product['waited_for']}")
        for machine in (maker, far):
            laws.check_agent(machine.statistics())


def check_merge(test, server):
    """Four processes with ranks want the same kernels at the same time."""
    with test.machines(4, server.url + "/2", name="merge") as machines:
        def work(rank):
            reports = []
            for n in range(3):
                report = os.path.join(machines[rank].folder, f"report{n}.json")
                done = kiln(machines[rank], *compile_words(machines[rank], f"kernel{n}", f"json:{report}"), RANK=str(rank))
                assert done.returncode == 0, done.stderr
                reports.append(report)
            return reports

        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            reports = list(pool.map(work, range(4)))
        told = []
        for report in sum(reports, []):
            with open(report, encoding="utf-8") as file:
                told.append(json.load(file))
            laws.check_session(told[-1])
        for rank, names in enumerate(reports):
            assert {each["process"]["rank"] for each in told[3 * rank : 3 * rank + len(names)]} == {rank}
        compiled = laws.compiled_keys(told)
        expect(len(compiled) == 3, "three keys are compiled")
        page = os.path.join(test.folder, "page.html")
        done = kiln(machines[0], "timings", "merge", *sum(reports, []), "-o", "-", "--html", page)
        expect(done.returncode == 0, f"the reports are merged: {done.stderr}")
        expect(done.stdout.startswith("12 processes on 1 host, 3 keys"), done.stdout.splitlines()[0])
        expect(f", {sum(compiled.values())} compiled" in done.stdout.splitlines()[1], done.stdout.splitlines()[1])
        with open(page, encoding="utf-8") as file:
            text = file.read()
        expect("<script" not in text and text.count('<path class="c"') >= 3 and "://" not in text.replace("http://www.w3.org/2000/svg", ""), "the page needs nothing else")


# ---- spans


def check_spans(text, kernel):
    resource, spans = otlp.read(text)
    parsed = otlp.parse_with_proto(text)
    print("left out: PyPI's opentelemetry-proto is not installed" if parsed is None else f"opentelemetry-proto reads {parsed} spans", flush=True)
    assert parsed in (None, len(spans)), (parsed, len(spans))
    assert resource["service.name"] == "kiln" and resource["host.name"] == HOST and resource["process.pid"] > 0, resource
    [product] = [span for span in spans.values() if "kiln.found" in span["attributes"]]
    assert product["name"].startswith(f"asm {kernel}("), product
    assert product["attributes"]["kiln.target"] == "ptx sm_90" and re.fullmatch("[0-9a-f]{32}", product["attributes"]["kiln.key"]), product
    assert abs(product["startTimeUnixNano"] - time.time_ns()) < 600e9, "the times are not of today"
    stages = {span["name"] for span in spans.values()}
    assert {"open the session", "cache look-up"} <= stages, stages
    [opening] = [span for span in spans.values() if span["name"] == "open the session"]
    root = next(span for span in spans.values() if "parentSpanId" not in span)
    assert opening["parentSpanId"] == root["spanId"]
    return resource, product["attributes"]["kiln.found"]


class Collector:
    """A receiver of OTLP/HTTP that answers with `status`, after `pause` seconds."""

    def __init__(self):
        self.requests, self.status, self.pause = [], 200, 0
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                collector.requests.append((self.path, dict(self.headers), body))
                time.sleep(collector.pause)
                with contextlib.suppress(OSError):
                    self.send_response(collector.status)
                    self.send_header("Content-Length", "2")
                    self.end_headers()
                    self.wfile.write(b"{}")

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/collector"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


def check_otlp(test, url):
    with test.machines(1, url, name="otlp") as (machine,):
        file = os.path.join(machine.folder, "spans.json")
        for found in ("compiled", "folder"):
            done = kiln(machine, *compile_words(machine, "kernel0", f"otlp:{file}"), RANK="5")
            assert done.returncode == 0, done.stderr
            with open(file, encoding="utf-8") as spans:
                resource, how = check_spans(spans.read(), "kernel0")
            expect(how == found and resource["kiln.rank"] == 5, f"spans in a file: {how}")
        alone = kiln(machine, "compile", test.source, f"kernel1({TYPES})", "-o", file, "--timings=otlp")
        expect(alone.returncode == 2 and "--remote" in alone.stderr, "without a remote cache there is no agent for spans")

    collector = Collector()
    with test.machines(1, url, name="posted") as (machine,):
        machine.trust = {**machine.trust, "OTEL_EXPORTER_OTLP_ENDPOINT": collector.url, "OTEL_EXPORTER_OTLP_HEADERS": "x-team=gpu, authorization=a%20secret%2C%201+1"}

        def run(kernel):
            began = time.monotonic()
            done = kiln(machine, *compile_words(machine, kernel, "otlp"))
            assert done.returncode == 0 and SECRET not in done.stderr, done.stderr
            return time.monotonic() - began

        def spans():
            report = machine.statistics()
            laws.check_agent(report)
            assert SECRET not in json.dumps(report)
            return report["spans"]

        def run_until(kernel, counter):
            """An agent that starts, or a machine that is busy, may not take the spans of a run."""
            for _ in range(100):
                run(kernel)
                time.sleep(0.05)
                if spans()[counter]:
                    return

        run_until("kernel0", "taken")
        wait_until(lambda: spans()["pending"] == 0, "the spans are posted")
        counted = spans()
        expect(counted["sent"] == counted["taken"] == len(collector.requests) and counted["endpoint"] == collector.url, f"the collector got them: {counted}")
        path, headers, body = collector.requests[-1]
        headers = {name.lower(): value for name, value in headers.items()}
        expect(path == "/collector/v1/traces" and headers["content-type"] == "application/json", path)
        expect(headers["x-team"] == "gpu" and headers["authorization"] == SECRET, "with the headers of OTEL_EXPORTER_OTLP_HEADERS")
        check_spans(body, "kernel0")

        collector.status = 503
        run_until("kernel1", "errors")
        expect(spans()["errors"] >= 1, "a refusal is counted")
        collector.status, collector.pause = 200, 30
        slow = [run(f"kernel{n}") for n in (2, 3, 4)]
        expect(max(slow) < 10, f"a collector that hangs costs a session nothing: {max(slow):.2f} s")
        expect(spans()["pending"] >= 1, f"the agent keeps them: {spans()}")
        collector.server.shutdown()


# ---- metrics


def check_metrics(test, url):
    with test.machines(1, url, name="metrics") as (machine,):
        for n in range(2):
            machine.run(f"kernel{n}")
        machine.wait_for_uploads()
        done = kiln(machine, "cache", "agent", "--metrics")
        report = machine.statistics()
        expect(done.returncode == 0, f"kiln cache agent --metrics: {done.stderr}")
        samples = prometheus.read(done.stdout)
        theirs = prometheus.read_with_client(done.stdout)
        if theirs is None:
            print("left out: PyPI's prometheus_client is not installed", flush=True)
        else:
            expect({(name, tuple(sorted(labels))): value for (name, labels), value in samples.items()} == theirs, "prometheus_client reads the same samples")
        laws.check_agent(report)
        [remote] = report["remotes"]
        labels = (("remote", remote["url"]),)

        def sample(name):
            return samples[f"kiln_{name}", labels]

        for name in ("requests", "hits", "misses", "errors", "joined", "skipped", "uploads_taken", "uploads", "upload_errors", "uploads_dropped", "uploads_rejected"):
            expect(sample(f"remote_{name}_total") == remote[name], f"{name}: {remote[name]}")
        expect(sample("remote_sent_bytes_total") == remote["bytes_out"] and sample("remote_patience_seconds") == remote["patience_us"] / 1e6, "bytes and seconds")
        refused = {dict(labels)["reason"]: value for (name, labels), value in samples.items() if name == "kiln_remote_refused_total"}
        expect(refused == remote["refusals"], "refusals by reason")
        expect(sample("remote_requests_total") == sum(sample(f"remote_{each}_total") for each in ("hits", "misses", "errors")) + sum(refused.values()), "requests = hits + misses + errors + refused")
        states = {dict(labels)["state"]: value for (name, labels), value in samples.items() if name == "kiln_remote_breaker_state"}
        expect(states == {"closed": 1, "suspect": 0, "half-open": 0, "open": 0}, "one state of the breaker is 1")
        for name, value in remote["leases"].items():
            shown = f"lease_{name}" if name in ("in_fleet", "waiting", "held") else f"lease_{name}_total"
            expect(sample(shown) == value, f"leases, {name}: {value}")
        for name, value in remote["jobs"].items():
            if name != "in_fleet":
                expect(sample("jobs_held" if name == "held" else f"jobs_{name}_total") == value, f"jobs, {name}: {value}")

    with test.machines(1, name="labels") as (machine,):
        nobody = kiln(machine, "cache", "agent", "--metrics")
        expect(nobody.returncode == 1 and "no agent listens" in nobody.stderr, "without an agent there are no metrics")
        # Two remotes of one URL differ by their credentials, which no label shows; and a URL with a quote.
        machine.remotes = ["redis://me:one-password@127.0.0.1:1/0", "redis://me:another-password@127.0.0.1:1/0", "redis://127.0.0.1:1/7", "file:///a%22b%5Cc%0Ad"]
        subprocess.run([test.agent, "serve", "--background", "--socket", machine.socket], env=machine.environment(), check=True, timeout=60)
        Session(machine.socket, machine.remotes)
        text = kiln(machine, "cache", "agent", "--metrics").stdout
        expect("password" not in text, "labels show no credentials")
        shown = [dict(labels)["remote"] for name, labels in prometheus.read(text) if name == "kiln_remote_requests_total"]
        expect(shown == ["redis://127.0.0.1:1/0", "redis://127.0.0.1:1/0 #2", "redis://127.0.0.1:1/7", 'file:///a"b\\c\nd'], f"labels: {shown}")


def main():
    parser = argparse.ArgumentParser()
    for name in ("--kiln", "--agent", "--folder"):
        parser.add_argument(name, required=True)
    options = parser.parse_args()
    test = Test(options.kiln, options.agent, options.folder)
    stores = os.path.join(test.folder, "stores")
    for name in ("otlp", "metrics"):
        os.makedirs(os.path.join(stores, name))
    check_otlp(test, f"file://{stores}/otlp")
    check_metrics(test, f"file://{stores}/metrics")
    find("redis-server", "redis-server")
    with Redis() as server:
        check_holder(test, server)
        check_merge(test, server)


if __name__ == "__main__":
    main()
