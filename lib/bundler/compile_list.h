// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the jobs of a job list to the kernels of a bundle. Each kernel has code for all requested
// architectures.
#pragma once

#include "cpp_types.h"

#include <bundle/bundle.h>
#include <devices/devices.h>
#include <kiln/precompile.h>

#include <memory>
#include <string>
#include <vector>

namespace kiln {

/// Code of a bundled kernel for one architecture.
struct BundledCode {
  bundle::CodeKind kind = bundle::CodeKind::CpuImage;
  uint32_t level = 0, flags = 0;
  uint32_t isa = 0; ///< PTX ISA version x 10 of a PTX text; 0 for other code
  std::string entry;
  uint64_t shared_bytes = 0;
  std::string blob;
};

struct BundledParameter {
  uint32_t argument = 0;
  uint64_t size = 0;
  uint32_t align = 1;
  std::string type, name;
  std::vector<MemoryPart> parts;
  CppType cpp; ///< in the header of wrappers
};

struct BundledKernel {
  std::string name, signature, call;
  std::string language; ///< empty: Julia
  std::vector<BundledParameter> parameters;
  std::vector<BundledCode> codes;
  /// C++ structs for the kernel's parameters; each struct comes after those that it contains.
  std::vector<CppStruct> structs;
  Location at; ///< in the job list
};

struct BundleReport {
  std::vector<BundledKernel> kernels; ///< sorted by kernel name, then by signature
  std::vector<std::string> changed;   ///< PrecompileReport::changed
  /// Number of GPU kernels that have PTX but no cubin, since no assembler was found.
  size_t not_assembled = 0;
  std::vector<PrecompileReport::Failure> failures; ///< one per failed job
};

/// Compiles a job list for a bundle with `threads` threads; 0: one per core. CPU jobs are compiled for
/// x86-64-v2, v3 and v4 unless they name one of these.
///
/// GPU jobs become cubins if there is an assembler. PTX is kept for GPUs that no cubin suits: those newer
/// than all listed architectures, or between them. Error: Usage for two jobs with the same kernel and target.
/// The report contains the errors of single jobs.
Result<BundleReport> compile_list(std::span<const PrecompileJob> jobs, const SessionOptions &session,
                                  unsigned threads);

} // namespace kiln
