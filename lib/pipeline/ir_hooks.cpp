// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Implements kiln/ir_hooks.h: an embedder's hooks that receive the module as text or bitcode and return a
// changed one.
#include <kiln/ir_hooks.h>

#include "ir_module.h"

#include <kiln/extension/llvm/hooks.h>
#include <kiln/extension/llvm/ir.h>
#include <support/exceptions.h>
#include <support/support.h>

#include <llvm/AsmParser/Parser.h>
#include <llvm/Bitcode/BitcodeWriter.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/SourceMgr.h>
#include <llvm/Support/raw_ostream.h>

#include <fmt/format.h>

#include <algorithm>

namespace kiln {
namespace {

void empty(llvm::Module &module) {
  module.dropAllReferences();
  for (llvm::NamedMDNode &node : llvm::make_early_inc_range(module.named_metadata()))
    module.eraseNamedMetadata(&node);
  auto erase = [](auto range) {
    for (auto &global : llvm::make_early_inc_range(range)) {
      global.removeDeadConstantUsers();
      global.eraseFromParent();
    }
  };
  erase(module.aliases());
  erase(module.ifuncs());
  erase(module.functions());
  erase(module.globals());
}

/// Moves the contents of `from`, a module of the same context, into `module`.
void replace(llvm::Module &module, llvm::Module &from) {
  empty(module);
  module.setModuleInlineAsm(from.getModuleInlineAsm());
  for (llvm::GlobalVariable &global : llvm::make_early_inc_range(from.globals())) {
    from.removeGlobalVariable(&global);
    module.insertGlobalVariable(&global);
  }
  module.getFunctionList().splice(module.end(), from.getFunctionList());
  for (llvm::GlobalAlias &alias : llvm::make_early_inc_range(from.aliases())) {
    from.removeAlias(&alias);
    module.insertAlias(&alias);
  }
  for (const llvm::NamedMDNode &node : from.named_metadata()) {
    llvm::NamedMDNode *copy = module.getOrInsertNamedMetadata(node.getName());
    for (const llvm::MDNode *operand : node.operands()) copy->addOperand(const_cast<llvm::MDNode *>(operand));
  }
  for (llvm::GlobalObject &object : module.global_objects())
    if (const llvm::Comdat *comdat = object.getComdat()) { // owned by `from`
      llvm::Comdat *own = module.getOrInsertComdat(comdat->getName());
      own->setSelectionKind(comdat->getSelectionKind());
      object.setComdat(own);
    }
}

std::string bitcode_of(const llvm::Module &module) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  llvm::WriteBitcodeToFile(module, out, /*ShouldPreserveUseListOrder=*/true);
  return bytes;
}

class FormHooks final : public JobHooks {
public:
  explicit FormHooks(IrHooks hooks) : hooks_(std::move(hooks)) {}
  std::string name() const override { return hooks_.name; }
  std::string version() const override { return hooks_.version; }
  Result<void> finish_module(const CompilerConfig &, llvm::Module &module, llvm::Function &) const override {
    return at(IrMoment::FinishModule, module);
  }
  Result<void> finish_linked_module(const CompilerConfig &, llvm::Module &module) const override {
    return at(IrMoment::FinishLinkedModule, module);
  }
  Result<void> optimize_module(const CompilerConfig &, llvm::Module &module,
                               llvm::TargetMachine &) const override {
    return at(IrMoment::OptimizeModule, module);
  }
  Result<void> finish_ir(const CompilerConfig &, llvm::Module &module) const override {
    return at(IrMoment::FinishIr, module);
  }

private:
  Error refused(std::string what, Location place = {}) const {
    return input_error(fmt::format("what the hooks {} gave {}", hooks_.name, what), std::move(place));
  }

