// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Redis as a server of entries. The key kiln:1:NAME contains an entry, and expires.
#include "redis_jobs.h"
#include "redis_leases.h"

#include <support/bytes.h>

namespace kiln {

namespace {

std::string key_of(const RemoteName &name) { return "kiln:1:" + hex_text(name); }

class RedisServer : public RemoteServer {
public:
  RedisServer(EventLoop &loop, const RemoteUrl &url, const ServerSettings &settings)
      : loop_(loop), url_(url), expiry_(std::to_string(settings.expiry.count())),
        resolver_(std::make_shared<HelperThread>()), gets_(loop, url, resolver_),
        puts_(loop, url, resolver_) {}

  void get(const RemoteName &name, std::chrono::milliseconds limit, GetDone done) override {
    gets_.send({"GET", key_of(name)}, limit, [done = std::move(done)](Result<RedisReply> reply) {
      if (!reply.ok()) return done(reply.take_error());
      if (reply->kind == RedisReply::Kind::Nil) return done(std::optional<std::string>());
      if (reply->kind != RedisReply::Kind::Text || reply->text.empty())
        return done(unexpected("GET", *reply));
      done(std::optional(std::move(reply->text)));
    });
  }

  void put(const RemoteName &name, std::string bytes, PutRule rule, std::chrono::milliseconds limit,
           PutDone done) override {
    const std::string key = key_of(name);
    std::vector<std::string_view> words{"SET", key, bytes, "EX", expiry_};
    if (rule == PutRule::KeepFirst) words.emplace_back("NX");
    puts_.send(words, limit, [rule, done = std::move(done)](Result<RedisReply> reply) {
      if (!reply.ok()) return done(reply.take_error());
      const bool was_there = rule == PutRule::KeepFirst && reply->kind == RedisReply::Kind::Nil;
      if (reply->kind != RedisReply::Kind::Status && !was_there) return done(unexpected("SET", *reply));
      done({});
    });
  }

  std::shared_ptr<LeaseServer> leases() override {
    if (!leases_) leases_ = make_redis_leases(loop_, url_, resolver_);
    return leases_;
  }

  std::shared_ptr<JobServer> jobs() override {
    if (!jobs_) jobs_ = make_redis_jobs(loop_, url_, resolver_);
    return jobs_;
  }

private:
  static Error unexpected(std::string_view command, const RedisReply &reply) {
    if (reply.kind == RedisReply::Kind::Fault)
      return machine_error(fmt::format("it refuses {}: {}", command, printable(reply.text)));
    return machine_error(fmt::format("a reply to {} that Redis does not send", command));
  }

  EventLoop &loop_;
  const RemoteUrl url_;
  const std::string expiry_;
  const std::shared_ptr<HelperThread> resolver_;
  RedisConnection gets_, puts_;         ///< two connections, so that gets do not wait for large uploads
  std::shared_ptr<LeaseServer> leases_; ///< null: not requested yet
  std::shared_ptr<JobServer> jobs_;     ///< likewise
};

} // namespace

std::unique_ptr<RemoteServer> make_redis_server(EventLoop &loop, const RemoteUrl &url,
                                                const ServerSettings &settings) {
  return std::make_unique<RedisServer>(loop, url, settings);
}

} // namespace kiln
