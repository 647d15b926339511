// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Command-line options of kiln tune, and their conversion to the library's options.
#pragma once

#include "arguments.h"
#include "options.h"

#include <kiln/extension/language/tune.h>

namespace kiln::tool {

struct TuneCommand {
  CompileOptions compile;
  CommonOptions common;
  std::vector<std::string> arguments, parameters, constraints, sizes, settings, expected;
  std::string space, threads, blocks, shared_bytes, device, devices, reference, reference_threads,
      reference_blocks, json;
  double bytes = 0, flops = 0, tolerance = -1, time_limit = 10;
  uint64_t seed = 0;
  CLI::Option *seed_option = nullptr;
  uint32_t rounds = 24;
  bool flush_l2 = false, exhaustive = false, again = false, recorded = false, explain = false;

  void add_to(CLI::App &app);
  /// Returns the space of candidates from --space and other options. Errors: Usage; those of reading the
  /// file.
  Result<TuneSpace> read_space() const;
  /// Returns how results are checked, without the arrays of --expect.
  Result<TuneReference> read_reference() const;
  /// Reads the expected results, the NumPy files of --expect. Errors: Usage; those of reading the files.
  Result<std::vector<TuneReference::Expected>> read_expected(Session &session) const;
  kiln::TuneOptions options() const;
};

/// Splits text at commas outside of brackets, and trims spaces: "a, f(b, c)" gives "a" and "f(b, c)".
std::vector<std::string> split_list(std::string_view text);

} // namespace kiln::tool
