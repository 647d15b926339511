// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "integers.h"

#include "integer_stages.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/DebugProgramInstruction.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Local.h>

#include <fmt/format.h>

namespace kiln::spirv {

bool has_other(const llvm::Type *type) {
  if (is_other(type)) return true;
  if (type->isAggregateType() || type->isVectorTy() || type->isFunctionTy())
    return llvm::any_of(type->subtypes(), has_other);
  return false;
}

bool has_other_in_memory(const llvm::Type *type) {
  if (type->isIntegerTy(1)) return true;
  if (type->isAggregateType() || type->isVectorTy())
    return llvm::any_of(type->subtypes(), has_other_in_memory);
  return is_other(type);
}

unsigned promoted_width(unsigned width) { return std::max(8u, llvm::bit_ceil(width)); }

Error unsupported(const llvm::Instruction &instruction, std::string_view reason) {
  std::string operation = instruction.getOpcodeName();
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction))
    if (const llvm::Function *callee = call->getCalledFunction())
      operation = fmt::format("call of {}", callee->getName().str());
  Diagnostic diagnostic{.code = ErrorCode::KernelError};
  std::string place;
  for (const llvm::DILocation *at = instruction.getDebugLoc().get(); at; at = at->getInlinedAt()) {
    if (place.empty()) place = fmt::format(", {}:{}", at->getFilename().str(), at->getLine());
    const llvm::DISubprogram *function = at->getScope()->getSubprogram();
    diagnostic.stack.push_back({.function = function ? function->getName().str() : "",
                                .file = at->getFilename().str(),
                                .line = at->getLine()});
  }
  diagnostic.message = fmt::format("unsupported integer width on spirv: {} (`{}` in function {}{})", reason,
                                   operation, instruction.getFunction()->getName().str(), place);
  diagnostic.hint = "use integers of 8, 16, 32 or 64 bits here";
  return diagnostic;
}

Error unsupported(const llvm::GlobalValue &global, std::string_view reason) {
  return make_error(ErrorCode::KernelError,
                    fmt::format("unsupported integer width on spirv: {} ({} {})", reason,
                                llvm::isa<llvm::Function>(global) ? "function" : "variable",
                                global.getName().str()),
                    {}, "use integers of 8, 16, 32 or 64 bits here");
}

