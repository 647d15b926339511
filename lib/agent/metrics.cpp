// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "metrics.h"

#include "breaker.h"

#include <support/read_number.h>

#include <map>

namespace kiln {

namespace {

struct Metric {
  std::string_view member; ///< of the report's object
  std::string_view name, type, help;
  bool is_microseconds = false;
};

constexpr Metric agent_metrics[] = {
    {"uptime_seconds", "kiln_agent_uptime_seconds", "gauge", "Time since the agent began to serve."},
    {"connections", "kiln_agent_connections", "gauge", "Sessions that are connected."},
};
constexpr Metric span_metrics[] = {
    {"taken", "kiln_agent_spans_taken_total", "counter", "Hand-overs of spans by sessions."},
    {"sent", "kiln_agent_spans_sent_total", "counter", "Hand-overs that the collector accepted."},
    {"errors", "kiln_agent_spans_errors_total", "counter", "Hand-overs that the collector did not accept."},
    {"dropped", "kiln_agent_spans_dropped_total", "counter",
     "Hand-overs without an endpoint or a place in the queue."},
    {"pending", "kiln_agent_spans_pending", "gauge", "Hand-overs in the queue and under way."},
};
constexpr Metric remote_metrics[] = {
    {"requests", "kiln_remote_requests_total", "counter",
     "Gets that ended at the server: hits, misses, errors and refused."},
    {"hits", "kiln_remote_hits_total", "counter", "Gets that the server answered with an entry."},
    {"misses", "kiln_remote_misses_total", "counter", "Gets for entries that the server does not have."},
    {"errors", "kiln_remote_errors_total", "counter", "Gets without a proper answer in time."},
    {"joined", "kiln_remote_joined_total", "counter", "Gets that waited for an equal one under way."},
    {"skipped", "kiln_remote_skipped_total", "counter", "Gets that an open breaker kept back."},
    {"in_flight", "kiln_remote_in_flight", "gauge", "Gets at the server."},
    {"waiting", "kiln_remote_waiting", "gauge", "Gets behind the bound of the server."},
    {"uploads_taken", "kiln_remote_uploads_taken_total", "counter", "Entries that the queue took."},
    {"uploads", "kiln_remote_uploads_total", "counter", "Entries that arrived at the server."},
    {"upload_errors", "kiln_remote_upload_errors_total", "counter", "Uploads that failed."},
    {"uploads_dropped", "kiln_remote_uploads_dropped_total", "counter",
     "Entries that waited too long in the queue."},
    {"uploads_pending", "kiln_remote_uploads_pending", "gauge", "Entries in the queue and under way."},
    {"uploads_rejected", "kiln_remote_uploads_rejected_total", "counter",
     "Entries that the queue did not take."},
    {"upload_bytes_pending", "kiln_remote_uploads_pending_bytes", "gauge",
     "Bytes in the queue and under way."},
    {"bytes_in", "kiln_remote_received_bytes_total", "counter", "Payload bytes that came from the server."},
    {"bytes_out", "kiln_remote_sent_bytes_total", "counter", "Payload bytes that were uploaded."},
    {"breaker_openings", "kiln_remote_breaker_openings_total", "counter", "How often the breaker opened."},
    {"p95_us", "kiln_remote_latency_p95_seconds", "gauge", "95th percentile of the last 128 replies.", true},
    {"patience_us", "kiln_remote_patience_seconds", "gauge",
     "Time that a session waits for an answer before it requests a lease.", true},
};
constexpr Metric lease_metrics[] = {
    {"in_fleet", "kiln_lease_in_fleet", "gauge", "1: leases of the fleet. 0: leases of this node."},
    {"wanted", "kiln_lease_wanted_total", "counter", "Missing entries that sessions wanted to compile."},
    {"granted", "kiln_lease_granted_total", "counter",
     "Sessions that were told to compile while others wait."},
    {"delivered", "kiln_lease_delivered_total", "counter", "Sessions that got the entry of another session."},
    {"compiled", "kiln_lease_compiled_total", "counter",
     "Sessions that were told to compile without a lease."},
    {"left", "kiln_lease_left_total", "counter", "Sessions that went before an answer."},
    {"waiting", "kiln_lease_waiting", "gauge", "Sessions without an answer."},
    {"published", "kiln_lease_published_total", "counter", "Leases that ended with an entry."},
    {"given_back", "kiln_lease_given_back_total", "counter", "Leases that ended without an entry."},
    {"overdue", "kiln_lease_overdue_total", "counter", "Leases that the agent gave up."},
    {"held", "kiln_lease_held", "gauge", "Leases of sessions that compile."},
    {"waited", "kiln_lease_waited_total", "counter", "Sessions that were told to wait for another one."},
    {"node_only", "kiln_lease_node_only_total", "counter", "Leases of this node alone."},
    {"taken_over", "kiln_lease_taken_over_total", "counter",
     "Leases after one of another agent ended without an entry."},
    {"expired", "kiln_lease_expired_total", "counter", "Leases that the server took away."},
    {"failed", "kiln_lease_failed_total", "counter",
     "Operations without a proper reply of the lease server."},
};
constexpr Metric job_metrics[] = {
    {"taken", "kiln_jobs_taken_total", "counter", "Jobs that workers took from queues."},
    {"done", "kiln_jobs_done_total", "counter", "Jobs whose entries arrived at the server."},
    {"failed", "kiln_jobs_failed_total", "counter", "Jobs that are faulty themselves."},
    {"given_back", "kiln_jobs_given_back_total", "counter", "Jobs that were left to another attempt."},
    {"held", "kiln_jobs_held", "gauge", "Jobs of workers that compile."},
    {"returned", "kiln_jobs_returned_total", "counter", "Jobs that another worker had held before."},
    {"expired", "kiln_jobs_expired_total", "counter", "Jobs that the server gave to another worker."},
    {"errors", "kiln_jobs_errors_total", "counter", "Operations without a valid reply of the server."},
};

using Labels = std::vector<std::pair<std::string_view, std::string>>;

std::string label_text(std::string_view value) {
  std::string out;
  for (char c : value)
    out += c == '\n' ? std::string("\\n") : c == '"' || c == '\\' ? std::string{'\\', c} : std::string(1, c);
  return out;
}

std::string series(std::string_view name, const Labels &labels) {
  std::string out(name);
  for (const auto &[label, value] : labels)
    out += fmt::format(R"({}{}="{}")", &label == &labels.front().first ? "{" : ",", label, label_text(value));
  return labels.empty() ? out : out + "}";
}

/// Value of a metric in the agent's report. Empty: the report lacks it, since the agent is of another
/// version.
std::optional<std::string> value_of(const JsonValue &object, const Metric &metric) {
  const JsonValue *found = object.find(metric.member);
  if (!found) return std::nullopt;
  if (found->is(JsonValue::Kind::Boolean)) return found->boolean ? "1" : "0";
  const auto number = read_number<uint64_t>(found->text);
  if (!number) return std::nullopt;
  return metric.is_microseconds ? fmt::format("{}", double(*number) / 1e6) : std::to_string(*number);
}

struct Labelled {
  Labels labels;
  const JsonValue *object;
};

class Writer {
public:
  template <size_t N> void add(const Metric (&metrics)[N], const std::vector<Labelled> &objects) {
    for (const Metric &metric : metrics) {
      begin(metric.name, metric.type, metric.help);
      for (const Labelled &each : objects)
        if (const auto value = value_of(*each.object, metric)) sample(metric.name, each.labels, *value);
    }
  }
  void begin(std::string_view name, std::string_view type, std::string_view help) {
    out_ += fmt::format("# HELP {0} {1}\n# TYPE {0} {2}\n", name, help, type);
  }
  void sample(std::string_view name, const Labels &labels, std::string_view value) {
    out_ += fmt::format("{} {}\n", series(name, labels), value);
  }
  std::string take() { return std::move(out_); }

private:
  std::string out_;
};

std::string text_of(const JsonValue &object, std::string_view name) {
  const JsonValue *found = object.find(name);
  return found ? found->text : std::string();
}

/// Labels the remotes by their URLs. Remotes with equal URLs have different credentials, which no label may
/// show.
std::vector<Labelled> remotes_of(const JsonValue &report) {
  std::vector<Labelled> remotes;
  std::map<std::string, unsigned> seen;
  if (const JsonValue *list = report.find("remotes"))
    for (const JsonValue &remote : list->items) {
      std::string url = text_of(remote, "url");
      if (const unsigned before = seen[url]++) url += fmt::format(" #{}", before + 1);
      remotes.push_back({{{"remote", url}}, &remote});
    }
  return remotes;
}

std::vector<Labelled> members_of(const std::vector<Labelled> &objects, std::string_view name) {
  std::vector<Labelled> members;
  for (const Labelled &each : objects)
    if (const JsonValue *member = each.object->find(name)) members.push_back({each.labels, member});
  return members;
}

void add_states(Writer &out, const std::vector<Labelled> &remotes) {
  constexpr std::string_view breaker = "kiln_remote_breaker_state", refused = "kiln_remote_refused_total";
  out.begin(breaker, "gauge", "1 for the state of the breaker, 0 for the others.");
  for (const Labelled &remote : remotes)
    for (const CircuitBreaker::State each : CircuitBreaker::states) {
      const std::string_view state = name_of(each);
      Labels labels = remote.labels;
      labels.emplace_back("state", state);
      out.sample(breaker, labels, text_of(*remote.object, "breaker") == state ? "1" : "0");
    }
  out.begin(refused, "counter", "Entries that are not to be trusted, by reason.");
  for (const Labelled &refusals : members_of(remotes, "refusals"))
    for (size_t i = 0; i < refusals.object->items.size(); i++) {
      Labels labels = refusals.labels;
      labels.emplace_back("reason", refusals.object->names[i].text);
      out.sample(refused, labels, refusals.object->items[i].text);
    }
}

} // namespace

Result<std::string> metrics_of(const std::string &text) {
  KILN_TRY(const JsonValue report,
           parse_json(std::make_shared<const SourceFile>(0, "the agent's report", text)));
  const std::vector<Labelled> agent = {{{}, &report}}, remotes = remotes_of(report);
  Writer out;
  out.begin("kiln_agent_info", "gauge", "Version of the agent.");
  out.sample("kiln_agent_info", {{"version", text_of(report, "version")}}, "1");
  out.add(agent_metrics, agent);
  out.add(span_metrics, members_of(agent, "spans"));
  out.add(remote_metrics, remotes);
  add_states(out, remotes);
  out.add(lease_metrics, members_of(remotes, "leases"));
  out.add(job_metrics, members_of(remotes, "jobs"));
  return out.take();
}

} // namespace kiln
