// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Leases for the entries of one remote: a LeaseTable, its lease server, its store, and its timer.
#pragma once

#include "remote_store.h"

namespace kiln {

/// Connects a LeaseTable with server, store and sessions. Used only by the event loop's thread.
class LeaseHub {
public:
  /// Function that tells a session of an action. `bytes`: the entry, for the action Deliver.
  using Told = std::function<void(const LeaseAction &action, std::string_view bytes)>;
  /// `server`: the lease server; null: leases hold on this node only. Sets the store's on_upload_end.
  LeaseHub(EventLoop &loop, std::shared_ptr<RemoteStore> store, std::shared_ptr<LeaseServer> server);
  ~LeaseHub();
  LeaseHub(const LeaseHub &) = delete;
  LeaseHub &operator=(const LeaseHub &) = delete;

  /// Number for a want().
  uint64_t next_session() { return ++last_session_; }
  /// Called when a session needs an entry that the store lacks. The session compiles the entry, or waits
  /// while another session does. May call `told` before it returns.
  void want(LeaseTable::Want want, const std::string &build, Told told);
  /// Called when a session gives its lease back, or stops waiting for an entry.
  void release(const RemoteName &name, uint64_t session);
  /// Gives an entry from a session to all waiting sessions, and uploads it. Returns false if it is not
  /// uploaded.
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
