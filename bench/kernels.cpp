// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "kernels.h"

#include "measure.h"

#include <support/support.h>

namespace bench {

namespace {

std::string replace(std::string text, const std::string &from, const std::string &to) {
  size_t at = text.find(from);
  if (at == std::string::npos) {
    std::fprintf(stderr, "bench: \"%s\" is not in the kernel's text any more\n", from.c_str());
    std::exit(1);
  }
  for (; at != std::string::npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

std::string numbered(const std::string &text, long number) {
  size_t at = text.find('#');
  return at == std::string::npos ? text : text.substr(0, at) + std::to_string(number) + text.substr(at + 1);
}

std::string example(const char *name) { return take(kiln::read_file(std::string(KILN_EXAMPLES "/") + name)); }

// An array arrives as in the language: by value, with its length in 64 bits.
const char *const cuda_array = "struct Vector { float *pointer; long long max_size, dim, length; };\n";

} // namespace

std::string Kernel::julia_source(long number) const {
  std::string source = replace(text, "function " + function, "function " + entry(number) + "(");
  return constant.empty() ? source
                          : replace(source, constant_after, constant_after + numbered(constant, number));
}

std::string Kernel::cuda_source(long number) const {
  std::string source = replace(cuda, "@", entry(number));
  return constant.empty() ? source : numbered(source, number);
}

std::string Kernel::call(long number) const { return entry(number) + "(" + arguments + ")"; }

std::vector<Kernel> all_kernels() {
  const std::string vector = "CuDeviceVector{Float32,1}";
  return {
      {"empty", "using CUDA\n\nfunction empty()\n    return\nend\n", "empty(", "", "", "",
       "extern \"C\" __global__ void @() {}\n"},
      {"saxpy", example("saxpy.jl"), "saxpy(", "a * x[i]", " + #f0", vector + ", " + vector + ", Float32",
       std::string(cuda_array) +
           "extern \"C\" __global__ void @(Vector y, Vector x, float a) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  if (i < y.length) y.pointer[i] = a * x.pointer[i] + #.0f + y.pointer[i];\n"
           "}\n"},
      {"adam", example("adam.jl"), "adam(", " + eps", " + #f0",
       vector + ", " + vector + ", " + vector + ", Float32, Float32, Float32, Float32",
       std::string(cuda_array) +
           "extern \"C\" __global__ void @(Vector gradient, Vector first, Vector second, float b1, float b2, float eta, float eps) {\n"
           "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
           "  if (i < gradient.length) {\n"
           "    float g = gradient.pointer[i];\n"
           "    float m = b1 * first.pointer[i] + (1 - b1) * g;\n"
           "    float v = b2 * second.pointer[i] + (1 - b2) * (g * g);\n"
           "    first.pointer[i] = m;\n"
           "    second.pointer[i] = v;\n"
           "    gradient.pointer[i] = m / (1 - b1) / (sqrtf(v / (1 - b2)) + eps + #.0f) * eta;\n"
           "  }\n"
           "}\n"},
  };
}

} // namespace bench
