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

enum class AgentMessage : uint32_t {
  Hello = 64,   ///< to the agent, first: AgentHello
  Welcome = 65, ///< from it, once: AgentWelcome
  Get = 66,     ///< to the agent: AgentGet
  Answer = 67,  ///< from it, one for each name of a Get, in any order: AgentAnswer
  /// To the agent: the number of a Get (8 bytes). It answers the remaining names at once, as Failed.
  Cancel = 68,
  Put = 69,        ///< to the agent: AgentPut
  Taken = 70,      ///< from it: AgentTaken. The agent uploads after that
  Statistics = 71, ///< to the agent, empty payload
  Report = 72,     ///< from it: a JSON object (docs/design/remote.md)
  Stop = 73,       ///< to the agent, empty payload: it finishes its uploads within a second and ends
  Wait = 74,       ///< from it, for a name of a Get whose answer comes later: AgentWait
  Release = 75,    ///< to the agent: AgentRelease; no reply
  Take = 76,       ///< to the agent: AgentTake, after the Tasks of the last one
  Tasks = 77,      ///< from it: AgentTasks
  Finish = 78,     ///< to the agent: AgentFinish; no reply
  Spans = 96,      ///< to the agent: spans as OTLP/JSON, which it posts; no reply
};

struct AgentHello {
  uint32_t protocol = agent_protocol;
  std::string build;                ///< build_digest() of the session
  std::vector<std::string> remotes; ///< URLs; the first is written to, the others are only read
};

/// AgentWelcome::patience_us of an agent whose stores are left out, or only probed.
inline constexpr uint32_t no_answer_soon = UINT32_MAX;

struct AgentWelcome {
  uint32_t protocol = agent_protocol;
  std::string refusal;      ///< why the agent does not serve this session; empty: it does
  uint32_t patience_us = 0; ///< time in which the stores usually answer; 0: not known yet
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

/// A worker asks for jobs of a queue that it shares with workers on other machines. It holds them until it
/// sends AgentFinish, or until its connection ends.
struct AgentTake {
  uint64_t number = 0;
  std::string queue;       ///< is_queue_name()
  Fingerprint list;        ///< digest of all jobs of the queue
  uint32_t limit_s = 0;    ///< a job that another worker holds for longer is taken from it
  uint32_t num_wanted = 0; ///< maximum number of jobs to take
  std::vector<Fingerprint> jobs;
};
inline constexpr size_t max_jobs_of_take = 256;
/// 1 to 100 letters, digits, dots, hyphens and underscores.
bool is_queue_name(std::string_view name);

struct AgentTasks {
  enum class Outcome : uint8_t {
    Answered,  ///< `states` has a TaskState for each job of the request
    Failed,    ///< the server gave no proper answer in time
    OtherList, ///< the queue has another list of jobs
    Unusable,  ///< the remote has no queues, for the reason `why`
  };
  uint64_t number = 0; ///< of the Take
  Outcome outcome = Outcome::Failed;
  std::string states, why;
  std::string help; ///< a way out of `why`
};
enum class TaskState : char {
  Unknown = 'n', ///< enough jobs were taken before it
  Busy = 'b',    ///< another worker holds it
  Done = 'd',
  Failed = 'f',
  Abandoned = 'x', ///< failed just now: all its attempts ended without a result
  // Taken by this worker.
  First = 't',
  Returned = 'r',     ///< the worker that held it has ended, or held it for too long
  ReturnedLast = 'R', ///< the same, and the job's last attempt
  Retried = 'e',      ///< another worker lacked something for it
  RetriedLast = 'E',
};

struct AgentFinish {
  enum class Outcome : uint8_t {
    Done,   ///< its entries were put
    Failed, ///< the job itself is wrong
    Retry,  ///< this worker lacked something; another attempt may succeed
  };
  std::string queue;
  Fingerprint job;
  Outcome outcome = Outcome::Done;
};

std::string payload_of(const AgentHello &);
std::string payload_of(const AgentWelcome &);
std::string payload_of(const AgentGet &);
std::string payload_of(const AgentAnswer &);
std::string payload_of(const AgentWait &);
std::string payload_of(const AgentRelease &);
std::string payload_of(const AgentPut &);
std::string payload_of(const AgentTaken &);
std::string payload_of(const AgentTake &);
std::string payload_of(const AgentTasks &);
std::string payload_of(const AgentFinish &);

// Errors (Input): bytes that payload_of does not write.
Result<AgentHello> read_agent_hello(std::string_view payload);
Result<AgentWelcome> read_agent_welcome(std::string_view payload);
Result<AgentGet> read_agent_get(std::string_view payload);
Result<AgentAnswer> read_agent_answer(std::string_view payload);
Result<AgentWait> read_agent_wait(std::string_view payload);
Result<AgentRelease> read_agent_release(std::string_view payload);
Result<AgentPut> read_agent_put(std::string_view payload);
Result<AgentTaken> read_agent_taken(std::string_view payload);
Result<AgentTake> read_agent_take(std::string_view payload);
Result<AgentTasks> read_agent_tasks(std::string_view payload);
Result<AgentFinish> read_agent_finish(std::string_view payload);

/// An entry may end with the name of the one that its readers ask for next. If an entry of a Get without a
/// lease does, and the server has the other one, the agent sends that too: as an Answer of the index
/// names.size() + index, before the answer of `index`.
std::string with_next(std::string entry, const RemoteName &next);
/// The name that an entry ends with; nothing: it ends with none.
std::optional<RemoteName> next_of(std::string_view entry);
/// Cuts the name off, if there is one, and returns it.
std::optional<RemoteName> take_next(std::string &entry);

/// Path at which the agent of this user listens: KILN_AGENT, or kiln/agent.sock in XDG_RUNTIME_DIR, or in a
/// folder of the user's own below the system's folder for temporary files.
std::string agent_socket_path();

/// Makes the folder of the socket, with mode 0700, where it is missing. Error (Machine): it is another
/// user's, others may enter it, or it is a link.
Result<void> check_agent_folder(const std::string &socket_path);

} // namespace kiln
