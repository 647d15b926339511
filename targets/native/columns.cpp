// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "columns.h"

#include "uniformity.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>

namespace kiln::native {
namespace {

using llvm::Instruction;
using llvm::Value;

using Step = std::optional<int64_t>;

/// Finds by how much a value grows from one thread to the next along an axis. No value: unknown.
class Steps {
public:
  Steps(const llvm::DataLayout &layout, unsigned parameter) : layout_(layout), parameter_(parameter) {}

  Step find_step(const Value *value, unsigned depth = 0) {
    if (auto *argument = llvm::dyn_cast<llvm::Argument>(value)) return argument->getArgNo() == parameter_;
    auto *instruction = llvm::dyn_cast<Instruction>(value);
    if (!instruction) return 0;
    if (auto found = known_.find(value); found != known_.end()) return found->second;
    if (depth > 40) return std::nullopt;
    known_[value] = std::nullopt; // breaks cycles through phis
    const Step step = of_instruction(*instruction, depth + 1);
    return known_[value] = step;
  }

private:
  Step of_instruction(const Instruction &instruction, unsigned depth) {
    if (llvm::isa<llvm::PHINode>(instruction)) { // value in the first iteration
      for (const Value *value : instruction.operand_values())
        if (Step step = find_step(value, depth)) return step;
      return std::nullopt;
    }
    if (auto *address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction)) {
      Step total = find_step(address->getPointerOperand(), depth);
      for (auto at = llvm::gep_type_begin(address); total && at != llvm::gep_type_end(address); ++at) {
        const Step index = find_step(at.getOperand(), depth);
        if (!index) return std::nullopt;
        if (*index) *total += *index * int64_t(at.getSequentialElementStride(layout_).getFixedValue());
      }
      return total;
    }
    Step first, second;
    switch (instruction.getOpcode()) {
    case Instruction::ZExt:
    case Instruction::SExt:
    case Instruction::Trunc:
    case Instruction::Freeze:
    case Instruction::PtrToInt:
    case Instruction::IntToPtr: return find_step(instruction.getOperand(0), depth);
    case Instruction::Select: // such as an index that wraps around: both operands must grow equally
      first = find_step(instruction.getOperand(1), depth),
      second = find_step(instruction.getOperand(2), depth);
      return first == second ? first : std::nullopt;
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::Mul:
    case Instruction::Shl: break;
    default: return of_operands(instruction, depth);
    }
    first = find_step(instruction.getOperand(0), depth), second = find_step(instruction.getOperand(1), depth);
    if (!first || !second) return std::nullopt;
    if (instruction.getOpcode() == Instruction::Add) return *first + *second;
    if (instruction.getOpcode() == Instruction::Sub) return *first - *second;
    if (*first == 0 && *second == 0) return 0;
    auto *factor = llvm::dyn_cast<llvm::ConstantInt>(instruction.getOperand(1));
    if (!factor || factor->getValue().getActiveBits() > 16) return std::nullopt;
    const auto by = int64_t(factor->getZExtValue());
    return instruction.getOpcode() == Instruction::Mul ? *first * by : by < 16 ? *first << by : Step();
  }
  /// Result of any other instruction: 0 if all its operands are uniform, else unknown.
  Step of_operands(const Instruction &instruction, unsigned depth) {
    if (llvm::isa<llvm::AllocaInst>(instruction)) return 0;
    for (const Value *value : instruction.operand_values())
      if (!llvm::isa<llvm::Function, llvm::BasicBlock>(value) && find_step(value, depth) != Step(0))
        return std::nullopt;
    return 0;
  }

  const llvm::DataLayout &layout_;
  unsigned parameter_;
  llvm::DenseMap<const Value *, Step> known_;
};

} // namespace

bool prefers_columns(llvm::Function &kernel) {
  if (kernel.getArg(ThreadParameter + 1)->use_empty()) return false;
  const llvm::DataLayout &layout = kernel.getDataLayout();
  Steps along_x(layout, ThreadParameter), along_y(layout, ThreadParameter + 1);
  unsigned bad_x = 0, bad_y = 0, beside = 0;
  for (Instruction &instruction : llvm::instructions(kernel)) {
    const Value *pointer = llvm::getLoadStorePointerOperand(&instruction);
    if (!pointer) continue;
    const auto size = int64_t(layout.getTypeAllocSize(llvm::getLoadStoreType(&instruction)).getFixedValue());
    const Step x = along_x.find_step(pointer), y = along_y.find_step(pointer);
    bad_x += x != Step(0) && x != Step(size);
    bad_y += y != Step(0) && y != Step(size);
    beside += y == Step(size);
  }
  return beside > 0 && bad_y < bad_x;
}

void swap_axes(llvm::Function &kernel) {
  llvm::Argument *x = kernel.getArg(ThreadParameter), *y = kernel.getArg(ThreadParameter + 1);
  llvm::SmallVector<llvm::Use *, 8> uses;
  for (llvm::Use &use : x->uses()) uses.push_back(&use);
  y->replaceAllUsesWith(x);
  for (llvm::Use *use : uses) use->set(y);
  if (kernel.hasFnAttribute(ColumnsAttribute))
    kernel.removeFnAttr(ColumnsAttribute);
  else
    kernel.addFnAttr(ColumnsAttribute);
}

} // namespace kiln::native
