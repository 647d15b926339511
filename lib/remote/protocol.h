// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between a session and the agent of its node, in the frames of workers/message.h. The two may be of
// different builds, and either may be hostile: each payload is read with bounds, and what does not fit is an
// error.
//
// A connection begins with AgentHello from the session and AgentWelcome from the agent. After that the
// session sends requests, each with a number of its own; the agent answers in any order.
#pragma once

#include <support/support.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Of the messages below. An agent serves sessions of its own version alone, and says so to others.
inline constexpr uint32_t agent_protocol = 3;

/// Name of an entry in a remote store: SHA-256 of all that its key is made of.
using RemoteName = std::array<std::byte, 32>;
std::string to_hex(const RemoteName &name);

enum class AgentMessage : uint32_t {
  Hello = 64,   ///< to the agent, first: AgentHello
  Welcome = 65, ///< from it, once: AgentWelcome
  Get = 66,     ///< to the agent: AgentGet
  Answer = 67,  ///< from it, one for each name of a Get, in any order: AgentAnswer
  Cancel =
      68, ///< to the agent: the number of a Get whose remaining answers nobody waits for (8 bytes); no reply
  Put = 69,        ///< to the agent: AgentPut
  Taken = 70,      ///< from it: AgentTaken. The agent uploads after that
  Statistics = 71, ///< to the agent, empty payload
  Report = 72,     ///< from it: a JSON object (docs/design/remote.md)
  Stop = 73,       ///< to the agent, empty payload: it finishes its uploads within a second and ends
  Wait = 74,       ///< from it, for a name of a Get whose answer comes later: AgentWait
  Release = 75,    ///< to the agent: AgentRelease; no reply
  Spans = 96,      ///< to the agent: spans as OTLP/JSON, which it posts; no reply
};

struct AgentHello {
  uint32_t protocol = agent_protocol;
  std::string build;                ///< build_digest() of the session
  std::vector<std::string> remotes; ///< URLs; the first is written to, the others are only read
};

struct AgentWelcome {
  uint32_t protocol = agent_protocol;
  std::string refusal;      ///< why the agent does not serve this session; empty: it does
  uint32_t patience_us = 0; ///< how long a session waits for an answer before it compiles beside
};

struct AgentGet {
  uint64_t number = 0;
  uint32_t limit_ms = 0; ///< after that the session no longer listens, unless it was told to wait
  /// Whether the session compiles what is absent. Then one session compiles, and the others wait for it.
  bool wants_lease = false;
  uint64_t cost_us = 0; ///< of the compile that a hit spares; 0: unknown
  std::vector<RemoteName> names;
};

struct AgentAnswer {
  enum class Outcome : uint8_t {
    Found,   ///< `bytes` is what was put
    Absent,  ///< the server says that it has none
    Failed,  ///< the server gave no proper answer in time, or is left out for a while
    Refused, ///< there is one, and it is not to be trusted
    Leased,  ///< absent, and others wait for this session: it compiles, and then sends Put or Release
  };
  uint64_t number = 0; ///< of the Get
  uint32_t index = 0;  ///< of the name in it
  Outcome outcome = Outcome::Failed;
  uint32_t patience_us = 0; ///< as in AgentWelcome, from what the server took lately
  std::string bytes;
};

/// The agent asks for a lease, or another session has it.
struct AgentWait {
  uint64_t number = 0;     ///< of the Get
  uint32_t index = 0;      ///< of the name in it
  uint64_t at_most_us = 0; ///< from now on. A session without an answer by then compiles
  std::string holder = {}; ///< session that compiles, "host:4711", for people; empty: not known (yet)
};

/// Leases that a session gives back without a result. The end of its connection does so, too.
struct AgentRelease {
  std::vector<RemoteName> names;
};

struct AgentPut {
  struct Entry {
    RemoteName name;
    std::string bytes;
  };
  uint64_t number = 0;
  std::vector<Entry> entries;
};

struct AgentTaken {
  uint64_t number = 0; ///< of the Put
  uint32_t taken = 0;  ///< entries that the agent will upload; the others did not fit into its queue, or no
                       ///< remote is written to
};

std::string payload_of(const AgentHello &);
std::string payload_of(const AgentWelcome &);
std::string payload_of(const AgentGet &);
std::string payload_of(const AgentAnswer &);
std::string payload_of(const AgentWait &);
std::string payload_of(const AgentRelease &);
std::string payload_of(const AgentPut &);
std::string payload_of(const AgentTaken &);

// Errors (Input): bytes that payload_of does not write.
Result<AgentHello> read_agent_hello(std::string_view payload);
Result<AgentWelcome> read_agent_welcome(std::string_view payload);
Result<AgentGet> read_agent_get(std::string_view payload);
Result<AgentAnswer> read_agent_answer(std::string_view payload);
Result<AgentWait> read_agent_wait(std::string_view payload);
Result<AgentRelease> read_agent_release(std::string_view payload);
Result<AgentPut> read_agent_put(std::string_view payload);
Result<AgentTaken> read_agent_taken(std::string_view payload);

/// Path at which the agent of this user listens: KILN_AGENT, or kiln/agent.sock in XDG_RUNTIME_DIR, or in a
/// folder of the user's own below the system's folder for temporary files.
std::string agent_socket_path();

/// Makes the folder of the socket, with mode 0700, where it is missing. Error (Machine): it is another
/// user's, others may enter it, or it is a link.
Result<void> check_agent_folder(const std::string &socket_path);

} // namespace kiln
