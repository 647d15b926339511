// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

const read = id => JSON.parse(document.getElementById(id).textContent);
const report = read("report"), details = read("details");
const element = id => document.getElementById(id);
const jobName = job => job.name + (job.target ? " for " + job.target : "") + (job.config ? " " + job.config : "");
const placeOf = job => job.file ? `${job.file}:${job.line}` : "";
const shortened = path => path.split("/").length > 3 ? "…/" + path.split("/").slice(-2).join("/") : path;
const milliseconds = ns => (ns / 1e6).toFixed(2);

// The time, in nanoseconds, that counts as 100 % for facts and stages.
const whole = details.whole_ns;
const wholeName = report.threads > 1 ? `the ${duration(whole)} that ${report.threads} threads recorded` : `the wall time ${duration(whole)}`;

// ---- kinds of stages

const kinds = {
  language: ["language", "front-end", "parse", "lower", "evaluate", "resolve", "inference", "read files"],
  ir: ["IR generation", "IR generation", "emission", "rewrite", "target libraries", "runtime library", "nested job", "hooks", "validation", "products"],
  middle: ["LLVM middle-end", "LLVM middle-end", "clean-up"],
  back: ["LLVM back-end", "LLVM back-end", "preparation", "machine-code generation"],
  assembler: ["assembler", "find the assembler", "assemble", "assemble (share)", "merge", "assemble quickly", "assemble in the background"],
  cache: ["cache", "keys", "cache look-up", "cache read", "cache remote", "cache publish", "cache flush"],
  device: ["device", "open the device", "load", "launch", "coarsen in the background", "optimise in the background", "swap in the optimised kernel"],
  program: ["program", "run the program", "host interpretation", "compiled host code"],
  wait: ["waits"],
  other: ["process", "process start", "command line", "open the session", "write results", "worker process", "other job"],
  untimed: ["untimed", "untimed"],
};
const kindOfName = new Map(Object.entries(kinds).flatMap(([kind, [, ...stages]]) => stages.map(stage => [stage, kind])));
// If a stage is not in `kinds`, such as an LLVM pass, it has the kind of the enclosing stage.
const kindOf = (row, outer) => row.wait ? "wait" : kindOfName.get(row.name) ?? outer ?? "other";

// Makes trees of a list of rows. A node: {row, path, kind, children}.
function trees(rows) {
  const open = [], roots = [];
  for (const row of rows) {
    open.length = Math.min(open.length, row.depth);
    const outer = open[open.length - 1];
    const node = { row, path: [...(outer ? outer.path : []), row.name], kind: kindOf(row, outer && outer.kind), children: [] };
    (outer ? outer.children : roots).push(node);
    open.push(node);
  }
  return roots;
}
const everyNode = nodes => nodes.flatMap(node => [node, ...everyNode(node.children)]);
const stages = everyNode(trees(report.rows));

// ---- places and files

function addPlace(parent, text) {
  if (text) make("span", parent, shortened(text), "place").title = text;
}

// Adds links to kept files. A page in a notebook or from a server cannot open local files, so it shows only their names.
function addFiles(parent, files) {
  files.forEach(({ product, path }, i) => {
    if (i) parent.append(" ");
    const link = make(location.protocol === "file:" ? "a" : "span", parent, product);
    link.title = path;
    if (link.tagName === "A") link.href = path.split("/").map(encodeURIComponent).join("/");
  });
}

// ---- header

