// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread_loop.h"

#include <kiln/abi.h>

#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <array>

namespace kiln::native {

using llvm::BasicBlock;
using llvm::Value;

namespace {

/// Limits of a launch (runtime/host/executor.h), which tell LLVM that counting threads does not overflow.
constexpr std::array<uint64_t, 3> MaxThreads{1024, 1024, 64};

/// i32 kiln.next_ended(ptr flags, i32 from, i32 count): the first thread at or behind `from` that has ended, or count.
llvm::Function *next_ended_function(llvm::Module &module) {
  constexpr const char *name = "kiln.next_ended";
  if (llvm::Function *made = module.getFunction(name))
    return made;
  llvm::IRBuilder<> ir(module.getContext());
  llvm::Type *i32 = ir.getInt32Ty();
  auto *function = llvm::Function::Create(llvm::FunctionType::get(i32, {ir.getPtrTy(), i32, i32}, false),
                                          llvm::GlobalValue::InternalLinkage, name, module);
  for (auto attribute : {llvm::Attribute::NoInline, llvm::Attribute::Cold, llvm::Attribute::NoUnwind})
    function->addFnAttr(attribute);
  auto make = [&](const char *label) { return BasicBlock::Create(module.getContext(), label, function); };
  auto *entry = make("entry"), *loop = make("loop"), *look = make("look"), *next = make("next"), *end = make("end");
  ir.SetInsertPoint(entry);
  ir.CreateBr(loop);
  ir.SetInsertPoint(loop);
  auto *at = ir.CreatePHI(i32, 2);
  ir.CreateCondBr(ir.CreateICmpULT(at, function->getArg(2)), look, end);
  ir.SetInsertPoint(look);
  Value *flag = ir.CreateLoad(ir.getInt8Ty(), ir.CreateGEP(ir.getInt8Ty(), function->getArg(0), ir.CreateZExt(at, ir.getInt64Ty())));
  ir.CreateCondBr(ir.CreateICmpEQ(flag, ir.getInt8(0)), next, end);
  ir.SetInsertPoint(next);
  Value *behind = ir.CreateAdd(at, ir.getInt32(1));
  ir.CreateBr(loop);
  at->addIncoming(function->getArg(1), entry);
  at->addIncoming(behind, next);
  ir.SetInsertPoint(end);
  ir.CreateRet(at);
  return function;
}

/// void kiln.end_thread(ptr ended, ptr flags, i64 thread, i64 count)
llvm::Function *end_thread_function(llvm::Module &module) {
  constexpr const char *name = "kiln.end_thread";
  if (llvm::Function *made = module.getFunction(name))
    return made;
  llvm::IRBuilder<> ir(module.getContext());
  llvm::Type *i64 = ir.getInt64Ty(), *pointer = ir.getPtrTy();
  auto *function = llvm::Function::Create(llvm::FunctionType::get(ir.getVoidTy(), {pointer, pointer, i64, i64}, false),
                                          llvm::GlobalValue::InternalLinkage, name, module);
  for (auto attribute : {llvm::Attribute::NoInline, llvm::Attribute::Cold, llvm::Attribute::NoUnwind})
    function->addFnAttr(attribute);
  auto make = [&](const char *label) { return BasicBlock::Create(module.getContext(), label, function); };
  auto *entry = make("entry"), *first = make("first"), *mark = make("mark");
  Value *ended = function->getArg(0), *flags = function->getArg(1);
  ir.SetInsertPoint(entry);
  Value *before = ir.CreateLoad(ir.getInt32Ty(), ended);
  ir.CreateCondBr(ir.CreateICmpEQ(before, ir.getInt32(0)), first, mark);
  ir.SetInsertPoint(first);
  ir.CreateMemSet(flags, ir.getInt8(0), function->getArg(3), llvm::MaybeAlign(1));
  ir.CreateBr(mark);
  ir.SetInsertPoint(mark);
  ir.CreateStore(ir.getInt8(1), ir.CreateGEP(ir.getInt8Ty(), flags, function->getArg(2)));
  ir.CreateStore(ir.CreateAdd(before, ir.getInt32(1)), ended);
  ir.CreateRetVoid();
  return function;
}

} // namespace

BlockFacts read_block_facts(llvm::IRBuilder<> &ir, Value *state, Value *first, Value *count) {
  llvm::MDBuilder metadata(ir.getContext());
  std::array<Value *, 3> dims{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    Value *address = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), state, offsetof(abi::NativeThread, block_dim) + 4 * axis);
    auto *load = ir.CreateAlignedLoad(ir.getInt32Ty(), address, llvm::Align(4));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(ir.getContext(), {}));
    load->setMetadata(llvm::LLVMContext::MD_range, metadata.createRange(llvm::APInt(32, 1), llvm::APInt(32, MaxThreads[axis] + 1)));
    dims[axis] = load;
  }
  Value *rows = ir.CreateNUWMul(dims[1], dims[2], "rows");
  BlockFacts facts{.width = dims[0], .height = dims[1], .rows = rows, .whole = ir.CreateNUWMul(dims[0], rows, "whole"), .first = first,
                   .count = count, .first_index = {}, .count64 = ir.CreateZExt(count, ir.getInt64Ty())};
  // Nearly always it is the first one, and divisions take longer than many a block.
  BasicBlock *from = ir.GetInsertBlock();
  auto *divide = BasicBlock::Create(ir.getContext(), "within", from->getParent()), *behind = BasicBlock::Create(ir.getContext(), "facts", from->getParent());
  ir.CreateCondBr(ir.CreateICmpEQ(first, ir.getInt32(0)), behind, divide);
  ir.SetInsertPoint(divide);
  Value *row = ir.CreateUDiv(first, dims[0]);
  Value *index[] = {ir.CreateURem(first, dims[0]), ir.CreateURem(row, dims[1]), ir.CreateUDiv(row, dims[1])};
  ir.CreateBr(behind);
  ir.SetInsertPoint(behind);
  for (unsigned axis = 0; axis < 3; ++axis) {
    auto *phi = ir.CreatePHI(ir.getInt32Ty(), 2);
    phi->addIncoming(ir.getInt32(0), from);
    phi->addIncoming(index[axis], divide);
    facts.first_index[axis] = phi;
  }
  return facts;
}

