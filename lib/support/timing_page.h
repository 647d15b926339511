// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HTML page of a timing report. The report's JSON replaces `report_mark`, `style` replaces `style_mark`. The
// page needs neither network nor other files. Without scripts it shows the text table that replaces
// `table_mark`.
#pragma once

#include <string>
#include <string_view>

namespace kiln::timing {

inline constexpr std::string_view report_mark = "@REPORT@", table_mark = "@TABLE@", style_mark = "@STYLE@";

std::string html_text(std::string_view text); ///< text between tags, or an attribute's in double quotes

/// Style of this page and of a fleet's.
inline constexpr std::string_view style =
    R"css(body { font: 14px/1.45 system-ui, sans-serif; margin: 1.5em; color: #1b1f24; background: #fff; }
h1 { font-size: 1.3em; margin: 0; } h2 { font-size: 1.05em; margin: 1.6em 0 .4em; }
p { margin: .3em 0; color: #57606a; } code, pre { font: 12px/1.4 ui-monospace, monospace; }
#flame { position: relative; border: 1px solid #d0d7de; background: #f6f8fa; overflow: hidden; }
#flame div { position: absolute; height: 20px; box-sizing: border-box; border: 1px solid #fff; overflow: hidden;
  white-space: nowrap; font-size: 12px; line-height: 18px; padding: 0 3px; cursor: default; }
table { border-collapse: collapse; } td, th { padding: .15em .7em; text-align: right; border-bottom: 1px solid #eaeef2; }
th { cursor: pointer; background: #f6f8fa; position: sticky; top: 0; } th.sorted::after { content: " \25be"; }
th.rising::after { content: " \25b4"; } td.text, th.text { text-align: left; }
select, input { font: inherit; max-width: 100%; margin-right: 1em; } .wait { color: #9a6700; }
)css";

inline constexpr std::string_view page = R"page(<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>kiln timings</title>
<style>
@STYLE@</style>
<h1>kiln timings</h1>
<p id="title"></p>
<p id="sum"></p>
<noscript><pre>@TABLE@</pre></noscript>
<div id="body"></div>
<script type="application/json" id="report">@REPORT@</script>
<script>
"use strict";
const report = JSON.parse(document.getElementById("report").textContent);
const ms = ns => (ns / 1e6).toFixed(3);
const share = (part, whole) => whole > 0 ? (100 * part / whole).toFixed(1) : "";
const make = (tag, parent, text) => {
  const e = document.createElement(tag);
  if (text !== undefined) e.textContent = text;
  parent.append(e);
  return e;
};
const body = document.getElementById("body");
const named = (name, target) => target ? name + " for " + target : name;
const jobName = job => named(job.name, job.target) + (job.config ? " " + job.config : "");

document.getElementById("title").textContent = report.title;
const untimed = report.rows.filter(r => r.depth === 0 && r.name === "untimed").reduce((s, r) => s + r.ns, 0);
document.getElementById("sum").textContent = ms(report.wall_ns) + " ms, of which stages explain " +
  share(report.wall_ns - untimed, report.wall_ns) + " %; " + report.jobs.length + " jobs, " + report.threads + " threads";

// Path of a row: the names of its parents, then its own.
function paths(rows) {
  const path = [];
  return rows.map(row => {
    path.length = row.depth;
    path.push(row.name);
    return { row, path: path.join(" > ") };
  });
}

// The flame graph: a row of stages below the one they are in, as wide as they took.
make("h2", body, "Flame graph");
const choice = make("select", body);
make("option", choice, "all jobs together").value = "";
report.jobs.forEach((job, i) => make("option", choice, jobName(job)).value = i);
const flame = make("div", body);
flame.id = "flame";
const legend = make("p", body, "The width is the time; a stage stands below the one it is in. Waits are amber, what no stage covers is grey.");
function colour(row) {
  if (row.name === "untimed") return "#d0d7de";
  if (row.wait) return "#f2cc60";
  let h = 0;
  for (const c of row.name) h = (h * 31 + c.codePointAt(0)) % 360;
  return "hsl(" + (180 + h / 3) + " 60% 72%)";
}
function draw() {
  flame.replaceChildren();
  const rows = choice.value === "" ? report.rows : report.jobs[choice.value].rows;
  const whole = rows.filter(r => r.depth === 0).reduce((s, r) => s + r.ns, 0) || 1;
  const next = [0]; // where the next stage of each depth begins
  let deepest = 0;
  paths(rows).forEach(({ row, path }) => {
    const left = next[row.depth] || 0;
    next[row.depth] = left + row.ns;
    next[row.depth + 1] = left;
    deepest = Math.max(deepest, row.depth);
    const box = make("div", flame, row.name);
    box.style.left = 100 * left / whole + "%";
    box.style.width = 100 * row.ns / whole + "%";
    box.style.top = 21 * row.depth + "px";
    box.style.background = colour(row);
    box.title = path + "\n" + ms(row.ns) + " ms, " + share(row.ns, whole) + " %, itself " + ms(row.self_ns) +
      " ms, " + row.calls + " times";
  });
  flame.style.height = 21 * (deepest + 1) + "px";
}
choice.onchange = draw;
draw();

// A table whose columns sort by a click. `columns`: [heading, of a row, is text]
function table(id, heading, columns, rows, sortBy) {
  make("h2", body, heading);
  if (!rows.length) return make("p", body, "none");
  const filter = make("input", body);
  filter.placeholder = "show only ...";
  const t = make("table", body);
  t.id = id;
  const head = make("tr", make("thead", t));
  const list = make("tbody", t);
  let by = sortBy, rising = columns[by][2] === true;
  function fill() {
    const value = columns[by][1];
    const shown = rows.filter(r => columns.some(c => String(c[1](r)).toLowerCase().includes(filter.value.toLowerCase())));
    shown.sort((a, b) => {
      const x = value(a), y = value(b);
      const order = columns[by][2] ? String(x).localeCompare(String(y)) : Number(x) - Number(y);
      return rising ? order : -order;
    });
    list.replaceChildren();
    shown.slice(0, 2000).forEach(r => {
      const line = make("tr", list);
      columns.forEach(c => {
        const cell = make("td", line, c[1](r));
        if (c[2]) cell.className = "text";
      });
      if (r.wait) line.className = "wait";
    });
    [...head.children].forEach((th, i) => th.className = (columns[i][2] ? "text " : "") + (i === by ? (rising ? "rising" : "sorted") : ""));
  }
  columns.forEach((c, i) => make("th", head, c[0]).onclick = () => {
    rising = i === by ? !rising : c[2] === true;
    by = i;
    fill();
  });
  filter.oninput = fill;
  fill();
}

const stages = [];
const add = (job, rows) => paths(rows).forEach(({ row, path }) => stages.push({ job, path, ...row }));
add("all jobs", report.rows);
report.jobs.forEach(job => add(jobName(job), job.rows));
const instructions = r => r.instructions_after === undefined ? "" : r.instructions_before + " \u2192 " + r.instructions_after;
table("stages", "Stages, by job", [
  ["job", r => r.job, true], ["stage", r => r.path, true], ["calls", r => r.calls], ["ms", r => ms(r.ns)],
  ["itself ms", r => ms(r.self_ns)], ["% of all", r => share(r.ns, report.wall_ns)], ["LLVM instructions", instructions, true],
], stages, 4);
table("jobs", "Jobs", [
  ["job", jobName, true], ["calls", r => r.calls], ["ms", r => ms(r.ns)], ["key", r => r.key, true],
], report.jobs, 2);
const kib = n => n ? (n / 1024).toFixed(1) : "";
table("kernels", "Kernels on GPUs", [
  ["kernel", r => r.name, true], ["job", r => r.job, true], ["registers", r => r.registers], ["spilled bytes", r => r.spilled_bytes],
  ["stack bytes", r => r.stack_bytes], ["shared bytes", r => r.shared_bytes], ["PTX KiB", r => kib(r.text_bytes)],
  ["cubin KiB", r => kib(r.object_bytes)], ["launches", r => r.launches],
  ["coarse", r => r.coarse_factor ? `${r.coarse_launches} × ${r.coarse_factor}` : "", true],
  ["occupancy %", r => r.launches ? (100 * r.occupancy).toFixed(0) : ""], ["limit", r => r.limit || "", true], ["assembler", r => r.assembler, true],
], report.kernels, 0);
const lookups = [];
report.jobs.forEach(job => job.lookups.forEach(l => lookups.push({ job: jobName(job), ...l })));
table("lookups", "Cache: where products came from", [
  ["job", r => r.job, true], ["product", r => r.product, true], ["from", r => r.answer, true], ["why", r => r.reason, true], ["times", r => r.count],
], lookups, 0);
table("warnings", "What to look at", [
  ["job", r => r.job, true], ["stage", r => r.stage, true], ["what", r => r.text, true],
], report.warnings, 0);
if (report.advice) {
  const place = r => r.file ? r.file + ":" + r.line + ":" + r.column : "";
  const left = report.not_checked;
  table("advice", "Advice: what makes kernels slow", [
    ["job", r => named(r.job, r.target), true], ["rule", r => r.rule, true], ["line", place, true], ["what is slow", r => r.message, true],
    ["what to write instead", r => r.hint, true],
  ], report.advice, 2);
  if (left.length) table("not-checked", "Advice that was not looked for", [["job", r => named(r.job, r.target), true], ["what, and why", r => r.text, true]], left, 0);
} else {
  make("h2", body, "Advice: what makes kernels slow");
  make("p", body, "not looked for: kiln advise tells it, and so do the pages of kiln compile, run and bench");
}
document.body.dataset.ready = "yes";
</script>
</html>
)page";

} // namespace kiln::timing
