// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who sees the products of a session's jobs: the dump, and what Session::observe was given.
#pragma once

#include "dump.h"

#include <kiln/observer.h>

#include <atomic>
#include <memory>
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

/// Thread-safe. While nobody looks, asking costs a load.
class Observers final : public Observer {
public:
  explicit Observers(std::unique_ptr<DumpObserver> dump)
      : dump_(std::move(dump)), list_(std::make_shared<List>()) {}
  /// No kinds: all of them.
  Observation add(ProductObserver observer, std::span<const ArtifactKind> kinds);
  bool wants(const CompilerJob &job, ArtifactKind product) override;
  void product(const CompilerJob &job, ArtifactKind product, std::string_view text) override;

private:
  struct Entry {
    ProductObserver observer;
    uint32_t kinds; ///< a bit each
  };
  /// Shared with the handles, which may outlive the session.
  struct List {
    std::shared_mutex mutex; ///< held, shared, while observers are called: taking one out waits for them
    std::vector<std::shared_ptr<const Entry>> entries;
    std::atomic<uint32_t> kinds{0}; ///< that one of them wants
    void recount();
  };
  std::unique_ptr<DumpObserver> dump_; ///< null: no dumps
  std::shared_ptr<List> list_;
};

} // namespace kiln
