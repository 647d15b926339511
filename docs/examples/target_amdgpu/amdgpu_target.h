// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD GPUs as a target of Kiln that lives outside its tree: LLVM's AMDGPU makes the code, the overlay gives
// the language its indices, barrier and mathematics, and nothing of AMD's device libraries (ockl, ocml) is
// needed.
#pragma once

#include <kiln/extension/llvm.h>

struct AmdgpuOptions {
  static constexpr std::string_view target_name = "amdgpu";
  std::string gfx = "gfx90a"; ///< the processor, as LLVM names it
  int max_threads = 1024;     ///< of a block: the kernel's largest

  bool operator==(const AmdgpuOptions &) const = default;
  template <class Self, class Visitor> static void visit(Self &self, Visitor &&visit) {
    auto &[gfx, max_threads] = self; // does not compile when a field is added
    visit("gfx", gfx), visit("max_threads", max_threads);
  }
};

/// Lives as long as the program.
const kiln::Target &amdgpu_target();

/// An object of the target -> a code object, which the HSA runtime loads. Errors: Machine (the linker is
/// missing), Input (with what it complains of).
kiln::Result<std::string> link_code_object(std::string_view object);
