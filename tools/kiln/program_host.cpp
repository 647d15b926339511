// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "program_host.h"

#include "output.h"

#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <pthread.h>
#include <unistd.h>

namespace kiln::tool {

namespace {

std::atomic<bool> is_interrupted{false};
std::atomic<Program *> interrupted_program{nullptr};
pthread_t program_thread; ///< Ctrl-C interrupts its reads

void on_interrupt(int) {
  if (!::pthread_equal(::pthread_self(), program_thread)) {
    ::pthread_kill(program_thread, SIGINT);
    return;
  }
  Program *program = interrupted_program;
  if (is_interrupted.exchange(true) && (!program || program->has_pending_interrupt()))
    ::_exit(interrupted_status);
  if (program) program->interrupt();
}

/// Keeps freed memory for the program, whose loops make and free arrays of the same sizes. By default, glibc
/// returns the heap's end to the system after each round, and the next round faults its pages in again (a
/// fifth of the time of a loop that splits a text). fits_memory returns it before a program runs out of
/// memory.
void keep_freed_memory() {
#ifdef __GLIBC__
  ::mallopt(M_TRIM_THRESHOLD, 256 << 20);
  ::mallopt(M_MMAP_THRESHOLD,
            32 << 20); // glibc's greatest; it no longer adapts by itself after the first call
#endif
}

} // namespace

void write_error(std::string_view text) {
  flush_output(); // earlier output comes first
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fputc('\n', stderr);
}

bool read_line(std::string &line) {
  flush_output(); // std::cin flushes too, but drops the error
  if (std::getline(std::cin, line)) return true;
  if (is_interrupted) { // not the end of the input
    std::clearerr(stdin);
    std::cin.clear();
  }
  return false;
}

Interrupts::Interrupts(Program &program) {
  interrupted_program = &program;
  program_thread = ::pthread_self();
  struct sigaction action{};
  action.sa_handler = on_interrupt; // no SA_RESTART: Ctrl-C ends a read of the prompt
  sigaction(SIGINT, &action, nullptr);
}

Interrupts::~Interrupts() {
  std::signal(SIGINT, SIG_DFL);
  interrupted_program = nullptr;
}

void Interrupts::begin() { is_interrupted = false; }
bool Interrupts::taken() const { return is_interrupted; }

Result<void> with_program_session(const CommonOptions &common, const SessionBody &body) {
  SessionOptions options = common.session();
  options.host_library = &programs_library();
  return with_session(common, options, body);
}

void add_program_device(CLI::App &app, std::string &device) {
  app.add_option("--device", device,
                 "where CuArrays lie and kernels run (default: a GPU where there is one, else cpu)")
      ->type_name("cpu|cuda[:N]|opencl[:N]");
}

Result<std::unique_ptr<Program>> make_program(Session &session, std::vector<std::string> arguments,
                                              std::string device) {
  keep_freed_memory();
  ProgramOptions options{.arguments = std::move(arguments)};
  options.output = write_output;
  options.error_output = [](std::string_view text) {
    flush_output();
    std::fwrite(text.data(), 1, text.size(), stderr);
  };
  options.input = []() -> std::optional<std::string> {
    std::string line;
    if (!read_line(line)) return std::nullopt;
    return line;
  };
  options.environment = [](const std::string &name) -> std::optional<std::string> {
    const char *value = std::getenv(name.c_str());
    return value ? std::optional<std::string>(value) : std::nullopt;
  };
  options.device = std::move(device);
  options.is_colour = wants_colour(STDOUT_FILENO);
  return Program::make(session, std::move(options));
}

} // namespace kiln::tool
