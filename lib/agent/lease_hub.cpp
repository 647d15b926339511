// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lease_hub.h"

#include <algorithm>

namespace kiln {

using Kind = LeaseAction::Kind;

LeaseHub::LeaseHub(EventLoop &loop, std::shared_ptr<RemoteStore> store, std::shared_ptr<LeaseServer> server)
    : loop_(loop), store_(std::move(store)), server_(std::move(server)), breaker_(std::random_device()()),
      table_({}, uint64_t(std::random_device()()) << 32 | std::random_device()(), server_ != nullptr) {
  store_->on_upload_end = [this](const RemoteName &name) {
    table_.on_stored(name, now());
    perform();
  };
}

LeaseHub::~LeaseHub() {
  *alive_ = false;
  store_->on_upload_end = nullptr;
  loop_.cancel(timer_);
}

LeaseTime LeaseHub::now() {
  return std::chrono::duration_cast<LeaseTime>(EventLoop::now().time_since_epoch());
}

void LeaseHub::want(LeaseTable::Want want, const std::string &build, Told told) {
  waiters_[want.session] = {want.key, build, std::move(told)};
  want.round_trip = LeaseTime(store_->patience_us());
  table_.want(want, now());
  perform();
}

void LeaseHub::release(const RemoteName &name, uint64_t session) {
  waiters_.erase(session);
  table_.release(name, session, now());
  perform();
}

bool LeaseHub::publish(const RemoteName &name, const std::string &build, std::string bytes) {
  table_.publish(name, now());
  perform(bytes);
  if (store_->put(name, build, std::move(bytes))) return true;
  table_.on_stored(name, now());
  perform();
  return false;
}

/// Carries out the actions of the lease table, and sets its timer. `bytes`: the entry for Deliver actions.
void LeaseHub::perform(std::string_view bytes) {
  for (const LeaseAction &action : table_.take_actions()) carry_out(action, bytes);
  loop_.cancel(timer_);
  if (const std::optional<LeaseTime> next = table_.next_time())
    timer_ = loop_.after(*next - now(), [this] {
      timer_ = 0;
      table_.on_time(now());
      perform();
    });
}

void LeaseHub::carry_out(const LeaseAction &action, std::string_view bytes) {
  switch (action.kind) {
  case Kind::Acquire:
  case Kind::Renew:
  case Kind::Look: return call_server(action);
  case Kind::Release: return server_->release(action.key, action.id);
  case Kind::Fetch: return fetch(action);
  case Kind::Wait:
  case Kind::Grant:
  case Kind::Compile:
  case Kind::Deliver: return tell(action, bytes);
  }
}

void LeaseHub::call_server(const LeaseAction &action) {
  const CircuitBreaker::Pass pass = breaker_.request(EventLoop::now(), CircuitBreaker::Pass::Untimed);
  auto done = [this, alive = alive_, action, pass](const LeaseReply &reply) {
    if (!*alive) return;
    breaker_.record(pass, reply.outcome != LeaseReply::Outcome::Failed, EventLoop::now());
    table_.on_reply(action, reply, now());
    perform();
  };
  if (pass == CircuitBreaker::Pass::Refused) return loop_.defer([done] { done({}); });
  switch (action.kind) {
  case Kind::Acquire:
    return server_->acquire(action.key, action.id.nonce, action.holder, action.duration, done);
  case Kind::Renew: return server_->renew(action.key, action.id, action.duration, done);
  default: return server_->look(action.key, done);
  }
}

void LeaseHub::fetch(const LeaseAction &action) {
  const auto asker = std::find_if(waiters_.begin(), waiters_.end(),
                                  [&](const auto &each) { return each.second.name == action.key; });
  auto done = [this, alive = alive_, action](RemoteStore::Outcome outcome,
                                             const std::shared_ptr<const std::string> &bytes) {
    if (!*alive) return;
    const bool is_found = outcome == RemoteStore::Outcome::Found;
    const auto result = is_found ? LeaseReply::Outcome::Held : LeaseReply::Outcome::Nothing;
    table_.on_reply(action, {.outcome = result, .view = {}}, now());
    perform(bytes ? std::string_view(*bytes) : std::string_view());
  };
  store_->get(action.key, asker == waiters_.end() ? std::string() : asker->second.build, done);
}

void LeaseHub::tell(const LeaseAction &action, std::string_view bytes) {
  const auto found = waiters_.find(action.session);
  if (found == waiters_.end()) return;
  if (action.kind == Kind::Wait)
    return Told(found->second.told)(action, bytes); // a copy of the function, since it may erase the waiter
  const auto waiter = waiters_.extract(found);
  waiter.mapped().told(action, bytes);
}

std::string LeaseHub::report() const {
  const LeaseCounters &c = table_.counters();
  const std::pair<std::string_view, uint64_t> numbers[] = {
      {"wanted", c.wanted},
      {"granted", c.granted},
      {"delivered", c.delivered},
      {"compiled", c.compiled},
      {"left", c.left},
      {"waiting", c.waiting},
      {"published", c.published},
      {"given_back", c.given_back},
      {"overdue", c.overdue},
      {"held", c.held},
      {"waited", c.waited},
      {"node_only", c.node_only},
      {"taken_over", c.taken_over},
      {"expired", c.expired},
      {"failed", c.failed},
  };
  std::string out = fmt::format(R"({{"in_fleet":{})", server_ != nullptr);
  for (const auto &[name, value] : numbers) out += fmt::format(R"(,"{}":{})", name, value);
  return out + "}";
}

} // namespace kiln
