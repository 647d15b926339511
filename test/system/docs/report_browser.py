#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads the page of --timings=html:FILE as a user does, in Chromium without a window: report_browser.py KILN FOLDER [--picture FILE]

Compiles docs/examples/manifest.json and a file with a hostile name into FOLDER, runs a script, and opens the pages at 1400 and 390 pixels, light and dark.
Zooms, searches, sorts and filters, and compares what is shown with the report's JSON. Fails on a console error, on a request to a host, and
on a page that is wider than the window. Keeps pictures in FOLDER. The picture of README.md and docs/guide/timings.md is made again by
  build/docs-venv/bin/python -B test/system/docs/report_browser.py build/release/bin/kiln build/docs/report --picture docs/report.png
Exit status 77: Chromium or Playwright is missing (./x docs installs them).
"""
import argparse
import contextlib
import html
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import urllib.parse

EXAMPLES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../docs/examples")
HOSTILE = "<img src=x onerror=throw(1)>&amp; #1.jl"  # a name of a file, which the page shows
faults = []


def expect(is_met, fault):
    if not is_met:
        faults.append(fault)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def make_reports(kiln, folder):
    """Three pages: of 18 jobs on two threads, of one job with advice, and of a script."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    environment = {**os.environ, "KILN_DUMP_DIR": os.path.join(folder, "kept files"), "KILN_CACHE_DIR": ""}
    shutil.copy(os.path.join(EXAMPLES, "manifest.json"), folder)
    shutil.copy(os.path.join(EXAMPLES, "saxpy.jl"), folder)
    run = lambda *words: subprocess.run(["kiln", *words], executable=kiln, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    run("precompile", "manifest.json", "--jobs", "2", "--cache", "cache", "--timings=html:many.html")
    with open(os.path.join(folder, HOSTILE), "w", encoding="utf-8") as file:
        file.write("scale(x, a) = (i = threadIdx().x; x[i] = a * x[i] + 0.1; return)\n")
    run("compile", HOSTILE, "scale(CuDeviceVector{Float32,1}, Float32)", "--target", "ptx", "-o", "k.ptx", "--timings=html:one.html")
    with open(os.path.join(folder, "program.jl"), "w", encoding="utf-8") as file:
        file.write("words = [string(i) for i in 1:20000]\nprintln(length(join(words)))\n")
    run("script", "--timings=html:program.html", "program.jl")
    return (os.path.join(folder, f"{name}.html") for name in ("many", "one", "program"))


def report_in(page):
    with open(page, encoding="utf-8") as file:
        return json.loads(re.search(r'id="report">(.*?)</script>', file.read(), re.DOTALL).group(1))


def paths(rows):
    """The stages of a report's rows, each after its enclosing stages, as the page's tables name them."""
    found = []
    outer = []
    for row in rows:
        outer = [*outer[: row["depth"]], row["name"]]
        found.append(" > ".join(outer))
    return found


def milliseconds(text):
    value, unit = text.split()
    return float(value) * {"s": 1000, "ms": 1, "µs": 1e-3, "ns": 1e-6}[unit]


class Reader:
    def __init__(self, browser, folder):
        self.browser, self.folder = browser, folder

    def open(self, path, width=1400, height=900, scheme="light", **options):
        page = self.browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme, **options)
        page.on("console", lambda message: message.type == "error" and faults.append(f"{path}: console: {message.text}"))
        page.on("pageerror", lambda error: faults.append(f"{path}: {error}"))
        page.on("request", lambda request: urllib.parse.urlparse(request.url).scheme in ("http", "https", "ws", "wss") and faults.append(f"{path}: request to {request.url}"))
        page.goto("file://" + urllib.parse.quote(path))
        return page

    def looks(self, path):
        """The page fits at both widths, and has a dark form."""
        name = os.path.splitext(os.path.basename(path))[0]
        for width, height in ((1400, 900), (390, 844)):
            colours = {}
            for scheme in ("light", "dark"):
                page = self.open(path, width, height, scheme)
                expect(page.evaluate("document.body.dataset.ready") == "yes", f"{path}: the scripts did not come to their end")
                wide = page.evaluate("document.documentElement.scrollWidth")
                expect(wide <= width, f"{path} is {wide} pixels wide in a window of {width}")
                colours[scheme] = [sum(map(int, re.findall(r"\d+", page.evaluate(f"getComputedStyle(document.body).{part}"))[:3])) for part in ("backgroundColor", "color")]
                page.screenshot(path=os.path.join(self.folder, f"{name}-{width}-{scheme}.png"), full_page=True)
                page.close()
            expect(colours["light"][0] > 600 > 200 > colours["light"][1], f"{path}: light colours {colours['light']}")
            expect(colours["dark"][0] < 200 < 600 < colours["dark"][1], f"{path}: dark colours {colours['dark']}")

    def header_and_facts(self, path, kiln):
        page, report = self.open(path), report_in(path)
        header = page.inner_text("header")
        version = subprocess.run([kiln, "--version"], capture_output=True, text=True, check=True).stdout
        for wanted in (report["process"]["version"], socket.gethostname(), report["title"], "GPU", "UTC"):
            expect(wanted in header, f"{path}: the header lacks {wanted}")
        expect(report["process"]["version"] in version, f"{path}: the report is of {report['process']['version']}, not of {version}")
        facts = page.locator("#facts li").all()
        expect(0 < len(facts) <= 5, f"{path}: {len(facts)} facts")
        times = [milliseconds(fact.locator(".time").inner_text()) for fact in facts]
        expect(times == sorted(times, reverse=True), f"{path}: the facts are not sorted: {times}")
        expect("Percentages are of the " in page.inner_text("#facts-note"), f"{path}: the facts do not say of what their percentages are")
        named = 0
        for fact, time in zip(facts, times):
            text = fact.locator(".text").inner_text()
            stage = re.match(r"The stage (.*?) ran", text)
            if not stage:
                continue
            named += 1
            own = sum(row["self_ns"] for row in report["rows"] if row["name"] == stage[1]) / 1e6
            expect(abs(own - time) <= own / 100, f"{path}: {stage[1]} took {own} ms, and the fact says {time}")
        expect(named, f"{path}: no fact names a stage")
        page.close()

    def icicle(self, path):
        page, report = self.open(path), report_in(path)
        chart = page.locator("#icicle")
        whole = chart.locator(".canvas").bounding_box()["width"]
        jobs = chart.locator(".box.job")
        expect(0 < jobs.count() <= len(report["jobs"]), f"{path}: {jobs.count()} boxes of {len(report['jobs'])} jobs")
        top = jobs.first.bounding_box()["y"]
        level = chart.locator(".box").evaluate_all("(boxes, top) => boxes.map(box => box.getBoundingClientRect()).filter(box => Math.abs(box.y - top) < 1).reduce((sum, box) => sum + box.width, 0)", top)
        expect(abs(level - whole) <= whole / 50, f"{path}: jobs and the rest are {level} pixels wide in a chart of {whole}")
        longest = max(report["jobs"], key=lambda job: job["ns"])
        expect(jobs.first.inner_text().startswith(longest["name"][:10]), f"{path}: the first job is {jobs.first.inner_text()}, and the longest {longest['name']}")
        reset = chart.locator("button", has_text="Reset")
        expect(reset.is_disabled(), f"{path}: a chart that shows all can be reset")
        before = jobs.first.bounding_box()["width"]
        jobs.first.click()
        expect(jobs.first.bounding_box()["width"] > max(before, whole * .95), f"{path}: a click on a job does not zoom to it")
        detail = chart.locator(".detail").inner_text()
        for wanted in (longest["name"], "% of the", longest["file"].rsplit("/", 1)[-1] + f":{longest['line']}"):
            expect(wanted in detail, f"{path}: the detail of a job lacks {wanted}: {detail}")
        reset.click()
        expect(abs(jobs.first.bounding_box()["width"] - before) < 1, f"{path}: Reset does not show all")
        chart.locator(".plot").hover()
        page.keyboard.down("Control")
        page.mouse.wheel(0, -600)
        page.keyboard.up("Control")
        with contextlib.suppress(Exception):
            page.wait_for_function("!document.querySelector('#icicle button:nth-child(3)').disabled", timeout=5000)
        expect(reset.is_enabled(), f"{path}: Ctrl and the wheel do not zoom")
        chart.locator(".plot").press("Escape")
        expect(reset.is_disabled(), f"{path}: Escape does not show all")

        page.fill("#search", longest["rows"][0]["name"])
        expect(re.search(r"\d match.*% of ", page.inner_text("#found")), f"{path}: a search says {page.inner_text('#found')}")
        expect(chart.locator(".box.match").count() > 0 < chart.locator(".box.dim").count(), f"{path}: a search marks nothing")
        page.press("#search", "Enter")
        expect(reset.is_enabled(), f"{path}: Enter does not zoom to what was found")
        page.fill("#search", "no such stage")
        expect(page.inner_text("#found") == "no match" and chart.locator(".box.match").count() == 0, f"{path}: a search without a match")
        page.fill("#search", "")
        expect(chart.locator(".box.dim").count() == 0, f"{path}: an empty search dims boxes")
        page.close()

    def timeline(self, path, names):
        page = self.open(path)
        lanes = page.locator("#timeline .lane").all_inner_texts()
        expect(lanes == names, f"{path}: the threads are {lanes}, not {names}")
        boxes = page.locator("#timeline .box.job")
        expect(boxes.count() > 0, f"{path}: the timeline has no job")
        boxes.first.click()
        expect("of the wall time" in page.inner_text("#timeline .detail"), f"{path}: the timeline's detail is {page.inner_text('#timeline .detail')}")
        page.close()

    def tables(self, path):
        page, report = self.open(path), report_in(path)
        rows = page.locator("#jobs tbody tr")
        expect(rows.count() == len(report["jobs"]), f"{path}: {rows.count()} rows of {len(report['jobs'])} jobs")
        column = lambda: page.locator("#stages tbody td:nth-child(3)").all_inner_texts()
        own = sorted((row["self_ns"] for row in report["rows"]), reverse=True)
        expect(column() == [f"{ns / 1e6:.2f}" for ns in own], f"{path}: stages are not sorted by their own time")
        page.click("#stages th:nth-child(3) button")
        expect(column() == [f"{ns / 1e6:.2f}" for ns in own[::-1]], f"{path}: a click does not turn the order")
        expect(page.get_attribute("#stages th:nth-child(3)", "aria-sort") == "ascending", f"{path}: the order is not announced")
        page.click("#stages th:nth-child(1) button")
        names = page.locator("#stages tbody td:nth-child(1)").all_inner_texts()
        by_name = page.evaluate("names => names.sort((a, b) => a.localeCompare(b))", paths(report["rows"]))
        expect(names == by_name, f"{path}: stages are not sorted by name: {names}")
        expect(page.get_attribute("#stages th:nth-child(1)", "aria-sort") == "ascending", f"{path}: the order by name is not announced")
        expect(page.get_attribute("#stages th:nth-child(3)", "aria-sort") is None, f"{path}: the former order is still announced")
        page.click("#stages th:nth-child(1) button")
        names = page.locator("#stages tbody td:nth-child(1)").all_inner_texts()
        expect(names == by_name[::-1], f"{path}: a second click does not turn the order by name: {names}")
        expect(page.get_attribute("#stages th:nth-child(1)", "aria-sort") == "descending", f"{path}: the turned order by name is not announced")
        page.fill("input[aria-label='Filter of the table Stages of all jobs']", "machine-code")
        filtered = page.locator("#stages tbody td:nth-child(1)").all_inner_texts()
        expect(filtered and all("machine-code" in name for name in filtered), f"{path}: the filter shows {filtered}")
        wanted = {job["name"] for job in report["jobs"]}
        expect({text.split(" for ")[0] for text in page.locator("#jobs tbody td:first-child").all_inner_texts()} == wanted, f"{path}: names of jobs differ from the report's")
        links = page.locator("#jobs a").evaluate_all("links => links.map(link => link.href)")
        missing = [link for link in links if not os.path.isfile(urllib.parse.unquote(urllib.parse.urlparse(link).path))]
        expect(links and not missing, f"{path}: {len(links)} links to kept files, without a file: {missing[:3]}")
        page.close()

    def advice(self, path):
        """By Julia's rules Float32 + Float64 is a Float64; the literal stands in column 53."""
        page = self.open(path)
        cells = page.locator("#advice tbody td").all_inner_texts()
        expect(len(cells) == 5 and cells[1] == "wide-float" and cells[2] == HOSTILE + ":1:53" and cells[4] == "write 0.1f0", f"{path}: advice {cells}")
        expect(page.locator("img").count() == 0, f"{path}: a name of a file became an element")
        expect(page.inner_text("#command").count(HOSTILE) == 1, f"{path}: the command is {page.inner_text('#command')}")
        page.close()

    def program(self, path):
        """The time of a script's statements is of the kind `program`, and the fact about it has a hint."""
        page, report = self.open(path), report_in(path)
        own = sum(row["self_ns"] for row in report["rows"] if row["name"] in ("run the program", "host interpretation", "compiled host code")) / 1e6
        legend = page.locator("#kinds-legend li").all()
        figures = [item.locator(".figure").inner_text() for item in legend if item.locator(".program").count()]
        expect(len(figures) == 1 and abs(milliseconds(figures[0].split(",")[0]) - own) <= own / 100, f"{path}: the program took {own} ms, and the legend says {figures}")
        expect("KILN_LOG=debug" in page.inner_text("#facts"), f"{path}: the facts have no hint: {page.inner_text('#facts')}")
        page.close()

    def in_a_frame(self, path):
        """As python/kiln/_reports.py shows it in a notebook: the frame is as high as the page, and grows with it."""
        host = os.path.join(self.folder, "notebook.html")
        with open(path, encoding="utf-8") as page, open(host, "w", encoding="utf-8") as file:
            file.write(f'<!DOCTYPE html><iframe style="width:100%;height:48em;border:0" srcdoc="{html.escape(page.read(), quote=True)}"></iframe>')
        page = self.open(host)
        fits = "(() => { const f = document.querySelector('iframe'), d = f.contentDocument.documentElement; return d.offsetHeight > 1000 && Math.abs(f.clientHeight - d.offsetHeight) <= 2 && d.scrollHeight <= f.clientHeight + 2; })()"
        for step in ("at first", "after the filter"):
            try:
                page.wait_for_function(fits, timeout=5000)
            except Exception:
                faults.append(f"{host}: {step} the frame is not as high as its page: " + str(page.evaluate("[document.querySelector('iframe').clientHeight, document.querySelector('iframe').contentDocument.documentElement.offsetHeight]")))
            page.frame_locator("iframe").locator("input[aria-label='Filter of the table Stages of all jobs']").fill("machine-code")
        page.close()

    def without_scripts(self, path):
        page = self.open(path, java_script_enabled=False)
        expect(page.locator("noscript pre").is_visible() and "Section" in page.inner_text("noscript pre"), f"{path}: without scripts there is no table")
        page.close()

    def picture(self, path, file):
        page = self.open(path, 1400, 1250)
        page.evaluate("[...document.querySelectorAll('dt')].find(name => name.textContent === 'Host').nextSibling.textContent = 'workstation'")
        bottom = page.locator("#timeline .lane").nth(1).bounding_box()["y"]  # of the main thread; the picture of all is too large
        page.screenshot(path=file, clip={"x": 0, "y": 0, "width": 1400, "height": bottom})
        page.close()
        expect(os.path.getsize(file) <= 200_000, f"{file} has {os.path.getsize(file)} bytes")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("kiln", type=os.path.abspath)
    parser.add_argument("folder", type=os.path.abspath)
    parser.add_argument("--picture")
    arguments = parser.parse_args()
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        skip("Playwright is missing (./x docs installs it)")
    chromium = shutil.which("chromium") or shutil.which("chromium-headless-shell") or skip("Chromium is missing (Debian's package chromium)")
    many, one, program = make_reports(arguments.kiln, arguments.folder)
    with sync_playwright() as playwright:
        reader = Reader(playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"]), arguments.folder)
        for path in (many, one, program):
            reader.looks(path)
        for path in (many, one):
            reader.header_and_facts(path, arguments.kiln)
            reader.icicle(path)
            reader.tables(path)
        reader.timeline(many, ["main thread", "kiln compile, thread 2"])
        reader.timeline(one, ["main thread", "kiln warm-up, thread 2"])
        reader.advice(one)
        reader.program(program)
        reader.in_a_frame(many)
        reader.without_scripts(many)
        if arguments.picture:
            reader.picture(many, arguments.picture)
        reader.browser.close()
    for fault in dict.fromkeys(faults):
        print(fault)
    print(f"3 pages at two widths, light and dark: {len(faults)} faults; pictures in {arguments.folder}")
    sys.exit(bool(faults))


main()
