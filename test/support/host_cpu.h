// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Facts about the processor on which the tests run, by name of its architecture.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

#if defined(__aarch64__)
inline constexpr uint32_t host_elf_machine = 183; ///< EM_AARCH64
inline constexpr const char *host_feature = "sve";
/// Processors for which a bundle has code by default, the least capable first, and their numbers.
inline const std::vector<std::string> host_levels{"aarch64", "neoverse-v2"};
inline constexpr int first_host_level = 1;
#else
inline constexpr uint32_t host_elf_machine = 62; ///< EM_X86_64
inline constexpr const char *host_feature = "avx2";
inline const std::vector<std::string> host_levels{"x86-64-v2", "x86-64-v3", "x86-64-v4"};
inline constexpr int first_host_level = 2;
#endif

} // namespace kiln
