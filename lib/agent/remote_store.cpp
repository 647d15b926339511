// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "remote_store.h"

#include <algorithm>

namespace kiln {

namespace {

using Pass = CircuitBreaker::Pass;

constexpr size_t max_refused = 65'536; ///< names

/// Formats the first diagnostic of an error as one line.
std::string line_of(const Error &error) {
  const Diagnostic &first = error.diagnostics().front();
  return first.hint.empty() ? first.message : fmt::format("{}; {}", first.message, first.hint);
}

} // namespace

RemoteStore::RemoteStore(EventLoop &loop, std::string shown_url, std::unique_ptr<RemoteServer> server,
                         const EntryTrust &trust, const Log &log, RemoteLimits limits)
    : loop_(loop), shown_url_(std::move(shown_url)), server_(std::move(server)), trust_(trust), log_(log),
      limits_(limits), health_(std::random_device()()) {}

RemoteStore::~RemoteStore() { loop_.cancel(retry_); }

// ---- gets

void RemoteStore::get(const RemoteName &name, const std::string &build, Done done) {
  if (auto found = gets_.find(name); found != gets_.end()) {
    counters_.joined++;
    found->second.done.push_back(std::move(done));
    return;
  }
  gets_[name] = {build, {std::move(done)}};
  waiting_gets_.push_back(name);
  start_gets();
}

void RemoteStore::start_gets() {
  while (!waiting_gets_.empty() && sent_gets_ < limits_.max_gets) {
    const RemoteName name = waiting_gets_.front();
    waiting_gets_.pop_front();
    const Pass pass = health_.breaker().request(EventLoop::now());
    if (pass == Pass::Refused) {
      counters_.skipped++;
      loop_.defer([this, name] { finish(name, Outcome::Failed, nullptr); });
      continue;
    }
    sent_gets_++;
    server_->get(name, limits_.get,
                 [this, name, pass, began = EventLoop::now()](Result<std::optional<std::string>> got) {
                   on_got(name, pass, began, std::move(got));
                 });
  }
}

void RemoteStore::on_got(const RemoteName &name, Pass pass, SteadyTime began,
                         Result<std::optional<std::string>> got) {
  sent_gets_--;
  // A failure does not count as a latency: a server that hangs must not make sessions wait longer.
  if (got.ok()) health_.add_latency(EventLoop::now() - began);
  record(pass, got.ok() ? nullptr : &got.error());
  std::string payload;
  const Outcome outcome = judge(name, gets_.at(name).build, std::move(got), payload);
  std::shared_ptr<const std::string> bytes;
  if (outcome == Outcome::Found) bytes = std::make_shared<const std::string>(std::move(payload));
  finish(name, outcome, bytes);
  start_gets();
}

void RemoteStore::finish(const RemoteName &name, Outcome outcome,
                         const std::shared_ptr<const std::string> &bytes) {
  auto waiters = gets_.extract(name);
  for (const Done &done : waiters.mapped().done) done(outcome, bytes);
}

/// Returns the outcome of a get from the server's reply, verifies the entry's signature, and counts the
/// request.
RemoteStore::Outcome RemoteStore::judge(const RemoteName &name, std::string_view build,
                                        Result<std::optional<std::string>> got, std::string &payload) {
  counters_.requests++;
  if (!got.ok()) {
    counters_.errors++;
    return Outcome::Failed;
  }
  if (!*got) {
    counters_.misses++;
    return Outcome::Absent;
  }
  counters_.bytes_in += (*got)->size();
  payload = std::move(**got);
  if (trust_.verify) {
    Result<std::string> verified = trust_.verify(name, build, std::move(payload));
    if (!verified.ok()) {
      counters_.refused++;
      if (refused_.size() < max_refused) refused_.insert(name);
      if (const auto reason = refusal_of(verified.error())) counters_.refusals[*reason]++;
      if (!std::exchange(has_warned_of_refusal_, true))
        log_.warn("{} has an entry that is not to be trusted: {}", shown_url_, line_of(verified.error()));
      return Outcome::Refused;
    }
    payload = std::move(*verified);
  }
  counters_.hits++;
  return Outcome::Found;
}

/// Reports a request's outcome to the circuit breaker. `error`: null after a success.
void RemoteStore::record(Pass pass, const Error *error) {
  CircuitBreaker &breaker = health_.breaker();
  const uint64_t openings = breaker.openings();
  const bool was_open = breaker.is_open();
  const SteadyTime now = EventLoop::now();
  breaker.record(pass, error == nullptr, now);
  if (error) log_.debug("{}: {}", shown_url_, line_of(*error));
  if (breaker.openings() != openings) {
    const auto pause = std::chrono::duration_cast<std::chrono::milliseconds>(breaker.retry_time() - now);
    if (!was_open)
      log_.warn("{} fails and is left out until it answers again; the last fault: {}", shown_url_,
                line_of(*error));
    log_.debug("{} is tried again in {} ms", shown_url_, pause.count());
  } else if (pass == Pass::Probe) {
    if (was_open) log_.info("{} answers again", shown_url_);
    loop_.defer([this] { start_uploads(); });
  }
}

// ---- uploads

bool RemoteStore::put(const RemoteName &name, std::string_view build, std::string bytes) {
  if (!trust_.may_write) return false;
  if (queued_names_.count(name)) return true; // several processes of this node made the entry
  const bool fits = !bytes.empty() && bytes.size() <= max_entry_bytes &&
                    queue_.size() < limits_.max_put_entries &&
                    upload_bytes_ + bytes.size() <= limits_.max_put_bytes;
  if (fits && trust_.seal) {
    Result<std::string> sealed = trust_.seal(name, build, std::move(bytes));
    if (!sealed.ok()) log_.debug("an entry for {} cannot be sealed: {}", shown_url_, line_of(sealed.error()));
    bytes = sealed.ok() ? std::move(*sealed) : std::string();
  }
  if (!fits || bytes.empty()) {
    counters_.uploads_rejected++;
    return false;
  }
  counters_.uploads_taken++;
  upload_bytes_ += bytes.size();
  queue_.push_back({name, std::move(bytes), EventLoop::now(), counters_.uploads_taken});
  open_uploads_.insert(counters_.uploads_taken);
  queued_names_.insert(name);
  loop_.defer([this] { start_uploads(); });
  return true;
}

void RemoteStore::start_uploads() {
  drop_old_uploads();
  while (!queue_.empty() && puts_ < limits_.max_puts) {
    const SteadyTime now = EventLoop::now();
    const Pass pass = health_.breaker().request(now, Pass::Untimed);
    if (pass != Pass::Refused) {
      start_upload(pass);
      continue;
    }
    // Retry at the end of the breaker's pause, or after 50 ms if a probe is pending.
    const auto pause = std::max<std::chrono::nanoseconds>(health_.breaker().retry_time() - now,
                                                          std::chrono::milliseconds(50));
    if (retry_ == 0)
      retry_ = loop_.after(pause, [this] {
        retry_ = 0;
        start_uploads();
      });
    return;
  }
}

void RemoteStore::drop_old_uploads() {
  while (!queue_.empty() && EventLoop::now() - queue_.front().queued > limits_.max_put_age) {
    const Upload dropped = take_upload();
    upload_bytes_ -= dropped.bytes.size();
    counters_.uploads_dropped++;
    end_upload(dropped.name, dropped.number, false);
  }
}

RemoteStore::Upload RemoteStore::take_upload() {
  Upload upload = std::move(queue_.front());
  queue_.pop_front();
  queued_names_.erase(upload.name);
  return upload;
}

void RemoteStore::start_upload(Pass pass) {
  Upload upload = take_upload();
  puts_++;
  const size_t size = upload.bytes.size();
  const PutRule rule = refused_.erase(upload.name) ? PutRule::Replace : PutRule::KeepFirst;
  auto done = [this, pass, size, name = upload.name, number = upload.number](Result<void> put) {
    puts_--;
    upload_bytes_ -= size;
    if (put.ok()) {
      counters_.uploads++;
      counters_.bytes_out += size;
    } else {
      counters_.upload_errors++;
    }
    record(pass, put.ok() ? nullptr : &put.error());
    end_upload(name, number, put.ok());
    start_uploads();
  };
  server_->put(upload.name, std::move(upload.bytes), rule, limits_.put, std::move(done));
}

void RemoteStore::end_upload(const RemoteName &name, uint64_t number, bool has_arrived) {
  open_uploads_.erase(number);
  if (!has_arrived) last_lost_upload_ = std::max(last_lost_upload_, number);
  if (on_upload_end) on_upload_end(name);
}

// ---- statistics

std::string RemoteStore::report(std::string_view more) const {
  const RemoteCounters &c = counters_;
  const std::pair<std::string_view, uint64_t> numbers[] = {
      {"requests", c.requests},
      {"hits", c.hits},
      {"misses", c.misses},
      {"errors", c.errors},
      {"refused", c.refused},
      {"joined", c.joined},
      {"skipped", c.skipped},
      {"in_flight", sent_gets_},
      {"waiting", waiting_gets_.size()},
      {"uploads_taken", c.uploads_taken},
      {"uploads", c.uploads},
      {"upload_errors", c.upload_errors},
      {"uploads_dropped", c.uploads_dropped},
      {"uploads_pending", pending_uploads()},
      {"uploads_rejected", c.uploads_rejected},
      {"upload_bytes_pending", upload_bytes_},
      {"bytes_in", c.bytes_in},
      {"bytes_out", c.bytes_out},
      {"breaker_openings", health_.breaker().openings()},
      {"p95_us", uint64_t(health_.latency().p95().count())},
      {"patience_us", patience_us()},
  };
  std::string out = fmt::format(R"({{"url":{},"breaker":"{}")", json_string(shown_url_),
                                name_of(health_.breaker().state(EventLoop::now())));
  for (const auto &[name, value] : numbers) out += fmt::format(R"(,"{}":{})", name, value);
  out += R"(,"refusals":{)";
  for (size_t i = 0; i < num_refusals; i++)
    out += fmt::format(R"({}"{}":{})", i ? "," : "", text_of(Refusal(i)), c.refusals[Refusal(i)]);
  return fmt::format("{}}}{}{}}}", out, more.empty() ? "" : ",", more);
}

} // namespace kiln
