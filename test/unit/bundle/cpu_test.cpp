// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that were compiled into a bundle, launched on the CPU without a session. Expected values are
// computed here.
#include "bundle_fixture.h"
#include "host_cpu.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <numeric>
#include <stdexcept>

using namespace kiln;
using namespace kiln::test;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

constexpr const char *program = R"(using CUDA
function saxpy(y, x, a)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    if i <= length(y)
        @inbounds y[i] = a * x[i] + y[i]
    end
    return
end
# Barriers that all pass: regions.
function block_sums(sums, x)
    part = CuStaticSharedArray(Int64, 64)
    t = threadIdx().x
    part[t] = x[t + (blockIdx().x - 1i32) * blockDim().x]
    d = blockDim().x >> 1
    while d > 0
        sync_threads()
        if t <= d
            part[t] += part[t + d]
        end
        d >>= 1
    end
    if t == 1
        sums[blockIdx().x] = part[1]
    end
    return
end
# Operations of a warp: coroutines.
function reversed(y, x)
    t = threadIdx().x
    y[t] = shfl_sync(0xffffffff, x[t], 33 - t)
    return
end
function outside(y)
    y[threadIdx().x + 7] = 1
    return
end
function calls_libm(y, x)
    i = threadIdx().x
    @inbounds y[i] = exp(x[i]) + atan(x[i], 2.0)
    return
end
struct Point
    x::Float32
    weight::Float64
    tag::Int8
end
function with_struct(y, p, ::Val{N}) where {N}
    y[1] = p.x + N
    y[2] = p.weight
    y[3] = p.tag
    return
end
function waits(y)
    if threadIdx().x == 1
        sync_threads()
    else
        barrier_sync(3)
    end
    return
end
# Side by side along y: a call runs neighbours in y.
function by_columns(out)
    i = (blockIdx().x - 1i32) * blockDim().x + threadIdx().x
    j = (blockIdx().y - 1i32) * blockDim().y + threadIdx().y
    if j <= size(out, 1) && i <= size(out, 2)
        @inbounds out[j, i] = 1000 * blockIdx().x + blockIdx().y
    end
    return
end
)";

const std::vector<std::string> calls{"saxpy(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32)",
                                     "saxpy(CuDeviceVector{Float64,1}, CuDeviceVector{Float64,1}, Float64)",
                                     "block_sums(CuDeviceVector{Int64,1}, CuDeviceVector{Int64,1})",
                                     "reversed(CuDeviceVector{Int32,1}, CuDeviceVector{Int32,1})",
                                     "outside(CuDeviceVector{Int64,1})",
                                     "calls_libm(CuDeviceVector{Float64,1}, CuDeviceVector{Float64,1})",
                                     "with_struct(CuDeviceVector{Float64,1}, Point, Val{5})",
                                     "waits(CuDeviceVector{Int64,1})",
                                     "by_columns(CuDeviceMatrix{Int64,1})"};

const std::string &bytes() {
  static const std::string made = write_bundle(compile(program, calls).kernels);
  return made;
}

struct Open {
  explicit Open(const BundleOptions &options = {}) : file(bytes()), bundle(must(file.open(options))) {}
  Aligned file;
  Bundle bundle;
  std::unique_ptr<Runtime> runtime = must(Runtime::open());
  Stream stream = runtime->stream();

  Result<void> run(const BundleKernel &kernel, const LaunchShape &shape,
                   std::initializer_list<Argument> arguments) {
    KILN_CHECK(kernel.launch(stream, shape, arguments));
    return stream.synchronize();
  }
};

} // namespace

TEST_CASE("a bundle lists its kernels by name and signature, with their parameters") {
  Open o;
  CHECK(o.bundle.size() == calls.size());
  BundleKernel saxpy = must(o.bundle.find(
      "saxpy", "CuDeviceArray{Float32,1,1},CuDeviceArray{Float32, 1, 1},  Float32")); // blanks do not count
  CHECK(must(o.bundle.find("saxpy", "CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1}, Float32"))
            .signature() == saxpy.signature()); // as the list had it
  const auto parameters = saxpy.parameters();
  REQUIRE(parameters.size() == 3);
  CHECK(parameters[0].name == "y");
  CHECK(parameters[0].size == 32); // pointer, bytes, one dimension, length
  CHECK(parameters[0].align == 8);
  CHECK(parameters[2].name == "a");
  CHECK(parameters[2].type == "Float32");
  CHECK(parameters[2].size == 4);
  std::vector<std::string> architectures;
  for (const BundleCode &code : saxpy.codes()) architectures.push_back(code.architecture);
  CHECK(architectures == host_levels);
  const BundleKernel with_struct = must(o.bundle.find("with_struct"));
  CHECK_THAT(std::string(with_struct.signature()), Contains("Val{5}")); // which has no bytes
  CHECK(with_struct.parameters().size() == 2);
  CHECK(with_struct.parameters()[1].size == 24); // C's layout: 4, padding, 8, 1, padding
  CHECK_FALSE(o.bundle.kernel(calls.size()));
  must(o.bundle.verify());
}

