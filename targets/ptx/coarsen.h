// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Coarsening (docs/design/coarsening.md). Private to component ptx. The compiler recognises kernels whose
// threads each process one element. It adds a second entry whose threads process `factor` neighbouring
// elements.
#pragma once

#include <kiln/job.h>

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <string>
#include <vector>

namespace kiln::ptx {

/// Places: values of a kernel that equal its thread's linear index plus a constant. The index is blockIdx *
/// blockDim + threadIdx, counted from 0. The values are integers of 32 bits and more. They are exact for
/// launches of at most `max_threads` threads.
using Places = llvm::MapVector<const llvm::Value *, int64_t>;
inline constexpr uint64_t max_threads = (uint64_t(1) << 31) - (uint64_t(1) << 16);
/// Maximum number of arguments, as in runtime/devices/coarse_plan.h.
inline constexpr size_t max_parameters = 31;

/// coarsen_index.cpp: finds a kernel's Places (values that equal the thread's index plus a constant). No
/// value if the kernel uses the index in any other way: `why_not` names the obstacle.
std::optional<Places> find_places(llvm::Function &entry, std::string &why_not);

/// A load or store of an argument's array, in which each thread accesses another element.
struct Access {
  llvm::Instruction *at = nullptr;
  uint32_t array = 0;   ///< index in CoarseKernel::facts
  int32_t shift = 0;    ///< bytes from the thread's own element
  uint32_t size = 0;    ///< bytes; the neighbour thread's element follows directly
  bool is_wide = false; ///< a thread with several elements accesses all of them by one instruction
  llvm::Type *type() const { return llvm::getLoadStoreType(at); }
};

/// A branch before the kernel's work, at which threads without an element leave the kernel.
struct Guard {
  llvm::BranchInst *branch = nullptr;
  unsigned go_on = 0;        ///< index of the successor that continues with the kernel
  bool last_decides = false; ///< if true for a thread's last element, it is true for all
};

/// A kernel that may be coarsened, and what is known about it.
struct CoarseKernel {
  llvm::Function *entry = nullptr;
  bool is_asked_for = false;  ///< the config requests coarsening, even without a known gain
  uint32_t access_bytes = 16; ///< of the widest access
  Places places;
  std::vector<Guard> guards;        ///< in program order; the code before each guard accesses no memory
  llvm::BasicBlock *body = nullptr; ///< the block after the guards
  std::vector<Access> accesses;     ///< adjacent ones, in program order
  /// An array among the arguments: the argument, and the indices of the fields that lead to the array's
  /// pointer.
  struct Array {
    llvm::Argument *argument;
    std::vector<unsigned> path;
  };
  std::vector<Array> arrays; ///< in the order of `facts`
  Coarsening facts;          ///< without an entry
};

/// coarsen_recognise.cpp: recognises a kernel that may be coarsened. No value: `why_not` has the reason.
std::optional<CoarseKernel> recognise_coarse(llvm::Function &entry, bool is_asked_for, uint32_t access_bytes,
                                             std::string &why_not);
/// coarsen_memory.cpp: finds the kernel's memory accesses, and from them the number of elements per thread.
/// Returns false, with the reason in `why_not`, if coarsening is impossible.
bool find_accesses(CoarseKernel &kernel, std::string &why_not);
/// array_at finds the argument's array whose pointer is `base`. number_of returns its index in the kernel's
/// list, and adds it if it is new.
std::optional<CoarseKernel::Array> array_at(const llvm::Value &base);
uint32_t number_of(CoarseKernel &kernel, const CoarseKernel::Array &array);
/// coarsen_contract.cpp: returns true if code generation fuses the same products and sums for one and for
/// several elements per thread. If false, `why_not` has the reason.
bool contracts_alike(const CoarseKernel &kernel, std::string &why_not);

/// coarsen_contract.cpp: returns true if moving loads out of a basic block does not change which operations
/// are fused.
bool rounds_within_blocks(const llvm::Function &entry);

/// apart.cpp: makes the second entry of a kernel that is not coarsened. Its threads process one element each
/// (`factor` 1), and load from read-only arrays by ld.global.nc. Returns `factor` 0 if nothing would be
/// gained, or if an access is not understood.
Coarsening read_apart(llvm::Function &entry, bool with_entry);

/// coarsen_build.cpp: builds the second entry.
llvm::Function &build_coarse(const CoarseKernel &kernel, const std::string &name);

} // namespace kiln::ptx
