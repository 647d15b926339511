// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "resident.h"

#include "fatal_errors.h"
#include "worker.h"

#include <llvm/Bitcode/BitcodeReader.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Verifier.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <fmt/format.h>

namespace kiln {
namespace {

/// Collects the globals that a value refers to, directly or in constant expressions, in order of appearance.
void collect_globals(llvm::Value *value, llvm::SmallPtrSetImpl<llvm::Value *> &seen,
                     std::vector<llvm::GlobalValue *> &globals) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant || !seen.insert(constant).second) return;
  if (auto *global = llvm::dyn_cast<llvm::GlobalValue>(constant)) {
    globals.push_back(global);
    return;
  }
  for (llvm::Value *operand : constant->operands()) collect_globals(operand, seen, globals);
}

std::string text_of(llvm::Type *type) {
  std::string text;
  llvm::raw_string_ostream out(text);
  type->print(out);
  return text;
}

std::vector<llvm::GlobalValue *> globals_of(llvm::Function &function) {
  llvm::SmallPtrSet<llvm::Value *, 16> seen;
  std::vector<llvm::GlobalValue *> globals;
  for (llvm::Instruction &instruction : llvm::instructions(function))
    for (llvm::Value *operand : instruction.operands()) collect_globals(operand, seen, globals);
  return globals;
}

} // namespace

Result<std::unique_ptr<ResidentLibrary>> ResidentLibrary::parse(Worker &worker, std::string bitcode,
                                                                std::string name, const std::string &triple,
                                                                const std::string &data_layout,
                                                                Prepare prepare, ErrorKind kind) {
  std::unique_ptr<ResidentLibrary> library(
      new ResidentLibrary(std::move(bitcode), std::move(name), std::move(prepare), kind));
  return catch_fatal_errors(worker, [&]() -> Result<std::unique_ptr<ResidentLibrary>> {
    llvm::MemoryBufferRef buffer(library->bitcode_, library->name_);
    auto module = llvm::getLazyBitcodeModule(buffer, worker.context(), /*ShouldLazyLoadMetadata=*/true);
    if (!module)
      return to_error(module.takeError(), fmt::format("reading the library {}", library->name_),
                      library->kind_);
    library->library_ = std::move(*module);
    library->library_->setTargetTriple(llvm::Triple(triple));
    library->library_->setDataLayout(data_layout);
    return std::move(library);
  });
}

bool ResidentLibrary::defines(llvm::StringRef function) const {
  const llvm::Function *found = library_->getFunction(function);
  return found && !found->isDeclaration(); // a definition that was not read yet counts, too
}

Result<void> ResidentLibrary::prepare(llvm::Function &function) {
  if (!prepared_.insert(&function).second) return {};
  if (llvm::Error error = function.materialize())
    return to_error(std::move(error), fmt::format("reading the library {}", name_), kind_);
  std::string text;
  llvm::raw_string_ostream out(text);
  if (kind_ == ErrorKind::Input && llvm::verifyFunction(function, &out))
    return input_error(
        fmt::format("the function '{}' of {} is broken: {}", function.getName().str(), name_, out.str()));
  prepare_(function);
  return {};
}

Result<void> ResidentLibrary::map_global(llvm::GlobalValue &global, llvm::Module &module,
                                         llvm::ValueToValueMapTy &map) {
  if (map.count(&global)) return {};
  if (auto *function = llvm::dyn_cast<llvm::Function>(&global)) {
    llvm::Function *copy = module.getFunction(function->getName());
    if (!copy || function->hasLocalLinkage()) {
      copy = llvm::Function::Create(function->getFunctionType(), llvm::GlobalValue::ExternalLinkage,
                                    function->getName(), &module);
      copy->copyAttributesFrom(function);
    }
    map[function] = copy;
    if (!function->isDeclaration() && copy->isDeclaration()) return copy_function(*function, *copy, map);
    return {};
  }
  auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&global);
  if (!variable)
    return Error(general_code(kind_), fmt::format("the library {} has an alias '{}', which cannot be linked",
                                                  name_, global.getName().str()));
  if (!variable->hasLocalLinkage())
    if (llvm::GlobalVariable *known =
            module.getGlobalVariable(variable->getName())) { // linked by an earlier function
      map[variable] = known;
      return {};
    }
  const bool stays =
      variable->isDeclaration() || (variable->isExternallyInitialized() && !variable->hasLocalLinkage());
  auto *copy = new llvm::GlobalVariable(
      module, variable->getValueType(), variable->isConstant(),
      stays ? llvm::GlobalValue::ExternalLinkage : llvm::GlobalValue::InternalLinkage, nullptr,
      variable->getName(), nullptr, variable->getThreadLocalMode(), variable->getAddressSpace());
  copy->copyAttributesFrom(variable);
  map[variable] = copy;
  if (variable->hasInitializer()) {
    llvm::SmallPtrSet<llvm::Value *, 8> seen;
    std::vector<llvm::GlobalValue *> globals;
    collect_globals(variable->getInitializer(), seen, globals);
    for (llvm::GlobalValue *used : globals) KILN_CHECK(map_global(*used, module, map));
    copy->setInitializer(llvm::MapValue(variable->getInitializer(), map));
  }
  return {};
}

Result<void> ResidentLibrary::map_operands(llvm::Function &source, llvm::Module &module,
                                           llvm::ValueToValueMapTy &map) {
  for (llvm::GlobalValue *global : globals_of(source)) KILN_CHECK(map_global(*global, module, map));
  return {};
}

Result<void> ResidentLibrary::copy_function(llvm::Function &source, llvm::Function &copy,
                                            llvm::ValueToValueMapTy &map) {
  KILN_CHECK(prepare(source));
  if (copy.getFunctionType() != source.getFunctionType())
    return input_error(fmt::format(
        "the function '{}' of {} is called with other types than it has: as {}, and it is {}",
        source.getName().str(), name_, text_of(copy.getFunctionType()), text_of(source.getFunctionType())));
  map[&source] = &copy;
  KILN_CHECK(map_operands(source, *copy.getParent(), map));
  for (auto [from, to] : llvm::zip(source.args(), copy.args())) {
    to.setName(from.getName());
    map[&from] = &to;
  }
  llvm::SmallVector<llvm::ReturnInst *, 4> returns;
  llvm::CloneFunctionInto(&copy, &source, map, llvm::CloneFunctionChangeType::ClonedModule, returns);
  copy.setLinkage(llvm::GlobalValue::InternalLinkage);
  copy.setComdat(nullptr);
  return {};
}

Result<bool> ResidentLibrary::define_missing(llvm::Module &module) {
  std::vector<llvm::Function *> missing;
  for (llvm::Function &function : module)
    if (function.isDeclaration() && !function.isIntrinsic() && defines(function.getName()))
      missing.push_back(&function);
  llvm::ValueToValueMapTy map;
  for (llvm::Function *function : missing)
    if (function->isDeclaration()) // else it was linked together with an earlier function
      KILN_CHECK(copy_function(*library_->getFunction(function->getName()), *function, map));
  return !missing.empty();
}

} // namespace kiln
