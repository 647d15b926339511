// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers kiln.throw to a call of one cold function. That function writes the exception record if this is the
// launch's first exception. Then it ends the thread: by kiln.end_thread on GPUs; by a jump back to the block
// executor on native. Debug level 0 only signals that an exception
// occurred; higher levels report its name and source frames. A target without a kernel state reports through
// a function of its own; a target that cannot throw traps.
#include "rewrites.h"

#include <kiln/abi.h>

#include <llvm/IR/IRBuilder.h>

#include <array>

namespace kiln::rewrites {
namespace {

using llvm::Value;
using Record = abi::ExceptionRecord;

/// Builds the cold function that reports an exception.
class ReportBuilder {
public:
  ReportBuilder(const TargetCapabilities &capabilities, const CompilerConfig &config, llvm::Module &module)
      : config_(config), module_(module), ir_(module.getContext()),
        native_(capabilities.kernel_state == KernelStateType::NativeThread),
        copies_texts_(native_ || capabilities.copies_exception_texts) {}

  llvm::Function *build() {
    llvm::Type *pointer = ir_.getPtrTy();
    llvm::SmallVector<llvm::Type *, 3> types;
    if (config_.debug_level > 0) types = {ir_.getInt32Ty(), pointer, pointer};
    function_ = llvm::Function::Create(
        llvm::FunctionType::get(ir_.getVoidTy(), types, false), llvm::GlobalValue::InternalLinkage,
        config_.debug_level > 0 ? "kiln_report_exception" : "kiln_signal_exception", module_);
    for (auto attribute : {llvm::Attribute::NoInline, llvm::Attribute::Cold, llvm::Attribute::NoReturn,
                           llvm::Attribute::NoUnwind})
      function_->addFnAttr(attribute);
    auto *entry = block("entry"), *claim = block("claim"), *write = block("write"), *end = block("end");
    Value *kind = ir_.getInt32(static_cast<uint32_t>(abi::ExceptionKind::Unknown));
    Value *name = llvm::ConstantPointerNull::get(ir_.getPtrTy()), *location = name;
    if (config_.debug_level > 0) {
      kind = function_->getArg(0);
      name = function_->getArg(1);
      location = function_->getArg(2);
    }

    ir_.SetInsertPoint(entry);
    Value *state = ir_.CreateCall(module_.getOrInsertFunction("kiln.state", pointer), {}, "state");
    if (native_) {
      record_ = ir_.CreateLoad(pointer, field(state, offsetof(abi::NativeThread, exception)), "record");
      ir_.CreateBr(claim);
    } else {
      record_ = ir_.CreateAddrSpaceCast(state, llvm::PointerType::get(module_.getContext(), 1), "record");
      ir_.CreateCondBr(ir_.CreateIsNull(state), end, claim);
    }

    ir_.SetInsertPoint(claim); // keep the launch's first exception
    ir_.CreateCondBr(ir_.CreateICmpEQ(claim_record(), ir_.getInt32(0)), write, end);

    ir_.SetInsertPoint(write);
    store(kind, offsetof(Record, kind));
    for (unsigned axis = 0; axis < 3; ++axis) {
      store(index("thread_idx", axis), offsetof(Record, thread) + 4 * axis);
      store(index("block_idx", axis), offsetof(Record, block) + 4 * axis);
    }
    store(ir_.CreatePtrToInt(name, ir_.getInt64Ty()), offsetof(Record, name));
    store(ir_.CreatePtrToInt(location, ir_.getInt64Ty()), offsetof(Record, location));
    if (copies_texts_) copy_texts(name, location);
    publish_record();
    ir_.CreateBr(end);

    ir_.SetInsertPoint(end);
    end_thread(state);
    ir_.CreateUnreachable();
    return function_;
  }

private:
  llvm::BasicBlock *block(const char *name) {
    return llvm::BasicBlock::Create(module_.getContext(), name, function_);
  }
  Value *field(Value *base, uint64_t offset) {
    return ir_.CreateConstInBoundsGEP1_64(ir_.getInt8Ty(), base, offset);
  }
  void store(Value *value, uint64_t offset) {
    ir_.CreateAlignedStore(value, field(record_, offset),
                           llvm::Align(value->getType()->getIntegerBitWidth() / 8));
  }

