// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver as the assembler, and what the timing report tells of kernels; against the fake driver.
#include "../scratch.h"
#include "gpu_fixture.h"

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr const char *program = "using CUDA\nfunction set(y, a)\n  y[threadIdx().x] = a\n  return\nend\n";
constexpr const char *call = "set(CuDeviceVector{Int64,1}, Int64)";

std::unique_ptr<Session> open(const std::string &folder = {}, bool timings = false) {
  SessionOptions options;
  options.cache_dir = folder;
  options.timings = timings;
  options.verbosity = 0;
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

TEST_CASE("for a GPU newer than Kiln's code its own driver makes the cubin") {
  Fake fake;
  Environment newer("KILN_FAKE_CUDA_SM", "120");
  auto session = open();
  uint64_t before = fake.count("cuLinkComplete");
  Kernel kernel = take(session->prepare(call, {}, take(session->gpu())));
  CHECK(fake.count("cuLinkComplete") == before + 1);
  CHECK_THAT(kernel.artifact().assembler, Catch::EndsWith("for sm_120"));
  CHECK(kernel.artifact().bytes.find("ELF sm_120\n") == 1);
  CHECK(kernel.artifact().bytes.find(".target sm_90") != std::string::npos);
}

TEST_CASE("what the driver's assembler complains of is told with its place") {
  DriverAlone machine;
  Environment fail("KILN_FAKE_CUDA_FAIL", "cuLinkAddData_v2=218");
  auto session = open();
  auto failed = session->prepare(call, {}, take(session->gpu()));
  CHECK_THAT(failure(failed), Catch::Contains("AssemblerError: it is not what it should be (driver") && Catch::Contains("line 3 of the PTX"));
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
  for (int i = 0; i < 3; i++) done(stream.launch(kernel, {.threads = {256, 1, 1}, .shared_bytes = 100000}, arguments));
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
