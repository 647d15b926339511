// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvrtc.h"

#include <cstdlib>
#include <vector>

namespace bench {

using namespace kiln;

Result<Nvrtc> Nvrtc::open() {
  std::vector<std::string> candidates;
  auto add_home = [&](const std::string &home) {
    for (const char *folder : {"/lib64/", "/lib/", "/targets/x86_64-linux/lib/"})
      for (const char *name : {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"})
        candidates.push_back(home + folder + name);
  };
  for (const char *variable : {"KILN_CUDA_HOME", "CUDA_HOME", "CUDA_PATH"})
    if (const char *home = std::getenv(variable); home && *home) add_home(home);
  add_home("/usr/local/cuda");
  candidates.insert(candidates.end(), {"libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12"});
  KILN_TRY(DynamicLibrary library, DynamicLibrary::open(candidates));
  Nvrtc nvrtc(std::move(library));
  std::string missing;
  auto find = [&](auto &function, const char *name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(nvrtc.library_.symbol(name));
    if (!function) missing += std::string(" ") + name;
  };
  find(nvrtc.version_, "nvrtcVersion");
  find(nvrtc.create_, "nvrtcCreateProgram");
  find(nvrtc.destroy_, "nvrtcDestroyProgram");
  find(nvrtc.compile_, "nvrtcCompileProgram");
  find(nvrtc.ptx_size_, "nvrtcGetPTXSize");
  find(nvrtc.ptx_, "nvrtcGetPTX");
  find(nvrtc.cubin_size_, "nvrtcGetCUBINSize");
  find(nvrtc.cubin_, "nvrtcGetCUBIN");
  find(nvrtc.log_size_, "nvrtcGetProgramLogSize");
  find(nvrtc.log_, "nvrtcGetProgramLog");
  if (!missing.empty()) return machine_error(nvrtc.path() + " lacks" + missing);
  return nvrtc;
}

std::string Nvrtc::version() const {
  int major = 0, minor = 0;
  version_(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

Result<std::string> Nvrtc::compile(const std::string &source, const std::string &name, bool line_info) const {
  if (line_info)
    return compile(source, name, {"--gpu-architecture=compute_90", "--generate-line-info"}, ptx_size_, ptx_);
  return compile(source, name, {"--gpu-architecture=compute_90"}, ptx_size_, ptx_);
}

Result<std::string> Nvrtc::compile_cubin(const std::string &source, const std::string &name) const {
  return compile(source, name, {"--gpu-architecture=sm_90"}, cubin_size_, cubin_);
}

Result<std::string> Nvrtc::compile(const std::string &source, const std::string &name,
                                   std::initializer_list<const char *> options, Size *size_of,
                                   Get *get) const {
  Program program = nullptr;
  if (int status = create_(&program, source.c_str(), name.c_str(), 0, nullptr, nullptr))
    return machine_error("nvrtcCreateProgram: status " + std::to_string(status));
  int status = compile_(program, int(options.size()), options.begin());
  std::string text;
  size_t size = 0;
  if (status == 0) {
    status = size_of(program, &size);
    text.resize(size);
    if (status == 0) status = get(program, text.data());
  } else if (log_size_(program, &size) == 0) {
    text.resize(size);
    log_(program, text.data());
  }
  destroy_(&program);
  if (status) return input_error("NVRTC: status " + std::to_string(status) + ": " + text);
  return text;
}

} // namespace bench
