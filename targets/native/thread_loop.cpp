// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "thread_loop.h"

#include "columns.h"

#include <kiln/abi.h>

#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Module.h>

#include <array>
#include <optional>
#include <utility>

namespace kiln::native {

using llvm::BasicBlock;
using llvm::Value;

namespace {

/// Maximum thread index range per dimension (runtime/host/executor.h). LLVM then knows that thread counts do
/// not overflow.
constexpr std::array<uint64_t, 3> max_threads{1024, 1024, 64};

/// i32 kiln.next_ended(ptr flags, i32 from, i32 count): returns the index of the first ended thread from
/// `from` on, or `count` if there is none.
llvm::Function *next_ended_function(llvm::Module &module) {
  constexpr const char *name = "kiln.next_ended";
  if (llvm::Function *made = module.getFunction(name)) return made;
  llvm::IRBuilder<> ir(module.getContext());
  llvm::Type *i32 = ir.getInt32Ty();
  auto *function = llvm::Function::Create(llvm::FunctionType::get(i32, {ir.getPtrTy(), i32, i32}, false),
                                          llvm::GlobalValue::InternalLinkage, name, module);
  for (auto attribute : {llvm::Attribute::NoInline, llvm::Attribute::Cold, llvm::Attribute::NoUnwind})
    function->addFnAttr(attribute);
  auto make = [&](const char *label) { return BasicBlock::Create(module.getContext(), label, function); };
  auto *entry = make("entry"), *loop = make("loop"), *look = make("look"), *next = make("next"),
       *end = make("end");
  ir.SetInsertPoint(entry);
  ir.CreateBr(loop);
  ir.SetInsertPoint(loop);
  auto *at = ir.CreatePHI(i32, 2);
  ir.CreateCondBr(ir.CreateICmpULT(at, function->getArg(2)), look, end);
  ir.SetInsertPoint(look);
  Value *flag = ir.CreateLoad(
      ir.getInt8Ty(), ir.CreateGEP(ir.getInt8Ty(), function->getArg(0), ir.CreateZExt(at, ir.getInt64Ty())));
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

/// void kiln.end_thread(ptr ended, ptr flags, i64 thread, i64 count): marks a thread as ended in `flags`, and
/// counts it in `ended`.
llvm::Function *end_in_loop_function(llvm::Module &module) {
  constexpr const char *name = "kiln.end_thread";
  if (llvm::Function *made = module.getFunction(name)) return made;
  llvm::IRBuilder<> ir(module.getContext());
  llvm::Type *i64 = ir.getInt64Ty(), *pointer = ir.getPtrTy();
  auto *function =
      llvm::Function::Create(llvm::FunctionType::get(ir.getVoidTy(), {pointer, pointer, i64, i64}, false),
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

BlockFacts read_block_facts(llvm::IRBuilder<> &ir, Value *state) {
  llvm::MDBuilder metadata(ir.getContext());
  std::array<Value *, 3> dims{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    Value *address = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), state,
                                                   offsetof(abi::NativeThread, block_dim) + 4 * axis);
    auto *load = ir.CreateAlignedLoad(ir.getInt32Ty(), address, llvm::Align(4));
    load->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(ir.getContext(), {}));
    load->setMetadata(llvm::LLVMContext::MD_range,
                      metadata.createRange(llvm::APInt(32, 1), llvm::APInt(32, max_threads[axis] + 1)));
    dims[axis] = load;
  }
  if (llvm::cast<llvm::Argument>(state)->getParent()->hasFnAttribute(ColumnsAttribute))
    std::swap(dims[0], dims[1]);
  Value *rows = ir.CreateNUWMul(dims[1], dims[2], "rows"), *count = ir.CreateNUWMul(dims[0], rows, "count");
  return {.width = dims[0],
          .height = dims[1],
          .rows = rows,
          .count = count,
          .count64 = ir.CreateZExt(count, ir.getInt64Ty())};
}

BasicBlock *ThreadLoop::block(const llvm::Twine &name) {
  return BasicBlock::Create(kernel_.getContext(), llvm::Twine(name_) + "." + name, &kernel_);
}

llvm::PHINode *ThreadLoop::phi(const char *name, Value *value, BasicBlock *from) {
  auto *made = ir_.CreatePHI(ir_.getInt32Ty(), 2, name);
  made->addIncoming(value, from);
  return made;
}

/// A run: consecutive live threads with linear indices [from, to). The first one has index (x, y, z).
struct ThreadLoop::Run {
  llvm::PHINode *from[4]; ///< linear index, x, y, z
  Value *to;
  BasicBlock *piece, *end;
};

/// A piece: consecutive rows of a run. Either all rows are full, or the piece is one partial row.
struct ThreadLoop::Piece {
  llvm::PHINode *at, *x, *y, *z;
  Value *rows, *length;
  BasicBlock *begin, *end;
};

ThreadLoop::ThreadLoop(llvm::Function &kernel, const BlockFacts &facts, BasicBlock *returned,
                       const char *name)
    : kernel_(kernel), builder_(std::make_unique<llvm::IRBuilder<>>(kernel.getContext())), ir_(*builder_),
      name_(name) {
  begin = block("begin");
  Value *zero = ir_.getInt32(0), *one = ir_.getInt32(1);
  std::optional<Run> run;
  std::optional<Piece> piece;
  if (facts.ended) {
    run = begin_run(facts);
    piece = begin_piece(facts, *run);
  } else {
    first = zero;
    limit = facts.width;
  }
  row = block("row");
  head = block("thread");
  latch = block("thread.end");
  auto *row_end = block("row.end");
  end = block("end");
  BasicBlock *before = piece ? piece->begin : begin;
  ir_.SetInsertPoint(before);
  ir_.CreateBr(row);

  ir_.SetInsertPoint(row);
  auto *done = phi("row", zero, before), *row_at = phi("row.at", piece ? piece->at : zero, before),
       *row_y = phi("y", piece ? piece->y : zero, before), *row_z = phi("z", piece ? piece->z : zero, before);
  Value *behind =
      ir_.CreateSub(ir_.CreateZExt(row_at, ir_.getInt64Ty()), ir_.CreateZExt(first, ir_.getInt64Ty()));
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
  Value *next_at = ir_.CreateNUWAdd(row_at, piece ? piece->length : facts.width),
        *next_y = ir_.CreateAdd(row_y, one), *next_row = ir_.CreateNUWAdd(done, one);
  Value *plane_end = ir_.CreateICmpEQ(next_y, facts.height);
  next_y = ir_.CreateSelect(plane_end, zero, next_y);
  Value *next_z = ir_.CreateAdd(row_z, ir_.CreateZExt(plane_end, ir_.getInt32Ty()));
  done->addIncoming(next_row, row_end);
  row_at->addIncoming(next_at, row_end);
  row_y->addIncoming(next_y, row_end);
  row_z->addIncoming(next_z, row_end);
  auto *rows_test = ir_.CreateCondBr(ir_.CreateICmpULT(next_row, piece ? piece->rows : facts.rows), row,
                                     piece ? piece->end : end);
  mark_whole(*rows_test);
  if (piece) end_piece(facts, *run, *piece, next_at, next_y, next_z, returned);
}

/// Disables unrolling of outer loops, which costs compile time without gain.
void ThreadLoop::mark_whole(llvm::BranchInst &back) {
  llvm::LLVMContext &context = kernel_.getContext();
  llvm::MDNode *loop = llvm::MDNode::getDistinct(
      context,
      {nullptr, llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"))});
  loop->replaceOperandWith(0, loop);
  back.setMetadata(llvm::LLVMContext::MD_loop, loop);
}

ThreadLoop::Run ThreadLoop::begin_run(const BlockFacts &facts) {
  auto *runs = block("runs"), *look = block("look"), *begun = block("run");
  Run run{.from = {}, .to = nullptr, .piece = block("piece"), .end = block("run.end")};
  ir_.SetInsertPoint(begin);
  ir_.CreateBr(runs);
  ir_.SetInsertPoint(runs);
  const char *names[] = {"from", "from.x", "from.y", "from.z"};
  for (unsigned i = 0; i < 4; ++i) run.from[i] = phi(names[i], ir_.getInt32(0), begin);
  ir_.CreateCondBr(ir_.CreateICmpEQ(ir_.CreateLoad(ir_.getInt32Ty(), facts.ended), ir_.getInt32(0)), begun,
                   look);
  ir_.SetInsertPoint(look);
  Value *found = ir_.CreateCall(next_ended_function(*kernel_.getParent()),
                                {facts.ended_flags, run.from[0], facts.count});
  ir_.CreateBr(begun);
  ir_.SetInsertPoint(begun);
  auto *until = phi("to", facts.count, runs);
  until->addIncoming(found, look);
  run.to = until;
  ir_.CreateCondBr(ir_.CreateICmpULT(run.from[0], run.to), run.piece, run.end);
  return run;
}

ThreadLoop::Piece ThreadLoop::begin_piece(const BlockFacts &facts, const Run &run) {
  Value *zero = ir_.getInt32(0), *one = ir_.getInt32(1);
  auto *part = block("part");
  BasicBlock *from = llvm::cast<llvm::Instruction>(run.to)->getParent();
  Piece piece{};
  piece.begin = block("rows");
  piece.end = block("piece.end");
  ir_.SetInsertPoint(run.piece);
  piece.at = phi("at", run.from[0], from), piece.x = phi("piece.x", run.from[1], from),
  piece.y = phi("piece.y", run.from[2], from), piece.z = phi("piece.z", run.from[3], from);
  Value *all = ir_.CreateAnd(ir_.CreateICmpEQ(piece.at, zero), ir_.CreateICmpEQ(run.to, facts.count));
  ir_.CreateCondBr(all, piece.begin, part);
  ir_.SetInsertPoint(part);
  Value *left = ir_.CreateNUWSub(run.to, piece.at);
  Value *has_full_rows = ir_.CreateAnd(ir_.CreateICmpEQ(piece.x, zero), ir_.CreateICmpUGE(left, facts.width));
  Value *part_limit =
      ir_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, facts.width, ir_.CreateNUWAdd(piece.x, left));
  Value *part_rows = ir_.CreateSelect(has_full_rows, ir_.CreateUDiv(left, facts.width), one);
  ir_.CreateBr(piece.begin);

  ir_.SetInsertPoint(piece.begin); // the piece has `rows` rows, each with x in [first, limit)
  auto *row_first = phi("first", zero, run.piece), *row_limit = phi("limit", facts.width, run.piece),
       *count = phi("rows", facts.rows, run.piece);
  row_first->addIncoming(piece.x, part);
  row_limit->addIncoming(part_limit, part);
  count->addIncoming(part_rows, part);
  first = row_first;
  limit = row_limit;
  piece.rows = count;
  piece.length = ir_.CreateNUWSub(limit, first, "length");
  return piece;
}

/// Ends the loops over pieces and runs. The next run starts after the thread that separates the runs: it
/// ended earlier, or in this run.
void ThreadLoop::end_piece(const BlockFacts &facts, const Run &run, const Piece &piece, Value *next_at,
                           Value *next_y, Value *next_z, BasicBlock *returned) {
  ir_.SetInsertPoint(piece.end);
  piece.at->addIncoming(next_at, piece.end);
  piece.x->addIncoming(ir_.getInt32(0), piece.end);
  piece.y->addIncoming(next_y, piece.end);
  piece.z->addIncoming(next_z, piece.end);
  mark_whole(*ir_.CreateCondBr(ir_.CreateICmpULT(next_at, run.to), run.piece, run.end));

  auto *again = block("again");
  ir_.SetInsertPoint(run.end);
  Value *one = ir_.getInt32(1), *next = ir_.CreateAdd(run.to, one);
  ir_.CreateCondBr(ir_.CreateICmpULT(next, facts.count), again, end);
  threw = block("threw");
  ir_.SetInsertPoint(threw);
  ir_.CreateCall(end_in_loop_function(*kernel_.getParent()),
                 {facts.ended, facts.ended_flags, linear, facts.count64});
  Value *next_one = ir_.CreateAdd(ir_.CreateTrunc(linear, ir_.getInt32Ty()), one);
  ir_.CreateCondBr(ir_.CreateICmpULT(next_one, facts.count), again, end);
  ir_.SetInsertPoint(again);
  auto *resume = phi("resume", next, run.end);
  resume->addIncoming(next_one, threw);
  Value *line = ir_.CreateUDiv(resume, facts.width);
  Value *resumed[] = {resume, ir_.CreateURem(resume, facts.width), ir_.CreateURem(line, facts.height),
                      ir_.CreateUDiv(line, facts.height)};
  for (unsigned i = 0; i < 4; ++i) run.from[i]->addIncoming(resumed[i], again);
  ir_.CreateBr(run.from[0]->getParent());
  // If no thread is alive, no value decides the region's branch: return from the kernel.
  auto *continues = block("on");
  ir_.SetInsertPoint(end);
  Value *all = ir_.CreateICmpEQ(ir_.CreateLoad(ir_.getInt32Ty(), facts.ended), facts.count);
  ir_.CreateCondBr(all, returned, continues);
  end = continues;
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
