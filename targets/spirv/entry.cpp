// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes the entry of a kernel: void entry(ptr byval({[N x i64]}) parameters, ptr addrspace(3) shared).
// `parameters` has a header of two words: the address of the launch's exception record, or 0, and the bytes
// of `shared`. Then follows each parameter at a multiple of its alignment. One structure takes one call of
// clSetKernelArg per launch. `shared` is the launch's dynamic shared memory, an argument in OpenCL.
#include "passes.h"

#include <kiln/abi.h>
#include <llvm_support/llvm_support.h>
#include <rewrite/rewrite.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/ReplaceConstant.h>

#include <fmt/format.h>

namespace kiln::spirv {
namespace {

constexpr uint64_t HeaderBytes = 16, DynamicBytesOffset = 8;

/// Undefined arrays in shared memory: the launch's dynamic memory.
std::vector<llvm::GlobalVariable *> dynamic_arrays(llvm::Module &module) {
  std::vector<llvm::GlobalVariable *> found;
  for (llvm::GlobalVariable &global : module.globals())
    if (global.isDeclaration() && global.getAddressSpace() == space::Shared) found.push_back(&global);
  return found;
}

/// Inlines the functions that use `value` into the entry, since only the entry has what replaces it.
Result<void> inline_users(llvm::Function &entry, llvm::GlobalValue &value, std::string_view what) {
  Functions users;
  for (llvm::User *user : value.users())
    if (auto *instruction = llvm::dyn_cast<llvm::Instruction>(user)) users.insert(instruction->getFunction());
  Functions inlined = callers_of(*entry.getParent(), users);
  inlined.insert(users.begin(), users.end());
  inlined.erase(&entry);
  return inline_into_entry(entry, inlined, fmt::format("uses {}", what));
}

/// Replaces dynamic arrays by the entry's argument.
Result<void> pass_dynamic_arrays(llvm::Function &entry, llvm::Argument &shared) {
  for (llvm::GlobalVariable *array : dynamic_arrays(*entry.getParent())) {
    llvm::convertUsersOfConstantsToInstructions({array});
    KILN_CHECK(inline_users(entry, *array, "dynamic shared memory"));
    array->replaceUsesWithIf(&shared, [&](llvm::Use &use) {
      auto *instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
      return instruction && instruction->getFunction() == &entry;
    });
  }
  return {};
}

/// Replaces calls that ask for the bytes of dynamic shared memory by the header's word.
Result<void> pass_dynamic_bytes(llvm::Function &entry, llvm::Value &bytes) {
  llvm::Function *const getter = entry.getParent()->getFunction("kiln.dynamic_bytes");
  if (!getter) return {};
  KILN_CHECK(inline_users(entry, *getter, "the size of dynamic shared memory"));
  while (llvm::CallInst *call = next_call(entry, {getter})) {
    call->replaceAllUsesWith(&bytes);
    call->eraseFromParent();
  }
  return {};
}

} // namespace

Result<void> make_entry(const Target &, const CompilerConfig &config, llvm::Module &module) {
  KILN_TRY(llvm::Function * body, entry_of(module));
  if (!config.kernel) {
    body->setCallingConv(llvm::CallingConv::SPIR_FUNC);
    return {};
  }
  llvm::LLVMContext &context = module.getContext();
  const llvm::DataLayout &layout = module.getDataLayout();
  const bool has_state = body->hasFnAttribute(StateAttribute);
  std::vector<uint64_t> offsets;
  uint64_t bytes = HeaderBytes;
  for (llvm::Argument &argument : body->args()) {
    if (has_state && argument.getArgNo() == 0) {
      offsets.push_back(0);
      continue;
    }
    bytes = llvm::alignTo(bytes, layout.getABITypeAlign(argument.getType()));
    offsets.push_back(bytes);
    bytes += layout.getTypeAllocSize(argument.getType());
  }
  auto *words = llvm::ArrayType::get(llvm::Type::getInt64Ty(context), llvm::alignTo(bytes, 8) / 8);
  auto *block = llvm::StructType::get(
      context, llvm::ArrayRef<llvm::Type *>(words)); // Intel's driver takes the size of a struct only
  auto *pointer = llvm::PointerType::get(context, space::Any);

  auto *type = llvm::FunctionType::get(llvm::Type::getVoidTy(context),
                                       {pointer, llvm::PointerType::get(context, space::Shared)}, false);
  auto *entry = llvm::Function::Create(type, llvm::GlobalValue::ExternalLinkage, "", module);
  entry->takeName(body);
  entry->setCallingConv(llvm::CallingConv::SPIR_KERNEL);
  entry->setDoesNotThrow();
  entry->addFnAttr(llvm::Attribute::Convergent);
  if (llvm::MDNode *size = body->getMetadata(SubGroupSize)) entry->setMetadata(SubGroupSize, size);
  for (const char *attribute : {EntryAttribute, KernelAttribute, StateAttribute})
    if (body->hasFnAttribute(attribute)) {
      entry->addFnAttr(attribute);
      body->removeFnAttr(attribute);
    }
  entry->setSubprogram(body->getSubprogram());
  body->setSubprogram(nullptr);
  llvm::Argument *parameters = entry->getArg(0), *shared = entry->getArg(1);
  parameters->setName("parameters");
  shared->setName("shared");
  parameters->addAttr(llvm::Attribute::getWithByValType(context, block));
  parameters->addAttr(llvm::Attribute::getWithAlignment(context, llvm::Align(8)));
  parameters->addAttr(llvm::Attribute::NoAlias);

  entry->splice(entry->end(), body);
  llvm::BasicBlock &first = entry->getEntryBlock();
  llvm::IRBuilder<> ir(&first, first.begin());
  if (llvm::DISubprogram *place = entry->getSubprogram())
    ir.SetCurrentDebugLocation(llvm::DILocation::get(context, place->getLine(), 0, place));
  llvm::Value *const dynamic_bytes = ir.CreateAlignedLoad(
      ir.getInt64Ty(), ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), parameters, DynamicBytesOffset),
      llvm::Align(8));
  for (llvm::Argument &argument : body->args()) {
    const uint64_t offset = offsets[argument.getArgNo()];
    llvm::Value *place = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), parameters, offset);
    llvm::Value *value =
        ir.CreateAlignedLoad(argument.getType(), place, llvm::commonAlignment(llvm::Align(8), offset));
    value->takeName(&argument);
    argument.replaceAllUsesWith(value);
  }
  body->eraseFromParent();
  KILN_CHECK(pass_dynamic_bytes(*entry, *dynamic_bytes));
  return pass_dynamic_arrays(*entry, *shared);
}

} // namespace kiln::spirv
