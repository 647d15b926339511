// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tells Kiln where an embedder has installed NVIDIA's toolkit or parts of it.
#pragma once

#include <kiln/export.h>

#include <string>

namespace kiln::inline KILN_API_VERSION {

/// Adds a folder in which this process looks for files of the toolkit: lib/libnvJitLink.so.13,
/// nvvm/libdevice/libdevice.10.bc, bin/ptxas. Call it before the first compile for a GPU. The folder is
/// searched after KILN_CUDA_HOME, CUDA_HOME and CUDA_PATH, and before the system's folders. `source` names
/// the folder's origin in errors and `kiln doctor`. Any thread may call it.
KILN_API void add_cuda_folder(std::string folder, std::string source = "the program");

} // namespace kiln::inline KILN_API_VERSION
