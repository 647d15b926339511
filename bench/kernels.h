// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels whose compile latency is measured, in the language and in CUDA C. Every call of the generators
// gives a kernel that no cache has seen: its name and, where it has any arithmetic, a constant change with
// the number.
#pragma once

#include <string>
#include <vector>

namespace bench {

struct Kernel {
  std::string name;     ///< "saxpy"
  std::string text;     ///< in the language; the example's text for saxpy and adam
  std::string function; ///< its name in `text`, with the parenthesis: "saxpy("
  std::string constant_after,
      constant;          ///< where the changing constant goes, and what: '#' stands for the number
  std::string arguments; ///< types: "CuDeviceVector{Float32,1}, Float32"
  std::string cuda;      ///< equal CUDA C: '@' stands for the name, '#' for the number

  std::string julia_source(long number) const;
  std::string cuda_source(long number) const;
  std::string call(long number) const; ///< "k7(Float32)"
  static std::string entry(long number) { return "k" + std::to_string(number); }
};

/// empty, saxpy and adam. Exits with a message if an example is not as expected.
std::vector<Kernel> all_kernels();

} // namespace bench
