// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles the jobs of a list to a bundle's kernels, each for every requested architecture.
#pragma once

#include "cpp_types.h"

#include <bundle/bundle.h>
#include <devices/devices.h>
#include <kiln/precompile.h>

#include <memory>
#include <string>
#include <vector>

namespace kiln {

/// Code of a kernel for one architecture.
struct BundledCode {
  bundle::CodeKind kind = bundle::CodeKind::CpuImage;
  uint32_t level = 0, flags = 0;
  uint32_t isa = 0; ///< of PTX: ISA version x 10
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
  std::vector<CppStruct> structs; ///< structs of its parameters, dependencies first
  Location at;                    ///< in the job list
};

struct BundleReport {
  std::vector<BundledKernel> kernels;              ///< sorted by name, then by signature
  std::vector<std::string> changed;                ///< PrecompileReport::changed
  size_t not_assembled = 0;                        ///< GPU kernels with PTX only, for lack of an assembler
  std::vector<PrecompileReport::Failure> failures; ///< one per failed job
};

/// `threads`: 0: one per core. CPU jobs are compiled for x86-64-v2, v3 and v4 unless they name one of them.
/// GPU jobs become cubins if there is an assembler. PTX is kept if some GPU has no matching cubin: one newer
/// than all, or between the listed architectures. Errors: Usage for two jobs with the same kernel and target.
/// Errors of jobs are in the report.
Result<BundleReport> compile_list(std::span<const PrecompileJob> jobs, const SessionOptions &session,
                                  unsigned threads);

} // namespace kiln
