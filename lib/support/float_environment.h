// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RAII scopes that set the default floating-point environment. The embedder's thread may round upwards, flush
// subnormals to zero or trap on a division by zero; Kiln's results must not depend on that. The scopes
// restore the embedder's rounding mode, masks and flags.
#pragma once

#include <cfenv>
#include <cstdint>
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace kiln {

/// Sets the default floating-point environment for constant evaluation and compiling. Costs about 100 ns.
class DefaultFloatEnvironment {
public:
  DefaultFloatEnvironment() {
    std::fegetenv(&before_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~DefaultFloatEnvironment() { std::fesetenv(&before_); }
  DefaultFloatEnvironment(const DefaultFloatEnvironment &) = delete;
  DefaultFloatEnvironment &operator=(const DefaultFloatEnvironment &) = delete;

private:
  std::fenv_t before_;
};

/// Sets the default floating-point environment for CPU kernels: of SSE alone on x86-64, which has no other
/// unit in compiled code. It costs a few ns, so that each piece of a grid can set it.
class KernelFloatEnvironment {
#if defined(__x86_64__)
public:
  KernelFloatEnvironment() : before_(_mm_getcsr()) {
    if (before_ != at_start) _mm_setcsr(at_start);
  }
  ~KernelFloatEnvironment() {
    if (_mm_getcsr() != before_) _mm_setcsr(before_);
  }
  KernelFloatEnvironment(const KernelFloatEnvironment &) = delete;
  KernelFloatEnvironment &operator=(const KernelFloatEnvironment &) = delete;

private:
  /// Default value of MXCSR in the System V ABI: exceptions masked, round to nearest, no flags.
  static constexpr uint32_t at_start = 0x1f80;
  const uint32_t before_;
#elif defined(__aarch64__)
public:
  KernelFloatEnvironment() : control_(control()), status_(status()) {
    if (control_ != at_start) set_control(at_start);
  }
  ~KernelFloatEnvironment() {
    if (control() != control_) set_control(control_);
    if (status() != status_) asm volatile("msr fpsr, %0" : : "r"(status_));
  }
  KernelFloatEnvironment(const KernelFloatEnvironment &) = delete;
  KernelFloatEnvironment &operator=(const KernelFloatEnvironment &) = delete;

private:
  /// Value of FPCR at a process's start: exceptions masked, round to nearest, subnormals and NaNs kept.
  static constexpr uint64_t at_start = 0;
  static uint64_t control() {
    uint64_t value;
    asm volatile("mrs %0, fpcr" : "=r"(value));
    return value;
  }
  static void set_control(uint64_t value) { asm volatile("msr fpcr, %0" : : "r"(value)); }
  /// Exception flags, which FPCR does not contain.
  static uint64_t status() {
    uint64_t value;
    asm volatile("mrs %0, fpsr" : "=r"(value));
    return value;
  }
  const uint64_t control_, status_;
#else
  DefaultFloatEnvironment all_;
#endif
};

} // namespace kiln
