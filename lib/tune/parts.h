// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A search that several devices share. Each of them examines and measures a part of the candidates. Their
// times cannot decide, since devices of one model differ in clock and temperature. So the first device then
// measures the candidates that no part dropped.
#pragma once

#include "tune.h"

namespace kiln {

/// Evaluates expressions in the session's language.
ArgumentSource source_of(Session &session);
/// Checks that the search can use its further devices. Error: Usage.
Result<void> check_devices(const Device &device, const TuneOptions &options);
/// Searches with `device` and options.more_devices. Evaluates all arguments on this thread. Errors: those of
/// tune().
Result<TuneResult> tune_in_parts(Session &session, const Device &device, const TuneRequest &request,
                                 const TuneOptions &options, const ArgumentSource &given);

} // namespace kiln
