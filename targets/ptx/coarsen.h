// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of coarsening (docs/design/coarsening.md), for its own files. A kernel whose threads do one
// element each is recognised, and gets a second entry whose threads do `factor` neighbouring elements.
#pragma once

#include <kiln/job.h>

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

#include <optional>
#include <string>
#include <vector>

namespace kiln::ptx {

/// Values of a kernel that are its thread's linear index, blockIdx * blockDim + threadIdx from 0 on, plus a
/// constant. Integers of 32 bits and more, exact for launches of at most `most_threads`.
using Places = llvm::MapVector<const llvm::Value *, int64_t>;
inline constexpr uint64_t most_threads = (uint64_t(1) << 31) - (uint64_t(1) << 16);
/// runtime/devices/coarse_plan.h has space for so many arguments.
inline constexpr size_t most_parameters = 31;

/// coarsen_index.cpp: those of the kernel, if its thread's index enters by them alone. Empty: `why_not` says
/// what stands in the way.
std::optional<Places> find_places(llvm::Function &entry, std::string &why_not);

/// A load or store of an array among the arguments, at another element in each thread.
struct Access {
  llvm::Instruction *at = nullptr;
  uint32_t array = 0;   ///< in CoarseKernel::facts
  int32_t shift = 0;    ///< bytes from the thread's own element
  uint32_t size = 0;    ///< bytes; the neighbour thread's lies right behind
  bool is_wide = false; ///< one access for all elements of a thread
  llvm::Type *type() const { return llvm::getLoadStoreType(at); }
};

/// A branch in front of all that the kernel does, which leaves it for threads without an element.
struct Guard {
  llvm::BranchInst *branch = nullptr;
  unsigned go_on = 0;        ///< the successor with the rest of the kernel
  bool last_decides = false; ///< true for a thread's last element, it is true for all
};

/// What was recognised.
struct CoarseKernel {
  llvm::Function *entry = nullptr;
  bool is_asked_for = false;  ///< by the config: also where it is not known to gain
  uint32_t access_bytes = 16; ///< of the widest access
  Places places;
  std::vector<Guard> guards;        ///< in order; what is in front of each accesses no memory
  llvm::BasicBlock *body = nullptr; ///< behind them
  std::vector<Access> accesses;     ///< side by side, in the order of the program
  /// The arguments' arrays, and how each is reached: the argument and the fields to its pointer.
  struct Array {
    llvm::Argument *argument;
    std::vector<unsigned> path;
  };
  std::vector<Array> arrays; ///< those of `facts`
  Coarsening facts;          ///< without an entry
};

/// coarsen_recognise.cpp. Empty: `why_not` says why.
std::optional<CoarseKernel> recognise_coarse(llvm::Function &entry, bool is_asked_for, uint32_t access_bytes,
                                             std::string &why_not);
/// coarsen_memory.cpp: what the kernel does to memory, and so how many elements a thread takes. False:
/// `why_not`.
bool find_accesses(CoarseKernel &kernel, std::string &why_not);
/// The array among the arguments whose pointer `base` is; and its number among the kernel's, which knows it
/// from then on.
std::optional<CoarseKernel::Array> array_at(const llvm::Value &base);
uint32_t number_of(CoarseKernel &kernel, const CoarseKernel::Array &array);
/// coarsen_contract.cpp: whether code generation fuses the products and sums of a thread with several
/// elements as it does those of a thread with one. False: `why_not`.
bool contracts_alike(const CoarseKernel &kernel, std::string &why_not);

/// The same: whether it fuses them alike when loads move out of a block.
bool rounds_within_blocks(const llvm::Function &entry);

/// apart.cpp: of a kernel that is not coarsened. `factor` is 1: as many threads as were launched, which read
/// what they only read by ld.global.nc. 0: it would gain nothing, or not all of its accesses are known.
Coarsening read_apart(llvm::Function &entry, bool with_entry);

/// coarsen_build.cpp: the second entry.
llvm::Function &build_coarse(const CoarseKernel &kernel, const std::string &name);

} // namespace kiln::ptx
