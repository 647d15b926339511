// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads options of `kiln compile` from JSON into a CompilerConfig. docs/guide/options.md lists the options.
#pragma once

#include <kiln/device.h>
#include <kiln/export.h>
#include <kiln/forward.h>
#include <kiln/job.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// Like Session::read_config and Session::read_configs, but without a session, and only for Kiln's own
/// targets.
KILN_API Result<CompilerConfig> read_config(std::string_view json);
KILN_API Result<std::vector<CompilerConfig>> read_configs(std::string_view json);
/// Like Session::read_config, with the device's target and architecture as defaults: for a GPU,
/// {"maxthreads": 256} is a whole config. Errors: those of Session::read_config; Usage for another session's
/// device.
KILN_API Result<CompilerConfig> read_config(Session &session, std::string_view json, const Device &device);

/// An option that read_config takes.
struct OptionInfo {
  std::string_view name;   ///< "maxregs"
  std::string_view target; ///< target that has the option; empty: all targets
  bool is_flag = false;    ///< the option's value is true or false
};
KILN_API std::vector<OptionInfo> config_options();
/// Returns the error message for an unknown option, for languages with options of their own. `known` lists
/// the valid names.
KILN_API std::string unknown_option_message(std::string_view name, std::span<const std::string> known);
/// Reads the name of a stage as in `kiln compile --emit`: lowered, typed, llvm, llvm-opt, asm, obj, cubin.
/// Error: Usage.
KILN_API Result<ArtifactKind> read_stage(std::string_view name);

} // namespace kiln::inline KILN_API_VERSION
