// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Observers of a session's products: the dump, and those of Session::observe.
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

/// During its lifetime, products of this thread are not observed, cause no warnings, and do not count in
/// kernel statistics.
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

/// Thread-safe. Without observers, a check costs one load. Misuse in an observer is a Usage error: of the
/// call, if it calls its session; of the job's compile, if it throws or adds or removes observers.
class Observers final : public Observer {
public:
  /// `session`: identifies callbacks of the session to its calls (CallbackScope).
  Observers(std::unique_ptr<DumpObserver> dump, const void *session)
      : dump_(std::move(dump)), session_(session), list_(std::make_shared<List>()) {}
  /// Empty `kinds`: all kinds. Returns an empty handle within an observer of this session.
  Observation add(ProductObserver observer, std::span<const ArtifactKind> kinds);
  bool wants(const CompilerJob &job, ArtifactKind product) override;
  Result<void> product(const CompilerJob &job, ArtifactKind product, std::string_view text) override;

private:
  struct Entry {
    ProductObserver observer;
    uint32_t kinds; ///< one bit per kind
  };
  using EntryPtr = std::shared_ptr<const Entry>;
  /// Shared with handles, which may outlive the session.
  struct List {
    std::shared_mutex calls; ///< shared while observers run: removing one waits for them
    std::mutex mutex;        ///< guards the following
    std::vector<EntryPtr> entries;
    std::atomic<uint32_t> kinds{0}; ///< union of the observers' kinds
    void recount();
    void remove(const EntryPtr &entry);
  };
  struct Call;
  static thread_local Call *innermost_; ///< innermost call of an observer on this thread
  /// Records a misuse by the observer of `list` that this thread is in. Returns false outside of its
  /// observers.
  static bool refuse(const List &list, const char *misuse);

  std::unique_ptr<DumpObserver> dump_; ///< may be null
  const void *const session_;
  std::shared_ptr<List> list_;
};

} // namespace kiln
