// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "flow.h"

#include <catch2/catch.hpp>
#include <ptx/ptx.h>
#include <support/support.h>

#include <cstdlib>
#include <filesystem>
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

std::string ptx(const char *text, CompilerConfig config = flow::ptx_config(),
                ArtifactKind kind = ArtifactKind::Assembly) {
  WorkerPool pool;
  auto worker = pool.acquire();
  Result<std::string> result = flow::compile(*worker, config, text, kind);
  INFO((result ? "" : result.error().what()));
  REQUIRE(result.ok());
  return *result;
}

/// Whether ptxas takes the text; prints that it was not asked where there is none.
void require_assembles(const std::string &text, const std::string &architecture = "sm_90") {
  Found ptxas = find_ptxas();
  if (ptxas.path.empty()) {
    WARN("skipped: no ptxas on this machine");
    return;
  }
  std::string path = std::filesystem::temp_directory_path() / ("kiln_test_" + fingerprint_of(text).hex() + ".ptx");
  REQUIRE(write_file_atomically(path, text).ok());
  std::string log = path + ".log";
  int status = std::system(("'" + ptxas.path + "' -arch=" + architecture + " -o /dev/null '" + path + "' > '" + log +
                            "' 2>&1").c_str());
  Result<std::string> said = read_file(log);
  std::filesystem::remove(path);
  std::filesystem::remove(log);
  INFO(text << (said ? *said : ""));
  REQUIRE(status == 0);
}

} // namespace

TEST_CASE("a kernel with a bounds check becomes PTX that ptxas takes") {
  std::string text = ptx(saxpy);
  CHECK_THAT(text, Contains(".target sm_90") && Contains(".version 8.5") && Contains(".visible .entry saxpy"));
  CHECK_THAT(text, Contains("saxpy_param_0[8]")); // the state, by value
  CHECK_THAT(text, Contains("fma.rn.f32") && Contains("ld.global.f32") && Contains("st.global.f32"));
  CHECK_THAT(text, Contains("kiln_report_exception") && Contains("atom.global.sys.cas.b32") &&
                       Contains("membar.sys") && Contains("exit;"));
  CHECK_THAT(text, !Contains("trap") && !Contains("kiln.throw"));
  require_assembles(text);
}

TEST_CASE("how much an exception reports follows the debug level") {
  CompilerConfig config = flow::ptx_config();
  config.debug_level = 0;
  std::string none = ptx(saxpy, config);
  CHECK_THAT(none, Contains("kiln_signal_exception") && !Contains("kiln_report_exception"));
  require_assembles(none);
  // "BoundsError" and "saxpy|a.jl|3" as bytes
  const std::string name = "66, 111, 117, 110, 100, 115", place = "124, 97, 46, 106, 108, 124, 51";
  CHECK_THAT(none, !Contains(name));
  std::string names = ptx(saxpy);
  CHECK_THAT(names, Contains(name) && !Contains(place));
  config.debug_level = 2;
  std::string frames = ptx(saxpy, config);
  CHECK_THAT(frames, Contains(name) && Contains(place));
  require_assembles(frames);
}

TEST_CASE("every architecture gives PTX that ptxas takes for a newer one") {
  for (int sm : {50, 60, 70, 75, 80, 86, 89, 90}) {
    CompilerConfig config = flow::ptx_config(sm);
    std::string text = ptx(saxpy, config);
    CHECK_THAT(text, Contains(".target sm_" + std::to_string(sm)));
    if (sm >= 75)
      require_assembles(text, "sm_90");
  }
}

TEST_CASE("launch bounds") {
  CompilerConfig config = flow::ptx_config();
  CHECK_THAT(ptx(saxpy), !Contains("ntid ") && !Contains(".maxnreg") && !Contains(".minnctapersm"));
  config.target.max_threads = {42, 0, 0};
  config.target.min_blocks = 2;
  config.target.max_registers = 42;
  std::string text = ptx(saxpy, config);
  CHECK_THAT(text, Contains(".maxntid 42, 1, 1") && Contains(".minnctapersm 2") && Contains(".maxnreg 42"));
  config = flow::ptx_config();
  config.target.required_threads = {8, 4, 2};
  text = ptx(saxpy, config);
  CHECK_THAT(text, Contains(".reqntid 8, 4, 2"));
  require_assembles(text);
}

