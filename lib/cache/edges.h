// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Level 1 beyond a process: not the typed code, but the answers that inference relied on. If a World still
// gives all these answers, inference would have the same result. The digest of all reached code is then known
// without inference.
//
// Reason: inference depends on the entry's code, types and facts (the record's key), and on its questions to
// the World: the method of a call, the value of a name. Each answer is recorded by content, and so are the
// answers that follow from it. The library is the same in all processes of one build of Kiln, and the build's
// digest is part of the key. If only the library's methods can apply to a call, only that fact is recorded
// and checked. No code of the library has to be read for it.
#pragma once

#include "persistent.h"

#include <infer/infer.h>

namespace kiln {

/// Key of a job's record. Errors: those of lowering the entry's method.
Result<Fingerprint> edges_key(CompilerWorld &world, const MethodInstance &source, Fingerprint level1,
                              bool positions, std::string_view toolchain);

/// The record of `code` and of all code that it reaches. `callee_digest`: the digest of the reached code.
/// Empty: the record would contain an object that other processes cannot understand.
std::optional<std::string> record_edges(CompilerWorld &world, const CodeInstance &code,
                                        const InferenceFacts &facts, WorldAge age, bool positions,
                                        Fingerprint callee_digest);

/// Digest of the code that a record's job reaches, if each answer still holds. Needs only the World. Errors
/// (Input): the record cannot be read.
Result<std::optional<Fingerprint>> check_edges(CompilerWorld &world, std::string_view record,
                                               const InferenceFacts &facts, WorldAge age, bool positions);

/// Records in a content under a job's key, newest first: one per version of a program in a shared folder.
/// Errors (Input): the content is of another kind.
Result<std::vector<std::string>> read_records(std::string_view content);

/// Lists the changes since a content's newest record, one sentence each: "helper(::Float32): its code is
/// another". For people. Goes on after a difference, unless a type is missing.
std::vector<std::string> explain_edges(CompilerWorld &world, std::string_view content,
                                       const InferenceFacts &facts, WorldAge age, bool positions);

/// Records of a session. Keeps the last few versions of each job. A record that held is not checked again
/// until the next definition. Thread-safe.
class EdgeCache {
public:
  explicit EdgeCache(PersistentCache &persistent) : persistent_(persistent) {}
  /// Returns the recorded digest if a record under `key` still holds.
  std::optional<Fingerprint> find(CompilerWorld &world, Fingerprint key, const InferenceFacts &facts,
                                  WorldAge age, bool positions);
  /// `next`: key of the artifact that the record's readers need next. Null: none.
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
  static constexpr size_t max_known = 1024, max_records = 4;
  Records load(Fingerprint key, PersistentCache::Reach reach);
  void remember(Fingerprint key, Known known);
  PersistentCache &persistent_;
  std::mutex mutex_;
  std::unordered_map<Fingerprint, Known> known_;
};

} // namespace kiln