BasicBlock *ThreadLoop::block(const llvm::Twine &name) {
  return BasicBlock::Create(kernel_.getContext(), llvm::Twine(name_) + "." + name, &kernel_);
}

llvm::PHINode *ThreadLoop::phi(const char *name, Value *value, BasicBlock *from) {
  auto *made = ir_.CreatePHI(ir_.getInt32Ty(), 2, name);
  made->addIncoming(value, from);
  return made;
}

ThreadLoop::ThreadLoop(llvm::Function &kernel, const BlockFacts &facts, BasicBlock *returned, const char *name)
    : kernel_(kernel), builder_(std::make_unique<llvm::IRBuilder<>>(kernel.getContext())), ir_(*builder_), name_(name) {
  begin = block("begin");
  auto *run = block("run"), *piece = block("piece"), *part = block("part"), *rows = block("rows");
  row = block("row");
  head = block("thread");
  latch = block("thread.end");
  auto *row_end = block("row.end"), *piece_end = block("piece.end"), *run_end = block("run.end");
  end = block("end");
  Value *zero = ir_.getInt32(0), *one = ir_.getInt32(1);

  // Threads [from, to) of the block, which begin at (from_x, from_y, from_z).
  Value *from[4] = {facts.first, facts.first_index[0], facts.first_index[1], facts.first_index[2]}, *to = facts.count;
  llvm::PHINode *starts[4] = {};
  if (facts.ended) {
    auto *runs = block("runs"), *look = block("look");
    ir_.SetInsertPoint(begin);
    ir_.CreateBr(runs);
    ir_.SetInsertPoint(runs);
    const char *names[] = {"from", "from.x", "from.y", "from.z"};
    for (unsigned i = 0; i < 4; ++i)
      from[i] = starts[i] = phi(names[i], from[i], begin);
    ir_.CreateCondBr(ir_.CreateICmpEQ(ir_.CreateLoad(ir_.getInt32Ty(), facts.ended), zero), run, look);
    ir_.SetInsertPoint(look);
    Value *found = ir_.CreateCall(next_ended_function(*kernel.getParent()), {facts.ended_flags, from[0], facts.count});
    ir_.CreateBr(run);
    ir_.SetInsertPoint(run);
    auto *until = phi("to", facts.count, runs);
    until->addIncoming(found, look);
    to = until;
  } else {
    ir_.SetInsertPoint(begin);
    ir_.CreateBr(run);
    ir_.SetInsertPoint(run);
  }
  ir_.CreateCondBr(ir_.CreateICmpULT(from[0], to), piece, run_end);

  ir_.SetInsertPoint(piece);
  auto *at = phi("at", from[0], run), *piece_x = phi("piece.x", from[1], run), *piece_y = phi("piece.y", from[2], run),
       *piece_z = phi("piece.z", from[3], run);
  Value *all = ir_.CreateAnd(ir_.CreateICmpEQ(at, zero), ir_.CreateICmpEQ(to, facts.whole));
  ir_.CreateCondBr(all, rows, part);
  ir_.SetInsertPoint(part);
  Value *left = ir_.CreateNUWSub(to, at);
  Value *many = ir_.CreateAnd(ir_.CreateICmpEQ(piece_x, zero), ir_.CreateICmpUGE(left, facts.width));
  Value *part_limit = ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, facts.width, ir_.CreateNUWAdd(piece_x, left));
  Value *part_rows = ir_.CreateSelect(many, ir_.CreateUDiv(left, facts.width), one);
  ir_.CreateBr(rows);

  ir_.SetInsertPoint(rows); // this many, each from x = first to limit
  auto *row_first = phi("first", zero, piece), *row_limit = phi("limit", facts.width, piece), *count = phi("rows", facts.rows, piece);
  row_first->addIncoming(piece_x, part);
  row_limit->addIncoming(part_limit, part);
  count->addIncoming(part_rows, part);
  first = row_first;
  limit = row_limit;
  Value *length = ir_.CreateNUWSub(limit, first, "length");
  ir_.CreateBr(row);

  ir_.SetInsertPoint(row);
  auto *done = phi("row", zero, rows), *row_at = phi("row.at", at, rows), *row_y = phi("y", piece_y, rows), *row_z = phi("z", piece_z, rows);
  Value *behind = ir_.CreateSub(ir_.CreateZExt(row_at, ir_.getInt64Ty()), ir_.CreateZExt(first, ir_.getInt64Ty()));
  row_test_ = ir_.CreateCondBr(ir_.CreateICmpULT(first, limit), head, row_end);

  ir_.SetInsertPoint(head);
  counter = phi("x", first, row);
  x = counter, y = row_y, z = row_z;
  linear = ir_.CreateAdd(behind, ir_.CreateZExt(x, ir_.getInt64Ty()), "linear");

  ir_.SetInsertPoint(latch);
  Value *next_x = ir_.CreateNUWAdd(x, one, "x.next");
  counter->addIncoming(next_x, latch);
  latch_test_ = ir_.CreateCondBr(ir_.CreateICmpULT(next_x, limit), head, row_end);

  ir_.SetInsertPoint(row_end);
  Value *next_at = ir_.CreateNUWAdd(row_at, length), *next_y = ir_.CreateAdd(row_y, one), *next_row = ir_.CreateNUWAdd(done, one);
  Value *plane_end = ir_.CreateICmpEQ(next_y, facts.height);
  next_y = ir_.CreateSelect(plane_end, zero, next_y);
  Value *next_z = ir_.CreateAdd(row_z, ir_.CreateZExt(plane_end, ir_.getInt32Ty()));
  done->addIncoming(next_row, row_end);
  row_at->addIncoming(next_at, row_end);
  row_y->addIncoming(next_y, row_end);
  row_z->addIncoming(next_z, row_end);
  ir_.CreateCondBr(ir_.CreateICmpULT(next_row, count), row, piece_end);

  ir_.SetInsertPoint(piece_end);
  at->addIncoming(next_at, piece_end);
  piece_x->addIncoming(zero, piece_end);
  piece_y->addIncoming(next_y, piece_end);
  piece_z->addIncoming(next_z, piece_end);
  ir_.CreateCondBr(ir_.CreateICmpULT(next_at, to), piece, run_end);

  ir_.SetInsertPoint(run_end);
  if (!facts.ended) {
    ir_.CreateBr(end);
    return;
  }
  go_on_behind_ended(facts, starts, to, run_end, returned);
}

