// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded code: a LoadedFunction for the CPU, a LoadedKernel for a device.
#pragma once

#include <host/host.h>

namespace kiln {

class Type;

/// Position of a memory address in the bytes of a kernel's arguments.
struct MemoryPart {
  uint32_t parameter = 0; ///< index among the artifact's parameters
  /// The address belongs to an abi::ArrayHeader; else a bare pointer to memory of unknown size.
  bool is_array = false;
  uint64_t offset = 0;        ///< in the parameter's bytes
  uint32_t rank = 0;          ///< for arrays
  uint64_t element_bytes = 0; ///< for arrays
  bool is_host = false;       ///< a bare Ptr, which need not be accessible to devices; an LLVMPtr must be
};

/// A kernel or plain function loaded in this process.
struct LoadedFunction {
  std::shared_ptr<const Artifact> artifact;
  std::shared_ptr<const HostCode> code;
  const Type *result = nullptr; ///< result type of a plain function, owned by the session; null for kernels
  std::vector<MemoryPart> memory;
  bool checked = false, interruptible = false;
  bool is_first_tier = false; ///< code of CompilerConfig::first_tier
};

class KernelBackend;

/// A kernel loaded on a device.
struct LoadedKernel {
  std::shared_ptr<const Artifact> artifact; ///< on a GPU: a Cubin, or Assembly that the driver assembled
  std::shared_ptr<const KernelBackend> backend;
  std::vector<MemoryPart> memory; ///< empty for load_kernel: types unknown
  /// Function name in the source, for messages. For Session::load_kernel: derived from the entry symbol.
  std::string name = {};
};

} // namespace kiln
