// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor maps as the driver is asked for them, and kernels that need sm_90a, against the fake driver.
#include "gpu_fixture.h"

#include <kiln/tensor_map.h>

namespace gpu_hopper_test {

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr const char *text = R"(using CUDA
function multiply(A)
  a = Hopper.shared_matrix(pointer(CuStaticSharedArray(Float16, 4096)), Val(:k), Val(128))
  Hopper.wgmma_fence()
  sums = Hopper.wgmma(ntuple(_ -> 0f0, Val(4)), a, a)
  Hopper.wgmma_commit()
  sums = Hopper.wgmma_wait(Val(0), sums)
  A[threadIdx().x] = sums[1]
  return
end
gives(A) = (Hopper.setmaxnreg_dec(Val(40)); A[threadIdx().x] = 1f0; return)
plain(A) = (A[threadIdx().x] = 1f0; return)
)";

} // namespace

TEST_CASE("a tensor map of a GPU is its driver's") {
  Fake fake;
  auto session = take(Session::open());
  Device device = take(session->gpu());
  alignas(64) static uint8_t memory[64];
  TensorMap map =
      take(TensorMap::make(device, {"BFloat16", memory, {64, 20, 6}, {160, 3200}, {32, 8, 2}, 64, true}));
  CHECK(map.type() == "CUDA.Hopper.TensorMap{BFloat16, 3}");
  const Argument argument = map.argument();
  CHECK(argument.type == map.type());
  REQUIRE(argument.bytes.size() == 128);
  uint64_t words[8];
  std::memcpy(words, argument.bytes.data(), sizeof words);
  // CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, the rank, the address; of the last dimension length, stride and box;
  // CU_TENSOR_MAP_SWIZZLE_64B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA.
  const uint64_t wanted[] = {9, 3, uint64_t(reinterpret_cast<uintptr_t>(memory)), 6, 3200, 2, 2, 1};
  for (int i = 0; i < 8; i++) CHECK(words[i] == wanted[i]);
  TensorMap compact = take(TensorMap::make(device, {"UInt8", memory, {48, 5}, {}, {16, 5}}));
  std::memcpy(words, compact.data(), sizeof words);
  CHECK(words[0] == 0);
  CHECK(words[4] == 48);
  CHECK(words[6] == 0);
}

TEST_CASE("a GPU before sm_90 has no tensor maps") {
  Fake fake;
  Environment older("KILN_FAKE_CUDA_SM", "80");
  auto session = take(Session::open());
  alignas(64) static uint8_t memory[64];
  auto map = TensorMap::make(take(session->gpu()), {"UInt8", memory, {48}, {}, {16}});
  CHECK(failure(map).find("sm_80") != std::string::npos);
  CHECK(failure(map).find("no tensor maps") != std::string::npos);
}

TEST_CASE("a kernel with wgmma is compiled for sm_90a where the GPU has it") {
  Fake fake;
  {
    auto session = take(Session::open({.cache_dir = ""}));
    take(session->load("hopper.jl", text));
    Device device = take(session->gpu());
    CHECK(device.target().get<PtxOptions>().arch_specific == false);
    Stream stream = take(session->stream(device));
    Buffer y = take(stream.allocate(128 * sizeof(float)));
    const Argument array = Argument::array(y.as<float>(), {128});
    done(session->launch(device, "plain", {.threads = {128, 1, 1}}, {array}));
    const uint64_t before = session->counters().compiled;
    done(session->launch(device, "multiply", {.threads = {128, 1, 1}}, {array}));
    done(session->launch(device, "multiply", {.threads = {128, 1, 1}}, {array}));
    CHECK(session->counters().compiled == before + 2); // PTX and cubin, once
    (void)take(session->prepare("multiply(CuDeviceVector{Float32,1})", {}, device));
    // What is asked for by name is made for that architecture and no other.
    auto named = session->compile("multiply(CuDeviceVector{Float32,1})", {.target = device.target()},
                                  ArtifactKind::Assembly);
    CHECK(failure(named).find("sm_90a") != std::string::npos);
  }
  for (const char *sm : {"90", "103", "121"}) { // setmaxnreg is of all with a or f
    Environment gpu("KILN_FAKE_CUDA_SM", sm);
    auto session = take(Session::open({.cache_dir = ""}));
    take(session->load("hopper.jl", text));
    const Kernel kernel =
        take(session->prepare("gives(CuDeviceVector{Float32,1})", {}, take(session->gpu())));
    CHECK(kernel.artifact().kind == ArtifactKind::Cubin);
    auto wgmma = session->prepare("multiply(CuDeviceVector{Float32,1})", {}, take(session->gpu()));
    CHECK(wgmma.ok() == (std::string(sm) == "90"));
  }
  Environment older("KILN_FAKE_CUDA_SM", "80");
  auto session = take(Session::open({.cache_dir = ""}));
  take(session->load("hopper.jl", text));
  auto prepared = session->prepare("multiply(CuDeviceVector{Float32,1})", {}, take(session->gpu()));
  CHECK(failure(prepared).find("wgmma is sm_90a's alone") != std::string::npos);
}

} // namespace gpu_hopper_test
