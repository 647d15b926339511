// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values that mean nothing are Usage errors of the call that they come in by, which say what, where and what
// to do.
#include "gpu_fixture.h"
#include "no_target.h"

#include <kiln/foreign.h>
#include <kiln/precompile.h>

#include <climits>

using namespace kiln;
using namespace kiln::test;
using Catch::Contains;

namespace {

struct Border {
  std::unique_ptr<Session> session = take(Session::open({.cache_dir = ""}));
  std::vector<float> y = std::vector<float>(64, 1.0f);
  Border() {
    take(session->load("border.jl", R"(
using CUDA
function scale(y, a)
    i = threadIdx().x
    if i <= length(y)
        @inbounds y[i] *= a
    end
    return
end
matrix(m) = (m[1, 1] = 1f0; return)
inside(t) = (t[2][1] = t[1]; return)
tagged(s, y, n) = (y[1] = s === :a ? Float32(n) : 0f0; return)
plus(a, b) = a + b
)"));
  }
  std::string compile(const CompilerConfig &config, ArtifactKind kind = ArtifactKind::Typed,
                      const char *call = "scale(CuDeviceVector{Float32,1}, Float32)") {
    return failure(session->compile(call, config, kind));
  }
  std::string compile(void (*change)(CompilerConfig &)) {
    CompilerConfig config;
    change(config);
    // Each way in is the same border.
    const std::string text = compile(config);
    if (config.kernel) {
      CHECK(failure(session->prepare("scale(CuDeviceVector{Float32,1}, Float32)", config)) == text);
      CHECK(launch({Argument::array(y.data(), {64}), Argument::scalar(1.0f)}, config) == text);
    }
    return text;
  }
  std::string launch(const std::vector<Argument> &arguments, const CompilerConfig &config = {},
                     const char *function = "scale", const LaunchShape &shape = {.threads = {64, 1, 1}}) {
    return failure(session->launch(function, shape, arguments, config));
  }
};

} // namespace

TEST_CASE_METHOD(Border, "numbers and enumerations of a config") {
  CHECK_THAT(compile([](CompilerConfig &c) { c.opt_level = -5; }),
             Catch::StartsWith("2 ") &&
                 Contains("CompilerConfig::opt_level takes a whole number from 0 to 3, not -5"));
  CHECK_THAT(compile([](CompilerConfig &c) { c.opt_level = 99; }),
             Catch::StartsWith("2 ") &&
                 Contains("CompilerConfig::opt_level takes a whole number from 0 to 3, not 99"));
  CHECK_THAT(compile([](CompilerConfig &c) { c.debug_level = 9; }),
             Catch::StartsWith("2 ") &&
                 Contains("CompilerConfig::debug_level takes a whole number from 0 to 2, not 9"));
  CHECK_THAT(compile([](CompilerConfig &c) { c.debug_level = -1; }),
             Catch::StartsWith("2 ") && Contains("debug_level takes a whole number from 0 to 2, not -1"));
  CHECK_THAT(compile([](CompilerConfig &c) { c.entry_abi = EntryAbi(7); }),
             Catch::StartsWith("2 ") &&
                 Contains("CompilerConfig::entry_abi takes specfunc or packed, not 7"));
  CHECK_THAT(compile([](CompilerConfig &c) { c.entry_abi = EntryAbi::Packed; }),
             Catch::StartsWith("2 ") && Contains("Packed, which is for plain functions") &&
                 Contains("set CompilerConfig::kernel to false"));
  CHECK_THAT(compile([](CompilerConfig &c) { c.linked.push_back({.name = "none.bc"}); }),
             Catch::StartsWith("2 ") && Contains("`none.bc` has no bytes"));
  CHECK_THAT(compile([](CompilerConfig &c) { c.name = std::string("a\0b", 3); }),
             Catch::StartsWith("2 ") && Contains("is no symbol"));
  CHECK_THAT(compile([](CompilerConfig &c) { c.target.edit<NativeOptions>().cpu = std::string("a\0b", 3); }),
             Catch::StartsWith("2 ") && Contains("NativeOptions::cpu has a zero byte, behind its first 1"));
  CompilerConfig other;
  other.target = test::NoTarget();
  CHECK_THAT(compile(other),
             Catch::StartsWith("2 ") && Contains("there is no target no_such: there are native, ptx"));
  CHECK_THAT(failure(session->prepare("scale(CuDeviceVector{Float32,1}, Float32)", other)),
             Catch::StartsWith("2 "));
  CHECK_THAT(failure(Session::open({.warm_up = other})),
             Catch::StartsWith("2 ") && Contains("no target no_such"));
  CompilerConfig plain; // Packed is for these
  plain.kernel = false;
  plain.entry_abi = EntryAbi::Packed;
  CHECK(compile(plain, ArtifactKind::Object, "plus(Int64, Int64)") == "no error");
}

TEST_CASE_METHOD(Border, "products that there are not") {
  for (int kind : {7, 8, 200, 255})
    CHECK_THAT(compile({}, ArtifactKind(kind)),
               Catch::StartsWith("2 ") &&
                   Contains("there is no product of the ArtifactKind " + std::to_string(kind)) &&
                   Contains("0 (Lowered) to 6 (Cubin)"));
  CompilerConfig ptx;
  ptx.target = PtxOptions();
  CHECK_THAT(compile(ptx, ArtifactKind::Object), !Catch::StartsWith("4 "));
  CHECK_THAT(compile({}, ArtifactKind::Cubin), Catch::StartsWith("2 "));
  PrecompileJob job{.call = "scale(CuDeviceVector{Float32,1}, Float32)", .product = ArtifactKind(200)};
  (void)shard_of(std::span(&job, 1), 0, 0);
  PrecompileReport report = take(
      precompile(std::span(&job, 1),
                 {.session = {.cache_dir = "/dev/null/none", .verbosity = LogLevel::Error}, .threads = 1}));
  REQUIRE(report.failures.size() == 1);
  CHECK(report.failures[0].error.kind() != ErrorKind::Internal);
}

TEST_CASE("values of SessionOptions") {
  CHECK_THAT(failure(Session::open({.verbosity = LogLevel(7)})),
             Catch::StartsWith("2 ") && Contains("SessionOptions::verbosity is 7, and takes 1"));
  CHECK_THAT(failure(Session::open({.verbosity = LogLevel(0)})),
             Catch::StartsWith("2 ") && Contains("verbosity"));
  CHECK_THAT(failure(Session::open({.cpu_threads = UINT_MAX})),
             Catch::StartsWith("2 ") && Contains("cpu_threads is 4294967295, and at most 1024 are possible"));
  CHECK_THAT(failure(Session::open({.cache_dir = std::string("/x\0y", 4)})),
             Catch::StartsWith("2 ") &&
                 Contains("SessionOptions::cache_dir has a zero byte, behind its first 2"));
  CHECK_THAT(failure(Session::open({.dump_dir = std::string("\0", 1)})),
             Catch::StartsWith("2 ") && Contains("dump_dir"));
}

TEST_CASE_METHOD(Border, "arrays that no memory can be") {
  const Argument a = Argument::scalar(2.0f);
  auto array = [&](float *data, std::vector<int64_t> dims) {
    return launch({Argument::array(data, dims), a});
  };
  CHECK_THAT(array(y.data(), {-1}),
             Catch::StartsWith("2 ") &&
                 Contains("argument 1 of scale: an array of -1 elements: a dimension is negative"));
  CHECK_THAT(array(y.data(), {INT64_MIN}), Catch::StartsWith("2 ") && Contains("negative"));
  CHECK_THAT(array(y.data(), {INT64_MAX}),
             Catch::StartsWith("2 ") && Contains("of 4 bytes has more bytes than there are"));
  CHECK_THAT(array(nullptr, {64}),
             Catch::StartsWith("2 ") &&
                 Contains("argument 1 of scale: an array of 64 elements at a null pointer"));
  CHECK(array(nullptr, {0}) == "no error");
  auto matrix = [&](std::vector<int64_t> dims) {
    return launch({Argument::array(y.data(), dims)}, {}, "matrix");
  };
  CHECK(matrix({8, 8}) == "no error");
  for (std::vector<int64_t> dims : {std::vector<int64_t>{-8, -8},
                                    {1, -1},
                                    {int64_t(1) << 32, int64_t(1) << 32},
                                    {int64_t(1) << 33, int64_t(1) << 31},
                                    {INT64_MAX, 2},
                                    {3, INT64_MAX}})
    CHECK_THAT(matrix(dims), Catch::StartsWith("2 ") && Contains("argument 1 of matrix"));
  CHECK_THAT(matrix({INT64_MAX, 0}), Contains("BoundsError")); // there is none of its elements
  // Bytes made by hand: whatever the words say has to fit together.
  auto words = [&](std::vector<uint64_t> w) {
    Argument made{"CuDeviceVector{Float32,1}", std::vector<std::byte>(8 * w.size())};
    std::memcpy(made.bytes.data(), w.data(), made.bytes.size());
    return launch({made, a});
  };
  const auto at = uint64_t(reinterpret_cast<uintptr_t>(y.data()));
  CHECK(words({at, 256, 64, 64}) == "no error");
  CHECK_THAT(words({at, 256, 64, 65}), Catch::StartsWith("2 ") && Contains("whose length says 65"));
  CHECK_THAT(words({at, 255, 64, 64}), Catch::StartsWith("2 ") && Contains("in memory of 255 bytes"));
  CHECK_THAT(words({at, 256, 64}),
             Catch::StartsWith("2 ") &&
                 Contains("argument 1 of scale: CuDeviceVector{Float32,1} is 32 bytes, got 24"));
  // Elements that are larger than the caller says.
  CHECK_THAT(launch({Argument::array_of("Float32", y.data(), {64}, 2), a}),
             Catch::StartsWith("2 ") && Contains("in memory of 128 bytes"));
  // Inside a tuple too.
  Argument tuple{"Tuple{Float32, CuDeviceVector{Float32,1}}", std::vector<std::byte>(40)};
  const uint64_t inner[] = {0, at, 256, uint64_t(-64), uint64_t(-64)};
  std::memcpy(tuple.bytes.data(), inner, sizeof inner);
  CHECK_THAT(launch({tuple}, {}, "inside"),
             Catch::StartsWith("2 ") && Contains("argument 1 of inside: an array of -64 elements"));
}

TEST_CASE_METHOD(Border, "arguments of a launch by name") {
  const Argument array = Argument::array(y.data(), {64});
  CHECK_THAT(launch({}), Catch::StartsWith("1 MethodError"));
  CHECK_THAT(launch({array, Argument{"Float32", {}}}),
             Catch::StartsWith("2 ") && Contains("argument 2 of scale: Float32 is 4 bytes, got 0"));
  CHECK_THAT(launch({array, Argument{"Float32", std::vector<std::byte>(8)}}),
             Catch::StartsWith("2 ") && Contains("is 4 bytes, got 8"));
  CHECK_THAT(launch({array, Argument{"Nothing", std::vector<std::byte>(8)}}, {}, "scale"),
             !Catch::StartsWith("4 "));
  CHECK_THAT(launch({array, Argument{"", {}}}), !Catch::StartsWith("4 "));
  CHECK_THAT(launch({array, Argument{"Float32, Float32", std::vector<std::byte>(8)}}),
             !Catch::StartsWith("4 "));
  // Bytes of an argument without any must not become its neighbour's.
  CHECK_THAT(launch({Argument{"Val{1}", std::vector<std::byte>(32)},
                     Argument{"CuDeviceVector{Float32,1}", {}}, Argument::scalar(int64_t(1))},
                    {}, "tagged"),
             Catch::StartsWith("2 ") && Contains("argument 1 of tagged: Val{1} is 0 bytes, got 32"));
  CHECK(launch({Argument::symbol("a"), array, Argument::scalar(int64_t(9))}, {}, "tagged") == "no error");
  CHECK(y[0] == 9.0f);
  CHECK_THAT(launch({array, Argument::scalar(1.0f)}, {}, ""),
             Catch::StartsWith("2 ") && Contains("without a name"));
  for (const char *function : {"nowhere", "(", "scale(", ")", "1", "scale; scale", " "})
    CHECK_THAT(launch({array, Argument::scalar(1.0f)}, {}, function),
               !Catch::StartsWith("4 ") && !Catch::StartsWith("no error"));
}

TEST_CASE_METHOD(Border, "shapes and options of a launch") {
  const std::vector<Argument> arguments{Argument::array(y.data(), {64}), Argument::scalar(1.0f)};
  for (LaunchShape shape : {LaunchShape{.threads = {0, 1, 1}},
                            {.blocks = {0, 0, 0}},
                            {.blocks = {UINT32_MAX, 1, 1}},
                            {.threads = {UINT32_MAX, UINT32_MAX, UINT32_MAX}},
                            {.threads = {1025, 1, 1}},
                            {.threads = {1, 1, 65}},
                            {.shared_bytes = UINT64_MAX}})
    CHECK_THAT(launch(arguments, {}, "scale", shape), Catch::StartsWith("2 "));
  for (auto [x, y, z] : {std::array{0u, 2u, 0u}, {1u, 1u, 1u}, {0u, 0u, 1u}})
    CHECK_THAT(
        failure(session->launch("scale", {.threads = {64, 1, 1}}, arguments, {}, {.cluster = {x, y, z}})),
        Catch::StartsWith("2 ") && Contains("clusters"));
  CHECK_THAT(failure(session->launch("scale", {.threads = {64, 1, 1}}, arguments, {},
                                     {.time_limit = std::chrono::nanoseconds(-1)})),
             Catch::StartsWith("2 ") && Contains("negative time limit"));
}

TEST_CASE_METHOD(Border, "arguments of a kernel's launch") {
  Kernel kernel = take(session->prepare("scale(CuDeviceVector{Float32,1}, Float32)"));
  Stream stream = session->stream();
  abi::ArrayHeader<1> array{y.data(), 256, {64}, 64}, negative{y.data(), 256, {-64}, -64},
      nowhere{nullptr, 256, {64}, 64};
  float a = 1.0f;
  auto both = [&](std::vector<const void *> arguments) {
    std::string text = failure(stream.launch(kernel, {}, arguments));
    CHECK(failure(session->launch(kernel, {}, arguments)) == text);
    return text;
  };
  CHECK(both({&array, &a}) == "no error");
  CHECK_THAT(both({&array, nullptr}), Catch::StartsWith("2 ") && Contains("argument 2 of scale ") &&
                                          Contains("is a null pointer: pass the address of its 4 bytes"));
  CHECK_THAT(both({nullptr, nullptr}), Catch::StartsWith("2 ") && Contains("argument 1 of scale "));
  CHECK_THAT(both({}),
             Catch::StartsWith("2 ") && Contains(" scale takes 2 arguments that have bytes, got 0"));
  CHECK_THAT(both({&array, &a, &a}), Catch::StartsWith("2 ") && Contains("got 3"));
  CHECK_THAT(both({&negative, &a}), Catch::StartsWith("2 ") && Contains("a dimension is negative"));
  CHECK_THAT(both({&nowhere, &a}), Catch::StartsWith("2 ") && Contains("at a null pointer"));
  (void)take(session->load("twice.jl", "function twice!(y)\n    @inbounds y[1] *= 2f0\n    return\nend\n"));
  kernel = take(session->prepare("twice!(CuDeviceVector{Float32,1})"));
  CHECK_THAT(both({}), Contains(" twice! takes 1 argument that has bytes, got 0"));
  CHECK_THAT(failure(stream.copy(nullptr, y.data(), 4)),
             Catch::StartsWith("2 ") && Contains("to a null pointer"));
  CHECK_THAT(failure(stream.copy(y.data(), nullptr, 4)),
             Catch::StartsWith("2 ") && Contains("from a null pointer"));
  CHECK_THAT(failure(stream.fill(nullptr, 1, 4)), Catch::StartsWith("2 ") && Contains("null pointer"));
  done(stream.copy(nullptr, nullptr, 0));
  done(stream.fill(nullptr, 1, 0));
  CHECK_THAT(failure(stream.allocate(UINT64_MAX)), Catch::StartsWith("3 ") && Contains("out of memory"));
}

TEST_CASE("arguments of a launch on a GPU") {
  Fake fake;
  Gpu gpu;
  uint64_t a = 1;
  const void *missing[] = {&a, nullptr};
  CHECK_THAT(failure(gpu.stream.launch(gpu.kernel, {}, missing)),
             Catch::StartsWith("2 ") && Contains("argument 2 of first is a null pointer"));
  CHECK_THAT(failure(gpu.session->launch(gpu.kernel, {}, missing)), Catch::StartsWith("2 "));
  CHECK_THAT(failure(gpu.launch({.threads = {32, 1, 1}}, {.cluster = {2, 0, 1}})),
             Catch::StartsWith("2 ") && Contains("a cluster of 2x0x1 blocks"));
  CHECK_THAT(failure(gpu.stream.copy(nullptr, &a, 8)), Catch::StartsWith("2 "));
}

TEST_CASE_METHOD(Border, "texts, names and paths") {
  CHECK_THAT(failure(session->load(std::string("a\0b.jl", 6), "f() = 1")),
             Catch::StartsWith("2 ") && Contains("the name of a text has a zero byte"));
  CHECK_THAT(failure(session->load_file(std::string("/dev/null\0.jl", 13))),
             Catch::StartsWith("2 ") && Contains("the path of a file has a zero byte, behind its first 9"));
  for (const std::string &path : {std::string(), std::string("/"), std::string("/nowhere")})
    CHECK_THAT(failure(session->load_file(path)), Catch::StartsWith("1 "));
  CHECK(failure(session->load("", "nameless(x) = x + 1")) == "no error");
  auto nameless =
      session->compile("nameless(Int64)", {.kernel = false, .debug_level = 1}, ArtifactKind::LlvmOpt);
  REQUIRE(nameless.ok());
  CHECK_THAT((*nameless)->bytes,
             Contains("DIFile(filename: \"none\"")); // LLVM's verifier takes no empty name
  for (const std::string &text :
       {std::string("f() = \0", 7), std::string("\0", 1), std::string("g\0() = 1", 8)})
    CHECK_THAT(failure(session->load("nul.jl", text)), !Catch::StartsWith("4 "));
  for (const std::string &call :
       {std::string(), std::string("("), std::string("scale"), std::string("scale()"),
        std::string("scale(\0)", 8), std::string("\0", 1), std::string("sc\0ale(Int64)", 13),
        std::string("scale(Nowhere, Int64)"), std::string("1 + 1"), std::string("scale(Int64, Int64) = 1"),
        std::string("module A end"), std::string("Float32(Int64)"), std::string("scale(Union{}, Int64)"),
        std::string("scale(CuDeviceVector, Int64)")}) {
    std::string text = failure(session->compile(call, {}, ArtifactKind::LlvmOpt));
    CAPTURE(call);
    CHECK_THAT(text, !Catch::StartsWith("4 ") && !Catch::StartsWith("no error"));
  }
}