  Result<void> at(IrMoment moment, llvm::Module &module) const {
    if (std::find(hooks_.moments.begin(), hooks_.moments.end(), moment) == hooks_.moments.end()) return {};
    std::optional<std::string> given;
    try {
      KILN_TRY(given, hooks_.rewrite(moment, is_bitcode() ? bitcode_of(module) : print_ir(module)));
    } catch (...) {
      return input_error(fmt::format("the hooks {} threw: {}", hooks_.name, text_of_current_exception()));
    }
    return given ? put(std::move(*given), module) : Result<void>();
  }

  bool is_bitcode() const { return hooks_.form == IrForm::Bitcode; }

  Result<std::unique_ptr<llvm::Module>> parse(std::string given, llvm::LLVMContext &context) const {
    if (is_bitcode()) {
      if (!given.starts_with("BC\xC0\xDE") && !given.starts_with("\xDE\xC0\x17\x0B"))
        return refused(
            fmt::format("is no bitcode: {} bytes that do not begin with 'BC' 0xC0DE", given.size()));
      return parse_bitcode(given, hooks_.name + ".bc", context);
    }
    auto file = std::make_shared<const SourceFile>(0, hooks_.name + ".ll", std::move(given));
    llvm::SMDiagnostic fault;
    std::unique_ptr<llvm::Module> parsed =
        llvm::parseAssembly(llvm::MemoryBufferRef(file->text(), file->name()), fault, context);
    if (parsed) return parsed;
    const size_t offset =
        fault.getLoc().isValid() ? size_t(fault.getLoc().getPointer() - file->text().data()) : 0;
    const uint32_t begin = uint32_t(std::min(offset, file->text().size()));
    return refused(fmt::format("is no IR: {}", fault.getMessage().str()), {file, begin, begin});
  }

  /// Replaces the module by the text or bitcode that a hook returned.
  Result<void> put(std::string given, llvm::Module &module) const {
    KILN_TRY(llvm::Function * entry, entry_of(module));
    const std::string entry_name = entry->getName().str();
    KILN_TRY(std::unique_ptr<llvm::Module> parsed, parse(std::move(given), module.getContext()));
    std::string broken;
    llvm::raw_string_ostream out(broken);
    if (llvm::verifyModule(*parsed, &out)) return refused("is broken IR: " + broken);
    const llvm::Function *found = find_entry(*parsed);
    if (!found || found->getName() != entry_name || found->getFunctionType() != entry->getFunctionType())
      return refused(fmt::format(
          "has no entry `{}` with the attribute \"kiln.entry\" and the parameters that it had", entry_name));
    if (parsed->getTargetTriple() != module.getTargetTriple())
      return refused(fmt::format("is for the triple {}, and the job is for {}",
                                 parsed->getTargetTriple().str(), module.getTargetTriple().str()));
    if (parsed->getDataLayout() != module.getDataLayout())
      return refused(fmt::format("has the data layout {}, and the job has {}", parsed->getDataLayoutStr(),
                                 module.getDataLayoutStr()));
    if (!parsed->ifunc_empty())
      return refused(fmt::format("has the ifunc {}: jobs have none", parsed->ifunc_begin()->getName().str()));
    replace(module, *parsed);
    return {};
  }

  const IrHooks hooks_;
};

} // namespace

Result<std::shared_ptr<const JobHooks>> KILN_API_VERSION::make_hooks(IrHooks hooks) {
  if (hooks.name.empty()) return usage_error("hooks without a name: it is part of their jobs' keys");
  if (hooks.moments.empty() || !hooks.rewrite)
    return usage_error(fmt::format("the hooks {} have {}", hooks.name,
                                   hooks.rewrite ? "no moment to be called at" : "no function to call"));
  if (hooks.form > IrForm::Bitcode)
    return usage_error(fmt::format("the hooks {} want the IrForm {}: there are 0 (Text) and 1 (Bitcode)",
                                   hooks.name, int(hooks.form)));
  return std::shared_ptr<const JobHooks>(std::make_shared<FormHooks>(std::move(hooks)));
}

} // namespace kiln
