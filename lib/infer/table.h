// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "typed.h"

namespace kiln {

/// Counts of level 1, for tests and reports.
struct InferenceCounters {
  std::atomic<uint64_t> inferred{0}; ///< code instances made
  std::atomic<uint64_t> hits{0};     ///< found in the table
};

/// All code instances of a session: level 1 of the cache, in memory. Thread-safe.
class CodeInstanceTable {
public:
  explicit CodeInstanceTable(World &world);
  ~CodeInstanceTable();

  /// Typed code of `source` as `facts` see it at `world`, from the table or inferred now. Errors: only for what no
  /// code can be made of (lowering failed, types grow without bound); what cannot run but may be dead is a Fault in
  /// the code. The pointer stays valid as long as the table.
  Result<const CodeInstance *> get(const MethodInstance &source, const InferenceFacts &facts, WorldAge world);
  /// Digest of everything `code` reached: its callees' methods and types, by content; part of the object key. With
  /// `positions`, file, line and column of every statement too: they stand in debug information and exceptions.
  Result<Fingerprint> callee_digest(const CodeInstance &code, bool positions);
  const InferenceCounters &counters() const;
  World &world();

private:
  friend class Inference;
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace kiln
