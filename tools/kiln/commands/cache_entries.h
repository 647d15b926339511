// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions shared by the commands of kiln cache.
#pragma once

#include "../command.h"
#include "../options.h"

#include <kiln/cache.h>

namespace kiln::tool {

/// Opens the folder that the options name, even if it does not exist. Error: Usage, if they name none.
Result<CacheFolder> open_cache_folder(const CommonOptions &common);
/// Opens the folder for commands that need a usable one. A missing or empty folder is usable. Errors: Usage;
/// Machine, for an unusable folder.
Result<CacheFolder> open_usable_folder(const CommonOptions &common);

Action cache_ls_command(CLI::App &app);
Action cache_verify_command(CLI::App &app);
Action cache_explain_command(CLI::App &app);
Action cache_agent_command(CLI::App &app);
Action cache_keygen_command(CLI::App &app);
Action cache_sign_command(CLI::App &app);

/// Replaces this process by kiln-agent's check of signed entries. Returns only on failure.
Error run_agent_verify(const std::string &trust_keys, std::vector<std::string> words);

} // namespace kiln::tool
