// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts exceptions and faults of kernels to errors with source lines.
#pragma once

#include <host/host.h>
#include <support/support.h>

namespace kiln {

/// Makes the error for a launch's exception record. The record's texts are in host memory, or copies from the
/// device.
Error exception_error(const abi::ExceptionRecord &record, const SourceMap &sources);
Error exception_error(const CudaException &exception, const SourceMap &sources);
/// As above, for a record whose texts are only in ExceptionRecord::text.
Error copied_exception_error(const abi::ExceptionRecord &record, const SourceMap &sources);
/// Makes the error for a deadlock: it names the places at which threads wait for each other for ever.
Error deadlock_error(const Deadlock &deadlock, const SourceMap &sources);
/// Combines all errors of a launch. `checker`: access checker of the launch; null: accesses were not checked.
Result<void> launch_result(const LaunchOutcome &outcome, const AccessChecker *checker,
                           const SourceMap &sources);

} // namespace kiln
