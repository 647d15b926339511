// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Atomic operations, fences and inline assembly. Operations are relaxed unless the program gives an ordering.
// As in CUDA, fences and barriers order accesses to different addresses. The scope of an operation is the
// device on ptx, and the process on native. LLVM 22.1.8 drops the ordering of a read-modify-write on ptx. The
// library's overlay for ptx therefore writes ordered ones as inline PTX.
#include "emitter.h"

#include <llvm/IR/InlineAsm.h>

namespace kiln {

namespace {

using RMW = llvm::AtomicRMWInst;

std::optional<RMW::BinOp> operation(std::string_view name) {
  static constexpr std::pair<std::string_view, RMW::BinOp> known[] = {
      {"xchg", RMW::Xchg}, {"add", RMW::Add},      {"sub", RMW::Sub},     {"and", RMW::And},
      {"or", RMW::Or},     {"xor", RMW::Xor},      {"min", RMW::Min},     {"max", RMW::Max},
      {"umin", RMW::UMin}, {"umax", RMW::UMax},    {"fadd", RMW::FAdd},   {"fmin", RMW::FMin},
      {"fmax", RMW::FMax}, {"inc", RMW::UIncWrap}, {"dec", RMW::UDecWrap}};
  for (auto &[text, op] : known)
    if (text == name) return op;
  return {};
}

std::optional<llvm::AtomicOrdering> ordering(std::string_view name) {
  using Order = llvm::AtomicOrdering;
  static constexpr std::pair<std::string_view, Order> known[] = {
      {"unordered", Order::Unordered},    {"monotonic", Order::Monotonic},
      {"acquire", Order::Acquire},        {"release", Order::Release},
      {"acq_rel", Order::AcquireRelease}, {"seq_cst", Order::SequentiallyConsistent}};
  for (auto &[text, order] : known)
    if (text == name) return order;
  return {};
}

/// Number of an intrinsic's arguments before its optional ordering argument.
size_t operand_count(Intrinsic id) {
  switch (id) {
  case Intrinsic::atomic_modify:
  case Intrinsic::atomic_replace: return 3;
  case Intrinsic::atomic_store: return 2;
  case Intrinsic::atomic_load: return 1;
  default: return 0;
  }
}

} // namespace

std::optional<EmittedValue> Emitter::atomic_intrinsic(IntrinsicCall &call) {
  if (call.id < Intrinsic::atomic_modify || call.id > Intrinsic::pure_assembly) return {};
  if (call.id >= Intrinsic::inline_assembly) return inline_assembly(call);
  using Order = llvm::AtomicOrdering;
  const auto &nothing = types_.builtins().Nothing;
  const bool is_fence = call.id == Intrinsic::memory_fence;
  const size_t operands = operand_count(call.id);
  Order order = is_fence ? Order::SequentiallyConsistent : Order::Monotonic;
  if (call.args.size() > operands) {
    auto given = ordering(symbol_parameter(call.args[operands].type(), 0).text());
    if (!given)
      return bad(call, "an ordering is :unordered, :monotonic, :acquire, :release, :acq_rel or :seq_cst");
    order = *given;
  }
  if (is_fence) {
    if (llvm::isStrongerThanMonotonic(order)) b_.CreateFence(order);
    return ghost(nothing);
  }
  if ((call.id == Intrinsic::atomic_load && llvm::isReleaseOrStronger(order) &&
       order != Order::SequentiallyConsistent) ||
      (call.id == Intrinsic::atomic_store && llvm::isAcquireOrStronger(order) &&
       order != Order::SequentiallyConsistent))
    return bad(call, call.id == Intrinsic::atomic_load ? "a load can acquire, but not release"
                                                       : "a store can release, but not acquire");
  if (order == Order::Unordered && call.id != Intrinsic::atomic_load && call.id != Intrinsic::atomic_store)
    order = Order::Monotonic;

  Values args = call.args.take_front(operands).drop_front(call.id == Intrinsic::atomic_modify ? 1 : 0);
  auto *data = args[0].type()->as<DataType>();
  bool is_pointer =
      data && (&data->name() == types_.builtins().PtrName || &data->name() == types_.builtins().LLVMPtrName);
  if (!is_pointer) return bad(call, "expected a pointer");
  const Shape *shape = shapes_.get(data->params()[0]);
  uint64_t size = shape->layout ? shape->layout->size : 0;
  if (shape->kind != Kind::Scalar || !std::has_single_bit(size) || size > capabilities_.max_atomic_bytes)
    return bad(call, "there are atomic operations for primitive values of 1, 2, 4 and 8 bytes, not for " +
                         spell(shape->type));
  for (EmittedValue value : args.drop_front())
    if (value.shape != shape) return bad(call, "expected values of type " + spell(shape->type));
  // Exchanges and compares work on integers of the value's size. A Bool is a byte in memory.
  llvm::Type *bits = b_.getIntNTy(unsigned(size * 8)), *leaf = shape->leaves[0];
  auto to_bits = [&](llvm::Value *value) -> llvm::Value * {
    if (leaf->isPointerTy()) return b_.CreatePtrToInt(value, bits);
    if (leaf->isIntegerTy()) return b_.CreateZExt(value, bits);
    return b_.CreateBitCast(value, bits);
  };
  auto from_bits = [&](llvm::Value *value) {
    if (leaf->isPointerTy()) return make(shape, b_.CreateIntToPtr(value, leaf));
    if (leaf->isIntegerTy()) return make(shape, b_.CreateTrunc(value, leaf));
    return make(shape, b_.CreateBitCast(value, leaf));
  };
  llvm::Value *pointer = args[0].scalar();
  const llvm::Align align(size);
  const auto scope = context_.getOrInsertSyncScopeID(capabilities_.atomic_scope);

  switch (call.id) {
  case Intrinsic::atomic_modify: {
    auto op = operation(symbol_parameter(call.args[0].type(), 0).text());
    if (!op) return bad(call, "expected Val(:operation)");
    bool is_float = *op == RMW::FAdd || *op == RMW::FMin || *op == RMW::FMax;
    if (is_float != leaf->isFloatingPointTy() && *op != RMW::Xchg)
      return bad(call, "the operation is not one of the element type");
    if (is_float) return make(shape, b_.CreateAtomicRMW(*op, pointer, args[1].scalar(), align, order, scope));
    return from_bits(b_.CreateAtomicRMW(*op, pointer, to_bits(args[1].scalar()), align, order, scope));
  }
  case Intrinsic::atomic_replace: {
    auto *both =
        b_.CreateAtomicCmpXchg(pointer, to_bits(args[1].scalar()), to_bits(args[2].scalar()), align, order,
                               llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order), scope);
    return from_bits(b_.CreateExtractValue(both, 0));
  }
  case Intrinsic::atomic_load: {
    auto *load = b_.CreateAlignedLoad(bits, pointer, align);
    load->setAtomic(order);
    return from_bits(load);
  }
  default: {
    auto *store = b_.CreateAlignedStore(to_bits(args[1].scalar()), pointer, align);
    store->setAtomic(order);
    return ghost(nothing);
  }
  }
}

