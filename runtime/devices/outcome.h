// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What went wrong while a kernel ran, as errors with source lines.
#pragma once

#include <host/host.h>
#include <support/support.h>

namespace kiln {

/// The error that a launch's exception record tells of; its texts where the device keeps them, or read from
/// there.
Error exception_error(const abi::ExceptionRecord &record, const SourceMap &sources);
Error exception_error(const CudaException &exception, const SourceMap &sources);
/// That threads wait for each other for ever, and where.
Error deadlock_error(const Deadlock &deadlock, const SourceMap &sources);
/// Everything that went wrong in a launch. `checker`: null, or the launch's.
Result<void> launch_result(const LaunchOutcome &outcome, const AccessChecker *checker,
                           const SourceMap &sources);

} // namespace kiln
