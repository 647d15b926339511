// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Finds the parts of NVIDIA's toolkit on this machine. Each call searches again, so that frequent callers
// should keep the path. Search order: KILN_CUDA_HOME (if set, then only the embedder's folders), CUDA_HOME,
// CUDA_PATH, the embedder's folders (kiln/cuda_toolkit.h), the toolkit of nvcc or ptxas on PATH,
// /usr/local/cuda, /opt/cuda, NVIDIA's PyPI packages of the Python environment.
#pragma once

#include <kiln/result.h>

#include <string>
#include <vector>

namespace kiln {

/// Result of a search for a file.
struct Found {
  std::string path;      ///< empty: not found
  std::string source;    ///< "KILN_CUDA_HOME", "PATH", "PyPI package nvidia/cuda_nvcc" ...
  std::string looked_in; ///< all searched places, for messages
};

Found find_libdevice();
Found find_ptxas();
Found find_nvjitlink();
KILN_PROGRAMS_API Found find_cublas();
Found find_cudadevrt();    ///< CUDA's device runtime, an archive for linking
Found find_disassembler(); ///< nvdisasm, else cuobjdump
/// Digest of the bytes of libdevice.10.bc, for the digest of the toolchain. Empty if the file is missing.
Result<std::string> libdevice_digest();

/// A line of `kiln doctor`: name and place of a part of the toolkit.
struct ToolkitPart {
  std::string name;
  Found found;
  bool is_foreign = false; ///< a library for another kind of CPU, which this process cannot load
};
std::vector<ToolkitPart> describe_cuda_toolkit();

} // namespace kiln
