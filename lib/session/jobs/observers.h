// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Observers of a session's products: the dump to KILN_DUMP_DIR, and the observers of Session::observe.
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

/// While it lives, products that this thread makes are not observed, cause no warnings, and do not count in
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

/// Calls all observers of a session. Thread-safe. Without observers, a product costs one atomic load. If an
/// observer calls its session, that call returns Usage. If an observer throws, or adds or removes observers,
/// the job's compile fails with Usage.
class Observers final : public Observer {
public:
  /// `session` identifies the session in CallbackScope, so that calls from an observer are refused.
  Observers(std::unique_ptr<DumpObserver> dump, const void *session)
      : dump_(std::move(dump)), session_(session), list_(std::make_shared<List>()) {}
  /// Adds an observer for products of `kinds` (empty: all kinds). Returns an empty handle within an observer
  /// of this session.
  Observation add(ProductObserver observer, std::span<const ArtifactKind> kinds);
  bool wants(const CompilerJob &job, ArtifactKind product) override;
  Result<void> product(const CompilerJob &job, ArtifactKind product, std::string_view text) override;

private:
  struct Entry {
    ProductObserver observer;
    uint32_t kinds; ///< one bit per kind
  };
  using EntryPtr = std::shared_ptr<const Entry>;
  /// The list of observers, shared with Observation handles, which may outlive the session.
  struct List {
    /// Locked shared while observers run, exclusively to wait for them after a removal.
    std::shared_mutex calls;
    std::mutex mutex; ///< guards the following
    std::vector<EntryPtr> entries;
    std::atomic<uint32_t> kinds{0}; ///< union of the observers' kinds
    void recount();
    void remove(const EntryPtr &entry);
  };
  struct Call;
  static thread_local Call *innermost_; ///< innermost call of an observer on this thread
  /// Records a misuse if this thread is within an observer of `list`. Returns false if it is not.
  static bool refuse(const List &list, const char *misuse);

  std::unique_ptr<DumpObserver> dump_; ///< may be null
  const void *const session_;
  std::shared_ptr<List> list_;
};

} // namespace kiln
