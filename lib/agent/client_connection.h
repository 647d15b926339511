// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A session's connection to the agent: reads and checks messages, limits requests, and sends answers.
#pragma once

#include "job_hub.h"
#include "lease_hub.h"

#include <workers/workers.h>

namespace kiln {

/// A remote with the leases of its entries and its queues of jobs. All connections share it.
struct SharedRemote {
  std::shared_ptr<RemoteStore> store;
  std::shared_ptr<LeaseHub> leases;
  std::shared_ptr<JobHub> jobs;
};

/// The agent's functions that a connection calls.
class ConnectionHost {
public:
  virtual ~ConnectionHost() = default;
  /// Returns the remote for a URL, which is opened once for all connections. Errors (Usage): an invalid URL,
  /// or too many open remotes.
  virtual Result<SharedRemote> open_remote(const std::string &url) = 0;
  virtual std::string report() = 0;
  virtual void take_spans(std::string json) = 0; ///< OTLP/JSON, to post
  virtual void begin_stop() = 0;
  /// Called when a connection has ended. The agent then drops the connection.
  virtual void on_closed(int descriptor) = 0;
};

/// Serves one session. Used only by the event loop's thread.
class ClientConnection : public std::enable_shared_from_this<ClientConnection> {
public:
  ClientConnection(EventLoop &loop, ConnectionHost &host, const Log &log, OwnedDescriptor socket);
  ~ClientConnection();
  ClientConnection(const ClientConnection &) = delete;
  ClientConnection &operator=(const ClientConnection &) = delete;
  void begin(); ///< call it once, after a shared pointer owns the object

private:
  static constexpr size_t max_names = 65'536; ///< maximum number of names without an answer
  static constexpr size_t max_out = size_t(32)
                                    /// Maximum bytes that the client has not read; beyond it the agent reads
                                    /// no requests.
                                    << 20;
  /// State of the connection. In state Closing, it closes once the last message is written.
  enum class State : uint8_t { Greeting, Open, Closing, Closed };
  struct Get {
    AgentGet request;
    std::vector<bool> is_answered;
    size_t left = 0; ///< names without an answer
    EventLoop::TimerId timer = 0;
  };
  using Gets = std::map<uint64_t, Get>;
  using SharedBytes = std::shared_ptr<const std::string>;
  struct Lease {
    uint64_t number; ///< number of the Get
    size_t index;
    RemoteName name;
    AgentAnswer::Outcome outcome; ///< the store's
    bool is_granted = false;      ///< false: the session waits
  };

  void on_ready(uint32_t events);
  void read();
  /// Handles a message. Error: the client violates the protocol.
  Result<void> take(const Message &message);
  Result<void> on_hello(const Message &message);
  Result<void> on_get(std::string_view payload);
  Result<void> on_put(std::string_view payload);
  Result<void> on_cancel(std::string_view payload);
  Result<void> on_release(std::string_view payload);
  Result<void> on_take(std::string_view payload);
  Result<void> on_finish(std::string_view payload);
  void refuse(std::string why);

  void start_fetches();
  void fetch(uint64_t number, size_t index, const RemoteName &name, size_t remote,
             AgentAnswer::Outcome worst);
  void end_fetch(uint64_t number, size_t index, size_t remote, const SharedBytes &bytes);
  void answer(uint64_t number, size_t index, AgentAnswer::Outcome outcome, std::string_view bytes);
  void send_answer(uint64_t number, size_t index, std::string_view bytes,
                   AgentAnswer::Outcome outcome = AgentAnswer::Outcome::Found);
  uint32_t patience_us() const;
  void want_lease(uint64_t number, size_t index, const RemoteName &name, AgentAnswer::Outcome outcome);
  void on_lease(uint64_t session, const LeaseAction &action, std::string_view bytes);
  void end_leases(const std::function<bool(const Lease &)> &is_ended);
  void on_deadline(uint64_t number);
  void forget(Gets::iterator get);

  void send(AgentMessage type, const std::string &payload);
  void flush_later();
  void flush();
  void watch_progress();
  void drop(std::string_view why);
  void close();

  EventLoop &loop_;
  ConnectionHost &host_;
  const Log &log_;
  OwnedDescriptor socket_;
  const std::string label_; ///< session's process, for people
  State state_ = State::Greeting;
  MessageReader reader_;
  size_t unread_bytes_ = 0; ///< bytes of an incomplete message
  std::vector<SharedRemote> remotes_;
  std::string build_; ///< session's build

  Gets gets_;             ///< requests with unanswered names
  uint64_t last_get_ = 0; ///< number of the last request
  size_t open_names_ = 0;
  /// Names that are not fetched yet, by request number and index.
  std::deque<std::pair<uint64_t, size_t>> waiting_;
  size_t fetches_ = 0; ///< pending
  /// Leases that the session holds or waits for, by LeaseHub::next_session().
  std::map<uint64_t, Lease> leases_;

  uint64_t worker_ = 0; ///< number from JobHub::next_worker(); 0: the session has requested no job

  std::deque<std::string> out_;
  size_t out_bytes_ = 0, written_ = 0; ///< bytes in `out_`; bytes of out_[0] that are already written
  bool is_flush_due_ = false;
  EventLoop::TimerId progress_timer_ = 0; ///< limit for the client's greeting or next read
};

} // namespace kiln
