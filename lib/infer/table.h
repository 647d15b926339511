// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "typed.h"

#include <condition_variable>
#include <functional>
#include <thread>

namespace kiln {

/// Counters of level 1, for tests and reports.
struct InferenceCounters {
  std::atomic<uint64_t> inferred{0}; ///< instances inferred
  std::atomic<uint64_t> hits{0};     ///< found in the table
  std::atomic<uint64_t> dropped{0};  ///< ended by a definition, or dropped for the budget
  std::atomic<uint64_t> bytes{0};    ///< memory of the instances, by their own count
};

/// All code instances of a session: level 1 of the cache, in memory. Thread-safe. While no thread uses the
/// table, it drops instances ended by definitions, together with the replaced methods. Above its budget in
/// bytes it also drops instances reachable only from the least recently used entries. They are inferred again
/// on demand.
class CodeInstanceTable {
public:
  static constexpr size_t default_budget = size_t(16) << 20;
  explicit CodeInstanceTable(CompilerWorld &world, size_t budget = default_budget);
  ~CodeInstanceTable();

  /// While a thread holds a Use, no instance, method, method instance or lowered code is freed. A thread may
  /// hold several. The first one may wait for other threads' Uses to end: take it before any lock that those
  /// threads take while they hold theirs.
  class Use {
  public:
    Use(Use &&other) noexcept : table_(std::exchange(other.table_, nullptr)) {}
    Use &operator=(Use &&) = delete;
    ~Use() {
      if (table_) table_->release();
    }

  private:
    friend class CodeInstanceTable;
    explicit Use(CodeInstanceTable *table) : table_(table) {}
    CodeInstanceTable *table_;
  };
  KILN_PROGRAMS_API [[nodiscard]] Use use();
  /// Marks this thread's Uses as waiting for a device: other threads do not wait for them. What they protect
  /// stays, and the table grows until they are resumed.
  void pause_uses();
  void resume_uses();

  /// Typed code of `source`, inferred with `facts` at `world`, or from the table. Errors: code that cannot
  /// exist (lowering failed, types grow without bound, a forgotten world). Code that cannot run, but may be
  /// dead, contains a Fault instead. The pointer is valid while the caller holds a Use.
  Result<const CodeInstance *> get(const MethodInstance &source, const InferenceFacts &facts, WorldAge world);
  /// Digest of all code that `code` reaches: its callees' methods and types by content. Part of the object
  /// key. With `positions` it includes file, line and column of every statement, which debug information and
  /// exceptions contain.
  Result<Fingerprint> callee_digest(const CodeInstance &code, bool positions);
  /// The instance of `source` in the table; null: not inferred yet.
  const CodeInstance *find(const MethodInstance &source, const InferenceFacts &facts, WorldAge world);
  /// Keeps definitions visible in worlds from `oldest()` on; none: only the newest world's.
  void set_oldest_needed(std::function<WorldAge()> oldest);
  const InferenceCounters &counters() const;
  CompilerWorld &world();

private:
  friend class Inference;
  struct State;
  KILN_PROGRAMS_API void release();
  std::unique_ptr<State> state_;
};

/// Content digest of a method, equal in every process: signature and code; with `positions`, every
/// statement's place.
Result<Fingerprint> method_digest(CompilerWorld &world, const Method &method, bool positions);

} // namespace kiln
