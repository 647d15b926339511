// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the memory accesses of a kernel to each array argument. Finds the accesses that are adjacent between
// neighbouring threads, and the facts that a launch must check (runtime/devices/coarse_plan.h).
#include "coarsen.h"

#include <kiln/extension/llvm/ir.h>

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/PostDominators.h>
#include <llvm/IR/DataLayout.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Operator.h>

#include <fmt/format.h>

#include <algorithm>

namespace kiln::ptx {
namespace {

constexpr uint32_t max_neighbour_bytes = 16; ///< of an element adjacent to another thread's
/// Maximum size of an element in bytes if a thread processes several.
constexpr uint32_t max_element_bytes = 8;
/// Maximum number of instructions of a thread with several elements.
constexpr size_t max_copied_instructions = 2048;
/// Maximum number of loads that are not combined for a thread's elements, if the config requests coarsening;
/// else 0. Such a load's addresses lie apart in a warp. They cost the cache one request for each quarter of
/// the warp.
constexpr size_t max_apart_loads = 2;

/// The memory of an access.
struct Address {
  enum { Array, Constant, Unknown } of = Unknown;
  CoarseKernel::Array array = {};
  bool at_element = false; ///< if at the thread's own element, `stride` and `shift` are its place
  int64_t stride = 0, shift = 0;
};

class Memory {
public:
  Memory(CoarseKernel &kernel, std::string &why_not)
      : kernel_(kernel), why_not_(why_not), layout_(kernel.entry->getParent()->getDataLayout()),
        post_dominators_(*kernel.entry) {
    for (const auto &[value, shift] : kernel.places) of_element_.insert(value);
    for (const llvm::Instruction &instruction : llvm::instructions(*kernel.entry))
      for (const llvm::Use &operand : instruction.operands())
        if (of_element_.contains(operand.get())) of_element_.insert(&instruction);
  }

  bool find() {
    llvm::ReversePostOrderTraversal<llvm::BasicBlock *> order(kernel_.body);
    for (llvm::BasicBlock *block : order)
      for (llvm::Instruction &instruction : *block)
        if (llvm::isa<llvm::LoadInst>(instruction) || llvm::isa<llvm::StoreInst>(instruction))
          if (!look_at(instruction)) return false;
    if (!has_store_) return refuse("it writes nothing");
    if (!choose_factor()) return false;
    return judge_arrays();
  }

private:
  bool refuse(std::string why) {
    why_not_ = std::move(why);
    return false;
  }

  Address address_of(const llvm::Value *pointer) const {
    Address address;
    bool regular = true;
    for (;;) {
      if (auto *gep = llvm::dyn_cast<llvm::GEPOperator>(pointer)) {
        const unsigned bits = layout_.getIndexTypeSizeInBits(gep->getType());
        llvm::SmallMapVector<llvm::Value *, llvm::APInt, 4> variable;
        llvm::APInt constant(bits, 0);
        if (!gep->collectOffset(layout_, bits, variable, constant)) return {};
        address.shift += constant.getSExtValue();
        for (const auto &[index, scale] : variable) {
          const auto place = kernel_.places.find(index);
          if (place == kernel_.places.end() || !index->getType()->isIntegerTy(bits)) {
            regular = false;
            continue;
          }
          address.stride += scale.getSExtValue();
          address.shift += scale.getSExtValue() * place->second;
        }
        pointer = gep->getPointerOperand();
      } else if (auto *cast = llvm::dyn_cast<llvm::AddrSpaceCastOperator>(pointer)) {
        pointer = cast->getPointerOperand();
      } else {
        break;
      }
    }
    address.at_element = regular && address.stride != 0;
    if (auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(pointer); variable && variable->isConstant()) {
      address.of = Address::Constant;
      return address;
    }
    if (auto array = array_at(*pointer)) {
      address.of = Address::Array;
      address.array = std::move(*array);
    }
    return address;
  }

  bool look_at(llvm::Instruction &instruction) {
    const bool is_store = llvm::isa<llvm::StoreInst>(instruction);
    has_store_ |= is_store;
    llvm::Type *type = llvm::getLoadStoreType(&instruction);
    const Address address = address_of(llvm::getLoadStorePointerOperand(&instruction));
    if (address.of == Address::Unknown)
      return refuse("it accesses memory of which the arguments do not tell the array");
    if (address.of == Address::Constant)
      return !is_store || refuse("it writes to a variable that is not an argument's array");
    const uint32_t array = number_of(kernel_, address.array);
    Coarsening::Array &facts = kernel_.facts.arrays[array];
    facts.is_written |= is_store;
    const uint64_t size = layout_.getTypeStoreSize(type);
    const bool side_by_side = address.at_element && uint64_t(address.stride) == size &&
                              size <= max_neighbour_bytes && std::abs(address.shift) < (1 << 20);
    if (!side_by_side) {
      if (is_store) return refuse("neighbouring threads do not write side by side");
      note_place(array, 0, 0);
    } else {
      note_place(array, uint32_t(size), int32_t(address.shift));
    }
    const bool always = post_dominators_.dominates(instruction.getParent(), kernel_.body);
    if (is_store && !always) return refuse("it writes only where a condition holds besides its bounds test");
    if (is_store) {
      written_so_far_.insert(array);
    } else if (!written_so_far_.empty()) {
      if (written_so_far_.contains(array)) return refuse("it reads what it has written");
      reads_late_ = true;
    }
    const bool can_be_wide = always && (size & (size - 1)) == 0 &&
                             (type->isFloatingPointTy() || type->isIntegerTy()) &&
                             layout_.getTypeSizeInBits(type) == 8 * size;
    if (side_by_side && can_be_wide)
      kernel_.accesses.push_back({&instruction, array, int32_t(address.shift), uint32_t(size), true});
    else if (is_store)
      return refuse("what it writes is no number of 1, 2, 4 or 8 bytes");
    else
      apart_ += of_element_.contains(llvm::getLoadStorePointerOperand(&instruction));
    return true;
  }