function fillHeader() {
  const { process } = report;
  const untimed = report.rows.find(row => row.depth === 0 && row.name === "untimed");
  element("wall").textContent = `${duration(report.wall_ns)} wall time`;
  element("command").firstChild.textContent = report.title;
  const about = (name, value) => {
    if (!value) return;
    const pair = make("div", element("about"));
    make("dt", pair, name);
    make("dd", pair, value);
  };
  about("Work", `${counted(report.jobs.length, "job")}, ${counted(report.threads, "thread")}`);
  about("Untimed", untimed && `${duration(untimed.ns)}, ${percent(untimed.ns, report.wall_ns)} of the wall time`);
  about("Date", process.start_ns && new Date(process.start_ns / 1e6).toISOString().replace("T", " ").slice(0, 19) + " UTC");
  about("Kiln", process.version + (process.build ? `, build ${process.build}` : ""));
  about("Host", process.host && `${process.host}, process ${process.process}` + (process.rank === null ? "" : `, rank ${process.rank}`));
  about("CPU", process.cpu);
  about("GPU", process.gpu ?? "none opened");
  about("Cache folder", process.cache_folder ?? "none");
}

// ---- facts

function fillFacts() {
  element("facts-note").textContent = details.facts.length
    ? `Percentages are of ${wholeName}. Facts overlap: a job's time contains its stages.` : "No stage took a hundredth of the time.";
  for (const fact of details.facts) {
    const item = make("li", element("facts"));
    make("span", item, duration(fact.ns), "time");
    const share = make("span", item, undefined, "share");
    make("span", make("span", share, undefined, "bar")).style.width = Math.min(100 * fact.ns / whole, 100) + "%";
    make("span", share, percent(fact.ns, whole));
    const text = make("div", item, undefined, "text");
    make("span", text, fact.text + " ");
    const job = fact.job === null ? undefined : report.jobs[fact.job];
    if (job) addPlace(text, placeOf(job));
    if (job || fact.stage) {
      text.append(" ");
      const show = make("button", text, "Show", "link");
      show.type = "button";
      show.setAttribute("aria-label", "Show in the chart: " + fact.text);
      show.onclick = () => showInIcicle(fact.job, fact.stage);
    }
    if (fact.hint) make("span", text, fact.hint, "hint");
  }
  const sums = Object.keys(kinds).map(kind => [kind, stages.filter(node => node.kind === kind && node.row.name !== "wait for jobs")
    .reduce((sum, node) => sum + node.row.self_ns, 0)]).filter(([, ns]) => ns > 0);
  for (const [kind, ns] of sums) {
    make("span", element("kinds"), undefined, kind).style.flex = `${ns} 0 0`;
    const item = make("li", element("kinds-legend"));
    make("span", item, undefined, "key " + kind);
    make("span", item, kinds[kind][0]);
    make("span", item, `${duration(ns)}, ${percent(ns, whole)}`, "figure");
  }
  element("kinds").setAttribute("role", "img");
  element("kinds").setAttribute("aria-label", "Own time of the stages by kind; the list below has the figures");
}

// ---- charts

function describe(place, { title, job, figures }) {
  make("div", place, title, "path");
  const line = make("div", place, figures.filter(Boolean).join(" · "), "figures");
  if (!job) return;
  const at = placeOf(job);
  if (at || job.dumps.length) line.append(" · ");
  addPlace(line, at);
  if (job.dumps.length) line.append(at ? " · " : "", "kept: ");
  addFiles(line, job.dumps);
}

function makeTimeline() {
  const { timeline } = details;
  if (!timeline || !timeline.events.length) {
    element("timeline-note").textContent = "This report has no single events. --timings=html:FILE keeps them, and so does TimingOptions::trace_events.";
    element("timeline").hidden = true;
    return undefined;
  }
  const open = timeline.threads.map(() => []), boxes = [];
  for (const event of timeline.events) {
    const [name, lane, start, took, jobIndex] = event, stack = open[lane];
    while (stack.length && stack[stack.length - 1].end <= start && stack[stack.length - 1].end < start + Math.max(took, 1)) stack.pop();
    const job = jobIndex < 0 ? undefined : report.jobs[jobIndex], isJob = name < 0;
    const label = isJob ? job.name : timeline.names[name] || "unnamed", outer = stack[stack.length - 1];
    const box = { start, end: start + took, depth: stack.length, lane, label, isJob,
      kind: kindOf({ name: label, wait: waits.has(label) }, outer && !outer.isJob ? outer.kind : undefined),
      words: (label + " " + (job ? jobName(job) : "")).toLowerCase() };
    box.detail = place => describe(place, { job, title: isJob ? jobName(job) : label + (job ? ` in ${jobName(job)}` : ""), figures: [
      duration(took), `${percent(took, report.wall_ns)} of the wall time ${duration(report.wall_ns)}`,
      `from ${duration(start)} on`, timeline.threads[lane] ] });
    stack.push(box);
    boxes.push(box);
  }
  element("timeline-note").textContent = `Jobs in bold, their stages below them; waits are hatched.` +
    (timeline.dropped ? ` The ${counted(timeline.dropped, "shortest event")} of ${(timeline.dropped + boxes.length).toLocaleString("en")} are left out.` : "");
  return new Chart(element("timeline"), { boxes, lanes: timeline.threads, length: report.wall_ns, name: "Threads over time" });
}

