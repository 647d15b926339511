// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "protocol.h"

#include <support/bytes.h>

#include <algorithm>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

namespace kiln {

namespace {

void add_name(ByteWriter &out, const RemoteName &name) {
  for (std::byte each : name) out.add(uint8_t(each));
}
RemoteName read_name(ByteReader &in) {
  RemoteName name;
  for (std::byte &each : name) each = std::byte(in.number<uint8_t>());
  return name;
}

/// Returns `value` if the payload was read without errors and to its end.
template <class T> Result<T> whole(const ByteReader &in, T value, std::string_view what) {
  if (!in.at_end()) return input_error(fmt::format("a message of the agent's protocol that is no {}", what));
  return value;
}

} // namespace

std::string payload_of(const AgentHello &hello) {
  ByteWriter out;
  out.add(hello.protocol).add(hello.build).add(uint32_t(hello.remotes.size()));
  for (const std::string &url : hello.remotes) out.add(url);
  return out.take();
}

Result<AgentHello> read_agent_hello(std::string_view payload) {
  ByteReader in(payload);
  AgentHello hello{.protocol = in.number<uint32_t>()};
  // The remaining fields belong to this version of the protocol. The agent refuses other versions.
  if (!in.failed() && hello.protocol != agent_protocol) return hello;
  hello.build = in.text();
  hello.remotes.resize(in.count(4));
  for (std::string &url : hello.remotes) url = in.text();
  return whole(in, std::move(hello), "greeting");
}

std::string payload_of(const AgentWelcome &welcome) {
  return ByteWriter().add(welcome.protocol).add(welcome.refusal).add(welcome.patience_us).take();
}

Result<AgentWelcome> read_agent_welcome(std::string_view payload) {
  ByteReader in(payload);
  AgentWelcome welcome{.protocol = in.number<uint32_t>()};
  welcome.refusal = in.text(); // has this place in every version, so that any session can show it
  if (!in.failed() && welcome.protocol != agent_protocol) return welcome;
  welcome.patience_us = in.number<uint32_t>();
  return whole(in, std::move(welcome), "welcome");
}

std::string payload_of(const AgentGet &get) {
  ByteWriter out;
  out.add(get.number).add(get.limit_ms).add(uint8_t(get.wants_lease)).add(get.cost_us);
  out.add(uint32_t(get.names.size()));
  for (const RemoteName &name : get.names) add_name(out, name);
  return out.take();
}

Result<AgentGet> read_agent_get(std::string_view payload) {
  ByteReader in(payload);
  AgentGet get;
  get.number = in.number<uint64_t>();
  get.limit_ms = in.number<uint32_t>();
  get.wants_lease = in.boolean();
  get.cost_us = in.number<uint64_t>();
  get.names.resize(in.count(sizeof(RemoteName)));
  for (RemoteName &name : get.names) name = read_name(in);
  return whole(in, std::move(get), "request for entries");
}

std::string payload_of(const AgentAnswer &answer) {
  return ByteWriter()
      .add(answer.number)
      .add(answer.index)
      .add(answer.outcome)
      .add(answer.patience_us)
      .add(answer.bytes)
      .take();
}

Result<AgentAnswer> read_agent_answer(std::string_view payload) {
  ByteReader in(payload);
  AgentAnswer answer;
  answer.number = in.number<uint64_t>();
  answer.index = in.number<uint32_t>();
  answer.outcome = AgentAnswer::Outcome(in.number_up_to(uint8_t(AgentAnswer::Outcome::Leased)));
  answer.patience_us = in.number<uint32_t>();
  answer.bytes = in.text();
  return whole(in, std::move(answer), "answer");
}

std::string payload_of(const AgentWait &wait) {
  return ByteWriter().add(wait.number).add(wait.index).add(wait.at_most_us).add(wait.holder).take();
}

Result<AgentWait> read_agent_wait(std::string_view payload) {
  ByteReader in(payload);
  AgentWait wait;
  wait.number = in.number<uint64_t>();
  wait.index = in.number<uint32_t>();
  wait.at_most_us = in.number<uint64_t>();
  wait.holder = in.text();
  return whole(in, std::move(wait), "wait");
}

std::string payload_of(const AgentRelease &release) {
  ByteWriter out;
  out.add(uint32_t(release.names.size()));
  for (const RemoteName &name : release.names) add_name(out, name);
  return out.take();
}

Result<AgentRelease> read_agent_release(std::string_view payload) {
  ByteReader in(payload);
  AgentRelease release;
  release.names.resize(in.count(sizeof(RemoteName)));
  for (RemoteName &name : release.names) name = read_name(in);
  return whole(in, std::move(release), "release");
}

std::string payload_of(const AgentPut &put) {
  ByteWriter out;
  out.add(put.number).add(uint32_t(put.entries.size()));
  for (const AgentPut::Entry &entry : put.entries) {
    add_name(out, entry.name);
    out.add(entry.bytes);
  }
  return out.take();
}

Result<AgentPut> read_agent_put(std::string_view payload) {
  ByteReader in(payload);
  AgentPut put;
  put.number = in.number<uint64_t>();
  put.entries.resize(in.count(sizeof(RemoteName) + 4));
  for (AgentPut::Entry &entry : put.entries) {
    entry.name = read_name(in);
    entry.bytes = in.text();
  }
  return whole(in, std::move(put), "upload");
}

std::string payload_of(const AgentTaken &taken) {
  return ByteWriter().add(taken.number).add(taken.taken).take();
}

Result<AgentTaken> read_agent_taken(std::string_view payload) {
  ByteReader in(payload);
  AgentTaken taken;
  taken.number = in.number<uint64_t>();
  taken.taken = in.number<uint32_t>();
  return whole(in, taken, "receipt");
}

bool is_queue_name(std::string_view name) {
  auto fits = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-' || c == '_';
  };
  return !name.empty() && name.size() <= 100 && std::ranges::all_of(name, fits);
}

