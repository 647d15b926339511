// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records which let later processes skip inference (level 1). A record does not contain typed code, but the
// results of inference's lookups in the World. If all lookups still give these results, inference would give
// the same typed code. The record also has the digest of all code that the job reaches.
//
// Reason: inference depends on the entry's code, types and facts, which are in the record's key, and on its
// lookups: the method of a call, the value of a name. Each result is recorded by content. The library is the
// same in all processes of one build of Kiln, and the build's digest is part of the key. If only the
// library's methods can apply to a call, only that fact is recorded and checked. No code of the library has
// to be read for it.
#pragma once

#include "persistent.h"

#include <infer/infer.h>

namespace kiln {

/// The results of inference that a record keeps.
struct RecordedCode {
  Fingerprint digest; ///< of all code that the job reaches
  CodeSummary summary;
};

/// Key of the edge record of a job. Errors: those of lowering the entry's method.
Result<Fingerprint> edges_key(CompilerWorld &world, const MethodInstance &source, Fingerprint level1,
                              bool positions, std::string_view toolchain);

/// Makes the edge record of `code` and all code that it reaches; `kept` is of `code`. Empty: the record would
/// contain an object that has no meaning in other processes.
std::optional<std::string> record_edges(CompilerWorld &world, const CodeInstance &code,
                                        const InferenceFacts &facts, WorldAge age, bool positions,
                                        const RecordedCode &kept);

/// Returns what a record keeps, if all recorded results still hold. Needs only the World, no inference. Error
/// (Input): the record cannot be read.
Result<std::optional<RecordedCode>> check_edges(CompilerWorld &world, std::string_view record,
                                                const InferenceFacts &facts, WorldAge age, bool positions);

/// Splits an entry's content into the records of one job, newest first. Versions of a program that share a
/// folder have one record each. Error (Input): the content is of another kind.
Result<std::vector<std::string>> read_records(std::string_view content);

/// Lists the changes since the newest record in `content`, one sentence each: "helper(::Float32): its code is
/// another". For messages. Stops at a type that is missing, else lists all changes.
std::vector<std::string> explain_edges(CompilerWorld &world, std::string_view content,
                                       const InferenceFacts &facts, WorldAge age, bool positions);

/// Edge records that a session reads and writes. Keeps the last few versions of each job. A record that was
/// checked is valid until the next definition, and is not checked again before. Thread-safe.
class EdgeCache {
public:
  explicit EdgeCache(PersistentCache &persistent) : persistent_(persistent) {}
  /// Returns what a record under `key` keeps, if it still holds.
  std::optional<RecordedCode> find(CompilerWorld &world, Fingerprint key, const InferenceFacts &facts,
                                   WorldAge age, bool positions);
  /// Records the edges of `code` under `key`. `next`: key of the artifact that a reader of the record will
  /// request, so that a remote store can send both. Null: none.
  void record(CompilerWorld &world, Fingerprint key, const CodeInstance &code, const InferenceFacts &facts,
              WorldAge age, bool positions, Fingerprint digest, const Fingerprint *next = nullptr);
  void forget(Fingerprint key);
  /// Returns true if find() has seen records under `key`, even if none held.
  bool has_records(Fingerprint key);

private:
  using Records = std::shared_ptr<const std::vector<std::string>>;
  struct Known {
    Records records;
    WorldAge checked_at = 0;
    std::optional<RecordedCode> code; ///< empty: no record holds
  };
  static constexpr size_t max_known = 1024, max_records = 4;
  Records load(Fingerprint key, PersistentCache::Reach reach);
  void remember(Fingerprint key, Known known);
  PersistentCache &persistent_;
  std::mutex mutex_;
  std::unordered_map<Fingerprint, Known> known_;
};

} // namespace kiln
