// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose bodies are LLVM IR of the embedder (kiln/ir_function.h). Emitted code calls such a function
// by a name that contains a digest of its IR. So the IR is part of the key of every job that calls the
// function. After emission the IR is linked in as the body.
#pragma once

#include <kiln/extension/language/source.h>
#include <kiln/forward.h>
#include <kiln/ir_function.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace llvm {
class Module;
}

namespace kiln {

class Target;
class Worker;
class WorkerPool;

/// All IR functions of a session. Replaced functions are kept, since jobs of an old world may still call
/// them. Thread-safe.
class IrFunctions {
public:
  struct Source {
    std::string name; ///< name in emitted code
    IrFunction function;
    /// Null for bitcode; begins with IrFunction::line - 1 empty lines, so that line numbers match the
    /// embedder's file.
    std::shared_ptr<const SourceFile> text;
    uint32_t begin = 0;               ///< offset of the IR in `text`
    std::vector<std::string> callees; ///< functions of the language that the IR calls
  };
  /// Adds a function after parsing and checking its IR. Errors: those of Session::define_ir.
  Result<std::shared_ptr<const Source>> add(WorkerPool &workers, SourceMap &sources, IrFunction function);
  /// Null: no such function.
  std::shared_ptr<const Source> find(std::string_view name) const;
  /// Location of the first call of a symbol in the newest IR text that calls it. Empty: no IR calls it.
  Location place_of_call(std::string_view symbol) const;

private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Source>, std::less<>> sources_;
};

/// Prefix of an IR function's name in emitted code; the digest of its IR follows.
inline constexpr std::string_view ir_function_prefix = "kiln.ir.";
/// Prefix by which an embedder's IR calls functions of the language: `kiln.call:f(Float32)`.
inline constexpr std::string_view ir_callee_prefix = "kiln.call:";
/// Converts a name in IR, `kiln.call:f(Float32)`, to the call in the language, "f(Float32)". Empty: the name
/// has another form.
std::string call_of_ir_name(std::string_view name);

/// Links the bodies of all IR functions that the module calls. Errors: Input with the place in the IR.
Result<void> link_ir_functions(const IrFunctions &functions, const Target &target,
                               const CompilerConfig &config, llvm::Module &module, Worker &worker);

} // namespace kiln
