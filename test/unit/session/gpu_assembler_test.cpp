// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver as the assembler, and what the timing report tells of kernels; against the fake driver.
#include "gpu_fixture.h"
#include "scratch.h"

#include <filesystem>
#include <fstream>

namespace gpu_assembler_test {

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr const char *program = "using CUDA\nfunction set(y, a)\n  y[threadIdx().x] = a\n  return\nend\n";
constexpr const char *call = "set(CuDeviceVector{Int64,1}, Int64)";

std::unique_ptr<Session> open(const std::string &folder = {}, bool timings = false) {
  SessionOptions options;
  options.cache_dir = folder;
  options.timings = timings;
  options.verbosity = LogLevel::Error;
  auto session = take(Session::open(options));
  take(session->load("test.jl", program));
  return session;
}

/// No toolkit's assembler.
struct DriverAlone {
  Fake fake;
  Environment assembler{"KILN_ASSEMBLER", "driver"};
};

} // namespace

TEST_CASE("without a toolkit the driver makes the cubin, under a key of its own") {
  DriverAlone machine;
  Fake &fake = machine.fake;
  Scratch folder;
  auto session = open(folder.path);
  uint64_t before = fake.count("cuLinkComplete");
  Kernel kernel = take(session->prepare(call, {}, take(session->gpu())));
  const Artifact &cubin = kernel.artifact();
  CHECK(cubin.kind == ArtifactKind::Cubin);
  CHECK_THAT(cubin.assembler, Catch::StartsWith("driver") && Catch::EndsWith("CUDA 13.0"));
  CHECK(cubin.bytes.find("ELF sm_90\n") == 1);
  CHECK(cubin.resources.registers == 21);
  CHECK(cubin.resources.spill_load_bytes == 8);
  CHECK(fake.count("cuLinkComplete") == before + 1);
  CHECK(fake.living().links == 0);
  take(session->prepare(call, {}, take(session->gpu(1)))); // the other GPU takes the same
  CHECK(fake.count("cuLinkComplete") == before + 1);
  session->flush_cache();
  kernel = {};
  session.reset();

  session = open(folder.path);
  take(session->prepare(call, {}, take(session->gpu())));
  CHECK(fake.count("cuLinkComplete") == before + 1); // from the folder
  CHECK(session->counters().compiled == 0);
  session.reset();

  Environment updated("KILN_FAKE_CUDA_VERSION", "13010");
  session = open(folder.path);
  take(session->prepare(call, {}, take(session->gpu())));
  CHECK(fake.count("cuLinkComplete") == before + 2); // another driver is another assembler
}

TEST_CASE(
    "a kernel that waits for its grid is launched cooperatively, also from the folder, and is compiled once") {
  DriverAlone machine;
  Scratch folder;
  constexpr const char *text =
      "function meet(y)\n  grid = CG.this_grid()\n  CG.sync(grid)\n  y[1] = 1\n  return\nend\nleft_out(y) = (if length(y) < 0; CG.sync(CG.this_grid()); end; y[1] = 1; return)\n"
      "by_hand(y) = (y[1] = inline_assembly(Val(Symbol(\"mov.u32 \\$0, %envreg1;\")), Val(Symbol(\"=r\")), UInt32, Tuple{}); return)\n";
  for (int round = 0; round < 2; round++) {
    auto session = open(folder.path);
    take(session->load("grid.jl", text));
    Device device = take(session->gpu());
    Stream stream = take(session->stream(device));
    int64_t y[64] = {};
    Argument array = Argument::array(y, {64});
    const void *arguments[] = {array.bytes.data()};
    for (auto [name, waits] : {std::pair("meet(CuDeviceVector{Int64,1})", true),
                               {"set(CuDeviceVector{Int64,1}, Int64)", false},
                               {"by_hand(CuDeviceVector{Int64,1})", true}}) {
      INFO(name << ", round " << round);
      const uint64_t before = session->counters().compiled, hits = session->counters().hits;
      Kernel kernel = take(session->prepare(name, {}, device));
      CHECK(kernel.artifact().needs_cooperative_launch == waits);
      CHECK(session->counters().compiled == before + (round == 0 ? 2 : 0)); // PTX and cubin
      // Asked for once more: the driver's assembler takes the PTX that was made before no other was found.
      CHECK(session->counters().hits == hits + 1);
      if (!waits) continue;
      done(stream.launch(kernel, {.blocks = {4, 1, 1}, .threads = {32, 1, 1}}, arguments));
      CHECK(machine.fake.last_launch().cooperative == 1);
    }
    // Whoever loads an artifact by itself takes the fact from it.
    auto artifact = take(session->compile("meet(CuDeviceVector{Int64,1})", {.target = device.target()},
                                          ArtifactKind::Assembly));
    CHECK(artifact->needs_cooperative_launch);
    done(stream.launch(take(session->load_kernel(artifact, device)), {.threads = {32, 1, 1}}, arguments));
    CHECK(machine.fake.last_launch().cooperative == 1);
  }
}

