// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Access checks of checked kernels. Before each access of global or shared memory the kernel calls the
// executor (abi::NativeAccessSymbol), and ends its thread if the access is not allowed. A thread's own memory
// (variables, constants) is not checked: source code cannot access it out of bounds.
#include "instrument.h"
#include "passes.h"

#include <llvm_support/llvm_support.h>

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace kiln::native {
namespace {

struct Access {
  llvm::Instruction *before = nullptr;
  llvm::Value *pointer = nullptr;
  llvm::Value *bytes = nullptr;
  abi::AccessKind kind{};
  llvm::Align align;
};

/// Kind of memory that a pointer accesses. All objects from which the pointer may come are examined.
enum class Memory { Own, Unknown, Global, Shared };

/// True for calls that return the kernel state, or the state of the thread's random numbers. Only the library
/// accesses these.
bool is_state(const llvm::Value &object) {
  auto *call = llvm::dyn_cast<llvm::CallInst>(&object);
  if (!call || !call->getCalledFunction()) return false;
  llvm::StringRef name = call->getCalledFunction()->getName();
  return name == "kiln.state" || name == "kiln.random_state";
}

/// Finds the kind of memory. Native code has one address space; a cast from the shared address space shows
/// shared memory.
Memory memory_of(const llvm::Value *pointer) {
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects);
  Memory memory = Memory::Own;
  for (const llvm::Value *object : objects) {
    Memory one = Memory::Global; // a field of an array header, or a loaded pointer
    if (object->getType()->getPointerAddressSpace() == SharedSpace)
      one = Memory::Shared;
    else if (llvm::isa<llvm::AllocaInst, llvm::GlobalValue>(object) || is_state(*object))
      one = Memory::Own;
    else if (auto *argument = llvm::dyn_cast<llvm::Argument>(object);
             argument && !argument->getParent()->hasFnAttribute(EntryAttribute) &&
             !argument->getParent()->hasFnAttribute("kiln.launched_body"))
      one = Memory::Unknown; // perhaps the address of a variable of the caller
    else if (llvm::isa<llvm::PHINode, llvm::SelectInst>(object))
      one = Memory::Unknown;
    if (object == objects.front() || memory == one)
      memory = one;
    else
      memory = Memory::Unknown;
  }
  return memory;
}

/// Finds the shared variable that a pointer accesses. Null: there is none, or there are several.
const llvm::GlobalVariable *shared_variable(const llvm::Value *pointer) {
  llvm::SmallVector<const llvm::Value *, 4> objects;
  llvm::getUnderlyingObjects(pointer, objects);
  return objects.size() == 1 ? llvm::dyn_cast<llvm::GlobalVariable>(objects.front()) : nullptr;
}

/// Encoding in abi::AccessSite.
uint32_t space_of(Memory memory) { return memory == Memory::Shared ? 3 : memory == Memory::Global ? 1 : 0; }

class Checks {
public:
  explicit Checks(llvm::Module &module)
      : module_(module), layout_(module.getDataLayout()), shared_(shared_layout(module)) {}

  void collect(llvm::Function &function) {
    for (llvm::Instruction &instruction : llvm::instructions(function)) {
      if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        add(load, load->getPointerOperand(), load->getType(),
            load->isAtomic() ? abi::AccessKind::Atomic : abi::AccessKind::Read, load->getAlign());
      else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        add(store, store->getPointerOperand(), store->getValueOperand()->getType(),
            store->isAtomic() ? abi::AccessKind::AtomicStore : abi::AccessKind::Write, store->getAlign());
      else if (auto *update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
        add(update, update->getPointerOperand(), update->getType(), abi::AccessKind::Atomic,
            update->getAlign());
      else if (auto *exchange = llvm::dyn_cast<llvm::AtomicCmpXchgInst>(&instruction))
        add(exchange, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(),
            abi::AccessKind::Atomic, exchange->getAlign());
      else if (auto *memory = llvm::dyn_cast<llvm::MemIntrinsic>(&instruction)) {
        if (auto *transfer = llvm::dyn_cast<llvm::MemTransferInst>(memory);
            transfer && memory_of(transfer->getSource()) != Memory::Own)
          found_.push_back({memory, transfer->getSource(), transfer->getLength(), abi::AccessKind::Read,
                            transfer->getSourceAlign().valueOrOne()});
        if (memory_of(memory->getDest()) != Memory::Own)
          found_.push_back({memory, memory->getDest(), memory->getLength(), abi::AccessKind::Write,
                            memory->getDestAlign().valueOrOne()});
      }
    }
  }

  void insert() {
    uint32_t index = 1;
    for (const Access &access : found_) insert(access, index++);
  }

private:
  void add(llvm::Instruction *at, llvm::Value *pointer, llvm::Type *type, abi::AccessKind kind,
           llvm::Align align) {
    uint64_t bytes = layout_.getTypeStoreSize(type);
    if (bytes != 0 && memory_of(pointer) != Memory::Own)
      found_.push_back({at, pointer,
                        llvm::ConstantInt::get(llvm::Type::getInt64Ty(module_.getContext()), bytes), kind,
                        align});
  }

  llvm::Constant *site(const Access &access, uint32_t index) {
    llvm::IRBuilder<> ir(module_.getContext());
    llvm::Type *number = ir.getInt32Ty();
    auto *type = llvm::StructType::get(number, number, number, number, number, number, ir.getPtrTy());
    uint32_t first = 0, end = 0; // both stay 0 for dynamic shared memory, which has no bounds of a variable
    if (memory_of(access.pointer) == Memory::Shared)
      if (const llvm::GlobalVariable *variable = shared_variable(access.pointer))
        for (const SharedVariable &known : shared_)
          if (known.global == variable) first = uint32_t(known.begin), end = uint32_t(known.end);
    auto *value = llvm::ConstantStruct::get(
        type, {ir.getInt32(uint32_t(access.kind)), ir.getInt32(space_of(memory_of(access.pointer))),
               ir.getInt32(uint32_t(access.align.value())), ir.getInt32(index), ir.getInt32(first),
               ir.getInt32(end), location_constant(module_, access.before->getDebugLoc())});
    return new llvm::GlobalVariable(module_, type, true, llvm::GlobalValue::PrivateLinkage, value, "access");
  }

  void insert(const Access &access, uint32_t index) {
    llvm::IRBuilder<> ir(access.before);
    auto check = module_.getOrInsertFunction(abi::NativeAccessSymbol, ir.getInt32Ty(), ir.getPtrTy(),
                                             ir.getInt32Ty(), ir.getPtrTy(), ir.getInt64Ty(), ir.getPtrTy());
    llvm::Value *state = ir.CreateCall(module_.getOrInsertFunction("kiln.state", ir.getPtrTy()));
    llvm::Value *address = ir.CreateAddrSpaceCast(access.pointer, ir.getPtrTy());
    llvm::Value *bytes = ir.CreateZExtOrTrunc(access.bytes, ir.getInt64Ty());
    llvm::Value *allowed =
        ir.CreateCall(check, {state, thread_index(ir), address, bytes, site(access, index)});
    llvm::Instruction *then = llvm::SplitBlockAndInsertIfThen(ir.CreateICmpEQ(allowed, ir.getInt32(0)),
                                                              access.before, /*Unreachable=*/true);
    llvm::IRBuilder<> end(then);
    end.SetCurrentDebugLocation(access.before->getDebugLoc());
    end_thread(end);
    then->eraseFromParent();
  }

  llvm::Module &module_;
  const llvm::DataLayout &layout_;
  const std::vector<SharedVariable> shared_;
  std::vector<Access> found_;
};

} // namespace

Result<void> check_accesses(const Target &target, const CompilerConfig &config, llvm::Module &module) {
  if (!config.check) return {};
  Checks checks(module);
  for (llvm::Function &function : module) checks.collect(function);
  checks.insert();
  return {};
}

} // namespace kiln::native