  Value *index(llvm::StringRef which, unsigned axis) {
    static constexpr std::array<const char *, 3> axes{"x", "y", "z"};
    return ir_.CreateCall(
        module_.getOrInsertFunction(("kiln." + which + "." + axes[axis]).str(), ir_.getInt32Ty()));
  }

  /// Emits a compare-and-swap of the record's status from 0 to 1; returns the old status. Its scope is the
  /// system, since the host may read the record while the kernel runs.
  Value *claim_record() {
    return ir_.CreateExtractValue(ir_.CreateAtomicCmpXchg(field(record_, offsetof(Record, status)),
                                                          ir_.getInt32(0), ir_.getInt32(1), llvm::Align(4),
                                                          llvm::AtomicOrdering::AcquireRelease,
                                                          llvm::AtomicOrdering::Acquire),
                                  0);
  }

  /// Emits a store of status 2 after all other writes of the record are visible.
  void publish_record() {
    Value *status = field(record_, offsetof(Record, status));
    if (!native_) ir_.CreateCall(module_.getOrInsertFunction("kiln.system_fence", ir_.getVoidTy()));
    auto *store = ir_.CreateAlignedStore(ir_.getInt32(2), status, llvm::Align(4), /*isVolatile=*/!native_);
    if (native_) store->setAtomic(llvm::AtomicOrdering::Release);
  }

  void end_thread(Value *state) {
    if (!native_) {
      ir_.CreateCall(module_.getOrInsertFunction("kiln.end_thread", ir_.getVoidTy()))->setDoesNotReturn();
      return;
    }
    // Stores the thread index, from which the executor continues with the next thread.
    for (unsigned axis = 0; axis < 3; ++axis)
      ir_.CreateAlignedStore(index("thread_idx", axis),
                             field(state, offsetof(abi::NativeThread, thread) + 4 * axis), llvm::Align(4));
    auto *type = llvm::FunctionType::get(ir_.getVoidTy(), {ir_.getPtrTy()}, false);
    ir_.CreateCall(module_.getOrInsertFunction(abi::NativeThrowSymbol, type), {state})->setDoesNotReturn();
  }

  void copy_texts(Value *name, Value *location) {
    llvm::Function *copy = build_copy_text();
    Value *text = ir_.CreateAddrSpaceCast(field(record_, offsetof(Record, text)), ir_.getPtrTy());
    Value *at = ir_.CreateCall(copy, {text, ir_.getInt32(0), name});
    ir_.CreateCall(copy, {text, at, location});
  }

  /// Builds i32 kiln_copy_text(ptr text, i32 at, ptr source). It copies up to the zero byte or the end of
  /// `text`, and returns the position after the copy.
  llvm::Function *build_copy_text() {
    llvm::IRBuilder<> ir(module_.getContext());
    llvm::Type *i32 = ir.getInt32Ty(), *pointer = ir.getPtrTy();
    auto *copy = llvm::Function::Create(llvm::FunctionType::get(i32, {pointer, i32, pointer}, false),
                                        llvm::GlobalValue::InternalLinkage, "kiln_copy_text", module_);
    for (auto attribute : {llvm::Attribute::NoInline, llvm::Attribute::Cold, llvm::Attribute::NoUnwind})
      copy->addFnAttr(attribute);
    auto make = [&](const char *name) { return llvm::BasicBlock::Create(module_.getContext(), name, copy); };
    auto *entry = make("entry"), *loop = make("loop"), *read = make("read"), *write = make("write"),
         *end = make("end");
    Value *text = copy->getArg(0), *first = copy->getArg(1), *source = copy->getArg(2);
    Value *limit = ir.getInt32(sizeof(Record::text));

    ir.SetInsertPoint(entry);
    Value *is_null = ir.CreateIsNull(source);
    ir.CreateBr(loop);

    ir.SetInsertPoint(loop);
    auto *at = ir.CreatePHI(i32, 2, "at"), *from = ir.CreatePHI(i32, 2, "from");
    auto *test = make("test");
    ir.CreateCondBr(ir.CreateICmpULT(at, limit), test, end);
    ir.SetInsertPoint(test); // the last byte of the text is always zero
    Value *stop = ir.CreateOr(is_null, ir.CreateICmpEQ(at, ir.getInt32(sizeof(Record::text) - 1)));
    ir.CreateCondBr(stop, write, read);

    ir.SetInsertPoint(read);
    Value *loaded = ir.CreateLoad(ir.getInt8Ty(), ir.CreateGEP(ir.getInt8Ty(), source, from));
    ir.CreateBr(write);

    ir.SetInsertPoint(write);
    auto *byte = ir.CreatePHI(ir.getInt8Ty(), 2, "byte");
    byte->addIncoming(ir.getInt8(0), test);
    byte->addIncoming(loaded, read);
    ir.CreateStore(byte, ir.CreateGEP(ir.getInt8Ty(), text, at));
    Value *next = ir.CreateAdd(at, ir.getInt32(1)), *next_from = ir.CreateAdd(from, ir.getInt32(1));
    ir.CreateCondBr(ir.CreateICmpEQ(byte, ir.getInt8(0)), end, loop);

    at->addIncoming(first, entry);
    at->addIncoming(next, write);
    from->addIncoming(ir.getInt32(0), entry);
    from->addIncoming(next_from, write);

    ir.SetInsertPoint(end);
    auto *result = ir.CreatePHI(i32, 2);
    result->addIncoming(at, loop);
    result->addIncoming(next, write);
    ir.CreateRet(result);
    return copy;
  }

