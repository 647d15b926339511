// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "ptx_fixture.h"

#include <architectures/architectures.h>

#include <kiln/cuda_toolkit.h>

#include <llvm/MC/MCSubtargetInfo.h>
#include <llvm/MC/TargetRegistry.h>

#include <cstdio>
#include <set>

TEST_CASE("a kernel with a bounds check becomes PTX that ptxas takes") {
  std::string text = ptx(saxpy);
  CHECK_THAT(text,
             Contains(".target sm_90") && Contains(".version 8.5") && Contains(".visible .entry saxpy"));
  CHECK_THAT(text, Contains("saxpy_param_0[8]")); // the state, by value
  CHECK_THAT(text, Contains("fma.rn.f32") && Contains("ld.global.b32") && Contains("st.global.b32"));
  CHECK_THAT(text,
             Contains("atom.acq_rel.sys.global.cas.b32") && Contains("membar.sys") && Contains("exit;"));
  CHECK_THAT(text, !Contains("trap") && !Contains("kiln.throw") && !Contains("call"));
  require_assembles(text);
}

TEST_CASE("how much an exception reports follows the debug level") {
  CompilerConfig config = flow::ptx_config();
  config.debug_level = 0;
  std::string none = ptx(saxpy, config);
  CHECK_THAT(none, Contains("atom.acq_rel.sys.global.cas.b32") && !Contains("kiln_text"));
  require_assembles(none);
  // "BoundsError" and "saxpy|a.jl|3" as bytes
  const std::string name = "66, 111, 117, 110, 100, 115", place = "124, 97, 46, 106, 108, 124, 51";
  CHECK_THAT(none, !Contains(name) && !Contains(place));
  CHECK_THAT(ptx(saxpy), Contains(name) && Contains(place)); // one frame: the innermost of the program
  config.debug_level = 2;
  std::string frames = ptx(saxpy, config);
  CHECK_THAT(frames, Contains(name) && Contains(place));
  require_assembles(frames);
}

TEST_CASE("every architecture gives PTX that ptxas takes for a newer one") {
  for (const ArchitectureInfo &row : architectures())
    for (ArchVariant variant : {ArchVariant::Plain, ArchVariant::Family, ArchVariant::Specific}) {
      const GpuArch arch{row.sm, variant};
      if (!first_isa(arch)) continue;
      CompilerConfig config = flow::ptx_config(row.sm);
      set_arch(config.target.edit<PtxOptions>(), arch);
      const std::string text = ptx(saxpy, config);
      CHECK(ptx_header(text).arch == arch);
      CHECK(ptx_header(text).isa == default_isa(arch));
      if (row.sm >= 75) require_assembles(text, arch_name(arch));
    }
}

TEST_CASE("LLVM knows every architecture and PTX ISA of the table") {
  std::string failure;
  const llvm::Triple triple("nvptx64-nvidia-cuda");
  const llvm::Target *llvm_target = llvm::TargetRegistry::lookupTarget(triple, failure);
  REQUIRE(llvm_target);
  std::unique_ptr<llvm::MCSubtargetInfo> info(llvm_target->createMCSubtargetInfo(triple, "sm_90", ""));
  REQUIRE(info);
  std::set<std::string> features;
  for (const llvm::SubtargetFeatureKV &feature : info->getAllProcessorFeatures())
    features.insert(feature.Key);
  for (const ArchitectureInfo &row : architectures())
    for (ArchVariant variant : {ArchVariant::Plain, ArchVariant::Family, ArchVariant::Specific})
      if (const GpuArch arch{row.sm, variant}; first_isa(arch))
        CHECK(info->isCPUStringValid(arch_name(arch)));
  for (const PtxIsaInfo &isa : ptx_isas()) CHECK(features.contains("ptx" + std::to_string(isa.isa)));
}

TEST_CASE("the assembler knows every architecture since sm_75") {
  const Found tool = find_ptxas();
  if (tool.path.empty()) {
    WARN("skipped: no ptxas on this machine");
    return;
  }
  std::string help;
  FILE *pipe = ::popen(("'" + tool.path + "' --help").c_str(), "r");
  REQUIRE(pipe);
  for (int c; (c = std::fgetc(pipe)) != EOF;) help += char(c);
  REQUIRE(::pclose(pipe) == 0);
  if (help.find("sm_121") == std::string::npos) {
    WARN("skipped: ptxas is older than CUDA 13");
    return;
  }
  std::set<std::string> theirs, ours;
  for (size_t at = 0; (at = help.find("'sm_", at)) != std::string::npos;) {
    const size_t end = help.find('\'', ++at);
    theirs.insert(help.substr(at, end - at));
    at = end;
  }
  for (const ArchitectureInfo &row : architectures())
    for (ArchVariant variant : {ArchVariant::Plain, ArchVariant::Family, ArchVariant::Specific})
      if (const GpuArch arch{row.sm, variant}; first_isa(arch) && !row.last_cuda)
        ours.insert(arch_name(arch));
  for (const std::string &name : ours) CHECK(theirs.contains(name));
  for (const std::string &name : theirs) CHECK(first_isa(*parse_arch(name)) != 0);
}

TEST_CASE("launch bounds") {
  CompilerConfig config = flow::ptx_config();
  CHECK_THAT(ptx(saxpy), !Contains("ntid ") && !Contains(".maxnreg") && !Contains(".minnctapersm"));
  config.target.edit<PtxOptions>().max_threads = {42, 0, 0};
  config.target.edit<PtxOptions>().min_blocks = 2;
  config.target.edit<PtxOptions>().max_registers = 42;
  std::string text = ptx(saxpy, config);
  CHECK_THAT(text, Contains(".maxntid 42, 1, 1") && Contains(".minnctapersm 2") && Contains(".maxnreg 42"));
  config = flow::ptx_config();
  config.target.edit<PtxOptions>().required_threads = {8, 4, 2};
  text = ptx(saxpy, config);
  CHECK_THAT(text, Contains(".reqntid 8, 4, 2"));
  require_assembles(text);
}

