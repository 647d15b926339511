// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A client of an agent, and its warnings.
#pragma once

#include "fake_agent.h"

#include <remote/remote.h>

#include <catch2/catch.hpp>

namespace kiln::test {

using Outcome = AgentAnswer::Outcome;
using Manner = FakeAgent::Manner;
using Clock = AgentClient::Clock;
using namespace std::chrono_literals;

struct Session {
  std::mutex mutex;
  std::vector<std::string> warnings;
  AgentClient client;

  explicit Session(const std::string &socket_path, std::string program = {})
      : client({.remotes = {"redis://127.0.0.1"},
                .build = "a build",
                .socket_path = socket_path,
                .program = std::move(program),
                .warn = [this](const std::string &text) {
                  std::lock_guard lock(mutex);
                  warnings.push_back(text);
                }}) {}

  /// Until the agent has answered once, however busy the machine is.
  void meet() {
    const auto until = Clock::now() + 20s;
    while (ask(1'000'000) != Outcome::Absent) REQUIRE(Clock::now() < until);
  }

  std::optional<Outcome> ask(unsigned number, std::string *bytes = nullptr,
                             std::chrono::milliseconds limit = 2s) {
    auto fetch = client.fetch(remote_name(number));
    if (!fetch) return std::nullopt;
    const auto outcome = fetch->wait(Clock::now() + limit);
    if (bytes && outcome == Outcome::Found) *bytes = fetch->take_bytes();
    return outcome;
  }
};

} // namespace kiln::test
