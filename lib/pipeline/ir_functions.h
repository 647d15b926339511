// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions with LLVM IR bodies of the embedder (kiln/ir_function.h). The language calls such a function by a
// name that contains a digest of its IR, so that the IR enters every key. After emission the name gets its
// body.
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

/// All IR functions of a session. Replaced functions are kept: an old world may still call them. Thread-safe.
class IrFunctions {
public:
  struct Source {
    std::string name; ///< name in emitted code
    IrFunction function;
    std::shared_ptr<const SourceFile> text; ///< null: bitcode. Starts with empty lines: see IrFunction::line
    uint32_t begin = 0;                     ///< offset of the IR in `text`
    std::vector<std::string> callees;       ///< called functions of the language, by IR names
  };
  /// Parses and checks the IR. Errors: those of Session::define_ir.
  Result<std::shared_ptr<const Source>> add(WorkerPool &workers, SourceMap &sources, IrFunction function);
  /// Null: no such function.
  std::shared_ptr<const Source> find(std::string_view name) const;
  /// Location of the first call of a symbol in the newest IR text that calls it; empty: none.
  Location place_of_call(std::string_view symbol) const;

private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Source>, std::less<>> sources_;
};

/// Prefix of IR functions in emitted code, before a digest.
inline constexpr std::string_view ir_function_prefix = "kiln.ir.";
/// Prefix of functions of the language in IR: `kiln.call:f(Float32)`.
inline constexpr std::string_view ir_callee_prefix = "kiln.call:";
/// Call in the language, "f(Float32)", for such a name in IR; empty: none.
std::string call_of_ir_name(std::string_view name);

/// Links the bodies of all IR functions that the module calls. Errors: Input with the place in the IR.
Result<void> link_ir_functions(const IrFunctions &functions, const Target &target,
                               const CompilerConfig &config, llvm::Module &module, Worker &worker);

} // namespace kiln