  const CompilerConfig &config_;
  llvm::Module &module_;
  llvm::IRBuilder<> ir_;
  bool native_, copies_texts_;
  llvm::Function *function_ = nullptr;
  Value *record_ = nullptr;
};

void trap(llvm::Module &module, const std::vector<llvm::CallInst *> &throws) {
  for (llvm::CallInst *call : throws) {
    llvm::IRBuilder<> builder(call);
    builder.CreateIntrinsic(builder.getVoidTy(), llvm::Intrinsic::trap, {});
    call->eraseFromParent();
  }
}

/// Declares the reporting function that the target's runtime_module defines. If the definition is missing,
/// validation reports the call.
llvm::Function *runtime_report(llvm::Module &module) {
  llvm::LLVMContext &context = module.getContext();
  llvm::Type *pointer = llvm::PointerType::get(context, 0), *kind = llvm::Type::getInt32Ty(context);
  auto callee = module.getOrInsertFunction(
      "kiln_report_exception",
      llvm::FunctionType::get(llvm::Type::getVoidTy(context), {kind, pointer, pointer}, false));
  auto *report = llvm::cast<llvm::Function>(callee.getCallee());
  for (auto attribute : {llvm::Attribute::Cold, llvm::Attribute::NoReturn, llvm::Attribute::NoUnwind})
    report->addFnAttr(attribute);
  return report;
}

} // namespace

Result<void> throw_exceptions(const Target &target, const CompilerConfig &config, llvm::Module &module) {
  std::vector<llvm::CallInst *> throws = calls_of(module, "kiln.throw");
  const TargetCapabilities capabilities = target.capabilities(config.target);
  if (!capabilities.can_throw) {
    trap(module, throws);
  } else if (!throws.empty()) {
    const bool runtime_reports = capabilities.kernel_state == KernelStateType::None;
    llvm::Function *report =
        runtime_reports ? runtime_report(module) : ReportBuilder(capabilities, config, module).build();
    for (llvm::CallInst *call : throws) {
      llvm::SmallVector<Value *, 3> arguments;
      Value *none = llvm::ConstantPointerNull::get(llvm::PointerType::get(module.getContext(), 0));
      if (config.debug_level > 0)
        arguments = {call->getArgOperand(0), call->getArgOperand(1), call->getArgOperand(2)};
      else if (runtime_reports)
        arguments = {call->getArgOperand(0), none, none};
      auto *replaced = llvm::CallInst::Create(report, arguments, "", call->getIterator());
      replaced->setDebugLoc(call->getDebugLoc());
      replaced->setDoesNotReturn();
      call->eraseFromParent();
    }
  }
  if (llvm::Function *marker = module.getFunction("kiln.throw"); marker && marker->use_empty())
    marker->eraseFromParent();
  return {};
}

} // namespace kiln::rewrites