std::string payload_of(const AgentTake &take) {
  ByteWriter out;
  out.add(take.number).add(take.queue).add_short(take.list).add(take.limit_s).add(take.num_wanted);
  out.add(uint32_t(take.jobs.size()));
  for (const Fingerprint &job : take.jobs) out.add_short(job);
  return out.take();
}

Result<AgentTake> read_agent_take(std::string_view payload) {
  ByteReader in(payload);
  AgentTake take;
  take.number = in.number<uint64_t>();
  take.queue = in.text();
  take.list = in.short_fingerprint();
  take.limit_s = in.number<uint32_t>();
  take.num_wanted = in.number<uint32_t>();
  take.jobs.resize(in.count(16));
  for (Fingerprint &job : take.jobs) job = in.short_fingerprint();
  if (!is_queue_name(take.queue) || take.jobs.size() > max_jobs_of_take)
    return input_error("a request for jobs with a wrong name of a queue, or with too many jobs");
  return whole(in, std::move(take), "request for jobs");
}

std::string payload_of(const AgentTasks &tasks) {
  return ByteWriter()
      .add(tasks.number)
      .add(tasks.outcome)
      .add(tasks.states)
      .add(tasks.why)
      .add(tasks.help)
      .take();
}

Result<AgentTasks> read_agent_tasks(std::string_view payload) {
  ByteReader in(payload);
  AgentTasks tasks;
  tasks.number = in.number<uint64_t>();
  tasks.outcome = AgentTasks::Outcome(in.number_up_to(uint8_t(AgentTasks::Outcome::Unusable)));
  tasks.states = in.text();
  tasks.why = in.text();
  tasks.help = in.text();
  return whole(in, std::move(tasks), "reply to a request for jobs");
}

std::string payload_of(const AgentFinish &finish) {
  return ByteWriter().add(finish.queue).add_short(finish.job).add(finish.outcome).take();
}

Result<AgentFinish> read_agent_finish(std::string_view payload) {
  ByteReader in(payload);
  AgentFinish finish;
  finish.queue = in.text();
  finish.job = in.short_fingerprint();
  finish.outcome = AgentFinish::Outcome(in.number_up_to(uint8_t(AgentFinish::Outcome::Retry)));
  if (!is_queue_name(finish.queue)) return input_error("the end of a job with a wrong name of a queue");
  return whole(in, std::move(finish), "end of a job");
}

// ---- names of next entries (with_next)

namespace {
constexpr std::string_view next_mark = "KilnNext"; ///< an entry's last bytes, after the name
constexpr size_t next_size = sizeof(RemoteName) + next_mark.size();
} // namespace

std::string with_next(std::string entry, const RemoteName &next) {
  entry.append(reinterpret_cast<const char *>(next.data()), next.size());
  return entry += next_mark;
}

std::optional<RemoteName> next_of(std::string_view entry) {
  if (entry.size() < next_size || !entry.ends_with(next_mark)) return std::nullopt;
  RemoteName name;
  std::memcpy(name.data(), entry.data() + entry.size() - next_size, name.size());
  return name;
}

std::optional<RemoteName> take_next(std::string &entry) {
  const std::optional<RemoteName> next = next_of(entry);
  if (next) entry.resize(entry.size() - next_size);
  return next;
}

// ---- the socket

std::string agent_socket_path() {
  if (std::string path = environment_text("KILN_AGENT"); !path.empty()) return path;
  if (std::string folder = environment_text("XDG_RUNTIME_DIR"); !folder.empty())
    return folder + "/kiln/agent.sock";
  std::string folder = environment_text("TMPDIR");
  if (folder.empty()) folder = "/tmp";
  return fmt::format("{}/kiln-{}/agent.sock", folder, ::getuid());
}

Result<void> check_agent_folder(const std::string &socket_path) {
  const std::string folder = socket_path.substr(0, socket_path.rfind('/'));
  if (folder.empty() || folder == socket_path)
    return make_error(ErrorCode::Usage,
                      fmt::format("the agent's socket {} has no folder of its own", socket_path), {},
                      "name an absolute path in KILN_AGENT, in a folder with mode 0700");
  if (::mkdir(folder.c_str(), 0700) != 0 && errno != EEXIST)
    return machine_error(fmt::format("the folder {} of the agent's socket cannot be made: {}", folder,
                                     std::generic_category().message(errno)));
  struct stat status{};
  if (::lstat(folder.c_str(), &status) != 0)
    return machine_error(fmt::format("the folder {} of the agent's socket cannot be read: {}", folder,
                                     std::generic_category().message(errno)));
  const char *fault = !S_ISDIR(status.st_mode)       ? "is no folder"
                      : status.st_uid != ::geteuid() ? "belongs to another user"
                      : (status.st_mode & 0077) != 0 ? "can be entered by other users"
                                                     : nullptr;
  if (fault)
    return machine_error(fmt::format("{}, where the agent's socket is to be, {}", folder, fault),
                         "name a path in KILN_AGENT whose folder is yours and has mode 0700");
  return {};
}

} // namespace kiln
