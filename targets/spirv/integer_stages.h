// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of legalize_integers, in their order. Private to component spirv. "Other" integers have widths that
// SPIR-V lacks: "odd" ones are narrower than 128 bits, "wide" ones have 128.
#pragma once

#include <kiln/result.h>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>

#include <string>
#include <string_view>

namespace kiln::spirv {

inline constexpr unsigned max_width = 128;

inline bool is_legal_width(unsigned width) {
  return width == 1 || width == 8 || width == 16 || width == 32 || width == 64;
}
inline bool is_other(const llvm::Type *type) {
  return type->isIntegerTy() && !is_legal_width(type->getIntegerBitWidth());
}
inline bool is_wide(const llvm::Type *type) { return type->isIntegerTy(max_width); }
inline bool is_odd(const llvm::Type *type) { return is_other(type) && !is_wide(type); }
inline bool is_boolean_vector(const llvm::Type *type) {
  return type->isVectorTy() && type->getScalarType()->isIntegerTy(1);
}

/// Metadata of a load or store that also holds for each of its parts.
inline constexpr unsigned MemoryMetadata[] = {
    llvm::LLVMContext::MD_alias_scope,    llvm::LLVMContext::MD_noalias,
    llvm::LLVMContext::MD_invariant_load, llvm::LLVMContext::MD_nontemporal,
    llvm::LLVMContext::MD_access_group,   llvm::LLVMContext::MD_dbg};

/// integers.cpp: returns true if the type contains an other integer.
bool has_other(const llvm::Type *type);
/// integers.cpp: as has_other, but also for i1, which SPIR-V cannot store.
bool has_other_in_memory(const llvm::Type *type);
/// integers.cpp: the smallest of 8, 16, 32, 64 and 128 that is at least `width`.
unsigned promoted_width(unsigned width);
/// integers.cpp: KernelError about an instruction, with its function, source place and source stack.
Error unsupported(const llvm::Instruction &instruction, std::string_view reason);
/// integers.cpp: KernelError about a function or a variable.
Error unsupported(const llvm::GlobalValue &global, std::string_view reason);

/// integer_signatures.cpp: inlines and removes functions with other integers in their signatures.
Result<void> inline_signatures(llvm::Module &module);

/// overflow_intrinsics.cpp: replaces all with.overflow intrinsics by operations of the same width.
void lower_overflow(llvm::Function &function);
/// overflow_intrinsics.cpp: the upper half of a product of 64-bit integers.
llvm::Value *multiply_high(llvm::IRBuilder<> &builder, bool is_signed, llvm::Value *x, llvm::Value *y);

/// integer_aggregates.cpp: replaces structs and arrays that contain other integers by their leaves.
Result<void> split_aggregates(llvm::Function &function);

/// integer_constants.cpp: replaces constant expressions with other integers by instructions.
void expand_constants(llvm::Function &function);
/// integer_constants.cpp: gives variables that contain other integers or i1 a legal type of equal layout.
Result<void> rewrite_variables(llvm::Module &module);
/// integer_constants.cpp: a legal type of the same size. Its alignment may be less.
llvm::Type *storage_type(const llvm::DataLayout &layout, llvm::Type *type);

/// integer_memory.cpp: replaces loads and stores by those of 1, 2, 4 and 8 bytes; makes the types of stack
/// variables, addresses and attributes legal.
Result<void> lower_memory(llvm::Function &function);

/// integer_intrinsics.cpp: replaces intrinsics by operations of the same width. For 128 bits, those that
/// split_wide knows remain.
void lower_intrinsics(llvm::Function &function);

/// integer_casts.cpp: replaces bitcasts to and from vectors, conversions of pointers, and switches over more
/// than 64 bits.
Result<void> lower_casts(llvm::Function &function);

/// integer_booleans.cpp: replaces arithmetic, order and conversions of i1, which SPIR-V lacks.
void lower_booleans(llvm::Function &function);

/// odd_integers.cpp: promotes odd integers.
Result<void> promote_odd(llvm::Function &function);

/// wide_integers.cpp: splits i128 into two i64.
Result<void> split_wide(llvm::Function &function);

/// integer_intrinsics.cpp: replaces bitreverse of 8 to 64 bits, for which LLVM 22's SPIR-V back-end needs an
/// extension.
void lower_reversals(llvm::Function &function);

/// An i128 as two i64.
struct Halves {
  llvm::Value *low = nullptr, *high = nullptr;
};
/// wide_arithmetic.cpp: operations on halves. Shift amounts are i64 below 128.
Halves add(llvm::IRBuilder<> &builder, Halves x, Halves y);
Halves subtract(llvm::IRBuilder<> &builder, Halves x, Halves y);
Halves multiply(llvm::IRBuilder<> &builder, Halves x, Halves y);
Halves shift(llvm::IRBuilder<> &builder, llvm::Instruction::BinaryOps opcode, Halves x, llvm::Value *amount);
Halves select(llvm::IRBuilder<> &builder, llvm::Value *condition, Halves x, Halves y);
Halves negate(llvm::IRBuilder<> &builder, Halves x);
llvm::Value *compare(llvm::IRBuilder<> &builder, llvm::CmpInst::Predicate predicate, Halves x, Halves y);
/// wide_arithmetic.cpp: ctpop, ctlz, cttz, bswap or bitreverse. Low is null for other intrinsics.
Halves count_or_reverse(llvm::IRBuilder<> &builder, llvm::Intrinsic::ID intrinsic, Halves x);

/// wide_floats.cpp: conversions between i128 and half, bfloat, float or double. To floats they round to
/// nearest, ties to even; to integers toward zero. Null or Halves without values: another type.
llvm::Value *to_float(llvm::IRBuilder<> &builder, bool is_signed, Halves x, llvm::Type *type);
Halves from_float(llvm::IRBuilder<> &builder, bool is_signed, llvm::Value *x);

} // namespace kiln::spirv
