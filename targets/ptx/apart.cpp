// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makes a second entry for kernels that are not coarsened. Launches use it if their written arrays overlap no
// other array (runtime/devices/coarse_plan.h checks this). Arrays that the kernel only reads are constant
// while it runs. Their loads become ld.global.nc, which need not wait for earlier stores. Only kernels that
// load after a store get this entry; others would gain nothing. No instruction moves, so the same products
// and sums fuse and all results keep their bits.
#include "coarsen.h"

#include <kiln/extension/llvm/ir.h>

#include <llvm/Analysis/CFG.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/GlobalVariable.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <algorithm>

namespace kiln::ptx {
namespace {

/// Limits the time for a compile that the user did not ask for. The largest example has 900 instructions.
constexpr size_t max_instructions = 2000;
constexpr unsigned shared_memory = 3, local_memory = 5;

/// Returns true if the call neither accesses an array nor waits for other blocks. Such calls are
/// computations, barriers, exchanges within a warp and ends of the thread.
bool leaves_arrays(const llvm::CallBase &call) {
  if (call.doesNotAccessMemory() || call.onlyAccessesInaccessibleMemory() || call.doesNotReturn())
    return true;
  const llvm::Function *callee = call.getCalledFunction();
  if (!callee || !callee->isIntrinsic()) return false;
  if (llvm::isa<llvm::AssumeInst>(call) || call.isLifetimeStartOrEnd()) return true;
  const llvm::StringRef name = callee->getName();
  for (const char *family : {"barrier", "bar.", "shfl.", "vote.", "match."})
    if (name.starts_with(("llvm.nvvm." + llvm::Twine(family)).str())) return true;
  return false;
}

/// Returns true if the access cannot refer to an argument's array.
bool is_own(const llvm::Value &base, const llvm::Value &pointer) {
  const unsigned space = pointer.getType()->getPointerAddressSpace();
  if (space == shared_memory || space == local_memory || llvm::isa<llvm::AllocaInst>(base)) return true;
  auto *variable = llvm::dyn_cast<llvm::GlobalVariable>(&base);
  return variable && (variable->isConstant() || variable->getAddressSpace() == shared_memory);
}

bool is_simple(const llvm::Instruction &access) {
  if (auto *load = llvm::dyn_cast<llvm::LoadInst>(&access)) return load->isSimple();
  auto *store = llvm::dyn_cast<llvm::StoreInst>(&access);
  return store && store->isSimple();
}

struct Touch {
  llvm::Instruction *at;
  uint32_t array;
  bool is_load;
};

/// Collects all accesses to arrays. No value: an access may go to memory other than an argument's array.
std::optional<std::vector<Touch>> touches_of(CoarseKernel &kernel) {
  const bool has_state = kernel.entry->hasFnAttribute(StateAttribute);
  std::vector<Touch> found;
  for (llvm::Instruction &instruction : llvm::instructions(*kernel.entry)) {
    if (!instruction.mayReadOrWriteMemory()) continue;
    if (auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction)) {
      if (!leaves_arrays(*call)) return std::nullopt;
      continue;
    }
    // Reject fences, atomic operations whose result is used, and volatile accesses: they synchronise with
    // other threads. A later load may then read what those threads wrote.
    const llvm::Value *pointer = nullptr;
    if (auto *atomic = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction)) {
      if (atomic->use_empty()) pointer = atomic->getPointerOperand();
    } else if (is_simple(instruction)) {
      pointer = llvm::getLoadStorePointerOperand(&instruction);
    }
    if (!pointer) return std::nullopt;
    const llvm::Value *base = llvm::getUnderlyingObject(pointer, 0);
    if (is_own(*base, *pointer)) continue;
    std::optional<CoarseKernel::Array> array = array_at(*base);
    if (!array || (has_state && array->argument->getArgNo() == 0)) return std::nullopt;
    const bool is_load = llvm::isa<llvm::LoadInst>(instruction);
    const uint32_t number = number_of(kernel, *array);
    kernel.facts.arrays[number].is_written |= !is_load;
    found.push_back({&instruction, number, is_load});
  }
  return found;
}

