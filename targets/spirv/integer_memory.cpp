// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Other integers in memory. An integer of N bits takes N / 8 bytes, rounded up, the lowest first; a store
// writes zeros above its N bits, a load ignores them. Each access becomes naturally aligned accesses of 1, 2,
// 4 and 8 bytes that touch the same bytes.
#include "integer_stages.h"

#include <llvm/Analysis/Utils/Local.h>
#include <llvm/IR/InstIterator.h>

#include <fmt/format.h>

namespace kiln::spirv {
namespace {

struct Piece {
  uint64_t offset; ///< bytes
  unsigned width;  ///< bits
  llvm::Align align;
};

llvm::SmallVector<Piece, 8> pieces(unsigned width, llvm::Align align) {
  llvm::SmallVector<Piece, 8> result;
  const uint64_t size = llvm::divideCeil(width, 8);
  for (uint64_t offset = 0; offset < size;) {
    const llvm::Align here = llvm::commonAlignment(align, offset);
    const uint64_t bytes = std::min({uint64_t(8), here.value(), llvm::bit_floor(size - offset)});
    result.push_back({offset, unsigned(bytes * 8), here});
    offset += bytes;
  }
  return result;
}

class MemoryLowering {
public:
  explicit MemoryLowering(llvm::Function &function)
      : function_(function), layout_(function.getParent()->getDataLayout()) {}

  Result<void> run() {
    function_.setAttributes(legal_attributes(function_.getAttributes(), function_.arg_size()));
    for (llvm::Instruction &instruction : llvm::make_early_inc_range(llvm::instructions(function_))) {
      llvm::IRBuilder<> builder(&instruction);
      if (auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction)) {
        if (has_other_in_memory(variable->getAllocatedType()))
          variable->setAllocatedType(storage_type(layout_, variable->getAllocatedType()));
      } else if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
        lower_address(builder, *address);
      else if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&instruction))
        KILN_CHECK(lower_load(builder, *load));
      else if (auto *store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
        KILN_CHECK(lower_store(builder, *store));
      else if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
        call->setAttributes(legal_attributes(call->getAttributes(), call->arg_size()));
    }
    return {};
  }

private:
  /// Makes types that attributes of parameters name legal. An explicit alignment keeps that of the old type.
  llvm::AttributeList legal_attributes(llvm::AttributeList attributes, size_t num_parameters) const {
    llvm::LLVMContext &context = function_.getContext();
    for (unsigned i = 0; i < num_parameters; i++)
      for (unsigned kind = llvm::Attribute::FirstTypeAttr; kind <= llvm::Attribute::LastTypeAttr; kind++) {
        const auto attribute = llvm::Attribute::AttrKind(kind);
        llvm::Type *type = attributes.getParamAttr(i, attribute).isValid()
                               ? attributes.getParamAttr(i, attribute).getValueAsType()
                               : nullptr;
        if (!type || !has_other_in_memory(type)) continue;
        attributes = attributes.replaceAttributeTypeAtIndex(context, llvm::AttributeList::FirstArgIndex + i,
                                                            attribute, storage_type(layout_, type));
        if (!attributes.getParamAlignment(i) && attribute != llvm::Attribute::ElementType)
          attributes = attributes.addParamAttribute(
              context, i, llvm::Attribute::getWithAlignment(context, layout_.getABITypeAlign(type)));
      }
    return attributes;
  }

  void lower_address(llvm::IRBuilder<> &builder, llvm::GetElementPtrInst &address) const {
    for (unsigned i = 1; i < address.getNumOperands(); i++)
      if (llvm::Value *index = address.getOperand(i); is_other(index->getType()))
        address.setOperand(i, builder.CreateSExtOrTrunc(index, layout_.getIndexType(address.getType())));
    if (!has_other_in_memory(address.getSourceElementType())) return;
    llvm::Value *offset = llvm::emitGEPOffset(&builder, layout_, &address);
    llvm::Value *legal =
        builder.CreatePtrAdd(address.getPointerOperand(), offset, "", address.getNoWrapFlags());
    legal->takeName(&address);
    address.replaceAllUsesWith(legal);
    address.eraseFromParent();
  }

  static bool is_lowered(const llvm::Type *type) {
    return type->isIntegerTy(1) || is_other(type) || is_boolean_vector(type);
  }

  /// The integer that holds a lowered type's bits. Null: it has more bits than an integer may have.
  static llvm::Type *integer_type(llvm::Type *type) {
    const uint64_t bits = type->getPrimitiveSizeInBits().getFixedValue();
    return bits <= max_width ? llvm::Type::getIntNTy(type->getContext(), unsigned(bits)) : nullptr;
  }

  static Error refuse(const llvm::Instruction &access, const llvm::Type *type) {
    const uint64_t bits = type->getPrimitiveSizeInBits().getFixedValue();
    return unsupported(access,
                       fmt::format("{} access to {} of {} bits", access.isAtomic() ? "an atomic" : "an",
                                   type->isVectorTy() ? "a vector" : "an integer", bits));
  }

  llvm::Value *piece_address(llvm::IRBuilder<> &builder, llvm::Value *pointer, const Piece &piece) const {
    if (piece.offset == 0) return pointer;
    return builder.CreatePtrAdd(
        pointer, llvm::ConstantInt::get(layout_.getIndexType(pointer->getType()), piece.offset));
  }

  Result<void> lower_load(llvm::IRBuilder<> &builder, llvm::LoadInst &load) const {
    if (!is_lowered(load.getType())) return {};
    llvm::Type *type = integer_type(load.getType());
    if (!type || load.isAtomic()) return refuse(load, load.getType());
    llvm::Value *value = nullptr;
    for (const Piece &piece : pieces(type->getIntegerBitWidth(), load.getAlign())) {
      auto *part = builder.CreateAlignedLoad(builder.getIntNTy(piece.width),
                                             piece_address(builder, load.getPointerOperand(), piece),
                                             piece.align, load.isVolatile());
      part->copyMetadata(load, MemoryMetadata);
      llvm::Value *bits = builder.CreateZExtOrTrunc(part, type);
      if (piece.offset > 0) bits = builder.CreateShl(bits, piece.offset * 8);
      value = value ? builder.CreateOr(value, bits) : bits;
    }
    value = builder.CreateBitCast(value, load.getType());
    value->takeName(&load);
    load.replaceAllUsesWith(value);
    load.eraseFromParent();
    return {};
  }

  Result<void> lower_store(llvm::IRBuilder<> &builder, llvm::StoreInst &store) const {
    llvm::Value *value = store.getValueOperand();
    if (!is_lowered(value->getType())) return {};
    llvm::Type *type = integer_type(value->getType());
    if (!type || store.isAtomic()) return refuse(store, value->getType());
    value = builder.CreateBitCast(value, type);
    for (const Piece &piece : pieces(type->getIntegerBitWidth(), store.getAlign())) {
      llvm::Value *bits = piece.offset > 0 ? builder.CreateLShr(value, piece.offset * 8) : value;
      auto *part = builder.CreateAlignedStore(builder.CreateZExtOrTrunc(bits, builder.getIntNTy(piece.width)),
                                              piece_address(builder, store.getPointerOperand(), piece),
                                              piece.align, store.isVolatile());
      part->copyMetadata(store, MemoryMetadata);
    }
    store.eraseFromParent();
    return {};
  }

  llvm::Function &function_;
  const llvm::DataLayout &layout_;
};

} // namespace

Result<void> lower_memory(llvm::Function &function) { return MemoryLowering(function).run(); }

} // namespace kiln::spirv