TEST_CASE("for a GPU newer than Kiln's code its own driver makes the cubin") {
  Fake fake;
  Environment newer("KILN_FAKE_CUDA_SM", "130");
  auto session = open();
  uint64_t before = fake.count("cuLinkComplete");
  Kernel kernel = take(session->prepare(call, {}, take(session->gpu())));
  CHECK(fake.count("cuLinkComplete") == before + 1);
  CHECK_THAT(kernel.artifact().assembler, Catch::EndsWith("for sm_130"));
  CHECK(kernel.artifact().bytes.find("ELF sm_130\n") == 1);
  CHECK(kernel.artifact().bytes.find(".target sm_121") != std::string::npos);
}

TEST_CASE("a GPU gets code for its own architecture, and for a family where the config says so") {
  DriverAlone machine;
  for (const char *sm : {"75", "88", "100", "103", "110", "121"}) {
    Environment gpu("KILN_FAKE_CUDA_SM", sm);
    auto session = open();
    Device device = take(session->gpu());
    CHECK(device.target().get<PtxOptions>().sm == std::stoi(sm));
    const Kernel kernel = take(session->prepare(call, {}, device));
    CHECK(kernel.artifact().bytes.find(std::string("ELF sm_") + sm + "\n") == 1);
  }
  Environment gpu("KILN_FAKE_CUDA_SM", "103");
  auto session = open();
  Device device = take(session->gpu());
  const CompilerConfig family{.target = PtxOptions{.sm = 100, .family_specific = true}};
  const Kernel kernel = take(session->prepare(call, family, device));
  // CU_TARGET_COMPUTE_100F of cuda.h: CU_COMPUTE_FAMILY_TARGET_BASE is 0x20000.
  CHECK(kernel.artifact().bytes.find("ELF sm_" + std::to_string(0x20000 + 100) + "\n") == 1);
  CHECK(kernel.artifact().bytes.find(".target sm_100f") != std::string::npos);
  for (const PtxOptions &wrong : {PtxOptions{.sm = 120, .family_specific = true},
                                  PtxOptions{.sm = 100, .arch_specific = true}, PtxOptions{.sm = 110}}) {
    auto refused = session->prepare(call, {.target = wrong}, device);
    CHECK_THAT(failure(refused), Catch::Contains("does not run on Fake GPU 0, which is sm_103") &&
                                     Catch::Contains("sm_103, sm_103a, sm_100f, sm_103f do"));
  }
}

