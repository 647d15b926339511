// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The same bytes for the same job, and what stands in them.
#include "ptx_fixture.h"

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
  CHECK_THAT(first, Contains("callseq 0") && Contains("prototype_0 : .callprototype") &&
                        Contains("call.uni (retval0)"));
  CHECK_THAT(first, Contains("call.uni (retval0), prototype_1, (param0);")); // the function keeps its name
  require_assembles(first);
  for (int i = 0; i < 5; ++i) CHECK(ptx(calls) == first);
  std::vector<std::thread> threads;
  std::vector<std::string> texts(4);
  for (std::string &text : texts)
    threads.emplace_back([&text, calls] {
      WorkerPool pool;
      auto worker = pool.acquire();
      for (int i = 0; i < 20; ++i) {
        Result<std::string> result =
            flow::compile(*worker, flow::ptx_config(), calls, ArtifactKind::Assembly);
        text = result ? *result : result.error().what();
      }
    });
  for (std::thread &thread : threads) thread.join();
  for (const std::string &text : texts) CHECK(text == first);
}

TEST_CASE("one worker, many jobs in any order, the same bytes") {
  if (find_libdevice().path.empty()) WARN("without libdevice");
  WorkerPool pool;
  auto compile = [&](const char *text, CompilerConfig config) {
    auto worker = pool.acquire();
    Result<std::string> result = flow::compile(*worker, config, text, ArtifactKind::Assembly);
    return result ? *result : result.error().what();
  };
  CompilerConfig plain = flow::ptx_config(), fast = flow::ptx_config(80);
  fast.target.fast_math = true;
  std::string a = compile(saxpy, plain), b = compile(libdevice_user, plain),
              c = compile(libdevice_user, fast);
  for (int i = 0; i < 300; ++i) { // past the life of one context
    if (i % 3 == 0) REQUIRE(compile(libdevice_user, i % 2 ? plain : fast) == (i % 2 ? b : c));
    REQUIRE(compile(saxpy, plain) == a);
  }
}

TEST_CASE("the data layout is LLVM's own") {
  Worker worker;
  for (const Target *target : all_targets()) {
    CompilerConfig config;
    auto spec =
        target->read_spec([](std::string_view, TargetOptionPlace) { return Result<void>(); }); // the defaults
    REQUIRE(spec.ok());
    spec = target->check(*spec);
    REQUIRE(spec.ok());
    config.target = *spec;
    auto machine = worker.machine(machine_spec(*target, config));
    REQUIRE(machine.ok());
    std::string of_llvm = (*machine)->createDataLayout().getStringRepresentation();
    if (target->name() ==
        "spirv") { // until code generation: the host's alignment of i128, which SPIR-V lacks
      of_llvm.insert(of_llvm.find("-v16"), "-i128:128");
      of_llvm.erase(of_llvm.find("-G1"));
    }
    CHECK(of_llvm == target->data_layout(config.target));
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
)",
                         config, ArtifactKind::LlvmOpt);
  CHECK_THAT(text, Contains("define ptx_kernel void @kernel([1 x i64] %state, i32 %n)"));
  CHECK_THAT(text, Contains("define internal void @uses([1 x i64] %state, i32 %n)"));
  CHECK_THAT(text, Contains("define internal void @plain(i32 %n)") && !Contains("kiln.state\"()") &&
                       !Contains("@kiln.state"));
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
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %v = load float, ptr addrspace(3) %a
  store float %v, ptr addrspace(3) %d
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
)");
  CHECK_THAT(text, Contains(".shared .align 4 .b8 tile[256]") && Contains(".extern .shared .align 16") &&
                       Contains("bar.sync") && Contains("st.shared.b32"));
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
