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

/// Values of a kernel that equal its thread's linear index plus a constant. The index is blockIdx * blockDim
/// + threadIdx, counted from 0. The values are integers of 32 bits and more, exact for launches of at most
/// `max_threads`.
using Places = llvm::MapVector<const llvm::Value *, int64_t>;
inline constexpr uint64_t max_threads = (uint64_t(1) << 31) - (uint64_t(1) << 16);
/// Number of arguments that runtime/devices/coarse_plan.h has space for.
inline constexpr size_t max_parameters = 31;

/// coarsen_index.cpp: finds the places of a kernel that uses its thread's index through them alone. Empty:
/// `why_not` names the obstacle.
std::optional<Places> find_places(llvm::Function &entry, std::string &why_not);

/// A load or store of an argument's array. Each thread accesses another element.
struct Access {
  llvm::Instruction *at = nullptr;
  uint32_t array = 0;   ///< index in CoarseKernel::facts
  int32_t shift = 0;    ///< bytes from the thread's own element
  uint32_t size = 0;    ///< bytes; the neighbour thread's element follows directly
  bool is_wide = false; ///< one access for all elements of a thread
  llvm::Type *type() const { return llvm::getLoadStoreType(at); }
};

/// A branch before the kernel's work, by which threads without an element leave.
struct Guard {
  llvm::BranchInst *branch = nullptr;
  unsigned go_on = 0;        ///< the successor with the rest of the kernel
  bool last_decides = false; ///< if true for a thread's last element, it is true for all
};

/// A kernel that may be coarsened.
struct CoarseKernel {
  llvm::Function *entry = nullptr;
  bool is_asked_for = false;  ///< by the config: coarsen even without a known gain
  uint32_t access_bytes = 16; ///< of the widest access
  Places places;
  std::vector<Guard> guards;        ///< in order; the code before each accesses no memory
  llvm::BasicBlock *body = nullptr; ///< the block after the guards
  std::vector<Access> accesses;     ///< adjacent ones, in program order
  /// An array among the arguments: the argument, and the fields that lead to its pointer.
  struct Array {
    llvm::Argument *argument;
    std::vector<unsigned> path;
  };
  std::vector<Array> arrays; ///< in the order of `facts`
  Coarsening facts;          ///< without an entry
};

/// coarsen_recognise.cpp: recognises a kernel that may be coarsened. Empty: `why_not` has the reason.
std::optional<CoarseKernel> recognise_coarse(llvm::Function &entry, bool is_asked_for, uint32_t access_bytes,
                                             std::string &why_not);
/// coarsen_memory.cpp: finds the kernel's memory accesses, and from them the number of elements per thread.
/// False: `why_not` has the reason.
bool find_accesses(CoarseKernel &kernel, std::string &why_not);
/// array_at finds the argument's array whose pointer is `base`. number_of returns its index in the kernel's
/// list, and adds it if it is new.
std::optional<CoarseKernel::Array> array_at(const llvm::Value &base);
uint32_t number_of(CoarseKernel &kernel, const CoarseKernel::Array &array);
/// coarsen_contract.cpp: returns true if code generation fuses the same products and sums for a thread with
/// several elements as for a thread with one. False: `why_not` has the reason.
bool contracts_alike(const CoarseKernel &kernel, std::string &why_not);

/// coarsen_contract.cpp: returns true if moving loads out of a block does not change the fused operations.
bool rounds_within_blocks(const llvm::Function &entry);

/// apart.cpp: the second entry of a kernel that is not coarsened. It has the threads of the launch (`factor`
/// 1), and reads its read-only arrays by ld.global.nc. `factor` is 0 if nothing would be gained, or if an
/// access is not known.
Coarsening read_apart(llvm::Function &entry, bool with_entry);

/// coarsen_build.cpp: builds the second entry.
llvm::Function &build_coarse(const CoarseKernel &kernel, const std::string &name);

} // namespace kiln::ptx
