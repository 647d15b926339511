#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tidy.py BUILD [--since COMMIT [--limit N]]: clang-tidy with .clang-tidy's checks over the sources of BUILD/compile_commands.json.

With --since, over those that changed since COMMIT, at most N: a changed header counts as the .cpp of its name. What is left out is
printed. A finding is an error: exit status 1. 77 where COMMIT is not in this checkout.
"""
import argparse
import concurrent.futures
import json
import os
import subprocess
import sys

PARTS = ("lib/", "targets/", "runtime/", "tools/", "test/", "bench/", "docs/")


def sources(build, root):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        found = {os.path.relpath(os.path.join(entry["directory"], entry["file"]), root) for entry in json.load(file)}
    return sorted(path for path in found if path.startswith(PARTS) and path.endswith(".cpp"))


def changed(root, commit):
    """None, or the paths that differ between COMMIT and the working tree, those that changed most first."""
    git = ["git", "-C", root, "-c", f"safe.directory={root}"]
    if subprocess.run(git + ["rev-parse", "--verify", "-q", commit + "^{commit}"], capture_output=True, check=False).returncode:
        return None
    lines = subprocess.run(git + ["diff", "--numstat", "--no-renames", "--diff-filter=d", commit], capture_output=True, text=True, check=True).stdout.split("\n")
    rows = [line.split("\t") for line in lines if line and line[0].isdigit()]
    return [path for _, path in sorted((-int(added) - int(removed), path) for added, removed, path in rows)]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build")
    parser.add_argument("--since")
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    known = files = sources(options.build, root)
    if options.since:
        paths = changed(root, options.since)
        if paths is None:
            print(f"skipped: {options.since} is not a commit of this checkout")
            return 77
        paths = [path.removesuffix(".h") + ".cpp" if path.endswith(".h") else path for path in paths]
        files = [path for path in dict.fromkeys(paths) if path in set(known)]
        if len(files) > options.limit:
            print(f"{len(files)} sources changed since {options.since}; {len(files) - options.limit} of them, those that changed least, are left to ./x tidy")
            files = files[:options.limit]

    def run(path):
        return path, subprocess.run(["clang-tidy-22", "--quiet", "--warnings-as-errors=*", "-p", options.build, path], cwd=root,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    bad = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for path, done in pool.map(run, files):
            if done.returncode:
                bad.append(path)
                print(f"{path}:\n{done.stdout}", flush=True)
    print(f"clang-tidy: {len(files)} of {len(known)} sources, {len(bad)} with findings")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
