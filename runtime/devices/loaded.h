// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loaded code: a LoadedFunction for the CPU, a LoadedKernel for a device.
#pragma once

#include <host/host.h>

namespace kiln {

class Type;

/// Position of an address in the bytes of a launch's arguments.
struct MemoryPart {
  uint32_t parameter = 0;     ///< index among the artifact's parameters
  bool is_array = false;      ///< an abi::ArrayHeader; else a bare pointer to memory of unknown size
  uint64_t offset = 0;        ///< in the parameter's bytes
  uint32_t rank = 0;          ///< for arrays
  uint64_t element_bytes = 0; ///< for arrays
  bool is_host = false;       ///< a bare Ptr, not LLVMPtr: devices need not reach it
};

/// A kernel or plain function loaded in this process.
struct LoadedFunction {
  std::shared_ptr<const Artifact> artifact;
  std::shared_ptr<const HostCode> code;
  const Type *result = nullptr; ///< for plain functions; valid as long as the session
  std::vector<MemoryPart> memory;
  bool checked = false, interruptible = false;
};

class KernelBackend;

/// A kernel loaded on a device.
struct LoadedKernel {
  std::shared_ptr<const Artifact> artifact; ///< on a GPU: a Cubin, or Assembly that the driver assembled
  std::shared_ptr<const KernelBackend> backend;
  std::vector<MemoryPart> memory; ///< empty for load_kernel: types unknown
  /// Function name in the source, for messages; for load_kernel: derived from the entry.
  std::string name = {};
};

} // namespace kiln
