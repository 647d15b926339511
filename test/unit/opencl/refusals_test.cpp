// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Wrong code, wrong launches, and features that OpenCL devices lack.
#include "opencl_fixture.h"

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;

namespace {

/// A SPIR-V module of this version with one capability.
std::string module_of(uint32_t version, uint32_t capability) {
  const uint32_t words[] = {0x07230203, version << 8, 0, 1, 0, 2u << 16 | 17, capability};
  return std::string(reinterpret_cast<const char *>(words), sizeof words);
}

} // namespace

TEST_CASE_METHOD(OnOpenCl, "code that is no kernel of Kiln's is refused", "[.device]") {
  auto refused = [&](std::shared_ptr<Artifact> artifact) {
    return failure(backend.load(std::move(artifact)));
  };
  CHECK_THAT(refused(nullptr), Contains("takes an artifact that is a SPIR-V module"));
  auto kernel = scale_kernel();
  kernel->kind = ArtifactKind::Cubin;
  CHECK_THAT(refused(kernel), Contains("takes an artifact that is a SPIR-V module"));
  kernel = scale_kernel();
  kernel->bytes.clear();
  CHECK_THAT(refused(kernel), Contains("is empty"));
  kernel = scale_kernel();
  kernel->bytes = "these are no words of SPIR-V";
  CHECK_THAT(refused(kernel), Contains("is no SPIR-V module"));
  kernel = scale_kernel();
  kernel->bytes.resize(400);
  CHECK(!backend.load(kernel).ok());
  kernel = scale_kernel();
  kernel->entry = "absent";
  CHECK_THAT(refused(kernel), Contains("has no kernel absent"));
  CHECK_THAT(refused(kernel_of("foreign", {{1, 8, 8}}, false)), Contains("takes 1 OpenCL arguments"));
  kernel = scale_kernel();
  kernel->parameters.push_back({.argument = 4, .size = uint64_t(1) << 20, .align = 8});
  CHECK_THAT(refused(kernel), Contains("takes at most"));
  kernel = scale_kernel();
  kernel->bytes = module_of(0x199, 4);
  CHECK_THAT(refused(kernel), Contains("accepts up to"));
}

TEST_CASE_METHOD(OnOpenCl, "launches that an OpenCL device cannot run are refused", "[.device]") {
  const LoadedKernel kernel = load(scale_kernel());
  Buffer buffer = must(stream.allocate(64));
  ScaleArguments arguments{buffer.data(), 0, 1};
  const auto on = must(backend.make_stream());
  auto launch = [&](const LaunchShape &shape) {
    return failure(on->launch(kernel, shape, arguments.pointers, {}));
  };
  CHECK(launch({}) == "no error");
  CHECK_THAT(launch({.threads = {device.limits().threads_of_block + 1, 1, 1}}), Contains("runs at most"));
  CHECK_THAT(launch({.blocks = {0, 1, 1}}), Contains("every dimension must be at least 1"));
  CHECK_THAT(launch({.shared_bytes = uint64_t(1) << 40}), Contains("bytes of shared memory"));
  CHECK_THAT(failure(on->launch(kernel, {}, std::span<const void *const>(arguments.pointers, 2), {})),
             Contains("takes 3 arguments that have bytes, got 2"));
  CHECK_THAT(failure(check_options({.time_limit = std::chrono::seconds(1)}, backend)),
             Contains("a time limit"));
  CHECK_THAT(failure(check_options({.cluster = {2, 1, 1}}, backend)), Contains("clusters"));
  CHECK_THAT(failure(check_options({.cooperative = true}, backend)), Contains("LaunchOptions::cooperative"));
  CHECK_THAT(failure(stream.capture_begin()), Contains("no graphs"));
  CHECK_THAT(failure(stream.capture_end()), Contains("no graphs"));
  uint64_t words[16];
  CHECK(!backend.encode({}, {}, words).ok());
}

TEST_CASE_METHOD(OnOpenCl, "pointers and arrays of other libraries are checked on OpenCL", "[.device]") {
  must(backend.check_pointer(0));
  Buffer buffer = must(stream.allocate(64));
  must(backend.check_pointer(uint64_t(reinterpret_cast<uintptr_t>(buffer.data())) + 63));
  CHECK(!backend.reaches({.type = 2, .id = 0}));
  CHECK(!backend.reaches({.type = 4, .id = 0})); // a cl_mem
  CHECK_THAT(failure(argument_of(CudaArrayInterface{}, device)), Contains("a GPU's kernels in CUDA"));
}

TEST_CASE("a module's needs are read from its capabilities") {
  const SpirvNeeds needs = must(read_spirv(module_of(0x102, 10)));
  CHECK(needs.version == 12);
  CHECK(needs.features == std::vector<std::string>{"fp64"});
  CHECK(missing_features(needs, "fp16,fp64").empty());
  CHECK(missing_features(needs, "fp16,fp640") == "fp64");
  CHECK(missing_features(needs, "") == "fp64");
  CHECK(must(read_spirv(module_of(0x102, 4))).features.empty());
  std::string cut = module_of(0x102, 10);
  cut.resize(cut.size() - 4);
  CHECK_THAT(failure(read_spirv(cut)), Contains("cut off or damaged at word 5"));
  for (const char *text : {"", "abc", "abcdefghijklmnopqrstuvwx"})
    CHECK_THAT(failure(read_spirv(text)), Contains("is no SPIR-V module"));
}

TEST_CASE("every status of OpenCL has a name") {
  CHECK(opencl_status_name(0) == "CL_(0)");
  CHECK(opencl_status_name(-5) == "CL_OUT_OF_RESOURCES");
  CHECK(opencl_status_name(-54) == "CL_INVALID_WORK_GROUP_SIZE");
  CHECK(opencl_status_name(-1001) == "CL_PLATFORM_NOT_FOUND_KHR");
  CHECK(opencl_status_name(-12345) == "CL_(-12345)");
}

TEST_CASE("words of features are whole words") {
  CHECK(has_feature_word("fp16,fp64", "fp16"));
  CHECK(has_feature_word("fp16,fp64", "fp64"));
  CHECK(!has_feature_word("fp16,fp64", "fp"));
  CHECK(!has_feature_word("", "fp16"));
}
