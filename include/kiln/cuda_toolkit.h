// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Folders with parts of NVIDIA's toolkit, which only the embedder knows.
#pragma once

#include <kiln/export.h>

#include <string>

namespace kiln::inline KILN_API_VERSION {

/// Adds a folder laid out like a toolkit, or a part of one: lib/libnvJitLink.so.13,
/// nvvm/libdevice/libdevice.10.bc, bin/ptxas. Call it before the process' first compile for a GPU. The folder
/// is searched after KILN_CUDA_HOME, CUDA_HOME and CUDA_PATH, and before the system's. `source` names it in
/// `kiln doctor` and errors. Any thread.
KILN_API void add_cuda_folder(std::string folder, std::string source = "the program");

} // namespace kiln::inline KILN_API_VERSION
