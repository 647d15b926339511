// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "typed.h"

#include <condition_variable>
#include <functional>
#include <thread>

namespace kiln {

/// Counts of level 1, for tests and reports.
struct InferenceCounters {
  std::atomic<uint64_t> inferred{0}; ///< code instances made
  std::atomic<uint64_t> hits{0};     ///< found in the table
  std::atomic<uint64_t> dropped{0};  ///< ended by a definition, or dropped to stay within the budget
  std::atomic<uint64_t> bytes{0};    ///< of the instances kept, by their own reckoning
};

/// All code instances of a session: level 1 of the cache, in memory. Thread-safe. What it holds is dropped
/// while no thread uses it: what definitions have ended, with the methods that were replaced; and, above a
/// budget of bytes, what only entries that were asked for longest ago reach. It is inferred again when it is
/// asked for again.
class CodeInstanceTable {
public:
  static constexpr size_t default_budget = size_t(16) << 20;
  explicit CodeInstanceTable(CompilerWorld &world, size_t budget = default_budget);
  ~CodeInstanceTable();

  /// While a thread holds a Use, no instance, method, method instance or lowered code goes away. A thread may
  /// hold several. Taking the first may wait for other threads' to end, so take it before any lock that they
  /// take under theirs.
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
  /// While this thread waits for a device with its uses in hand, no other waits for it: what it uses stays,
  /// and the table grows until it is done.
  void pause_uses();
  void resume_uses();

  /// Typed code of `source` as `facts` see it at `world`, from the table or inferred now. Errors: only for
  /// what no code can be made of (lowering failed, types grow without bound; a world that was forgotten);
  /// what cannot run but may be dead is a Fault in the code. The pointer stays valid as long as the caller
  /// holds a Use.
  Result<const CodeInstance *> get(const MethodInstance &source, const InferenceFacts &facts, WorldAge world);
  /// Digest of everything `code` reached: its callees' methods and types, by content; part of the object key.
  /// With `positions`, file, line and column of every statement too: they stand in debug information and
  /// exceptions.
  Result<Fingerprint> callee_digest(const CodeInstance &code, bool positions);
  /// The instance of `source` that is in the table already; null if it would have to be inferred.
  const CodeInstance *find(const MethodInstance &source, const InferenceFacts &facts, WorldAge world);
  /// Definitions that worlds from `oldest()` on see are not forgotten; none: only the newest world's stay.
  void set_oldest_needed(std::function<WorldAge()> oldest);
  const InferenceCounters &counters() const;
  CompilerWorld &world();

private:
  friend class Inference;
  struct State;
  KILN_PROGRAMS_API void release();
  std::unique_ptr<State> state_;
};

/// A method by content, the same in every process: its signature and code; with `positions`, the place of
/// every statement.
Result<Fingerprint> method_digest(CompilerWorld &world, const Method &method, bool positions);

} // namespace kiln
