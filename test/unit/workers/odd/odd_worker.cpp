// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A worker program for tests: a request's first word says what it does. ODD_MODE=mute and ODD_MODE=quits make
// it one that never says welcome.
#include <workers/workers.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace {

using namespace kiln;

bool spent = false;

std::string open_descriptors() {
  std::string numbers;
  DIR *folder = ::opendir("/proc/self/fd");
  while (const dirent *entry = ::readdir(folder))
    if (entry->d_name[0] != '.' && std::atoi(entry->d_name) != ::dirfd(folder))
      numbers += std::string(entry->d_name) + " ";
  ::closedir(folder);
  return numbers;
}

/// The lines of /proc/self/status about signals that are blocked and ignored.
std::string signals() {
  std::ifstream file("/proc/self/status");
  std::string text;
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("SigBlk") || line.starts_with("SigIgn")) text += line + "\n";
  return text;
}

[[noreturn]] void write_and_wait(std::string_view bytes) {
  (void)!::write(worker_descriptor, bytes.data(), bytes.size());
  while (true) ::pause();
}

Message work(const Message &request) {
  const std::string &text = request.payload;
  const std::string word = text.substr(0, text.find(' '));
  const std::string rest = text.size() > word.size() ? text.substr(word.size() + 1) : "";
  if (word == "crash") {
    std::fprintf(stderr, "the last\nwords %s", rest.c_str());
    std::abort();
  }
  if (word == "exit") ::_exit(std::atoi(rest.c_str()));
  if (word == "hang")
    while (true) ::pause(); // which says that it is alive
  if (word == "stop") ::raise(SIGSTOP);
  if (word == "garbage") write_and_wait(std::string(100, 'x'));
  if (word == "half") { // a message whose payload never comes
    const std::string header = message_header(100, std::string(1000, 'y'));
    (void)!::write(worker_descriptor, header.data(), header.size());
    ::_exit(0);
  }
  if (word == "damaged") {
    std::string message = message_header(100, "abc") + "abd";
    write_and_wait(message);
  }
  if (word == "flood")
    for (int i = 0; i < 100'000; i++)
      std::fprintf(stderr, "a line of ten words that nobody reads, number %d\n", i);
  if (word == "large") return {100, std::string(size_t(std::atoll(rest.c_str())), 'z')};
  if (word == "descriptors") return {100, open_descriptors()};
  if (word == "signals") return {100, signals()};
  if (word == "number") return {100, std::to_string(::getpid())};
  if (word == "memory") {
    // Touched, so that it is taken; an optimiser may not leave it out.
    try {
      std::vector<std::unique_ptr<std::string>> taken;
      while (true) taken.push_back(std::make_unique<std::string>(size_t(1) << 24, 'm'));
    } catch (const std::bad_alloc &) {
      spent = true;
      return {101, "out of memory"};
    }
  }
  if (word == "child") { // a program of its own, as ptxas is; its number comes back in a file
    const pid_t child = ::fork();
    if (child == 0) {
      ::execl("/bin/sleep", "sleep", "1000", nullptr);
      ::_exit(1);
    }
    std::ofstream(rest) << child << '\n';
    while (true) ::pause();
  }
  return {100, text};
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 2 || std::strcmp(argv[1], "worker") != 0) return 9;
  const char *mode = std::getenv("ODD_MODE");
  if (mode && !std::strcmp(mode, "mute"))
    while (true) ::pause();
  if (mode && !std::strcmp(mode, "quits")) {
    std::fprintf(stderr, "I quit");
    return 5;
  }
  WorkerService service{.build = mode && !std::strcmp(mode, "other") ? "another build" : "the build",
                        .begin = [](const WorkerHello &) { return Result<void>(); },
                        .work = work,
                        .is_spent = [] { return spent; },
                        .orphaned =
                            [] {
                              ::kill(0, SIGKILL);
                              ::_exit(0);
                            }};
  return serve_worker(worker_descriptor, service).ok() ? 0 : 1;
}
