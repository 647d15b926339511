// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "serve.h"

#include "agent_socket.h"
#include "client_connection.h"
#include "span_exporter.h"

#include <kiln/version.h>
#include <support/descriptor.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

namespace kiln {

namespace {

constexpr int report_schema = 1;
constexpr size_t max_connections = 1'024;
constexpr size_t max_remotes_of_agent = 64;
constexpr std::chrono::milliseconds stop_limit{1'000};
constexpr std::chrono::seconds socket_check{10};

class Agent : public ConnectionHost {
public:
  Agent(EventLoop &loop, AgentSocket socket, const AgentOptions &options, const SpanSettings &spans,
        Secrets &secrets, const Log &log)
      : loop_(loop), socket_(std::move(socket)), options_(options), secrets_(secrets), log_(log),
        spans_(loop, spans, log) {}
  ~Agent() override {
    for (auto &[descriptor, connection] : std::exchange(connections_, {})) loop_.unwatch(descriptor);
  }

  Result<void> serve() {
    KILN_CHECK(watch_signals());
    loop_.watch(socket_.descriptor(), EPOLLIN, [this](uint32_t) { accept_all(); });
    watch_idle();
    watch_socket();
    loop_.run();
    size_t lost = 0;
    for (const auto &[key, remote] : remotes_) lost += remote.store->pending_uploads();
    if (lost != 0) log_.warn("the agent ends with {} entries that are not uploaded", lost);
    return {};
  }

  Result<SharedRemote> open_remote(const std::string &text) override {
    KILN_TRY(const RemoteUrl url, read_remote_url(text));
    const RemoteKey key{url.shown, url.user, url.password};
    for (const auto &[other, remote] : remotes_)
      if (other == key) return remote;
    if (remotes_.size() >= max_remotes_of_agent)
      return machine_error(fmt::format("the agent has {} remotes open, and opens no more", remotes_.size()),
                           "stop it with `kiln-agent stop`");
    KILN_TRY(const EntryTrust trust, entry_trust());
    secrets_.add(url.password);
    if (url.scheme == RemoteUrl::Scheme::Http && (!options_.settings.token.empty() || !url.password.empty()))
      log_.warn("{} gets credentials over a connection that is not encrypted", url.shown);
    KILN_TRY(std::unique_ptr<RemoteServer> server, make_server(loop_, url, options_.settings));
    KILN_TRY(LeaseServers servers, lease_servers(*server));
    auto store =
        std::make_shared<RemoteStore>(loop_, url.shown, std::move(server), trust, log_, options_.limits);
    // A machine that cannot sign publishes nothing, so that no session should wait for it: no leases.
    if (!store->may_write()) servers = {};
    SharedRemote remote{store, std::make_shared<LeaseHub>(loop_, store, std::move(servers.leases)),
                        std::make_shared<JobHub>(loop_, store, std::move(servers.jobs))};
    remotes_.emplace_back(key, remote);
    return remote;
  }

  std::string report() override {
    std::string remotes;
    for (const auto &[key, remote] : remotes_) {
      const std::string more =
          fmt::format(R"("leases":{},"jobs":{})", remote.leases->report(), remote.jobs->report());
      remotes += (remotes.empty() ? "" : ",") + remote.store->report(more);
    }
    const auto uptime = std::chrono::duration_cast<std::chrono::seconds>(EventLoop::now() - began_).count();
    return fmt::format(
        R"({{"schema":{},"version":"{}","protocol":{},"process":{},"uptime_seconds":{},"connections":{},"spans":{},"remotes":[{}]}})",
        report_schema, KILN_VERSION, agent_protocol, ::getpid(), uptime, connections_.size(), spans_.report(),
        remotes);
  }

  void take_spans(std::string json) override { spans_.take(std::move(json)); }

  void begin_stop() override {
    if (std::exchange(is_stopping_, true)) return;
    log_.info("the agent stops");
    stop_time_ = EventLoop::now() + stop_limit;
    loop_.unwatch(socket_.descriptor());
    socket_.close(); // new sessions find no agent
    wait_for_uploads();
  }

  void on_closed(int descriptor) override {
    connections_.erase(descriptor);
    if (connections_.empty()) watch_idle();
  }

private:
  /// Reads the key files when the first remote is opened, so that the session receives an error in them.
  Result<EntryTrust> entry_trust() {
    if (!trust_) {
      KILN_TRY(RemoteTrust read, RemoteTrust::read(options_.trust));
      trust_ = std::make_shared<const RemoteTrust>(std::move(read));
    }
    return EntryTrust{
        .verify = [trust =
                       trust_](const RemoteName &name, std::string_view build,
                               std::string fetched) { return trust->open(name, build, std::move(fetched)); },
        .seal = [trust = trust_](const RemoteName &name, std::string_view build,
                                 const std::string &payload) { return trust->seal(name, build, payload); },
        .may_write = trust_->can_seal()};
  }

  struct LeaseServers {
    std::shared_ptr<LeaseServer> leases; ///< null: no leases
    std::shared_ptr<JobServer> jobs;     ///< null if `leases` is
  };
  /// Returns the lease and job servers: those of options_.lease_url if it is set, else the remote's own.
  Result<LeaseServers> lease_servers(RemoteServer &remote) {
    if (options_.lease_url.empty()) return LeaseServers{remote.leases(), remote.jobs()};
    if (!lease_servers_.leases) {
      KILN_TRY(const RemoteUrl url, read_remote_url(options_.lease_url));
      secrets_.add(url.password);
      KILN_TRY(const std::unique_ptr<RemoteServer> server, make_server(loop_, url, options_.settings));
      lease_servers_ = {server->leases(), server->jobs()};
      if (!lease_servers_.leases)
        return make_error(ErrorCode::Usage, fmt::format("{} has no leases", url.shown), {},
                          "name a redis:// URL in --lease or KILN_REMOTE_LEASE");
    }
    return lease_servers_;
  }

  Result<void> watch_signals() {
    sigset_t ends;
    ::sigemptyset(&ends);
    for (int each : {SIGTERM, SIGINT, SIGHUP}) ::sigaddset(&ends, each);
    sigset_t blocked = ends;
    ::sigaddset(&blocked, SIGPIPE); // writing to a closed connection must return an error, not end the agent
    (void)::pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
    signals_ = OwnedDescriptor(above_standard_streams(::signalfd(-1, &ends, SFD_NONBLOCK | SFD_CLOEXEC)));
    if (!signals_)
      return machine_error(fmt::format("cannot receive signals: {}", std::generic_category().message(errno)));
    loop_.watch(signals_.get(), EPOLLIN, [this](uint32_t) {
      signalfd_siginfo info;
      while (::read(signals_.get(), &info, sizeof info) == ssize_t(sizeof info)) begin_stop();
    });
    return {};
  }

  void accept_all() {
    while (OwnedDescriptor peer = socket_.accept()) {
      // The connection is closed, and its session works without an agent.
      if (connections_.size() >= max_connections) continue;
      loop_.cancel(idle_);
      const int descriptor = peer.get();
      auto connection = std::make_shared<ClientConnection>(loop_, *this, log_, std::move(peer));
      connections_.emplace(descriptor, connection);
      connection->begin();
    }
    if (errno != EMFILE && errno != ENFILE && errno != ENOBUFS && errno != ENOMEM) return;
    // No free descriptors: ignore the socket for 100 ms, since the waiting connection would keep waking the
    // loop.
    log_.warn("cannot accept a connection: {}", std::generic_category().message(errno));
    loop_.set_events(socket_.descriptor(), 0);
    (void)loop_.after(std::chrono::milliseconds(100), [this] {
      if (!is_stopping_) loop_.set_events(socket_.descriptor(), EPOLLIN);
    });
  }

  bool has_uploads() const {
    return spans_.pending() != 0 || std::any_of(remotes_.begin(), remotes_.end(), [](const auto &each) {
             return each.second.store->pending_uploads() != 0;
           });
  }

  void watch_idle() {
    if (options_.idle.count() == 0 || is_stopping_) return;
    loop_.cancel(idle_);
    idle_ = loop_.after(options_.idle, [this] {
      idle_ = 0;
      if (!connections_.empty()) return;
      if (has_uploads()) return watch_idle();
      log_.info("no session for {} s", options_.idle.count());
      begin_stop();
    });
  }

  /// Stops the agent if its socket's file was removed, as cleaners of temporary folders do. An agent that no
  /// session can reach would still keep other agents from starting.
  void watch_socket() {
    (void)loop_.after(socket_check, [this] {
      if (!is_stopping_ && !socket_.is_own()) {
        log_.warn("the agent's socket was removed");
        begin_stop();
      }
      watch_socket();
    });
  }

  void wait_for_uploads() {
    if (!has_uploads() || EventLoop::now() >= stop_time_) return loop_.stop();
    (void)loop_.after(std::chrono::milliseconds(10), [this] { wait_for_uploads(); });
  }

  EventLoop &loop_;
  AgentSocket socket_;
  const AgentOptions &options_;
  Secrets &secrets_;
  const Log &log_;
  SpanExporter spans_;
  std::shared_ptr<const RemoteTrust> trust_; ///< null: no remote opened yet
  LeaseServers lease_servers_;               ///< servers of options_.lease_url; null until they are opened
  OwnedDescriptor signals_;
  const SteadyTime began_ = EventLoop::now();
  using RemoteKey = std::array<std::string, 3>;             ///< URL without credentials, user, password
  std::vector<std::pair<RemoteKey, SharedRemote>> remotes_; ///< kept until the agent ends
  std::unordered_map<int, std::shared_ptr<ClientConnection>> connections_;
  EventLoop::TimerId idle_ = 0;
  bool is_stopping_ = false;
  SteadyTime stop_time_;
};

} // namespace

Result<AgentEnd> serve_agent(const AgentOptions &options, LogLevel level, const LogFunction &sink) {
  Secrets secrets;
  const S3Settings &s3 = options.settings.s3;
  for (const std::string &each : {options.settings.token, s3.key_id, s3.secret, s3.session_token})
    secrets.add(each);
  const Log log(level, [&](LogLevel each, std::string_view message) { sink(each, secrets.hide(message)); });
  // OpenTelemetry's variables also serve other programs. An error in them must not stop the agent.
  Result<SpanSettings> spans = read_span_settings(secrets);
  if (!spans.ok()) log.warn("{}, and spans are dropped", spans.error().diagnostics().front().message);
  KILN_TRY(std::optional<AgentSocket> socket, AgentSocket::listen(options.socket_path));
  if (!socket) {
    log.info("another agent serves {}", options.socket_path);
    if (options.on_ready) options.on_ready();
    return AgentEnd::AnotherServes;
  }
  KILN_TRY(const std::unique_ptr<EventLoop> loop, EventLoop::make());
  log.info("the agent serves {}", options.socket_path);
  Agent agent(*loop, std::move(*socket), options, spans.ok() ? *spans : SpanSettings(), secrets, log);
  if (options.on_ready) options.on_ready();
  KILN_CHECK(agent.serve());
  return AgentEnd::Served;
}

} // namespace kiln
