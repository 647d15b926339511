// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "interruption.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <ctime>
#include <link.h>
#include <mutex>
#include <pthread.h>
#include <string_view>
#include <ucontext.h>
#include <utility>
#include <vector>

namespace kiln {
namespace {

constexpr int interrupt_signal = SIGURG; // ignored by default
/// Rounds of signals 1 ms apart; later rounds are slower: the thread is in a long library call.
constexpr int fast_rounds = 10'000;

enum class Reply { None, NotStopped, InLibrary, Left };

/// Record of a thread that has run compiled code.
struct ThreadRecord {
  const pthread_t thread = ::pthread_self();
  std::atomic<CompiledScope *> current{nullptr};
  std::atomic<Reply> reply{Reply::None}; ///< to the last signal
  ThreadRecord();
  ~ThreadRecord();
};

/// Executable segments of the program and its libraries; all other code counts as compiled code. libm and
/// libmvec count as compiled code too: they hold no locks and no memory, so that a jump may leave them.
struct LibraryCode {
  static constexpr size_t max_segments = 2048;
  std::array<std::pair<uintptr_t, uintptr_t>, max_segments> segments;
  size_t count = 0;

  static int add(dl_phdr_info *info, size_t, void *to) {
    auto &self = *static_cast<LibraryCode *>(to);
    const std::string_view name(info->dlpi_name ? info->dlpi_name : "");
    if (name.find("/libm.so") != name.npos || name.find("/libmvec.so") != name.npos) return 0;
    for (int i = 0; i < info->dlpi_phnum; ++i) {
      const auto &header = info->dlpi_phdr[i];
      if (header.p_type != PT_LOAD || !(header.p_flags & PF_X)) continue;
      if (self.count == max_segments) return self.count = max_segments + 1, 1;
      const uintptr_t begin = info->dlpi_addr + header.p_vaddr;
      self.segments[self.count++] = {begin, begin + header.p_memsz};
    }
    return 0;
  }
  void read() {
    count = 0;
    ::dl_iterate_phdr(&add, this);
  }
  bool contains(uintptr_t address) const {
    if (count > max_segments) return true; // too many segments: interrupt nothing
    return std::any_of(segments.begin(), segments.begin() + ptrdiff_t(count), [&](const auto &segment) {
      return address >= segment.first && address < segment.second;
    });
  }
};

struct Interruptions {
  std::mutex mutex; ///< protects the members down to `library`
  std::vector<ThreadRecord *> threads;
  std::vector<StopWatch *> watches;
  /// The interruption thread runs in this process; read without the mutex.
  std::atomic<bool> is_started{false};
  LibraryCode library; ///< of the current interruption
  struct sigaction before{};
};

/// Never destroyed, since threads may end after static destructors ran.
Interruptions &interruptions() {
  static auto *all = [] {
    auto *made = new Interruptions;
    ::pthread_atfork([] { interruptions().mutex.lock(); }, [] { interruptions().mutex.unlock(); },
                     [] {
                       // A forked child has a single thread, and no interruption thread.
                       Interruptions &here = interruptions();
                       here.is_started = false;
                       here.watches.clear();
                       std::erase_if(here.threads, [](const ThreadRecord *each) {
                         return !::pthread_equal(each->thread, ::pthread_self());
                       });
                       here.mutex.unlock();
                     });
    return made;
  }();
  return *all;
}

ThreadRecord::ThreadRecord() {
  Interruptions &all = interruptions();
  std::lock_guard lock(all.mutex);
  all.threads.push_back(this);
}
ThreadRecord::~ThreadRecord() {
  Interruptions &all = interruptions();
  std::lock_guard lock(all.mutex);
  std::erase(all.threads, this);
}

ThreadRecord &record_of_this_thread() {
  thread_local ThreadRecord record;
  return record;
}
[[gnu::tls_model("initial-exec")]] thread_local ThreadRecord *signalled =
    nullptr; ///< record of this thread, for the handler

bool waits_for_inner(const CompiledScope *scope) {
  for (const CompiledScope *outer = scope->outer(); outer; outer = outer->outer())
    if (outer->is_stopped()) return true;
  return false;
}

/// Address at which the signal stopped the thread.
uintptr_t stopped_at(const void *context) {
  const mcontext_t &machine = static_cast<const ucontext_t *>(context)->uc_mcontext;
#if defined(__x86_64__)
  return uintptr_t(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
  return uintptr_t(machine.pc);
#endif
}

void on_signal(int signal, siginfo_t *info, void *context) {
  ThreadRecord *record = signalled;
  CompiledScope *scope = record ? record->current.load() : nullptr;
  if (scope && scope->is_stopped()) {
    if (interruptions().library.contains(stopped_at(context))) {
      record->reply = Reply::InLibrary;
      return;
    }
    record->reply = Reply::Left;
    std::longjmp(scope->back(), CompiledScope::ended_by_interrupt);
  }
  if (record) record->reply = scope && waits_for_inner(scope) ? Reply::InLibrary : Reply::NotStopped;
  const struct sigaction &before = interruptions().before;
  if (info->si_code == SI_TKILL) return; // sent by this process itself
  if (before.sa_flags & SA_SIGINFO)
    before.sa_sigaction(signal, info, context);
  else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN)
    before.sa_handler(signal);
}

bool runs_compiled_code(Interruptions &all) {
  std::lock_guard lock(all.mutex);
  return std::ranges::any_of(all.threads, [](const ThreadRecord *each) { return each->current.load(); });
}

void call_watches(Interruptions &all) {
  std::lock_guard lock(all.mutex);
  for (StopWatch *each : all.watches) each->call_if_stopped();
}

/// Calls the watches of stopped tokens. Then sends signals until no thread runs compiled code that must stop.
void interrupt_threads(Interruptions &all) {
  call_watches(all);
  if (!runs_compiled_code(all)) return;
  all.library.read();
  struct sigaction action{};
  action.sa_sigaction = on_signal;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_NODEFER; // SA_NODEFER: the handler may leave by longjmp
  ::sigaction(interrupt_signal, &action, &all.before);
  for (int round = 0, quiet = 0; quiet < 2; ++round) {
    while (::sem_trywait(&stop_requests()) == 0) round = 0; // new requests restart the rounds
    call_watches(all);
    {
      std::lock_guard lock(all.mutex);
      for (ThreadRecord *each : all.threads) {
        each->reply = Reply::None;
        if (each->current.load()) ::pthread_kill(each->thread, interrupt_signal);
      }
    }
    const timespec pause{0, round < fast_rounds ? 1'000'000 : 20'000'000};
    ::nanosleep(&pause, nullptr);
    std::lock_guard lock(all.mutex);
    const bool is_quiet = std::none_of(all.threads.begin(), all.threads.end(), [](const ThreadRecord *each) {
      const Reply reply = each->reply;
      return each->current.load() && (reply == Reply::None || reply == Reply::InLibrary);
    });
    quiet = is_quiet ? quiet + 1 : 0;
  }
  ::sigaction(interrupt_signal, &all.before, nullptr);
}

void *run_interruptions(void *) {
  Interruptions &all = interruptions();
  for (;;) {
    while (::sem_wait(&stop_requests()) != 0) {
    }
    interrupt_threads(all);
  }
}

} // namespace

Error interrupt_error() { return make_error(ErrorCode::InterruptException, ""); }

void StopWatch::begin() {
  start_interruptions();
  Interruptions &all = interruptions();
  std::lock_guard lock(all.mutex);
  all.watches.push_back(this);
  call_if_stopped(); // the token may be stopped already, and is not announced again
}
void StopWatch::end() {
  Interruptions &all = interruptions();
  std::lock_guard lock(all.mutex);
  std::erase(all.watches, this);
}

CompiledScope::CompiledScope(const std::atomic<uint64_t> *flag, uint64_t limit, std::jmp_buf &back)
    : flag_(flag), limit_(limit), back_(back) {
  // This call is uninterruptible if it is inside an interruptible one: a jump would skip the host function
  // between.
  if (!flag_ && !(signalled && signalled->current.load(std::memory_order_relaxed))) [[likely]]
    return;
  is_noted_ = true;
  ThreadRecord &record = record_of_this_thread();
  signalled = &record;
  // Order: this store may become visible after the following loads of the stop flag. No fence is needed,
  // since the interruption thread checks twice, 1 ms apart, and no processor holds a store back so long. The
  // signal handler runs on this thread and sees its stores in program order.
  outer_ = record.current.load(std::memory_order_relaxed);
  record.current.store(this, std::memory_order_release);
}
CompiledScope::~CompiledScope() {
  if (is_noted_) signalled->current.store(outer_, std::memory_order_release);
}

void start_interruptions() {
  Interruptions &all = interruptions();
  if (all.is_started.load(std::memory_order_relaxed)) return;
  std::lock_guard lock(all.mutex);
  if (all.is_started.exchange(true)) return;
  sigset_t every, before;
  ::sigfillset(&every);
  // Block all signals: the new thread must not receive signals of the process.
  ::pthread_sigmask(SIG_SETMASK, &every, &before);
  pthread_t thread;
  if (::pthread_create(&thread, nullptr, run_interruptions, nullptr) == 0)
    ::pthread_detach(thread);
  else
    all.is_started = false;
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void interrupt_compiled_code() { ::sem_post(&stop_requests()); }

} // namespace kiln
