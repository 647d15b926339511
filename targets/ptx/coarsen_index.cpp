// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds values that are the linear index of a kernel's thread. They are sums of threadIdx, blockIdx, blockDim
// and blockIdx * blockDim, in any association and with any widening.
#include "coarsen.h"

#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/Operator.h>

#include <fmt/format.h>

namespace kiln::ptx {
namespace {

/// A linear form: the factors of each register (counted from 0), and a constant. Exact modulo 2 to the
/// value's width.
struct Form {
  /// `thread`: threadIdx; `before`: blockIdx * blockDim, the number of threads in earlier blocks.
  int64_t thread = 0, before = 0;
  int64_t block = 0, dim = 0; ///< blockIdx, blockDim
  int64_t constant = 0;

  bool is_constant() const { return !thread && !before && !block && !dim; }
  bool is_place() const { return thread == 1 && before == 1 && !block && !dim; }
  /// Returns true if the value fits a signed 32-bit integer in every launch.
  bool is_small() const {
    auto once = [](int64_t count) { return count == 0 || count == 1; };
    return once(thread) && once(before) && once(block) && once(dim) && is_near(constant) &&
           thread + before + block + dim <= 2;
  }
  bool may_be_negative() const { return constant < 0; }
  static bool is_near(int64_t constant) { return constant > -(1 << 14) && constant < (1 << 14); }
};

Form sum(const Form &a, const Form &b, int64_t sign) {
  return {a.thread + sign * b.thread, a.before + sign * b.before, a.block + sign * b.block,
          a.dim + sign * b.dim, a.constant + sign * b.constant};
}

class IndexForms {
public:
  std::optional<Form> of(const llvm::Value *value) const {
    if (auto *number = llvm::dyn_cast<llvm::ConstantInt>(value)) {
      if (number->getBitWidth() > 64) return std::nullopt;
      Form form;
      form.constant = number->getSExtValue();
      if (!Form::is_near(form.constant)) return std::nullopt;
      return form;
    }
    const auto found = forms_.find(value);
    return found == forms_.end() ? std::nullopt : std::optional(found->second);
  }
  void look_at(const llvm::Instruction &instruction) {
    if (auto form = form_of(instruction)) forms_.insert({&instruction, *form});
  }
  const llvm::MapVector<const llvm::Value *, Form> &all() const { return forms_; }

private:
  static std::optional<Form> product(const Form &a, const Form &b) {
    auto scaled = [](const Form &f, int64_t by) {
      return Form{f.thread * by, f.before * by, f.block * by, f.dim * by, f.constant * by};
    };
    if (a.is_constant()) return scaled(b, a.constant);
    if (b.is_constant()) return scaled(a, b.constant);
    if (a.thread || a.before || b.thread || b.before) return std::nullopt;
    const bool a_is_block = !a.dim && !b.block, b_is_block = !b.dim && !a.block;
    if (!a_is_block && !b_is_block) return std::nullopt;
    const Form &block = a_is_block ? a : b, &dim = a_is_block ? b : a;
    return Form{0, block.block * dim.dim, block.block * dim.constant, dim.dim * block.constant,
                block.constant * dim.constant};
  }

  std::optional<Form> form_of(const llvm::Instruction &instruction) const {
    if (auto *call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction)) {
      switch (call->getIntrinsicID()) {
      case llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x: return Form{.thread = 1};
      case llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x: return Form{.block = 1};
      case llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x: return Form{.dim = 1};
      default: return std::nullopt;
      }
    }
    if (!instruction.getType()->isIntegerTy() || instruction.getType()->getIntegerBitWidth() < 32 ||
        instruction.getType()->getIntegerBitWidth() > 64)
      return std::nullopt;
    auto operand = [&](unsigned i) { return of(instruction.getOperand(i)); };
    switch (instruction.getOpcode()) {
    case llvm::Instruction::Add:
    case llvm::Instruction::Sub:
    case llvm::Instruction::Mul: {
      const auto a = operand(0), b = operand(1);
      if (!a || !b) return std::nullopt;
      if (instruction.getOpcode() == llvm::Instruction::Mul) return product(*a, *b);
      return sum(*a, *b, instruction.getOpcode() == llvm::Instruction::Add ? 1 : -1);
    }
    case llvm::Instruction::Freeze: return operand(0);
    case llvm::Instruction::SExt:
    case llvm::Instruction::ZExt: {
      const auto narrow = operand(0);
      if (!narrow || !narrow->is_small()) return std::nullopt;
      if (instruction.getOpcode() == llvm::Instruction::ZExt && narrow->may_be_negative())
        return std::nullopt;
      return narrow;
    }
    case llvm::Instruction::Trunc: return operand(0);
    default: return std::nullopt;
    }
  }

  llvm::MapVector<const llvm::Value *, Form> forms_;
};

} // namespace

std::optional<Places> find_places(llvm::Function &entry, std::string &why_not) {
  IndexForms forms;
  // The kernel has no loops. Operands are therefore visited first, unless blocks are out of order. Such
  // values get no form, and the kernel is rejected below.
  for (const llvm::Instruction &instruction : llvm::instructions(entry)) forms.look_at(instruction);
  Places places;
  for (const auto &[value, form] : forms.all()) {
    const bool is_place = form.is_place() && Form::is_near(form.constant);
    if (is_place) places.insert({value, form.constant});
    if (is_place || form.is_constant()) continue;
    for (const llvm::User *user : value->users())
      if (!forms.all().contains(user)) {
        why_not = "it takes threadIdx(), blockIdx() or blockDim() in another way than for the linear index "
                  "(blockIdx().x - 1) * blockDim().x + threadIdx().x";
        return std::nullopt;
      }
  }
  if (places.empty()) {
    why_not = "its threads do not take elements by the linear index "
              "(blockIdx().x - 1) * blockDim().x + threadIdx().x";
    return std::nullopt;
  }
  return places;
}

} // namespace kiln::ptx
