// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fastest of many candidates of a kernel. Types, launch shapes and options come from a search space. The
// search compiles all candidates together, compares them with a reference, and measures them against each
// other. The cache's store keeps the results, so that no candidate is measured twice. docs/guide/tune.md is
// the tour. Free functions; any thread, but only one search may measure on a device at a time.
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

/// A name and the text that replaces it.
using TuneSetting = std::pair<std::string, std::string>;

/// A parameter of the search. Texts of the request name it $NAME or $(NAME), and expressions NAME.
struct TuneParameter {
  std::string name;
  std::vector<std::string> values; ///< as text: "16", "Float32", "true"
};

/// A launch as expressions of whole numbers over parameters and sizes: "cld(N, TILE)". Empty: 1, and no
/// dynamic shared memory.
struct TuneShape {
  std::array<std::string, 3> threads{}, blocks{};
  std::string shared_bytes = {};
};

/// Expressions have + - * / ÷ % ^, comparisons, && || !, c ? a : b, and the functions cld, fld, div, rem,
/// mod, min, max, abs, ispow2, nextpow2. Of the request's arguments, counted from 1, they have size(argument,
/// dimension) and length(argument), and value(argument) of a whole number. `/` is exact: 7 / 2 is an error.
struct TuneSpace {
  std::vector<TuneParameter> parameters; ///< every combination is a candidate,
  /// or these alone, each with a value for every parameter
  std::vector<std::vector<TuneSetting>> candidates = {};
  std::vector<std::string> constraints = {}; ///< expressions: where one is 0 or false there is no candidate
  std::vector<TuneSetting> sizes = {};       ///< names for expressions of the arguments: {"N", "size(1, 2)"}
  TuneShape shape = {};
  std::vector<TuneSetting> options = {}; ///< `kiln compile`'s, without dashes: {"maxregs", "$R"}
};

/// A space as JSON: {"parameters": {"TILE": [8, 16], "N": {"from": 1, "to": 8, "factor": 2}}, "candidates":
/// [{"TILE": 8, "N": 1}], "constraints": ["TILE * N <= 64"], "sizes": {}, "threads": ["TILE", "TILE"],
/// "blocks": "cld(length(1), TILE)", "shmem": "0", "options": {"O": "$O"}}. `name` is the text's in messages.
/// Errors: Input ("space error", "JSON error"), every fault with its place; expressions are read by tune().
KILN_API Result<TuneSpace> read_tune_space(std::string name, std::string json);

/// An argument of the kernel: an expression of the session's language, which may name parameters
/// ("Val($TILE)"), or a value. Arrays are copied, and the caller's stay as they are.
struct TuneArgument {
  std::string expression = {};
  std::optional<Argument> value = {}; ///< instead of the expression; arrays are in the device's memory
};

/// Expected result of each candidate: that of a function, of one of the candidates, or given arrays.
struct TuneReference {
  /// A kernel that takes the arguments which name no parameter. Without a shape it runs on the CPU as one
  /// thread, so that a plain loop will do.
  std::string function = {};
  TuneShape shape = {};
  std::vector<TuneSetting> candidate = {}; ///< a value for every parameter
  struct Expected {
    size_t argument = 0;          ///< counted from 1; holds one array
    std::vector<std::byte> bytes; ///< of its elements
  };
  std::vector<Expected> expected = {};
  /// For floating-point numbers: |a - b| <= tolerance * max(|b|, mean of |b| over the array). Below 0: the
  /// square root of the type's epsilon (Float64 1.5e-8, Float32 3.5e-4, Float16 0.03, BFloat16 0.09). Other
  /// values are compared exactly.
  double tolerance = -1;
};

struct TuneRequest {
  std::string function; ///< may name parameters
  std::vector<TuneArgument> arguments;
  TuneSpace space;
  TuneReference reference;
  CompilerConfig config = {}; ///< base of the space's options
};

/// Progress of a search.
struct TuneProgress {
  std::string_view phase;   ///< "compile", "check", "measure"
  size_t done = 0, all = 0; ///< candidates of this phase; while measuring, `done` counts dropped ones
  unsigned round = 0;
  std::optional<double> seconds_left; ///< upper limit
  double best = 0;                    ///< nanoseconds of the fastest so far; 0: none
};

