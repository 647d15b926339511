// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that several subcommands of `kiln cache` use.
#pragma once

#include "../command.h"
#include "../options.h"

#include <kiln/cache.h>

namespace kiln::tool {

/// Opens the cache folder that the options name, even if the folder does not exist. Error: Usage, if no
/// option names a folder.
Result<CacheFolder> open_cache_folder(const CommonOptions &common);
/// Opens the cache folder and checks that Kiln can use it. A missing or empty folder passes the check.
/// Errors: Usage, if no option names a folder; Machine, if the check fails.
Result<CacheFolder> open_usable_folder(const CommonOptions &common);

Action cache_ls_command(CLI::App &app);
Action cache_verify_command(CLI::App &app);
Action cache_explain_command(CLI::App &app);
Action cache_agent_command(CLI::App &app);
Action cache_keygen_command(CLI::App &app);
Action cache_sign_command(CLI::App &app);

/// Replaces this process by the program kiln-agent (exec), which checks signed cache entries. Returns only if
/// the exec fails.
Error run_agent_verify(const std::string &trust_keys, std::vector<std::string> words);

} // namespace kiln::tool
