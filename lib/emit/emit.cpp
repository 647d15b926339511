// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "emitter.h"

#include <llvm_support/llvm_support.h>

namespace kiln {

namespace {

std::unique_ptr<llvm::Module> make_module(const CompilerJob &job, const Target &target,
                                          llvm::LLVMContext &context) {
  auto module = std::make_unique<llvm::Module>("kiln", context);
  module->setTargetTriple(llvm::Triple(target.triple(job.config.target)));
  module->setDataLayout(target.data_layout(job.config.target));
  return module;
}

} // namespace

Emitter::Emitter(TypeContext &types, const SourceMap &sources, const CompilerJob &job, const Target &target,
                 llvm::LLVMContext &context)
    : types_(types), sources_(sources), job_(job), capabilities_(target.capabilities(job.config.target)),
      context_(context), module_(make_module(job, target, context)), b_(context),
      shapes_(types, context, module_->getDataLayout(), capabilities_.address_spaces),
      debug_(*module_, types, sources, job, target) {}

Result<EmittedModule> Emitter::run(const CodeInstance &code) {
  if (job_.config.validate) KILN_CHECK(check_entry(code));
  is_host_code_ = code.is_host_code;
  EmittedModule result;
  emit_entry(code, result);
  return emit_queue(std::move(result));
}

Result<EmittedModule> Emitter::run_nested(const CodeInstance &code, const std::string &symbol) {
  EmittedModule result;
  llvm::Function *entry = flat_function(code, symbol, llvm::GlobalValue::ExternalLinkage);
  entry->addFnAttr(EntryAttribute);
  queue_.emplace_back(&code, entry);
  result.entry = symbol;
  return emit_queue(std::move(result));
}

EmittedModule Emitter::emit_queue(EmittedModule result) {
  while (!queue_.empty()) {
    auto [next, function] = queue_.front();
    queue_.pop_front();
    emit_function(*next, function);
  }
  debug_.finish();
  // Remove unused identities and texts.
  for (llvm::GlobalVariable &global : llvm::make_early_inc_range(module_->globals()))
    if (global.hasPrivateLinkage() && global.use_empty()) global.eraseFromParent();
  result.session_bound = has_addresses_;
  result.warnings = std::move(warnings_);
  result.nested = std::move(nested_calls_);
  result.module = std::move(module_);
  return result;
}

Result<EmittedModule> emit(TypeContext &types, const SourceMap &sources, const CompilerJob &job,
                           const CodeInstance &code, const Target &target, llvm::LLVMContext &context) {
  return Emitter(types, sources, job, target, context).run(code);
}

Result<EmittedModule> emit_nested(TypeContext &types, const SourceMap &sources, const CompilerJob &job,
                                  const CodeInstance &code, const std::string &symbol, const Target &target,
                                  llvm::LLVMContext &context) {
  return Emitter(types, sources, job, target, context).run_nested(code, symbol);
}

} // namespace kiln
