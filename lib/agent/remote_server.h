// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One server of a remote store and its protocol. It knows nothing of breakers, signatures or clients.
#pragma once

#include "event_loop.h"
#include "url.h"

#include <lease/lease.h>
#include <remote/remote.h>

#include <functional>
#include <memory>
#include <optional>

namespace kiln {

/// Maximum size of an entry in bytes. Larger replies of a server are faults.
inline constexpr size_t max_entry_bytes = size_t(64) << 20;

/// Leases of a server. Each call except release() calls `done` once, from the loop and never before it
/// returns. Used by the loop's thread alone.
class LeaseServer {
public:
  using Done = std::function<void(const LeaseReply &)>;
  virtual ~LeaseServer() = default;
  /// The reply shows the present lease.
  virtual void acquire(const LeaseKey &key, uint64_t nonce, const std::string &holder, LeaseTime time_to_live,
                       Done done) = 0;
  virtual void renew(const LeaseKey &key, const LeaseId &id, LeaseTime time_to_live, Done done) = 0;
  virtual void look(const LeaseKey &key, Done done) = 0;
  virtual void release(const LeaseKey &key, const LeaseId &id) = 0;
};

/// A job that a worker of this node holds.
struct HeldJob {
  std::string queue;
  Fingerprint job;
  uint64_t nonce = 0; ///< identifies this attempt
};

/// Queues of jobs of a server. Each call calls `done` once, from the loop and never before it returns. No
/// value: no valid reply. Used by the loop's thread alone.
class JobServer {
public:
  using Done = std::function<void(const std::optional<std::string> &reply)>;
  /// Time that the server keeps a job for a worker without a renewal. It is long compared with a busy
  /// machine's pauses, and short compared with a compile that another worker would repeat.
  static constexpr std::chrono::milliseconds time_to_live{5'000}, beat{1'000};
  virtual ~JobServer() = default;
  /// The reply has a TaskState for each job of the request; other_list: the queue has another list.
  virtual void take(const AgentTake &request, uint64_t nonce, Done done) = 0;
  static constexpr std::string_view other_list = "L";
  /// The reply has '1' for each job still held, '0' for the others.
  virtual void renew(const std::vector<HeldJob> &jobs, Done done) = 0;
  /// An empty outcome: the worker has ended.
  virtual void finish(const HeldJob &job, std::optional<AgentFinish::Outcome> outcome) = 0;
};

/// Effect of a put on an existing entry.
enum class PutRule : uint8_t {
  KeepFirst, ///< keep it, if the server can: late publishers change nothing
  Replace,   ///< overwrite it, because it is not trusted
};

/// Asynchronous access to one server. Used by the loop's thread alone.
///
/// Each call calls `done` once, from the loop and never before it returns. A late request ends as an error.
/// The destructor drops pending requests without a report.
class RemoteServer {
public:
  using GetDone =
      std::function<void(Result<std::optional<std::string>>)>; ///< empty: the server has no such entry
  using PutDone = std::function<void(Result<void>)>;
  virtual ~RemoteServer() = default;
  virtual void get(const RemoteName &name, std::chrono::milliseconds limit, GetDone done) = 0;
  virtual void put(const RemoteName &name, std::string bytes, PutRule rule, std::chrono::milliseconds limit,
                   PutDone done) = 0;
  /// Null: the server has no leases.
  virtual std::shared_ptr<LeaseServer> leases() { return nullptr; }
  virtual std::shared_ptr<JobServer> jobs() { return nullptr; } ///< null if leases() is
};

/// Settings of S3, from the standard variables of AWS.
struct S3Settings {
  std::string endpoint;      ///< AWS_ENDPOINT_URL_S3, else AWS_ENDPOINT_URL; empty: AWS
  std::string region;        ///< AWS_REGION, else AWS_DEFAULT_REGION, else us-east-1
  std::string key_id;        ///< AWS_ACCESS_KEY_ID; empty: unsigned requests
  std::string secret;        ///< AWS_SECRET_ACCESS_KEY
  std::string session_token; ///< AWS_SESSION_TOKEN: of temporary credentials
};

/// Settings of all servers, from the environment.
struct ServerSettings {
  std::string token;                           ///< KILN_REMOTE_TOKEN: for HTTP servers whose URL has no user
  std::string certificate, key, authorities;   ///< KILN_REMOTE_CERT, KILN_REMOTE_KEY, KILN_REMOTE_CA: files
  std::chrono::seconds expiry{30 * 24 * 3600}; ///< KILN_REMOTE_EXPIRY: of entries in Redis
  S3Settings s3;
};
/// Error (Usage): KILN_REMOTE_EXPIRY is no number of seconds.
Result<ServerSettings> read_server_settings();

std::unique_ptr<RemoteServer> make_http_server(EventLoop &loop, const RemoteUrl &url,
                                               const ServerSettings &settings);
std::unique_ptr<RemoteServer> make_redis_server(EventLoop &loop, const RemoteUrl &url,
                                                const ServerSettings &settings);
std::unique_ptr<RemoteServer> make_folder_server(EventLoop &loop, const RemoteUrl &url);
/// Error (Usage): the settings of S3 contradict each other, or name no server.
Result<std::unique_ptr<RemoteServer>> make_s3_server(EventLoop &loop, const RemoteUrl &url,
                                                     const ServerSettings &settings);
/// Makes the server for the URL's scheme. Error: that of make_s3_server().
Result<std::unique_ptr<RemoteServer>> make_server(EventLoop &loop, const RemoteUrl &url,
                                                  const ServerSettings &settings);

/// Text of a server for a message: printable, and at most 200 bytes.
std::string printable(std::string_view text);

} // namespace kiln
