// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The jobs of a list as a bundle's kernels: each compiled for every architecture that the bundle has of it.
#pragma once

#include "cpp_types.h"

#include <bundle/bundle.h>
#include <devices/devices.h>
#include <kiln/precompile.h>

#include <memory>
#include <string>
#include <vector>

namespace kiln {

/// A kernel's code for one architecture.
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
  CppType cpp; ///< for the header of wrappers
};

struct BundledKernel {
  std::string name, signature, call;
  std::string language; ///< empty: Julia
  std::vector<BundledParameter> parameters;
  std::vector<BundledCode> codes;
  std::vector<CppStruct> structs; ///< that its parameters need, in order
  Location at;                    ///< in the list
};

struct BundleReport {
  std::vector<BundledKernel> kernels; ///< by name, then by signature
  std::vector<std::string> changed;   ///< PrecompileReport::changed
  size_t not_assembled = 0;           ///< code for a GPU that is PTX alone: there is no assembler
  std::vector<PrecompileReport::Failure> failures; ///< by job
};

/// `threads`: 0: one a core. A job for the CPU is compiled for x86-64-v2, v3 and v4 unless it names one of
/// them; one for a GPU to a cubin, where there is an assembler. Its PTX stays where some GPU has no cubin
/// that runs on it: a newer one than all, or one between the architectures of the list. Errors: Usage: two
/// jobs that are the same kernel for the same target. Errors of jobs are in the report.
Result<BundleReport> compile_list(std::span<const PrecompileJob> jobs, const SessionOptions &session,
                                  unsigned threads);

} // namespace kiln