// Makes the root of the icicle chart. Its children are the jobs, longest first, then the time outside of jobs.
function icicleRoot() {
  // Time that a job's threads spent on another job counts for the other job.
  const net = node => node.row.name === "other job" ? 0 : node.row.ns - node.children.reduce((sum, child) => sum + child.row.ns - net(child), 0);
  const stageNode = (node, job, size) => ({ label: node.row.name, kind: node.kind, node, job, size: size(node),
    children: node.children.map(child => stageNode(child, job, size)).filter(child => child.size > 0) });
  const jobs = report.jobs.map((job, index) => ({ label: jobName(job), isJob: true, job, index,
    children: trees(job.rows).map(node => stageNode(node, job, net)).filter(node => node.size > 0), size: job.ns }))
    .filter(node => node.size > 0).sort((a, b) => b.size - a.size);
  let shares = report.jobs.reduce((sum, job) => sum + job.share_ns, 0); // shared assembling, counted in jobs and in the stage `assemble`
  const outsideOf = node => node.row.name === "wait for jobs" ? 0 : node.row.ns - node.row.job_ns;
  const outside = stageNode({ row: { name: "outside of jobs" }, kind: "other", children: trees(report.rows) }, undefined,
    node => node.row.ns === undefined ? 0 : outsideOf(node));
  const takeShares = node => {
    let taken = node.children.reduce((sum, child) => sum + takeShares(child), 0);
    if (node.label === "assemble") {
      const own = Math.min(shares, node.size - taken);
      shares -= own;
      taken += own;
    }
    node.size -= taken;
    return taken;
  };
  outside.children.forEach(takeShares);
  const remove = node => node.children = node.children.filter(child => child.size > 0 && (remove(child), true));
  remove(outside);
  outside.size = outside.children.reduce((sum, child) => sum + child.size, 0);
  const children = outside.size > 0 ? [...jobs, outside] : jobs;
  return { label: report.threads > 1 ? `all ${report.threads} threads` : "wall time", kind: "other", children,
    size: children.reduce((sum, child) => sum + child.size, 0) };
}

function makeIcicle() {
  const root = icicleRoot(), boxes = [];
  const wholeOf = `${report.threads > 1 ? "the time of all threads" : "the wall time"} ${duration(root.size)}`;
  const add = (item, start, depth) => {
    const { job, node, size } = item;
    boxes.push({ start, end: start + size, depth, lane: 0, label: item.label, kind: item.kind, isJob: item.isJob, item,
      words: (item.label + (job ? " " + jobName(job) : "")).toLowerCase(),
      detail: place => describe(place, { job, title: (node && node.path ? node.path.join(" > ") : item.label) + (job && !item.isJob ? ` in ${jobName(job)}` : ""),
        figures: [duration(size), `${percent(size, root.size)} of ${wholeOf}`,
          job && !item.isJob && `${percent(size, job.ns)} of the job's ${duration(job.ns)}`,
          node && node.row.calls && counted(node.row.calls, "call"), item.isJob && `asked for ${counted(job.calls, "time")}`,
          node && node.row.instructions_after && `LLVM instructions ${node.row.instructions_before.toLocaleString("en")} → ${node.row.instructions_after.toLocaleString("en")}`] }) });
    let at = start;
    for (const child of item.children) {
      add(child, at, depth + 1);
      at += child.size;
    }
  };
  add(root, 0, 0);
  element("icicle-note").textContent = `Each job with its stages below it, then time outside of jobs. ` +
    `The width is ${report.threads > 1 ? "the time of all threads added up" : "time"}, not its order.`;
  return new Chart(element("icicle"), { boxes, lanes: [""], length: root.size, name: "Time by job" });
}

