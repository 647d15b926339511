// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the commands of kiln cache share.
#pragma once

#include "../command.h"
#include "../options.h"

#include <kiln/cache.h>

namespace kiln::tool {

/// The folder that the options name, which need not exist. Error: Usage, if none is named.
Result<CacheFolder> open_cache_folder(const CommonOptions &common);
/// The same for what has nothing to say of a folder that cannot be used. Error: Machine as well. One that
/// does not exist or is empty is usable.
Result<CacheFolder> open_usable_folder(const CommonOptions &common);

Action cache_verify_command(CLI::App &app);
Action cache_explain_command(CLI::App &app);
Action cache_agent_command(CLI::App &app);
Action cache_keygen_command(CLI::App &app);
Action cache_sign_command(CLI::App &app);

/// kiln-agent's check of signed entries, in place of this process. Returns only if it cannot be run.
Error run_agent_verify(const std::string &trust_keys, std::vector<std::string> words);

} // namespace kiln::tool