TEST_CASE("kernels of every form run from a bundle, on each level that this processor has") {
  const int highest = std::min(int(bundle::level_number(host_cpu_level())), BundleOptions().max_cpu_level);
  REQUIRE(highest >= first_host_level);
  for (int level = first_host_level; level <= highest; level++) {
    CAPTURE(level);
    Open o(BundleOptions{.max_cpu_level = level});
    std::vector<float> y(1000), x(1000);
    std::iota(y.begin(), y.end(), 0.f);
    std::iota(x.begin(), x.end(), 1.f);
    must(
        o.run(must(o.bundle.find("saxpy", calls[0].substr(6, calls[0].size() - 7))),
              {.blocks = {4, 1, 1}, .threads = {256, 1, 1}},
              {Argument::array(y.data(), {1000}), Argument::array(x.data(), {1000}), Argument::scalar(2.f)}));
    for (size_t i = 0; i < y.size(); i++) REQUIRE(y[i] == 2.f * float(i + 1) + float(i));

    std::vector<int64_t> table(50 * 30);
    must(o.run(must(o.bundle.find("by_columns")), {.blocks = {8, 4, 1}, .threads = {4, 16, 1}},
               {Argument::array(table.data(), {50, 30})}));
    for (int64_t i = 0; i < 30; i++)
      for (int64_t j = 0; j < 50; j++) REQUIRE(table[size_t(i * 50 + j)] == 1000 * (i / 4 + 1) + j / 16 + 1);

    std::vector<int64_t> values(256), sums(4);
    std::iota(values.begin(), values.end(), 1);
    must(o.run(must(o.bundle.find("block_sums")), {.blocks = {4, 1, 1}, .threads = {64, 1, 1}},
               {Argument::array(sums.data(), {4}), Argument::array(values.data(), {256})}));
    for (int64_t b = 0; b < 4; b++) CHECK(sums[size_t(b)] == 64 * (64 * b) + 64 * 65 / 2);

    std::vector<int32_t> from(32), to(32);
    std::iota(from.begin(), from.end(), 100);
    must(o.run(must(o.bundle.find("reversed")), {.threads = {32, 1, 1}},
               {Argument::array(to.data(), {32}), Argument::array(from.data(), {32})}));
    for (size_t i = 0; i < 32; i++) CHECK(to[i] == from[31 - i]);

    std::vector<double> out(8), in{0, 0.5, -1, 2, 3, -0.25, 1e-3, 10};
    must(o.run(must(o.bundle.find("calls_libm")), {.threads = {8, 1, 1}},
               {Argument::array(out.data(), {8}), Argument::array(in.data(), {8})}));
    for (size_t i = 0; i < 8; i++)
      CHECK(out[i] == Approx(std::exp(in[i]) + std::atan2(in[i], 2.0)).epsilon(1e-14));

    struct Point {
      float x;
      double weight;
      int8_t tag;
    } point{1.5f, 2.25, -3};
    Argument of_point{"Point", std::vector<std::byte>(sizeof point)};
    std::memcpy(of_point.bytes.data(), &point, sizeof point);
    std::vector<double> fields(3);
    must(o.run(must(o.bundle.find("with_struct")), {}, {Argument::array(fields.data(), {3}), of_point}));
    CHECK(fields == std::vector<double>{6.5, 2.25, -3});
  }
}

TEST_CASE("an exception in a bundle's kernel names its kind, thread, file and line") {
  Open o;
  std::vector<int64_t> y(8);
  auto result =
      o.run(must(o.bundle.find("outside")), {.threads = {8, 1, 1}}, {Argument::array(y.data(), {8})});
  REQUIRE_FALSE(result.ok());
  const Diagnostic &d = result.error().diagnostics()[0];
  CHECK(d.name() == "BoundsError");
  CHECK_THAT(d.message, Contains("in thread (2, 1, 1) of block (1, 1, 1)"));
  REQUIRE_FALSE(d.stack.empty());
  CHECK_THAT(result.error().what(), Contains("program.jl:34"));
  CHECK(y[7] == 1); // thread 1's place: the others go on
}

