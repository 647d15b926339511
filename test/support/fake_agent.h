// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An agent that does what a test says: on a thread, at a socket in a folder of its own.
#pragma once

#include "scratch.h"

#include <remote/remote.h>

#include <atomic>
#include <cstring>
#include <map>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>

namespace kiln::test {

inline RemoteName remote_name(unsigned number) {
  RemoteName name{};
  std::memcpy(name.data(), &number, sizeof number);
  name[31] = std::byte(1);
  return name;
}

class FakeAgent {
public:
  enum class Manner {
    Serves,
    Hangs,       ///< accepts no connection and reads nothing
    SaysNothing, ///< after its greeting
    ServerHangs, ///< answers what is cancelled
    SaysGarbage,
    Refuses,
    OtherVersion,
    AnswersLate,
    Closes
  };

  FakeAgent() : socket_(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strcpy(address.sun_path, path().c_str());
    REQUIRE(::chmod(folder_.path.c_str(), 0700) == 0);
    REQUIRE(::bind(socket_, reinterpret_cast<sockaddr *>(&address), sizeof address) == 0);
    REQUIRE(::listen(socket_, 64) == 0);
    thread_ = std::thread([this] { loop(); });
  }
  ~FakeAgent() {
    ends = true;
    thread_.join();
    for (auto &[descriptor, reader] : connections_) ::close(descriptor);
    ::close(socket_);
  }
  std::string path() const { return (folder_.path / "agent.sock").string(); }
  std::filesystem::path folder() const { return folder_.path; }

  std::atomic<Manner> manner{Manner::Serves};
  std::atomic<unsigned> hellos{0}, gets{0}, puts{0}, cancels{0}, releases{0};
  std::atomic<uint64_t> cost_us{0};          ///< of the last Get
  std::atomic<uint32_t> patience_us{20'000}; ///< expected latency, which it tells
  std::atomic<bool> ends{false};
  std::mutex mutex; ///< of the entries
  std::map<RemoteName, std::string> entries;

private:
  void loop() {
    while (!ends) {
      std::vector<pollfd> wanted{{socket_, POLLIN, 0}};
      for (auto &[descriptor, reader] : connections_) wanted.push_back({descriptor, POLLIN, 0});
      if (manner == Manner::Hangs) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      if (::poll(wanted.data(), wanted.size(), 10) <= 0) continue;
      if (wanted[0].revents) connections_[::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC)];
      for (size_t i = 1; i < wanted.size(); i++)
        if (wanted[i].revents && !read(wanted[i].fd)) {
          drop_leases(wanted[i].fd);
          ::close(wanted[i].fd);
          connections_.erase(wanted[i].fd);
        }
    }
  }

