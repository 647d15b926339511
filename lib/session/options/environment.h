// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads settings of a session from its options, else from environment variables (docs/guide/environment.md).
// An EnvironmentScope of the calling thread may hide the variables.
#pragma once

#include <cache/cache.h>
#include <host/host.h>
#include <kiln/session.h>
#include <support/support.h>

#include <string>

namespace kiln {

/// Checks the options' values. Error: Usage, naming the option, its value and the accepted values.
Result<void> check_options(const SessionOptions &options);
/// Checks the values of environment variables that a session reads. Error: Usage.
Result<void> check_environment();

LogLevel log_level(const SessionOptions &options);
LogFunction log_sink(const SessionOptions &options); ///< may be empty
ExecutorOptions executor_options(const SessionOptions &options);
std::string dump_folder(const SessionOptions &options); ///< empty: no dumps
std::string trace_file(const SessionOptions &options);  ///< of jobs; empty: none
/// Returns the folder of the persistent cache; empty: none.
std::string cache_folder(const SessionOptions &options);
/// read-only, below cache_folder; empty: none
std::string shared_cache_folder(const SessionOptions &options);
bool may_compile(const SessionOptions &options);
SessionOptions::CpuTier cpu_tier(const SessionOptions &options);
std::chrono::milliseconds assemble_limit(const SessionOptions &options); ///< 0: none
std::vector<std::string> remote_stores(const SessionOptions &options);   ///< URLs; empty: none
uint64_t cache_budget(const SessionOptions &options);                    ///< maximum bytes of cache_folder

} // namespace kiln
