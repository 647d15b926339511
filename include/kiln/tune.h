// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tuner: finds the fastest of many candidates of a kernel. A search space gives types, launch shapes and
// options. The tuner compiles all candidates, compares their results with a reference, and measures them.
// Results are stored in the persistent cache, so that no candidate is measured twice. docs/guide/tune.md is
// the tour. Any thread may call these functions, but only one search at a time may measure on a device.
#pragma once

#include <kiln/export.h>
#include <kiln/header_check.h>
#include <kiln/session.h>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// A name and its value, both as text.
using TuneSetting = std::pair<std::string, std::string>;

/// A parameter of the search and its possible values. Texts of the request refer to it as $NAME or $(NAME),
/// expressions as NAME.
struct TuneParameter {
  std::string name;
  std::vector<std::string> values; ///< as text: "16", "Float32", "true"
};

/// A launch shape as integer expressions over parameters and sizes: "cld(N, TILE)". An empty extent means 1,
/// empty shared_bytes means none.
struct TuneShape {
  std::array<std::string, 3> threads{}, blocks{};
  std::string shared_bytes = {};
};

/// The search space: parameters, constraints, launch shape and options. Expressions have + - * / ÷ % ^,
/// comparisons, && || !, c ? a : b, and the functions cld, fld, div, rem, mod, min, max, abs, ispow2,
/// nextpow2. They can query the request's arguments, counted from 1: size(argument, dimension),
/// length(argument), and value(argument) of an integer. `/` is exact: 7 / 2 is an error.
struct TuneSpace {
  std::vector<TuneParameter> parameters; ///< every combination of their values is a candidate
  /// Not empty: these are the only candidates, each with a value for every parameter.
  std::vector<std::vector<TuneSetting>> candidates = {};
  /// Expressions; a combination for which one is 0 or false is excluded.
  std::vector<std::string> constraints = {};
  std::vector<TuneSetting> sizes = {}; ///< names for expressions over the arguments: {"N", "size(1, 2)"}
  TuneShape shape = {};
  std::vector<TuneSetting> options = {}; ///< options of `kiln compile`, without dashes: {"maxregs", "$R"}
};

/// Reads a search space from JSON: {"parameters": {"TILE": [8, 16], "N": {"from": 1, "to": 8, "factor": 2}},
/// "candidates": [{"TILE": 8, "N": 1}], "constraints": ["TILE * N <= 64"], "sizes": {}, "threads": ["TILE",
/// "TILE"], "blocks": "cld(length(1), TILE)", "shmem": "0", "options": {"O": "$O"}}. `name` is the text's
/// name in messages. Errors: Input ("space error", "JSON error"), every fault with its place. tune() checks
/// the expressions later.
KILN_API Result<TuneSpace> read_tune_space(std::string name, std::string json);

/// An argument of the kernel: an expression of the session's language, which may contain parameters
/// ("Val($TILE)"), or a value. The tuner runs candidates on copies of arrays; the caller's arrays do not
/// change.
struct TuneArgument {
  std::string expression = {};
  /// Value instead of the expression; arrays must be in the device's memory.
  std::optional<Argument> value = {};
};

/// Expected result of every candidate: the result of a function, of one chosen candidate, or given arrays.
struct TuneReference {
  /// Name of a reference kernel. It gets the arguments that contain no parameter. Without a shape it runs on
  /// the CPU with one thread, so a plain loop is enough.
  std::string function = {};
  TuneShape shape = {};
  std::vector<TuneSetting> candidate = {}; ///< the chosen candidate: a value for every parameter
  struct Expected {
    size_t argument = 0;          ///< number of the argument, from 1; it holds one array
    std::vector<std::byte> bytes; ///< expected bytes of the array's elements
  };
  std::vector<Expected> expected = {};
  /// For floating-point numbers: |a - b| <= tolerance * max(|b|, mean of |b| over the array). Negative: the
  /// square root of the type's epsilon (Float64 1.5e-8, Float32 3.5e-4, Float16 0.03, BFloat16 0.09). Other
  /// values are compared exactly.
  double tolerance = -1;
};

struct TuneRequest {
  std::string function; ///< name of the kernel; may contain parameters
  std::vector<TuneArgument> arguments;
  TuneSpace space;
  TuneReference reference;
  CompilerConfig config = {}; ///< config of all candidates, before the space's options are applied
};

/// Progress of a search.
struct TuneProgress {
  std::string_view phase; ///< "compile", "check", "measure"
  /// Candidates done and in all, in this phase; "measure" counts dropped ones as done.
  size_t done = 0, all = 0;
  unsigned round = 0;
  std::optional<double> seconds_left; ///< upper bound of the remaining time
  double best = 0;                    ///< time of the fastest candidate so far, in nanoseconds; 0: none
};

