// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <architectures/architectures.h>
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

/// A config for each architecture of "arch": "sm_80,sm_90a" or ["sm_80", "sm_90a"]. Errors: as
/// read_compile_options.
Result<std::vector<CompilerConfig>> read_each_architecture(std::string_view json, const TargetList &targets,
                                                           const NamedHooks *hooks = nullptr);

/// "sm_90", "sm_90a" or "sm_100f", and "8.5"; empty: what PtxOptions has. Error: Usage, with `names`, how the
/// two options are called here.
struct PtxOptionNames {
  std::string_view arch = "arch", isa = "ptx-isa", target = "the target ptx";
};
Result<PtxOptions> read_ptx_options(std::string_view arch, std::string_view isa, PtxOptionNames names = {});

/// Makes the target's options those of another architecture; they keep their PTX ISA where it is new enough.
/// False: the target has no such architectures, and is left as it is.
bool set_architecture(TargetSpec &target, GpuArch arch);

/// "X[,Y[,Z]]"; what is not given is 1. Error: Usage, naming the option.
Result<std::array<uint32_t, 3>> read_extents(std::string_view option, std::string_view text);

} // namespace kiln
