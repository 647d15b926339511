// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the second entry of a coarsened kernel:
//
//   first = factor * (blockIdx * blockDim + threadIdx)
//   if all of first .. first + factor - 1 are elements of the launch as written, and pass the guards
//     load all adjacent elements as vectors
//     run the kernel's body for each element in turn
//     store all as vectors
//   else
//     run the kernel in a loop, for each element of the launch as written
//
// All loads come before all stores. This is safe for two reasons. The launch has checked that one element's
// loads and another's stores do not overlap. No load of an element depends on its own store.
#include "coarsen.h"

#include <kiln/extension/llvm/ir.h>

#include <llvm/IR/CFG.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/Cloning.h>
#include <llvm/Transforms/Utils/Local.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

namespace kiln::ptx {
namespace {

class Builder {
public:
  Builder(const CoarseKernel &kernel, const std::string &name)
      : kernel_(kernel), factor_(kernel.facts.factor), context_(kernel.entry->getContext()), ir_(context_),
        made_(declare(name)) {}

  llvm::Function &build() {
    copy_kernel();
    make_entry();
    make_elements();
    make_loads();
    make_stores();
    make_tail();
    clean();
    return *made_;
  }

private:
  using Map = llvm::ValueToValueMapTy;
  struct Element {
    std::unique_ptr<Map> map = std::make_unique<Map>(); ///< from the kernel's values to this element's
    llvm::BasicBlock *begin = nullptr;
  };

  llvm::Function *declare(const std::string &name) {
    llvm::Function &entry = *kernel_.entry;
    std::vector<llvm::Type *> types;
    for (const llvm::Argument &argument : entry.args()) types.push_back(argument.getType());
    types.push_back(llvm::Type::getInt32Ty(context_));
    auto *type = llvm::FunctionType::get(entry.getReturnType(), types, false);
    return llvm::Function::Create(type, entry.getLinkage(), entry.getAddressSpace(), name, entry.getParent());
  }

  /// Clones the kernel into the first blocks. The tail loop runs this clone; each unrolled element is a copy
  /// of the clone.
  void copy_kernel() {
    auto argument = made_->arg_begin();
    for (llvm::Argument &of_kernel : kernel_.entry->args()) {
      argument->setName(of_kernel.getName());
      whole_[&of_kernel] = &*argument++;
    }
    argument->setName("threads");
    threads_ = &*argument;
    llvm::SmallVector<llvm::ReturnInst *, 4> returns;
    llvm::CloneFunctionInto(made_, kernel_.entry, whole_, llvm::CloneFunctionChangeType::GlobalChanges,
                            returns);
    made_->removeFnAttr("kiln.entry");
    made_->setCallingConv(kernel_.entry->getCallingConv());
    for (llvm::BasicBlock &block : *made_) originals_.push_back(&block);
  }

  llvm::Value *of(Map &map, const llvm::Value *value) const {
    if (llvm::isa<llvm::Constant>(value)) return const_cast<llvm::Value *>(value);
    return map.lookup(value);
  }

