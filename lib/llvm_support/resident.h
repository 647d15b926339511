// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A bitcode library that stays in a worker's context. It is parsed lazily once; a job gets copies of just the
// functions that it calls, already simplified. That costs a few µs, where linking the library would cost 22
// ms.
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
  /// Called once for each function before the first copy is made of it. What it does may depend on the
  /// function alone, or jobs would depend on their order.
  using Prepare = std::function<void(llvm::Function &)>;

  /// Parses the symbol table only. The library takes the triple and data layout of the jobs; its named
  /// metadata never reaches one. `kind` is that of errors in it.
  static Result<std::unique_ptr<ResidentLibrary>> parse(Worker &worker, std::string bitcode, std::string name,
                                                        const std::string &triple,
                                                        const std::string &data_layout, Prepare prepare,
                                                        ErrorKind kind = ErrorKind::Machine);

  bool defines(llvm::StringRef function) const;
  /// Gives a body to every function that the module declares and the library defines, and to what these need.
  /// New functions and globals are internal, but for variables that the host may set
  /// (externally_initialized). Tells whether there was one.
  Result<bool> define_missing(llvm::Module &module);

private:
  ResidentLibrary(std::string bitcode, std::string name, Prepare prepare, ErrorKind kind)
      : bitcode_(std::move(bitcode)), name_(std::move(name)), prepare_(std::move(prepare)), kind_(kind) {}
  Result<void> prepare(llvm::Function &function);
  Result<void> copy_function(llvm::Function &source, llvm::Function &copy, llvm::ValueToValueMapTy &map);
  Result<void> map_operands(llvm::Function &source, llvm::Module &module, llvm::ValueToValueMapTy &map);
  Result<void> map_global(llvm::GlobalValue &global, llvm::Module &module, llvm::ValueToValueMapTy &map);

  std::string bitcode_; ///< the lazy module reads from it
  std::string name_;
  Prepare prepare_;
  ErrorKind kind_;
  std::unique_ptr<llvm::Module> library_;
  std::set<const llvm::Function *> prepared_;
};

} // namespace kiln