struct TuneOptions {
  double bytes = 0; ///< bytes that a launch moves, for the bandwidth; 0: the size of all arrays
  double flops = 0;
  bool flush_l2 = false; ///< GPUs: overwrite the L2 cache before each launch, and time each launch separately
  bool exhaustive = false; ///< measure every candidate in every round; drop none
  bool again = false;      ///< ignore stored results, measure again and replace them
  bool ceiling = true;     ///< measure the device's copy bandwidth, for TuneResult::ceiling
  unsigned min_rounds = 3, max_rounds = 24;
  /// A candidate is dropped when it is slower than the fastest by so many standard errors.
  double confidence = 3;
  /// The search ends when all remaining candidates are within this fraction of the fastest.
  double level = 0.005;
  /// Time limit of one launch; a candidate that exceeds it has failed. The CPU stops the launch. A GPU cannot
  /// stop it: tune() stores the results so far and returns TimeLimitError. The process cannot use the device
  /// any more and must end by std::_Exit without closing the session. The next search skips the candidate.
  std::chrono::nanoseconds time_limit = std::chrono::seconds(10);
  /// Further GPUs of the same model. Each GPU examines and measures a part of the candidates at the same
  /// time. Then the first one measures those that were not dropped, so the winner was compared on one GPU.
  /// All arguments with arrays must be expressions: each GPU gets a copy of their values.
  std::vector<Device> more_devices = {};
  /// Receives the progress, on the thread that called tune(). It must not call the session. With several
  /// GPUs, first that of the first GPU's part, then that of the last race.
  std::function<void(const TuneProgress &)> progress = {};
};

enum class TuneState : uint8_t {
  Waiting,    ///< not examined yet
  Ready,      ///< its result is right; it takes part in the measurement
  Measured,   ///< measured until the search ended
  Dropped,    ///< slower; dropped before the search ended
  Impossible, ///< its shape or options are invalid
  NotCompiled,
  Failed, ///< its launch ended in an error
  TimedOut,
  Wrong ///< its result differs from the reference
};
/// "measured", "dropped", ...
KILN_API std::string_view tune_state_name(TuneState state);

struct TuneCandidate {
  std::vector<std::string> values; ///< values of the parameters, in order
  TuneState state = TuneState::Waiting;
  std::string reason = {}; ///< why it failed or was dropped
  LaunchShape shape = {};
  double nanoseconds = 0;           ///< median time of a launch on the device; 0: not measured
  double noise = 0;                 ///< standard error of `nanoseconds`, as a fraction of it
  std::vector<double> samples = {}; ///< nanoseconds per launch, one sample for each round
  KernelResources resources = {};   ///< GPUs
  double occupancy = -1; ///< resident fraction of a multiprocessor's warps, 0 to 1; negative: not known
  std::string occupancy_limit = {};
  bool is_recorded = false; ///< all its data are from stored results of earlier runs
};

struct TuneResult {
  std::vector<std::string> parameters;
  std::vector<TuneCandidate> candidates;
  std::optional<size_t> winner;
  Job job; ///< job of the winner, for Job::prepare
  std::string device, shape_class;
  double bytes = 0, flops = 0;
  double ceiling = 0; ///< bytes per second of Kiln's own copy kernel in this run; 0: not measured
  double noise = 0;   ///< relative noise of a single sample, from clock and device
  /// Candidates compiled and measured in this run; combinations excluded by constraints.
  size_t compiled = 0, measured = 0, excluded = 0;
  unsigned rounds = 0;
  double seconds = 0, compile_seconds = 0, check_seconds = 0, measure_seconds = 0;
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Sizes of the structures that programs and libkiln exchange through the tuner. The library compares them to
/// detect headers of another version.
consteval auto tune_structures() {
  return std::array{KILN_STRUCTURE(TuneRequest),   KILN_STRUCTURE(TuneSpace),
                    KILN_STRUCTURE(TuneOptions),   KILN_STRUCTURE(TuneResult),
                    KILN_STRUCTURE(TuneCandidate), KILN_STRUCTURE(TuneProgress),
                    KILN_STRUCTURE(CompilerConfig)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// Searches for the fastest candidate. Errors: Input (wrong space or expression, failed reference), Usage,
/// Machine; TimeLimitError (TuneOptions::time_limit). A candidate that fails does not end the search: its
/// state and reason say what failed. If no candidate is right, the result has no winner.
KILN_API Result<TuneResult> tune(Session &session, const Device &device, const TuneRequest &request,
                                 const TuneOptions &options, const ProgramHeaders &headers);
KILN_HEADER_INLINE Result<TuneResult> tune(Session &session, const Device &device, const TuneRequest &request,
                                           const TuneOptions &options = {}) {
  const auto structures = detail::tune_structures();
  return tune(session, device, request, options, {KILN_VERSION, structures});
}
/// Returns stored results of earlier searches for arguments of the same types and similar sizes
/// (TuneResult::shape_class). The winner is the fastest measured candidate whose code has not changed since.
/// Launches and measures nothing.
KILN_API Result<TuneResult> tuned(Session &session, const Device &device, const TuneRequest &request,
                                  const TuneOptions &options, const ProgramHeaders &headers);
KILN_HEADER_INLINE Result<TuneResult> tuned(Session &session, const Device &device,
                                            const TuneRequest &request, const TuneOptions &options = {}) {
  const auto structures = detail::tune_structures();
  return tuned(session, device, request, options, {KILN_VERSION, structures});
}

/// Formats all candidates as a table, the fastest first.
KILN_API std::string tune_table(const TuneResult &result);
/// Formats the whole result as a JSON object.
KILN_API std::string tune_json(const TuneResult &result);

} // namespace kiln::inline KILN_API_VERSION
