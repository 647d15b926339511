// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The questions of hosts: a spec for a device, for another architecture, after an error, and as code for
// GPUs. Expected values come from the tables of the PTX ISA and of CUDA's releases.
#include <catch2/catch.hpp>
#include <targets/targets.h>

using namespace kiln;

namespace {

const Target &ptx() { return *find_target("ptx"); }
const DeviceFacts hopper{.name = "H100", .compute_capability = 90, .cuda = 12080};

const Error needs_architecture = make_error(ErrorCode::NeedsArchitecture, "wgmma is sm_90a's");

} // namespace

TEST_CASE("a spec for a GPU has a PTX version that its driver reads") {
  auto spec = ptx().for_device(PtxOptions{.sm = 80}, hopper);
  REQUIRE(spec.ok());
  CHECK(spec->get<PtxOptions>() == PtxOptions{.sm = 80, .ptx_isa = 85});
  spec = ptx().for_device(PtxOptions{.sm = 80}, {.name = "A100", .compute_capability = 80, .cuda = 12000});
  REQUIRE(spec.ok());
  CHECK(spec->get<PtxOptions>().ptx_isa == 80); // CUDA 12.0 reads up to 8.0
  spec = ptx().for_device(PtxOptions{.sm = 80, .ptx_isa = 70}, hopper);
  REQUIRE(spec.ok());
  CHECK(spec->get<PtxOptions>().ptx_isa == 70);
}

TEST_CASE("a GPU refuses code for a newer one and for the features of another") {
  for (const PtxOptions &options : {PtxOptions{.sm = 100}, PtxOptions{.sm = 80, .arch_specific = true},
                                    PtxOptions{.sm = 100, .family_specific = true}}) {
    const auto spec = ptx().for_device(options, hopper);
    REQUIRE(!spec.ok());
    CHECK(spec.error().kind() == ErrorKind::Usage);
    CHECK_THAT(spec.error().what(), Catch::Contains("does not run on H100, which is sm_90"));
  }
}

TEST_CASE("another architecture brings its own default version and keeps a chosen one") {
  TargetSpec spec = PtxOptions{.sm = 90, .ptx_isa = 85, .max_registers = 40};
  spec.fast_math = true;
  auto other = ptx().for_architecture(spec, "sm_100f");
  REQUIRE(other);
  CHECK(other->get<PtxOptions>() ==
        PtxOptions{.sm = 100, .family_specific = true, .ptx_isa = 88, .max_registers = 40});
  CHECK(other->fast_math);
  other = ptx().for_architecture(PtxOptions{.sm = 80, .ptx_isa = 70}, "sm_90");
  REQUIRE(other);
  CHECK(other->get<PtxOptions>().ptx_isa == 78); // the first that knows sm_90
  CHECK(!ptx().for_architecture(spec, "x86-64-v3"));
  TargetSpec cpu = NativeOptions{.cpu = "znver3", .features = "+avx2"};
  cpu.contract = Contraction::On;
  other = find_target("native")->for_architecture(cpu, "x86-64-v2");
  REQUIRE(other);
  CHECK(other->get<NativeOptions>() == NativeOptions{.cpu = "x86-64-v2"});
  CHECK(other->contract == Contraction::On);
}

TEST_CASE("a job that needs the features of its GPU is tried with them") {
  const TargetSpec plain = PtxOptions{.sm = 90, .ptx_isa = 85};
  const auto other = ptx().retry(needs_architecture, plain, hopper);
  REQUIRE(other);
  CHECK(other->get<PtxOptions>() == PtxOptions{.sm = 90, .arch_specific = true, .ptx_isa = 85});
  CHECK(!ptx().retry(input_error("wgmma is sm_90a's: --arch sm_90a"), plain, hopper));
  CHECK(!ptx().retry(needs_architecture, PtxOptions{.sm = 80}, hopper));
  CHECK(!ptx().retry(needs_architecture, *other, hopper));
}

TEST_CASE("code for GPUs is described without its target's options") {
  const auto code = ptx().gpu_code(PtxOptions{
      .sm = 100, .family_specific = true, .ptx_isa = 88, .max_threads = {256, 2, 1}, .coarse_bytes = 32});
  REQUIRE(code);
  CHECK(code->sm == 100);
  CHECK((code->family_specific && !code->arch_specific));
  CHECK(code->ptx_isa == 88);
  CHECK(code->block_threads == Extents{256, 2, 1});
  CHECK(code->coarse_bytes == 32);
  CHECK(ptx().gpu_code(PtxOptions{.max_threads = {0, 0, 0}, .required_threads = {64, 1, 1}})->block_threads ==
        Extents{64, 1, 1});
  CHECK(!find_target("native")->gpu_code(TargetSpec()));
}

TEST_CASE("targets by spec and name") {
  CHECK(find_target("ptx") == &find_target(PtxOptions()));
  CHECK(find_target("native") == &find_target(NativeOptions()));
  CHECK(find_target("gcn") == nullptr);
}
