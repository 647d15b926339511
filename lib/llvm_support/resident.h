// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bitcode library that stays in a worker's context. It is parsed once, lazily. A job gets copies of only
// the functions that it calls, which are already simplified. That takes a few µs, where linking the whole
// library would take 22 ms.
#pragma once

#include <kiln/result.h>

#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <functional>
#include <memory>
#include <set>
#include <string>

namespace kiln {

class Worker;

class ResidentLibrary {
public:
  /// Called once for each function, before its first copy. Its effect must depend on the function alone, so
  /// that the order of jobs does not matter.
  using Prepare = std::function<void(llvm::Function &)>;

  /// Makes a library, of which only the symbol table is parsed now. It gets the triple and data layout of the
  /// jobs. Its named metadata is never copied. `kind`: kind of the errors that parsing returns.
  static Result<std::unique_ptr<ResidentLibrary>> parse(Worker &worker, std::string bitcode, std::string name,
                                                        const std::string &triple,
                                                        const std::string &data_layout, Prepare prepare,
                                                        ErrorKind kind = ErrorKind::Machine);

  bool defines(llvm::StringRef function) const;
  /// Copies the functions that the module declares and the library defines, with everything that they need.
  /// The copies are internal, except for variables that the host may set (externally_initialized). Returns
  /// true if any function was copied.
  Result<bool> define_missing(llvm::Module &module);

private:
  ResidentLibrary(std::string bitcode, std::string name, Prepare prepare, ErrorKind kind)
      : bitcode_(std::move(bitcode)), name_(std::move(name)), prepare_(std::move(prepare)), kind_(kind) {}
  Result<void> prepare(llvm::Function &function);
  Result<void> copy_function(llvm::Function &source, llvm::Function &copy, llvm::ValueToValueMapTy &map);
  Result<void> map_operands(llvm::Function &source, llvm::Module &module, llvm::ValueToValueMapTy &map);
  Result<void> map_global(llvm::GlobalValue &global, llvm::Module &module, llvm::ValueToValueMapTy &map);

  std::string bitcode_; ///< read lazily by the module
  std::string name_;
  Prepare prepare_;
  ErrorKind kind_;
  std::unique_ptr<llvm::Module> library_;
  std::set<const llvm::Function *> prepared_;
};

} // namespace kiln
