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
BundledCode code(bundle::CodeKind kind, uint32_t sm, char variant, uint32_t isa) {
  BundledCode made{.kind = kind,
                   .level = sm,
                   .flags = bundle::HasKernelState | (variant == 'a'   ? uint32_t(bundle::ArchSpecific)
                                                      : variant == 'f' ? uint32_t(bundle::FamilySpecific)
                                                                       : 0u),
                   .isa = isa,
                   .entry = "first",
                   .shared_bytes = 0,
                   .blob = ptx()->bytes};
  made.blob += fmt::format("// {} sm_{}{}\n", kind == bundle::CodeKind::Cubin ? "cubin" : "text", sm,
                           variant ? std::string(1, variant) : std::string());
  return made;
}
BundledCode cubin(uint32_t sm, char variant = 0) { return code(bundle::CodeKind::Cubin, sm, variant, 0); }
BundledCode text(uint32_t sm, char variant = 0, uint32_t isa = 85) {
  return code(bundle::CodeKind::Ptx, sm, variant, isa);
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
  const std::vector<BundledCode> specific{cubin(90, 'a'), cubin(90), text(90, 'a'), text(90)};
  CHECK(loaded_on("90", specific) == "cubin sm_90a");
  CHECK(loaded_on("100", specific) == "text sm_90");
  CHECK_THAT(loaded_on("100", {cubin(90, 'a'), text(90, 'a')}), Contains("has no code for"));
}

TEST_CASE("code for a family goes to its GPUs") {
  const std::vector<BundledCode> blackwell{cubin(90),       cubin(100),      cubin(100, 'f'),
                                           cubin(103, 'a'), cubin(120, 'f'), text(90)};
  CHECK(loaded_on("100", blackwell) == "cubin sm_100f");
  CHECK(loaded_on("103", blackwell) == "cubin sm_103a");
  CHECK(loaded_on("110", blackwell) == "text sm_90");
  CHECK(loaded_on("121", blackwell) == "cubin sm_120f");
  CHECK(loaded_on("103", {cubin(100), cubin(100, 'f')}) == "cubin sm_100f");
  CHECK_THAT(loaded_on("110", {cubin(100, 'f')}), Contains("has no code for"));
}

TEST_CASE("PTX that the driver does not read is left out") {
  const std::vector<BundledCode> texts{text(80, 0, 80), text(90, 0, 85), text(90, 'a', 90)};
  CHECK(loaded_on("90", texts) == "text sm_90a");
  Environment older("KILN_FAKE_CUDA_VERSION", "12060"); // reads 8.5
  CHECK(loaded_on("90", texts) == "text sm_90");
  Environment oldest("KILN_FAKE_CUDA_VERSION", "12020");
  CHECK(loaded_on("90", texts) == "text sm_80");
  Fake fake;
  const BundledKernel kernel = gpu_kernel({text(90, 0, 85), cubin(80)});
  Aligned file(write_bundle({&kernel, 1}));
  auto runtime = must(Runtime::open());
  auto loaded = must(must(file.open()).find("first")).load(must(runtime->gpu()));
  REQUIRE(!loaded.ok());
  const Diagnostic &d = loaded.error().diagnostics()[0];
  CHECK_THAT(d.message, Contains("sm_90, with a driver for CUDA 12.2: it has PTX for sm_90, sm_80"));
  REQUIRE(d.notes.size() == 2); // codes stand as they were given
  CHECK(d.notes[0].text == "PTX for sm_90: it is PTX ISA 8.5, and the driver reads up to 8.2: a driver for "
                           "CUDA 12.5 (555.42.02) or newer does");
  CHECK(d.notes[1].text == "sm_80: a cubin for sm_80 runs on sm_80 to sm_89 alone");
  CHECK_THAT(d.hint, Contains("list one of sm_90, sm_90a when the bundle is made"));
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
