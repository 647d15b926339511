// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <job/job.h>
#include <kiln/job.h>
#include <support/support.h>

namespace kiln {

class NamedHooks;

/// A config from options of `kiln compile` by their names, as one object of JSON: {"target": "ptx", "arch":
/// "sm_90", "O": 3}. Of a target of the embedder's: its own options by theirs. `hooks`: those that the text
/// may name. `base`: what the options change; null: the defaults. Errors: Input, every fault with its place
/// in the text; Usage for what excludes each other.
Result<CompilerConfig> read_compile_options(std::string_view json, const TargetList &targets,
                                            const NamedHooks *hooks = nullptr,
                                            const CompilerConfig *base = nullptr);

/// "sm_90", "sm_90a", and "8.5"; empty: what PtxOptions has. Error: Usage, with `names`, how the two options
/// are called here.
struct PtxOptionNames {
  std::string_view arch = "arch", isa = "ptx-isa", target = "the target ptx";
};
Result<PtxOptions> read_ptx_options(std::string_view arch, std::string_view isa, PtxOptionNames names = {});

/// "X[,Y[,Z]]"; what is not given is 1. Error: Usage, naming the option.
Result<std::array<uint32_t, 3>> read_extents(std::string_view option, std::string_view text);

} // namespace kiln
