// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Posts the trace spans of sessions to an OpenTelemetry collector.
#pragma once

#include "http_client.h"

#include <deque>

namespace kiln {

struct SpanSettings {
  std::string endpoint;             ///< OTEL_EXPORTER_OTLP_ENDPOINT; empty: spans are dropped
  std::vector<std::string> headers; ///< OTEL_EXPORTER_OTLP_HEADERS, each "name: value"
};
/// Reads the endpoint and the headers from OpenTelemetry's environment variables, and adds the headers'
/// values to `secrets`. Error (Usage): a header without `=`, or with a line break.
Result<SpanSettings> read_span_settings(Secrets &secrets);

/// Counters of posts. At any time: taken = sent + errors + dropped + pending.
struct SpanCounters {
  uint64_t taken = 0; ///< calls of take()
  uint64_t sent = 0;  ///< accepted by the collector
  uint64_t errors = 0;
  uint64_t dropped = 0; ///< posts without an endpoint, or beyond the queue's limit
};

/// Sends one request at a time, and does not retry, so that spans do not load a failing collector. Used only
/// by the event loop's thread.
class SpanExporter {
public:
  static constexpr size_t max_pending = 256, max_pending_bytes = size_t(16) << 20;
  /// Logs a warning if the endpoint is not an http:// or https:// URL.
  SpanExporter(EventLoop &loop, const SpanSettings &settings, const Log &log);
  void take(std::string json);
  size_t pending() const { return queue_.size() + (is_sending_ ? 1 : 0); }
  std::string report() const; ///< a JSON object

private:
  void send_next();
  void on_reply(const Result<HttpReply> &reply);

  EventLoop &loop_;
  const Log &log_;
  std::string shown_url_;              ///< empty: no endpoint
  std::unique_ptr<HttpClient> client_; ///< null: no endpoint
  SpanCounters counters_;
  std::deque<std::string> queue_;
  size_t queued_bytes_ = 0;
  bool is_sending_ = false, has_warned_ = false;
};

} // namespace kiln
