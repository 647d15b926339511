// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Turns a kernel into a block function, an abi::NativeKernel under the kernel's name:
//
//   void entry(NativeThread *state, void *const *args, uint32_t first, uint32_t count)
//
// The function unpacks the arguments once and runs the threads [first, count) of the block. There are three
// forms:
// - Kernels that may throw, and all at -O0: the kernel is inlined into the inner loop over x. The outer loop
// runs over rows, so that y and z are invariant in the inner loop and x is a plain counter.
// - Kernels with their own loops over threads (region_kernel.cpp): the function adds a loop over neighbouring
// blocks in x, so that work before the threads runs once.
// - Kernels with waits, other than barriers that all threads pass together, are coroutines (barrier.cpp): the
// loop starts every thread in its own frame, and the executor wakes the threads from then on.
#include "columns.h"
#include "passes.h"
#include "uniformity.h"

#include <kiln/abi.h>
#include <llvm_support/llvm_support.h>
#include <rewrite/rewrite.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

#include <optional>

namespace kiln::native {
namespace {

using llvm::Value;

class BlockFunction {
public:
  explicit BlockFunction(llvm::Function &kernel)
      : kernel_(&kernel), module_(*kernel.getParent()), ir_(module_.getContext()) {}

  Result<void> build(const CompilerConfig &config) {
    declare();
    if (has_waits(module_, *kernel_)) {
      KILN_CHECK(inline_throws_and_waits(*kernel_));
      if (make_region_kernel(config, *kernel_)) {
        run_blocks();
        return {};
      }
      converge_warps(*kernel_);
      KILN_TRY(coroutine_, make_coroutine(config, *kernel_));
      kernel_ = coroutine_->start;
    } else if (make_whole_kernel(config, *kernel_)) {
      run_blocks();
      return {};
    }
    auto *entry = block("entry"), *rows = block("rows"), *threads = block("threads"),
         *row_end = block("row.end"), *end = block("end");
    Value *state = function_->getArg(0), *args = function_->getArg(1), *first = function_->getArg(2),
          *count = function_->getArg(3);

    ir_.SetInsertPoint(entry);
    Value *width = dimension(state, 0), *height = dimension(state, 1);
    std::vector<Value *> unpacked = unpack(args);
    Value *first_x = ir_.CreateURem(first, width), *first_row = ir_.CreateUDiv(first, width);
    Value *first_y = ir_.CreateURem(first_row, height), *first_z = ir_.CreateUDiv(first_row, height);
    Value *frames = coroutine_ ? frames_for(state, ir_.CreateSub(count, first)) : nullptr;
    ir_.CreateCondBr(ir_.CreateICmpULT(first, count), rows, end);

    ir_.SetInsertPoint(rows); // the row has threads [at, at + length) of the block, from x = begin on
    auto *at = phi("at", first, entry), *begin = phi("begin", first_x, entry), *y = phi("y", first_y, entry),
         *z = phi("z", first_z, entry);
    Value *left = ir_.CreateSub(count, at), *in_row = ir_.CreateSub(width, begin);
    Value *length = ir_.CreateSelect(ir_.CreateICmpULT(left, in_row), left, in_row, "length");
    Value *row_limit = ir_.CreateAdd(begin, length, "limit", /*NUW=*/true);
    ir_.CreateBr(threads);

    ir_.SetInsertPoint(threads);
    auto *x = phi("x", begin, rows);
    Value *frame = coroutine_
                       ? frame_of(frames, ir_.CreateAdd(ir_.CreateSub(at, first), ir_.CreateSub(x, begin)))
                       : nullptr;
    call_kernel(frame, state, x, y, z, unpacked);
    Value *next_x = ir_.CreateAdd(x, ir_.getInt32(1), "x.next", /*NUW=*/true);
    x->addIncoming(next_x, threads);
    ir_.CreateCondBr(ir_.CreateICmpULT(next_x, row_limit), threads, row_end);

    ir_.SetInsertPoint(row_end);
    Value *next_at = ir_.CreateAdd(at, length), *next_y = ir_.CreateAdd(y, ir_.getInt32(1));
    Value *plane_end = ir_.CreateICmpEQ(next_y, height);
    at->addIncoming(next_at, row_end);
    begin->addIncoming(ir_.getInt32(0), row_end);
    y->addIncoming(ir_.CreateSelect(plane_end, ir_.getInt32(0), next_y), row_end);
    z->addIncoming(ir_.CreateAdd(z, ir_.CreateZExt(plane_end, ir_.getInt32Ty())), row_end);
    ir_.CreateCondBr(ir_.CreateICmpULT(next_at, count), rows, end);

    ir_.SetInsertPoint(end);
    if (coroutine_)
      ir_.CreateCall(module_.getOrInsertFunction(abi::NativeRoundsSymbol, ir_.getVoidTy(), ir_.getPtrTy(),
                                                 ir_.getPtrTy()),
                     {state, coroutine_->wake});
    ir_.CreateRetVoid();
    return {};
  }

private:
  /// Emits the loop over neighbouring blocks. The kernel itself runs all threads of a block.
  void run_blocks() {
    // The loop runs over blocks along y if the kernel's inner loop over threads runs over y.
    const bool along_y = kernel_->hasFnAttribute(ColumnsAttribute) &&
                         function_->hasFnAttribute(EntryAttribute) &&
                         !function_->hasFnAttribute(LaunchedAttribute);
    if (along_y) {
      function_->addFnAttr(BlocksAlongYAttribute);
      block_index_ += sizeof(uint32_t);
    }
    reload_block_index();
    auto *entry = block("entry"), *one = block("block"), *next = block("block.next"), *end = block("end");
    Value *state = function_->getArg(0), *zero = ir_.getInt32(0);
    ir_.SetInsertPoint(entry);
    std::vector<Value *> unpacked = unpack(function_->getArg(1));
    ir_.CreateBr(one);
    ir_.SetInsertPoint(one);
    call_kernel(nullptr, state, zero, zero, zero, unpacked);
    Value *more_address = field(state, offsetof(abi::NativeThread, more)),
          *index_address = field(state, block_index_);
    Value *more = ir_.CreateAlignedLoad(ir_.getInt64Ty(), more_address, llvm::Align(8), "more");
    // MoreInY with a count of 0 means that no blocks are left. MoreInY is not set for neighbours along x.
    Value *is_last = along_y ? ir_.CreateICmpULE(more, ir_.getInt64(abi::MoreInY))
                             : ir_.CreateICmpEQ(more, ir_.getInt64(0));
    ir_.CreateCondBr(is_last, end, next);
    ir_.SetInsertPoint(next);
    ir_.CreateAlignedStore(ir_.CreateNUWSub(more, ir_.getInt64(1)), more_address, llvm::Align(8));
    Value *index = ir_.CreateAlignedLoad(ir_.getInt32Ty(), index_address, llvm::Align(4));
    ir_.CreateAlignedStore(ir_.CreateNUWAdd(index, ir_.getInt32(1)), index_address, llvm::Align(4));
    ir_.CreateBr(one);
    ir_.SetInsertPoint(end);
    ir_.CreateRetVoid();
  }

