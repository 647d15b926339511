// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// emitter FOLDER: a compiler of expressions that gives Kiln its kernels as LLVM IR, one as text and one as
// bitcode (made by llvm-as; as text if CMake did not find it). Runs them on the CPU and on a GPU if there is
// one, and compares the results with C++'s. FOLDER holds the cache: a second process compiles nothing.
#include "expression.h"

#include <kiln/kiln.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace kiln;

int show_faults(Session &session);

namespace {

constexpr const char *expression = "2 * x + smooth(x) / (1 + x * x)";
constexpr const char *library = "smooth(x) = x * x * (3 - 2 * x)\n"; // Julia: the IR determines the type of x
float value(float x) { return 2 * x + x * x * (3 - 2 * x) / (1 + x * x); }

constexpr const char *array = "CuDeviceVector{Float32,1}";
constexpr const char *map_call = "map_values(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})";
constexpr const char *sum_call = "sum_values(CuDeviceVector{Float32,1}, CuDeviceVector{Float32,1})";
constexpr LaunchShape shape{.blocks = {40, 1, 1}, .threads = {256, 1, 1}};
constexpr size_t count = 10000;

std::string bitcode(const std::string &text, const std::string &folder) {
#ifdef LLVM_AS
  const std::string from = folder + "/sum.ll", to = folder + "/sum.bc";
  std::ofstream(from) << text;
  if (std::system((std::string(LLVM_AS) + " " + from + " -o " + to).c_str()) == 0) {
    std::ifstream file(to, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
#endif
  (void)folder;
  return text;
}

bool is_near(double found, double expected) {
  return std::fabs(found - expected) <= 1e-4 * std::fabs(expected) + 1e-6;
}

/// Compares the kernels' results with C++'s.
int compare(const char *where, const std::vector<float> &in, const std::vector<float> &out, float total) {
  int wrong = 0;
  double sum = 0;
  for (size_t i = 0; i < in.size(); ++i) wrong += !is_near(out[i], value(in[i])), sum += value(in[i]);
  std::printf("%s: %zu values, sum %g\n", where, out.size(), double(total));
  return wrong + !is_near(total, sum);
}

Result<int> run_on_cpu(Session &session, std::vector<float> &in) {
  std::vector<float> out(in.size()), total(1);
  const int64_t n = int64_t(in.size());
  KILN_CHECK(session.launch("map_values", shape,
                            {Argument::array(out.data(), {n}), Argument::array(in.data(), {n})}));
  KILN_CHECK(session.launch("sum_values", shape,
                            {Argument::array(total.data(), {1}), Argument::array(in.data(), {n})}));
  return compare("CPU", in, out, total[0]);
}

Result<int> run_on_gpu(Session &session, const Device &gpu, const std::vector<float> &in) {
  std::vector<float> out(in.size()), total(1);
  const int64_t n = int64_t(in.size());
  KILN_TRY(Kernel map, session.prepare(map_call, {}, gpu));
  KILN_TRY(Kernel sum, session.prepare(sum_call, {}, gpu));
  KILN_TRY(Stream stream, session.stream(gpu));
  KILN_TRY(Buffer from, stream.allocate(in.size() * sizeof(float)));
  KILN_TRY(Buffer to, stream.allocate(in.size() * sizeof(float)));
  KILN_TRY(Buffer one, stream.allocate(sizeof(float)));
  const Argument from_array = Argument::array(from.as<float>(), {n}),
                 to_array = Argument::array(to.as<float>(), {n}),
                 one_array = Argument::array(one.as<float>(), {1});
  const void *of_map[] = {to_array.bytes.data(), from_array.bytes.data()},
             *of_sum[] = {one_array.bytes.data(), from_array.bytes.data()};
  KILN_CHECK(stream.copy(from.data(), in.data(), from.bytes()));
  KILN_CHECK(stream.copy(one.data(), total.data(), one.bytes()));
  KILN_CHECK(stream.launch(map, shape, of_map));
  KILN_CHECK(stream.launch(sum, shape, of_sum));
  KILN_CHECK(stream.copy(out.data(), to.data(), to.bytes()));
  KILN_CHECK(stream.copy(total.data(), one.data(), one.bytes()));
  KILN_CHECK(stream.synchronize());
  return compare(gpu.info().name.c_str(), in, out, total[0]);
}

/// Compiles the functions for a GPU, which need not exist.
Result<int> compile_for_gpu(Session &session, const std::string &folder) {
  const CompilerConfig ptx{.target = PtxOptions{.sm = 90}};
  KILN_TRY(auto map, session.compile(map_call, ptx, ArtifactKind::Assembly));
  KILN_TRY(auto sum, session.compile(sum_call, ptx, ArtifactKind::Assembly));
  int missing = 0;
  for (const char *part : {"bar.sync", "atom.", ".shared", ".visible .entry"})
    missing += sum->bytes.find(part) == std::string::npos;
  missing += map->bytes.find("ld.global") == std::string::npos;
  std::ofstream(folder + "/map.ptx") << map->bytes;
  std::ofstream(folder + "/sum.ptx") << sum->bytes;
  std::printf("PTX: %zu and %zu bytes\n", map->bytes.size(), sum->bytes.size());
  return missing;
}

Result<int> run(const std::string &folder) {
  KILN_TRY(auto session, Session::open({.cache_dir = folder + "/cache"}));
  KILN_CHECK(session->load("library.jl", library));
  const std::string sum_ir = bitcode(sum_kernel(expression), folder);
  std::printf("%s: map as text, sum as %s\n", expression, sum_ir.starts_with("BC") ? "bitcode" : "text");
  KILN_CHECK(session->define_ir(
      {.name = "map_values", .arguments = {array, array}, .ir = map_kernel(expression), .symbol = "map"}));
  KILN_CHECK(
      session->define_ir({.name = "sum_values", .arguments = {array, array}, .ir = sum_ir, .symbol = "sum"}));

  std::vector<float> in(count);
  for (size_t i = 0; i < count; ++i) in[i] = float(i % 100) / 100;
  KILN_TRY(int wrong, run_on_cpu(*session, in));
  KILN_TRY(int missing, compile_for_gpu(*session, folder));
  if (auto gpu = session->gpu(); gpu.ok()) {
    KILN_TRY(int differ, run_on_gpu(*session, *gpu, in));
    wrong += differ;
  } else {
    std::printf("no GPU: %s\n", gpu.error().diagnostics()[0].message.c_str());
  }
  const Session::Counters counters = session->counters();
  std::printf("from the folder %llu, compiled %llu\n", static_cast<unsigned long long>(counters.disk_hits),
              static_cast<unsigned long long>(counters.compiled));
  return wrong + missing + show_faults(*session);
}

} // namespace

int main(int arguments, char **values) {
  if (arguments != 2) return std::fputs("use: emitter FOLDER\n", stderr), 1;
  auto wrong = run(values[1]);
  if (!wrong.ok()) return std::fputs(wrong.error().what().c_str(), stderr), 1;
  return *wrong == 0 ? 0 : 1;
}
