// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is ready to run.
#pragma once

#include <kiln/session.h>

#include <driver/driver.h>
#include <host/host.h>

namespace kiln {

/// A kernel or plain function that is ready to run on the CPU.
struct PreparedFunction {
  std::shared_ptr<const Artifact> artifact;
  std::shared_ptr<NativeCode> code;
  TypeRef result = nullptr; ///< of a plain function
  std::vector<TypeRef> parameters; ///< types of the artifact's parameters
  bool checked = false, interruptible = false;
};

/// A kernel that is loaded on a GPU.
struct PreparedCuda {
  std::shared_ptr<const Artifact> artifact; ///< a Cubin, or Assembly that the driver assembled
  std::shared_ptr<const CudaKernel> kernel;
  std::vector<TypeRef> parameters; ///< types of the artifact's parameters
};

} // namespace kiln