  void make_entry() {
    entry_ = llvm::BasicBlock::Create(context_, "", made_, &made_->front());
    ir_.SetInsertPoint(entry_);
    llvm::Value *block = ir_.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x, {});
    llvm::Value *dim = ir_.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x, {});
    llvm::Value *thread = ir_.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x, {});
    // The sum is less than 2^31 for each launch of this entry: max_threads leaves space for one more block.
    llvm::Value *place = ir_.CreateNUWAdd(ir_.CreateNUWMul(block, dim), thread);
    first_ = ir_.CreateNUWMul(place, ir_.getInt32(factor_), "first");
    first_wide_ = ir_.CreateZExt(first_, ir_.getInt64Ty());
    llvm::Value *all = ir_.CreateICmpULT(ir_.CreateNUWAdd(first_, ir_.getInt32(factor_ - 1)), threads_);
    for (const Guard &guard : kernel_.guards) {
      const uint32_t from = guard.last_decides ? factor_ - 1 : 0;
      for (uint32_t element = from; element < factor_; element++) {
        llvm::Value *holds = condition(guard, element);
        all = ir_.CreateAnd(all, guard.go_on == 0 ? holds : ir_.CreateNot(holds));
      }
    }
    together_ = llvm::BasicBlock::Create(context_, "together", made_, originals_.front());
    tail_ = llvm::BasicBlock::Create(context_, "tail", made_, originals_.front());
    end_ = llvm::BasicBlock::Create(context_, "end", made_, originals_.front());
    ir_.CreateCondBr(all, together_, tail_);
    ir_.SetInsertPoint(end_);
    ir_.CreateRetVoid();
  }

  /// Emits a guard's condition for one element of the thread.
  llvm::Value *condition(const Guard &guard, uint32_t element) {
    Map computed;
    return compute(guard.branch->getCondition(), element, computed);
  }
  llvm::Value *compute(const llvm::Value *value, uint32_t element, Map &computed) {
    if (const auto place = kernel_.places.find(value); place != kernel_.places.end())
      return place_value(*value, place->second, ir_.getInt32(element));
    auto *instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (!instruction) return of(whole_, value);
    if (llvm::Value *known = computed.lookup(value)) return known;
    llvm::Instruction *copy = instruction->clone();
    copy->setDebugLoc({});
    for (llvm::Use &operand : copy->operands()) operand.set(compute(operand.get(), element, computed));
    ir_.Insert(copy);
    computed[value] = copy;
    return copy;
  }

  /// Emits the linear index of the thread's element number `element`, plus `shift`, in the type of `like`.
  llvm::Value *place_value(const llvm::Value &like, int64_t shift, llvm::Value *element) {
    const bool is_narrow = like.getType()->isIntegerTy(32);
    if (is_narrow) return ir_.CreateAdd(ir_.CreateAdd(first_, element), ir_.getInt32(uint32_t(shift)));
    llvm::Value *wide = ir_.CreateNUWAdd(first_wide_, ir_.CreateZExt(element, ir_.getInt64Ty()));
    llvm::Value *shifted = ir_.CreateAdd(wide, ir_.getInt64(uint64_t(shift)), "", false, true);
    return ir_.CreateZExtOrTrunc(shifted, like.getType());
  }

  void replace_places(Map &map, llvm::Value *element) {
    for (const auto &[value, shift] : kernel_.places)
      if (llvm::Value *own = map.lookup(value)) own->replaceAllUsesWith(place_value(*value, shift, element));
  }

  void make_elements() {
    elements_.resize(factor_);
    for (Element &element : elements_) {
      llvm::SmallVector<llvm::BasicBlock *, 8> blocks;
      Map of_copy; // from the whole kernel's values
      for (llvm::BasicBlock *block : originals_) {
        llvm::BasicBlock *copy = llvm::CloneBasicBlock(block, of_copy, "", made_);
        of_copy[block] = copy;
        blocks.push_back(copy);
      }
      llvm::remapInstructionsInBlocks(blocks, of_copy);
      for (const auto &[of_kernel, of_whole] : whole_)
        if (llvm::Value *own = of_whole ? of_copy.lookup(of_whole) : nullptr) (*element.map)[of_kernel] = own;
      element.begin = blocks.front();
    }
    for (uint32_t number = 0; number < factor_; number++) {
      Element &element = elements_[number];
      ir_.SetInsertPoint(element.begin, element.begin->getFirstInsertionPt());
      replace_places(*element.map, ir_.getInt32(number));
      for (const Guard &guard : kernel_.guards) {
        auto *branch = llvm::cast<llvm::BranchInst>(element.map->lookup(guard.branch));
        ir_.SetInsertPoint(branch);
        ir_.CreateBr(branch->getSuccessor(guard.go_on));
        branch->eraseFromParent();
      }
    }
    done_ = llvm::BasicBlock::Create(context_, "done", made_);
    ir_.SetInsertPoint(done_);
    ir_.CreateBr(end_);
    for (uint32_t number = 0; number < factor_; number++)
      for (const llvm::BasicBlock &block : *kernel_.entry)
        if (auto *leave = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator()))
          continue_at(llvm::cast<llvm::Instruction>(elements_[number].map->lookup(leave)),
                      number + 1 < factor_ ? elements_[number + 1].begin : done_);
  }

  void continue_at(llvm::Instruction *leave, llvm::BasicBlock *next) {
    ir_.SetInsertPoint(leave);
    ir_.CreateBr(next);
    leave->eraseFromParent();
  }

  /// Emits the address of the first element that an access reads or writes: the array's pointer plus an
  /// offset.
  llvm::Value *address(const Access &access) {
    const CoarseKernel::Array &array = kernel_.arrays[access.array];
    llvm::Value *pointer =
        ir_.CreateExtractValue(made_->getArg(array.argument->getArgNo()), llvm::ArrayRef(array.path));
    pointer = ir_.CreateInBoundsGEP(access.type(), pointer, first_wide_);
    return access.shift ? ir_.CreateInBoundsGEP(ir_.getInt8Ty(), pointer,
                                                ir_.getInt64(uint64_t(int64_t(access.shift))))
                        : pointer;
  }
  llvm::Type *vector_of(const Access &access) const {
    return llvm::FixedVectorType::get(access.type(), factor_);
  }
  llvm::Align align_of(const Access &access) const { return llvm::Align(uint64_t(access.size) * factor_); }

  void make_loads() {
    ir_.SetInsertPoint(together_);
    for (const Access &access : kernel_.accesses) {
      if (!access.is_wide || !llvm::isa<llvm::LoadInst>(access.at)) continue;
      llvm::LoadInst *all = ir_.CreateAlignedLoad(vector_of(access), address(access), align_of(access));
      all->setDebugLoc(llvm::cast<llvm::Instruction>(whole_.lookup(access.at))->getDebugLoc());
      if (access.at->hasMetadata(llvm::LLVMContext::MD_invariant_load))
        all->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
      for (uint32_t number = 0; number < factor_; number++) {
        auto *own = llvm::cast<llvm::Instruction>(elements_[number].map->lookup(access.at));
        own->replaceAllUsesWith(ir_.CreateExtractElement(all, number));
        replaced_.push_back(own);
      }
    }
    ir_.CreateBr(elements_[0].begin);
  }

  void make_stores() {
    ir_.SetInsertPoint(done_->getTerminator());
    for (const Access &access : kernel_.accesses) {
      if (!llvm::isa<llvm::StoreInst>(access.at)) continue;
      llvm::Value *all = llvm::PoisonValue::get(vector_of(access));
      llvm::DebugLoc location;
      for (uint32_t number = 0; number < factor_; number++) {
        auto *own = llvm::cast<llvm::StoreInst>(elements_[number].map->lookup(access.at));
        all = ir_.CreateInsertElement(all, own->getValueOperand(), number);
        location = own->getDebugLoc();
        replaced_.push_back(own);
      }
      ir_.CreateAlignedStore(all, address(access), align_of(access))->setDebugLoc(location);
    }
  }

  /// Emits the tail: a loop over the thread's elements that runs the original kernel for each.
  void make_tail() {
    llvm::BasicBlock *next = llvm::BasicBlock::Create(context_, "next", made_);
    ir_.SetInsertPoint(tail_);
    llvm::PHINode *element = ir_.CreatePHI(ir_.getInt32Ty(), 2, "element");
    element->addIncoming(ir_.getInt32(0), entry_);
    element->addIncoming(ir_.CreateNUWAdd(element, ir_.getInt32(1)), next);
    ir_.CreateCondBr(ir_.CreateICmpULT(ir_.CreateNUWAdd(first_, element), threads_), originals_.front(),
                     end_);
    ir_.SetInsertPoint(originals_.front(), originals_.front()->getFirstInsertionPt());
    replace_places(whole_, element);
    for (llvm::BasicBlock *block : originals_)
      if (auto *leave = llvm::dyn_cast<llvm::ReturnInst>(block->getTerminator())) continue_at(leave, next);
    ir_.SetInsertPoint(next);
    ir_.CreateCondBr(
        ir_.CreateICmpULT(llvm::cast<llvm::Instruction>(element->getIncomingValue(1)), ir_.getInt32(factor_)),
        tail_, end_);
  }

  /// Simplifies the entry without moving or merging floating-point operations, which could change rounding.
  void clean() {
    for (llvm::Instruction *instruction : replaced_) instruction->eraseFromParent();
    llvm::removeUnreachableBlocks(*made_);
    for (llvm::BasicBlock &block : llvm::make_early_inc_range(*made_))
      if (&block != &made_->getEntryBlock()) llvm::MergeBlockIntoPredecessor(&block);
    for (bool changed = true; changed;) {
      changed = false;
      for (llvm::BasicBlock &block : *made_)
        for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::reverse(block)))
          if (llvm::isInstructionTriviallyDead(&instruction)) {
            instruction.eraseFromParent();
            changed = true;
          }
    }
  }

  const CoarseKernel &kernel_;
  const uint32_t factor_;
  llvm::LLVMContext &context_;
  llvm::IRBuilder<> ir_;
  llvm::Function *const made_;
  Map whole_;                                 ///< from the kernel's values to those of its clone
  std::vector<llvm::BasicBlock *> originals_; ///< the clone
  std::vector<Element> elements_;
  std::vector<llvm::Instruction *> replaced_;
  llvm::Value *threads_ = nullptr, *first_ = nullptr, *first_wide_ = nullptr;
  llvm::BasicBlock *entry_ = nullptr, *together_ = nullptr, *tail_ = nullptr, *end_ = nullptr,
                   *done_ = nullptr;
};

} // namespace

llvm::Function &build_coarse(const CoarseKernel &kernel, const std::string &name) {
  return Builder(kernel, name).build();
}

} // namespace kiln::ptx
