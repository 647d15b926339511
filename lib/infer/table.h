// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "typed.h"

#include <condition_variable>
#include <functional>
#include <thread>

namespace kiln {

/// Counters of level 1 of the cache, for tests and reports.
struct InferenceCounters {
  std::atomic<uint64_t> inferred{0}; ///< instances inferred
  std::atomic<uint64_t> hits{0};     ///< found in the table
  /// Instances ended by a definition, or dropped to stay within the budget.
  std::atomic<uint64_t> dropped{0};
  std::atomic<uint64_t> bytes{0}; ///< approximate memory of all instances
};

/// All code instances of a session: level 1 of the cache, in memory. Thread-safe. While no thread uses the
/// table, it drops instances ended by definitions, together with the replaced methods. Above its budget in
/// bytes it also drops instances reachable only from the least recently used entries. A dropped instance is
/// inferred again on demand.
class CodeInstanceTable {
public:
  static constexpr size_t default_budget = size_t(16) << 20;
  explicit CodeInstanceTable(CompilerWorld &world, size_t budget = default_budget);
  ~CodeInstanceTable();

  /// Protects what a thread uses: while the object lives, no instance, method, method instance or lowered
  /// code is freed. A thread may hold several. The first one may wait for those of other threads to end. Take
  /// it before any lock that these threads take while they hold theirs.
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
  /// Marks this thread's Use objects as waiting for a device, so that other threads do not wait for them.
  /// Nothing that they protect is freed, and the table may grow until resume_uses().
  void pause_uses();
  void resume_uses();

  /// Returns the typed code of `source`, inferred with `facts` in world age `world`, or from the table. The
  /// pointer is valid while the caller holds a Use. Errors: no code can exist (lowering failed, types grow
  /// without bound, the world was swept). Code that cannot run, but may be dead, is no error: it contains a
  /// Fault.
  Result<const CodeInstance *> get(const MethodInstance &source, const InferenceFacts &facts, WorldAge world);
  /// Digest of all code that `code` reaches: the methods and types of its callees, by content. Part of the
  /// object key. With `positions` it includes file, line and column of every statement, since debug
  /// information and exceptions contain them.
  Result<Fingerprint> callee_digest(const CodeInstance &code, bool positions);
  /// Returns the instance of `source` from the table; null: it is not inferred yet.
  const CodeInstance *find(const MethodInstance &source, const InferenceFacts &facts, WorldAge world);
  /// Sets a function that returns the oldest world age in use. Sweeps keep definitions visible from that age
  /// on. Not set: they keep those of the newest world only.
  void set_oldest_needed(std::function<WorldAge()> oldest);
  const InferenceCounters &counters() const;
  CompilerWorld &world();

private:
  friend class Inference;
  struct State;
  KILN_PROGRAMS_API void release();
  std::unique_ptr<State> state_;
};

/// True if compiled code reads a variable with this value at run time: plain functions of a session that runs
/// programs do so for arrays and objects of the host, and for structs that consist of one. `overlay`: of the
/// code's facts.
bool is_read_at_run_time(const CompilerWorld &world, Symbol overlay, const Value &value);
/// Adds the value of a variable to a digest, or only its type if compiled code reads it at run time.
void digest_variable(CompilerWorld &world, Symbol overlay, const Value &value, Fingerprinter &into);

/// Digest of a method's signature and code, equal in every process. With `positions` it includes the source
/// position of every statement.
Result<Fingerprint> method_digest(CompilerWorld &world, const Method &method, bool positions);

} // namespace kiln
