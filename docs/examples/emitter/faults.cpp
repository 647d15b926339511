// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// IR that Kiln rejects, with the faulty lines.
#include <kiln/kiln.h>

#include <cstdio>

using namespace kiln;

namespace {

struct Fault {
  const char *name;
  unsigned line;
  const char *ir;
};

constexpr Fault faults[] = {
    {"an undefined value", 2, "define void @fault(float %x) {\n  %y = fadd float %x, %z\n  ret void\n}\n"},
    {"a value before its definition", 2,
     "define void @fault(float %x) {\n  %y = fadd float %z, %x\n  %z = fadd float %x, %x\n  ret void\n}\n"},
    {"syntax of a newer LLVM", 1, "define void @fault(ptr captures(none) %x) {\n  ret void\n}\n"},
    {"an intrinsic that LLVM lacks", 2,
     "; the next line names it\ndeclare float @llvm.twice.f32(float)\ndefine void @fault(float %x) {\n  %y = call float @llvm.twice.f32(float %x)\n  ret void\n}\n"},
    {"an intrinsic that Kiln lacks", 1,
     "declare i32 @kiln.moon_phase()\ndefine void @fault(float %x) {\n  %y = call i32 @kiln.moon_phase()\n  ret void\n}\n"},
    {"a triple of another architecture", 1,
     "target triple = \"aarch64-linux-gnu\"\ndefine void @fault(float %x) {\n  ret void\n}\n"},
    {"another data layout", 2,
     "; big-endian\ntarget datalayout = \"E-p:32:32\"\ndefine void @fault(float %x) {\n  ret void\n}\n"},
    {"parameters of other types", 1, "define void @fault(double %x) {\n  ret void\n}\n"},
    {"an intrinsic of another target", 2,
     "define void @fault(float %x) {\n  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n  ret void\n}\ndeclare i32 @llvm.nvvm.read.ptx.sreg.tid.x()\n"},
};

} // namespace

/// Returns the number of cases not rejected at the right line.
int show_faults(Session &session) {
  int wrong = 0;
  for (const Fault &fault : faults) {
    Result<void> done = session.define_ir({.name = "fault", .arguments = {"Float32"}, .ir = fault.ir});
    if (done.ok()) // faults that depend on the target appear when a job is compiled
      if (auto compiled = session.compile("fault(Float32)", {}, ArtifactKind::Assembly); !compiled.ok())
        done = compiled.take_error();
    if (done.ok()) {
      std::printf("%s: not refused\n", fault.name), ++wrong;
      continue;
    }
    const Diagnostic &said = done.error().diagnostics()[0];
    std::printf("%s: %s:%u: %s\n", fault.name, std::string(said.at.file_name()).c_str(), said.at.line(),
                said.message.c_str());
    wrong += said.at.line() != fault.line || said.at.file_name() != "fault.ll";
  }
  return wrong;
}
