// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every field of CompilerConfig and TargetSpec changes what comes out, as its description says.
#include <catch2/catch.hpp>

#include "must.h"

#include <kiln/kiln.h>

using namespace kiln;

namespace {

constexpr const char *source = R"(
using CUDA
@noinline child(x) = x * 2f0 + 1f0
function calls(y)
    i = threadIdx().x
    @inbounds y[i] = child(y[i])
    return
end
function checked(y, i)
    y[i] = 1f0
    return
end
function divides(y, x)
    @inbounds y[1] = y[1] / x
    return
end
function sine(y, x)
    @inbounds y[1] = sin(x)
    return
end
function quick(y, x)
    @inbounds y[1] = @fastmath y[1] / x
    return
end
function reads(y, x)
    @inbounds y[1] = x[1]
    return
end
plus(a, b) = a + b
returns(x) = x + 1
)";

struct Fixture {
  std::unique_ptr<Session> session;
  CompilerConfig ptx;
  Fixture() {
    auto opened = Session::open();
    if (!opened.ok()) FAIL(opened.error().what());
    session = std::move(*opened);
    auto loaded = session->load("config.jl", source);
    if (!loaded.ok()) FAIL(loaded.error().what());
    ptx.target = PtxOptions();
  }
  std::string text(const char *call, const CompilerConfig &config,
                   ArtifactKind kind = ArtifactKind::Assembly) {
    auto artifact = session->compile(call, config, kind);
    if (!artifact.ok()) FAIL(artifact.error().what());
    return (*artifact)->bytes;
  }
  std::string failure(const char *call, const CompilerConfig &config, ErrorKind kind) {
    auto artifact = session->compile(call, config, ArtifactKind::Assembly);
    REQUIRE(!artifact.ok());
    CHECK(artifact.error().kind() == kind);
    return artifact.error().what();
  }
};

bool has(const std::string &text, std::string_view part) { return text.find(part) != std::string::npos; }
constexpr const char *calls = "calls(CuDeviceVector{Float32,1})";

} // namespace

TEST_CASE_METHOD(Fixture, "kernel and name") {
  CHECK(has(text(calls, ptx), ".visible .entry _Z5calls"));
  CompilerConfig named = ptx;
  named.name = "my_kernel";
  CHECK(has(text(calls, named), ".visible .entry my_kernel("));
  CompilerConfig function = ptx;
  function.kernel = false;
  std::string plain = text("returns(Int64)", function);
  CHECK(has(plain, ".visible .func"));
  CHECK(!has(plain, ".entry"));
  CHECK(has(failure("returns(Int64)", ptx, ErrorKind::Input), "kernel returns a value of type `Int64`"));
}

TEST_CASE_METHOD(Fixture, "always_inline, optimize, opt_level") {
  CompilerConfig raw = ptx;
  raw.optimize = false;
  CHECK(has(text(calls, raw, ArtifactKind::LlvmOpt), "call "));
  // @noinline survives as a call by default.
  CHECK(has(text(calls, ptx, ArtifactKind::LlvmOpt), "child"));
  CompilerConfig o0 = ptx;
  o0.opt_level = 0;
  CHECK(text(calls, o0) != text(calls, ptx));
}

TEST_CASE_METHOD(Fixture, "without optimize the target optimises nothing either") {
  CompilerConfig fast = ptx;
  fast.opt_level = 2;
  const char *quick = "quick(CuDeviceVector{Float64,1}, Float64)",
             *reads = "reads(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})";
  CHECK(has(text(quick, fast), "rcp.approx"));
  fast.invariant_arguments = true;
  CHECK(has(text(reads, fast), "ld.global.nc"));
  fast.optimize = false;
  CHECK(!has(text(quick, fast), "rcp.approx"));
  CHECK(!has(text(reads, fast), "ld.global.nc"));
  // What code generation cannot do without runs all the same: libdevice is linked, its questions to the
  // compiler are answered.
  std::string sine = text("sine(CuDeviceVector{Float32,1}, Float32)", fast);
  CHECK(!has(sine, "__nvvm_reflect"));
  CHECK(!has(sine, ".extern .func"));
}

TEST_CASE_METHOD(Fixture, "debug_level and strip") {
  CHECK(has(text(calls, ptx), ".loc"));
  CompilerConfig none = ptx;
  none.debug_level = 0;
  CHECK(!has(text(calls, none), ".loc"));
  CompilerConfig full = ptx;
  full.debug_level = 2;
  CHECK(has(text(calls, full), ".debug_info"));
  CompilerConfig strip = ptx;
  strip.strip = true;
  CHECK(!has(text(calls, strip), ".loc"));
  // How much an exception reports follows the level.
  std::string checked = "checked(CuDeviceVector{Float32,1}, Int64)";
  CHECK(has(text(checked.c_str(), full, ArtifactKind::LlvmOpt), "BoundsError"));
}

TEST_CASE_METHOD(Fixture, "libraries and validate") {
  CompilerConfig bare = ptx;
  bare.libraries = false;
  bare.validate = false;
  CHECK(has(text("sine(CuDeviceVector{Float32,1}, Float32)", bare), "__nv_sinf"));
  bare.validate = true;
  CHECK(has(failure("sine(CuDeviceVector{Float32,1}, Float32)", bare, ErrorKind::Input), "__nv_sinf"));
}