TEST_CASE(
    "where the toolkit is older than the PTX the driver assembles, and where both are, one error says so") {
  Fake fake;
  Scratch toolkit;
  std::filesystem::create_directories(toolkit.path / "bin");
  const auto program = toolkit.path / "bin" / "ptxas";
  std::ofstream(program) << "#!/bin/sh\necho 'Cuda compilation tools, release 12.3, V12.3.107'\n";
  std::filesystem::permissions(program, std::filesystem::perms::owner_all);
  Environment home("KILN_CUDA_HOME", toolkit.path.string()), which("KILN_ASSEMBLER", "ptxas");
  {
    auto session = open();
    uint64_t before = fake.count("cuLinkComplete");
    const Kernel kernel = take(session->prepare(call, {}, take(session->gpu())));
    CHECK(fake.count("cuLinkComplete") == before + 1);
    CHECK_THAT(kernel.artifact().assembler, Catch::EndsWith("CUDA 13.0"));
    auto offline = session->compile(call, {.target = PtxOptions{.sm = 100}}, ArtifactKind::Cubin);
    CHECK_THAT(failure(offline),
               Catch::Contains("3 error: the code for sm_100 is PTX ISA 8.8, and ptxas 12.3.107 "
                               "reads PTX ISA up to 8.3"));
  }
  Environment old("KILN_FAKE_CUDA_VERSION", "12020");
  auto session = open();
  const CompilerConfig newer{.target = PtxOptions{.ptx_isa = 85}};
  CHECK_THAT(
      failure(session->prepare(call, newer, take(session->gpu()))),
      Catch::Contains("3 error: the code for sm_90 is PTX ISA 8.5, and ptxas 12.3.107 reads PTX ISA up to "
                      "8.3, and the driver for CUDA 12.2 reads PTX ISA up to 8.2") &&
          Catch::Contains(R"(lower it with "ptx-isa": "8.3")"));
}

TEST_CASE("what the driver's assembler complains of is told with its place") {
  DriverAlone machine;
  Environment fail("KILN_FAKE_CUDA_FAIL", "cuLinkAddData_v2=218");
  auto session = open();
  auto failed = session->prepare(call, {}, take(session->gpu()));
  CHECK_THAT(failure(failed), Catch::Contains("AssemblerError: it is not what it should be (driver") &&
                                  Catch::Contains("line 3 of the PTX"));
  CHECK(machine.fake.living().links == 0);
}

TEST_CASE("the timing report tells what kernels take and how they were launched") {
  DriverAlone machine;
  auto session = open({}, true);
  Device device = take(session->gpu());
  Kernel kernel = take(session->prepare(call, {}, device));
  TimingReport before = session->timings();
  REQUIRE(before.kernels.size() == 1);
  CHECK(before.kernels[0].registers == 21);
  CHECK(before.kernels[0].spilled_bytes == 12);
  CHECK(before.kernels[0].launches == 0);
  Stream stream = take(session->stream(device));
  int64_t y[64] = {}, a = 5;
  Argument array = Argument::array(y, {64});
  const void *arguments[] = {array.bytes.data(), &a};
  for (int i = 0; i < 3; i++)
    done(stream.launch(kernel, {.threads = {256, 1, 1}, .shared_bytes = 100000}, arguments));
  done(stream.synchronize());
  TimingReport report = session->timings();
  REQUIRE(report.kernels.size() == 1);
  CHECK(report.kernels[0].launches == 3);
  CHECK(report.kernels[0].threads == 256);
  CHECK(report.kernels[0].occupancy == Approx(16 / 64.0)); // two blocks of 8 warps: 228 KB hold two of 98 KB
  CHECK(report.kernels[0].limit == "shared memory");
  CHECK_THAT(report.table(), Catch::Contains("25%  shared memory, driver"));
  CHECK_THAT(report.json(), Catch::Contains("\"launches\": 3, \"threads\": 256"));
}

TEST_CASE("PTX that the driver does not read is named with the driver that does") {
  Fake fake;
  Environment old("KILN_FAKE_CUDA_VERSION", "12020");
  auto session = open();
  Device device = take(session->gpu());
  Artifact newer = *ptx("second");
  newer.bytes.replace(newer.bytes.find("8.0"), 3, "8.4");
  CHECK_THAT(failure(session->load_kernel(std::make_shared<const Artifact>(newer), device)),
             Catch::Contains(
                 "loading second on Fake GPU 0: the code for sm_50 is PTX ISA 8.4, and the driver for CUDA "
                 "12.2 reads PTX ISA up to 8.2") &&
                 Catch::Contains("install a driver for CUDA 12.4 (550.54.14) or newer"));
}

} // namespace gpu_assembler_test
