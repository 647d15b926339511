// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the parts of NVIDIA's toolkit are on this machine. Nothing is kept: who needs a part often keeps the
// path. Order: KILN_CUDA_HOME (and then what the embedder added, and nothing else), CUDA_HOME, CUDA_PATH,
// what the embedder added (kiln/cuda_toolkit.h), the toolkit of nvcc or ptxas on PATH, /usr/local/cuda,
// /opt/cuda, NVIDIA's PyPI packages of the Python environment.
#pragma once

#include <kiln/result.h>

#include <string>
#include <vector>

namespace kiln {

/// A file that was looked for.
struct Found {
  std::string path;      ///< empty: not found
  std::string source;    ///< "KILN_CUDA_HOME", "PATH", "PyPI package nvidia/cuda_nvcc" ...
  std::string looked_in; ///< all places, for the message when it is missing
};

Found find_libdevice();
Found find_ptxas();
Found find_nvjitlink();
KILN_PROGRAMS_API Found find_cublas();
Found find_cudadevrt();    ///< CUDA's device runtime, an archive for linking
Found find_disassembler(); ///< nvdisasm, else cuobjdump
/// Version of libdevice.10.bc for a toolchain digest: a digest of its bytes. Empty if it is not there.
Result<std::string> libdevice_digest();

/// What `kiln doctor` prints: name and where it was found.
struct ToolkitPart {
  std::string name;
  Found found;
};
std::vector<ToolkitPart> describe_cuda_toolkit();

} // namespace kiln
