// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "remote_lookup.h"

#include "entry.h"

#include <support/cancellation.h>

#include <algorithm>
#include <thread>

namespace kiln {

namespace {

/// Estimate for a compile whose cost is unknown, on the low side. 50 ms for edge records: they save an
/// inference, which cannot be stopped by a late answer.
std::chrono::milliseconds usual_cost(RemoteLookup::Purpose purpose, ArtifactKind product) {
  if (purpose != RemoteLookup::Purpose::Compile) return std::chrono::milliseconds(50);
  return std::chrono::milliseconds(product == ArtifactKind::Cubin ? 500 : 20);
}

} // namespace

RemoteLookup::RemoteLookup(AgentClient *client, ReadAhead<RemoteName> &ahead, const Fingerprint &key,
                           Purpose purpose, ArtifactKind product, std::chrono::microseconds cost,
                           RemoteCounts &counts, const std::function<void(const std::string &)> &warn)
    : key_(key), counts_(counts), warn_(warn), client_(client), ahead_(ahead), purpose_(purpose),
      cost_(purpose == Purpose::Compile && cost.count() != 0 ? cost : usual_cost(purpose, product)) {
  if (!client || !key.is_strong()) return;
  is_asked_ = true;
  counts_.requests.fetch_add(1, std::memory_order_relaxed);
  if ((here_ = ahead.take(key.strong))) return;
  using Lease = AgentClient::Lease;
  fetch_ = client->fetch(key.strong, purpose == Purpose::Compile ? std::optional(Lease{cost}) : std::nullopt);
  const auto until = AgentClient::Clock::now() + required_patience;
  while (!fetch_ && purpose == Purpose::Require && !counts_.lacks_agent && !cancellation_requested()) {
    if (AgentClient::Clock::now() >= until) counts_.lacks_agent = true;
    std::this_thread::sleep_for(std::chrono::milliseconds(20)); // the agent may be starting
    fetch_ = client->fetch(key.strong);
  }
  if (fetch_) counts_.lacks_agent = false;
  if (!fetch_) counts_.errors.fetch_add(1, std::memory_order_relaxed);
}

RemoteLookup::~RemoteLookup() {
  if (is_pending()) end(here_ ? counts_.hits : counts_.errors);
}

void RemoteLookup::note_wait() {
  if (!fetch_ || fetch_->wait_began() == AgentClient::Clock::time_point()) return;
  waited_ = {true, AgentClient::Clock::now() - fetch_->wait_began(), fetch_->holder()};
}

void RemoteLookup::end(std::atomic<uint64_t> &count) {
  count.fetch_add(1, std::memory_order_relaxed);
  fetch_.reset();
}

std::optional<std::string> RemoteLookup::wait() {
  if (here_) return poll();
  if (!fetch_) return std::nullopt;
  const auto began = AgentClient::Clock::now();
  const unsigned replies = purpose_ == Purpose::Record ? 2 : 1;
  // Computed at each check: the agent may announce that its server is slower or faster.
  auto end_of_patience = [&] {
    return began + (purpose_ == Purpose::Require ? required_patience : client_->patience(cost_) * replies);
  };
  if (std::optional<std::string> content = wait_in_slices(end_of_patience)) return content;
  if (!fetch_) return std::nullopt;
  fetch_->end_wait();
  return wait_in_slices([&] { return fetch_->others_until(); });
}

/// Waits in slices of 10 ms, and checks for cancellation between them.
std::optional<std::string> RemoteLookup::wait_in_slices(
    const std::function<AgentClient::Clock::time_point()> &until) {
  constexpr std::chrono::milliseconds slice{10};
  for (;;) {
    const auto now = AgentClient::Clock::now();
    std::optional<std::string> content = wait_until([&] { return std::min(now + slice, until()); });
    if (content || !fetch_ || AgentClient::Clock::now() >= until() || cancellation_requested())
      return content;
  }
}

std::optional<std::string> RemoteLookup::poll() {
  return wait_until([] { return AgentClient::Clock::time_point(); });
}

std::optional<std::string> RemoteLookup::wait_until(
    const std::function<AgentClient::Clock::time_point()> &until) {
  using Outcome = AgentAnswer::Outcome;
  if (here_) return open(*std::exchange(here_, std::nullopt));
  if (!fetch_) return std::nullopt;
  const auto outcome = fetch_->wait(until);
  note_wait();
  if (!outcome) return std::nullopt;
  if (outcome == Outcome::Absent || outcome == Outcome::Leased) {
    if (outcome == Outcome::Leased) lease_ = std::move(fetch_);
    end(counts_.misses);
    return std::nullopt;
  }
  if (outcome != Outcome::Found) {
    end(counts_.errors);
    return std::nullopt;
  }
  if (auto next = fetch_->take_next()) ahead_.add(next->name, std::move(next->bytes));
  return open(fetch_->take_bytes());
}

std::optional<std::string> RemoteLookup::open(const std::string &entry) {
  Result<std::string> content = open_entry(key_, entry);
  end(content.ok() ? counts_.hits : counts_.errors);
  if (content.ok()) return std::move(*content);
  if (warn_)
    warn_(fmt::format("the remote entry {} is left aside: {}", key_.hex(),
                      content.error().diagnostics()[0].message));
  return std::nullopt;
}

} // namespace kiln