/// Behind the thread that has ended before, or now.
void ThreadLoop::go_on_behind_ended(const BlockFacts &facts, llvm::ArrayRef<llvm::PHINode *> starts, Value *to, BasicBlock *run_end,
                                    BasicBlock *returned) {
  auto *again = block("again");
  Value *one = ir_.getInt32(1), *next = ir_.CreateAdd(to, one);
  ir_.CreateCondBr(ir_.CreateICmpULT(next, facts.count), again, end);
  threw = block("threw");
  ir_.SetInsertPoint(threw);
  ir_.CreateCall(end_thread_function(*kernel_.getParent()), {facts.ended, facts.ended_flags, linear, facts.count64});
  Value *next_one = ir_.CreateAdd(ir_.CreateTrunc(linear, ir_.getInt32Ty()), one);
  ir_.CreateCondBr(ir_.CreateICmpULT(next_one, facts.count), again, end);
  ir_.SetInsertPoint(again);
  auto *resume = phi("resume", next, run_end);
  resume->addIncoming(next_one, threw);
  Value *line = ir_.CreateUDiv(resume, facts.width);
  Value *resumed[] = {resume, ir_.CreateURem(resume, facts.width), ir_.CreateURem(line, facts.height), ir_.CreateUDiv(line, facts.height)};
  for (unsigned i = 0; i < 4; ++i)
    starts[i]->addIncoming(resumed[i], again);
  ir_.CreateBr(starts[0]->getParent());
  // A block without threads has no value left to decide by.
  auto *goes_on = block("on");
  ir_.SetInsertPoint(end);
  Value *all = ir_.CreateICmpEQ(ir_.CreateLoad(ir_.getInt32Ty(), facts.ended), facts.count);
  ir_.CreateCondBr(all, returned, goes_on);
  end = goes_on;
}

void ThreadLoop::narrow(Value *new_first, Value *new_limit, Value *runs) {
  first = new_first;
  limit = new_limit;
  ir_.SetInsertPoint(row_test_);
  Value *some = ir_.CreateICmpULT(first, limit);
  llvm::cast<llvm::BranchInst>(row_test_)->setCondition(runs ? ir_.CreateAnd(runs, some) : some);
  counter->setIncomingValueForBlock(row, first);
  ir_.SetInsertPoint(latch_test_);
  Value *next_x = counter->getIncomingValueForBlock(latch);
  llvm::cast<llvm::BranchInst>(latch_test_)->setCondition(ir_.CreateICmpULT(next_x, limit));
}

} // namespace kiln::native
