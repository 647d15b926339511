// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between a session and the agent of its node, in the frames of workers/message.h. Session and agent
// may be of different builds, and either may be hostile. The functions that read messages check all bounds,
// and return an error for an invalid payload.
//
// A connection begins with AgentHello from the session and AgentWelcome from the agent. Then the session
// sends numbered requests, and the agent answers in any order.
#pragma once

#include <support/support.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// Version of the messages below. An agent refuses sessions with another version, and its message says so.
inline constexpr uint32_t agent_protocol = 3;

/// Name of an entry in a remote store: SHA-256 of the parts of its key.
using RemoteName = std::array<std::byte, 32>;

enum class AgentMessage : uint32_t {
  Hello = 64,   ///< to the agent, first: AgentHello
  Welcome = 65, ///< from it, once: AgentWelcome
  Get = 66,     ///< to the agent: AgentGet
  Answer = 67,  ///< from the agent: AgentAnswer, one per name of a Get, in any order
  /// Message to the agent that cancels a Get, with the Get's number (8 bytes). The agent then answers Failed
  /// for the names that are still open.
  Cancel = 68,
  Put = 69,        ///< to the agent: AgentPut
  Taken = 70,      ///< from the agent: AgentTaken, before it uploads the entries
  Statistics = 71, ///< to the agent, empty payload
  Report = 72,     ///< from the agent: a JSON object (docs/design/remote.md)
  Stop = 73,       ///< to the agent, empty payload: end within a second, after uploads
  Wait = 74,       ///< from the agent: AgentWait, for a name whose answer comes later
  Release = 75,    ///< to the agent: AgentRelease; the agent does not reply
  Take = 76,       ///< to the agent: AgentTake, sent after the Tasks of the previous one
  Tasks = 77,      ///< from it: AgentTasks
  Finish = 78,     ///< to the agent: AgentFinish; the agent does not reply
  Spans = 96,      ///< to the agent: trace spans as OTLP/JSON, which it posts; it does not reply
};

struct AgentHello {
  uint32_t protocol = agent_protocol;
  std::string build;                ///< build_digest() of the session
  std::vector<std::string> remotes; ///< URLs of stores; the first is also written to
};

/// Value of AgentWelcome::patience_us if the agent's circuit breakers are open or probing: no server answers.
inline constexpr uint32_t no_answer_soon = UINT32_MAX;

struct AgentWelcome {
  uint32_t protocol = agent_protocol;
  std::string refusal;      ///< reason why the agent refuses this session; empty: it accepts
  uint32_t patience_us = 0; ///< usual answer time of the stores in microseconds; 0: not known yet
};

struct AgentGet {
  uint64_t number = 0;
  uint32_t limit_ms = 0; ///< time after which the session stops waiting, unless it got an AgentWait
  /// True if the session compiles entries that are missing. Of several such sessions one compiles, and the
  /// others wait.
  bool wants_lease = false;
  uint64_t cost_us = 0; ///< time of the compile that a hit would save; 0: unknown
  std::vector<RemoteName> names;
};

struct AgentAnswer {
  enum class Outcome : uint8_t {
    Found,   ///< `bytes` is the entry
    Absent,  ///< the server has no entry
    Failed,  ///< the server gave no valid answer in time, or its circuit breaker is open
    Refused, ///< the entry is not trusted
    Leased,  ///< the server has no entry; this session compiles, then sends Put or Release, and others wait
  };
  uint64_t number = 0; ///< of the Get
  uint32_t index = 0;  ///< of the name in it
  Outcome outcome = Outcome::Failed;
  uint32_t patience_us = 0; ///< as in AgentWelcome, from the server's recent latencies
  std::string bytes;
};

/// Tells a session that its answer comes later: the agent still requests a lease, or another session
/// compiles.
struct AgentWait {
  uint64_t number = 0;     ///< of the Get
  uint32_t index = 0;      ///< of the name in it
  uint64_t at_most_us = 0; ///< from now; if no answer comes in this time, the session compiles
  std::string holder = {}; ///< session that compiles, "host:4711", for people; empty: unknown (yet)
};

/// Names of leases that a session gives back without an entry. Closing the connection releases them, too.
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

/// A worker's request for jobs of a queue that several machines share. The worker holds the jobs until it
/// sends AgentFinish or its connection ends.
struct AgentTake {
  uint64_t number = 0;
  std::string queue;       ///< is_queue_name()
  Fingerprint list;        ///< digest of all jobs in the queue
  uint32_t limit_s = 0;    ///< seconds after which a job that another worker holds may be taken over
  uint32_t num_wanted = 0; ///< maximum number of jobs to return
  std::vector<Fingerprint> jobs;
};
inline constexpr size_t max_jobs_of_take = 256;
/// True if the name has 1 to 100 letters, digits, dots, hyphens and underscores.
bool is_queue_name(std::string_view name);

struct AgentTasks {
  enum class Outcome : uint8_t {
    Answered,  ///< `states` has one TaskState per job of the request
    Failed,    ///< the server gave no valid answer in time
    OtherList, ///< the queue was made for another list of jobs
    Unusable,  ///< the store has no queues; `why` says the reason
  };
  uint64_t number = 0; ///< of the Take
  Outcome outcome = Outcome::Failed;
  std::string states, why;
  std::string help; ///< a fix for `why`
};
enum class TaskState : char {
  Unknown = 'n', ///< not looked at, since enough jobs were found
  Busy = 'b',    ///< another worker holds it
  Done = 'd',
  Failed = 'f',
  Abandoned = 'x', ///< its last attempt has just ended without a result
  // Taken by this worker:
  First = 't',
  Returned = 'r',     ///< taken over: its worker ended, or held it for too long
  ReturnedLast = 'R', ///< likewise, and the job's last attempt
  Retried = 'e',      ///< taken again: another worker lacked a resource for it
  RetriedLast = 'E',
};

struct AgentFinish {
  enum class Outcome : uint8_t {
    Done,   ///< its entries were uploaded
    Failed, ///< the job itself is faulty
    Retry,  ///< this worker lacked a resource, so that another attempt may succeed
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

// Decode payloads. Error (Input): the bytes are not a payload that payload_of() makes.
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

/// Appends the name of the entry that readers of `entry` will request next. For a Get without a lease, the
/// agent then sends that entry too, if the server has it. The additional Answer has the index names.size() +
/// i for the name with index i, and comes before the Answer of that name.
std::string with_next(std::string entry, const RemoteName &next);
/// Returns the name that with_next() appended. Empty: the entry has none.
std::optional<RemoteName> next_of(std::string_view entry);
/// Removes the name that with_next() appended, and returns it. Empty: the entry has none.
std::optional<RemoteName> take_next(std::string &entry);

/// Path of this user's agent socket: KILN_AGENT if set; else kiln/agent.sock in XDG_RUNTIME_DIR; else in a
/// folder of this user in the system's temporary folder.
std::string agent_socket_path();

/// Makes the socket's folder with mode 0700 if it is missing, and checks it. Errors (Machine): the folder
/// belongs to another user, other users may enter it, or it is a link.
Result<void> check_agent_folder(const std::string &socket_path);

} // namespace kiln
