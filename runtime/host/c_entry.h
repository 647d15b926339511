// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A function pointer that C calls, made at run time: it hands the arguments to a function as pointers to
// their bytes. For x86-64 and the System V ABI.
#pragma once

#include <kiln/result.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace kiln {

/// How C passes a value.
struct CValue {
  enum class Class : uint8_t {
    Unsigned, ///< in a general register: an integer, a Bool, a pointer
    Signed,   ///< the same, extended by its sign
    Float,    ///< in a vector register
    Memory,   ///< on the stack: a structure of more than 16 bytes; never a result
  };
  Class kind = Class::Unsigned;
  uint32_t size = 0, align = 1; ///< in bytes; of those in registers the size is at most 8
};

class CEntry {
public:
  static constexpr size_t max_parameters = 64;
  /// arguments[i] points to the bytes of the i-th parameter, `result` to 8 bytes that are zero. Does not
  /// throw.
  using Call = void (*)(void *context, void *const *arguments, void *result);
  /// `result`: size 0: none. Errors: Usage (too many parameters), Machine (another processor, no memory).
  static Result<std::unique_ptr<CEntry>> make(std::vector<CValue> parameters, CValue result, Call call,
                                              void *context);
  ~CEntry();
  CEntry(const CEntry &) = delete;
  CEntry &operator=(const CEntry &) = delete;
  void *address() const { return code_; } ///< valid as long as this

  /// What a call leaves in registers and takes from them.
  struct Registers {
    uint64_t general[6]; ///< rdi, rsi, rdx, rcx, r8, r9; the first is rax of the result
    uint64_t vector[8];  ///< the low halves of xmm0 to xmm7; the first is xmm0 of the result
  };
  void run(Registers &registers, std::byte *stack) const; ///< for the code behind address()

private:
  CEntry(std::vector<CValue> parameters, CValue result, Call call, void *context)
      : parameters_(std::move(parameters)), result_(result), call_(call), context_(context) {}
  const std::vector<CValue> parameters_;
  const CValue result_;
  const Call call_;
  void *const context_;
  void *code_ = nullptr; ///< a page
  size_t bytes_ = 0;
};

} // namespace kiln
