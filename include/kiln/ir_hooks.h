// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks in the flow of single jobs that see LLVM IR as text and may put another text in its place: for
// programs that link libkiln.so, whose LLVM is its own. Who links Kiln::extension derives from JobHooks
// (kiln/extension/llvm/hooks.h) instead, which neither prints nor parses.
#pragma once

#include <kiln/export.h>
#include <kiln/job.h>

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::inline KILN_API_VERSION {

/// Where in the pipeline (docs/architecture.md), in its order; the names are GPUCompiler.jl's.
enum class IrMoment : uint8_t {
  FinishModule,       ///< right after emission
  FinishLinkedModule, ///< the device library and linked files are in it
  OptimizeModule,     ///< after the middle-end, where CompilerConfig::optimize says so
  FinishIr,           ///< before validation and code generation
};

struct IrHooks {
  /// Both enter the object's key: another version wherever `rewrite` makes something else of a job.
  std::string name, version;
  std::vector<IrMoment> moments; ///< at which `rewrite` is called; each costs printing the module
  /// Gets the job's module; gives nothing, which leaves it as it is, or the whole module that takes its
  /// place, with the same entry (the function with the attribute "kiln.entry"). The result may depend on the
  /// text, name and version alone, or caches give one job's code to another. It is called by several threads
  /// at once, must not call the session that compiles, and what it throws is an error. An error ends the job.
  std::function<Result<std::optional<std::string>>(IrMoment, std::string_view ir)> rewrite;
};

/// For CompilerConfig::hooks. Errors of a job with them: Input, for a text that is no IR, with its line, or
/// that lacks the entry; rewrite's own. Error: Usage (no name, no moment, no function).
KILN_API Result<std::shared_ptr<const JobHooks>> make_hooks(IrHooks hooks);

} // namespace kiln::inline KILN_API_VERSION
