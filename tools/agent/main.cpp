// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program kiln-agent: its command line and exit statuses. 0 done, or another agent serves already; 1
// failure; 2 wrong usage.
#include <agent/agent.h>
#include <kiln/version.h>
#include <remote/remote.h>
#include <support/descriptor.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <curl/curl.h>
#include <hiredis/hiredis.h>
#include <new>
#include <sodium.h>
#include <unistd.h>

namespace kiln::tool {

namespace {

constexpr const char *description =
    "Connects the sessions of a user on this machine with remote caches.\n"
    "The first session with a remote starts it; systemd or a container may start it too.";
constexpr const char *more_help =
    "Commands:\n"
    "  serve                              serve sessions (the default)\n"
    "  stat                               print the running agent's counters as JSON\n"
    "  stop                               end the running agent after its uploads, within a second\n\n"
    "Environment:\n"
    "  KILN_AGENT                         path of the socket\n"
    "  KILN_REMOTE_TOKEN                  bearer token for HTTP remotes\n"
    "  KILN_REMOTE_CERT, KILN_REMOTE_KEY  client certificate and its key, for https\n"
    "  KILN_REMOTE_CA                     certificates of the authorities to trust, for https\n"
    "  KILN_REMOTE_EXPIRY                 seconds until Redis drops an entry (2592000)\n"
    "  http_proxy, https_proxy, no_proxy  proxies, as curl reads them";

struct Options {
  std::string command = "serve", socket, log = "warning";
  unsigned idle = 300;
};

bool print(std::FILE *stream, std::string_view text) {
  return std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fputc('\n', stream) != EOF &&
         std::fflush(stream) == 0;
}

int report(const Error &error) {
  print(stderr, render(error, ::isatty(STDERR_FILENO)));
  return error.kind() == ErrorKind::Usage ? 2 : 1;
}

void log_line(LogLevel level, std::string_view message) {
  static constexpr std::string_view prefixes[] = {"", "", "warning: ", "info: ", "debug: "};
  print(stderr, fmt::format("kiln-agent: {}{}", prefixes[size_t(level)], message));
}

int serve(const Options &options) {
  AgentOptions agent{.socket_path = options.socket, .idle = std::chrono::seconds(options.idle)};
  Result<ServerSettings> settings = read_server_settings();
  if (!settings.ok()) return report(settings.error());
  agent.settings = std::move(*settings);
  const Result<AgentEnd> end = serve_agent(agent, *read_log_level(options.log), log_line);
  return end.ok() ? 0 : report(end.error());
}

int stat(const Options &options) {
  const Result<std::string> text = agent_report(options.socket);
  if (!text.ok()) return report(text.error());
  if (print(stdout, *text)) return 0;
  return report(machine_error("cannot write to standard output", "write to a file or pipe that takes it"));
}

int stop(const Options &options) {
  const Result<bool> stopped = stop_agent(options.socket);
  if (!stopped.ok()) return report(stopped.error());
  if (!*stopped) print(stderr, fmt::format("kiln-agent: no agent listens at {}", options.socket));
  return 0;
}

int main(int argc, char **argv) {
  Options options;
  CLI::App app{description, "kiln-agent"};
  app.footer(more_help);
  app.set_version_flag("--version",
                       fmt::format("kiln-agent {} (libcurl {}, hiredis {}.{}.{}, libsodium {})", KILN_VERSION,
                                   ::curl_version_info(CURLVERSION_NOW)->version, HIREDIS_MAJOR,
                                   HIREDIS_MINOR, HIREDIS_PATCH, ::sodium_version_string()));
  app.add_option("command", options.command, "serve, stat or stop")
      ->check(CLI::IsMember({"serve", "stat", "stop"}));
  app.add_option("--socket", options.socket, "Path of the socket, in a folder of your own with mode 0700")
      ->type_name("PATH");
  CLI::Option *idle =
      app.add_option("--idle", options.idle, "Seconds without a session after which it ends (300); 0: never")
          ->type_name("SECONDS");
  CLI::Option *log = app.add_option("--log", options.log, "error, warning, info or debug")
                         ->type_name("LEVEL")
                         ->check(CLI::IsMember({"error", "warning", "info", "debug"}));
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &wanted) { // --help, --version
    return app.exit(wanted);
  } catch (const CLI::ParseError &e) {
    return report(make_error(ErrorCode::Usage, e.what(), {}, "kiln-agent --help lists commands and options"));
  }
  if (options.socket.empty()) options.socket = agent_socket_path();
  if (options.command == "serve") return serve(options);
  if (*idle || *log)
    return report(make_error(ErrorCode::Usage,
                             fmt::format("{} takes neither --idle nor --log", options.command), {},
                             "give them to `kiln-agent serve`"));
  return options.command == "stat" ? stat(options) : stop(options);
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
  std::signal(SIGXFSZ, SIG_IGN); // a file that may not grow is an error of its write
  const int status = kiln::tool::guarded_main(argc, argv);
  std::fflush(stdout);
  std::_Exit(status); // a helper thread may hang in a file system
}
