// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NVIDIA's run-time compiler, opened at run time: what Kiln's latency is compared with.
#pragma once

#include <support/support.h>

#include <string>

namespace bench {

class Nvrtc {
public:
  /// Looks in KILN_CUDA_HOME, CUDA_HOME, CUDA_PATH, /usr/local/cuda, then where the loader looks. Error:
  /// Machine.
  static kiln::Result<Nvrtc> open();
  /// CUDA C to PTX for compute_90. Error: Input with NVRTC's log.
  kiln::Result<std::string> compile(const std::string &source, const std::string &name, bool line_info) const;
  /// The same to a cubin for sm_90.
  kiln::Result<std::string> compile_cubin(const std::string &source, const std::string &name) const;
  std::string version() const;
  const std::string &path() const { return library_.path(); }

private:
  using Program = void *;
  using Size = int(Program, size_t *);
  using Get = int(Program, char *);
  kiln::Result<std::string> compile(const std::string &source, const std::string &name,
                                    std::initializer_list<const char *> options, Size *size, Get *get) const;
  explicit Nvrtc(kiln::DynamicLibrary library) : library_(std::move(library)) {}
  kiln::DynamicLibrary library_;
  int (*version_)(int *, int *) = nullptr;
  int (*create_)(Program *, const char *, const char *, int, const char *const *,
                 const char *const *) = nullptr;
  int (*destroy_)(Program *) = nullptr;
  int (*compile_)(Program, int, const char *const *) = nullptr;
  Size *ptx_size_ = nullptr, *cubin_size_ = nullptr;
  Get *ptx_ = nullptr, *cubin_ = nullptr;
  int (*log_size_)(Program, size_t *) = nullptr;
  int (*log_)(Program, char *) = nullptr;
};

} // namespace bench
