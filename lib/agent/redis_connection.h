// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipelined connection to Redis on the agent's loop. hiredis formats commands and parses replies. The agent
// handles sockets and deadlines, because hiredis 0.14 resolves names synchronously and has no deadlines.
#pragma once

#include "remote_server.h"

#include <deque>
#include <hiredis/read.h>
#include <netinet/in.h>
#include <sys/socket.h>

namespace kiln {

/// A reply of Redis. The agent's commands have no other kinds of replies.
struct RedisReply {
  enum class Kind : uint8_t { Status, Text, Nil, Integer, Fault };
  Kind kind = Kind::Nil;
  std::string text; ///< of Status, Text and Fault
};

/// Connection to Redis. Used by the loop's thread alone. Connects at the first command, and again after a
/// fault.
class RedisConnection {
public:
  using Done = std::function<void(Result<RedisReply>)>;
  RedisConnection(EventLoop &loop, const RemoteUrl &url, std::shared_ptr<HelperThread> resolver);
  ~RedisConnection(); ///< drops pending commands without a report

  /// Sends a command. Replies come in the order of the commands. A late reply ends the connection and all its
  /// commands, since all later replies are late too. `limit` must be the same for all commands of a
  /// connection.
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
  uint64_t attempt_ = 0; ///< identifies this attempt, against late addresses
  std::vector<Address> addresses_;
  OwnedDescriptor socket_;
  redisReader *reader_ = nullptr;
  size_t unparsed_bytes_ = 0; ///< of the incomplete reply
  std::string out_;
  size_t written_ = 0; ///< of out_
  bool is_flush_due_ = false;
  unsigned greetings_ = 0; ///< pending replies to AUTH and SELECT
  std::deque<Pending> pending_;
  EventLoop::TimerId timer_ = 0;
};

} // namespace kiln
