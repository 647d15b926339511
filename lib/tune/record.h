// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What searches have found, in the cache's store: an entry for a kernel, a device and a class of shapes, with
// every candidate that was looked at.
#pragma once

#include <kiln/records.h>
#include <kiln/tune.h>
#include <support/support.h>

#include <map>

namespace kiln {

struct RecordedCandidate {
  TuneCandidate candidate;  ///< its values, state and figures
  bool is_verified = false; ///< all arrays were compared, those too that the reference leaves as they are
};

/// One entry. Content digests tell the candidates: of their code, options, shape and reference.
struct TuneRecord {
  bool is_finished = false; ///< else its search was interrupted: those that are Ready go on
  double ceiling = 0;
  std::map<Fingerprint, RecordedCandidate> candidates;

  static constexpr size_t max_candidates = 4096; ///< more are not kept

  /// As JSON, and back. Error: Input, for what write() has not written.
  std::string write() const;
  static Result<TuneRecord> read(std::string text);
};

/// The place of a record (kiln/records.h). Without a persistent cache nothing is kept.
class RecordStore {
public:
  RecordStore(Session &session, Fingerprint key) : session_(session), name_(key.hex()) {}
  /// What is there; nothing, if it is not or cannot be read (dropped, with a warning).
  std::optional<TuneRecord> load() const;
  /// Whole or not at all. `waits`: until it is in the store.
  void save(const TuneRecord &record, bool waits) const;
  bool exists() const { return keeps_records(session_); }

private:
  Session &session_;
  std::string name_;
};

} // namespace kiln
