// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Python.h>

#include "interrupts.h"

#include <atomic>
#include <csignal>
#include <ctime>
#include <pthread.h>
#include <semaphore.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace kiln::python {
namespace {

constexpr long poll_nanoseconds = 50'000'000;
constexpr int idle_polls = 20; ///< polls (50 ms each) without a launch before the watcher sleeps

std::atomic<uint64_t> launches{0}; ///< starts and ends of main-thread launches; odd during a launch
std::atomic<bool> is_started{false}, is_asleep{false};
sem_t wake_up;
struct sigaction before{};

/// The stop source that all launches on the main thread use. Lives as long as the process.
const StopSource &interrupts() {
  static const auto *source = new StopSource;
  return *source;
}

void on_interrupt(int signal, siginfo_t *info, void *context) {
  interrupts().request_stop();
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(signal, info, context);
  else
    before.sa_handler(signal);
}

void wait_for(long nanoseconds) {
  timespec until{};
  ::clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += nanoseconds;
  until.tv_sec += until.tv_nsec / 1'000'000'000;
  until.tv_nsec %= 1'000'000'000;
  ::sem_timedwait(&wake_up, &until);
}

/// Lets SIGINT stop the kernel of a launch on the main thread, until that launch ends.
void watch_launch(uint64_t launch) {
  struct sigaction action{};
  ::sigaction(SIGINT, nullptr, &before);
  if (!(before.sa_flags & SA_SIGINFO) && (before.sa_handler == SIG_DFL || before.sa_handler == SIG_IGN))
    return; // SIGINT is ignored or ends the process: nothing to do
  action = before;
  action.sa_sigaction = on_interrupt;
  action.sa_flags |= SA_SIGINFO;
  ::sigaction(SIGINT, &action, nullptr);
  while (launches == launch) wait_for(poll_nanoseconds);
  ::sigaction(SIGINT, &before, nullptr);
}

void *watch(void *) {
  uint64_t seen = 0;
  for (int idle = 0;;) {
    wait_for(poll_nanoseconds);
    const uint64_t now = launches;
    if (now % 2 && now == seen) watch_launch(now);
    idle = now == seen ? idle + 1 : 0;
    seen = now;
    if (idle < idle_polls) continue;
    is_asleep = true;
    if (launches == seen) ::sem_wait(&wake_up);
    is_asleep = false;
    idle = 0;
  }
  return nullptr;
}

void start() {
  static const bool is_prepared = [] {
    ::sem_init(&wake_up, 0, 0);
    ::pthread_atfork(nullptr, nullptr,
                     [] { is_started = is_asleep = false; }); // the child has none of the parent's threads
    return true;
  }();
  static_cast<void>(is_prepared);
  sigset_t every, mask;
  ::sigfillset(&every);
  ::pthread_sigmask(SIG_SETMASK, &every, &mask);
  pthread_t thread;
  if (::pthread_create(&thread, nullptr, watch, nullptr) == 0)
    ::pthread_detach(thread);
  else
    is_started = false;
  ::pthread_sigmask(SIG_SETMASK, &mask, nullptr);
}

bool is_main_thread() {
  thread_local const pid_t here = pid_t(::syscall(SYS_gettid));
  static const pid_t process = ::getpid();
  return here == process;
}

} // namespace

const StopSource *InterruptibleLaunch::stop() const { return is_watched_ ? &interrupts() : nullptr; }

InterruptibleLaunch::InterruptibleLaunch() : is_watched_(is_main_thread()) {
  if (!is_watched_) return;
  interrupts().reset(); // of an earlier launch
  launches.fetch_add(1);
  if (!is_started.exchange(true)) start();
  if (is_asleep) ::sem_post(&wake_up);
}

InterruptibleLaunch::~InterruptibleLaunch() {
  if (is_watched_) launches.fetch_add(1);
}

bool set_interrupt(const Error &error) {
  if (error.code() != ErrorCode::Stopped) return false;
  // The program's SIGINT handler may raise another exception or none. The kernel has ended in any case.
  if (PyErr_CheckSignals() == 0) PyErr_SetNone(PyExc_KeyboardInterrupt);
  return true;
}

} // namespace kiln::python
