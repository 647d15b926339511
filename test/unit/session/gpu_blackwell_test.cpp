// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that need an architecture with a or f of sm_100's and sm_110's families, against the fake driver.
#include "gpu_fixture.h"

using namespace kiln;
using namespace kiln::test;

namespace {

constexpr const char *text = R"(using CUDA
function multiply(x, ::Type{T}) where {T}
  a = Blackwell.shared_matrix(pointer(CuStaticSharedArray(T, 1024)), Val(:k), Val(128))
  Blackwell.tcgen05_mma(x[1], a, a, Val(32))
  return
end
)";

} // namespace

TEST_CASE("a kernel with tcgen05 is compiled for the GPU's own architecture where that has it") {
  Fake fake;
  struct Expected {
    const char *sm;
    bool floats, integers; ///< PTX ISA 9.0, tcgen05.mma, "Target ISA Notes"
  };
  for (const auto &[sm, floats, integers] :
       {Expected{"90", false, false}, Expected{"100", true, true}, Expected{"103", true, false},
        Expected{"110", true, true}, Expected{"120", false, false}}) {
    INFO(sm);
    Environment gpu("KILN_FAKE_CUDA_SM", sm);
    auto session = take(Session::open({.cache_dir = ""}));
    take(session->load("blackwell.jl", text));
    Device device = take(session->gpu());
    auto of_floats = session->prepare("multiply(CuDeviceVector{UInt32,1}, Type{Float16})", {}, device);
    CHECK(of_floats.ok() == floats);
    if (!floats) CHECK(failure(of_floats).find("compile for sm_100f or sm_110f") != std::string::npos);
    auto of_integers = session->prepare("multiply(CuDeviceVector{UInt32,1}, Type{Int8})", {}, device);
    CHECK(of_integers.ok() == integers);
  }
}