TEST_CASE("what LLVM would only warn about is an error") {
  const Target &target = find_target(TargetKind::Ptx);
  auto error = [&](auto change) {
    TargetSpec spec;
    spec.kind = TargetKind::Ptx;
    change(spec);
    Result<TargetSpec> checked = target.check(spec);
    REQUIRE(!checked.ok());
    CHECK(checked.error().kind() == ErrorKind::Usage);
    return checked.error().diagnostics().front().message;
  };
  CHECK_THAT(error([](TargetSpec &s) { s.sm = 91; }), Contains("sm_91") && Contains("sm_50, ") && Contains("sm_90a"));
  CHECK_THAT(error([](TargetSpec &s) { s.sm = 100; }), Contains("sm_100"));
  CHECK_THAT(error([](TargetSpec &s) { s.sm = 89; s.arch_specific = true; }), Contains("sm_89a"));
  CHECK_THAT(error([](TargetSpec &s) { s.arch_specific = true; s.ptx_isa = 78; }), Contains("needs PTX ISA 8.0"));
  CHECK_THAT(error([](TargetSpec &s) { s.ptx_isa = 60; }), Contains("sm_90 needs PTX ISA 7.8"));
  CHECK_THAT(error([](TargetSpec &s) { s.ptx_isa = 86; }), Contains("no PTX ISA 8.6") && Contains("8.5"));
  CHECK_THAT(error([](TargetSpec &s) { s.ptx_isa = 79; }), Contains("no PTX ISA 7.9"));
  CHECK_THAT(error([](TargetSpec &s) { s.max_threads = {2048, 1, 1}; }), Contains("1024"));
  CHECK_THAT(error([](TargetSpec &s) { s.max_registers = 256; }), Contains("255"));
  CHECK_THAT(error([](TargetSpec &s) { s.max_threads = s.required_threads = {32, 1, 1}; }), Contains("not both"));
  CHECK_THAT(error([](TargetSpec &s) { s.cpu = "skylake"; }), Contains("CPU"));
}

TEST_CASE("only the needed functions of libdevice are linked, and precisely") {
  if (find_libdevice().path.empty()) {
    WARN("skipped: no libdevice on this machine");
    return;
  }
  std::string text = ptx(libdevice_user);
  CHECK_THAT(text, Contains("sqrt.rn.f32") && !Contains("sqrt.approx") && !Contains("__nv_cos"));
  require_assembles(text);
  CompilerConfig fast = flow::ptx_config();
  fast.target.fast_math = true;
  std::string relaxed = ptx(libdevice_user, fast);
  CHECK_THAT(relaxed, Contains("sqrt.approx.ftz.f32") && !Contains("sqrt.rn.f32"));
  require_assembles(relaxed);
}

TEST_CASE("a job that calls libdevice without one says so; another does not look for it") {
  const char *before = std::getenv("KILN_CUDA_HOME");
  std::string saved = before ? before : "";
  setenv("KILN_CUDA_HOME", "/nonexistent/kiln-test", 1);
  WorkerPool pool;
  auto worker = pool.acquire();
  Result<std::string> needs = flow::compile(*worker, flow::ptx_config(), libdevice_user, ArtifactKind::Assembly);
  Result<std::string> does_not = flow::compile(*worker, flow::ptx_config(), saxpy, ArtifactKind::Assembly);
  if (before)
    setenv("KILN_CUDA_HOME", saved.c_str(), 1);
  else
    unsetenv("KILN_CUDA_HOME");
  REQUIRE(!needs.ok());
  CHECK(needs.error().kind() == ErrorKind::Machine);
  CHECK_THAT(needs.error().what(), Contains("libdevice") && Contains("/nonexistent/kiln-test"));
  CHECK(does_not.ok());
}

