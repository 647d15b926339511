// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fixture.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/Support/SourceMgr.h>

namespace emit_test {

std::unique_ptr<llvm::Module> Fixture::parse(const std::string &text, llvm::LLVMContext &context) {
  llvm::SMDiagnostic problem;
  auto module = llvm::parseAssemblyString(text, problem, context);
  INFO(problem.getMessage().str());
  REQUIRE(module);
  return module;
}

} // namespace emit_test
