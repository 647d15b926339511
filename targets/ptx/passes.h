// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parts of the ptx target, for its own files.
#pragma once

#include <kiln/job.h>
#include <kiln/result.h>

#include <llvm/IR/Module.h>

#include <string>

namespace kiln {
class Worker;
class Target;
} // namespace kiln

namespace kiln::ptx {

/// kernel.cpp: calling convention and launch bounds of a kernel entry.
void mark_kernel(const PtxOptions &options, llvm::Function &entry);

/// kernel.cpp: does the module read where a cooperative launch keeps the barrier of its grid (%envreg1 and
/// 2)? Other launches leave nothing there.
bool reads_grid_barrier(const llvm::Module &module);

/// What __nvvm_reflect("...") answers.
struct ReflectValues {
  int cuda_arch;
  int specific; ///< cuda_arch, where the code is for this chip alone; else 0
  int family;   ///< cuda_arch, where the code is for this chip or its family alone; else 0
  int ptx_isa;  ///< 88 for PTX ISA 8.8
  bool flush_denormals, precise_sqrt, precise_div;
};
ReflectValues reflect_values(const TargetSpec &spec);
/// reflect.cpp: replaces the calls to __nvvm_reflect in one function by constants.
void resolve_reflect(llvm::Function &function, const ReflectValues &values);

/// remainder.cpp: whether the module has a frem that has to be exact, and calls of libdevice's fmod instead.
bool has_exact_remainders(const llvm::Module &module);
void call_library_for_remainders(llvm::Module &module);

/// libdevice.cpp: whether the module needs __nv_ functions.
bool calls_libdevice(const llvm::Module &module);
/// libdevice.cpp: bodies for the __nv_ functions that the module calls.
Result<void> link_libdevice(const Target &target, const CompilerConfig &config, llvm::Module &module,
                            Worker &worker);

/// fast_ops.cpp: approximate forms of single operations that carry fast-math flags.
void lower_fast_operations(const CompilerConfig &config, llvm::Module &module);

/// equal_throws.cpp: blocks that throw the same become one.
void join_equal_throws(llvm::Module &module);

/// wide_shifts.cpp: shifts by 64-bit amounts keep the selects that guard them.
void keep_guards_of_shifts(llvm::Module &module);

/// coarsen.cpp: Target::coarsen.
Result<Coarsening> coarsen_kernel(const CompilerConfig &config, llvm::Module &module, std::string &why_not);

/// device_launches.cpp: launches by a kernel as calls of CUDA's device runtime, by these names.
inline constexpr std::string_view GetParameterBuffer = "__cudaCDP2GetParameterBufferV2";
inline constexpr std::string_view LaunchDevice = "__cudaCDP2LaunchDeviceV2";
inline constexpr std::string_view GetLastError = "__cudaCDP2GetLastError";
Result<void> call_launches(const Target &target, const CompilerConfig &config, llvm::Module &module);
/// Whether PTX needs the device runtime.
bool launches_grids(std::string_view text);

/// hot_callees.cpp: gives functions with very many calls external linkage, which saves the back-end time.
void externalize_hot_callees(llvm::Module &module);

/// unsupported.cpp: operations that would need LLVM's run-time library become markers that validation
/// reports.
Result<void> mark_unsupported(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// register_ranges.cpp: what threadIdx and its kin may be.
Result<void> set_register_ranges(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// invariant.cpp: marks what is read of array arguments that the kernel does not write to.
Result<void> mark_invariant_arguments(const Target &target, const CompilerConfig &config,
                                      llvm::Module &module);

/// grid_constants.cpp: arguments whose address the kernel needs become parameters by reference.
void place_grid_constants(llvm::Module &module);

/// file_stamps.cpp: gives the source files a timestamp, so that an assembler does not look for them to write
/// theirs.
std::string stamp_files(std::string text);

/// variable_places.cpp: removes the register locations of variables from the debug information.
void drop_registers_of_variables(llvm::Module &module);

/// renumber.cpp: LLVM 22.1.8 still numbers call sites with one counter for the process. The numbers start at
/// 0 in each text here.
std::string renumber_call_sites(std::string text);

} // namespace kiln::ptx
