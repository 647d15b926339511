// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR hooks: callbacks in the compile of chosen jobs that receive the LLVM module as text or bitcode and may
// replace it. They are for programs that link libkiln.so, whose LLVM is not accessible. Programs that link
// Kiln::extension derive from JobHooks (kiln/extension/llvm/hooks.h) instead and work on the module directly.
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

/// Moments of the pipeline (docs/architecture.md) at which hooks run, in order. The names are those of
/// GPUCompiler.jl.
enum class IrMoment : uint8_t {
  FinishModule,       ///< right after emission
  FinishLinkedModule, ///< after linking the device library and the user's files
  OptimizeModule,     ///< after LLVM's optimisation, if CompilerConfig::optimize is set
  FinishIr,           ///< before validation and code generation
};

/// Form in which `rewrite` receives and returns a module.
enum class IrForm : uint8_t {
  Text,    ///< as LLVM prints it
  Bitcode, ///< LLVM bitcode of Kiln's LLVM version; faster to write and to read
};

struct IrHooks {
  /// Both are part of the cache key of object code. Change the version whenever `rewrite` changes its
  /// results.
  std::string name, version;
  /// Moments at which `rewrite` is called; each costs the time to write the module.
  std::vector<IrMoment> moments;
  IrForm form = IrForm::Text;
  /// Receives the job's module. Returns no value to keep it, or a whole module that replaces it, in the same
  /// form. The new module must have the same entry (the function with the attribute "kiln.entry"), triple and
  /// data layout. The result must depend only on the module, `name` and `version`; otherwise caches return
  /// wrong code. Several threads call it at once. It must not call the compiling session. An error or
  /// exception fails the job.
  std::function<Result<std::optional<std::string>>(IrMoment, std::string_view ir)> rewrite;
};

/// Makes hooks for CompilerConfig::hooks. Error: Usage (no name, no moment, no function, unknown form). A job
/// with the hooks can fail with errors of `rewrite`. It fails with Input if `rewrite` returns text that is no
/// IR (with the line), broken bitcode, bitcode of a newer LLVM, or a module without the entry.
KILN_API Result<std::shared_ptr<const JobHooks>> make_hooks(IrHooks hooks);

} // namespace kiln::inline KILN_API_VERSION