struct TuneOptions {
  double bytes = 0; ///< moved by a launch, for bandwidths; 0: those of the arrays, each once
  double flops = 0;
  bool flush_l2 = false;   ///< GPUs: overwrite the L2 cache before each launch, which is then timed apart
  bool exhaustive = false; ///< measure every candidate in every round
  bool again = false;      ///< leave the record aside, and write it anew
  bool ceiling = true;     ///< measure the device's copy bandwidth in this run
  unsigned min_rounds = 3, max_rounds = 24;
  double confidence = 3; ///< a candidate drops out when it is slower by so many standard errors
  double level = 0.005;  ///< the search ends when those left are within this of the fastest
  /// A launch that takes longer has failed. The CPU ends it. On a GPU that is impossible: tune() keeps its
  /// results in the record and returns TimeLimitError, the process loses the device, and the session must not
  /// be closed: leave by std::_Exit. The next search continues without the candidate.
  std::chrono::nanoseconds time_limit = std::chrono::seconds(10);
  /// on the calling thread; must not call the session
  std::function<void(const TuneProgress &)> progress = {};
};

enum class TuneState : uint8_t {
  Waiting,    ///< not processed yet
  Ready,      ///< its result is right; it is being measured
  Measured,   ///< to the end
  Dropped,    ///< slower, and not measured to the end
  Impossible, ///< its shape or options mean nothing
  NotCompiled,
  Failed, ///< its launch ended in an error
  TimedOut,
  Wrong ///< another result than the reference's
};
/// "measured", "dropped", ...
KILN_API std::string_view tune_state_name(TuneState state);

struct TuneCandidate {
  std::vector<std::string> values; ///< by parameter
  TuneState state = TuneState::Waiting;
  std::string reason = {}; ///< why it cannot win
  LaunchShape shape = {};
  double nanoseconds = 0;           ///< median time of a launch on the device; 0: not measured
  double noise = 0;                 ///< standard error of it, as a part of it
  std::vector<double> samples = {}; ///< nanoseconds a launch, a round each
  KernelResources resources = {};   ///< GPUs
  double occupancy = -1; ///< warps of a multiprocessor that are resident, 0 to 1; below 0: not known
  std::string occupancy_limit = {};
  bool is_recorded = false; ///< not compiled or measured in this run
};

struct TuneResult {
  std::vector<std::string> parameters;
  std::vector<TuneCandidate> candidates;
  std::optional<size_t> winner;
  Job job; ///< the winner's, to be prepared
  std::string device, shape_class;
  double bytes = 0, flops = 0;
  double ceiling = 0; ///< bytes a second that a copy kernel of Kiln's own moved in this run; 0: not measured
  double noise = 0;   ///< relative noise of a single sample, from the clock and the device
  size_t compiled = 0, measured = 0, excluded = 0; ///< in this run; combinations that a constraint excludes
  unsigned rounds = 0;
  double seconds = 0, compile_seconds = 0, check_seconds = 0, measure_seconds = 0;
};

} // namespace kiln::inline KILN_API_VERSION

namespace kiln::detail {
/// Structures that a program and the library share through the tuner.
consteval auto tune_structures() {
  return std::array{KILN_STRUCTURE(TuneRequest),   KILN_STRUCTURE(TuneSpace),
                    KILN_STRUCTURE(TuneOptions),   KILN_STRUCTURE(TuneResult),
                    KILN_STRUCTURE(TuneCandidate), KILN_STRUCTURE(TuneProgress),
                    KILN_STRUCTURE(CompilerConfig)};
}
} // namespace kiln::detail

namespace kiln::inline KILN_API_VERSION {

/// Searches. Errors: Input (the space, an expression, the reference fails), Usage, Machine; TimeLimitError as
/// above. A candidate that fails to compile, to launch or to compare ends nothing: it has a state and a
/// reason. Where none is right, there is no winner.
KILN_API Result<TuneResult> tune(Session &session, const Device &device, const TuneRequest &request,
                                 const TuneOptions &options, const ProgramHeaders &headers);
KILN_HEADER_INLINE Result<TuneResult> tune(Session &session, const Device &device, const TuneRequest &request,
                                           const TuneOptions &options = {}) {
  const auto structures = detail::tune_structures();
  return tune(session, device, request, options, {KILN_VERSION, structures});
}
/// Results of earlier runs with arguments of this shape class. The winner is the fastest candidate that was
/// measured and whose code has not changed. Launches and measures nothing.
KILN_API Result<TuneResult> tuned(Session &session, const Device &device, const TuneRequest &request,
                                  const TuneOptions &options, const ProgramHeaders &headers);
KILN_HEADER_INLINE Result<TuneResult> tuned(Session &session, const Device &device,
                                            const TuneRequest &request, const TuneOptions &options = {}) {
  const auto structures = detail::tune_structures();
  return tuned(session, device, request, options, {KILN_VERSION, structures});
}

/// The table of all candidates, the fastest first.
KILN_API std::string tune_table(const TuneResult &result);
/// All of it as an object of JSON.
KILN_API std::string tune_json(const TuneResult &result);

} // namespace kiln::inline KILN_API_VERSION
