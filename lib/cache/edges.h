// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Level 1 as it outlives a process: not typed code, but what inference relied on to make it. If a World
// answers every question that inference asked as it was answered then, inference would give the same, and the
// digest of all that it reached is known without it.
//
// Why that holds: inference depends on the entry's code and types and the facts (the key of the record), and
// on what it asks its World: which method a call chooses, what a name stands for. Each answer is recorded by
// content, and those it leads to are recorded too. What belongs to the library is the same in all processes
// of one build of Kiln, whose digest enters the key: of a call that no other method than the library's can
// take, only that is recorded and checked, and nothing of the library has to be read for it.
#pragma once

#include "persistent.h"

#include <infer/infer.h>

namespace kiln {

/// Where the record of a job lies. Errors: those of lowering the entry's method.
Result<Fingerprint> edges_key(CompilerWorld &world, const MethodInstance &source, Fingerprint level1,
                              bool positions, std::string_view toolchain);

/// The record of `code` and all that it reached; `callee_digest` is theirs. Nothing, where something in it
/// cannot be told to another process.
std::optional<std::string> record_edges(CompilerWorld &world, const CodeInstance &code,
                                        const InferenceFacts &facts, WorldAge age, bool positions,
                                        Fingerprint callee_digest);

/// The digest of what a record's job reaches, if every answer is as it was. Asks only the World. Errors
/// (Input): the record cannot be read.
Result<std::optional<Fingerprint>> check_edges(CompilerWorld &world, std::string_view record,
                                               const InferenceFacts &facts, WorldAge age, bool positions);

/// What lies in a store under a job's key: its records, the newest first, for the versions of a program that
/// share a folder. Errors (Input): it holds something else.
Result<std::vector<std::string>> read_records(std::string_view content);

/// What is not as it was when the newest record of a content was made, a sentence each: "helper(::Float32):
/// its code is another". For people; asks the rest too, unless a type is gone.
std::vector<std::string> explain_edges(CompilerWorld &world, std::string_view content,
                                       const InferenceFacts &facts, WorldAge age, bool positions);

/// Records in a session: of a job those of its last few versions; those that held are not checked again until
/// something is defined. Thread-safe.
class EdgeCache {
public:
  explicit EdgeCache(PersistentCache &persistent) : persistent_(persistent) {}
  /// The recorded digest, if there is a record under `key` and all of it is as it was.
  std::optional<Fingerprint> find(CompilerWorld &world, Fingerprint key, const InferenceFacts &facts,
                                  WorldAge age, bool positions);
  /// `next`: key of the artifact that readers of the record ask for; null: none.
  void record(CompilerWorld &world, Fingerprint key, const CodeInstance &code, const InferenceFacts &facts,
              WorldAge age, bool positions, Fingerprint callee_digest, const Fingerprint *next = nullptr);
  void forget(Fingerprint key);

private:
  using Records = std::shared_ptr<const std::vector<std::string>>;
  struct Known {
    Records records;
    WorldAge checked_at = 0;
    std::optional<Fingerprint> digest;
  };
  static constexpr size_t max_known = 1024, most_records = 4;
  Records load(Fingerprint key, PersistentCache::Reach reach);
  void remember(Fingerprint key, Known known);
  PersistentCache &persistent_;
  std::mutex mutex_;
  std::unordered_map<Fingerprint, Known> known_;
};

} // namespace kiln
