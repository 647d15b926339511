// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The processor architectures for which the target native generates code. The name of a job's CPU decides:
// "neoverse-v2" is AArch64, "x86-64-v3" is x86-64. Any host generates code for both, and the same bytes.
// Private to component native.
#pragma once

#include <kiln/target.h>

#include <string>
#include <string_view>

namespace kiln::native {

enum class Machine : uint8_t { X86_64, AArch64 };

inline constexpr Machine host_machine =
#if defined(__aarch64__)
    Machine::AArch64;
#else
    Machine::X86_64;
#endif

/// Name of the CPU with AArch64's basic instructions. LLVM calls it "generic", as it does on x86-64.
inline constexpr std::string_view generic_aarch64 = "aarch64";

/// Returns the architecture of a CPU. Names that both have, and unknown ones, count as the host's.
Machine machine_of(std::string_view cpu);
/// Returns the LLVM triple; the host's is that of this LLVM.
std::string triple_of(Machine machine);
/// Returns LLVM's data layout for ELF.
const char *layout_of(Machine machine);

} // namespace kiln::native
