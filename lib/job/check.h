// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do the plain values that an embedder gives mean anything? Asked once, where they come in; all behind it
// relies on it.
#pragma once

#include <kiln/job.h>

#include <string_view>

namespace kiln {

class Target;

/// But for the target's own options, which Target::check judges. Error: Usage, which names the field, its
/// value and what it takes.
Result<void> check_config(const CompilerConfig &config, const Target &target);
Result<void> check_product(ArtifactKind kind);
/// Names and paths end at a zero byte in the system's hands, so none may be inside. `what` is for the
/// message. Error: Usage.
Result<void> check_text(std::string_view what, std::string_view text);

} // namespace kiln
