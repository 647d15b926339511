// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads and stores leaves in a type's memory layout, and computes pointers.
#include "emitter.h"

namespace kiln {

llvm::Value *Emitter::stack_slot(llvm::Type *type, uint64_t align) {
  llvm::BasicBlock &entry = function_->getEntryBlock();
  const llvm::DataLayout &layout = module_->getDataLayout();
  llvm::Align natural = layout.getPrefTypeAlign(type);
  auto *slot = new llvm::AllocaInst(type, layout.getAllocaAddrSpace(), nullptr,
                                    std::max(natural, llvm::Align(align ? align : 1)), "", entry.begin());
  if (!layout.getAllocaAddrSpace()) return slot;
  auto *generic = new llvm::AddrSpaceCastInst(slot, b_.getPtrTy());
  generic->insertAfter(slot);
  return generic;
}

EmittedValue Emitter::load(const Shape *shape, llvm::Value *pointer, uint64_t align, bool invariant) {
  llvm::SmallVector<Slot, 8> slots;
  shapes_.slots(shape, 0, slots);
  if (!align) align = shape->layout->align;
  llvm::SmallVector<llvm::Value *, 8> leaves;
  for (size_t i = 0; i < slots.size(); ++i) {
    llvm::Value *at =
        slots[i].offset ? b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), pointer, slots[i].offset) : pointer;
    auto *value =
        b_.CreateAlignedLoad(slots[i].type, at, llvm::commonAlignment(llvm::Align(align), slots[i].offset));
    if (invariant && capabilities_.read_only_loads)
      value->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context_, {}));
    llvm::Type *type = shape->leaves[i];
    leaves.push_back(type == slots[i].type ? (llvm::Value *)value : b_.CreateTrunc(value, type));
  }
  return make(shape, leaves);
}

void Emitter::store(EmittedValue value, llvm::Value *pointer, uint64_t align) {
  llvm::SmallVector<Slot, 8> slots;
  shapes_.slots(value.shape, 0, slots);
  if (!align) align = value.shape->layout->align;
  for (size_t i = 0; i < slots.size(); ++i) {
    llvm::Value *at =
        slots[i].offset ? b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), pointer, slots[i].offset) : pointer;
    llvm::Value *leaf = value.leaves[i];
    if (leaf->getType() != slots[i].type) leaf = b_.CreateZExt(leaf, slots[i].type);
    b_.CreateAlignedStore(leaf, at, llvm::commonAlignment(llvm::Align(align), slots[i].offset));
  }
}

namespace {

/// Returns T for Ptr{T} and LLVMPtr{T,AS}; null if the type is no pointer.
TypeRef element_of(TypeContext &types, TypeRef type) {
  auto *data = type->as<DataType>();
  const auto &b = types.builtins();
  if (!data || (&data->name() != b.PtrName && &data->name() != b.LLVMPtrName)) return nullptr;
  return data->params()[0];
}

} // namespace

std::optional<EmittedValue> Emitter::memory_intrinsic(IntrinsicCall &call) {
  if (call.id < Intrinsic::pointer_load || call.id > Intrinsic::int_to_pointer) return {};
  const auto &builtins = types_.builtins();
  bool first_is_type = call.id == Intrinsic::pointer_cast || call.id == Intrinsic::int_to_pointer;
  EmittedValue pointer = call.args[first_is_type ? 1 : 0];
  TypeRef element = pointer.is(Kind::Scalar) ? element_of(types_, pointer.type()) : nullptr;
  if (!element && call.id != Intrinsic::int_to_pointer) return bad(call, "expected a pointer");

  auto integer = [&](EmittedValue v) -> llvm::Value * {
    if (!v.is(Kind::Scalar) || !v.scalar()->getType()->isIntegerTy()) return nullptr;
    llvm::Type *wide = b_.getInt64Ty();
    return types_.is_signed(v.type()) ? b_.CreateSExtOrTrunc(v.scalar(), wide)
                                      : b_.CreateZExtOrTrunc(v.scalar(), wide);
  };
  switch (call.id) {
  case Intrinsic::pointer_load:
  case Intrinsic::pointer_load_invariant:
  case Intrinsic::pointer_store: {
    bool stores = call.id == Intrinsic::pointer_store;
    const Shape *shape = shapes_.get(element);
    if (!shape->layout) return bad(call, "elements of type " + spell(element) + " are not bits");
    llvm::Value *index = integer(call.args[stores ? 2 : 1]);
    auto align = integer_parameter(call.args[stores ? 3 : 2].type(), 0);
    if (!index || !align || *align < 0 || (*align & (*align - 1)))
      return bad(call, "expected an index and Val(a power of two)");
    if (stores && call.args[1].type() != element) {
      if (!is_subtype(types_, call.args[1].type(), element))
        return bad(call, "expected a value of type " + spell(element));
    }
    if (shape->leaves.empty()) return stores ? ghost(builtins.Nothing) : EmittedValue{shape, {}};
    llvm::Value *at = pointer.scalar();
    auto *known = llvm::dyn_cast<llvm::ConstantInt>(index);
    if (!known || !known->isZero()) {
      llvm::Type *type = shapes_.memory_type(shape);
      if (module_->getDataLayout().getTypeAllocSize(type) == shape->layout->size)
        at = b_.CreateInBoundsGEP(type, at, index);
      else
        at = b_.CreateInBoundsGEP(b_.getInt8Ty(), at, b_.CreateMul(index, b_.getInt64(shape->layout->size)));
    }
    if (!stores) return load(shape, at, uint64_t(*align), call.id == Intrinsic::pointer_load_invariant);
    store(coerce(call.args[1], shape), at, uint64_t(*align));
    return ghost(builtins.Nothing);
  }
  case Intrinsic::pointer_add: {
    llvm::Value *offset = integer(call.args[1]);
    if (!offset) return bad(call, "expected an offset");
    return make(pointer.shape, b_.CreateGEP(b_.getInt8Ty(), pointer.scalar(), offset));
  }
  case Intrinsic::pointer_cast: {
    TypeRef type = known_type(call.frame, call.refs[0]);
    const Shape *to = shapes_.get(type ? type : call.result);
    if (to->kind != Kind::Scalar || !to->leaves[0]->isPointerTy())
      return bad(call, "expected a pointer type");
    return make(to, b_.CreateAddrSpaceCast(pointer.scalar(), to->leaves[0]));
  }
  case Intrinsic::pointer_to_int: {
    const Shape *to = shapes_.get(call.result);
    if (to->kind != Kind::Scalar || !to->leaves[0]->isIntegerTy()) to = shapes_.get(builtins.UInt64);
    return make(to, b_.CreatePtrToInt(pointer.scalar(), to->leaves[0]));
  }
  case Intrinsic::int_to_pointer: {
    TypeRef type = known_type(call.frame, call.refs[0]);
    const Shape *to = shapes_.get(type ? type : call.result);
    if (to->kind != Kind::Scalar || !to->leaves[0]->isPointerTy() || !pointer.is(Kind::Scalar) ||
        !pointer.scalar()->getType()->isIntegerTy())
      return bad(call, "expected a pointer type and an address");
    return make(to, b_.CreateIntToPtr(pointer.scalar(), to->leaves[0]));
  }
  default: break;
  }
  return {};
}

} // namespace kiln
