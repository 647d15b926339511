// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "module.h"

#include "fatal_errors.h"
#include "worker.h"

#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>

#include <fmt/format.h>

namespace kiln {

const llvm::Function *find_entry(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    if (function.hasFnAttribute(EntryAttribute)) return &function;
  return nullptr;
}
llvm::Function *find_entry(llvm::Module &module) {
  return const_cast<llvm::Function *>(find_entry(const_cast<const llvm::Module &>(module)));
}

Result<llvm::Function *> entry_of(llvm::Module &module) {
  if (llvm::Function *entry = find_entry(module)) return entry;
  return internal_error(fmt::format("the module '{}' has no entry", module.getName().str()));
}

bool has_kernel_state(const llvm::Module &module) {
  const llvm::Function *entry = find_entry(module);
  return entry && entry->hasFnAttribute(StateAttribute);
}

bool has_relaxed_math(const llvm::Module &module) {
  for (const llvm::Function &function : module)
    for (const llvm::BasicBlock &block : function)
      for (const llvm::Instruction &instruction : block)
        if (auto *math = llvm::dyn_cast<llvm::FPMathOperator>(&instruction);
            math && math->getFastMathFlags().any())
          return true;
  return false;
}

Result<std::unique_ptr<llvm::Module>> parse_ir(Worker &worker, std::string_view text, std::string_view name) {
  return catch_fatal_errors(worker, [&]() -> Result<std::unique_ptr<llvm::Module>> {
    llvm::SMDiagnostic diagnostic;
    // LLVM's parser needs a zero byte after the text.
    std::string terminated(text);
    std::unique_ptr<llvm::Module> module =
        llvm::parseAssemblyString(terminated, diagnostic, worker.context());
    if (!module)
      return Error(
          Diagnostic{.code = ErrorCode::SyntaxError,
                     .message = fmt::format("{}:{}:{}: {}", name, diagnostic.getLineNo(),
                                            diagnostic.getColumnNo() + 1, diagnostic.getMessage().str())});
    module->setModuleIdentifier(llvm::StringRef(name.data(), name.size()));
    module->setSourceFileName(llvm::StringRef(name.data(), name.size()));
    return module;
  });
}

std::string print_ir(const llvm::Module &module) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  module.print(stream, nullptr);
  return text;
}

Result<void> verify_ir(const llvm::Module &module, std::string_view after) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (llvm::verifyModule(module, &stream))
    return internal_error(fmt::format("the module is broken after {}: {}", after, text));
  return {};
}

void place_wrapper(llvm::Function &wrapper, llvm::CallInst &call, const llvm::Function &body) {
  llvm::DISubprogram *place = body.getSubprogram();
  if (!place) return;
  llvm::TempDISubprogram copy = place->cloneWithFlags(place->getFlags() | llvm::DINode::FlagArtificial);
  copy->replaceRetainedNodes(llvm::DINodeArray());
  // A copy that is not uniqued, since each function needs a subprogram of its own.
  llvm::DISubprogram *of_wrapper = llvm::MDNode::replaceWithDistinct(std::move(copy));
  wrapper.setSubprogram(of_wrapper);
  call.setDebugLoc(llvm::DILocation::get(wrapper.getContext(), place->getLine(), 0, of_wrapper));
}

Error error_at(const llvm::Instruction &at, ErrorCode code, std::string message, std::string hint) {
  Diagnostic diagnostic{.code = code, .message = std::move(message), .hint = std::move(hint)};
  for (const llvm::DILocation *place = at.getDebugLoc().get(); place; place = place->getInlinedAt()) {
    const llvm::DISubprogram *function = place->getScope()->getSubprogram();
    if (function && function->isArtificial()) continue; // a wrapper made by Kiln
    diagnostic.stack.push_back({.function = function ? function->getName().str() : "",
                                .file = place->getFilename().str(),
                                .line = place->getLine()});
  }
  return diagnostic;
}

std::vector<SharedVariable> shared_layout(const llvm::Module &module) {
  std::vector<SharedVariable> variables;
  uint64_t end = 0;
  for (const llvm::GlobalVariable &global : module.globals()) {
    if (global.getAddressSpace() != 3 || global.isDeclaration()) continue;
    const llvm::DataLayout &layout = module.getDataLayout();
    uint64_t align = global.getAlign().value_or(layout.getABITypeAlign(global.getValueType())).value();
    uint64_t begin = llvm::alignTo(end, align);
    end = begin + layout.getTypeAllocSize(global.getValueType());
    variables.push_back({&global, begin, end});
  }
  return variables;
}

uint64_t static_shared_bytes(const llvm::Module &module) {
  uint64_t bytes = 0;
  if (const llvm::Function *entry = find_entry(module); entry && entry->hasFnAttribute(SharedBytesAttribute))
    if (!entry->getFnAttribute(SharedBytesAttribute).getValueAsString().getAsInteger(10, bytes)) return bytes;
  for (const SharedVariable &variable : shared_layout(module)) bytes = variable.end;
  return bytes;
}

} // namespace kiln
