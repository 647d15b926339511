# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Laws of counters (docs/design/remote.md), checked on the JSON of agents and sessions. Each function raises AssertionError with the counters."""
import collections


def expect_equal(counters, left, right, law):
    assert left == right, f"{law}: {left} is not {right}, in {counters}"


def check_agent(report):
    """`report`: kiln-agent stat."""
    assert report["schema"] == 1, report
    spans = report["spans"]
    expect_equal(spans, spans["taken"], sum(spans[each] for each in ("sent", "errors", "dropped", "pending")), "taken = sent + errors + dropped + pending")
    for remote in report["remotes"]:
        expect_equal(remote, remote["requests"], sum(remote[each] for each in ("hits", "misses", "errors", "refused")), "requests = hits + misses + errors + refused")
        expect_equal(remote, remote["refused"], sum(remote["refusals"].values()), "refused = the sum of its reasons")
        uploads = sum(remote[each] for each in ("uploads", "upload_errors", "uploads_dropped", "uploads_pending"))
        expect_equal(remote, remote["uploads_taken"], uploads, "uploads_taken = uploads + upload_errors + uploads_dropped + uploads_pending")
        assert 0 < remote["patience_us"] <= 50_000, remote
        leases = remote["leases"]
        expect_equal(leases, leases["wanted"], sum(leases[each] for each in ("granted", "delivered", "compiled", "left", "waiting")), "wanted = granted + delivered + compiled + left + waiting")
        expect_equal(leases, leases["granted"], sum(leases[each] for each in ("published", "given_back", "overdue", "held")), "granted = published + given_back + overdue + held")
        jobs = remote["jobs"]
        expect_equal(jobs, jobs["taken"], sum(jobs[each] for each in ("done", "failed", "given_back", "held")), "taken = done + failed + given_back + held")


def products(report):
    return [product for job in report["jobs"] for product in job["products"]]


def check_session(report):
    """`report`: --timings=json of one session, whose jobs are not so many that some are added up."""
    counters = report["counters"]
    expect_equal(counters, counters["remote_requests"], sum(counters[f"remote_{each}"] for each in ("hits", "misses", "errors")), "requests = hits + misses + errors")
    compiled = counters["remote_missing"] - counters["remote_late"] - counters["remote_joined"]
    expect_equal(counters, counters["remote_compiled"], compiled, "compiles = misses - hedged wins - joined")
    found = collections.Counter(product["found"] for product in products(report))
    expect_equal(counters, counters["remote_joined"], found["joined"], "joined, by counter and by product")
    expect_equal(counters, counters["remote_late"], found["hedged"], "hedged wins, by counter and by product")
    for product in products(report):
        taken = product["end_ns"] - product["start_ns"]
        assert 0 <= product["wait_ns"] <= taken and 0 <= product["compile_ns"] <= taken, product
        assert product["end_ns"] <= report["wall_ns"], product
        assert len(product["key"]) == 32 and int(product["key"], 16) >= 0, product


def compiled_keys(reports):
    """How often each key was compiled, in reports of a fleet."""
    return collections.Counter(product["key"] for report in reports for product in products(report) if product["found"] == "compiled")
