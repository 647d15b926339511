// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions whose body is the embedder's LLVM IR (kiln/ir_function.h). Code of the language calls one by a
// name that a digest of the IR is part of, so that the IR enters every key; right behind emission the name
// gets its body.
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

/// All that were given to a session. Kept as long as it: an old world may still call what was replaced.
/// Thread-safe.
class IrFunctions {
public:
  struct Source {
    std::string name; ///< under which emitted code calls it
    IrFunction function;
    std::shared_ptr<const SourceFile> text; ///< null: bitcode. Begins with empty lines: IrFunction::line
    uint32_t begin = 0;                     ///< of the IR in `text`
    std::vector<std::string> callees;       ///< what it calls of the language, as the IR names it, in order
  };
  /// Parses and checks the IR. Errors: as Session::define_ir.
  Result<std::shared_ptr<const Source>> add(WorkerPool &workers, SourceMap &sources, IrFunction function);
  /// Null: no such function.
  std::shared_ptr<const Source> find(std::string_view name) const;
  /// The first call of a symbol in a text of a function that was given last; empty: there is none.
  Location place_of_call(std::string_view symbol) const;

private:
  mutable std::mutex mutex_;
  std::map<std::string, std::shared_ptr<const Source>, std::less<>> sources_;
};

/// What the emitter calls bodies that are IR: `kiln.ir.` and a digest.
inline constexpr std::string_view ir_function_prefix = "kiln.ir.";
/// What IR calls functions of the language: `kiln.call:f(Float32)`.
inline constexpr std::string_view ir_callee_prefix = "kiln.call:";
/// The call of the language, "f(Float32)", that a name of the IR stands for; empty: none.
std::string call_of_ir_name(std::string_view name);

/// Gives a body to each function of an embedder's that the module calls. Errors: Input with the place in the
/// IR.
Result<void> link_ir_functions(const IrFunctions &functions, const Target &target,
                               const CompilerConfig &config, llvm::Module &module, Worker &worker);

} // namespace kiln
