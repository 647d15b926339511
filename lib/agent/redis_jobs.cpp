// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "redis_jobs.h"

namespace kiln {

namespace {

constexpr std::chrono::milliseconds queue_limit{500}; ///< of a command
constexpr unsigned max_attempts = 3;                  ///< attempts of a job, over all workers of the fleet
constexpr std::string_view expiry_s = "3600";         ///< seconds after its last change when a queue expires

// Lua scripts, which Redis runs atomically. KEYS[1] is the hash of the queue, and the other keys are those of
// jobs. ARGV[1] is the time in seconds after which the queue expires, ARGV[2] the time in ms for which a job
// is held without renewal.

/// Takes jobs. ARGV from 3 on: digest of the list, nonce, number of jobs wanted, maximum beats, maximum
/// attempts, then the hash field of each job.
constexpr std::string_view take_script = R"(
local queue, list = KEYS[1], redis.call('HGET', KEYS[1], 'list')
if list and list ~= ARGV[3] then return 'L' end
redis.call('HSET', queue, 'list', ARGV[3])
local wanted, max_beats, max_attempts = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local states = {}
for i = 2, #KEYS do
  local field = ARGV[i + 6]
  local value = redis.call('HGET', queue, field)
  local state = value
  if value ~= 'd' and value ~= 'f' then
    local held = wanted > 0 and redis.call('GET', KEYS[i])
    local attempts = tonumber(string.match(value or '0', '^%d+')) or 0
    if wanted == 0 then
      state = 'n'
    elseif held and (tonumber(string.match(held, ':(%d+)$')) or 0) < max_beats then
      state = 'b'
    elseif attempts >= max_attempts then
      redis.call('HSET', queue, field, 'f')
      redis.call('DEL', KEYS[i])
      state = 'x'
    else
      redis.call('HSET', queue, field, attempts + 1)
      redis.call('SET', KEYS[i], ARGV[4] .. ':0', 'PX', ARGV[2])
      wanted = wanted - 1
      state = 't'
      if attempts > 0 then
        state = string.match(value, 'e$') or 'r'
        if attempts + 1 >= max_attempts then state = string.upper(state) end
      end
    end
  end
  states[i - 1] = state
end
redis.call('EXPIRE', queue, ARGV[1])
return table.concat(states))";

/// Renews held jobs. ARGV from 3 on: the nonce of each job.
constexpr std::string_view renew_jobs_script = R"(
local states = {}
redis.call('EXPIRE', KEYS[1], ARGV[1])
for i = 2, #KEYS do
  local nonce, beats = string.match(redis.call('GET', KEYS[i]) or '', '^(%d+):(%d+)$')
  local is_held = nonce == ARGV[i + 1]
  if is_held then redis.call('SET', KEYS[i], nonce .. ':' .. beats + 1, 'PX', ARGV[2]) end
  states[i - 1] = is_held and '1' or '0'
end
return table.concat(states))";

/// Ends a job. ARGV from 3 on: the job's hash field, its nonce, and the outcome: "d" (done), "f" (failed),
/// "e" (retry), or empty if the worker has ended.
constexpr std::string_view finish_script = R"(
local queue, field, outcome = KEYS[1], ARGV[3], ARGV[5]
local nonce = string.match(redis.call('GET', KEYS[2]) or '', '^(%d+):')
local value = redis.call('HGET', queue, field)
if outcome == 'd' or (outcome == 'f' and value ~= 'd') then
  redis.call('HSET', queue, field, outcome)
elseif outcome == 'e' and nonce == ARGV[4] and string.match(value or '', '^%d+$') then
  redis.call('HSET', queue, field, value .. 'e')
end
if nonce == ARGV[4] then redis.call('DEL', KEYS[2]) end
redis.call('EXPIRE', queue, ARGV[1])
return '')";

std::string queue_key(const std::string &queue) { return "kiln:1:queue:" + queue; }
std::string queue_key(const std::string &queue, const Fingerprint &job) {
  return queue_key(queue) + ":" + job.hex();
}

class RedisJobs : public JobServer {
public:
  RedisJobs(EventLoop &loop, const RemoteUrl &url, std::shared_ptr<HelperThread> resolver)
      : connection_(loop, url, std::move(resolver)) {}

  void take(const AgentTake &request, uint64_t nonce, Done done) override {
    const uint64_t max_beats = uint64_t(request.limit_s) * 1000 / uint64_t(beat.count());
    Command command(take_script, request.queue);
    for (const Fingerprint &job : request.jobs) command.add_key(queue_key(request.queue, job));
    command.add(request.list.hex());
    for (uint64_t number : {nonce, uint64_t(request.num_wanted), max_beats, uint64_t(max_attempts)})
      command.add(std::to_string(number));
    for (const Fingerprint &job : request.jobs) command.add(job.hex());
    send(command, std::move(done));
  }

  /// `jobs`: all of one queue.
  void renew(const std::vector<HeldJob> &jobs, Done done) override {
    Command command(renew_jobs_script, jobs.front().queue);
    for (const HeldJob &each : jobs) command.add_key(queue_key(each.queue, each.job));
    for (const HeldJob &each : jobs) command.add(std::to_string(each.nonce));
    send(command, std::move(done));
  }

  void finish(const HeldJob &job, std::optional<AgentFinish::Outcome> outcome) override {
    using Outcome = AgentFinish::Outcome;
    Command command(finish_script, job.queue);
    command.add_key(queue_key(job.queue, job.job));
    command.add(job.job.hex());
    command.add(std::to_string(job.nonce));
    command.add(!outcome ? "" : *outcome == Outcome::Done ? "d" : *outcome == Outcome::Failed ? "f" : "e");
    send(command, [](const std::optional<std::string> &) {});
  }

private:
  /// The words of an EVAL.
  class Command {
  public:
    Command(std::string_view script, const std::string &queue)
        : script_(script), keys_{queue_key(queue)},
          values_{std::string(expiry_s), std::to_string(time_to_live.count())} {}
    void add_key(std::string key) { keys_.push_back(std::move(key)); }
    void add(std::string value) { values_.push_back(std::move(value)); }
    std::vector<std::string> words() const {
      std::vector<std::string> words{"EVAL", std::string(script_), std::to_string(keys_.size())};
      words.insert(words.end(), keys_.begin(), keys_.end());
      words.insert(words.end(), values_.begin(), values_.end());
      return words;
    }

  private:
    std::string_view script_;
    std::vector<std::string> keys_, values_;
  };

  void send(const Command &command, Done done) {
    const std::vector<std::string> words = command.words();
    connection_.send({words.begin(), words.end()}, queue_limit,
                     [done = std::move(done)](Result<RedisReply> reply) {
                       const bool is_text = reply.ok() && reply->kind == RedisReply::Kind::Text;
                       done(is_text ? std::optional(reply->text) : std::nullopt);
                     });
  }
  RedisConnection connection_;
};

} // namespace

std::shared_ptr<JobServer> make_redis_jobs(EventLoop &loop, const RemoteUrl &url,
                                           std::shared_ptr<HelperThread> resolver) {
  return std::make_shared<RedisJobs>(loop, url, std::move(resolver));
}

} // namespace kiln
