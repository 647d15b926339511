// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages between a session and the agent of its node, in the frames of workers/message.h. The two may be of
// different builds, and either may be hostile. The readers check all bounds and return an error for invalid
// payloads.
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

/// Version of the messages below. An agent refuses sessions of other versions, with a message.
inline constexpr uint32_t agent_protocol = 3;

/// Name of an entry in a remote store: SHA-256 of the parts of its key.
using RemoteName = std::array<std::byte, 32>;

enum class AgentMessage : uint32_t {
  Hello = 64,   ///< to the agent, first: AgentHello
  Welcome = 65, ///< from it, once: AgentWelcome
  Get = 66,     ///< to the agent: AgentGet
  Answer = 67,  ///< from it, one for each name of a Get, in any order: AgentAnswer
  /// To the agent: the number of a Get (8 bytes). The agent answers the remaining names at once, as Failed.
  Cancel = 68,
  Put = 69,        ///< to the agent: AgentPut
  Taken = 70,      ///< from the agent: AgentTaken. It uploads the entries later
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
  std::vector<std::string> remotes; ///< URLs; the first is for writing, the others for reading only
};

/// AgentWelcome::patience_us of an agent whose breakers are open or probing.
inline constexpr uint32_t no_answer_soon = UINT32_MAX;

struct AgentWelcome {
  uint32_t protocol = agent_protocol;
  std::string refusal;      ///< reason for refusing this session; empty: accepted
  uint32_t patience_us = 0; ///< usual answer time of the stores; 0: not known yet
};

struct AgentGet {
  uint64_t number = 0;
  uint32_t limit_ms = 0; ///< then the session stops listening, unless it got an AgentWait
  /// True if the session compiles missing entries. One session then compiles, and the others wait for it.
  bool wants_lease = false;
  uint64_t cost_us = 0; ///< of the compile that a hit saves; 0: unknown
  std::vector<RemoteName> names;
};

struct AgentAnswer {
  enum class Outcome : uint8_t {
    Found,   ///< `bytes` is the entry
    Absent,  ///< the server has no entry
    Failed,  ///< the server gave no valid answer in time, or its breaker is open
    Refused, ///< the entry is not trusted
    Leased,  ///< absent, and others wait for this session: it compiles, then sends Put or Release
  };
  uint64_t number = 0; ///< of the Get
  uint32_t index = 0;  ///< of the name in it
  Outcome outcome = Outcome::Failed;
  uint32_t patience_us = 0; ///< as in AgentWelcome, from the server's recent latencies
  std::string bytes;
};

/// The agent is getting a lease, or another session has it.
struct AgentWait {
  uint64_t number = 0;     ///< of the Get
  uint32_t index = 0;      ///< of the name in it
  uint64_t at_most_us = 0; ///< from now on. Without an answer by then, the session compiles
  std::string holder = {}; ///< session that compiles, "host:4711", for people; empty: unknown (yet)
};

/// Leases released without a result. Closing the connection releases them, too.
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

/// A worker's request for jobs of a queue shared with other machines. It holds the jobs until it sends
/// AgentFinish or its connection ends.
struct AgentTake {
  uint64_t number = 0;
  std::string queue;       ///< is_queue_name()
  Fingerprint list;        ///< digest of all jobs of the queue
  uint32_t limit_s = 0;    ///< a job that another worker holds for longer is taken over
  uint32_t num_wanted = 0; ///< maximum number of jobs to take
  std::vector<Fingerprint> jobs;
};
inline constexpr size_t max_jobs_of_take = 256;
/// 1 to 100 letters, digits, dots, hyphens and underscores.
bool is_queue_name(std::string_view name);

struct AgentTasks {
  enum class Outcome : uint8_t {
    Answered,  ///< `states` has a TaskState for each job of the request
    Failed,    ///< the server gave no valid answer in time
    OtherList, ///< the queue has another list of jobs
    Unusable,  ///< the remote has no queues, for the reason `why`
  };
  uint64_t number = 0; ///< of the Take
  Outcome outcome = Outcome::Failed;
  std::string states, why;
  std::string help; ///< a fix for `why`
};
enum class TaskState : char {
  Unknown = 'n', ///< not examined: enough jobs were taken before it
  Busy = 'b',    ///< another worker holds it
  Done = 'd',
  Failed = 'f',
  Abandoned = 'x', ///< failed just now: all attempts ended without a result
  // Taken by this worker:
  First = 't',
  Returned = 'r',     ///< its previous worker ended, or held it for too long
  ReturnedLast = 'R', ///< likewise, and the job's last attempt
  Retried = 'e',      ///< another worker lacked a resource for it
  RetriedLast = 'E',
};

struct AgentFinish {
  enum class Outcome : uint8_t {
    Done,   ///< its entries were uploaded
    Failed, ///< the job itself is faulty
    Retry,  ///< this worker lacked a resource; another attempt may succeed
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

// Errors (Input): bytes that payload_of does not produce.
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

/// An entry may end with the name of the next entry that its readers need. For a Get without a lease, the
/// agent then sends the next entry too, if the server has it. It is an Answer with the index names.size() +
/// index, before the answer of `index`.
std::string with_next(std::string entry, const RemoteName &next);
/// The name at an entry's end. Empty: the entry has none.
std::optional<RemoteName> next_of(std::string_view entry);
/// Removes the name at an entry's end, if there is one, and returns it.
std::optional<RemoteName> take_next(std::string &entry);

/// Path of this user's agent socket: KILN_AGENT, else kiln/agent.sock in XDG_RUNTIME_DIR, else in a folder of
/// the user in the system's temporary folder.
std::string agent_socket_path();

/// Makes the socket's folder with mode 0700 if it is missing. Error (Machine): it belongs to another user,
/// others may enter it, or it is a link.
Result<void> check_agent_folder(const std::string &socket_path);

} // namespace kiln
