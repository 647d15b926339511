// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places shared arrays in the block's memory. They cannot be globals, since blocks run on many host threads
// at once. Arrays of static size come first. The launch's dynamic memory follows, aligned to 16 bytes.
#include "passes.h"

#include <kiln/abi.h>
#include <llvm_support/llvm_support.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/ReplaceConstant.h>

#include <map>

namespace kiln::native {
namespace {

constexpr uint64_t DynamicAlign = 16;

/// Address of the block's shared memory, loaded once per function.
llvm::Value *shared_base(llvm::Function &function) {
  llvm::Module &module = *function.getParent();
  llvm::IRBuilder<> ir(&*function.getEntryBlock().getFirstInsertionPt());
  llvm::Type *pointer = ir.getPtrTy();
  llvm::Value *state = ir.CreateCall(module.getOrInsertFunction("kiln.state", pointer));
  auto *load = ir.CreateAlignedLoad(
      pointer, ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), state, offsetof(abi::NativeThread, shared)),
      llvm::Align(8), "shared");
  load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module.getContext(), {}));
  return load;
}

/// Replaces every use of a shared global by `base + offset` in the global's address space.
void replace_global(llvm::GlobalVariable &global, uint64_t offset,
                    std::map<llvm::Function *, llvm::Value *> &bases) {
  llvm::convertUsersOfConstantsToInstructions({&global});
  std::map<llvm::Function *, llvm::Value *> addresses; // never iterated
  for (llvm::Use &use : llvm::make_early_inc_range(global.uses())) {
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(use.getUser());
    if (!instruction) continue;
    llvm::Function *function = instruction->getFunction();
    llvm::Value *&address = addresses[function];
    if (!address) {
      llvm::Value *&base = bases[function];
      if (!base) base = shared_base(*function);
      llvm::IRBuilder<> ir(llvm::cast<llvm::Instruction>(base)->getNextNode());
      llvm::Value *at = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), base, offset);
      address = ir.CreateAddrSpaceCast(at, global.getType());
    }
    use.set(address);
  }
}

} // namespace

Result<void> place_shared_memory(const Target &, const CompilerConfig &, llvm::Module &module) {
  std::vector<llvm::GlobalVariable *> fixed, dynamic;
  for (llvm::GlobalVariable &global : module.globals())
    if (global.getAddressSpace() == SharedSpace)
      (global.isDeclaration() ? dynamic : fixed).push_back(&global);
  if (fixed.empty() && dynamic.empty()) return {};
  KILN_TRY(llvm::Function * entry, entry_of(module));
  uint64_t bytes = static_shared_bytes(module);
  std::map<llvm::Function *, llvm::Value *> bases; // never iterated
  const std::vector<SharedVariable> layout = shared_layout(module);
  for (size_t i = 0; i < fixed.size(); ++i) replace_global(*fixed[i], layout[i].begin, bases);
  for (llvm::GlobalVariable *global : dynamic)
    replace_global(*global, llvm::alignTo(bytes, DynamicAlign), bases);
  for (auto *globals : {&fixed, &dynamic})
    for (llvm::GlobalVariable *global : *globals) {
      if (!global->use_empty())
        return internal_error("a shared array is used by another global: " + global->getName().str());
      global->eraseFromParent();
    }
  entry->addFnAttr(SharedBytesAttribute, std::to_string(bytes));
  return {};
}

} // namespace kiln::native
