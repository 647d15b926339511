// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats a timing report as JSON. docs/guide/timings.md describes the schema. If a field is removed or
// redefined, the schema version must be incremented.
#include "json.h"
#include "timing_share.h"

#include <kiln/timing.h>

#include <fmt/format.h>

namespace kiln {

namespace {

constexpr int schema_version = 1;

/// Formats items as a JSON array, one item per line. `text`: returns the JSON text of an item.
template <class Items, class Text>
std::string list(const Items &items, std::string_view indent, Text &&text) {
  std::string out = "[";
  for (const auto &item : items)
    out += fmt::format("{}\n{}  {}", &item == &items.front() ? "" : ",", indent, text(item));
  return items.empty() ? "[]" : fmt::format("{}\n{}]", out, indent);
}

/// Formats a row as JSON. `is_sum`: the row sums all jobs and threads, and so has the member job_ns.
std::string row_json(const TimingRow &row, bool is_sum, bool has_allocations) {
  std::string out = fmt::format(
      "{{\"name\": {}, \"depth\": {}, \"calls\": {}, \"ns\": {}, \"self_ns\": {}, \"wait\": {}",
      json_string(row.name), row.depth, row.calls, row.nanoseconds, row.self_nanoseconds, row.is_wait);
  if (is_sum) out += fmt::format(", \"job_ns\": {}", row.job_nanoseconds);
  if (is_share(row)) out += ", \"share\": true";
  if (row.instructions_before || row.instructions_after)
    out += fmt::format(", \"instructions_before\": {}, \"instructions_after\": {}", row.instructions_before,
                       row.instructions_after);
  if (has_allocations)
    out += fmt::format(", \"allocations\": {}, \"allocated_bytes\": {}", row.allocated.count,
                       row.allocated.bytes);
  return out + "}";
}

std::string lookup_json(const TimingLookup &l) {
  return fmt::format("{{\"product\": {}, \"answer\": {}, \"reason\": {}, \"count\": {}}}",
                     json_string(l.product), json_string(l.answer), json_string(l.reason), l.count);
}

std::string product_json(const TimingProduct &p) {
  return fmt::format(
      "{{\"product\": {}, \"key\": {}, \"found\": {}, \"start_ns\": {}, \"end_ns\": {}, \"wait_ns\": {}, "
      "\"compile_ns\": {}, \"waited_for\": {}}}",
      json_string(p.product), json_string(p.key), json_string(p.found), p.start, p.end, p.wait, p.compile,
      json_string(p.waited_for));
}

std::string dump_json(const TimingDump &dump) {
  return fmt::format("{{\"product\": {}, \"path\": {}}}", json_string(dump.product), json_string(dump.path));
}

std::string text_or_null(std::string_view text) { return text.empty() ? "null" : json_string(text); }

std::string process_json(const TimingProcess &p) {
  return fmt::format(
      "{{\"version\": {}, \"build\": {}, \"host\": {}, \"process\": {}, \"cpu\": {}, \"gpu\": {}, \"start_ns\": {}, "
      "\"rank\": {}, \"cache_folder\": {}}}",
      json_string(p.version), text_or_null(p.build), json_string(p.host), p.process, text_or_null(p.cpu),
      text_or_null(p.gpu), p.start, p.rank ? std::to_string(*p.rank) : "null", text_or_null(p.cache_folder));
}

std::string counters_json(const SessionCounters &c) {
  const std::pair<std::string_view, uint64_t> numbers[] = {
      {"compiled", c.compiled},
      {"hits", c.hits},
      {"waits", c.waits},
      {"disk_hits", c.disk_hits},
      {"disk_misses", c.disk_misses},
      {"edge_hits", c.edge_hits},
      {"edge_misses", c.edge_misses},
      {"damaged", c.damaged},
      {"assembled", c.assembled},
      {"merged", c.merged},
      {"remote_requests", c.remote_requests},
      {"remote_hits", c.remote_hits},
      {"remote_misses", c.remote_misses},
      {"remote_errors", c.remote_errors},
      {"remote_late", c.remote_late},
      {"remote_published", c.remote_published},
      {"remote_missing", c.remote_missing},
      {"remote_joined", c.remote_joined},
      {"remote_compiled", c.remote_compiled},
  };
  std::string out = "{";
  for (const auto &[name, value] : numbers)
    out += fmt::format("{}\"{}\": {}", out.size() == 1 ? "" : ", ", name, value);
  return out + "}";
}

std::string job_json(const TimingJob &job) {
  return fmt::format(
      "{{\"name\": {}, \"target\": {}, \"config\": {}, \"key\": {}, \"calls\": {}, \"ns\": {}, "
      "\"share_ns\": {}, \"file\": {}, \"line\": {}, \"rows\": {}, \"lookups\": {}, \"products\": {}, "
      "\"dumps\": {}}}",
      json_string(job.name), json_string(job.target), json_string(job.config), json_string(job.key),
      job.calls, job.nanoseconds, share_of(job), json_string(job.file), job.line,
      list(job.rows, "    ", [](const TimingRow &row) { return row_json(row, false, false); }),
      list(job.lookups, "    ", lookup_json), list(job.products, "    ", product_json),
      list(job.dumps, "    ", dump_json));
}

std::string kernel_json(const TimingKernel &k) {
  std::string out = fmt::format(
      "{{\"name\": {}, \"job\": {}, \"key\": {}, \"assembler\": {}, \"registers\": {}, \"spilled_bytes\": {}, "
      "\"stack_bytes\": {}, \"shared_bytes\": {}, \"constant_bytes\": {}, \"text_bytes\": {}, "
      "\"object_bytes\": {}, \"launches\": {}",
      json_string(k.name), json_string(k.job), json_string(k.key), json_string(k.assembler), k.registers,
      k.spilled_bytes, k.stack_bytes, k.shared_bytes, k.constant_bytes, k.text_bytes, k.object_bytes,
      k.launches);
  if (k.launches && !k.is_cpu)
    out +=
        fmt::format(", \"threads\": {}, \"dynamic_shared_bytes\": {}, \"occupancy\": {:.4f}, \"limit\": {}",
                    k.threads, k.dynamic_shared_bytes, k.occupancy, json_string(k.limit));
  if (k.coarse_factor)
    out +=
        fmt::format(", \"coarse_factor\": {}, \"coarse_launches\": {}", k.coarse_factor, k.coarse_launches);
  if (k.is_cpu) out += ", \"is_cpu\": true";
  if (k.executions)
    out += fmt::format(
        ", \"executions\": {}, \"execution_ns\": {{\"total\": {}, \"min\": {}, \"median\": {}, \"max\": {}}}",
        k.executions, k.execution_total, k.execution_min, k.execution_median, k.execution_max);
  return out + "}";
}

std::string advice_json(const TimingAdvice &a) {
  return fmt::format(
      "{{\"job\": {}, \"target\": {}, \"rule\": {}, \"file\": {}, \"line\": {}, \"column\": {}, "
      "\"message\": {}, \"hint\": {}}}",
      json_string(a.job), json_string(a.target), json_string(a.rule), json_string(a.file), a.line, a.column,
      json_string(a.message), json_string(a.hint));
}

std::string not_checked_json(const TimingNotChecked &n) {
  return fmt::format("{{\"job\": {}, \"target\": {}, \"text\": {}}}", json_string(n.job),
                     json_string(n.target), json_string(n.text));
}

} // namespace

std::string TimingReport::json() const {
  const std::string of_advice =
      has_advice ? fmt::format(", \"advice\": {}, \"not_checked\": {}", list(advice, "", advice_json),
                               list(not_checked, "", not_checked_json))
                 : std::string();
  return fmt::format(
      "{{\"kiln_timings\": {}, \"title\": {}, \"process\": {},\n \"counters\": {},\n \"wall_ns\": {}, "
      "\"threads\": {}, \"rows\": {}, \"jobs\": {}, \"kernels\": {}, \"warnings\": {}{}}}\n",
      schema_version, json_string(title), process_json(process), counters ? counters_json(*counters) : "null",
      wall_nanoseconds, threads,
      list(rows, "", [&](const TimingRow &row) { return row_json(row, true, has_allocations); }),
      list(jobs, "", job_json), list(kernels, "", kernel_json),
      list(warnings, "",
           [](const TimingWarning &w) {
             return fmt::format("{{\"job\": {}, \"stage\": {}, \"text\": {}}}", json_string(w.job),
                                json_string(w.stage), json_string(w.text));
           }),
      of_advice);
}

} // namespace kiln
