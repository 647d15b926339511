// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program kiln-agent: its command line and exit statuses:
// 0 success, or another agent already serves
// 1 failure, or a rejected entry
// 2 wrong usage
#include "background.h"

#include <agent/agent.h>
#include <kiln/version.h>
#include <remote/remote.h>
#include <support/descriptor.h>
#include <trust/trust.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <curl/curl.h>
#include <filesystem>
#include <hiredis/hiredis.h>
#include <new>
#include <sodium.h>
#include <unistd.h>

namespace kiln::tool {

namespace {

constexpr const char *description =
    "Connects the sessions of a user on this machine with remote caches.\n"
    "The first session with a remote starts it; systemd or a container may start it too.";
constexpr const char *environment =
    "Environment:\n"
    "  KILN_AGENT                         path of the socket\n"
    "  KILN_REMOTE_TRUST                  required (entries need a signature) or none\n"
    "  KILN_REMOTE_TRUST_KEYS             file with the public keys of trusted writers\n"
    "  KILN_REMOTE_SIGN_KEY               file with this machine's secret key: it uploads entries\n"
    "  KILN_REMOTE_LEASE                  redis:// URL for leases of stores without leases\n"
    "  KILN_REMOTE_TOKEN                  bearer token for HTTP remotes\n"
    "  KILN_REMOTE_CERT, KILN_REMOTE_KEY  client certificate and its key, for https\n"
    "  KILN_REMOTE_CA                     certificates of the authorities to trust, for https\n"
    "  KILN_REMOTE_EXPIRY                 seconds until Redis drops an entry (2592000)\n"
    "  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN\n"
    "                                     credentials for s3:// remotes; without them, it reads public buckets\n"
    "  AWS_REGION, AWS_DEFAULT_REGION     region of the buckets (us-east-1)\n"
    "  AWS_ENDPOINT_URL_S3, AWS_ENDPOINT_URL\n"
    "                                     address of a server other than AWS: http://host:port\n"
    "  OTEL_EXPORTER_OTLP_ENDPOINT        collector that gets the spans of sessions\n"
    "  OTEL_EXPORTER_OTLP_HEADERS         its headers: name=value,...\n"
    "  http_proxy, https_proxy, no_proxy  proxies, as curl reads them";

bool print(std::FILE *stream, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fputc('\n', stream) != EOF &&
         std::fflush(stream) == 0;
}

int report(const Error &error) {
  print(stderr, render(error, ::isatty(STDERR_FILENO)));
  return error.kind() == ErrorKind::Usage ? 2 : 1;
}

/// Prints a command's result. Returns the exit status: 0 if `is_good`, else 1.
int show(std::string_view text, bool is_good = true) {
  if (text.ends_with('\n')) text.remove_suffix(1);
  if (!print(stdout, text))
    return report(machine_error("cannot write to standard output", "write to a file or pipe that takes it"));
  return is_good ? 0 : 1;
}

template <class Report> int show(const Result<Report> &made, bool as_json) {
  if (!made.ok()) return report(made.error());
  bool is_good = true;
  if constexpr (requires { made->ok(); }) is_good = made->ok();
  return show(as_json ? made->json() : made->text(), is_good);
}

void log_line(LogLevel level, std::string_view message) {
  static constexpr std::string_view prefixes[] = {"", "", "warning: ", "info: ", "debug: "};
  print(stderr, fmt::format("kiln-agent: {}{}", prefixes[size_t(level)], message));
}

// ---- commands. Each adds its options to `app` and returns its action.

using Run = std::function<int()>;

std::shared_ptr<std::string> add_socket(CLI::App &app) {
  auto socket = std::make_shared<std::string>();
  app.add_option("--socket", *socket, "path of the socket, in a folder of your own with mode 0700")
      ->type_name("PATH");
  return socket;
}

std::string path_of(const std::string &socket) { return socket.empty() ? agent_socket_path() : socket; }

struct ServeOptions {
  std::string log = "warning", trust, trust_keys, sign_key, lease;
  unsigned idle = 300;
  bool background = false;
};

Result<TrustOptions> trust_options(const ServeOptions &options) {
  auto chosen = [](const std::string &option, const char *variable) {
    return option.empty() ? environment_text(variable) : option;
  };
  TrustOptions trust{.trust_keys_file = chosen(options.trust_keys, "KILN_REMOTE_TRUST_KEYS"),
                     .sign_key_file = chosen(options.sign_key, "KILN_REMOTE_SIGN_KEY")};
  if (const std::string mode = chosen(options.trust, "KILN_REMOTE_TRUST"); !mode.empty()) {
    KILN_TRY(trust.mode, read_trust_mode(mode));
  }
  return trust;
}

/// Changes to the root folder, so that the agent does not keep another file system busy. Makes the paths in
/// its options absolute first.
void leave_folder(AgentOptions &agent) {
  for (std::string *path :
       {&agent.socket_path, &agent.settings.certificate, &agent.settings.key, &agent.settings.authorities,
        &agent.trust.trust_keys_file, &agent.trust.sign_key_file}) {
    std::error_code failed;
    const std::filesystem::path absolute = std::filesystem::absolute(*path, failed);
    if (!path->empty() && !failed) *path = absolute.string();
  }
  (void)!::chdir("/");
}

int serve(const ServeOptions &options, const std::string &socket) {
  AgentOptions agent{.socket_path = path_of(socket), .idle = std::chrono::seconds(options.idle)};
  Result<ServerSettings> settings = read_server_settings();
  if (!settings.ok()) return report(settings.error());
  agent.settings = std::move(*settings);
  Result<TrustOptions> trust = trust_options(options);
  if (!trust.ok()) return report(trust.error());
  agent.trust = std::move(*trust);
  agent.lease_url = options.lease.empty() ? environment_text("KILN_REMOTE_LEASE") : options.lease;
  leave_folder(agent);
  if (options.background) {
    Result<Background> child = go_to_background();
    if (!child.ok()) return report(child.error());
    if (child->is_parent) return child->status;
    agent.on_ready = [ready = child->ready] { report_ready(ready); };
  }
  const Result<AgentEnd> end = serve_agent(agent, *read_log_level(options.log), log_line);
  return end.ok() ? 0 : report(end.error());
}

Run add_serve(CLI::App &app) {
  auto options = std::make_shared<ServeOptions>();
  auto socket = add_socket(app);
  app.add_option("--idle", options->idle, "seconds without a session after which it ends (300); 0: never")
      ->type_name("SECONDS");
  app.add_option("--trust", options->trust, "required: entries need a signature (the default); none")
      ->type_name("MODE")
      ->check(CLI::IsMember({"required", "none"}));
  app.add_option("--trust-keys", options->trust_keys, "the public keys of trusted writers")
      ->type_name("FILE");
  app.add_option("--sign-key", options->sign_key, "this machine's secret key: it uploads entries")
      ->type_name("FILE");
  app.add_option("--lease", options->lease, "a server for leases: one compile of a kernel in the fleet")
      ->type_name("redis://HOST");
  app.add_option("--log", options->log, "error, warning, info or debug")
      ->type_name("LEVEL")
      ->check(CLI::IsMember({"error", "warning", "info", "debug"}));
  app.add_flag("--background", options->background, "return when sessions can connect");
  return [options, socket] { return serve(*options, *socket); };
}

Run add_stat(CLI::App &app) {
  auto socket = add_socket(app);
  return [socket] {
    const Result<std::string> text = agent_report(path_of(*socket));
    return text.ok() ? show(*text) : report(text.error());
  };
}

Run add_metrics(CLI::App &app) {
  auto socket = add_socket(app);
  return [socket] {
    const Result<std::string> text = agent_report(path_of(*socket));
    if (!text.ok()) return report(text.error());
    const Result<std::string> metrics = metrics_of(*text);
    return metrics.ok() ? show(*metrics) : report(metrics.error());
  };
}

Run add_stop(CLI::App &app) {
  auto socket = add_socket(app);
  return [socket] {
    const Result<bool> stopped = stop_agent(path_of(*socket));
    if (!stopped.ok()) return report(stopped.error());
    if (!*stopped) print(stderr, fmt::format("kiln-agent: no agent listens at {}", path_of(*socket)));
    return 0;
  };
}

std::shared_ptr<bool> add_json(CLI::App &app) {
  auto as_json = std::make_shared<bool>(false);
  app.add_flag("--json", *as_json, "the result as JSON");
  return as_json;
}

Run add_keygen(CLI::App &app) {
  auto options = std::make_shared<KeygenOptions>();
  auto as_json = add_json(app);
  app.add_option("file", options->file, "of the secret key; the public key goes to FILE.pub")
      ->required()
      ->type_name("FILE");
  app.add_option("--name", options->name, "a name for trust lists")->type_name("NAME");
  return [options, as_json] { return show(make_key_files(*options), *as_json); };
}

Run add_sign(CLI::App &app) {
  auto options = std::make_shared<SignOptions>();
  auto as_json = add_json(app);
  app.add_option("entries", options->paths, "folders of file:// stores, or files of entries")
      ->required()
      ->type_name("FOLDER|FILE...");
  app.add_option("--sign-key", options->sign_key_file, "the secret key")->required()->type_name("FILE");
  app.add_option("--trust-keys", options->trust_keys_file, "sign entries of these writers too")
      ->type_name("FILE");
  return [options, as_json] { return show(sign_entries(*options), *as_json); };
}

Run add_verify(CLI::App &app) {
  auto options = std::make_shared<VerifyOptions>();
  auto as_json = add_json(app);
  app.add_option("entries", options->paths, "folders of file:// stores, or files of entries")
      ->required()
      ->type_name("FOLDER|FILE...");
  app.add_option("--trust-keys", options->trust_keys_file, "the public keys of trusted writers")
      ->required()
      ->type_name("FILE");
  return [options, as_json] { return show(verify_entries(*options), *as_json); };
}

constexpr struct {
  const char *name, *about;
  Run (*add)(CLI::App &app);
} commands[] = {
    {"serve", "serves sessions (the default)", add_serve},
    {"stat", "prints the running agent's counters as JSON", add_stat},
    {"metrics", "prints them in Prometheus' text format", add_metrics},
    {"stop", "ends the running agent after its uploads, within a second", add_stop},
    {"keygen", "makes a key that signs entries", add_keygen},
    {"sign", "signs entries in a folder", add_sign},
    {"verify", "checks the signatures of entries in a folder", add_verify},
};

int main(int argc, char **argv) {
  CLI::App app{description, "kiln-agent"};
  app.footer(environment);
  app.set_version_flag("--version",
                       fmt::format("kiln-agent {} (libcurl {}, hiredis {}.{}.{}, libsodium {})", KILN_VERSION,
                                   ::curl_version_info(CURLVERSION_NOW)->version, HIREDIS_MAJOR,
                                   HIREDIS_MINOR, HIREDIS_PATCH, ::sodium_version_string()));
  app.require_subcommand(0, 1);
  std::vector<std::pair<CLI::App *, Run>> added;
  for (const auto &command : commands) {
    CLI::App *sub = app.add_subcommand(command.name, command.about);
    added.emplace_back(sub, command.add(*sub));
  }
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &wanted) { // --help, --version
    return app.exit(wanted);
  } catch (const CLI::ParseError &e) {
    return report(make_error(ErrorCode::Usage, e.what(), {}, "kiln-agent --help lists commands and options"));
  }
  for (const auto &[sub, run] : added)
    if (sub->parsed()) return run();
  return serve({}, {});
}

int guarded_main(int argc, char **argv) {
  try {
    return main(argc, argv);
  } catch (const std::bad_alloc &) {
    return report(Error(ErrorCode::OutOfMemory, "out of memory"));
  } catch (const std::exception &e) {
    return report(internal_error(fmt::format("an exception reached main: {}", e.what())));
  }
}

} // namespace

} // namespace kiln::tool

int main(int argc, char **argv) {
  kiln::set_hint_door(kiln::HintDoor::Program);
  kiln::reserve_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN); // a write past the file size limit then fails with an error
  const int status = kiln::tool::guarded_main(argc, argv);
  std::fflush(stdout);
  std::_Exit(status); // skips destructors: a helper thread may hang in a file system
}