namespace {

/// Reason why no step can rewrite values of a type. Empty: the steps can.
std::string reason_against(const llvm::Type *type) {
  if (type->isIntegerTy() && type->getIntegerBitWidth() > max_width)
    return fmt::format("an integer of {} bits, the maximum is {}", type->getIntegerBitWidth(), max_width);
  if (type->isVectorTy() && is_other(type->getScalarType()))
    return fmt::format("a vector of integers of {} bits", type->getScalarSizeInBits());
  if (type->isAggregateType() || type->isFunctionTy())
    for (const llvm::Type *part : type->subtypes())
      if (std::string reason = reason_against(part); !reason.empty()) return reason;
  return {};
}

/// Calls `visit` with each type that the instruction names or uses, until it returns false.
template <class Visit> bool visit_types(const llvm::Instruction &instruction, Visit visit) {
  if (!visit(instruction.getType())) return false;
  for (const llvm::Value *operand : instruction.operands())
    if (!visit(operand->getType())) return false;
  if (const auto *variable = llvm::dyn_cast<llvm::AllocaInst>(&instruction))
    return visit(variable->getAllocatedType());
  if (const auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
    return visit(address->getSourceElementType());
  if (const auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) return visit(call->getFunctionType());
  return true;
}

Result<void> check_types(const llvm::Module &module) {
  for (const llvm::GlobalVariable &variable : module.globals())
    if (std::string reason = reason_against(variable.getValueType()); !reason.empty())
      return unsupported(variable, reason);
  for (const llvm::Function &function : module) {
    if (!function.isDeclaration())
      if (std::string reason = reason_against(function.getFunctionType()); !reason.empty())
        return unsupported(function, reason);
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      std::string reason;
      visit_types(instruction, [&](const llvm::Type *type) {
        reason = reason_against(type);
        return reason.empty();
      });
      if (!reason.empty()) return unsupported(instruction, reason);
    }
  }
  return {};
}

/// Returns true if a constant contains an other integer, also inside constant expressions.
bool has_other_constant(const llvm::Value *value, llvm::SmallPtrSetImpl<const llvm::Value *> &seen) {
  const auto *constant = llvm::dyn_cast<llvm::Constant>(value);
  if (!constant) return false;
  if (has_other(constant->getType())) return true;
  if (llvm::isa<llvm::GlobalValue>(constant) || constant->getNumOperands() == 0) return false;
  if (!seen.insert(constant).second) return false;
  if (const auto *address = llvm::dyn_cast<llvm::GEPOperator>(constant);
      address && has_other(address->getSourceElementType()))
    return true;
  return llvm::any_of(constant->operands(),
                      [&](const llvm::Value *operand) { return has_other_constant(operand, seen); });
}

/// The guarantee of legalize_integers: reports all code that no step has rewritten.
Result<void> check_result(const llvm::Module &module) {
  llvm::SmallPtrSet<const llvm::Value *, 16> seen;
  for (const llvm::GlobalVariable &variable : module.globals())
    if (has_other(variable.getValueType()) ||
        (variable.hasInitializer() && has_other_constant(variable.getInitializer(), seen)))
      return unsupported(variable, "its initial value");
  for (const llvm::Function &function : module) {
    if (has_other(function.getFunctionType()) && !function.use_empty())
      for (const llvm::User *user : function.users())
        if (const auto *call = llvm::dyn_cast<llvm::Instruction>(user))
          return unsupported(*call, "an operation without a rewrite");
    if (has_other(function.getFunctionType()) && !(function.isDeclaration() && function.use_empty()))
      return unsupported(function, "its parameters or its result");
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      const bool legal = visit_types(instruction, [](const llvm::Type *type) { return !has_other(type); });
      if (!legal) return unsupported(instruction, "an operation without a rewrite");
      for (const llvm::Value *operand : instruction.operands())
        if (has_other_constant(operand, seen))
          return unsupported(instruction, "a constant operand without a rewrite");
    }
  }
  return {};
}

/// Removes debug values of other widths, whose locations the rewrite would leave without values.
void drop_debug_values(llvm::Function &function) {
  for (llvm::Instruction &instruction : llvm::instructions(function))
    for (llvm::DbgRecord &record : llvm::make_early_inc_range(instruction.getDbgRecordRange())) {
      auto *variable = llvm::dyn_cast<llvm::DbgVariableRecord>(&record);
      if (variable && llvm::any_of(variable->location_ops(),
                                   [](const llvm::Value *value) { return has_other(value->getType()); }))
        variable->eraseFromParent();
    }
}

/// Removes declarations that no call uses: those of replaced intrinsics, and those with other integers.
void drop_declarations(llvm::Module &module) {
  for (llvm::Function &function : llvm::make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty() &&
        (function.isIntrinsic() || has_other(function.getFunctionType())))
      function.eraseFromParent();
}

} // namespace

Result<void> legalize_integers(llvm::Module &module) {
  if (module.getDataLayout().isBigEndian())
    return internal_error("legalize_integers needs a module whose data layout is little-endian");
  KILN_CHECK(check_types(module));
  KILN_CHECK(inline_signatures(module));
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    llvm::removeUnreachableBlocks(function); // the steps visit definitions before uses
    drop_debug_values(function);
    lower_overflow(function);
    KILN_CHECK(split_aggregates(function));
    expand_constants(function);
  }
  KILN_CHECK(rewrite_variables(module));
  for (llvm::Function &function : module) {
    if (function.isDeclaration()) continue;
    KILN_CHECK(lower_memory(function));
    KILN_CHECK(lower_casts(function));
    lower_intrinsics(function);
    lower_booleans(function);
    expand_constants(function); // the steps above may fold to new ones
    KILN_CHECK(promote_odd(function));
    KILN_CHECK(split_wide(function));
    lower_reversals(function);
  }
  drop_declarations(module);
  return check_result(module);
}

} // namespace kiln::spirv
