// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// AMD GPUs as a target outside of Kiln's tree. LLVM's AMDGPU generates the code, and the overlay provides
// indices, barrier and mathematics. AMD's device libraries (ockl, ocml) are not needed.
#pragma once

#include <kiln/extension/llvm.h>

struct AmdgpuOptions {
  static constexpr std::string_view target_name = "amdgpu";
  std::string gfx = "gfx90a"; ///< the processor's LLVM name
  int max_threads = 1024;     ///< maximum per block

  bool operator==(const AmdgpuOptions &) const = default;
  template <class Self, class Visitor> static void visit(Self &self, Visitor &&visit) {
    auto &[gfx, max_threads] = self; // fails to compile when a field is added
    visit("gfx", gfx), visit("max_threads", max_threads);
  }
};

/// Lives as long as the program.
const kiln::Target &amdgpu_target();

/// Links an object of the target to a code object for the HSA runtime. Errors: Machine, if the linker is
/// missing; Input, with the linker's message.
kiln::Result<std::string> link_code_object(std::string_view object);
