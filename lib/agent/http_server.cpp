// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HTTP server with Bazel's cache layout. /ac/NAME is an ActionResult message, which contains a small entry,
// or names a large one by its digest: /cas/SHA256. Servers for Bazel (bazel-remote, nginx with WebDAV) accept
// both.
#include "action_result.h"
#include "http_client.h"

#include <trust/trust.h>

namespace kiln {

namespace {

/// Maximum size of an ActionResult: a small entry, and metadata that a server adds.
constexpr size_t max_result_bytes = 4 * max_inline_bytes;

Error status_error(std::string_view method, long status) {
  return machine_error(
      fmt::format("{} has the status {}", method, status),
      status == 401 || status == 403
          ? "set KILN_REMOTE_TOKEN, or name a user in the URL, in ~/.netrc or by KILN_REMOTE_CERT"
          : "");
}

class HttpServer : public RemoteServer {
public:
  HttpServer(EventLoop &loop, const RemoteUrl &url, const ServerSettings &settings)
      : loop_(loop), client_(loop, url, settings) {}

  void get(const RemoteName &name, std::chrono::milliseconds limit, GetDone done) override {
    const SteadyTime deadline = EventLoop::now() + limit;
    client_.send({.path = "/ac/" + hex_text(name), .deadline = deadline, .max_reply_bytes = max_result_bytes},
                 [this, deadline, done = std::move(done)](Result<HttpReply> reply) {
                   on_result(std::move(reply), deadline, done);
                 });
  }

  void put(const RemoteName &name, std::string bytes, PutRule, std::chrono::milliseconds limit,
           PutDone done) override {
    const SteadyTime deadline = EventLoop::now() + limit;
    if (bytes.size() <= max_inline_bytes) {
      put_file("/ac/" + hex_text(name), write_action_result({.inline_bytes = std::move(bytes)}), deadline,
               std::move(done));
      return;
    }
    // Upload the entry first, so that readers who find the ActionResult find the entry, too.
    const Result<Digest> digest = sha256(bytes);
    if (!digest.ok()) return loop_.defer([done, error = digest.error()] { done(error); });
    const ActionResult result{.sha256 = hex_text(*digest), .size = bytes.size()};
    put_file(
        "/cas/" + result.sha256, std::move(bytes), deadline,
        [this, name, deadline, text = write_action_result(result), done = std::move(done)](Result<void> put) {
          if (put.ok())
            put_file("/ac/" + hex_text(name), text, deadline, done);
          else
            done(std::move(put));
        });
  }

private:
  void on_result(Result<HttpReply> reply, SteadyTime deadline, const GetDone &done) {
    if (!reply.ok()) return done(reply.take_error());
    if (reply->status == 404) return done(std::optional<std::string>());
    if (reply->status != 200) return done(status_error("GET", reply->status));
    Result<ActionResult> result = read_action_result(reply->body);
    if (!result.ok()) return done(result.take_error());
    if (!result->inline_bytes.empty()) return done(std::optional(std::move(result->inline_bytes)));
    if (result->size == 0 || result->size > max_entry_bytes)
      return done(machine_error(fmt::format("an entry of {} bytes", result->size)));
    client_.send(
        {.path = "/cas/" + result->sha256, .deadline = deadline, .max_reply_bytes = size_t(result->size)},
        [expected = std::move(*result), done](Result<HttpReply> payload) {
          on_payload(std::move(payload), expected, done);
        });
  }

  static void on_payload(Result<HttpReply> reply, const ActionResult &expected, const GetDone &done) {
    if (!reply.ok()) return done(reply.take_error());
    // A server may drop a payload under /cas/ earlier than the ActionResult that names it: a miss.
    if (reply->status == 404) return done(std::optional<std::string>());
    if (reply->status != 200) return done(status_error("GET", reply->status));
    const Result<Digest> digest = sha256(reply->body);
    if (!digest.ok()) return done(digest.error());
    if (reply->body.size() != expected.size || hex_text(*digest) != expected.sha256)
      return done(machine_error("a payload does not have the digest of its name"));
    done(std::optional(std::move(reply->body)));
  }

  void put_file(std::string path, std::string body, SteadyTime deadline, PutDone done) {
    client_.send({.path = std::move(path),
                  .body = std::move(body),
                  .deadline = deadline,
                  .max_reply_bytes = max_result_bytes},
                 [done = std::move(done)](Result<HttpReply> reply) {
                   if (!reply.ok()) return done(reply.take_error());
                   if (reply->status < 200 || reply->status > 299)
                     return done(status_error("PUT", reply->status));
                   done({});
                 });
  }

  EventLoop &loop_;
  HttpClient client_;
};

} // namespace

std::unique_ptr<RemoteServer> make_http_server(EventLoop &loop, const RemoteUrl &url,
                                               const ServerSettings &settings) {
  return std::make_unique<HttpServer>(loop, url, settings);
}

} // namespace kiln
