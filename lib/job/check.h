// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks plain values that an embedder gives. Each value is checked once, at the interface. All other code
// relies on valid values.
#pragma once

#include <kiln/job.h>

#include <string_view>

namespace kiln {

class Target;

/// Checks all fields except the target's own options, which Target::check checks. Error: Usage, naming the
/// field, its value and the valid values.
Result<void> check_config(const CompilerConfig &config, const Target &target);
Result<void> check_product(ArtifactKind kind);
/// Rejects zero bytes in names and paths, since system calls would end the text there. `what` names the value
/// in the message. Error: Usage.
Result<void> check_text(std::string_view what, std::string_view text);

} // namespace kiln