TEST_CASE("fast math: whole job and single operations") {
  const char *text = R"(
define void @k(ptr addrspace(1) %p, float %x, float %y, double %d, double %e) "kiln.entry" "kiln.kernel" {
  %q = fdiv FLAGS float %x, %y
  %s = call FLAGS float @llvm.sqrt.f32(float %y)
  %i = fdiv FLAGS float 1.0, %s
  %r = call FLAGS float @llvm.sqrt.f32(float %x)
  %dd = fdiv FLAGS double %d, %e
  store volatile float %q, ptr addrspace(1) %p
  store volatile float %i, ptr addrspace(1) %p
  store volatile float %r, ptr addrspace(1) %p
  store volatile double %dd, ptr addrspace(1) %p
  ret void
}
declare float @llvm.sqrt.f32(float)
)";
  auto with_flags = [&](const std::string &flags) {
    std::string result = text;
    for (size_t at; (at = result.find("FLAGS")) != result.npos;)
      result.replace(at, 5, flags);
    return result;
  };
  std::string precise = ptx(with_flags("").c_str());
  CHECK_THAT(precise, Contains("div.rn.f32") && Contains("sqrt.rn.f32") && Contains("div.rn.f64") && !Contains("approx"));
  std::string single = ptx(with_flags("fast").c_str());
  CHECK_THAT(single, Contains("div.approx.f32") && Contains("sqrt.approx.f32") && Contains("rsqrt.approx.f32") &&
                         Contains("rcp.approx.ftz.f64") && !Contains("div.rn") && !Contains(".ftz.f32"));
  CompilerConfig fast = flow::ptx_config();
  fast.target.fast_math = true;
  std::string whole = ptx(with_flags("").c_str(), fast);
  CHECK_THAT(whole, Contains("div.approx.ftz.f32") && Contains("sqrt.approx.ftz.f32") && Contains("rsqrt.approx.ftz.f32") &&
                        !Contains("div.rn"));
  require_assembles(precise);
  require_assembles(single);
  require_assembles(whole);
}

TEST_CASE("contraction: plain operations may fuse later, so they carry no rounding mode") {
  std::string text = ptx(R"(
define void @k(ptr addrspace(1) %p, float %x, float %y) "kiln.entry" "kiln.kernel" {
  %m = fmul contract float %x, %y
  %s = fsub contract float %m, 1.0
  store float %m, ptr addrspace(1) %p
  %p2 = getelementptr float, ptr addrspace(1) %p, i64 1
  store float %s, ptr addrspace(1) %p2
  ret void
}
)");
  CHECK_THAT(text, Contains("mul.f32") && !Contains("mul.rn.f32"));
}

