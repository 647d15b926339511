// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results of searches in the cache's store: one entry per kernel, device and class of shapes, with every
// examined candidate.
#pragma once

#include <kiln/records.h>
#include <kiln/tune.h>
#include <support/support.h>

#include <map>

namespace kiln {

struct RecordedCandidate {
  TuneCandidate candidate;  ///< its values, state and measurements
  bool is_verified = false; ///< all arrays were compared, including those that the reference does not change
};

/// One entry. Candidates are identified by content digests of code, options, shape and reference.
struct TuneRecord {
  bool is_finished = false; ///< false: the search was interrupted; candidates in state Ready continue
  double ceiling = 0;
  std::map<Fingerprint, RecordedCandidate> candidates;

  static constexpr size_t max_candidates = 4096; ///< limit of kept candidates

  /// Conversion to JSON and back. Error: Input for texts that write() did not make.
  std::string write() const;
  static Result<TuneRecord> read(std::string text);
};

/// Store of one record (kiln/records.h). Without a persistent cache nothing is kept.
class RecordStore {
public:
  RecordStore(Session &session, Fingerprint key) : session_(session), name_(key.hex()) {}
  /// Loads the record; none: missing, or unreadable (dropped with a warning).
  std::optional<TuneRecord> load() const;
  /// Saves atomically. `waits`: until the record is in the store.
  void save(const TuneRecord &record, bool waits) const;
  bool exists() const { return keeps_records(session_); }

private:
  Session &session_;
  std::string name_;
};

} // namespace kiln
