// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks of plain values given by an embedder. Each value is checked once at the interface; all other code
// relies on it.
#pragma once

#include <kiln/job.h>

#include <string_view>

namespace kiln {

class Target;

/// Checks all fields except the target's own options (Target::check). Error: Usage, naming the field, its
/// value and valid values.
Result<void> check_config(const CompilerConfig &config, const Target &target);
Result<void> check_product(ArtifactKind kind);
/// Rejects zero bytes in names and paths, where system calls would cut them off. `what`: for the message.
/// Error: Usage.
Result<void> check_text(std::string_view what, std::string_view text);

} // namespace kiln
