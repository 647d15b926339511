// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles .ll texts to PTX and asks ptxas, where there is one.
#pragma once

#include "target_flow.h"
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <ptx/ptx.h>
#include <support/support.h>
#include <thread>

using namespace kiln;
using Catch::Matchers::Contains;

namespace {

const char *saxpy = R"(
define void @saxpy(float %a, ptr addrspace(1) %x, ptr addrspace(1) %y, i64 %n) "kiln.entry" "kiln.kernel" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %d = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %bd = mul i32 %b, %d
  %i32 = add i32 %t, %bd
  %i = sext i32 %i32 to i64
  %in = icmp ult i64 %i, %n
  br i1 %in, label %body, label %oob
body:
  %px = getelementptr inbounds float, ptr addrspace(1) %x, i64 %i
  %vx = load float, ptr addrspace(1) %px
  %py = getelementptr inbounds float, ptr addrspace(1) %y, i64 %i
  %vy = load float, ptr addrspace(1) %py
  %m = fmul contract float %a, %vx
  %s = fadd contract float %m, %vy
  store float %s, ptr addrspace(1) %py
  ret void
oob:
  call void @kiln.throw(i32 2, ptr @name, ptr @where)
  unreachable
}
@name = private constant [12 x i8] c"BoundsError\00"
@where = private constant [13 x i8] c"saxpy|a.jl|3\00"
declare void @kiln.throw(i32, ptr, ptr)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
)";

const char *libdevice_user = R"(
define void @k(ptr addrspace(1) %x) "kiln.entry" "kiln.kernel" {
  %v = load float, ptr addrspace(1) %x
  %s = call float @__nv_sinf(float %v)
  %q = call float @__nv_sqrtf(float %s)
  %d = load double, ptr addrspace(1) %x
  %p = call double @__nv_pow(double %d, double %d)
  %f = fptrunc double %p to float
  %r = fadd float %q, %f
  store float %r, ptr addrspace(1) %x
  ret void
}
declare float @__nv_sinf(float)
declare float @__nv_sqrtf(float)
declare double @__nv_pow(double, double)
)";

std::string ptx(const char *text, const CompilerConfig &config = flow::ptx_config(),
                ArtifactKind kind = ArtifactKind::Assembly) {
  return flow::must_compile(config, text, kind);
}

/// Whether ptxas takes the text; prints that it was not asked where there is none.
[[maybe_unused]] void require_assembles(const std::string &text, const std::string &architecture = "sm_90") {
  Found ptxas = find_ptxas();
  if (ptxas.path.empty()) {
    WARN("skipped: no ptxas on this machine");
    return;
  }
  std::string path =
      std::filesystem::temp_directory_path() / ("kiln_test_" + fingerprint_of(text).hex() + ".ptx");
  REQUIRE(write_file_atomically(path, text).ok());
  std::string log = path + ".log";
  int status = std::system(
      ("'" + ptxas.path + "' -arch=" + architecture + " -o /dev/null '" + path + "' > '" + log + "' 2>&1")
          .c_str());
  Result<std::string> said = read_file(log);
  std::filesystem::remove(path);
  std::filesystem::remove(log);
  INFO(text << (said ? *said : ""));
  REQUIRE(status == 0);
}

} // namespace
