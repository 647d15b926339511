// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The leases of one remote: a LeaseTable with its server, its store and its timer.
#pragma once

#include "remote_store.h"

namespace kiln {

/// Leases of one remote. Used by the loop's thread alone.
class LeaseHub {
public:
  /// An action for a session. `bytes`: the entry, for Deliver.
  using Told = std::function<void(const LeaseAction &action, std::string_view bytes)>;
  /// `server`: null without leases in the fleet. Subscribes to the ends of the store's uploads.
  LeaseHub(EventLoop &loop, std::shared_ptr<RemoteStore> store, std::shared_ptr<LeaseServer> server);
  ~LeaseHub();
  LeaseHub(const LeaseHub &) = delete;
  LeaseHub &operator=(const LeaseHub &) = delete;

  /// Number for a want().
  uint64_t next_session() { return ++last_session_; }
  /// A session misses an entry, and compiles it unless another session does. May call `told` before it
  /// returns.
  void want(LeaseTable::Want want, const std::string &build, Told told);
  /// The session releases its lease, or stops waiting.
  void release(const RemoteName &name, uint64_t session);
  /// A session has the entry: delivers it to all waiters, and uploads it. False: it is not uploaded.
  bool publish(const RemoteName &name, const std::string &build, std::string bytes);
  const LeaseCounters &counters() const { return table_.counters(); }
  std::string report() const; ///< a JSON object

private:
  struct Waiter {
    RemoteName name;
    std::string build;
    Told told;
  };
  static LeaseTime now();
  void perform(std::string_view bytes = {});
  void carry_out(const LeaseAction &action, std::string_view bytes);
  void call_server(const LeaseAction &action);
  void fetch(const LeaseAction &action);
  void tell(const LeaseAction &action, std::string_view bytes);

  EventLoop &loop_;
  const std::shared_ptr<RemoteStore> store_;
  const std::shared_ptr<LeaseServer> server_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  CircuitBreaker breaker_;
  LeaseTable table_;
  std::map<uint64_t, Waiter> waiters_; ///< sessions without an answer
  uint64_t last_session_ = 0;
  EventLoop::TimerId timer_ = 0;
};

} // namespace kiln
