// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors of kernels, with source lines.
#pragma once

#include <host/host.h>
#include <support/support.h>

namespace kiln {

/// Error for a launch's exception record, whose texts are in host memory or were copied from the device.
Error exception_error(const abi::ExceptionRecord &record, const SourceMap &sources);
Error exception_error(const CudaException &exception, const SourceMap &sources);
/// Error with the places at which the threads wait for each other for ever.
Error deadlock_error(const Deadlock &deadlock, const SourceMap &sources);
/// All errors of a launch. `checker`: the launch's, or null.
Result<void> launch_result(const LaunchOutcome &outcome, const AccessChecker *checker,
                           const SourceMap &sources);

} // namespace kiln