  /// The loop over blocks changes the block index, so that loads of the index are not invariant any more. The
  /// kernel reads the index once at its start; its own loops can treat that value as invariant.
  void reload_block_index() {
    ir_.SetInsertPoint(&kernel_->getEntryBlock(), kernel_->getEntryBlock().begin());
    llvm::LoadInst *current = nullptr;
    for (llvm::Function &function : module_)
      for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
        auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
        if (!load || load == current || !is_block_index(*load)) continue;
        load->setMetadata(llvm::LLVMContext::MD_invariant_load, nullptr);
        if (&function != kernel_) continue;
        if (!current)
          current = ir_.CreateAlignedLoad(ir_.getInt32Ty(), field(kernel_->getArg(0), block_index_),
                                          llvm::Align(4), "block_idx");
        load->replaceAllUsesWith(current);
        load->eraseFromParent();
      }
  }
  /// True for a load of the block index along the axis over which run_blocks() loops.
  bool is_block_index(const llvm::LoadInst &load) const {
    const llvm::DataLayout &layout = module_.getDataLayout();
    llvm::APInt offset(layout.getIndexTypeSizeInBits(load.getPointerOperandType()), 0);
    const Value *base = load.getPointerOperand()->stripAndAccumulateInBoundsConstantOffsets(layout, offset);
    return llvm::isa<llvm::Argument>(base) && offset == block_index_ && load.getType()->isIntegerTy(32) &&
           load.hasMetadata(llvm::LLVMContext::MD_invariant_load) &&
           (load.getFunction() != kernel_ || base == kernel_->getArg(0));
  }
  Value *field(Value *state, uint64_t offset) {
    return ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), state, offset);
  }

  Value *frames_for(Value *state, Value *threads) {
    auto frames = module_.getOrInsertFunction(abi::NativeFramesSymbol, ir_.getPtrTy(), ir_.getPtrTy(),
                                              ir_.getInt64Ty(), ir_.getInt32Ty());
    return ir_.CreateCall(frames, {state, ir_.getInt64(coroutine_->frame_bytes), threads}, "frames");
  }
  Value *frame_of(Value *frames, Value *thread) {
    Value *offset =
        ir_.CreateMul(ir_.CreateZExt(thread, ir_.getInt64Ty()), ir_.getInt64(coroutine_->frame_bytes));
    return ir_.CreateInBoundsGEP(ir_.getInt8Ty(), frames, offset, "frame");
  }

  llvm::BasicBlock *block(const char *name) {
    return llvm::BasicBlock::Create(module_.getContext(), name, function_);
  }
  llvm::PHINode *phi(const char *name, Value *value, llvm::BasicBlock *from) {
    auto *made = ir_.CreatePHI(ir_.getInt32Ty(), 2, name);
    made->addIncoming(value, from);
    return made;
  }

  /// Declares the block function with the kernel's name and attributes. The kernel becomes an internal
  /// function.
  void declare() {
    llvm::Type *pointer = ir_.getPtrTy(), *i32 = ir_.getInt32Ty();
    std::string name = kernel_->getName().str();
    kernel_->setName(name + ".thread");
    function_ =
        llvm::Function::Create(llvm::FunctionType::get(ir_.getVoidTy(), {pointer, pointer, i32, i32}, false),
                               llvm::GlobalValue::ExternalLinkage, name, module_);
    const char *names[] = {"state", "args", "first", "count"};
    for (unsigned i = 0; i < 4; ++i) function_->getArg(i)->setName(names[i]);
    // Launches now refer to the block function. There are no direct calls of the block function yet.
    kernel_->replaceAllUsesWith(function_);
    if (kernel_->hasFnAttribute(LaunchedAttribute)) function_->setLinkage(llvm::GlobalValue::InternalLinkage);
    for (const char *attribute :
         {EntryAttribute, KernelAttribute, StateAttribute, SharedBytesAttribute, LaunchedAttribute})
      if (kernel_->hasFnAttribute(attribute)) {
        function_->addFnAttr(kernel_->getFnAttribute(attribute));
        kernel_->removeFnAttr(attribute);
      }
    function_->addFnAttr(llvm::Attribute::NoUnwind);
    for (llvm::Attribute attribute : kernel_->getAttributes().getParamAttrs(0))
      function_->addParamAttr(0, attribute);
    kernel_->setLinkage(llvm::GlobalValue::InternalLinkage);
    kernel_->removeFnAttr(llvm::Attribute::NoInline);
    kernel_->removeFnAttr(llvm::Attribute::OptimizeNone);
    kernel_->addFnAttr(llvm::Attribute::AlwaysInline);
  }

  Value *dimension(Value *state, unsigned axis) {
    auto *load = ir_.CreateAlignedLoad(ir_.getInt32Ty(),
                                       field(state, offsetof(abi::NativeThread, block_dim) + 4 * axis),
                                       llvm::Align(4), axis == 0 ? "width" : "height");
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(module_.getContext(), {}));
    return load;
  }

  std::vector<Value *> unpack(Value *args) {
    std::vector<Value *> values;
    const unsigned leading = StateParameters + (coroutine_ ? 1 : 0);
    for (unsigned i = leading; i < kernel_->arg_size(); ++i) {
      llvm::Argument *parameter = kernel_->getArg(i);
      Value *address =
          ir_.CreateLoad(ir_.getPtrTy(), ir_.CreateConstInBoundsGEP1_64(ir_.getPtrTy(), args, i - leading));
      if (parameter->hasPassPointeeByValueCopyAttr()) // the array's entry is that pointer
        values.push_back(address);
      else
        values.push_back(ir_.CreateLoad(parameter->getType(), address, parameter->getName()));
    }
    return values;
  }

  void call_kernel(Value *frame, Value *state, Value *x, Value *y, Value *z,
                   const std::vector<Value *> &unpacked) {
    llvm::SmallVector<Value *, 8> arguments;
    if (frame) arguments.push_back(frame);
    arguments.append({state, x, y, z});
    arguments.append(unpacked.begin(), unpacked.end());
    auto *call = ir_.CreateCall(kernel_->getFunctionType(), kernel_, arguments);
    call->setCallingConv(kernel_->getCallingConv());
    place_wrapper(*function_, *call, *kernel_);
  }

  llvm::Function *kernel_;
  llvm::Module &module_;
  llvm::IRBuilder<> ir_;
  std::optional<CoroutineKernel> coroutine_;
  llvm::Function *function_ = nullptr;
  /// Offset of the block index along the axis of run_blocks().
  uint64_t block_index_ = offsetof(abi::NativeThread, block);
};

} // namespace

Result<void> build_block_function(const Target &target, const CompilerConfig &config, llvm::Module &module) {
  KILN_TRY(llvm::Function * entry, entry_of(module));
  if (!entry->hasFnAttribute(KernelAttribute)) {
    drop_waits(module);
    return {};
  }
  if (!entry->getReturnType()->isVoidTy()) return internal_error("a native kernel returns a value");
  add_spin_waits(module);
  KILN_CHECK(BlockFunction(*entry).build(config));
  for (llvm::Function *kernel : launched_kernels(module)) KILN_CHECK(BlockFunction(*kernel).build(config));
  return {};
}

} // namespace kiln::native
