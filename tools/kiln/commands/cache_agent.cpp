// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln cache agent, keygen and sign: each runs the separate program kiln-agent. Kiln-agent has its own
// package, because it needs libcurl, hiredis and libsodium.
#include "cache_entries.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <unistd.h>

namespace kiln::tool {

namespace {

/// Replaces this process by the program kiln-agent (exec) with the arguments `words`. Returns only if the
/// exec fails.
Error run_agent(std::vector<std::string> words) {
  std::error_code unknown;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const std::string beside = (own.parent_path() / "kiln-agent").string();
  words.insert(words.begin(), "kiln-agent");
  std::vector<char *> arguments;
  for (std::string &word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execv(beside.c_str(), arguments.data());
  ::execvp("kiln-agent", arguments.data());
  return machine_error(fmt::format("kiln-agent cannot be run: {}", std::strerror(errno)),
                       "install the package kiln-agent, or build Kiln with KILN_BUILD_AGENT=ON");
}

/// Leaves all words after the command's name unparsed, also --help, for kiln-agent's own command line.
void pass_on(CLI::App &app) {
  app.set_help_flag();
  app.prefix_command();
}

Action pass_to(CLI::App &app, const char *command) {
  pass_on(app);
  return [&app, command]() -> Result<void> {
    std::vector<std::string> words = app.remaining();
    words.insert(words.begin(), command);
    return run_agent(std::move(words));
  };
}

} // namespace

Action cache_agent_command(CLI::App &app) {
  pass_on(app);
  return [&app]() -> Result<void> {
    std::vector<std::string> words = app.remaining();
    const bool names_command = !words.empty() && !words.front().starts_with('-');
    const bool wants_metrics = !names_command && std::erase(words, "--metrics") != 0;
    if (!names_command) words.insert(words.begin(), wants_metrics ? "metrics" : "serve");
    return run_agent(std::move(words));
  };
}

Action cache_keygen_command(CLI::App &app) { return pass_to(app, "keygen"); }
Action cache_sign_command(CLI::App &app) { return pass_to(app, "sign"); }

Error run_agent_verify(const std::string &trust_keys, std::vector<std::string> words) {
  words.insert(words.begin(), {"verify", "--trust-keys", trust_keys});
  return run_agent(std::move(words));
}

} // namespace kiln::tool
