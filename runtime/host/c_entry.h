// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Function pointers for C, made at run time. Each such function collects pointers to its arguments' bytes and
// calls a C++ callback. For x86-64 with the System V ABI, and AArch64 with the AAPCS64.
#pragma once

#include <kiln/result.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace kiln {

/// Place of an argument or result in the C calling convention.
struct CValue {
  enum class Class : uint8_t {
    Unsigned, ///< general register: integer, Bool, pointer
    Signed,   ///< general register, sign-extended
    Float,    ///< vector register
    // Structures of more than 16 bytes; never a result:
    Memory,    ///< stack; x86-64 only
    Reference, ///< general register: address of a copy; AArch64 only
    Floats,    ///< 3 or 4 Float64 in as many vector registers; AArch64 only
  };
  Class kind = Class::Unsigned;
  uint32_t size = 0, align = 1; ///< in bytes; size is at most 8 for values in registers
};

class CEntry {
public:
  static constexpr size_t max_parameters = 64;
  /// Callback. arguments[i] points to the bytes of parameter i; `result` points to 8 zero bytes for the
  /// result. Must not throw.
  using Call = void (*)(void *context, void *const *arguments, void *result);
  /// Makes a function pointer. A `result` of size 0 means no result. Errors: Usage (too many parameters),
  /// Machine (another processor, or no memory).
  static Result<std::unique_ptr<CEntry>> make(std::vector<CValue> parameters, CValue result, Call call,
                                              void *context);
  ~CEntry();
  CEntry(const CEntry &) = delete;
  CEntry &operator=(const CEntry &) = delete;
  void *address() const { return code_; } ///< valid while this object lives

  /// Contents of argument registers at entry, and of result registers at the end.
  struct Registers {
#if defined(__aarch64__)
    uint64_t general[8]; ///< x0 to x7; on return, general[0] is x0
    uint64_t vector[8];  ///< low halves of v0 to v7; on return, vector[0] is v0
#else
    uint64_t general[6]; ///< rdi, rsi, rdx, rcx, r8, r9; on return, general[0] is rax
    uint64_t vector[8];  ///< low halves of xmm0 to xmm7; on return, vector[0] is xmm0
#endif
  };
  void run(Registers &registers, std::byte *stack) const; ///< called by the machine code at address()

private:
  CEntry(std::vector<CValue> parameters, CValue result, Call call, void *context)
      : parameters_(std::move(parameters)), result_(result), call_(call), context_(context) {}
  const std::vector<CValue> parameters_;
  const CValue result_;
  const Call call_;
  void *const context_;
  void *code_ = nullptr; ///< one page
  size_t bytes_ = 0;
};

} // namespace kiln
