// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// kiln/bundle_writer.h: from jobs to the bytes of a bundle.
#include "bundle_fixture.h"
#include "host_cpu.h"

#include <kiln/bundle_writer.h>

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

namespace {

PrecompileJob job(const Scratch &folder, const std::string &call) {
  PrecompileJob job;
  job.files = {{"program.jl", folder.path.string(), {}}};
  job.call = call;
  return job;
}

} // namespace

TEST_CASE("jobs become a bundle that a runtime loads and launches") {
  Scratch folder;
  std::ofstream(folder.path / "program.jl")
      << "using CUDA\nfunction twice(y)\n  y[threadIdx().x] *= 2\n  return\nend\nwrong(y) = (y[1] = nowhere(); nothing)\n";
  const std::vector<PrecompileJob> jobs{job(folder, "twice(CuDeviceVector{Int64,1})"),
                                        job(folder, "twice(CuDeviceVector{Float32,1})")};
  const WrittenBundle made = must(make_bundle(
      jobs, {.session = no_folder(), .threads = 1, .wrappers_namespace = "made", .file_name = "made.kiln"}));
  CHECK(made.failures.empty());
  CHECK(made.kernels == 2);
  CHECK(made.cpu_images == 2 * host_levels.size());
  CHECK(made.cubins == 0);
  CHECK(made.ptx_texts == 0);
  CHECK(made.not_assembled == 0);
  CHECK_THAT(made.wrappers,
             Contains("made.kiln") && Contains("namespace made {") && Contains("class twice {"));

  const Aligned file(made.bytes);
  const Bundle bundle = must(file.open());
  auto runtime = must(Runtime::open());
  const BundleKernel kernel = must(bundle.find("twice", "CuDeviceVector{Int64,1}"));
  std::vector<int64_t> y{1, -3, 1000};
  Stream stream = runtime->stream();
  must(kernel.launch(stream, {.threads = {3, 1, 1}}, {Argument::array(y.data(), {3})}));
  must(stream.synchronize());
  CHECK(y == std::vector<int64_t>{2, -6, 2000});

  const std::vector<PrecompileJob> failing{jobs[0], job(folder, "wrong(CuDeviceVector{Int64,1})")};
  const WrittenBundle none = must(make_bundle(failing, {.session = no_folder(), .threads = 1}));
  REQUIRE(none.failures.size() == 1);
  CHECK(none.failures[0].job == 1);
  CHECK(none.bytes.empty());
  CHECK(must(make_bundle({}, {.session = no_folder()})).bytes.empty());
  CHECK(make_bundle(jobs, {.session = no_folder(), .wrappers_namespace = "a b"}).error().kind() ==
        ErrorKind::Usage);
}

TEST_CASE("names of C++") {
  CHECK(cpp_name("a b") == "a_b");
  CHECK(cpp_name("8x") == "n8x");
  CHECK(cpp_name("class") == "class_");
  CHECK(cpp_name("") == "unnamed");
  CHECK(cpp_name("a__b_") == "a_b"); // C++ reserves two in a row
}
