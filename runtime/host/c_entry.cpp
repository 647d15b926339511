// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "c_entry.h"

#include <fmt/format.h>

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace kiln {

#if defined(__x86_64__)

static_assert(sizeof(CEntry::Registers) == 112 && offsetof(CEntry::Registers, vector) == 48);

extern "C" {
[[gnu::visibility("hidden")]] void kiln_c_entry();
[[gnu::visibility("hidden"), gnu::used]] void kiln_c_entry_run(const CEntry *entry,
                                                               CEntry::Registers *registers,
                                                               std::byte *stack) {
  entry->run(*registers, stack);
}
}

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
  auto *out = static_cast<unsigned char *>(page);
  auto put = [&](std::initializer_list<unsigned char> code) {
    out = std::copy(code.begin(), code.end(), out);
  };
  auto put_address = [&](const void *address) {
    std::memcpy(out, &address, sizeof address);
    out += sizeof address;
  };
  put({0xf3, 0x0f, 0x1e, 0xfa}); // endbr64
  put({0x49, 0xba});             // movabs r10
  put_address(entry.get());
  put({0x49, 0xbb}); // movabs r11
  put_address(reinterpret_cast<const void *>(&kiln_c_entry));
  put({0x41, 0xff, 0xe3}); // jmp r11
  if (::mprotect(page, entry->bytes_, PROT_READ | PROT_EXEC) != 0)
    return machine_error(fmt::format("the system does not let memory become code: {}", std::strerror(errno)));
  return entry;
}

#else

Result<std::unique_ptr<CEntry>> CEntry::make(std::vector<CValue>, CValue, Call, void *) {
  return machine_error("functions have addresses for C on x86-64 alone, and this processor is another");
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
