// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options of `kiln compile` by name, as JSON, to a CompilerConfig. docs/guide/options.md lists the options.
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

/// Session::read_config and Session::read_configs for Kiln's own targets, without a session.
KILN_API Result<CompilerConfig> read_config(std::string_view json);
KILN_API Result<std::vector<CompilerConfig>> read_configs(std::string_view json);
/// Session::read_config with the device's target and architecture as defaults: {"maxthreads": 256} is enough
/// for a GPU. Errors: those of Session::read_config; Usage for another session's device.
KILN_API Result<CompilerConfig> read_config(Session &session, std::string_view json, const Device &device);

/// An option that read_config takes.
struct OptionInfo {
  std::string_view name;   ///< "maxregs"
  std::string_view target; ///< the target that has it; empty: every target
  bool is_flag = false;    ///< its value is true or false
};
KILN_API std::vector<OptionInfo> config_options();
/// The message about an unknown option, for languages with options of their own.
KILN_API std::string unknown_option_message(std::string_view name, std::span<const std::string> known);
/// A stage by the name that `kiln compile --emit` uses: lowered, typed, llvm, llvm-opt, asm, obj, cubin.
/// Error: Usage.
KILN_API Result<ArtifactKind> read_stage(std::string_view name);

} // namespace kiln::inline KILN_API_VERSION