  bool read(int descriptor) {
    char bytes[4096];
    const ssize_t got = ::recv(descriptor, bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    MessageReader &reader = connections_[descriptor];
    if (!reader.feed({bytes, size_t(got)}).ok()) return false;
    while (auto message = reader.next())
      if (!answer(descriptor, *message)) return false;
    return true;
  }

  void send(int descriptor, AgentMessage type, const std::string &payload) {
    const std::string bytes = message_header(uint32_t(type), payload) + payload;
    (void)!::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
  }

  bool answer(int descriptor, const Message &message) {
    const Manner now = manner;
    const AgentMessage type = AgentMessage(message.type);
    if (type == AgentMessage::Hello) hellos++;
    if (type == AgentMessage::Cancel) {
      cancels++;
      uint64_t number = 0;
      std::memcpy(&number, message.payload.data(), std::min(message.payload.size(), sizeof number));
      if (now == Manner::ServerHangs)
        send_answer({descriptor, number, 0, false}, AgentAnswer::Outcome::Failed, {});
    }
    if (now == Manner::ServerHangs && type == AgentMessage::Get) return gets++, true;
    if (now == Manner::SaysNothing && type != AgentMessage::Hello)
      return gets += type == AgentMessage::Get, true;
    if (now == Manner::Closes) return false;
    if (now == Manner::SaysGarbage) {
      (void)!::send(descriptor, "garbage, and quite a lot of it: more than a header has", 54, MSG_NOSIGNAL);
      return true;
    }
    if (type == AgentMessage::Hello) {
      AgentWelcome welcome{.patience_us = patience_us};
      if (now == Manner::Refuses) welcome.refusal = "nobody is served today";
      if (now == Manner::OtherVersion) welcome.protocol = agent_protocol + 1;
      send(descriptor, AgentMessage::Welcome, payload_of(welcome));
    } else if (type == AgentMessage::Get) {
      gets++;
      const Result<AgentGet> get = read_agent_get(message.payload);
      if (!get.ok()) return false;
      cost_us = get->cost_us;
      if (now == Manner::AnswersLate) std::this_thread::sleep_for(std::chrono::milliseconds(60));
      std::lock_guard lock(mutex);
      for (uint32_t i = 0; i < get->names.size(); i++) {
        const auto found = entries.find(get->names[i]);
        const bool is_there = found != entries.end();
        if (!is_there && get->wants_lease) {
          lease(descriptor, *get, i);
          continue;
        }
        if (!is_there) {
          send_answer({descriptor, get->number, i, false}, AgentAnswer::Outcome::Absent, {});
          continue;
        }
        const auto next = get->wants_lease ? std::nullopt : next_of(found->second);
        if (const auto other = next ? entries.find(*next) : entries.end(); other != entries.end())
          send_answer({descriptor, get->number, i + uint32_t(get->names.size()), false},
                      AgentAnswer::Outcome::Found, other->second);
        send_answer({descriptor, get->number, i, false}, AgentAnswer::Outcome::Found, found->second);
      }
    } else if (type == AgentMessage::Release) {
      const Result<AgentRelease> release = read_agent_release(message.payload);
      if (!release.ok()) return false;
      releases++; // before the next session hears of it
      for (const RemoteName &name : release->names) drop_leases(descriptor, &name);
    } else if (type == AgentMessage::Put) {
      puts++;
      const Result<AgentPut> put = read_agent_put(message.payload);
      if (!put.ok()) return false;
      std::lock_guard lock(mutex);
      for (const AgentPut::Entry &entry : put->entries) {
        entries[entry.name] = entry.bytes;
        for (const Waiter &waiter : std::exchange(leases_[entry.name], {}))
          if (!waiter.is_holder) send_answer(waiter, AgentAnswer::Outcome::Found, entry.bytes);
      }
      send(descriptor, AgentMessage::Taken,
           payload_of(AgentTaken{.number = put->number, .taken = uint32_t(put->entries.size())}));
    }
    return true;
  }

  // ---- leases: the first of a name's waiters holds it

  struct Waiter {
    int descriptor;
    uint64_t number;
    uint32_t index;
    bool is_holder;
  };

  void lease(int descriptor, const AgentGet &get, uint32_t index) {
    std::vector<Waiter> &waiters = leases_[get.names[index]];
    const Waiter waiter{descriptor, get.number, index, waiters.empty()};
    waiters.push_back(waiter);
    if (waiter.is_holder) return send_answer(waiter, AgentAnswer::Outcome::Leased, {});
    send(descriptor, AgentMessage::Wait,
         payload_of(AgentWait{.number = get.number, .index = index, .at_most_us = 10'000'000}));
  }

  void send_answer(const Waiter &waiter, AgentAnswer::Outcome outcome, const std::string &bytes) {
    send(waiter.descriptor, AgentMessage::Answer,
         payload_of(AgentAnswer{.number = waiter.number,
                                .index = waiter.index,
                                .outcome = outcome,
                                .patience_us = patience_us,
                                .bytes = bytes}));
  }

  /// Leases of a connection, or one of them, go to the next.
  void drop_leases(int descriptor, const RemoteName *name = nullptr) {
    for (auto &[key, waiters] : leases_) {
      if (name && *name != key) continue;
      std::erase_if(waiters, [&](const Waiter &waiter) { return waiter.descriptor == descriptor; });
      if (waiters.empty() || std::exchange(waiters.front().is_holder, true)) continue;
      send_answer(waiters.front(), AgentAnswer::Outcome::Leased, {});
    }
  }

  const Scratch folder_;
  const int socket_;
  std::map<int, MessageReader> connections_;
  std::map<RemoteName, std::vector<Waiter>> leases_;
  std::thread thread_;
};

} // namespace kiln::test
