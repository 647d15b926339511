// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.h"

#include <llvm/TargetParser/AArch64TargetParser.h>
#include <llvm/TargetParser/Host.h>
#include <llvm/TargetParser/X86TargetParser.h>

namespace kiln::native {

Machine machine_of(std::string_view cpu) {
  if (cpu == "generic") return host_machine; // a name that only LLVM's list for AArch64 has
  const bool is_x86 = llvm::X86::parseArchX86(cpu, /*Only64Bit=*/true) != llvm::X86::CK_None;
  const bool is_aarch64 = cpu == generic_aarch64 || llvm::AArch64::parseCpu(cpu).has_value();
  if (is_x86 == is_aarch64) return host_machine;
  return is_x86 ? Machine::X86_64 : Machine::AArch64;
}

std::string triple_of(Machine machine) {
  if (machine == host_machine) return llvm::sys::getProcessTriple();
  return machine == Machine::AArch64 ? "aarch64-unknown-linux-gnu" : "x86_64-pc-linux-gnu";
}

const char *layout_of(Machine machine) {
  if (machine == Machine::AArch64)
    return "e-m:e-p270:32:32-p271:32:32-p272:64:64-i8:8:32-i16:16:32-i64:64-i128:128-n32:64-S128-Fn32";
  return "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128";
}

} // namespace kiln::native
