// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Interfaces of one server: entries, leases, and queues of jobs. They know nothing of breakers, signatures or
// sessions.
#pragma once

#include "event_loop.h"
#include "url.h"

#include <lease/lease.h>
#include <remote/remote.h>

#include <functional>
#include <memory>
#include <optional>

namespace kiln {

/// Maximum size of an entry in bytes. A larger reply of a server is an error.
inline constexpr size_t max_entry_bytes = size_t(64) << 20;

/// Leases on a server. Each function except release() calls `done` once, from the event loop after the
/// function has returned. Used only by the loop's thread.
class LeaseServer {
public:
  using Done = std::function<void(const LeaseReply &)>;
  virtual ~LeaseServer() = default;
  /// Takes the lease of `key` if it is free. The reply shows the lease that exists afterwards.
  virtual void acquire(const LeaseKey &key, uint64_t nonce, const std::string &holder, LeaseTime time_to_live,
                       Done done) = 0;
  virtual void renew(const LeaseKey &key, const LeaseId &id, LeaseTime time_to_live, Done done) = 0;
  virtual void look(const LeaseKey &key, Done done) = 0;
  virtual void release(const LeaseKey &key, const LeaseId &id) = 0;
};

/// A job of a queue that a worker of this node holds.
struct HeldJob {
  std::string queue;
  Fingerprint job;
  uint64_t nonce = 0; ///< identifies this attempt
};

/// Queues of jobs on a server. Each function calls `done` once, from the event loop after the function has
/// returned. No value: the server gave no valid reply. Used only by the loop's thread.
class JobServer {
public:
  using Done = std::function<void(const std::optional<std::string> &reply)>;
  /// Time for which the server keeps a job for a worker without a renewal, and time between renewals. Long
  /// compared with pauses of a busy machine. Short compared with the compile that another worker must repeat.
  static constexpr std::chrono::milliseconds time_to_live{5'000}, beat{1'000};
  virtual ~JobServer() = default;
  /// Takes jobs. The reply has one TaskState per job of the request, or is other_list if the queue has
  /// another list of jobs.
  virtual void take(const AgentTake &request, uint64_t nonce, Done done) = 0;
  static constexpr std::string_view other_list = "L";
  /// Renews held jobs. The reply has '1' for each job that is still held, and '0' for the others.
  virtual void renew(const std::vector<HeldJob> &jobs, Done done) = 0;
  /// Ends a job. No outcome: the worker has ended, and the job is free again.
  virtual void finish(const HeldJob &job, std::optional<AgentFinish::Outcome> outcome) = 0;
};

/// Effect of put() if the server already has the entry.
enum class PutRule : uint8_t {
  KeepFirst, ///< keep the old entry if the server can, so that late uploads change nothing
  Replace,   ///< overwrite the old entry, because it is not trusted
};

/// Asynchronous access to the entries of one server. Used only by the event loop's thread.
///
/// Each function calls `done` once, from the loop after the function has returned. A request that takes too
/// long ends with an error. The destructor drops pending requests without calling `done`.
class RemoteServer {
public:
  using GetDone =
      std::function<void(Result<std::optional<std::string>>)>; ///< no value: the server has no such entry
  using PutDone = std::function<void(Result<void>)>;
  virtual ~RemoteServer() = default;
  virtual void get(const RemoteName &name, std::chrono::milliseconds limit, GetDone done) = 0;
  virtual void put(const RemoteName &name, std::string bytes, PutRule rule, std::chrono::milliseconds limit,
                   PutDone done) = 0;
  /// Returns the server's leases; null: it has none.
  virtual std::shared_ptr<LeaseServer> leases() { return nullptr; }
  virtual std::shared_ptr<JobServer> jobs() { return nullptr; } ///< null if leases() is
};

/// Settings of S3, read from AWS's standard environment variables.
struct S3Settings {
  std::string endpoint;      ///< AWS_ENDPOINT_URL_S3, else AWS_ENDPOINT_URL; empty: AWS
  std::string region;        ///< AWS_REGION, else AWS_DEFAULT_REGION, else us-east-1
  std::string key_id;        ///< AWS_ACCESS_KEY_ID; empty: unsigned requests
  std::string secret;        ///< AWS_SECRET_ACCESS_KEY
  std::string session_token; ///< AWS_SESSION_TOKEN: of temporary credentials
};

/// Settings of all servers, read from the environment.
struct ServerSettings {
  std::string token;                           ///< KILN_REMOTE_TOKEN, for HTTP servers whose URL has no user
  std::string certificate, key, authorities;   ///< KILN_REMOTE_CERT, KILN_REMOTE_KEY, KILN_REMOTE_CA: files
  std::chrono::seconds expiry{30 * 24 * 3600}; ///< KILN_REMOTE_EXPIRY: of entries in Redis
  S3Settings s3;
};
/// Reads the settings. Error (Usage): KILN_REMOTE_EXPIRY is not a number of seconds.
Result<ServerSettings> read_server_settings();

std::unique_ptr<RemoteServer> make_http_server(EventLoop &loop, const RemoteUrl &url,
                                               const ServerSettings &settings);
std::unique_ptr<RemoteServer> make_redis_server(EventLoop &loop, const RemoteUrl &url,
                                                const ServerSettings &settings);
std::unique_ptr<RemoteServer> make_folder_server(EventLoop &loop, const RemoteUrl &url);
/// Makes a server for an S3 bucket. Errors (Usage): settings of S3 contradict each other, or name no server.
Result<std::unique_ptr<RemoteServer>> make_s3_server(EventLoop &loop, const RemoteUrl &url,
                                                     const ServerSettings &settings);
/// Makes a server of the kind that the URL's scheme names. Errors: those of make_s3_server().
Result<std::unique_ptr<RemoteServer>> make_server(EventLoop &loop, const RemoteUrl &url,
                                                  const ServerSettings &settings);

/// Prepares text from a server for a message: printable characters, and at most 200 bytes.
std::string printable(std::string_view text);

} // namespace kiln
