// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes the expected results, and checks candidates against them.
#include "run.h"

#include <cstring>

namespace kiln {

/// Sets the expected contents of an array: those that the reference left, or those that the request gives.
Result<void> TuneRun::expect(size_t array, std::vector<std::byte> bytes) {
  const TunedArrays::Array &of = arrays_.all()[array];
  if (bytes.size() != of.bytes)
    return usage_error(fmt::format("the reference for argument {} has {} bytes, and the array {}",
                                   of.arguments.empty() ? 0 : of.arguments[0], bytes.size(), of.bytes));
  KILN_TRY(const std::vector<std::byte> before, arrays_.original(of));
  const bool is_changed = std::memcmp(before.data(), bytes.data(), bytes.size()) != 0;
  compared_.push_back({array,
                       ArrayComparison(session_.world().types(), of.element, of.dims, std::move(bytes),
                                       request_.reference.tolerance),
                       is_changed || !request_.reference.expected.empty()});
  return {};
}

/// Launches a reference on the device. Candidates must leave the same contents in the arrays.
Result<void> TuneRun::expect_result_of(const Kernel &kernel, const TunedCall &call,
                                       const LaunchShape &shape) {
  KILN_TRY(const LaunchBytes bytes, arguments_.launch_bytes(call, kernel.artifact()));
  KILN_CHECK(arrays_.restore());
  const auto ran = launches_.once({kernel, shape, bytes.pointers});
  if (!ran.ok()) {
    if (is_device_lost(ran.error(), device_)) lost_.emplace(ran.error());
    return ran.error();
  }
  for (size_t i = 0; i < arrays_.all().size(); i++) {
    KILN_TRY(auto held, arrays_.download(arrays_.all()[i]));
    if (!arrays_.all()[i].arguments.empty()) KILN_CHECK(expect(i, {held.begin(), held.end()}));
  }
  return {};
}

/// Runs the reference function on copies in host memory: as a single CPU thread, or with the launch shape
/// that the request gives.
Result<void> TuneRun::run_reference_function() {
  const TuneReference &reference = request_.reference;
  const TuneShape none;
  const bool has_shape = reference.shape.threads != none.threads || reference.shape.blocks != none.blocks;
  KILN_TRY(LaunchShape shape, space_.shape_of(reference.shape));
  KILN_TRY(const TunedCall call, arguments_.reference(reference.function));
  const Device on = has_shape ? device_ : session_.cpu();
  CompilerConfig config = has_shape ? base_ : CompilerConfig();
  if (!has_shape) config.debug_level = base_.debug_level;
  KILN_TRY(config, session_.config_for(on, config));
  KILN_TRY(const Job job, hold(call, config));
  KILN_TRY(const Kernel kernel, job.prepare(on));
  if (on == device_) return expect_result_of(kernel, call, shape);
  KILN_TRY(const auto copies, arrays_.originals());
  KILN_TRY(const LaunchBytes bytes, arguments_.launch_bytes(call, kernel.artifact(), &copies));
  KILN_CHECK(session_.launch(kernel, shape, bytes.pointers));
  for (size_t i = 0; i < arrays_.all().size(); i++) {
    const auto left = arrays_.copied_array(copies, arrays_.all()[i]);
    if (!arrays_.all()[i].arguments.empty()) KILN_CHECK(expect(i, {left.begin(), left.end()}));
  }
  return {};
}

Result<void> TuneRun::run_reference_candidate() {
  KILN_TRY(const PointValues values, space_.values_of(request_.reference.candidate));
  KILN_TRY(const TunedCall call, arguments_.call(space_, values));
  KILN_TRY(const LaunchShape shape, space_.shape(values));
  KILN_TRY(const CompilerConfig config, config_of(values));
  KILN_TRY(const Job job, hold(call, config));
  KILN_TRY(const Kernel kernel, job.prepare(device_));
  return expect_result_of(kernel, call, shape);
}

Result<void> TuneRun::make_reference() {
  if (!compared_.empty()) return {};
  const TuneReference &reference = request_.reference;
  for (const TuneReference::Expected &each : reference.expected) {
    const TunedArrays::Array *array = arrays_.of_argument(each.argument);
    if (!array)
      return usage_error(fmt::format("the reference is for argument {}, which has no array", each.argument));
    KILN_CHECK(expect(size_t(array - arrays_.all().data()), each.bytes));
  }
  auto with_context = [](Result<void> done) -> Result<void> {
    if (done.ok()) return {};
    Error error = done.take_error();
    error.diagnostics()[0].notes.push_back(
        {"of the reference, without which no candidate can be compared", {}});
    return error;
  };
  if (!reference.function.empty()) KILN_CHECK(with_context(run_reference_function()));
  if (!reference.candidate.empty()) KILN_CHECK(with_context(run_reference_candidate()));
  if (std::ranges::none_of(compared_, &Compared::is_changed))
    return usage_error("the reference changes no array of the arguments, so nothing can be compared");
  return {};
}

/// Runs one candidate on the original contents of the arrays, and compares the results. Sets the candidate's
/// state.
Result<void> TuneRun::check(size_t index, bool all_arrays) {
  Entry &entry = entries_[index];
  auto failed = [&](const Error &error) {
    const bool is_late = error.code() == ErrorCode::TimeLimitError;
    fail(index, is_late ? TuneState::TimedOut : TuneState::Failed, error);
    if (is_device_lost(error, device_))
      lost_.emplace(error);
    else
      (void)arrays_.stream().synchronize(); // wait for the candidate's other work in the stream
  };
  KILN_CHECK(arrays_.restore());
  if (entry.limited && !all_arrays) {
    auto ended =
        launches_.once_limited({entry.limited, candidate(index).shape, entry.limited_bytes.pointers});
    if (!ended.ok()) {
      failed(ended.error());
      return {};
    }
    KILN_CHECK(arrays_.restore());
  }
  const auto time = launches_.once(launchable(index));
  if (!time.ok()) {
    failed(time.error());
    return {};
  }
  entry.known = *time;
  for (const Compared &each : compared_) {
    if (!each.is_changed && !all_arrays) continue;
    const TunedArrays::Array &array = arrays_.all()[each.array];
    KILN_TRY(const auto held, arrays_.download(array));
    const auto difference = each.comparison.difference(held);
    if (!difference) continue;
    candidate(index).state = TuneState::Wrong;
    candidate(index).reason = fmt::format("argument {}{}", array.arguments[0], *difference);
    return {};
  }
  if (entry.kernel.artifact().coarsening.factor > 0 && !all_arrays)
    if (const auto again = launches_.once(launchable(index)); !again.ok()) { // triggers its coarse entry
      failed(again.error());
      return {};
    }
  if (candidate(index).state == TuneState::Waiting) candidate(index).state = TuneState::Ready;
  entry.is_verified |= all_arrays;
  return {};
}

Result<void> TuneRun::check_all(const std::vector<size_t> &indices) {
  const auto began = Clock::now();
  size_t done = 0;
  for (size_t i : indices) {
    TuneProgress progress{.phase = "check", .done = done, .all = indices.size()};
    if (done > 0) progress.seconds_left = seconds_since(began) / double(done) * double(indices.size() - done);
    KILN_CHECK(report_progress(progress));
    if (entries_[i].kernel && candidate(i).state == TuneState::Waiting) {
      result_.measured++;
      KILN_CHECK(check(i, false));
    }
    if (lost_) return {};
    done++;
    save_when_due();
  }
  result_.check_seconds += seconds_since(began);
  return {};
}

} // namespace kiln
