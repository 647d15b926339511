// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hooks in the flow of single jobs that get LLVM IR as text or bitcode, and may put another module in its
// place: for programs that link libkiln.so, whose LLVM is its own. Who links Kiln::extension derives from
// JobHooks (kiln/extension/llvm/hooks.h) instead, which neither writes nor reads the module.
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
  OptimizeModule,     ///< after the middle-end, if CompilerConfig::optimize is set
  FinishIr,           ///< before validation and code generation
};

/// Form in which `rewrite` gets and returns a module.
enum class IrForm : uint8_t {
  Text,    ///< as LLVM prints it
  Bitcode, ///< as this LLVM writes it; faster to write and to read
};

struct IrHooks {
  /// Both enter the object's key. Change the version whenever `rewrite` treats a job differently.
  std::string name, version;
  std::vector<IrMoment> moments; ///< moments of calls of `rewrite`; each costs writing the module
  IrForm form = IrForm::Text;
  /// Gets the job's module. Returns nothing to keep it, or the whole module that replaces it: in the same
  /// form and with the same entry (the function with the attribute "kiln.entry"), triple and data layout. The
  /// result may depend only on the module, name and version, or caches give one job's code to another.
  /// Several threads call it at once. It must not call the compiling session. An exception is an error. An
  /// error ends the job.
  std::function<Result<std::optional<std::string>>(IrMoment, std::string_view ir)> rewrite;
};

/// For CompilerConfig::hooks. Error: Usage (no name, no moment, no function, no such form). A job with these
/// hooks can fail with rewrite's own errors, and with Input: text that is no IR (with its line), broken
/// bitcode, bitcode of a newer LLVM (with its version), or a module without the entry.
KILN_API Result<std::shared_ptr<const JobHooks>> make_hooks(IrHooks hooks);

} // namespace kiln::inline KILN_API_VERSION
