// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that is loaded: for the CPU a LoadedFunction, for a device a LoadedKernel.
#pragma once

#include <host/host.h>

namespace kiln {

class Type;

/// A place in the bytes of a launch's arguments where an address lies.
struct MemoryPart {
  uint32_t parameter = 0; ///< index among the artifact's parameters
  bool is_array =
      false;           ///< an abi::ArrayHeader; else a bare pointer, of which nobody knows what is behind it
  uint64_t offset = 0; ///< in the parameter's bytes
  uint32_t rank = 0;   ///< of an array
  uint64_t element_bytes = 0; ///< of an array
  bool is_host = false;       ///< a bare pointer of type Ptr, not LLVMPtr: devices need not reach it
};

/// A kernel or plain function that is loaded in this process.
struct LoadedFunction {
  std::shared_ptr<const Artifact> artifact;
  std::shared_ptr<const HostCode> code;
  const Type *result = nullptr; ///< of a plain function; valid as long as the session
  std::vector<MemoryPart> memory;
  bool checked = false, interruptible = false;
};

class KernelBackend;

/// A kernel that is loaded on a device.
struct LoadedKernel {
  std::shared_ptr<const Artifact> artifact; ///< on a GPU a Cubin, or Assembly that the driver assembled
  std::shared_ptr<const KernelBackend> backend;
  std::vector<MemoryPart> memory; ///< empty for what load_kernel loaded: nobody knows its types
  std::string name = {}; ///< of the function as its author wrote it, for messages; of what load_kernel
                         ///< loaded, as far as the entry tells
};

} // namespace kiln
