// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_entry.h"

#include "new_code.h"

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace kiln {

#if defined(__x86_64__) || defined(__aarch64__)
extern "C" {
[[gnu::visibility("hidden")]] void kiln_c_entry();
[[gnu::visibility("hidden"), gnu::used]] void kiln_c_entry_run(const CEntry *entry,
                                                               CEntry::Registers *registers,
                                                               std::byte *stack) {
  entry->run(*registers, stack);
}
}
#endif

#if defined(__x86_64__)

static_assert(sizeof(CEntry::Registers) == 112 && offsetof(CEntry::Registers, vector) == 48);

// On entry, r10 points to the CEntry. The stack contains, upwards from rbp: the caller's rbp, the return
// address, the stack arguments.
asm(R"(
  .pushsection .text
  .hidden kiln_c_entry
  .globl kiln_c_entry
  .type kiln_c_entry, @function
kiln_c_entry:
  .cfi_startproc
  pushq %rbp
  .cfi_def_cfa_offset 16
  .cfi_offset %rbp, -16
  movq %rsp, %rbp
  .cfi_def_cfa_register %rbp
  subq $112, %rsp
  movq %rdi, (%rsp)
  movq %rsi, 8(%rsp)
  movq %rdx, 16(%rsp)
  movq %rcx, 24(%rsp)
  movq %r8, 32(%rsp)
  movq %r9, 40(%rsp)
  movsd %xmm0, 48(%rsp)
  movsd %xmm1, 56(%rsp)
  movsd %xmm2, 64(%rsp)
  movsd %xmm3, 72(%rsp)
  movsd %xmm4, 80(%rsp)
  movsd %xmm5, 88(%rsp)
  movsd %xmm6, 96(%rsp)
  movsd %xmm7, 104(%rsp)
  movq %r10, %rdi
  movq %rsp, %rsi
  leaq 16(%rbp), %rdx
  call kiln_c_entry_run
  movq (%rsp), %rax
  movsd 48(%rsp), %xmm0
  leave
  .cfi_def_cfa %rsp, 8
  ret
  .cfi_endproc
  .size kiln_c_entry, .-kiln_c_entry
  .popsection
)");

/// Writes code that loads r10 and jumps to kiln_c_entry. Returns the end of the code.
static std::byte *write_jump(std::byte *out, const CEntry *entry) {
  auto put = [&](std::initializer_list<unsigned char> code) {
    for (unsigned char byte : code) *out++ = std::byte(byte);
  };
  auto put_address = [&](const void *address) {
    std::memcpy(out, &address, sizeof address);
    out += sizeof address;
  };
  put({0xf3, 0x0f, 0x1e, 0xfa}); // endbr64
  put({0x49, 0xba});             // movabs r10
  put_address(entry);
  put({0x49, 0xbb}); // movabs r11
  put_address(reinterpret_cast<const void *>(&kiln_c_entry));
  put({0x41, 0xff, 0xe3}); // jmp r11
  return out;
}

#elif defined(__aarch64__)

static_assert(sizeof(CEntry::Registers) == 128 && offsetof(CEntry::Registers, vector) == 64);

// On entry, x16 points to the CEntry. The stack contains, upwards from x29: the caller's x29, the return
// address, the stack arguments.
asm(R"(
  .pushsection .text
  .hidden kiln_c_entry
  .globl kiln_c_entry
  .type kiln_c_entry, @function
  .p2align 2
kiln_c_entry:
  .cfi_startproc
  hint #34
  stp x29, x30, [sp, #-16]!
  .cfi_def_cfa_offset 16
  .cfi_offset x29, -16
  .cfi_offset x30, -8
  mov x29, sp
  .cfi_def_cfa x29, 16
  sub sp, sp, #128
  stp x0, x1, [sp]
  stp x2, x3, [sp, #16]
  stp x4, x5, [sp, #32]
  stp x6, x7, [sp, #48]
  stp d0, d1, [sp, #64]
  stp d2, d3, [sp, #80]
  stp d4, d5, [sp, #96]
  stp d6, d7, [sp, #112]
  mov x0, x16
  mov x1, sp
  add x2, x29, #16
  bl kiln_c_entry_run
  ldr x0, [sp]
  ldr d0, [sp, #64]
  mov sp, x29
  .cfi_def_cfa sp, 16
  ldp x29, x30, [sp], #16
  .cfi_def_cfa_offset 0
  .cfi_restore x29
  .cfi_restore x30
  ret
  .cfi_endproc
  .size kiln_c_entry, .-kiln_c_entry
  .popsection
)");

/// Writes code that loads x16 and jumps to kiln_c_entry. Returns the end of the code.
static std::byte *write_jump(std::byte *out, const CEntry *entry) {
  const struct {
    uint32_t code[4];
    const void *entry, *target;
  } jump{{0xd503245f,  // bti c
          0x58000070,  // ldr x16, `entry`
          0x58000091,  // ldr x17, `target`
          0xd61f0220}, // br x17
         entry,
         reinterpret_cast<const void *>(&kiln_c_entry)};
  std::memcpy(out, &jump, sizeof jump);
  return out + sizeof jump;
}

#endif

#if defined(__x86_64__) || defined(__aarch64__)

Result<std::unique_ptr<CEntry>> CEntry::make(std::vector<CValue> parameters, CValue result, Call call,
                                             void *context) {
  if (parameters.size() > max_parameters)
    return usage_error(fmt::format("a function with {} parameters has no address for C, which takes {}",
                                   parameters.size(), max_parameters));
  std::unique_ptr<CEntry> entry(new CEntry(std::move(parameters), result, call, context));
  entry->bytes_ = size_t(::sysconf(_SC_PAGESIZE));
  void *page = ::mmap(nullptr, entry->bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED)
    return machine_error(fmt::format("out of memory: a page of code ({})", std::strerror(errno)));
  entry->code_ = page;
  auto *begin = static_cast<std::byte *>(page);
  std::byte *end = write_jump(begin, entry.get());
  if (::mprotect(page, entry->bytes_, PROT_READ | PROT_EXEC) != 0)
    return machine_error(fmt::format("the system does not let memory become code: {}", std::strerror(errno)));
  publish_code(begin, size_t(end - begin));
  return entry;
}

#else

Result<std::unique_ptr<CEntry>> CEntry::make(std::vector<CValue>, CValue, Call, void *) {
  return machine_error(
      "functions have addresses for C on x86-64 and AArch64 alone, and this processor is another");
}

#endif

CEntry::~CEntry() {
  if (code_) ::munmap(code_, bytes_);
}

void CEntry::run(Registers &registers, std::byte *stack) const {
  void *arguments[max_parameters];
  size_t general = 0, vector = 0;
  auto on_stack = [&](const CValue &value) {
    constexpr uint64_t word = 8;
    const uint64_t align = std::max<uint64_t>(value.align, word);
    stack += (align - reinterpret_cast<uintptr_t>(stack) % align) % align;
    void *at = stack;
    stack += (value.size + word - 1) / word * word;
    return at;
  };
  for (size_t i = 0; i < parameters_.size(); i++) {
    const CValue &value = parameters_[i];
    switch (value.kind) {
    case CValue::Class::Unsigned:
    case CValue::Class::Signed:
      arguments[i] = general < std::size(registers.general) ? &registers.general[general++] : on_stack(value);
      break;
    case CValue::Class::Float:
      arguments[i] = vector < std::size(registers.vector) ? &registers.vector[vector++] : on_stack(value);
      break;
    case CValue::Class::Memory: arguments[i] = on_stack(value); break;
    case CValue::Class::Reference: {
      const CValue address{.size = sizeof(void *), .align = sizeof(void *)};
      void *at = general < std::size(registers.general) ? &registers.general[general++] : on_stack(address);
      std::memcpy(&arguments[i], at, sizeof(void *));
      break;
    }
    case CValue::Class::Floats: {
      const size_t count = value.size / sizeof(double);
      const bool fits = vector + count <= std::size(registers.vector);
      arguments[i] = fits ? &registers.vector[vector] : on_stack(value);
      // A value on the stack also ends the use of vector registers (AAPCS64, rule C.3).
      vector = fits ? vector + count : std::size(registers.vector);
      break;
    }
    }
  }
  uint64_t bits = 0;
  call_(context_, arguments, &bits);
  if (result_.kind == CValue::Class::Signed && result_.size < sizeof bits) {
    const unsigned unused = unsigned(8 * (sizeof bits - result_.size));
    bits = uint64_t(int64_t(bits << unused) >> unused);
  }
  registers.general[0] = registers.vector[0] = bits;
}

} // namespace kiln
