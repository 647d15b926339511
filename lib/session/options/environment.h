// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a session takes from its options, and where they say nothing from the environment
// (docs/guide/environment.md), which the caller's EnvironmentScope may hide.
#pragma once

#include <cache/cache.h>
#include <host/host.h>
#include <kiln/session.h>
#include <support/support.h>

#include <string>

namespace kiln {

/// Are the options' values such as there can be? Error: Usage, which names the option, its value and what it
/// takes.
Result<void> check_options(const SessionOptions &options);
/// Do the variables that a session reads hold what they take? Error: Usage.
Result<void> check_environment();

LogLevel log_level(const SessionOptions &options);
LogFunction log_sink(const SessionOptions &options); ///< empty: nobody is told
ExecutorOptions executor_options(const SessionOptions &options);
std::string dump_folder(const SessionOptions &options); ///< empty: no dumps
std::string trace_file(const SessionOptions &options);  ///< of jobs; empty: none
std::string cache_folder(
    const SessionOptions &options); ///< of the cache that outlives the session; empty: none
std::string shared_cache_folder(const SessionOptions &options); ///< the read-only one below it; empty: none
bool may_compile(const SessionOptions &options);
std::chrono::milliseconds assemble_limit(const SessionOptions &options); ///< 0: none
std::vector<std::string> remote_stores(const SessionOptions &options);   ///< URLs; empty: none
uint64_t cache_budget(const SessionOptions &options);                    ///< bytes that cache_folder may take

} // namespace kiln