TEST_CASE("threads that wait for each other for ever are an error") {
  Open o;
  std::vector<int64_t> y(8);
  auto result = o.run(must(o.bundle.find("waits")), {.threads = {2, 1, 1}}, {Argument::array(y.data(), {8})});
  CHECK_THAT(fault(result), StartsWith("1 SynchronizationError"));
}

TEST_CASE("a bundle's kernel is loaded once, lives on by itself, and is launched without a look-up") {
  auto runtime = must(Runtime::open());
  Stream stream = runtime->stream();
  Kernel kernel;
  {
    Aligned file(bytes());
    Bundle bundle = must(file.open());
    BundleKernel sums = must(bundle.find("block_sums"));
    kernel = must(sums.load(runtime->cpu()));
    const Kernel again = must(sums.load(runtime->cpu()));
    CHECK(&kernel.artifact() == &again.artifact());
  }
  std::vector<int64_t> values(64, 2), sum(1);
  const Argument to = Argument::array(sum.data(), {1}), from = Argument::array(values.data(), {64});
  const void *arguments[] = {to.bytes.data(), from.bytes.data()};
  must(stream.launch(kernel, {.threads = {64, 1, 1}}, arguments));
  must(stream.synchronize());
  CHECK(sum[0] == 128);
  sum[0] = 0;
  must(runtime->launch(kernel, {.threads = {64, 1, 1}}, arguments)); // and waits
  CHECK(sum[0] == 128);
  auto other = must(Runtime::open());
  CHECK_THAT(fault(other->launch(kernel, {}, arguments)), Contains("was prepared by another runtime"));
}

TEST_CASE("what a bundle has not is refused in words") {
  Open o;
  CHECK_THAT(fault(o.bundle.find("saxpi")),
             StartsWith("2 usage error") && Contains("has no kernel saxpi; it has") && Contains("saxpy"));
  CHECK_THAT(fault(o.bundle.find("saxpy")), Contains("has several kernels saxpy") && Contains("Float64"));
  CHECK_THAT(fault(o.bundle.find("saxpy", "Int32")),
             Contains("has no saxpy(Int32); it has") &&
                 Contains("saxpy(CuDeviceArray{Float64, 1, 1}, CuDeviceArray{Float64, 1, 1}, Float64)"));
  std::vector<int64_t> y(4);
  std::vector<double> z(4);
  const BundleKernel sums = must(o.bundle.find("block_sums"));
  CHECK_THAT(
      fault(sums.launch(o.stream, {}, {Argument::array(y.data(), {4}), Argument::array(z.data(), {4})})),
      Contains("argument 2 of block_sums is a CuDeviceArray{Float64, 1, 1}, and the bundle's kernel takes a "
               "CuDeviceArray{Int64, 1, 1}"));
  CHECK_THAT(fault(sums.launch(o.stream, {}, {Argument::array(y.data(), {4})})),
             Contains("takes 2 arguments that have bytes, got 1"));
  CHECK_THAT(
      fault(sums.launch(o.stream, {}, {Argument::array(y.data(), {-1}), Argument::array(y.data(), {4})})),
      Contains("a dimension is negative"));
  CHECK_THAT(fault(sums.launch(o.stream, {.threads = {2048, 1, 1}},
                               {Argument::array(y.data(), {4}), Argument::array(y.data(), {4})})),
             Contains("2048 threads"));
  CHECK_THAT(fault(Bundle().find("f")), Contains("empty handle of a bundle"));
  CHECK_THAT(fault(BundleKernel().load(o.runtime->cpu())), Contains("empty handle of a bundle's kernel"));
  CHECK_THAT(fault(sums.load(Device())), Contains("empty handle of a device"));
  Aligned newest(write_bundle([] {
    auto kernels = compile(program, {calls[2]}).kernels;
    kernels[0].codes.erase(kernels[0].codes.begin(), kernels[0].codes.end() - 1);
    return kernels;
  }()));
  Bundle of_newest = must(newest.open({.max_cpu_level = first_host_level}));
  CHECK_THAT(fault(must(of_newest.find("block_sums")).load(o.runtime->cpu())),
             Contains("has no code for this processor, which is " + host_levels.front()) &&
                 Contains("it has " + host_levels.back()));
}

