// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Stores the results of searches with the cache: one entry per kernel, device and class of shapes, with every
// candidate that was examined.
#pragma once

#include <kiln/records.h>
#include <kiln/tune.h>
#include <support/support.h>

#include <map>

namespace kiln {

struct RecordedCandidate {
  TuneCandidate candidate;  ///< its values, state and measurements
  bool is_verified = false; ///< all arrays were compared, also those that the reference does not change
};

/// The record of one search. Its candidates are identified by digests of code, options, shape and reference.
struct TuneRecord {
  /// False: the search was interrupted; it continues with the candidates in state Ready.
  bool is_finished = false;
  double ceiling = 0;
  std::map<Fingerprint, RecordedCandidate> candidates;

  static constexpr size_t max_candidates = 4096; ///< limit of kept candidates

  /// Converts to and from JSON. read() fails with Input for texts that write() did not make.
  std::string write() const;
  static Result<TuneRecord> read(std::string text);
};

/// Storage of one record (kiln/records.h). Without a persistent cache, nothing is stored.
class RecordStore {
public:
  RecordStore(Session &session, Fingerprint key) : session_(session), name_(key.hex()) {}
  /// Loads the record. No value: the record is missing, or unreadable; an unreadable one is deleted with a
  /// warning.
  std::optional<TuneRecord> load() const;
  /// Saves the record atomically. With `waits`, returns when the record is stored.
  void save(const TuneRecord &record, bool waits) const;
  bool exists() const { return keeps_records(session_); }

private:
  Session &session_;
  std::string name_;
};

} // namespace kiln
