// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who sees the products of a session's jobs: the dump, and what Session::observe was given.
#pragma once

#include "dump.h"

#include <kiln/observer.h>

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

namespace kiln {

/// As long as it lives, what this thread makes is shown to nobody, nobody is warned of it, and the kernels'
/// statistics do not hear of it.
class UnobservedScope {
public:
  UnobservedScope() : before_(std::exchange(is_active_, true)) {}
  ~UnobservedScope() { is_active_ = before_; }
  UnobservedScope(const UnobservedScope &) = delete;
  UnobservedScope &operator=(const UnobservedScope &) = delete;
  static bool is_active() { return is_active_; }

private:
  static thread_local bool is_active_;
  const bool before_;
};

/// Thread-safe. While nobody looks, asking costs a load. An observer that calls its session gets a Usage
/// error from it; one that changes who observes, or throws, makes the job's compile a Usage error.
class Observers final : public Observer {
public:
  /// `session`: by which the session's calls know that they come from within a callback (CallbackScope).
  Observers(std::unique_ptr<DumpObserver> dump, const void *session)
      : dump_(std::move(dump)), session_(session), list_(std::make_shared<List>()) {}
  /// No kinds: all of them. Within an observer of this session: an empty handle.
  Observation add(ProductObserver observer, std::span<const ArtifactKind> kinds);
  bool wants(const CompilerJob &job, ArtifactKind product) override;
  Result<void> product(const CompilerJob &job, ArtifactKind product, std::string_view text) override;

private:
  struct Entry {
    ProductObserver observer;
    uint32_t kinds; ///< a bit each
  };
  using EntryPtr = std::shared_ptr<const Entry>;
  /// Shared with the handles, which may outlive the session.
  struct List {
    std::shared_mutex calls; ///< held, shared, while observers are called: taking one out waits for them
    std::mutex mutex;        ///< of what follows
    std::vector<EntryPtr> entries;
    std::atomic<uint32_t> kinds{0}; ///< that one of them wants
    void recount();
    void remove(const EntryPtr &entry);
  };
  struct Call;
  static thread_local Call *innermost_; ///< of an observer, on this thread
  /// Notes what the observer that this thread is in, if it is one of `list`, may not do. False: it is in
  /// none.
  static bool refuse(const List &list, const char *misuse);

  std::unique_ptr<DumpObserver> dump_; ///< null: no dumps
  const void *const session_;
  std::shared_ptr<List> list_;
};

} // namespace kiln