TEST_CASE_METHOD(Fixture, "entry ABI") {
  CompilerConfig native;
  native.kernel = false;
  CHECK(has(text("plus(Int64, Int64)", native, ArtifactKind::LlvmOpt), "i64 @plus("));
  native.entry_abi = EntryAbi::Packed;
  CHECK(has(text("plus(Int64, Int64)", native, ArtifactKind::LlvmOpt), "void @plus(ptr"));
}

TEST_CASE_METHOD(Fixture, "target facts") {
  CompilerConfig c = ptx;
  c.target.edit<PtxOptions>().sm = 90;
  c.target.edit<PtxOptions>().arch_specific = true;
  CHECK(has(text(calls, c), ".target sm_90a"));
  CHECK(has(text(calls, c), ".version 8.5"));
  c.target = PtxOptions{.sm = 100, .family_specific = true};
  CHECK(has(text(calls, c), ".target sm_100f"));
  CHECK(has(text(calls, c), ".version 8.8"));
  c = ptx;
  c.target.edit<PtxOptions>().sm = 70;
  c.target.edit<PtxOptions>().ptx_isa = 60;
  CHECK(has(text(calls, c), ".version 6.0"));
  CHECK(has(text(calls, c), ".target sm_70"));
  c = ptx;
  c.target.edit<PtxOptions>().max_threads = {42, 1, 1};
  c.target.edit<PtxOptions>().min_blocks = 3;
  c.target.edit<PtxOptions>().max_registers = 40;
  std::string bounds = text(calls, c);
  CHECK(has(bounds, ".maxntid 42, 1, 1"));
  CHECK(has(bounds, ".minnctapersm 3"));
  CHECK(has(bounds, ".maxnreg 40"));
  CHECK(!has(text(calls, ptx), ".maxntid"));
  c = ptx;
  c.target.fast_math = true;
  const char *divides = "divides(CuDeviceVector{Float32,1}, Float32)";
  CHECK(has(text(divides, c), "div.approx"));
  CHECK(has(text(divides, ptx), "div.rn.f32"));
  c.target.contract = Contraction::Off; // fast math fuses
  failure(divides, c, ErrorKind::Usage);
  c.target.contract = Contraction(7);
  failure(divides, c, ErrorKind::Usage);
  for (auto [sm, isa] : {std::pair{91, 85}, {90, 60}, {100, 85}, {49, 85}, {90, 89}}) {
    c = ptx;
    c.target.edit<PtxOptions>().sm = sm;
    c.target.edit<PtxOptions>().ptx_isa = isa;
    failure(calls, c, ErrorKind::Usage);
  }
  CompilerConfig cpu;
  cpu.target.edit<NativeOptions>().cpu = "no-such-cpu";
  failure(calls, cpu, ErrorKind::Usage);
}

TEST_CASE("contract is on, off or the target's default in JSON") {
  using test::must;
  CHECK(must(read_config("{}")).target.contract == Contraction::Default);
  CHECK(must(read_config(R"({"contract": "on"})")).target.contract == Contraction::On);
  CHECK(must(read_config(R"({"target": "ptx", "contract": "off"})")).target.contract == Contraction::Off);
  auto wrong = read_config(R"({"contract": true})");
  REQUIRE(!wrong.ok());
  CHECK_THAT(wrong.error().what(), Catch::Contains("\"contract\" takes default, off or on"));
}

TEST_CASE("options name one architecture, or several for a config each") {
  using test::must;
  auto options_of = [](const char *json) {
    std::vector<PtxOptions> all;
    for (const CompilerConfig &config : must(read_configs(json)))
      all.push_back(config.target.get<PtxOptions>());
    return all;
  };
  using All = std::vector<PtxOptions>;
  CHECK(options_of(R"({"target": "ptx"})") == All{PtxOptions()});
  CHECK(options_of(R"({"target": "ptx", "arch": "sm_80,sm_90a"})") ==
        All{PtxOptions{.sm = 80}, PtxOptions{.sm = 90, .arch_specific = true}});
  CHECK(options_of(
            R"({"target": "ptx", "arch": ["sm_100f", "sm_80,sm_75"], "ptx-isa": "9.0", "maxregs": 40})") ==
        All{PtxOptions{.sm = 100, .family_specific = true, .ptx_isa = 90, .max_registers = 40},
            PtxOptions{.sm = 80, .ptx_isa = 90, .max_registers = 40},
            PtxOptions{.sm = 75, .ptx_isa = 90, .max_registers = 40}});
  CHECK(must(read_configs(R"({"O": 3})")).size() == 1);
  CHECK(must(read_configs(R"({"arch": "x86-64-v3"})"))[0].target.get<NativeOptions>().cpu == "x86-64-v3");
  CHECK(
      must(read_config(R"({"target": "ptx", "arch": "sm_120f"})")).target.get<PtxOptions>().family_specific);
  auto refused = [](const char *json, bool each, const char *why) {
    const std::string said = each ? read_configs(json).error().what() : read_config(json).error().what();
    CHECK_THAT(said, Catch::Contains(why));
  };
  refused(R"({"target": "ptx", "arch": ["sm_80", "sm_90"]})", false, "\"arch\" names one architecture here");
  refused(R"({"target": "ptx", "arch": "sm_80,sm_90"})", false,
          "\"arch\" takes one architecture here, not `sm_80,sm_90`");
  refused(R"({"target": "ptx", "arch": []})", true, "\"arch\" has no value");
  refused(R"({"target": "ptx", "arch": [80]})", true, "\"arch\" takes a string, or a list of strings");
  refused(R"({"target": "ptx", "arch": "sm_80,hopper"})", true, "not `hopper`");
  refused(R"([])", true, "an object of JSON, not a list");
}
