// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes of the ptx target. Private to component ptx.
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

/// kernel.cpp: sets the calling convention and launch bounds of a kernel entry.
void mark_kernel(const PtxOptions &options, llvm::Function &entry);

/// markers.cpp: lowers kiln.thread_idx.x, kiln.end_thread and others, which the report of exceptions calls.
Result<void> lower_markers(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// kernel.cpp: returns true if the module reads the grid barrier's address (%envreg1 and 2). The driver sets
/// it only for cooperative launches.
bool reads_grid_barrier(const llvm::Module &module);

/// Answers to __nvvm_reflect("...").
struct ReflectValues {
  int cuda_arch;
  int specific; ///< cuda_arch if the code may run on this chip only; else 0
  int family;   ///< cuda_arch if the code may run on this chip or its family only; else 0
  int ptx_isa;  ///< 88 for PTX ISA 8.8
  bool flush_denormals, precise_sqrt, precise_div;
};
ReflectValues reflect_values(const TargetSpec &spec);
/// reflect.cpp: replaces the calls of __nvvm_reflect in one function by constants.
void resolve_reflect(llvm::Function &function, const ReflectValues &values);

/// remainder.cpp: finds frem instructions that must be exact, and replaces them by calls of libdevice's fmod.
bool has_exact_remainders(const llvm::Module &module);
void call_library_for_remainders(llvm::Module &module);

/// libdevice.cpp: returns true if the module needs __nv_ functions.
bool calls_libdevice(const llvm::Module &module);
/// libdevice.cpp: links bodies for the __nv_ functions that the module calls.
Result<void> link_libdevice(const Target &target, const CompilerConfig &config, llvm::Module &module,
                            Worker &worker);

/// fast_ops.cpp: replaces single operations with fast-math flags by approximations.
void lower_fast_operations(const CompilerConfig &config, llvm::Module &module);

/// equal_throws.cpp: merges blocks that throw the same exception.
void join_equal_throws(llvm::Module &module);
/// inline_throws.cpp: inlines the function that reports exceptions, once into each function that throws.
/// After all analyses, for which the stores of that function would be stores of the kernel.
void inline_throws(llvm::Module &module);

/// wide_shifts.cpp: keeps the selects that guard shifts by 64-bit amounts, which LLVM would remove.
void keep_guards_of_shifts(llvm::Module &module);

/// coarsen.cpp: Target::coarsen.
Result<Coarsening> coarsen_kernel(const CompilerConfig &config, llvm::Module &module, std::string &why_not);

/// device_launches.cpp: turns launches by a kernel into calls of these functions of CUDA's device runtime.
inline constexpr std::string_view GetParameterBuffer = "__cudaCDP2GetParameterBufferV2";
inline constexpr std::string_view LaunchDevice = "__cudaCDP2LaunchDeviceV2";
inline constexpr std::string_view GetLastError = "__cudaCDP2GetLastError";
Result<void> call_launches(const Target &target, const CompilerConfig &config, llvm::Module &module);
/// Returns true if the PTX text calls the device runtime, so that the assembler must link it.
bool launches_grids(std::string_view text);

/// hot_callees.cpp: gives functions with many calls external linkage, which saves the back-end time.
void externalize_hot_callees(llvm::Module &module);

/// unsupported.cpp: marks operations that would need LLVM's run-time library. Validation reports the markers.
Result<void> mark_unsupported(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// register_ranges.cpp: tells LLVM the value ranges of threadIdx, blockIdx, blockDim and gridDim.
Result<void> set_register_ranges(const Target &target, const CompilerConfig &config, llvm::Module &module);

/// invariant.cpp: marks loads of array arguments that the kernel does not write as invariant.
Result<void> mark_invariant_arguments(const Target &target, const CompilerConfig &config,
                                      llvm::Module &module);

/// grid_constants.cpp: passes arguments by reference if the kernel needs their address.
void place_grid_constants(llvm::Module &module);

/// file_stamps.cpp: gives source files a fixed timestamp. Otherwise the assembler would search the files and
/// write their real timestamps.
std::string stamp_files(std::string text);

/// variable_places.cpp: removes the register locations of variables from the debug information.
void drop_registers_of_variables(llvm::Module &module);

/// renumber.cpp: renumbers call sites from 0 in each text. LLVM 22.1.8 numbers them with one counter per
/// process.
std::string renumber_call_sites(std::string text);

} // namespace kiln::ptx
