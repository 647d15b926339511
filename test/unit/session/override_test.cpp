// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CUDA.@device_override across definitions and sessions: kernels see it, on each target; functions do not;
// and the folder of the cache tells programs with and without it apart.
#include "cached.h"

namespace override_test {

using namespace kiln;
using namespace cached;
namespace fs = std::filesystem;

namespace {

constexpr const char *program = R"(
using CUDA
value() = 1f0
helper(x) = x * value()
function kernel(y)
    y[threadIdx().x] = helper(y[threadIdx().x])
    return
end
plain(x::Float32) = helper(x)
)";
const std::string with_override = std::string(program) + "CUDA.@device_override value() = 10f0\n";

std::vector<float> launched(Session &session, const std::string &kernel = "kernel") {
  std::vector<float> y{1, 2, 3};
  must(session.launch(kernel, {.threads = {3, 1, 1}}, {Argument::array(y.data(), {3})}, {}));
  return y;
}
const std::vector<float> one{1, 2, 3}, ten{10, 20, 30}, hundred{100, 200, 300};

std::string optimised(Session &session, const std::string &call, bool kernel, TargetSpec kind) {
  CompilerConfig config;
  config.kernel = kernel;
  config.target = kind;
  return must(session.compile(call, config, ArtifactKind::LlvmOpt))->bytes;
}

bool holds(const std::string &text, const char *constant) { return text.find(constant) != text.npos; }

} // namespace

TEST_CASE("an override ends the kernels that see it, and no function") {
  Scratch folder;
  auto session = open(folder.path);
  must(session->load("a.jl", program));
  CHECK(launched(*session) == one);
  (void)optimised(*session, "plain(Float32)", false, NativeOptions());
  must(session->load("b.jl", "CUDA.@device_override value() = 10f0"));
  CHECK(launched(*session) == ten);
  must(session->load("c.jl", "using CUDA: @device_override\n@device_override value() = 100f0"));
  CHECK(launched(*session) == hundred);
  must(session->load("d.jl", "value() = 5f0")); // the host's: the kernel's stays
  CHECK(launched(*session) == hundred);
  CHECK_FALSE(compiles(*session, [&] { CHECK(launched(*session) == hundred); }));
}

TEST_CASE("an override holds for kernels of every target and for no plain function") {
  Scratch folder;
  auto session = open(folder.path);
  must(session->load("a.jl", with_override));
  // 10f0 is 0x4024000000000000 as LLVM writes it, or 1.000000e+01.
  for (TargetSpec kind : {TargetSpec(NativeOptions()), TargetSpec(PtxOptions())}) {
    CHECK(holds(optimised(*session, "kernel(CuDeviceVector{Float32,1})", true, kind), "1.000000e+01"));
    CHECK_FALSE(holds(optimised(*session, "plain(Float32)", false, kind), "1.000000e+01"));
  }
}

TEST_CASE("programs with and without an override share a folder") {
  Scratch folder;
  struct Turn {
    const std::string text;
    const std::vector<float> &result;
    bool is_new;
  };
  const std::string other = replaced(with_override, "10f0", "100f0");
  const Turn turns[] = {{program, one, true},        {with_override, ten, true}, {program, one, false},
                        {with_override, ten, false}, {other, hundred, true},     {program, one, false},
                        {other, hundred, false}};
  for (const Turn &turn : turns) {
    auto session = open(folder.path);
    must(session->load("a.jl", turn.text));
    CHECK(launched(*session) == turn.result);
    session->flush_cache();
    CHECK((session->counters().compiled == 1) == turn.is_new);
    CHECK((session->counters().inferred == 0) == !turn.is_new);
  }
}

TEST_CASE("an override of a function of the library, which the record knows as the library's alone") {
  Scratch folder;
  const std::string roots =
      "using CUDA\nfunction kernel(y)\n y[threadIdx().x] = abs(y[threadIdx().x])\n return\nend\n";
  auto run = [&](const std::string &text) {
    auto session = open(folder.path);
    must(session->load("a.jl", text));
    auto result = launched(*session);
    session->flush_cache();
    return result;
  };
  CHECK(run(roots) == one);
  CHECK(run(roots + "CUDA.@device_override Base.abs(x::Float32) = 10x\n") == ten);
  CHECK(run(roots) == one);
}

} // namespace override_test
