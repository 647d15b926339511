# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""page.py KILN FOLDER: the page of --timings=html:FILE in headless Chromium, and what its scripts make of the report.

Skipped (77) where there is no Chromium (Debian: apt-get install chromium).
"""
import html.parser
import json
import os
import re
import shutil
import subprocess
import sys

kiln, folder = sys.argv[1:3]
chromium = next((found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), None)
if not chromium:
    print("SKIPPED: no Chromium here; Debian has it as the package chromium")
    sys.exit(77)
shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
page = os.path.join(folder, "report.html")
source = os.path.join(folder, "k.jl")
with open(source, "w", encoding="utf-8") as file:
    file.write("scale(x, a) = (i = threadIdx().x; x[i] = a * x[i] + 0.1; return)\n")
call = "scale(CuDeviceVector{Float32,1}, Float32)"
subprocess.run([kiln, "compile", source, call, "--target", "ptx", "-o", os.path.join(folder, "k.ptx"), f"--timings=html:{page}"], check=True)
with open(page, encoding="utf-8") as file:
    report = json.loads(re.search(r'id="report">(.*?)</script>', file.read(), re.DOTALL).group(1))


class Page(html.parser.HTMLParser):
    """What is on the page once its scripts have run."""

    def __init__(self, text):
        super().__init__()
        self.ready, self.flame, self.headings, self.tables = False, [], [], {}
        self.table = self.cell = None
        self.open = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag == "body":
            self.ready = attributes.get("data-ready") == "yes"
        elif tag == "table":
            self.table = self.tables.setdefault(attributes["id"], [])
        elif tag == "tr" and self.table is not None:
            self.table.append([])
        elif tag in ("td", "th"):
            self.table[-1].append("")
        elif tag == "div" and "style" in attributes and "title" in attributes:
            self.flame.append([attributes["style"], attributes["title"]])
        self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass
        if tag == "table":
            self.table = None

    def handle_data(self, data):
        if self.open and self.open[-1] in ("td", "th"):
            self.table[-1][-1] += data
        if self.open and self.open[-1] == "h2":
            self.headings.append(data)


def chrome(*options):
    return subprocess.run([chromium, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile", "--virtual-time-budget=5000",
                           *options, f"file://{os.path.abspath(page)}"], capture_output=True, text=True, timeout=240, check=False)


shown = chrome("--dump-dom")
if shown.returncode != 0:
    print("SKIPPED: Chromium does not run here:", shown.stderr.strip().splitlines()[-1:] or "no message")
    sys.exit(77)
got = Page(shown.stdout)
assert got.ready, "the page's script did not come to its end:\n" + shown.stderr
assert got.headings == ["Flame graph", "Stages, by job", "Jobs", "Kernels on GPUs", "Cache: where products came from", "What to look at", "Advice: what makes kernels slow", "Advice that was not looked for"], got.headings
assert len(got.flame) == len(report["rows"]), (len(got.flame), len(report["rows"]))
widths = [float(re.search(r"width: ([0-9.e-]+)%", style).group(1)) for style, _ in got.flame]
outer = [width for width, row in zip(widths, report["rows"]) if row["depth"] == 0]
assert abs(sum(outer) - 100) < 0.1, sum(outer)
stages = got.tables["stages"]
assert stages[0] == ["job", "stage", "calls", "ms", "itself ms", "% of all", "LLVM instructions"], stages[0]
rows = len(report["rows"]) + sum(len(job["rows"]) for job in report["jobs"])
assert len(stages) == 1 + rows, (len(stages), rows)
own = [float(row[4]) for row in stages[1:]]
assert own == sorted(own, reverse=True), "the table is not sorted by the stages' own time"
assert ["LLVM back-end > machine-code generation"] == [row[1] for row in stages if row[0].startswith("scale(") and row[1].endswith("machine-code generation")]
assert got.tables["jobs"][1][0].startswith("scale(CuDeviceArray{Float32, 1, 1}, Float32) for ptx sm_"), got.tables["jobs"]
assert got.tables["lookups"][1][1:3] == ["asm", "made"], got.tables["lookups"]
# By Julia's rules Float32 + Float64 is a Float64; the literal stands in column 53. No cubin was asked for, so what reads one is not checked.
advice = got.tables["advice"]
assert advice[0] == ["job", "rule", "line", "what is slow", "what to write instead"], advice[0]
assert len(advice) == 2 and advice[1][0] == got.tables["jobs"][1][0] and advice[1][1] == "wide-float", advice
assert advice[1][2].endswith("k.jl:1:53") and advice[1][4] == "write 0.1f0", advice
assert [row[1] for row in got.tables["not-checked"][1:]] == ["spills, occupancy: no cubin was asked for"], got.tables["not-checked"]
picture = os.path.join(folder, "report.png")
chrome(f"--screenshot={picture}", "--window-size=1100,900")
print(f"{len(got.flame)} boxes in the flame graph, {rows} stages, {len(got.tables['jobs']) - 1} job; picture: {os.path.exists(picture)}")
