// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Function pointers for C, made at run time. Each such function collects pointers to its arguments' bytes and
// calls a C++ callback. x86-64 with the System V ABI only.
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
    Memory,   ///< stack: a structure of more than 16 bytes; never a result
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
  /// Machine (not x86-64, or no memory).
  static Result<std::unique_ptr<CEntry>> make(std::vector<CValue> parameters, CValue result, Call call,
                                              void *context);
  ~CEntry();
  CEntry(const CEntry &) = delete;
  CEntry &operator=(const CEntry &) = delete;
  void *address() const { return code_; } ///< valid while this object lives

  /// Contents of argument registers at entry, and of result registers at the end.
  struct Registers {
    uint64_t general[6]; ///< rdi, rsi, rdx, rcx, r8, r9; on return, general[0] is rax
    uint64_t vector[8];  ///< low halves of xmm0 to xmm7; on return, vector[0] is xmm0
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
