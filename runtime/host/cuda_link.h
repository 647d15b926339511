// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The CUDA driver as assembler and linker (cuLink of the CUDA driver API), for machines without a toolkit.
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
  /// Input bytes; for PTX, std::string's terminating zero byte is passed too.
  const std::string *bytes = nullptr;
  std::string name; ///< in the driver's messages
};

struct CudaLinkOptions {
  GpuArch arch;
  int opt_level = 0;
  bool debug = false, line_info = false;
};

struct CudaLinked {
  int status = 0; ///< CUresult; other than 0: linking failed, `log` has the reason, and `cubin` is empty
  std::string cubin, log;
};

/// Links inputs in the device's context, for any architecture that the driver supports. Error: Machine if the
/// link cannot start.
Result<CudaLinked> link_code(CudaDevice &device, const CudaLinkOptions &options,
                             const std::vector<CudaLinkInput> &inputs);

} // namespace kiln