  void note_place(uint32_t array, uint32_t stride, int32_t shift) {
    Coarsening::Array &facts = kernel_.facts.arrays[array];
    if (seen_.insert(array).second) {
      facts.stride = stride;
      facts.shift = shift;
    } else if (facts.stride != stride || facts.shift != shift) {
      facts.stride = 0;
      facts.shift = 0;
    }
  }

  bool choose_factor() {
    uint32_t widest = 0;
    for (const Access &access : kernel_.accesses) widest = std::max(widest, access.size);
    uint32_t factor =
        widest <= max_element_bytes ? kernel_.access_bytes / widest : 1; // a store is among them
    const size_t instructions = kernel_.entry->getInstructionCount();
    while (factor > 1 && factor * instructions > max_copied_instructions) factor /= 2;
    if (factor < 2)
      return refuse(fmt::format("its threads access {} bytes at once as they are written", widest));
    kernel_.facts.factor = factor;
    for (Access &access : kernel_.accesses) {
      access.is_wide = access.shift % int64_t(factor * access.size) == 0;
      if (!access.is_wide && llvm::isa<llvm::StoreInst>(access.at))
        return refuse(fmt::format("its writes do not begin where {} bytes do", kernel_.access_bytes));
      kernel_.facts.arrays[access.array].is_wide |= access.is_wide;
      apart_ += !access.is_wide;
    }
    if (apart_ > (kernel_.is_asked_for ? max_apart_loads : 0))
      return refuse(fmt::format("{} of its loads do not lie side by side, or do not begin where {} bytes do; "
                                "up to {} are taken one by one",
                                apart_, kernel_.access_bytes, max_apart_loads));
    return true;
  }

  bool judge_arrays() {
    for (const Coarsening::Array &array : kernel_.facts.arrays)
      if (array.is_written && array.stride == 0)
        return refuse("it accesses other elements of an array that it writes to");
    kernel_.facts.in_step = !reads_late_;
    return true;
  }

  CoarseKernel &kernel_;
  std::string &why_not_;
  const llvm::DataLayout &layout_;
  const llvm::PostDominatorTree post_dominators_;
  bool has_store_ = false, reads_late_ = false;
  size_t apart_ = 0;                               ///< loads at a thread's element that are not wide
  llvm::DenseSet<const llvm::Value *> of_element_; ///< depends on the thread's place
  llvm::DenseSet<uint32_t> seen_, written_so_far_;
};

} // namespace

std::optional<CoarseKernel::Array> array_at(const llvm::Value &base) {
  std::vector<unsigned> path;
  const llvm::Value *at = &base;
  while (auto *field = llvm::dyn_cast<llvm::ExtractValueInst>(at)) {
    path.insert(path.begin(), field->idx_begin(), field->idx_end());
    at = field->getAggregateOperand();
  }
  auto *argument = llvm::dyn_cast<llvm::Argument>(at);
  if (!argument || path.empty()) return std::nullopt;
  return CoarseKernel::Array{const_cast<llvm::Argument *>(argument), std::move(path)};
}

uint32_t number_of(CoarseKernel &kernel, const CoarseKernel::Array &array) {
  auto same = [&](const CoarseKernel::Array &known) {
    return known.argument == array.argument && known.path == array.path;
  };
  const auto found = std::ranges::find_if(kernel.arrays, same);
  if (found != kernel.arrays.end()) return uint32_t(found - kernel.arrays.begin());
  const llvm::DataLayout &layout = kernel.entry->getParent()->getDataLayout();
  uint64_t offset = 0;
  llvm::Type *type = array.argument->getType();
  for (const unsigned field : array.path) {
    if (auto *structure = llvm::dyn_cast<llvm::StructType>(type)) {
      offset += layout.getStructLayout(structure)->getElementOffset(field);
      type = structure->getElementType(field);
    } else {
      type = llvm::cast<llvm::ArrayType>(type)->getElementType();
      offset += field * layout.getTypeAllocSize(type);
    }
  }
  const bool has_state = kernel.entry->hasFnAttribute(StateAttribute);
  kernel.arrays.push_back(array);
  kernel.facts.arrays.push_back(
      {.parameter = array.argument->getArgNo() - has_state, .offset = uint32_t(offset)});
  return uint32_t(kernel.arrays.size() - 1);
}

bool find_accesses(CoarseKernel &kernel, std::string &why_not) { return Memory(kernel, why_not).find(); }

} // namespace kiln::ptx