TEST_CASE("what LLVM would only warn about is an error") {
  const Target &target = find_target(PtxOptions());
  auto error = [&](auto change) {
    PtxOptions options;
    change(options);
    Result<TargetSpec> checked = target.check(options);
    REQUIRE(!checked.ok());
    CHECK(checked.error().kind() == ErrorKind::Usage);
    return checked.error().diagnostics().front().message;
  };
  CHECK_THAT(error([](PtxOptions &s) { s.sm = 91; }),
             Contains("sm_91") && Contains("sm_50, ") && Contains("sm_90a"));
  CHECK_THAT(error([](PtxOptions &s) { s.sm = 101; }), Contains("sm_101 is called sm_110 since CUDA 13.0"));
  CHECK_THAT(error([](PtxOptions &s) {
               s.sm = 101;
               s.family_specific = true;
             }),
             Contains("sm_101f is called sm_110f"));
  CHECK_THAT(error([](PtxOptions &s) { s.family_specific = true; }), Contains("no architecture sm_90f"));
  CHECK_THAT(error([](PtxOptions &s) {
               s.sm = 100;
               s.family_specific = s.arch_specific = true;
             }),
             Contains("not both"));
  CHECK_THAT(error([](PtxOptions &s) {
               s.sm = 100;
               s.ptx_isa = 85;
             }),
             Contains("sm_100 needs PTX ISA 8.6 or newer, not 8.5"));
  CHECK_THAT(error([](PtxOptions &s) {
               s.sm = 100;
               s.family_specific = true;
               s.ptx_isa = 87;
             }),
             Contains("sm_100f needs PTX ISA 8.8"));
  CHECK_THAT(error([](PtxOptions &s) {
               s.sm = 89;
               s.arch_specific = true;
             }),
             Contains("sm_89a"));
  CHECK_THAT(error([](PtxOptions &s) {
               s.arch_specific = true;
               s.ptx_isa = 78;
             }),
             Contains("needs PTX ISA 8.0"));
  CHECK_THAT(error([](PtxOptions &s) { s.ptx_isa = 60; }), Contains("sm_90 needs PTX ISA 7.8"));
  CHECK_THAT(error([](PtxOptions &s) { s.ptx_isa = 89; }), Contains("no PTX ISA 8.9") && Contains("9.0"));
  CHECK_THAT(error([](PtxOptions &s) { s.ptx_isa = 79; }), Contains("no PTX ISA 7.9"));
  CHECK_THAT(error([](PtxOptions &s) { s.max_threads = {2048, 1, 1}; }), Contains("1024"));
  CHECK_THAT(error([](PtxOptions &s) { s.max_registers = 256; }), Contains("255"));
  CHECK_THAT(error([](PtxOptions &s) { s.coarse_bytes = 24; }), Contains("16 or 32 bytes at once, not 24"));
  CHECK_THAT(error([](PtxOptions &s) {
               s.sm = 86;
               s.min_blocks = 17;
             }),
             Contains("a multiprocessor of sm_86 runs at most 16 blocks, not 17"));
  CHECK_THAT(error([](PtxOptions &s) {
               s.sm = 89;
               s.cluster = {2, 1, 1};
             }),
             Contains("sm_89 has no clusters"));
  CHECK_THAT(error([](PtxOptions &s) { s.max_threads = s.required_threads = {32, 1, 1}; }),
             Contains("not both"));
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
  add_cuda_folder("/nonexistent/kiln-told"); // asked after that, and named once
  add_cuda_folder("/nonexistent/kiln-told");
  WorkerPool pool;
  auto worker = pool.acquire();
  Result<std::string> needs =
      flow::compile(*worker, flow::ptx_config(), libdevice_user, ArtifactKind::Assembly);
  Result<std::string> does_not = flow::compile(*worker, flow::ptx_config(), saxpy, ArtifactKind::Assembly);
  if (before)
    setenv("KILN_CUDA_HOME", saved.c_str(), 1);
  else
    unsetenv("KILN_CUDA_HOME");
  REQUIRE(!needs.ok());
  CHECK(needs.error().kind() == ErrorKind::Machine);
  CHECK_THAT(needs.error().what(), Contains("libdevice") &&
                                       Contains("/nonexistent/kiln-test, /nonexistent/kiln-told") &&
                                       !Contains("kiln-told, /nonexistent/kiln-told"));
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
    for (size_t at; (at = result.find("FLAGS")) != result.npos;) result.replace(at, 5, flags);
    return result;
  };
  std::string precise = ptx(with_flags("").c_str());
  CHECK_THAT(precise, Contains("div.rn.f32") && Contains("sqrt.rn.f32") && Contains("div.rn.f64") &&
                          !Contains("approx"));
  std::string single = ptx(with_flags("fast").c_str());
  CHECK_THAT(single, Contains("div.approx.f32") && Contains("sqrt.approx.f32") &&
                         Contains("rsqrt.approx.f32") && Contains("rcp.approx.ftz.f64") &&
                         !Contains("div.rn") && !Contains(".ftz.f32"));
  CompilerConfig fast = flow::ptx_config();
  fast.target.fast_math = true;
  std::string whole = ptx(with_flags("").c_str(), fast);
  CHECK_THAT(whole, Contains("div.approx.ftz.f32") && Contains("sqrt.approx.ftz.f32") &&
                        Contains("rsqrt.approx.ftz.f32") && !Contains("div.rn"));
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
