// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs a single search, from a request to its result.
#pragma once

#include "arguments.h"
#include "compare.h"
#include "launches.h"
#include "race.h"
#include "record.h"

#include <mutex>

namespace kiln {

/// A part of a search that several devices share.
struct TunePart {
  size_t index = 0, count = 1;  ///< the part has the candidates whose number is `index` modulo `count`
  std::mutex *saving = nullptr; ///< guards the record that the parts share; null: there is one part
};

/// Do not destroy a lost run: its destructor would wait for the hung device.
class TuneRun {
public:
  TuneRun(Session &session, const Device &device, const TuneRequest &request, const TuneOptions &options,
          ArgumentSource source, TunePart part = {});
  /// Reads the request, makes the candidates, and evaluates the arguments. Call it once, before search().
  Result<void> open();
  /// `parts`: results of the same candidates, in parts. Those that no part dropped are measured again, and
  /// the others are taken as they are.
  Result<TuneResult> search(const std::vector<TuneResult> &parts = {});
  Result<TuneResult> recorded(); ///< returns the result in the record, without a launch
  bool is_lost() const { return lost_.has_value(); }

private:
  using Clock = std::chrono::steady_clock;
  struct Entry {
    PointValues values;
    TunedCall call;
    Job job, limited_job; ///< limited_job: compiled as interruptible, for the CPU; empty: not needed
    Fingerprint key;      ///< key of the candidate in the record; empty: its code is unknown
    Kernel kernel, limited;
    LaunchBytes bytes, limited_bytes;
    bool is_verified = false;
    double known = 0; ///< nanoseconds per launch, approximately
  };
  struct Compared {
    size_t array = 0;
    ArrayComparison comparison;
    bool is_changed = false; ///< the reference changed this array, or the request gives its contents
  };

  // ---- run.cpp
  Result<void> check_request() const;
  Result<void> plan_entry(size_t index);
  void take_recorded();
  void save(bool waits);
  void save_when_due();
  Result<void> race();
  Result<void> verify_winner();
  Result<void> fail_lost();
  TuneResult finish();
  Result<void> report_progress(TuneProgress progress);
  void fail(size_t index, TuneState state, const Error &error);
  // ---- parts.cpp
  void take_parts(const std::vector<TuneResult> &parts);
  // ---- compile.cpp
  Result<CompilerConfig> config_of(const PointValues &values);
  Result<Job> hold(const TunedCall &call, const CompilerConfig &config);
  Result<Fingerprint> reference_key();
  Result<void> find_keys();
  Result<void> compile(std::vector<size_t> indices);
  void note_resources(size_t index);
  // ---- check.cpp
  Result<void> make_reference();
  Result<void> run_reference_function();
  Result<void> run_reference_candidate();
  Result<void> expect_result_of(const Kernel &kernel, const TunedCall &call, const LaunchShape &shape);
  Result<void> expect(size_t array, std::vector<std::byte> bytes);
  Result<void> check_all(const std::vector<size_t> &indices);
  Result<void> check(size_t index, bool all_arrays);

  TuneCandidate &candidate(size_t index) { return result_.candidates[index]; }
  LaunchableKernel launchable(size_t index) const {
    return {entries_[index].kernel, result_.candidates[index].shape, entries_[index].bytes.pointers};
  }
  double seconds_since(Clock::time_point begin) const {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  }

  Session &session_;
  const Device device_;
  const TuneRequest &request_;
  const TuneOptions &options_;
  const TunePart part_;
  TunedArrays arrays_;
  TunedArguments arguments_;
  TunedLaunches launches_;
  SpacePlan space_;
  CompilerConfig base_;
  std::map<std::string, CompilerConfig> configs_; ///< by their options as JSON
  std::vector<Entry> entries_;
  std::vector<Compared> compared_;
  Fingerprint reference_;
  std::optional<RecordStore> store_;
  std::optional<TuneRecord> record_; ///< as loaded
  std::optional<Error> lost_;        ///< error by which the device was lost; no value: not lost
  Clock::time_point began_ = Clock::now(), saved_ = Clock::now();
  bool is_finished_ = false;
  TuneResult result_;
};

/// Runs an opened search and destroys it. Leaks a lost run.
Result<TuneResult> search(std::unique_ptr<TuneRun> run, const std::vector<TuneResult> &parts = {});

/// Formats the first diagnostic of an error as one line, for tables and messages.
std::string reason_of(const Error &error);

/// Measures the bandwidth of a copy kernel with 16 bytes per thread, in bytes/s (read + written). Errors: any
/// that prevents the kernel from running, such as out of memory.
Result<double> copy_ceiling(Session &session, const Device &device);

} // namespace kiln