EmittedValue Emitter::inline_assembly(IntrinsicCall &call) {
  Symbol text = symbol_parameter(call.args[0].type(), 0),
         constraints = symbol_parameter(call.args[1].type(), 0);
  if (!text) return bad(call, "expected Val(:text) and Val(:constraints)");
  const Shape *result = shapes_.get(call.result);
  llvm::SmallVector<llvm::Type *, 6> parameters;
  llvm::SmallVector<llvm::Value *, 6> values;
  for (EmittedValue value : call.args.drop_front(4)) {
    llvm::Type *type = value.shape->layout && !value.shape->is_bool ? register_type(value.shape) : nullptr;
    if (!type || type->isStructTy())
      return bad(call, "arguments must be numbers, pointers, or tuples of VecElement");
    parameters.push_back(type);
    values.push_back(to_register(value));
  }
  if (!result->layout || result->is_bool)
    return bad(call, "the result must be a number, a pointer, or a tuple of such");
  llvm::Type *returned = result->leaves.empty() ? b_.getVoidTy() : register_type(result);
  auto *type = llvm::FunctionType::get(returned, parameters, false);
  std::string rules(constraints ? constraints.text() : std::string_view());
  if (llvm::Error error = llvm::InlineAsm::verify(type, rules)) {
    std::string why = llvm::toString(std::move(error));
    return bad(call, "the constraints `" + rules + "` do not fit: " + why);
  }
  const bool is_pure = call.id == Intrinsic::pure_assembly;
  auto *assembly = llvm::InlineAsm::get(type, std::string(text.text()), rules, /*hasSideEffects=*/!is_pure);
  auto *out = b_.CreateCall(type, assembly, values);
  if (is_pure)
    out->setDoesNotAccessMemory();
  else
    out->setConvergent();
  out->setDoesNotThrow();
  if (result->leaves.empty()) return {result, {}};
  return from_registers(out, result);
}

} // namespace kiln
