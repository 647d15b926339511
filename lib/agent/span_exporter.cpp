// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "span_exporter.h"

namespace kiln {

namespace {

constexpr std::chrono::seconds post_limit{10};
constexpr size_t max_reply_bytes = 64 * 1024;

} // namespace

Result<SpanSettings> read_span_settings(Secrets &secrets) {
  constexpr const char *variable = "OTEL_EXPORTER_OTLP_HEADERS";
  SpanSettings settings{.endpoint = environment_text("OTEL_EXPORTER_OTLP_ENDPOINT"), .headers = {}};
  const std::string all = environment_text(variable);
  for (std::string_view rest = all; !rest.empty();) {
    const std::string_view pair = rest.substr(0, rest.find(','));
    rest.remove_prefix(std::min(pair.size() + 1, rest.size()));
    const size_t equals = pair.find('=');
    const auto value =
        equals == pair.npos || equals == 0 ? std::nullopt : percent_decoded(pair.substr(equals + 1));
    if (!value || value->find_first_of("\r\n") != std::string::npos)
      return make_error(ErrorCode::Usage, fmt::format("{} has an entry that is no header", variable), {},
                        "write name=value, separated by commas, with %2C for a comma");
    secrets.add(*value);
    std::string_view name = pair.substr(0, equals);
    while (name.starts_with(' ')) name.remove_prefix(1);
    settings.headers.push_back(fmt::format("{}: {}", name, *value));
  }
  return settings;
}

SpanExporter::SpanExporter(EventLoop &loop, const SpanSettings &settings, const Log &log)
    : loop_(loop), log_(log) {
  if (settings.endpoint.empty()) return;
  const Result<RemoteUrl> url = read_remote_url(settings.endpoint);
  using Scheme = RemoteUrl::Scheme;
  if (!url.ok() || (url->scheme != Scheme::Http && url->scheme != Scheme::Https)) {
    log_.warn("OTEL_EXPORTER_OTLP_ENDPOINT is no http:// or https:// URL, and spans are dropped");
    return;
  }
  shown_url_ = url->shown;
  std::vector<std::string> headers = settings.headers;
  headers.emplace_back("Content-Type: application/json");
  client_ = std::make_unique<HttpClient>(loop_, *url, ServerSettings{}, headers);
}

void SpanExporter::take(std::string json) {
  counters_.taken++;
  if (!client_ || json.empty() || queue_.size() >= max_pending ||
      queued_bytes_ + json.size() > max_pending_bytes) {
    counters_.dropped++;
    return;
  }
  queued_bytes_ += json.size();
  queue_.push_back(std::move(json));
  send_next();
}

void SpanExporter::send_next() {
  if (is_sending_ || queue_.empty()) return;
  is_sending_ = true;
  std::string body = std::move(queue_.front());
  queue_.pop_front();
  queued_bytes_ -= body.size();
  client_->send({.path = "/v1/traces",
                 .body = std::move(body),
                 .is_post = true,
                 .deadline = EventLoop::now() + post_limit,
                 .max_reply_bytes = max_reply_bytes},
                [this](const Result<HttpReply> &reply) { on_reply(reply); });
}

void SpanExporter::on_reply(const Result<HttpReply> &reply) {
  is_sending_ = false;
  const bool is_accepted = reply.ok() && reply->status / 100 == 2;
  is_accepted ? counters_.sent++ : counters_.errors++;
  if (!is_accepted && !std::exchange(has_warned_, true))
    log_.warn("{} does not take spans: {}", shown_url_,
              reply.ok() ? fmt::format("status {}", reply->status)
                         : reply.error().diagnostics().front().message);
  loop_.defer([this] { send_next(); });
}

std::string SpanExporter::report() const {
  const SpanCounters &c = counters_;
  return fmt::format(R"({{"endpoint":{},"taken":{},"sent":{},"errors":{},"dropped":{},"pending":{}}})",
                     shown_url_.empty() ? "null" : json_string(shown_url_), c.taken, c.sent, c.errors,
                     c.dropped, pending());
}

} // namespace kiln