const waits = new Set([...report.rows, ...report.jobs.flatMap(job => job.rows)].filter(row => row.wait).map(row => row.name));

function showInIcicle(job, stage) {
  const found = icicle.boxes.filter(({ item }) => (job === null || item.job === report.jobs[job]) &&
    (item.isJob ? !stage : item.node && stage === item.node.row.name));
  const box = found.sort((a, b) => b.end - b.start - a.end + a.start)[0];
  if (!box) return;
  icicle.focus(box);
  element("icicle-title").scrollIntoView({ block: "start" });
}

function search() {
  const query = element("search").value.trim().toLowerCase();
  if (timeline) timeline.search(query);
  const found = icicle.search(query), sum = found.reduce((total, box) => total + box.end - box.start, 0);
  element("found").textContent = query === "" ? "" : found.length
    ? `${counted(found.length, "match", "matches")} by job, ${duration(sum)}, ${percent(sum, icicle.length)} of ${report.threads > 1 ? "the time of all threads" : "the wall time"}`
    : "no match";
  return found;
}

// ---- tables

function fillTables() {
  const into = element("tables");
  const text = (name, value, more = {}) => ({ name, value, isText: true, ...more });
  const number = (name, value, shown) => ({ name, value, text: row => shown ? shown(value(row), row) : (value(row) ?? "").toLocaleString("en") });
  const time = (name, value) => number(name, value, ns => ns === undefined ? "" : milliseconds(ns));
  const instructions = number("LLVM instructions", row => row.instructions_after, (after, row) => after === undefined ? ""
    : `${row.instructions_before.toLocaleString("en")} → ${after.toLocaleString("en")}`);
  const place = (name, value) => text(name, value, { fill: (cell, row) => addPlace(cell, value(row)) });

  new Table(into, { id: "jobs", title: "Jobs", sortBy: 2, rows: report.jobs, note: `Percentages are of ${wholeName}.`, columns: [
    text("job", jobName), place("source", placeOf), time("ms", job => job.ns), number("%", job => job.ns, ns => percent(ns, whole)),
    number("calls", job => job.calls),
    text("longest stage", job => [...job.rows].sort((a, b) => b.self_ns - a.self_ns)[0]?.name ?? ""),
    text("kept files", job => job.dumps.map(dump => dump.product).join(" "), { fill: (cell, job) => addFiles(cell, job.dumps) }),
    text("key", job => job.key.slice(0, 12), { isCode: true }),
  ] });

  new Table(into, { id: "stages", title: "Stages of all jobs", sortBy: 2, rows: stages, note: `Percentages are of ${wholeName}.`, columns: [
    text("stage", node => node.path.join(" > ")), time("ms", node => node.row.ns), time("itself ms", node => node.row.self_ns),
    number("itself %", node => node.row.self_ns, ns => percent(ns, whole)), number("calls", node => node.row.calls),
    { ...instructions, value: node => node.row.instructions_after, text: node => instructions.text(node.row) },
  ] });

  const byJob = report.jobs.flatMap(job => everyNode(trees(job.rows)).map(({ row, path }) => ({ job, path: path.join(" > "), ...row })));
  new Table(into, { id: "job-stages", title: "Stages by job", sortBy: 3, rows: byJob, note: "Percentages are of the job's time.", columns: [
    text("job", row => jobName(row.job)), text("stage", row => row.path), time("ms", row => row.ns), time("itself ms", row => row.self_ns),
    number("itself % of the job", row => row.self_ns, (ns, row) => percent(ns, row.job.ns)), number("calls", row => row.calls), instructions,
  ] });

  const kib = n => n ? (n / 1024).toFixed(1) : "";
  const jobsOf = kernel => report.jobs.find(job => job.name === kernel.job);
  if (report.kernels.length) new Table(into, { id: "kernels", title: "Kernels", rows: report.kernels, columns: [
    text("kernel", row => row.name), text("job", row => row.job), place("source", row => jobsOf(row) ? placeOf(jobsOf(row)) : ""),
    number("registers", row => row.registers), number("spilled bytes", row => row.spilled_bytes), number("stack bytes", row => row.stack_bytes),
    number("shared bytes", row => row.shared_bytes), number("PTX KiB", row => row.text_bytes, kib), number("cubin KiB", row => row.object_bytes, kib),
    number("launches", row => row.launches),
    text("coarse", row => row.coarse_factor ? `${row.coarse_launches} × ${row.coarse_factor}` : ""),
    number("occupancy %", row => row.launches && !row.is_cpu ? 100 * row.occupancy : "", n => n === "" ? "" : n.toFixed(0)),
    text("limit", row => row.limit ?? ""), text("assembler", row => row.assembler),
    number("runs timed", row => row.executions), time("runs ms", row => row.execution_ns?.total),
    time("median ms", row => row.execution_ns?.median),
  ].filter(column => column.name !== "runs ms" && column.name !== "median ms" || report.kernels.some(row => row.executions)) });

  new Table(into, { id: "lookups", title: "Where products came from", sortBy: 0, rows: report.jobs.flatMap(job => job.lookups.map(lookup => ({ job, ...lookup }))), columns: [
    text("job", row => jobName(row.job)), text("product", row => row.product), text("from", row => row.answer), text("cause", row => row.reason),
    number("times", row => row.count),
  ] });

  if (report.warnings.length) new Table(into, { id: "warnings", title: "Warnings", rows: report.warnings, columns: [
    text("job", row => row.job), text("stage", row => row.stage), text("warning", row => row.text),
  ] });

  if (!report.advice) return;
  const adviceJob = row => row.target ? `${row.job} for ${row.target}` : row.job;
  new Table(into, { id: "advice", title: "Advice on the kernels' speed", sortBy: 2, rows: report.advice, columns: [
    text("job", adviceJob), text("rule", row => row.rule), place("source", row => row.file ? `${row.file}:${row.line}:${row.column}` : ""),
    text("what is slow", row => row.message, { isWide: true }), text("what to write", row => row.hint),
  ] });
  if (report.not_checked.length) new Table(into, { id: "not-checked", title: "Rules that were not checked", rows: report.not_checked, columns: [
    text("job", adviceJob), text("rules and reason", row => row.text, { isWide: true }),
  ] });
}

// If the page is in a notebook's frame, makes the frame as high as the page, also after a table has grown.
function fitFrame() {
  let frame = null;
  try {
    frame = window.frameElement;
  } catch {
    return; // the frame's page has another origin
  }
  if (!frame) return;
  document.documentElement.style.overflowY = "hidden";
  new ResizeObserver(() => frame.style.height = document.documentElement.offsetHeight + "px").observe(document.documentElement);
}

document.querySelector("main").hidden = false;
fillHeader();
fillFacts();
const timeline = makeTimeline(), icicle = makeIcicle();
fillTables();
element("search").oninput = search;
element("search").onkeydown = event => {
  if (event.key !== "Enter") return;
  const longest = search().sort((a, b) => b.end - b.start - a.end + a.start)[0];
  if (longest) icicle.focus(longest);
};
fitFrame();
document.body.dataset.ready = "yes";
