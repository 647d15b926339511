// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "redis_leases.h"

#include <support/bytes.h>
#include <support/read_number.h>

namespace kiln {

namespace {

/// Time limit of a command; a session waits for several commands.
constexpr std::chrono::milliseconds limit{250};

// Lua scripts, which Redis runs atomically. Each returns the lease after the operation.
constexpr std::string_view acquire_script = R"(
local held = redis.call('GET', KEYS[1])
if held then return held end
local mine = string.format('%.0f:0:%s:%s', redis.call('INCR', KEYS[2]), ARGV[1], ARGV[3])
redis.call('SET', KEYS[1], mine, 'NX', 'PX', ARGV[2])
return mine)";
constexpr std::string_view renew_script = R"(
local held = redis.call('GET', KEYS[1])
if not held then return false end
local token, beat, nonce, holder = string.match(held, '^(%d+):(%d+):(%d+)(.*)$')
if token ~= ARGV[1] or nonce ~= ARGV[2] then return held end
local mine = string.format('%s:%.0f:%s%s', token, beat + 1, nonce, holder)
redis.call('SET', KEYS[1], mine, 'PX', ARGV[3])
return mine)";
constexpr std::string_view release_script = R"(
local held = redis.call('GET', KEYS[1])
if not held then return false end
local token, beat, nonce = string.match(held, '^(%d+):(%d+):(%d+)')
if token ~= ARGV[1] or nonce ~= ARGV[2] then return held end
redis.call('DEL', KEYS[1])
return false)";

std::string lease_key_of(const LeaseKey &key) { return "kiln:1:lease:" + hex_text(key); }

std::string milliseconds_of(LeaseTime time) {
  return std::to_string(std::chrono::ceil<std::chrono::milliseconds>(time).count());
}

class RedisLeases : public LeaseServer {
public:
  RedisLeases(EventLoop &loop, const RemoteUrl &url, std::shared_ptr<HelperThread> resolver)
      : connection_(loop, url, std::move(resolver)) {}

  void acquire(const LeaseKey &key, uint64_t nonce, const std::string &holder, LeaseTime time_to_live,
               Done done) override {
    send({"EVAL", std::string(acquire_script), "2", lease_key_of(key), "kiln:1:tokens", std::to_string(nonce),
          milliseconds_of(time_to_live), holder},
         std::move(done));
  }
  void renew(const LeaseKey &key, const LeaseId &id, LeaseTime time_to_live, Done done) override {
    send({"EVAL", std::string(renew_script), "1", lease_key_of(key), std::to_string(id.token),
          std::to_string(id.nonce), milliseconds_of(time_to_live)},
         std::move(done));
  }
  void look(const LeaseKey &key, Done done) override { send({"GET", lease_key_of(key)}, std::move(done)); }
  void release(const LeaseKey &key, const LeaseId &id) override {
    send({"EVAL", std::string(release_script), "1", lease_key_of(key), std::to_string(id.token),
          std::to_string(id.nonce)},
         [](const LeaseReply &) {});
  }

private:
  void send(const std::vector<std::string> &words, Done done) {
    connection_.send({words.begin(), words.end()}, limit, [done = std::move(done)](Result<RedisReply> reply) {
      if (reply.ok() && reply->kind == RedisReply::Kind::Nil)
        return done({.outcome = LeaseReply::Outcome::Nothing, .view = {}});
      const auto view =
          reply.ok() && reply->kind == RedisReply::Kind::Text ? read_lease_value(reply->text) : std::nullopt;
      if (!view) return done({});
      done({.outcome = LeaseReply::Outcome::Held, .view = *view});
    });
  }
  RedisConnection connection_;
};

} // namespace

std::shared_ptr<LeaseServer> make_redis_leases(EventLoop &loop, const RemoteUrl &url,
                                               std::shared_ptr<HelperThread> resolver) {
  return std::make_shared<RedisLeases>(loop, url, std::move(resolver));
}

std::optional<LeaseView> read_lease_value(std::string_view text) {
  const size_t first = text.find(':'), second = text.find(':', first + 1);
  if (first == std::string_view::npos || second == std::string_view::npos) return std::nullopt;
  const auto token = read_number<uint64_t>(text.substr(0, first));
  const auto beat = read_number<uint64_t>(text.substr(first + 1, second - first - 1));
  const size_t third = std::min(text.find(':', second + 1), text.size());
  const auto nonce = read_number<uint64_t>(text.substr(second + 1, third - second - 1));
  if (!token || !beat || !nonce) return std::nullopt;
  LeaseView view{.id = {.token = *token, .nonce = *nonce}, .beat = *beat};
  if (third < text.size()) view.holder = printable(text.substr(third + 1));
  return view;
}

} // namespace kiln