/// Returns true if `load` would wait for `store`. Either the load follows the store within one iteration of
/// their common loops, or the load's address is invariant in such a loop. A load after a store of the
/// previous iteration gains nothing, because ptxas does not move loads into an earlier iteration.
bool waits_for(const llvm::LoadInst &load, const llvm::Instruction &store, const llvm::DominatorTree &tree,
               const llvm::LoopInfo &loops) {
  const llvm::Loop *shared = loops.getLoopFor(load.getParent());
  while (shared && !shared->contains(store.getParent())) shared = shared->getParentLoop();
  if (!shared) return llvm::isPotentiallyReachable(&store, &load, nullptr, &tree, &loops);
  if (shared->isLoopInvariant(load.getPointerOperand())) return true;
  if (load.getParent() == store.getParent() && store.comesBefore(&load)) return true;
  if (load.getParent() == shared->getHeader()) return false;
  const llvm::SmallPtrSet<llvm::BasicBlock *, 1> next_turn{shared->getHeader()};
  llvm::SmallVector<llvm::BasicBlock *, 8> from;
  for (const llvm::BasicBlock *next : llvm::successors(store.getParent()))
    if (next != shared->getHeader()) from.push_back(const_cast<llvm::BasicBlock *>(next));
  if (from.empty()) return false; // the store ends its iteration; LLVM's search rejects an empty list
  return llvm::isPotentiallyReachableFromMany(from, load.getParent(), &next_turn, &tree, nullptr);
}

/// Collects the loads of read-only arrays that are to be marked. Empty if none would gain. In each block only
/// the first load of an address is marked. Otherwise LLVM would merge equal loads, which changes how often a
/// product is used.
std::vector<llvm::LoadInst *> gaining(const CoarseKernel &kernel, const std::vector<Touch> &touches) {
  const llvm::DominatorTree tree(*kernel.entry);
  const llvm::LoopInfo loops(tree);
  std::vector<llvm::LoadInst *> loads;
  bool gains = false;
  llvm::DenseSet<std::pair<const llvm::Value *, const llvm::BasicBlock *>> seen;
  // Keep only the first store of each block: a load after a later store also comes after the first.
  std::vector<const llvm::Instruction *> stores;
  for (const Touch &touch : touches)
    if (!touch.is_load && (stores.empty() || stores.back()->getParent() != touch.at->getParent()))
      stores.push_back(touch.at);
  for (const Touch &touch : touches) {
    if (kernel.facts.arrays[touch.array].is_written ||
        touch.at->hasMetadata(llvm::LLVMContext::MD_invariant_load))
      continue;
    auto *load = llvm::cast<llvm::LoadInst>(touch.at);
    if (!seen.insert({load->getPointerOperand(), load->getParent()}).second) continue;
    loads.push_back(load);
    gains = gains || std::ranges::any_of(stores, [&](const llvm::Instruction *store) {
              return waits_for(*load, *store, tree, loops);
            });
  }
  if (!gains) loads.clear();
  return loads;
}

llvm::Function &build(CoarseKernel &kernel, const std::vector<llvm::LoadInst *> &loads,
                      const std::string &name) {
  llvm::Function &entry = *kernel.entry;
  std::vector<llvm::Type *> types;
  for (const llvm::Argument &argument : entry.args()) types.push_back(argument.getType());
  types.push_back(
      llvm::Type::getInt32Ty(entry.getContext())); // unused: second entries have the same signature
  auto *made = llvm::Function::Create(llvm::FunctionType::get(entry.getReturnType(), types, false),
                                      entry.getLinkage(), entry.getAddressSpace(), name, entry.getParent());
  llvm::ValueToValueMapTy map;
  auto argument = made->arg_begin();
  for (llvm::Argument &of_kernel : entry.args()) {
    argument->setName(of_kernel.getName());
    map[&of_kernel] = &*argument++;
  }
  argument->setName("threads");
  llvm::SmallVector<llvm::ReturnInst *, 4> returns;
  llvm::CloneFunctionInto(made, &entry, map, llvm::CloneFunctionChangeType::GlobalChanges, returns);
  made->removeFnAttr("kiln.entry");
  made->setCallingConv(entry.getCallingConv());
  for (llvm::LoadInst *load : loads)
    llvm::cast<llvm::LoadInst>(map.lookup(load))
        ->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(entry.getContext(), {}));
  return *made;
}

} // namespace

Coarsening read_apart(llvm::Function &entry, bool with_entry) {
  CoarseKernel kernel;
  kernel.entry = &entry;
  const bool has_state = entry.hasFnAttribute(StateAttribute);
  if (entry.getInstructionCount() > max_instructions || entry.arg_size() > max_parameters + has_state)
    return {};
  const std::optional<std::vector<Touch>> touches = touches_of(kernel);
  if (!touches) return {};
  const std::vector<llvm::LoadInst *> loads = gaining(kernel, *touches);
  if (loads.empty() || !rounds_within_blocks(entry)) return {};
  kernel.facts.factor = 1;
  if (with_entry) {
    const std::string name = entry.getName().str() + "_apart";
    if (entry.getParent()->getNamedValue(name)) return {};
    kernel.facts.entry = build(kernel, loads, name).getName().str();
  }
  return std::move(kernel.facts);
}

} // namespace kiln::ptx
