// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which of a bundle's code a GPU is given; against the fake driver, of which each test says what GPU it has.
#include "bundle_fixture.h"

#include "gpu_fixture.h"

#include <catch2/catch.hpp>

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

namespace {

/// What the fake driver takes for a cubin: it finds kernels as it does in PTX.
BundledCode code(bundle::CodeKind kind, uint32_t sm, bool is_specific = false) {
  BundledCode made{.kind = kind,
                   .level = sm,
                   .flags = bundle::HasKernelState | (is_specific ? uint32_t(bundle::ArchSpecific) : 0u),
                   .entry = "first",
                   .shared_bytes = 0,
                   .blob = ptx()->bytes};
  made.blob += fmt::format("// {} sm_{}{}\n", kind == bundle::CodeKind::Cubin ? "cubin" : "text", sm,
                           is_specific ? "a" : "");
  return made;
}
BundledCode cubin(uint32_t sm, bool is_specific = false) {
  return code(bundle::CodeKind::Cubin, sm, is_specific);
}
BundledCode text(uint32_t sm, bool is_specific = false) {
  return code(bundle::CodeKind::Ptx, sm, is_specific);
}

/// The last line of what a GPU of that kind loads, or why it loads nothing.
std::string loaded_on(const char *sm, std::vector<BundledCode> codes, const BundleOptions &options = {}) {
  Environment kind("KILN_FAKE_CUDA_SM", sm);
  Fake fake;
  const BundledKernel kernel = gpu_kernel(std::move(codes));
  Aligned file(write_bundle({&kernel, 1}));
  auto runtime = must(Runtime::open());
  auto loaded = must(must(file.open(options)).find("first")).load(must(runtime->gpu()));
  if (!loaded.ok()) return fault(loaded);
  const std::string &bytes = loaded->artifact().bytes;
  const size_t end = bytes.rfind("// ");
  return bytes.substr(end + 3, bytes.size() - end - 4);
}

} // namespace

TEST_CASE("a GPU is given the newest cubin of its major version, else the newest text up to it") {
  const std::vector<BundledCode> both{cubin(80), cubin(86), cubin(90), text(90)};
  CHECK(loaded_on("80", both) == "cubin sm_80");
  CHECK(loaded_on("86", both) == "cubin sm_86");
  CHECK(loaded_on("89", both) == "cubin sm_86");
  CHECK(loaded_on("90", both) == "cubin sm_90");
  CHECK(loaded_on("100", both) == "text sm_90"); // the driver assembles
  CHECK(loaded_on("120", {cubin(90), text(80), text(90)}) == "text sm_90");
  CHECK(loaded_on("87", {cubin(90), text(80), text(90)}) == "text sm_80");
  CHECK(loaded_on("90", both, {.prefer_ptx = true}) == "text sm_90");
  CHECK(loaded_on("80", {cubin(80)}, {.prefer_ptx = true}) == "cubin sm_80"); // there is no text
}

TEST_CASE("code for one architecture alone goes to that one alone") {
  const std::vector<BundledCode> specific{cubin(90, true), cubin(90), text(90, true), text(90)};
  CHECK(loaded_on("90", specific) == "cubin sm_90a");
  CHECK(loaded_on("100", specific) == "text sm_90");
  CHECK_THAT(loaded_on("100", {cubin(90, true), text(90, true)}), Contains("has no code for"));
}

TEST_CASE("a GPU for which there is nothing is refused with what there is") {
  CHECK_THAT(loaded_on("75", {cubin(80), cubin(90), text(90)}),
             Contains("2 usage error: the bundle in memory: first has no code for") &&
                 Contains("which is sm_75") && Contains("it has sm_80, sm_90, PTX for sm_90"));
  Fake fake;
  const BundledKernel kernel = gpu_kernel({cubin(90)});
  Aligned file(write_bundle({&kernel, 1}));
  auto runtime = must(Runtime::open());
  CHECK_THAT(fault(must(must(file.open()).find("first")).load(runtime->cpu())),
             Contains("has no code for this processor"));
}

TEST_CASE("a bundle's kernel is launched in streams of several GPUs, and what goes wrong there is told") {
  Fake fake;
  const BundledKernel kernel = gpu_kernel({cubin(90), text(90)});
  Aligned file(write_bundle({&kernel, 1}));
  Bundle bundle = must(file.open());
  auto runtime = must(Runtime::open());
  REQUIRE(must(runtime->gpus()).size() == 2);
  fake.record_parameters(3); // the kernel's state and two numbers
  for (int gpu = 0; gpu < 2; gpu++) {
    Stream stream = must(runtime->stream(must(runtime->gpu(gpu))));
    const BundleKernel first = must(bundle.find("first", "Int64, Int64"));
    must(first.launch(stream, {.blocks = {3, 1, 1}, .threads = {64, 1, 1}},
                      {Argument::scalar(int64_t(11)), Argument::scalar(int64_t(22))}));
    must(stream.synchronize());
    const FakeLaunch launch = fake.last_launch();
    CHECK(launch.blocks[0] == 3);
    CHECK(launch.threads[0] == 64);
    CHECK(launch.parameters[1] == 11);
    CHECK(launch.parameters[2] == 22);
    fake.throws(uint32_t(abi::ExceptionKind::DivideError), "DivideError", "f|file.jl|7");
    must(first.launch(stream, {}, {Argument::scalar(int64_t(1)), Argument::scalar(int64_t(2))}));
    CHECK_THAT(fault(stream.synchronize()), Contains("1 DivideError: thrown in thread"));
    CHECK_THAT(fault(first.launch(stream, {}, {Argument::scalar(1.0), Argument::scalar(int64_t(2))})),
               Contains("argument 1 of first is a Float64, and the bundle's kernel takes a Int64"));
  }
  CHECK(fake.count("cuLibraryLoadData") >= 1);
}

TEST_CASE("code that was altered on the disk is not given to a GPU") {
  Fake fake;
  const BundledKernel kernel = gpu_kernel({cubin(90)});
  Aligned file(write_bundle({&kernel, 1}));
  const auto view = must(BundleReader::of_memory({file.bytes(), file.size()}, "file"));
  const uint64_t at = view->codes(view->kernels()[0])[0].at;
  file.bytes()[at + 5] ^= std::byte(1);
  auto runtime = must(Runtime::open());
  const uint64_t before = fake.count("cuLibraryLoadData");
  CHECK_THAT(fault(must(must(file.open()).find("first")).load(must(runtime->gpu()))),
             Contains("1 BundleError") && Contains("the code of first was altered: its checksum is another"));
  CHECK(fake.count("cuLibraryLoadData") == before);
}

TEST_CASE("a GPU's code stays loaded as long as somebody has it") {
  Fake fake;
  const uint64_t before = fake.living().modules;
  {
    const BundledKernel kernel = gpu_kernel({cubin(90)});
    Aligned file(write_bundle({&kernel, 1}));
    auto runtime = must(Runtime::open());
    Kernel loaded;
    {
      Bundle bundle = must(file.open());
      loaded = must(must(bundle.find("first")).load(must(runtime->gpu())));
    }
    CHECK(fake.living().modules == before + 1);
    runtime.reset();
    CHECK(fake.living().modules == before + 1);
  }
  CHECK(fake.living().modules == before);
}
