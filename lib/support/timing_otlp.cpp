// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Formats a timer's records as OpenTelemetry spans: an ExportTraceServiceRequest of opentelemetry-proto in
// its JSON encoding. There, names are in camel case, ids are hexadecimal, and 64-bit integers are decimal
// strings.
#include "timing_tree.h"

#include "json.h"

#include <algorithm>
#include <fmt/format.h>
#include <random>

namespace kiln {

namespace {

std::string text_attribute(std::string_view key, std::string_view text) {
  return fmt::format(R"({{"key":"{}","value":{{"stringValue":{}}}}})", key, json_string(text));
}
std::string number_attribute(std::string_view key, uint64_t number) {
  return fmt::format(R"({{"key":"{}","value":{{"intValue":"{}"}}}})", key, number);
}

struct TraceSpan {
  std::string_view name;
  uint64_t start = 0, end = 0; ///< nanoseconds since 1970
  uint64_t parent = 0;         ///< id of the parent span; 0: the span is the root
  std::vector<std::string> attributes = {};
};

class SpanWriter {
public:
  explicit SpanWriter(size_t max_bytes) : max_bytes_(max_bytes) {
    std::random_device random;
    const auto word = [&random] { return uint64_t(random()) << 32 | random(); };
    trace_ = fmt::format("{:016x}{:016x}", word() | 1, word());
    last_ = word() >> 1; // span ids count up from a random number; 0 is no valid id
  }

  uint64_t next_id() { return ++last_; }
  /// Appends a span to the output. If the output would exceed its maximum size, drops the span and returns
  /// false.
  bool write(uint64_t id, const TraceSpan &span) {
    const std::string text = text_of(id, span);
    const bool fits = out_.size() + text.size() <= max_bytes_;
    fits ? append(text) : void(dropped_++);
    return fits;
  }
  void write_root(uint64_t id, const TraceSpan &span) { append(text_of(id, span)); }
  uint64_t dropped() const { return dropped_; }
  const std::string &text() const { return out_; }

private:
  std::string text_of(uint64_t id, const TraceSpan &span) const {
    return fmt::format(R"({{"traceId":"{}","spanId":"{:016x}")", trace_, id) +
           (span.parent ? fmt::format(R"(,"parentSpanId":"{:016x}")", span.parent) : std::string()) +
           fmt::format(
               R"(,"name":{},"kind":1,"startTimeUnixNano":"{}","endTimeUnixNano":"{}","attributes":[{}]}})",
               json_string(span.name), span.start, span.end, fmt::join(span.attributes, ","));
  }
  void append(const std::string &text) { out_ += (out_.empty() ? "\n" : ",\n") + text; }

  const size_t max_bytes_;
  std::string trace_, out_;
  uint64_t last_ = 0, dropped_ = 0;
};

void write_products(SpanWriter &out, const TimingReport &report, uint64_t root) {
  for (const TimingJob &job : report.jobs)
    for (const TimingProduct &p : job.products) {
      const std::string name = fmt::format("{} {}", p.product, job.name);
      TraceSpan span{.name = name,
                     .start = report.process.start + p.start,
                     .end = report.process.start + p.end,
                     .parent = root,
                     .attributes = {text_attribute("kiln.job", job.name),
                                    text_attribute("kiln.target", job.target),
                                    text_attribute("kiln.key", p.key), text_attribute("kiln.found", p.found),
                                    number_attribute("kiln.wait_ns", p.wait),
                                    number_attribute("kiln.compile_ns", p.compile)}};
      if (!p.waited_for.empty()) span.attributes.push_back(text_attribute("kiln.waited_for", p.waited_for));
      out.write(out.next_id(), span);
    }
}

/// Writes the stages of one thread as spans. The parent of a span is the enclosing stage's span, or the span
/// `root`. `to_utc`: nanoseconds to add to times of the steady clock.
void write_stages(SpanWriter &out, const timing::Tree &tree, uint64_t root, int64_t to_utc) {
  std::vector<const timing::Event *> events;
  for (const timing::Event &event : tree.events) events.push_back(&event);
  std::ranges::stable_sort(events, [](const timing::Event *a, const timing::Event *b) {
    return a->start != b->start ? a->start < b->start : a->duration > b->duration;
  });
  struct Open {
    uint64_t end, id;
  };
  std::vector<Open> open;
  for (const timing::Event *event : events) {
    const uint64_t end = event->start + event->duration;
    while (!open.empty() && open.back().end < end) open.pop_back();
    const bool is_job = event->job && !event->node->parent;
    TraceSpan span{.name = is_job ? event->job->name : event->node->name,
                   .start = uint64_t(int64_t(event->start) + to_utc),
                   .end = uint64_t(int64_t(end) + to_utc),
                   .parent = open.empty() ? root : open.back().id};
    if (event->job)
      span.attributes = {text_attribute("kiln.job", event->job->name),
                         text_attribute("kiln.target", event->job->target)};
    const uint64_t id = out.next_id();
    if (out.write(id, span)) open.push_back({end, id});
  }
}

std::string resource_json(const TimingProcess &process) {
  std::vector<std::string> attributes = {
      text_attribute("service.name", "kiln"), text_attribute("service.version", process.version),
      text_attribute("host.name", process.host), number_attribute("process.pid", process.process)};
  if (process.rank) attributes.push_back(number_attribute("kiln.rank", *process.rank));
  return fmt::format(R"({{"attributes":[{}]}})", fmt::join(attributes, ","));
}

} // namespace

std::string Timer::spans_json(const TimingReport &report, size_t max_bytes) const {
  constexpr size_t frame_bytes = 4096; // bytes reserved for the resource and the root span
  SpanWriter out(max_bytes - std::min(max_bytes, frame_bytes));
  const uint64_t root_id = out.next_id();
  write_products(out, report, root_id);
  {
    const State &s = *state_;
    std::lock_guard lock(s.mutex);
    const int64_t to_utc = int64_t(s.started_utc) - int64_t(s.started);
    for (const auto &tree : s.trees) {
      std::lock_guard events_lock(tree->events_mutex);
      write_stages(out, *tree, root_id, to_utc);
    }
  }
  const std::string name = report.title.empty() ? "kiln" : report.title.substr(0, 1024);
  const uint64_t end = report.process.start + report.wall_nanoseconds;
  TraceSpan span{.name = name, .start = report.process.start, .end = end};
  if (out.dropped() != 0) span.attributes.push_back(number_attribute("kiln.dropped_spans", out.dropped()));
  out.write_root(root_id, span);
  return fmt::format(
      R"({{"resourceSpans":[{{"resource":{},"scopeSpans":[{{"scope":{{"name":"kiln","version":{}}},"spans":[{}]}}]}}]}})"
      "\n",
      resource_json(report.process), json_string(report.process.version), out.text());
}

} // namespace kiln
