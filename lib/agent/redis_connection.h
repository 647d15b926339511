// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipelined connection to Redis on the agent's event loop. hiredis formats commands and parses replies. The
// agent handles sockets and deadlines itself: hiredis 0.14 has no deadlines, and blocks while it resolves
// names.
#pragma once

#include "remote_server.h"

#include <deque>
#include <hiredis/read.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace kiln {

/// A reply of Redis, of one of the kinds that the agent's commands can return.
struct RedisReply {
  enum class Kind : uint8_t { Status, Text, Nil, Integer, Fault };
  Kind kind = Kind::Nil;
  std::string text; ///< of Status, Text and Fault
};

/// Connection to a Redis server. Connects when the first command is sent, and again after a fault. Used only
/// by the event loop's thread.
class RedisConnection {
public:
  using Done = std::function<void(Result<RedisReply>)>;
  RedisConnection(EventLoop &loop, const RemoteUrl &url, std::shared_ptr<HelperThread> resolver);
  ~RedisConnection(); ///< drops pending commands without calling `done`

  /// Sends a command, and calls `done` with its reply or an error. Replies come in the order of the commands.
  /// A reply later than `limit` fails all pending commands and ends the connection, since all later replies
  /// are late, too. All commands of a connection must have the same `limit`.
  void send(const std::vector<std::string_view> &words, std::chrono::milliseconds limit, Done done);

private:
  struct Pending {
    SteadyTime deadline;
    Done done;
  };
  struct Address {
    sockaddr_storage address{};
    socklen_t length = 0;
  };
  enum class State : uint8_t { Closed, Resolving, Connecting, Open };

  void begin();
  void on_addresses(std::vector<Address> addresses);
  void connect_next(int last_error);
  void on_ready(uint32_t events);
  void on_connected();
  bool flush();
  bool read();
  bool take_replies();
  void on_greeting(const RedisReply &reply);
  void fail(const std::string &why);
  void set_events();
  void arm_timer();

  EventLoop &loop_;
  const RemoteUrl url_;
  const std::shared_ptr<HelperThread> resolver_;
  const std::shared_ptr<bool> alive_ = std::make_shared<bool>(true);
  State state_ = State::Closed;
  uint64_t attempt_ = 0; ///< number of the connection attempt; addresses for an earlier attempt are ignored
  std::vector<Address> addresses_;
  OwnedDescriptor socket_;
  redisReader *reader_ = nullptr;
  size_t unparsed_bytes_ = 0; ///< of the incomplete reply
  std::string out_;
  size_t written_ = 0; ///< of out_
  bool is_flush_due_ = false;
  unsigned greetings_ = 0; ///< number of pending replies to AUTH and SELECT
  std::deque<Pending> pending_;
  EventLoop::TimerId timer_ = 0;
};

} // namespace kiln