TEST_CASE("call-site numbers do not depend on what the process compiled before") {
  const char *calls = R"(
define void @k(ptr addrspace(1) %p, ptr %f) "kiln.entry" "kiln.kernel" {
  %a = call i32 @outlined(i32 1)
  %b = call i32 @outlined(i32 %a)
  %c = call i32 %f(i32 %b)
  %d = call i32 %f(i32 %c)
  store i32 %d, ptr addrspace(1) %p
  ret void
}
define internal i32 @outlined(i32 %x) noinline { 
  %r = call i32 @prototype_1(i32 %x)
  ret i32 %r
}
define internal i32 @prototype_1(i32 %x) noinline {
  %y = mul i32 %x, %x
  ret i32 %y
}
)";
  std::string first = ptx(calls);
  CHECK_THAT(first, Contains("callseq 0") && Contains("prototype_0 : .callprototype") && Contains("call.uni (retval0)"));
  CHECK_THAT(first, Contains("\tprototype_1, \n")); // the function keeps its name
  require_assembles(first);
  for (int i = 0; i < 5; ++i)
    CHECK(ptx(calls) == first);
  std::vector<std::thread> threads;
  std::vector<std::string> texts(4);
  for (std::string &text : texts)
    threads.emplace_back([&text, calls] {
      WorkerPool pool;
      auto worker = pool.acquire();
      for (int i = 0; i < 20; ++i) {
        Result<std::string> result = flow::compile(*worker, flow::ptx_config(), calls, ArtifactKind::Assembly);
        text = result ? *result : result.error().what();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  for (const std::string &text : texts)
    CHECK(text == first);
}

TEST_CASE("one worker, many jobs in any order, the same bytes") {
  if (find_libdevice().path.empty())
    WARN("without libdevice");
  WorkerPool pool;
  auto compile = [&](const char *text, CompilerConfig config) {
    auto worker = pool.acquire();
    Result<std::string> result = flow::compile(*worker, config, text, ArtifactKind::Assembly);
    return result ? *result : result.error().what();
  };
  CompilerConfig plain = flow::ptx_config(), fast = flow::ptx_config(80);
  fast.target.fast_math = true;
  std::string a = compile(saxpy, plain), b = compile(libdevice_user, plain), c = compile(libdevice_user, fast);
  for (int i = 0; i < 300; ++i) { // past the life of one context
    if (i % 3 == 0)
      REQUIRE(compile(libdevice_user, i % 2 ? plain : fast) == (i % 2 ? b : c));
    REQUIRE(compile(saxpy, plain) == a);
  }
}

TEST_CASE("the data layout is LLVM's own") {
  Worker worker;
  for (const Target *target : all_targets()) {
    CompilerConfig config;
    config.target.kind = target->kind();
    auto spec = target->check(config.target);
    REQUIRE(spec.ok());
    config.target = *spec;
    auto machine = worker.machine(machine_spec(*target, config));
    REQUIRE(machine.ok());
    CHECK((*machine)->createDataLayout().getStringRepresentation() == target->data_layout(config.target));
  }
}

TEST_CASE("only what uses the state gets it, and only kernels always") {
  CompilerConfig config = flow::ptx_config();
  config.optimize = config.cleanup = false;
  std::string text = ptx(R"(
define void @kernel(i32 %n) "kiln.entry" "kiln.kernel" {
  call void @uses(i32 %n)
  call void @plain(i32 %n)
  ret void
}
define void @uses(i32 %n) noinline {
  %s = call ptr @kiln.state()
  store volatile i32 %n, ptr %s
  ret void
}
define void @plain(i32 %n) noinline { ret void }
declare ptr @kiln.state()
)", config, ArtifactKind::LlvmOpt);
  CHECK_THAT(text, Contains("define ptx_kernel void @kernel([1 x i64] %state, i32 %n)"));
  CHECK_THAT(text, Contains("define internal void @uses([1 x i64] %state, i32 %n)"));
  CHECK_THAT(text, Contains("define internal void @plain(i32 %n)") && !Contains("kiln.state\"()") && !Contains("@kiln.state"));
  CHECK_THAT(text, Contains("call void @uses([1 x i64] %state, i32 %n)"));
}

TEST_CASE("shared memory on ptx stays a global") {
  std::string text = ptx(R"(
@tile = internal addrspace(3) global [64 x float] undef, align 4
@dynamic = external addrspace(3) global [0 x i8], align 16
define void @k(ptr addrspace(1) %p) "kiln.entry" "kiln.kernel" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr [64 x float], ptr addrspace(3) @tile, i32 0, i32 %t
  %d = getelementptr float, ptr addrspace(3) @dynamic, i32 %t
  store float 1.0, ptr addrspace(3) %a
  call void @llvm.nvvm.barrier0()
  %v = load float, ptr addrspace(3) %a
  store float %v, ptr addrspace(3) %d
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier0()
)");
  CHECK_THAT(text, Contains(".shared .align 4 .b8 tile[256]") && Contains(".extern .shared .align 16") &&
                       Contains("bar.sync") && Contains("st.shared.f32"));
  require_assembles(text);
}

TEST_CASE("debug information at every level assembles") {
  const char *text = R"(
define void @k(ptr addrspace(1) %p) "kiln.entry" "kiln.kernel" !dbg !5 {
  store float 1.0, ptr addrspace(1) %p, !dbg !8
  ret void, !dbg !9
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!10}
!10 = !{i32 2, !"Debug Info Version", i32 3}
!0 = distinct !DICompileUnit(language: DW_LANG_Julia, file: !1, producer: "kiln", isOptimized: true, runtimeVersion: 0, emissionKind: KIND)
!1 = !DIFile(filename: "a.jl", directory: "/tmp")
!3 = !DISubroutineType(types: !4)
!4 = !{null}
!5 = distinct !DISubprogram(name: "k", linkageName: "k", scope: !1, file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 4, column: 3, scope: !5)
!9 = !DILocation(line: 5, column: 3, scope: !5)
)";
  auto of_kind = [&](const std::string &kind) {
    std::string result = text;
    return result.replace(result.find("KIND"), 4, kind);
  };
  CompilerConfig config = flow::ptx_config();
  std::string lines = ptx(of_kind("DebugDirectivesOnly").c_str(), config);
  CHECK_THAT(lines, Contains(".loc\t1 4") && Contains(".file\t1") && !Contains(", debug"));
  require_assembles(lines);
  config.debug_level = 2;
  std::string full = ptx(of_kind("FullDebug").c_str(), config);
  CHECK_THAT(full, Contains(".loc\t1 4") && Contains(", debug") && Contains(".debug_info"));
  require_assembles(full);
  config.debug_level = 0;
  CHECK_THAT(ptx(of_kind("FullDebug").c_str(), config), !Contains(".loc") && !Contains(".debug"));
  config.debug_level = 1;
  config.strip = true;
  CHECK_THAT(ptx(of_kind("DebugDirectivesOnly").c_str(), config), !Contains(".loc"));
}
