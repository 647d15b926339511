// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Detects the processor's level: on x86-64 with cpuid and xgetbv, on AArch64 with the kernel's hardware
// capabilities. __builtin_cpu_supports knows level names only with a compiler runtime as new as the compiler.
// Features of x86-64: psABI, table "Micro-Architecture Levels". Those of Neoverse V2: its technical reference
// manual, as far as compiled code uses them.
#include "cpu_level.h"

#if defined(__x86_64__)
#include <cpuid.h>

#include <cstdint>

namespace kiln {

namespace {

struct Leaf {
  uint32_t a = 0, b = 0, c = 0, d = 0;
};
Leaf leaf(uint32_t number) {
  Leaf l;
  __get_cpuid_count(number, 0, &l.a, &l.b, &l.c, &l.d); // zeros for an unsupported leaf
  return l;
}
constexpr uint32_t bits(auto... at) { return (... | (uint32_t(1) << at)); }
bool has(uint32_t word, uint32_t wanted) { return (word & wanted) == wanted; }

uint32_t saved_by_system() {
  uint32_t low, high;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return low;
}

uint32_t find_level() {
  const Leaf basic = leaf(1), extended = leaf(7), amd = leaf(0x80000001);
  // Level 2: SSE3, SSSE3, CMPXCHG16B, SSE4.1, SSE4.2, POPCNT; LAHF
  if (!has(basic.c, bits(0, 9, 13, 19, 20, 23)) || !has(amd.c, bits(0))) return 1;
  // Level 3: FMA, MOVBE, OSXSAVE, AVX, F16C; BMI1, AVX2, BMI2; LZCNT
  if (!has(basic.c, bits(12, 22, 27, 28, 29)) || !has(extended.b, bits(3, 5, 8)) || !has(amd.c, bits(5)))
    return 2;
  const uint32_t saved = saved_by_system();
  if (!has(saved, bits(1, 2))) return 2; // the system saves XMM and YMM registers
  // Level 4: AVX-512 F, DQ, CD, BW, VL; the system saves mask and ZMM registers
  if (!has(extended.b, bits(16, 17, 28, 30, 31)) || !has(saved, bits(5, 6, 7))) return 3;
  return 4;
}

} // namespace

} // namespace kiln
#elif defined(__aarch64__)
#include "format.h"

#include <asm/hwcap.h>
#include <sys/auxv.h>

namespace kiln {

namespace {

uint32_t find_level() {
  constexpr unsigned long first = HWCAP_ATOMICS | HWCAP_FPHP | HWCAP_ASIMDHP | HWCAP_ASIMDRDM | HWCAP_JSCVT |
                                  HWCAP_FCMA | HWCAP_LRCPC | HWCAP_ILRCPC | HWCAP_ASIMDDP | HWCAP_ASIMDFHM |
                                  HWCAP_USCAT | HWCAP_FLAGM | HWCAP_SVE;
  constexpr unsigned long second = HWCAP2_FRINT | HWCAP2_FLAGM2 | HWCAP2_SVE2 | HWCAP2_SVEBITPERM |
                                   HWCAP2_SVEI8MM | HWCAP2_SVEBF16 | HWCAP2_I8MM | HWCAP2_BF16 | HWCAP2_RNG;
  const auto has = [](unsigned long kind, unsigned long wanted) {
    return (::getauxval(kind) & wanted) == wanted;
  };
  return bundle::aarch64_levels + (has(AT_HWCAP, first) && has(AT_HWCAP2, second) ? 2 : 1);
}

} // namespace

} // namespace kiln
#else
namespace kiln {
static uint32_t find_level() { return 0; }
} // namespace kiln
#endif

namespace kiln {

uint32_t host_cpu_level() {
  static const uint32_t level = find_level();
  return level;
}

} // namespace kiln
