// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver as an assembler and linker (cuLink of the CUDA driver API), for machines that have no toolkit.
#pragma once

#include "cuda_device.h"

#include <architectures/architectures.h>

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// CUjitInputType
enum class CudaLinkKind : int { Cubin = 0, Ptx = 1, Fatbin = 2, Object = 3, Archive = 4 };

struct CudaLinkInput {
  CudaLinkKind kind = CudaLinkKind::Ptx;
  const std::string *bytes = nullptr; ///< the zero behind a text is the driver's too
  std::string name;                   ///< for its messages
};

struct CudaLinkOptions {
  GpuArch arch;
  int opt_level = 0;
  bool debug = false, line_info = false;
};

struct CudaLinked {
  int status = 0; ///< not 0: `log` says why, and there is no code
  std::string cubin, log;
};

/// In the device's context, for any architecture that its driver knows. Error: Machine, where the driver
/// cannot begin.
Result<CudaLinked> link_code(CudaDevice &device, const CudaLinkOptions &options,
                             const std::vector<CudaLinkInput> &inputs);

} // namespace kiln
