// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where parts of NVIDIA's toolkit lie that only the embedder knows of.
#pragma once

#include <kiln/export.h>

#include <string>

namespace kiln::inline KILN_API_VERSION {

/// A folder laid out as a toolkit, or as a part of one: lib/libnvJitLink.so.13,
/// nvvm/libdevice/libdevice.10.bc, bin/ptxas. For the process, before its first compile for a GPU; asked
/// after KILN_CUDA_HOME, CUDA_HOME and CUDA_PATH, before the system's. `source` is what `kiln doctor` and
/// errors call it. Any thread.
KILN_API void add_cuda_folder(std::string folder, std::string source = "the program");

} // namespace kiln::inline KILN_API_VERSION