TEST_CASE("two jobs that are the same kernel with other options need names") {
  Scratch folder;
  const std::string path = (folder.path / "program.jl").string();
  std::ofstream(path) << program;
  PrecompileJob job;
  job.files = {{path, {}, {}}};
  job.call = calls[2];
  std::vector<PrecompileJob> jobs{job, job};
  jobs[1].config.opt_level = 1;
  CHECK_THAT(fault(compile_list(jobs, no_folder(), 1)),
             Contains("the list has block_sums(") && Contains("twice for " + host_levels.front()));
  jobs[1].config.name = "block_sums_O1";
  BundleReport report = must(compile_list(jobs, no_folder(), 1));
  REQUIRE(report.kernels.size() == 2);
  CHECK(report.kernels[1].name == "block_sums_O1");
  jobs[1].config.kernel = false;
  CHECK_THAT(must(compile_list(jobs, no_folder(), 1)).failures.at(0).error.what(),
             Contains("a bundle holds kernels"));
}

TEST_CASE("the same kernels give the same bytes, whoever compiles them first") {
  CHECK((write_bundle(compile(program, calls).kernels) == bytes()));
  std::vector<std::string> turned(calls.rbegin(), calls.rend());
  CHECK((write_bundle(compile(program, turned).kernels) == bytes()));
}

TEST_CASE("the header of wrappers has a class for each kernel and a struct for each struct") {
  const std::string header = write_wrappers(compile(program, calls).kernels, "kernels.kiln", "kernels");
  CHECK_THAT(header,
             Contains("namespace kernels {") && Contains("class saxpy {") && Contains("class saxpy_2 {"));
  CHECK_THAT(header, Contains("kiln::DeviceArray<float, 1> y, kiln::DeviceArray<float, 1> x, float a,"));
  CHECK_THAT(header, Contains("struct alignas(8) Point {\n  float x;\n  double weight;\n  int8_t tag;\n};\n"
                              "static_assert(sizeof(Point) == 24);"));
  CHECK_THAT(header, Contains("const Point &p,"));
}

namespace {

double tripled(double x) { return 3 * x; }
void *const tripled_address = reinterpret_cast<void *>(&tripled);

/// A bundle with a kernel that calls the host function `tripled`.
struct HostCalls {
  Aligned file{write_bundle(compile("using CUDA\n"
                                    "function k(y)\n"
                                    "    i = threadIdx().x\n"
                                    "    y[i] = ccall(:tripled, Float64, (Float64,), y[i]) + sin(0.0)\n"
                                    "    return\n"
                                    "end\n",
                                    {"k(CuDeviceVector{Float64,1})"})
                                .kernels)};
  std::unique_ptr<Runtime> runtime = must(Runtime::open());
  Result<std::vector<double>> run(const BundleOptions &options) const {
    Bundle bundle = must(file.open(options));
    std::vector<double> y{1, 2, 3};
    Stream stream = runtime->stream();
    KILN_CHECK(
        must(bundle.find("k")).launch(stream, {.threads = {3, 1, 1}}, {Argument::array(y.data(), {3})}));
    KILN_CHECK(stream.synchronize());
    return y;
  }
};

} // namespace

TEST_CASE("a bundle's kernel calls a host function whose address the options give") {
  HostCalls calls;
  BundleOptions table, look_up;
  table.symbols = {{"tripled", tripled_address}};
  look_up.find_symbol = [](const std::string &name) { return name == "tripled" ? tripled_address : nullptr; };
  CHECK(must(calls.run(table)) == std::vector<double>{3, 6, 9});
  CHECK(must(calls.run(look_up)) == std::vector<double>{3, 6, 9});
  const auto missing = calls.run({});
  REQUIRE(!missing.ok());
  CHECK(missing.error().code() == ErrorCode::HostFunctionMissing);
  CHECK_THAT(fault(missing), Contains("HostFunctionError") && Contains("`tripled`"));
  BundleOptions throwing;
  throwing.find_symbol = [](const std::string &) -> void * { throw std::runtime_error("closed"); };
  const auto thrown = calls.run(throwing);
  REQUIRE(!thrown.ok());
  CHECK_THAT(fault(thrown), Contains("find_symbol") && Contains("closed"));
}
